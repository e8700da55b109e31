"""The pack and the action space: ids, text, half points, round trips."""

import numpy as np
import pytest

from tarot_env import Bid, Phase, TarotError, UnknownName
from tarot_env.cards import (
    ANY,
    CARD_TEXTS,
    EXCUSE,
    HALF_POINTS,
    KIND,
    OUDLERS,
    PETIT,
    RANK,
    TRUMP,
    TRUMP_21,
)
from tarot_env.cards.actions import (
    ACTION_TEXTS,
    BID_TEXTS,
    POIGNEE_TEXTS,
    action_text,
    parse_action,
    parse_bid,
    parse_card,
)


def test_the_pack() -> None:
    assert len(CARD_TEXTS) == len(set(CARD_TEXTS)) == 78
    assert HALF_POINTS.sum() == 182
    assert HALF_POINTS.dtype == np.int16
    assert (HALF_POINTS % 2 == 1).all()
    assert [CARD_TEXTS[card] for card in OUDLERS] == ["T1", "T21", "EX"]
    assert (PETIT, TRUMP_21, EXCUSE) == (56, 76, 77)
    assert KIND.dtype == np.int8
    assert RANK.dtype == np.int8
    assert np.bincount(KIND).tolist() == [14, 14, 14, 14, 21, 1]


@pytest.mark.parametrize(
    ("text", "card", "kind", "rank", "half_points"),
    [
        ("S1", 0, 0, 1, 1),
        ("S10", 9, 0, 10, 1),
        ("SJ", 10, 0, 11, 3),
        ("SN", 11, 0, 12, 5),
        ("SQ", 12, 0, 13, 7),
        ("SK", 13, 0, 14, 9),
        ("H1", 14, 1, 1, 1),
        ("DQ", 40, 2, 13, 7),
        ("CK", 55, 3, 14, 9),
        ("T1", 56, TRUMP, 1, 9),
        ("T2", 57, TRUMP, 2, 1),
        ("T20", 75, TRUMP, 20, 1),
        ("T21", 76, TRUMP, 21, 9),
        ("EX", 77, ANY, 0, 9),
    ],
)
def test_a_card(text: str, card: int, kind: int, rank: int, half_points: int) -> None:
    assert parse_card(text) == parse_action(text) == card
    assert (KIND[card], RANK[card], HALF_POINTS[card]) == (kind, rank, half_points)


def test_ids_of_the_actions() -> None:
    assert ACTION_TEXTS[78:] == (
        *("pass", "petite", "pousse", "garde", "garde_sans", "garde_contre"),
        *("contra", "recontra", "chelem", "petit_chelem", "misere"),
        *("poignee", "double_poignee", "triple_poignee"),
        *("first_half", "second_half", "throw_in"),
    )
    assert len(ACTION_TEXTS) == 95


def test_round_trips() -> None:
    for action, text in enumerate(ACTION_TEXTS):
        assert parse_action(text) == action
        assert action_text(action) == text
    for card, text in enumerate(CARD_TEXTS):
        assert parse_card(text) == card
    for bid, text in BID_TEXTS.items():
        assert parse_bid(text) is bid
        assert parse_action(text) - 78 == bid
    assert POIGNEE_TEXTS == ("poignee", "double_poignee", "triple_poignee")


def test_enums() -> None:
    assert [bid.name for bid in Bid] == (
        ["NONE", "PETITE", "POUSSE", "GARDE", "GARDE_SANS", "GARDE_CONTRE"]
    )
    assert " ".join(phase.name for phase in Phase) == (
        "PETIT_SEC AUCTION CALL SPLIT DISCARD SLAM MISERE POIGNEE WITHHOLD PLAY OVER"
    )
    assert list(Bid) == list(range(6))
    assert list(Phase) == list(range(11))


@pytest.mark.parametrize(
    ("parse", "text", "hint"),
    [
        (parse_card, "s1", "unknown card 's1'"),
        (parse_card, "T22", "did you mean 'T2'"),
        (parse_card, "garde", "unknown card"),
        (parse_card, "S0", "unknown card"),
        (parse_action, "gardes", "did you mean 'garde'"),
        (parse_action, "", "allowed: S1, S2, S3, S4, S5 .. throw_in"),
        (parse_bid, "x", "allowed: petite, pousse, garde, garde_sans, garde_contre"),
        (parse_bid, "none", "unknown bid"),
    ],
)
def test_unknown_text(parse: object, text: str, hint: str) -> None:
    with pytest.raises(UnknownName) as refused:
        parse(text)  # type: ignore[operator]
    assert hint in str(refused.value)
    assert isinstance(refused.value, TarotError)
