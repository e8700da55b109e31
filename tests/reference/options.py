"""The options of RULES.md 14: their values, the presets, and what a game does without."""

from collections.abc import Mapping
from typing import Any

from .games import Game, find_game

FLAG = (True, False)

# Fields with a list of values; the first is that of the FFT.
CHOICES: dict[str, tuple[Any, ...]] = {
    "first_lead": ("first_hand", "taker"),
    "slam_announcer_leads": FLAG,
    "slam_window": ("after_ecart", "with_bid"),
    "excuse_last_trick": ("changes_side", "trick_winner", "owner_keeps"),
    "excuse_last_trick_refund": FLAG,
    "excuse_wins_slam_trick": ("any_position", "led_only", "never"),
    "petit_au_bout_second_last": FLAG,
    "poignee_window": ("own_first_card", "before_first_trick"),
    "poignee_show": ("exact", "at_least"),
    "poignee_counts_shown_discards": FLAG,
    "poignee_excuse": ("only_if_no_trump_hidden", "free"),
    "half_point": ("winner", "taker", "exact"),
    "petit_sec": ("mandatory", "optional", "imprenable", "off"),
    "petit_sec_excuse_protects": FLAG,
    "redeal_dealer": ("next", "same"),
    "auction": ("single", "until_passed"),
    "with_petite": FLAG,
    "call_own_king": FLAG,
    "first_lead_bans_called_suit": FLAG,
    "may_discard_called_card": (False, True),
    "partner_share": ((2, 1), (1, 1)),
    "contra_effect": ("double", "signal"),
    "decouverte_reveal": ("immediate", "after_trick"),
    "dummy_reveal": ("after_first_card", "after_ecart"),
    "tirette_draw_first": ("winner", "loser"),
    "misere": (False, True),
    "petit_chelem": (False, True),
    "score_rounding": (0, 10),
    "shuffle": ("full", "gather_and_cut"),
    "first_dealer": ("random", "drawn"),
}

# Fields that are so many numbers.
TUPLES: dict[str, tuple[int, ...]] = {
    "slam_bonus": (400, 200, -200),
    "poignee_thresholds": (10, 13, 15),
    "poignee_bonus": (20, 30, 40),
    "multipliers": (1, 2, 4, 6),
}
THRESHOLDS = {3: (13, 15, 18), 4: (10, 13, 15), 5: (8, 10, 13), 6: (6, 8, 11)}

NUMBERS: dict[str, int] = {"defence_slam": 200, "packet": 3, "chien_exclusion": 1}

# Fields that are a number or nothing.
LIMITS = ("match_deals", "match_target")

# Where a preset differs from the FFT.
PRESETS: dict[str, dict[str, Any]] = {
    "fft": {},
    "pagat": {
        "excuse_last_trick": "trick_winner",
        "excuse_wins_slam_trick": "led_only",
        "poignee_counts_shown_discards": False,
        "shuffle": "gather_and_cut",
        "chien_exclusion": 3,
    },
    "wikipedia": {
        "slam_window": "with_bid",
        "excuse_last_trick_refund": False,
        "poignee_bonus": (20, 40, 60),
        "poignee_show": "at_least",
        "poignee_counts_shown_discards": False,
        "half_point": "exact",
        "auction": "until_passed",
        "shuffle": "gather_and_cut",
        "first_dealer": "drawn",
    },
    "jeu-de-tarot": {
        "first_lead": "taker",
        "slam_bonus": (400, 200, -400),
        "excuse_last_trick": "owner_keeps",
        "petit_au_bout_second_last": False,
        "poignee_window": "before_first_trick",
        "poignee_counts_shown_discards": False,
        "petit_sec": "optional",
        "petit_sec_excuse_protects": False,
        "call_own_king": False,
        "first_lead_bans_called_suit": False,
        "chien_exclusion": 6,
    },
    "online": {
        "excuse_last_trick": "trick_winner",
        "excuse_wins_slam_trick": "never",
        "petit_au_bout_second_last": False,
        "poignee_window": "before_first_trick",
        "poignee_counts_shown_discards": False,
        "half_point": "taker",
        "match_deals": 8,
    },
}
PACKETS = {("wikipedia", 3): 3, ("jeu-de-tarot", 5): 5}

# The games that a preset describes, by name or number of players.
DESCRIBED: dict[str, tuple[str | int, ...]] = {
    "fft": (3, 4, 5, "mort"),
    "pagat": (3, 4, 5),
    "wikipedia": (3, 4, 5),
    "jeu-de-tarot": (3, 4, 5, 6, "decouverte", "tirette", "dummy"),
    "online": (4,),
}


def preset_options(name: str, players: int | None = 4, game: str | None = None) -> dict[str, Any]:
    """Every option with the value that the preset gives it in that game.

    Raises:
        ValueError: if there is no such preset, or it does not describe the game.
    """
    played = find_game(players, game)
    if name not in PRESETS or (played.name or played.players) not in DESCRIBED[name]:
        raise ValueError(f"no preset {name!r} for game {game!r} with {players} players")
    return {
        **{field: values[0] for field, values in CHOICES.items()},
        **TUPLES,
        **NUMBERS,
        "weak_hand_redeal": "off",
        **dict.fromkeys(LIMITS),
        "poignee_thresholds": thresholds(played),
        "packet": PACKETS.get((name, played.players), played.packet),
        **PRESETS[name],
        **without(played),
    }


def thresholds(game: Game) -> tuple[int, ...] | None:
    """Trumps that a single, double and triple handful need; None where there are none."""
    return THRESHOLDS.get(4 if game.has_dead_hand else game.players)


def without(game: Game) -> dict[str, Any]:
    """Fields for which a game has no use or no choice, with the value that they have in it."""
    fields: list[str] = []
    fixed: dict[str, Any] = {}
    if not game.has_call:
        fields += ["call_own_king", "first_lead_bans_called_suit", "may_discard_called_card"]
        fields += ["partner_share"]
    if game.has_partnerships:
        fields += ["auction"]
        fixed |= {"misere": False, "score_rounding": 0, "with_petite": True}
    else:
        fields += ["contra_effect"]
    if game.has_dummy:
        fields += ["first_lead", "slam_announcer_leads"]
    else:
        fields += ["dummy_reveal"]
    if not game.piles:
        fields += ["decouverte_reveal"]
    if not game.stock_size:
        fields += ["tirette_draw_first"]
    if game.players == 2:
        fields += ["petit_sec_excuse_protects"]
        fields += [field for field in (*CHOICES, *TUPLES) if field.startswith("poignee_")]
        fixed |= {"petit_sec": "off", "weak_hand_redeal": "off"}
        fixed |= {"misere": False, "petit_chelem": False}
    return {**dict.fromkeys(fields), **fixed}


def read_options(
    overrides: Mapping[str, Any] | None = None,
    *,
    preset: str = "fft",
    players: int | None = 4,
    game: str | None = None,
) -> dict[str, Any]:
    """Every option with its value: that of the preset, or the one given.

    Raises:
        ValueError: for an unknown option or value, for one that the game has no use for, and for
            options that do not go together (RULES.md 14.3).
    """
    options = preset_options(preset, players, game)
    fixed = without(find_game(players, game))
    for field, value in (overrides or {}).items():
        if field not in options:
            raise ValueError(f"unknown option {field!r}")
        value = tuple(value) if isinstance(value, list) else value
        if value != options[field] and field in fixed:
            raise ValueError(f"option {field!r} cannot be changed in this game")
        if field not in fixed and not _is_known(field, value):
            raise ValueError(f"option {field!r} cannot be {value!r}")
        options[field] = value
    if options["partner_share"] == (1, 1) and options["half_point"] == "exact":
        raise ValueError("equal parts of exact half points would be quarters")
    return options


def _is_known(field: str, value: Any) -> bool:
    if field in CHOICES:
        return any(type(value) is type(known) and value == known for known in CHOICES[field])
    if field in TUPLES:
        return (
            isinstance(value, tuple)
            and len(value) == len(TUPLES[field])
            and all(_is_number(number) for number in value)
        )
    if field == "weak_hand_redeal":
        return value in ("off", "no_trumps") or _is_number(value)
    return _is_number(value) or (field in LIMITS and value is None)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
