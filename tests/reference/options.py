"""The options of rules.md section B that the referee knows, with the values of the FFT.

`later` options exist in the rules text, but only their FFT value is refereed so far; options that
say how cards are dealt or deals follow each other do not touch a given deal.
"""

from collections.abc import Mapping
from typing import Any

FLAGS: dict[str, bool] = {
    "slam_announcer_leads": True,
    "excuse_last_trick_refund": True,
    "petit_au_bout_second_last": True,
    "poignee_counts_shown_discards": True,
    "petit_sec_excuse_protects": True,
    "with_petite": True,
}

# The first value is that of the FFT.
CHOICES: dict[str, tuple[str, ...]] = {
    "first_lead": ("first_hand", "taker"),
    "excuse_last_trick": ("changes_side", "trick_winner", "owner_keeps"),
    "excuse_wins_slam_trick": ("any_position", "led_only", "never"),
    "half_point": ("winner", "taker", "exact"),
    "petit_sec": ("mandatory", "off"),
}

NUMBERS: dict[str, int] = {"defence_slam": 200}

TUPLES: dict[str, tuple[int, ...]] = {
    "slam_bonus": (400, 200, -200),
    "poignee_bonus": (20, 30, 40),
    "multipliers": (1, 2, 4, 6),
}

THRESHOLDS = {3: (13, 15, 18), 4: (10, 13, 15), 5: (8, 10, 13), 6: (6, 8, 11)}

LATER: dict[str, Any] = {
    "slam_window": "after_ecart",
    "poignee_window": "own_first_card",
    "poignee_show": "exact",
    "poignee_excuse": "only_if_no_trump_hidden",
    "weak_hand_redeal": "off",
    "auction": "single",
    "misere": False,
    "petit_chelem": False,
    "score_rounding": 0,
}

BETWEEN_DEALS = (
    *("redeal_dealer", "shuffle", "packet", "chien_exclusion", "first_dealer"),
    *("match_deals", "match_target"),
)


def read_options(players: int, overrides: Mapping[str, Any] | None) -> dict[str, Any]:
    """Every option with its value: that of the FFT, or the one given.

    Raises:
        ValueError: for an unknown option, or a value that the referee does not know.
    """
    options: dict[str, Any] = {
        **FLAGS,
        **{name: values[0] for name, values in CHOICES.items()},
        **NUMBERS,
        **TUPLES,
        "poignee_thresholds": THRESHOLDS[players],
        **LATER,
    }
    for name, value in (overrides or {}).items():
        if name in BETWEEN_DEALS:
            continue
        if name not in options:
            raise ValueError(f"unknown option {name!r}")
        if not _is_known(name, value, options[name]):
            raise ValueError(f"option {name!r} cannot be {value!r} here")
        options[name] = tuple(value) if isinstance(value, list) else value
    return options


def _is_known(name: str, value: Any, default: Any) -> bool:
    if name in FLAGS:
        return isinstance(value, bool)
    if name in CHOICES:
        return value in CHOICES[name]
    if name in NUMBERS:
        return isinstance(value, int)
    if name in LATER:
        return bool(value == default)
    return len(value) == len(default) and all(isinstance(number, int) for number in value)
