"""What is being played: one frozen value with every option, presets by rule book, checks.

A variant is a `Rules` value. Each option is declared once, with its allowed values and its
meaning; checks, the command line, records and the table in the docs are derived from that.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from numbers import Integral
from typing import Any, cast

from tarot_env.errors import InvalidRules, short_repr, unknown_name
from tarot_env.rules.books import (
    CHANGES,
    EVERYWHERE,
    GAMES,
    PACKETS,
    PRESETS,
    TWO_PLAYERS,
    WITH_POIGNEES,
    Game,
    longest_partnership_auction,
)

TARGET_POINTS = (56, 51, 41, 36)
"""Card points the attack needs with 0, 1, 2 and 3 oudlers (every rule book)."""


def _option(
    default: object,
    doc: str,
    *,
    allowed: tuple[object, ...] = (),
    ints: int = 0,
    least: int = -10_000,
    games: tuple[str, ...] = EVERYWHERE,
    absent: object = None,
) -> Any:
    """An option: one of `allowed`, or `ints` whole numbers (1 for a plain int).

    Args:
        default: the value under FFT rules with four players.
        doc: what it decides.
        allowed: values.
        ints: how many whole numbers are allowed instead.
        least: the smallest of them.
        games: those that have a use for it.
        absent: what it is in the others.
    """
    metadata = {
        "default": default,
        "doc": doc,
        "allowed": allowed,
        "ints": ints,
        "least": least,
        "games": games,
        "absent": absent,
    }
    return field(default=default if "4" in games else absent, metadata=metadata)


_BOOL = (True, False)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a game; make one with `Rules.preset` and override options by keyword.

    An option for which the game has no use is None (`petit_sec` and `weak_hand_redeal`: off, house
    rules: False).
    """

    preset_name: str = "fft"
    game_name: str = "4"
    """A key of `GAMES`."""

    first_lead: str | None = _option(
        "first_hand",
        "who leads the first trick: the dealer's right, or the taker",
        allowed=("first_hand", "taker"),
        games=tuple(name for name in GAMES if name != "dummy"),
    )
    slam_announcer_leads: bool | None = _option(
        True,
        "an announced slam moves the first lead to the taker",
        allowed=_BOOL,
        games=tuple(name for name in GAMES if name != "dummy"),
    )
    slam_window: str = _option(
        "after_ecart",
        "when the taker is asked about a slam: after the écart, or with the bid",
        allowed=("after_ecart", "with_bid"),
    )
    slam_bonus: tuple[int, int, int] = _option(
        (400, 200, -200),
        "per defender: slam announced and made, made unannounced, announced and failed",
        ints=3,
    )
    defence_slam: int = _option(
        200, "what the attack pays each defender when the defence takes every trick", ints=1
    )
    excuse_last_trick: str = _option(
        "changes_side",
        "who gets an Excuse played to the last trick",
        allowed=("changes_side", "trick_winner", "owner_keeps"),
    )
    excuse_last_trick_refund: bool = _option(
        True,
        "a half point comes back where the Excuse's own side won the last trick",
        allowed=_BOOL,
    )
    excuse_wins_slam_trick: str = _option(
        "any_position",
        "when the Excuse wins the last trick for a side that has won all before",
        allowed=("any_position", "led_only", "never"),
    )
    petit_au_bout_second_last: bool = _option(
        True,
        "where the Excuse wins the last trick, the petit counts in the one before",
        allowed=_BOOL,
    )
    poignee_thresholds: tuple[int, int, int] | None = _option(
        (10, 13, 15),
        "trumps shown for a single, double and triple poignée",
        ints=3,
        least=1,
        games=WITH_POIGNEES,
    )
    poignee_bonus: tuple[int, int, int] | None = _option(
        (20, 30, 40),
        "per defender, for a single, double and triple poignée",
        ints=3,
        games=WITH_POIGNEES,
    )
    poignee_window: str | None = _option(
        "own_first_card",
        "when each seat is asked about a poignée",
        allowed=("own_first_card", "before_first_trick"),
        games=WITH_POIGNEES,
    )
    poignee_show: str | None = _option(
        "exact",
        "how many trumps a poignée shows: its threshold, or any number from there up",
        allowed=("exact", "at_least"),
        games=WITH_POIGNEES,
    )
    poignee_counts_shown_discards: bool | None = _option(
        True,
        "trumps shown in the écart may be shown again in a poignée",
        allowed=_BOOL,
        games=WITH_POIGNEES,
    )
    poignee_excuse: str | None = _option(
        "only_if_no_trump_hidden",
        "whether the Excuse in a poignée promises that no trump is kept back",
        allowed=("only_if_no_trump_hidden", "free"),
        games=WITH_POIGNEES,
    )
    half_point: str = _option(
        "winner",
        "half a point goes to the side that wins the contract, to the taker, or stays",
        allowed=("winner", "taker", "exact"),
    )
    petit_sec: str = _option(
        "mandatory",
        "a hand whose only trump is the petit: the deal is void, may be thrown in, stands with a "
        "petit that nobody can take, or just stands",
        allowed=("mandatory", "optional", "imprenable", "off"),
        games=WITH_POIGNEES,
        absent="off",
    )
    petit_sec_excuse_protects: bool | None = _option(
        True, "petit and Excuse together are no petit sec", allowed=_BOOL, games=WITH_POIGNEES
    )
    weak_hand_redeal: str | int = _option(
        "off",
        "a hand that may have the deal thrown in: without trumps, or with fewer than so many "
        "trumps and court cards",
        allowed=("off", "no_trumps"),
        ints=1,
        least=1,
        games=WITH_POIGNEES,
        absent="off",
    )
    redeal_dealer: str = _option(
        "next", "who deals after a deal that was not played", allowed=("next", "same")
    )
    auction: str | None = _option(
        "single",
        "each seat speaks once, or in turn until it has passed",
        allowed=("single", "until_passed"),
        games=tuple(name for name in GAMES if name != "6"),
    )
    with_petite: bool = _option(True, "off: garde is the lowest bid", allowed=_BOOL)
    multipliers: tuple[int, int, int, int] = _option(
        (1, 2, 4, 6), "of petite, garde, garde sans and garde contre", ints=4
    )
    call_own_king: bool | None = _option(
        True, "the taker may call a card of its own", allowed=_BOOL, games=("5",)
    )
    first_lead_bans_called_suit: bool | None = _option(
        True,
        "the first lead may not be in the called suit, but for the called card itself",
        allowed=_BOOL,
        games=("5",),
    )
    may_discard_called_card: bool | None = _option(
        False, "a called card below a king may go into the écart", allowed=_BOOL, games=("5",)
    )
    partner_share: tuple[int, int] | None = _option(
        (2, 1),
        "how taker and partner share what the defenders pay",
        allowed=((2, 1), (1, 1)),
        games=("5",),
    )
    contra_effect: str | None = _option(
        "double",
        "what contra and recontra do: double the contract, or only tell the partner something",
        allowed=("double", "signal"),
        games=("6",),
    )
    decouverte_reveal: str | None = _option(
        "immediate",
        "when the card under a played one is turned up",
        allowed=("immediate", "after_trick"),
        games=("decouverte",),
    )
    dummy_reveal: str | None = _option(
        "after_first_card",
        "when the dummy's hand is laid open",
        allowed=("after_first_card", "after_ecart"),
        games=("dummy",),
    )
    tirette_draw_first: str | None = _option(
        "winner",
        "who draws first from the stock after a trick",
        allowed=("winner", "loser"),
        games=("tirette",),
    )
    misere: bool = _option(
        False,
        "a hand without trumps, or without court cards, may be declared for 10 from each seat",
        allowed=_BOOL,
        games=("3", "4", "5", "mort"),
        absent=False,
    )
    petit_chelem: bool = _option(
        False,
        "a bonus for all tricks but three",
        allowed=_BOOL,
        games=WITH_POIGNEES,
        absent=False,
    )
    score_rounding: int = _option(
        0,
        "scores of all seats but the taker are rounded to it",
        allowed=(0, 10),
        games=tuple(name for name in GAMES if name != "6"),
        absent=0,
    )
    shuffle: str = _option(
        "full",
        "between the deals of a match: shuffled, or gathered and cut",
        allowed=("full", "gather_and_cut"),
    )
    packet: int = _option(
        3, "cards dealt at a time, where the pack is gathered and cut", ints=1, least=1
    )
    chien_exclusion: int = _option(
        1, "first and last cards of the pack that never go to the chien", ints=1, least=0
    )
    first_dealer: str = _option(
        "random",
        "of a match: any seat, or whoever draws the lowest card",
        allowed=("random", "drawn"),
    )
    match_deals: int | None = _option(None, "deals of a match", allowed=(None,), ints=1, least=1)
    match_target: int | None = _option(
        None, "points that end a match", allowed=(None,), ints=1, least=1
    )

    def __post_init__(self) -> None:
        _check_preset(self.preset_name, self.game_name)
        for option in self.options():
            _check_option(option.name, getattr(self, option.name), option.metadata, self.game_name)
        self._check_together()

    def _check_together(self) -> None:
        thresholds = self.poignee_thresholds
        if thresholds is not None:
            if list(thresholds) != sorted(set(thresholds)):
                raise InvalidRules(
                    f"poignee_thresholds must rise, such as 10,13,15; got {thresholds}"
                )
            if thresholds[2] > 22:
                raise InvalidRules(
                    f"poignee_thresholds must lie between 1 and 22; got {thresholds}"
                )
        if self.game_name == "6" and not self.with_petite:
            raise InvalidRules("with_petite=False; six players need the petite")
        if self.partner_share == (1, 1) and self.half_point == "exact":
            raise InvalidRules(
                "partner_share=(1, 1) with half_point='exact' would make quarters of a point; "
                "allowed: half_point winner or taker"
            )

    @classmethod
    def preset(
        cls,
        name: str = "fft",
        /,
        players: int | None = None,
        game: str | None = None,
        **overrides: object,
    ) -> "Rules":
        """Rules of a rule book, with options overridden by keyword.

        Args:
            name: of the rule book, a key of `PRESETS`.
            players: number of players; 4 if neither it nor `game` is given.
            game: `mort`, `decouverte`, `tirette` or `dummy`, which set the number of players.
            overrides: options by name.

        Raises:
            InvalidRules: an unknown preset or option, a value that is not allowed, or a game that
                the preset does not describe; the sentence says what is.
        """
        known = {option.name for option in cls.options()}
        for option_name in overrides:
            if option_name not in known:
                raise unknown_name("rule option", option_name, sorted(known), InvalidRules)
        game_name = _game_name(name, players, game)
        values = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in overrides.items()
        }
        for option in cls.options():
            metadata = option.metadata
            if option.name in overrides and game_name not in metadata["games"]:
                used = ", ".join(GAMES[game].title for game in metadata["games"])
                raise InvalidRules(
                    f"rule option {option.name} has no use with {GAMES[game_name].title}; "
                    f"it belongs to: {used}"
                )
        defaults = preset_values(name, game_name)
        return cls(preset_name=name, game_name=game_name, **cast(dict[str, Any], defaults | values))

    @classmethod
    def options(cls) -> list[Any]:
        """The options as dataclass fields; their metadata are the arguments of `_option`."""
        return [f for f in fields(cls) if "doc" in f.metadata]

    def to_dict(self) -> dict[str, object]:
        """The preset, the players or the game, and each overridden option, as a record holds it."""
        result: dict[str, object] = {"preset": self.preset_name}
        named = self.game is not None
        result["game" if named else "players"] = self.game if named else self.players
        defaults = preset_values(self.preset_name, self.game_name)
        for option in self.options():
            value = getattr(self, option.name)
            if value != defaults[option.name]:
                result[option.name] = list(value) if isinstance(value, tuple) else value
        return result

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> "Rules":
        """The inverse of `to_dict`.

        Raises:
            InvalidRules: no dict of options by name, or as for `preset`.
        """
        if not isinstance(values, Mapping) or not all(isinstance(key, str) for key in values):
            raise InvalidRules(f"rules {short_repr(values)}; give a dict of options by name")
        rest = dict(values)
        name = rest.pop("preset", "fft")
        return cls.preset(name, **rest)  # type: ignore[arg-type]

    @property
    def game(self) -> str | None:
        """The game's own name, None where it is named by the number of players."""
        return None if self.game_name.isdigit() else self.game_name

    @cached_property
    def sizes(self) -> Game:
        """Sizes of the game."""
        return GAMES[self.game_name]

    @property
    def players(self) -> int:
        """P: seats that score."""
        return self.sizes.players

    @property
    def hands(self) -> int:
        """H: hands that cards are played from, the dummy's too."""
        return self.sizes.hands

    @property
    def hand_size(self) -> int:
        """Cards dealt to each hand."""
        return self.sizes.hand_size

    @property
    def chien_size(self) -> int:
        """Cards in the chien."""
        return self.sizes.chien_size

    @property
    def tricks(self) -> int:
        """Tricks of a deal."""
        return self.sizes.tricks

    @property
    def cards_per_trick(self) -> int:
        """Cards of a trick."""
        return self.sizes.cards_per_trick

    @property
    def dead_hand(self) -> bool:
        """Whether the dealer sits out."""
        return self.game_name == "mort"

    @property
    def in_partnerships(self) -> bool:
        """Whether seats opposite each other are partners."""
        return self.game_name == "6"

    @property
    def calls_king(self) -> bool:
        """Whether the taker calls a partner."""
        return self.game_name == "5"

    @property
    def thresholds(self) -> tuple[int, ...]:
        """Trumps of each poignée, lowest first; empty where there are none."""
        return self.poignee_thresholds or ()

    @cached_property
    def asks_for_redeals(self) -> bool:
        """Whether a seat may be asked if the deal is to be thrown in."""
        return self.petit_sec == "optional" or self.weak_hand_redeal != "off"

    @cached_property
    def auction_size(self) -> int:
        """Most calls of an auction."""
        if self.in_partnerships:
            return longest_partnership_auction()
        speaking = 2 if self.game in TWO_PLAYERS else self.cards_per_trick
        if self.auction == "single":
            return speaking
        bids = 4 if self.with_petite else 3
        return speaking + bids - 2

    @cached_property
    def history_size(self) -> int:
        """Most public events: auction, call, chien, écart, slam, misères, poignées and cards."""
        asked = self.cards_per_trick * (self.misere + (self.poignee_thresholds is not None))
        return (
            self.auction_size
            + self.calls_king
            + self.in_partnerships
            + self.chien_size
            + 1
            + asked
            + self.tricks * self.cards_per_trick
        )

    @cached_property
    def log_size(self) -> int:
        """Most actions of a deal: the history, redeal questions, and each trump withheld once."""
        return self.history_size + self.cards_per_trick + 22


def check_is_rules(rules: object) -> Rules:
    """The rules that somebody hands in, checked to be a `Rules` value.

    Raises:
        InvalidRules: anything else, such as a preset's name.
    """
    if not isinstance(rules, Rules):
        raise InvalidRules(
            f"rules {short_repr(rules)}; give a Rules value, such as Rules.preset('fft')"
        )
    return rules


def preset_values(name: str, game_name: str) -> dict[str, object]:
    """The options of a rule book for one of its games, by name."""
    values: dict[str, object] = {}
    for option in Rules.options():
        used = game_name in option.metadata["games"]
        default = CHANGES[name].get(option.name, option.metadata["default"])
        values[option.name] = default if used else option.metadata["absent"]
    sizes = GAMES[game_name]
    values["poignee_thresholds"] = sizes.thresholds
    values["packet"] = PACKETS.get((name, game_name), sizes.packet)
    return values


_BY_PLAYERS = {int(name): name for name in GAMES if name.isdigit()}


def _game_name(preset: object, players: object, game: object) -> str:
    """The key of `GAMES` for a number of players or a game's own name."""
    _check_name("preset", preset, PRESETS)
    if game is None:
        number = 4 if players is None else players
        if type(number) is not int or number not in _BY_PLAYERS:
            raise _no_such_game(preset, f"players={short_repr(players)}")
        return _BY_PLAYERS[number]
    name = _check_name("game", game, [name for name in GAMES if not name.isdigit()])
    has = GAMES[name].players
    if players is not None and not (isinstance(players, Integral) and players == has):
        raise InvalidRules(f"game {name!r} with players={short_repr(players)}; it has {has}")
    return name


def _check_name(what: str, name: object, allowed: Iterable[str]) -> str:
    if not isinstance(name, str) or name not in allowed:
        raise unknown_name(what, name, allowed, InvalidRules)
    return name


def _no_such_game(preset: object, given: str) -> InvalidRules:
    described = PRESETS[cast(str, preset)]
    players = ", ".join(name for name in described if name.isdigit())
    games = ", ".join(f"game {name!r}" for name in described if not name.isdigit())
    listed = f"players {players}" + (f", {games}" if games else "")
    return InvalidRules(f"preset {short_repr(preset)} with {given}; allowed: {listed}")


def _check_preset(name: object, game_name: object) -> None:
    described = PRESETS[_check_name("preset", name, PRESETS)]
    if not isinstance(game_name, str) or game_name not in described:
        is_number = isinstance(game_name, str) and game_name in _BY_PLAYERS.values()
        given = f"players={game_name}" if is_number else f"game={short_repr(game_name)}"
        raise _no_such_game(name, given)


def _check_option(name: str, value: object, metadata: Mapping[str, Any], game_name: str) -> None:
    if game_name not in metadata["games"]:
        if not is_exactly(value, metadata["absent"]):
            raise InvalidRules(
                f"rule option {name}={short_repr(value)} has no use with {GAMES[game_name].title}; "
                f"allowed: {metadata['absent']}"
            )
        return
    allowed, ints = metadata["allowed"], metadata["ints"]
    if any(is_exactly(value, choice) for choice in allowed):
        return
    numbers = (value,) if ints == 1 else value
    good = ints and isinstance(numbers, tuple) and len(numbers) == ints
    least = metadata["least"]
    if not good or not all(
        type(n) is int and least <= n <= 10_000 for n in cast(tuple[int, ...], numbers)
    ):
        raise InvalidRules(
            f"rule option {name}={short_repr(value)}; allowed: {values_text(metadata)}"
        )


def is_exactly(value: object, wanted: object) -> bool:
    """Whether they are equal and of one type, all through: 1 is not True, an array no tuple."""
    if type(value) is not type(wanted):
        return False
    if isinstance(value, tuple) and isinstance(wanted, tuple):
        return len(value) == len(wanted) and all(map(is_exactly, value, wanted))
    return value == wanted


def values_text(metadata: Mapping[str, Any]) -> str:
    """The values of an option in words."""
    texts = [str(value) for value in metadata["allowed"]]
    ints, least = metadata["ints"], metadata["least"]
    if ints:
        what = "a whole number" if ints == 1 else f"{ints} whole numbers"
        texts.append(f"{what} of {'at most' if least < 0 else f'{least} to'} 10000")
    return ", ".join(texts)


def parse_override(text: str) -> tuple[str, object]:
    """An override as typed, `option=value`: (name, value); lists as `20,30,40`.

    Raises:
        InvalidRules: no `=`, an unknown option, or a value of the wrong kind.
    """
    name, equals, value = text.partition("=") if isinstance(text, str) else ("", "", "")
    if not equals:
        raise InvalidRules(f"{short_repr(text)} is no override; write option=value")
    options = {option.name: option.metadata for option in Rules.options()}
    if name not in options:
        raise unknown_name("rule option", name, sorted(options), InvalidRules)
    metadata = options[name]
    for allowed in metadata["allowed"]:
        if value.lower() == value_text(allowed):
            return name, allowed
    try:
        numbers = tuple(int(part) for part in value.split(","))
    except ValueError:
        return name, value
    return name, numbers[0] if metadata["ints"] <= 1 and len(numbers) == 1 else numbers


def value_text(value: object) -> str:
    """An option's value as it is typed: `true`, `20,30,40`."""
    if isinstance(value, tuple | list):
        return ",".join(map(value_text, value))
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)
