"""What is being played: one frozen value with every option, presets by rule book, checks.

A variant is a `Rules` value. Each option is declared once, with its allowed values and its
meaning; checks, the command line, records and the table in the docs are derived from that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, cast

from tarot_env.errors import InvalidRules, unknown_name

TARGET_POINTS = (56, 51, 41, 36)
"""Card points the attack needs with 0, 1, 2 and 3 oudlers (every rule book)."""


def _option(default: object, doc: str, *, allowed: tuple[object, ...] = (), ints: int = 0) -> Any:
    """An option: one of `allowed`, or `ints` whole numbers (1 for a plain int)."""
    return field(default=default, metadata={"doc": doc, "allowed": allowed, "ints": ints})


_BOOL = (True, False)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a game; make one with `Rules.preset` and override options by keyword."""

    preset_name: str = "fft"
    players: int = 4

    first_lead: str = _option(
        "first_hand",
        "who leads the first trick: the dealer's right, or the taker",
        allowed=("first_hand", "taker"),
    )
    slam_announcer_leads: bool = _option(
        True, "an announced slam moves the first lead to the taker", allowed=_BOOL
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
    poignee_thresholds: tuple[int, int, int] = _option(
        (10, 13, 15), "trumps shown for a single, double and triple poignée", ints=3
    )
    poignee_bonus: tuple[int, int, int] = _option(
        (20, 30, 40), "per defender, for a single, double and triple poignée", ints=3
    )
    poignee_counts_shown_discards: bool = _option(
        True, "trumps shown in the écart may be shown again in a poignée", allowed=_BOOL
    )
    half_point: str = _option(
        "winner",
        "half a point goes to the side that wins the contract, to the taker, or stays",
        allowed=("winner", "taker", "exact"),
    )
    petit_sec: str = _option(
        "mandatory",
        "a hand whose only trump is the petit: the deal is void, or stands",
        allowed=("mandatory", "off"),
    )
    petit_sec_excuse_protects: bool = _option(
        True, "petit and Excuse together are no petit sec", allowed=_BOOL
    )
    with_petite: bool = _option(True, "off: garde is the lowest bid", allowed=_BOOL)
    multipliers: tuple[int, int, int, int] = _option(
        (1, 2, 4, 6), "of petite, garde, garde sans and garde contre", ints=4
    )

    def __post_init__(self) -> None:
        _check_preset(self.preset_name, self.players)
        for option in self.options():
            _check_option(option.name, getattr(self, option.name), option.metadata)
        if list(self.poignee_thresholds) != sorted(set(self.poignee_thresholds)):
            raise InvalidRules(
                f"poignee_thresholds must rise, such as 10,13,15; got {self.poignee_thresholds}"
            )
        if not 1 <= self.poignee_thresholds[0] <= self.poignee_thresholds[2] <= 22:
            raise InvalidRules(
                f"poignee_thresholds must lie between 1 and 22; got {self.poignee_thresholds}"
            )

    @classmethod
    def preset(cls, name: str = "fft", /, players: int = 4, **overrides: object) -> "Rules":
        """Rules of a rule book, with options overridden by keyword.

        Raises:
            InvalidRules: an unknown preset or option, a value that is not allowed, or a number
                of players that the preset does not describe; the sentence says what is.
        """
        known = {option.name for option in cls.options()}
        for option_name in overrides:
            if option_name not in known:
                raise unknown_name("rule option", option_name, sorted(known), InvalidRules)
        values = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in overrides.items()
        }
        return cls(preset_name=name, players=players, **cast(dict[str, Any], values))

    @classmethod
    def options(cls) -> list[Any]:
        """The options as dataclass fields, with `doc`, `allowed` and `ints` in their metadata."""
        return [f for f in fields(cls) if "doc" in f.metadata]

    def to_dict(self) -> dict[str, object]:
        """The preset, the players and each overridden option: what a record holds."""
        result: dict[str, object] = {"preset": self.preset_name, "players": self.players}
        for option in self.options():
            value = getattr(self, option.name)
            if value != option.default:
                result[option.name] = list(value) if isinstance(value, tuple) else value
        return result

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> "Rules":
        """The inverse of `to_dict`."""
        rest = dict(values)
        name = rest.pop("preset", "fft")
        players = rest.pop("players", 4)
        return cls.preset(name, players=players, **rest)  # type: ignore[arg-type]

    @cached_property
    def chien_size(self) -> int:
        """Cards in the chien."""
        return 6

    @cached_property
    def hand_size(self) -> int:
        """Cards dealt to each seat; also the number of tricks."""
        return (78 - self.chien_size) // self.players

    @cached_property
    def history_size(self) -> int:
        """Most public events of a deal: bids, écart, slam, poignées and cards."""
        return self.players + self.chien_size + 1 + self.players + self.players * self.hand_size

    @cached_property
    def log_size(self) -> int:
        """Most actions of a deal: as the history, and each trump withheld at most once."""
        return self.history_size + 21


PRESETS: dict[str, tuple[int, ...]] = {"fft": (4,)}
"""The rule books and the numbers of players that each describes."""


def _check_preset(name: object, players: object) -> None:
    if not isinstance(name, str) or name not in PRESETS:
        raise unknown_name("preset", name, PRESETS, InvalidRules)
    if type(players) is not int or players not in PRESETS[name]:
        allowed = ", ".join(str(p) for p in PRESETS[name])
        raise InvalidRules(f"preset {name!r} with players={players!r}; allowed: {allowed}")


def _check_option(name: str, value: object, metadata: Mapping[str, Any]) -> None:
    allowed, ints = metadata["allowed"], metadata["ints"]
    if allowed:
        if not any(value == a and type(value) is type(a) for a in allowed):
            listed = ", ".join(str(a) for a in allowed)
            raise InvalidRules(f"rule option {name}={value!r}; allowed: {listed}")
        return
    numbers = (value,) if ints == 1 else value
    ok = isinstance(numbers, tuple) and len(numbers) == ints
    if not ok or not all(type(n) is int and abs(n) <= 10_000 for n in cast(tuple[int], numbers)):
        what = "a whole number" if ints == 1 else f"{ints} whole numbers"
        raise InvalidRules(f"rule option {name}={value!r}; allowed: {what} of at most 10000")


def parse_override(text: str) -> tuple[str, object]:
    """An override as typed, `option=value`: (name, value); lists as `20,30,40`.

    Raises:
        InvalidRules: no `=`, an unknown option, or a value of the wrong kind.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidRules(f"{text!r} is no override; write option=value")
    options = {option.name: option for option in Rules.options()}
    if name not in options:
        raise unknown_name("rule option", name, sorted(options), InvalidRules)
    default = options[name].default
    if isinstance(default, bool):
        return name, {"true": True, "false": False}.get(value.lower(), value)
    if isinstance(default, str):
        return name, value
    try:
        numbers = tuple(int(part) for part in value.split(","))
    except ValueError:
        return name, value
    return name, numbers[0] if isinstance(default, int) and len(numbers) == 1 else numbers
