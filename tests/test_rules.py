"""Rules: presets, overrides, checks, and what a record or a command line says of them."""

import re
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from tarot_env import InvalidRules, Rules, TarotError
from tarot_env.rules import PRESETS, TARGET_POINTS, parse_override

FFT = Rules.preset("fft", players=4)


def test_fft_values() -> None:
    """rules.md B, column fft, with the thresholds of four players."""
    assert {option.name: getattr(FFT, option.name) for option in Rules.options()} == {
        "first_lead": "first_hand",
        "slam_announcer_leads": True,
        "slam_bonus": (400, 200, -200),
        "defence_slam": 200,
        "excuse_last_trick": "changes_side",
        "excuse_last_trick_refund": True,
        "excuse_wins_slam_trick": "any_position",
        "petit_au_bout_second_last": True,
        "poignee_thresholds": (10, 13, 15),
        "poignee_bonus": (20, 30, 40),
        "poignee_counts_shown_discards": True,
        "half_point": "winner",
        "petit_sec": "mandatory",
        "petit_sec_excuse_protects": True,
        "with_petite": True,
        "multipliers": (1, 2, 4, 6),
    }
    assert (FFT.players, FFT.chien_size, FFT.hand_size) == (4, 6, 18)
    assert TARGET_POINTS == (56, 51, 41, 36)


def test_defaults_are_the_preset() -> None:
    assert Rules.preset() == Rules() == FFT
    assert hash(Rules.preset(defence_slam=100)) == hash(Rules.preset(defence_slam=100))
    assert Rules.preset(defence_slam=100) != FFT


def test_sizes_hold_the_longest_deal() -> None:
    """Four bids, six discards, a slam, four poignées, 72 cards; 21 trumps withheld."""
    assert FFT.history_size == 4 + 6 + 1 + 4 + 72
    assert FFT.log_size == FFT.history_size + 21


def test_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        FFT.players = 3  # type: ignore[misc]


def test_every_option_explains_itself() -> None:
    for option in Rules.options():
        assert option.metadata["doc"]
        assert option.metadata["allowed"] or option.metadata["ints"]
        assert not option.metadata["allowed"] or option.default in option.metadata["allowed"]


def test_every_allowed_value_is_taken_and_kept() -> None:
    for option in Rules.options():
        for value in option.metadata["allowed"]:
            rules = Rules.preset(**{option.name: value})
            assert getattr(rules, option.name) is value
            assert Rules.from_dict(rules.to_dict()) == rules


def test_lists_become_tuples() -> None:
    assert Rules.preset(poignee_bonus=[20, 40, 60]).poignee_bonus == (20, 40, 60)


def test_dict_round_trip() -> None:
    assert FFT.to_dict() == {"preset": "fft", "players": 4}
    rules = Rules.preset(petit_sec="off", multipliers=(1, 2, 3, 4), excuse_last_trick_refund=False)
    assert rules.to_dict() == {
        "preset": "fft",
        "players": 4,
        "excuse_last_trick_refund": False,
        "petit_sec": "off",
        "multipliers": [1, 2, 3, 4],
    }
    assert Rules.from_dict(rules.to_dict()) == rules
    assert Rules.from_dict({}) == FFT


@pytest.mark.parametrize(
    ("name", "players", "options", "message"),
    [
        ("ftt", 4, {}, r"unknown preset 'ftt'; did you mean 'fft'\?"),
        ("fft", 7, {}, r"preset 'fft' with players=7; allowed: .*4"),
        ("fft", 2, {}, r"preset 'fft' with players=2; allowed: .*4"),
        ("fft", "4", {}, r"preset 'fft' with players='4'; allowed: .*4"),
        ("fft", 4, {"petit_secc": "off"}, r"unknown rule option 'petit_secc'; did you mean"),
        ("fft", 4, {"petit_sec": "of"}, r"petit_sec='of'; allowed: mandatory, .*off"),
        ("fft", 4, {"with_petite": 1}, r"with_petite=1; allowed: True, False"),
        ("fft", 4, {"defence_slam": True}, r"defence_slam=True; allowed: a whole number"),
        ("fft", 4, {"defence_slam": 1.5}, r"defence_slam=1.5; allowed: a whole number"),
        ("fft", 4, {"defence_slam": 10_001}, r"at most 10000"),
        ("fft", 4, {"multipliers": (1, 2, 4)}, r"multipliers=\(1, 2, 4\); allowed: 4 whole"),
        ("fft", 4, {"multipliers": 3}, r"multipliers=3; allowed: 4 whole"),
        ("fft", 4, {"slam_bonus": (400, 200, "x")}, r"slam_bonus=.*; allowed: 3 whole numbers"),
        ("fft", 4, {"poignee_thresholds": (13, 10, 15)}, r"poignee_thresholds must rise"),
        ("fft", 4, {"poignee_thresholds": (10, 10, 15)}, r"poignee_thresholds must rise"),
        ("fft", 4, {"poignee_thresholds": (0, 10, 15)}, r"must lie between 1 and 22"),
        ("fft", 4, {"poignee_thresholds": (10, 15, 23)}, r"must lie between 1 and 22"),
    ],
)
def test_mistakes_are_explained(
    name: str,
    players: int,
    options: dict[str, Any],
    message: str,
    wrong_type_error: tuple[type[Exception], ...],
) -> None:
    with pytest.raises((InvalidRules, *wrong_type_error)) as refused:
        Rules.preset(name, players, **options)
    if isinstance(refused.value, TarotError):
        assert isinstance(refused.value, InvalidRules)
        assert re.search(message, str(refused.value))
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"players": 5}, r"preset 'fft' with players=5; allowed: .*4"),
        ({"players": True}, r"preset 'fft' with players=True; allowed: .*4"),
        ({"preset_name": "nope"}, "unknown preset 'nope'; .*fft"),
        ({"preset_name": "nope", "players": 5}, "unknown preset 'nope'"),
    ],
)
def test_rules_made_directly_are_checked_too(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRules, match=message):
        Rules(**values)
    with pytest.raises(InvalidRules, match=message):
        replace(FFT, **values)


def with_override(text: str) -> Rules:
    options: dict[str, Any] = dict([parse_override(text)])
    return Rules.preset(**options)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("petit_sec=off", "petit_sec", "off"),
        ("with_petite=false", "with_petite", False),
        ("with_petite=True", "with_petite", True),
        ("defence_slam=100", "defence_slam", 100),
        ("defence_slam=-5", "defence_slam", -5),
        ("poignee_bonus=20,40,60", "poignee_bonus", (20, 40, 60)),
        ("slam_bonus=400, 200, -400", "slam_bonus", (400, 200, -400)),
    ],
)
def test_overrides_as_typed(text: str, name: str, value: object) -> None:
    assert parse_override(text) == (name, value)
    assert getattr(with_override(text), name) == value


@pytest.mark.parametrize(
    "text",
    ["petit_sec", "petit_secc=off", "with_petite=yes", "defence_slam=x", "defence_slam=10,20",
     "defence_slam=", "multipliers=1,2", "multipliers=1,2,x,4", "players=3"],
)  # fmt: skip
def test_bad_overrides(text: str, wrong_type_error: tuple[type[Exception], ...]) -> None:
    with pytest.raises((InvalidRules, *wrong_type_error)):
        with_override(text)


def test_presets_hold_together() -> None:
    for name, numbers in PRESETS.items():
        for players in numbers:
            rules = Rules.preset(name, players)
            assert Rules.from_dict(rules.to_dict()) == rules


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"name": "x"}, "unknown rule option 'name'"),
        ({"cls": 1}, "unknown rule option 'cls'"),
        ({"self": 1}, "unknown rule option 'self'"),
        ({"preset": ["fft"]}, "unknown preset"),
        ({"players": True}, "players=True; allowed: 4"),
        ({"players": 4.0}, "players=4.0; allowed: 4"),
        ({"players": 5}, "players=5; allowed: 4"),
    ],
)
def test_a_record_s_rules_are_checked_like_any_others(
    values: Any, words: str, wrong_type_error: tuple[type[Exception], ...]
) -> None:
    with pytest.raises((InvalidRules, *wrong_type_error)) as refused:
        Rules.from_dict(values)
    if isinstance(refused.value, TarotError):
        assert words in str(refused.value)
