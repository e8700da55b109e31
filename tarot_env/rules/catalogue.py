"""Every preset, game and option in one table: values, defaults, and the text that each is from.

`variants` is the table; the command line and the reference page show it.
"""

from typing import Any, NamedTuple

from tarot_env.rules.books import GAMES, PRESETS, Game
from tarot_env.rules.options import Rules, preset_values, value_text

SOURCES = {
    "fft": "the rule book of the Fédération Française de Tarot, R-RO201206 (July 2012)",
    "pagat": "pagat.com/tarot/frtarot.html",
    "wikipedia": "English Wikipedia, 'French tarot'",
    "jeu-de-tarot": "'Jeu de Tarot', after Dummett and McLeod",
    "online": "a browser game against three bots in rounds of eight deals",
}
"""The text that each preset follows."""

_CHOICES: dict[str, tuple[str, ...]] = {
    "slam_bonus": ("jeu-de-tarot",),
    "excuse_last_trick_refund": ("fft",),
    "poignee_show": ("pagat", "jeu-de-tarot"),
    "poignee_counts_shown_discards": ("pagat", "wikipedia", "jeu-de-tarot", "online"),
    "poignee_excuse": ("online",),
    "half_point": ("wikipedia", "jeu-de-tarot"),
    "redeal_dealer": ("jeu-de-tarot", "online"),
    "auction": ("jeu-de-tarot",),
    "call_own_king": ("wikipedia",),
    "first_lead_bans_called_suit": ("wikipedia",),
    "may_discard_called_card": ("fft", "pagat", "wikipedia", "jeu-de-tarot"),
    "partner_share": ("wikipedia", "jeu-de-tarot"),
    "contra_effect": ("jeu-de-tarot",),
    "tirette_draw_first": ("jeu-de-tarot",),
    "shuffle": ("jeu-de-tarot",),
    "chien_exclusion": ("pagat", "wikipedia", "online"),
}
"""Presets whose text is silent or unclear about an option, so that its value is our choice."""

_HOUSE_RULE = "a house rule that Wikipedia mentions"
_NOTES = {
    "petit_sec": "imprenable is a house rule that Wikipedia mentions",
    "weak_hand_redeal": _HOUSE_RULE,
    "misere": _HOUSE_RULE,
    "petit_chelem": _HOUSE_RULE,
    "score_rounding": _HOUSE_RULE,
    "decouverte_reveal": "after_trick is from beuselinck.fr",
    "dummy_reveal": "after_ecart is from beuselinck.fr",
}


class PresetRow(NamedTuple):
    """A rule book."""

    name: str
    games: tuple[str, ...]
    """Keys of `GAMES`."""
    source: str


class GameRow(NamedTuple):
    """A game."""

    name: str
    """A key of `GAMES`."""
    sizes: Game
    presets: tuple[str, ...]
    """Those that describe it."""


class Default(NamedTuple):
    """The value of an option in a preset."""

    preset: str
    value: str
    """As typed; several where it depends on the game."""
    is_choice: bool
    """Our choice, because the preset's text is silent or unclear."""


class OptionRow(NamedTuple):
    """An option of the rules."""

    name: str
    values: tuple[str, ...]
    """Allowed values as typed, or in words for numbers."""
    meaning: str
    games: tuple[str, ...]
    """Those that have a use for it."""
    defaults: tuple[Default, ...]
    """Of fft, then of the presets where it is another or our choice."""
    note: str
    """Where values that no preset has are from; empty if there is nothing to say."""


class Variants(NamedTuple):
    """All that can be played."""

    presets: tuple[PresetRow, ...]
    games: tuple[GameRow, ...]
    options: tuple[OptionRow, ...]


def variants() -> Variants:
    """Every preset, game and option."""
    return Variants(
        presets=tuple(PresetRow(name, PRESETS[name], SOURCES[name]) for name in PRESETS),
        games=tuple(
            GameRow(name, sizes, tuple(preset for preset in PRESETS if name in PRESETS[preset]))
            for name, sizes in GAMES.items()
        ),
        options=tuple(map(_option_row, Rules.options())),
    )


def _option_row(option: Any) -> OptionRow:
    metadata = option.metadata
    values = [value_text(value) for value in metadata["allowed"]]
    if metadata["ints"]:
        number = metadata["ints"]
        values.append("a whole number" if number == 1 else f"{number} whole numbers")
    return OptionRow(
        name=option.name,
        values=tuple(values),
        meaning=metadata["doc"],
        games=metadata["games"],
        defaults=_defaults(option.name, metadata["games"]),
        note=_NOTES.get(option.name, ""),
    )


def _defaults(name: str, games: tuple[str, ...]) -> tuple[Default, ...]:
    """The values of an option in fft and wherever there is more to say."""
    base = {game: preset_values("fft", game)[name] for game in games}
    in_fft = any(game in games for game in PRESETS["fft"])
    found = []
    for preset, described in PRESETS.items():
        own = {game: preset_values(preset, game)[name] for game in described if game in games}
        other = {game: value for game, value in own.items() if value != base[game]}
        is_choice = preset in _CHOICES.get(name, ())
        if preset == "fft" and in_fft:
            found.append(Default(preset, _by_game(base, base), is_choice))
        elif own and (other or is_choice or not in_fft):
            found.append(Default(preset, _by_game(other or own, own), is_choice))
    return tuple(found)


def _by_game(values: dict[str, object], among: dict[str, object]) -> str:
    """The values, each with its games where it is not that of all among which it stands."""
    games: dict[str, list[str]] = {}
    for game, value in values.items():
        games.setdefault(value_text(value), []).append(game)
    if len(games) == 1 and len(values) == len(among):
        return next(iter(games))
    return ", ".join(f"{text} ({', '.join(names)})" for text, names in games.items())


# -- as text


def variants_text() -> str:
    """The table for a terminal."""
    table = variants()
    presets = [
        f"  {row.name}: {_games_text(row.games)}\n      {row.source}" for row in table.presets
    ]
    return "\n".join(
        [
            "Presets: --rules PRESET",
            *presets,
            "",
            "Games: --players P, or --game G for those with a name",
            *map(_game_text, table.games),
            "",
            "Options: --set option=value; a preset that is not named has fft's value",
            "(our choice) stands where the text of a preset is silent or unclear",
            *map(_option_text, table.options),
        ]
    )


def _games_text(games: tuple[str, ...]) -> str:
    return ", ".join(name if name.isdigit() else f"game {name}" for name in games)


def _game_text(row: GameRow) -> str:
    sizes = row.sizes
    return (
        f"  {row.name}: {sizes.title}; {sizes.hand_size} cards each, {sizes.chien_size} in the "
        f"chien, {sizes.tricks} tricks ({', '.join(row.presets)})"
    )


def _option_text(row: OptionRow) -> str:
    defaults = "; ".join(
        f"{default.preset} {default.value}{' (our choice)' if default.is_choice else ''}"
        for default in row.defaults
    )
    lines = [f"\n{row.name} = {' | '.join(row.values)}", f"    {row.meaning}", f"    {defaults}"]
    if row.games != tuple(GAMES):
        lines.append(f"    only with {', '.join(row.games)}")
    if row.note:
        lines.append(f"    {row.note}")
    return "\n".join(lines)
