"""Edge cases of the rules text, by their numbers there, on core and referee: the auction.

Every deal stands here in full and every expectation is worked out from the rules by hand, in
points. `pays` is what each defender pays. Seat 3 deals unless said otherwise, so seat 0 leads.
"""

from typing import Any

import numpy as np
import pytest
from support.edge_deals import ALL_TRUMPS, LONE_PETIT, NO_TRUMP, OPEN
from support.lockstep import Pair, cards, written

from tarot_env import IllegalAction
from tarot_env.cards.actions import parse_action


def test_53_petit_and_excuse_are_no_petit_sec() -> None:
    assert Pair(written(*LONE_PETIT)).phase == "AUCTION"
    pair = Pair(written(*LONE_PETIT), petit_sec_excuse_protects=False)
    assert pair.phase == "OVER"


def test_53_petit_alone_is_void_even_where_a_contract_is_given() -> None:
    deal = written("D1-K S1-4", "S5-K T2-9", "T1 H1-K C1-3", "C4-K EX T10-15", "T16-21")
    for forced in (None, (2, "garde")):
        pair = Pair(deal, forced)
        assert pair.phase == "OVER"
        assert pair.legal == []
        assert pair.tables.scores.tolist() == [[0, 0, 0, 0]]
        assert pair.referee.log == []
    assert Pair(deal, petit_sec="off").phase == "AUCTION"


def test_53_it_is_tested_on_dealt_hands_only() -> None:
    """Seat 0 picks up the petit as its only trump."""
    deal = written("D1-K S1-4", "S5-K T2-9", "H1-K EX C1-3", "C4-K T10-16", "T1 T17-21")
    assert Pair(deal, (0, "garde")).phase == "DISCARD"


def test_54_no_trump_is_no_redeal() -> None:
    assert Pair(NO_TRUMP).phase == "AUCTION"


def test_55_all_pass() -> None:
    pair = Pair(OPEN).say("pass pass pass")
    assert pair.phase == "AUCTION"
    pair.say("pass")
    assert (pair.phase, pair.seat) == ("OVER", -1)
    assert pair.tables.scores.tolist() == [[0, 0, 0, 0]]
    assert (pair.tables.taker[0], pair.tables.contract[0]) == (-1, 0)


@pytest.mark.parametrize("dealer", range(4))
def test_56_nobody_is_asked_after_a_garde_contre(dealer: int) -> None:
    pair = Pair((*OPEN[:2], dealer))
    assert pair.seat == (dealer + 1) % 4
    pair.say("garde_contre")
    assert (pair.phase, pair.seat) == ("SLAM", (dealer + 1) % 4)


def test_57_a_bid_must_be_higher() -> None:
    pair = Pair(OPEN)
    assert pair.legal == ["pass", "petite", "garde", "garde_sans", "garde_contre"]
    pair.say("garde")
    assert pair.legal == ["pass", "garde_sans", "garde_contre"]
    pair.say("garde_sans")
    assert pair.legal == ["pass", "garde_contre"]
    pair.say("pass pass")
    assert (pair.phase, pair.seat) == ("SLAM", 1)
    assert Pair(OPEN, with_petite=False).legal == ["pass", "garde", "garde_sans", "garde_contre"]


def test_58_who_was_overcalled_does_not_speak_again() -> None:
    pair = Pair(OPEN).say("petite garde pass pass")
    assert (pair.phase, pair.seat) == ("DISCARD", 1)
    assert pair.turn(1).bids.tolist() == [[3, 0, 0, 1]]


def test_59_oudlers_are_counted_at_the_end() -> None:
    """None dealt; the petit is caught, the Excuse lies in the chien: 41 to make.

    Lost: T3 T2 T21 D7, 12 half points.
    """
    deal = written("T3-20", "T1 T2 S1-K H1 H2", "T21 H4-K D1-6", "D7-K C1-10", "EX H3 CJ-K")
    pair = (
        Pair(deal, (0, "garde_sans")).say("pass").trick("T3 T2 T21 D7 H4 D8 T4 H1 T5 T1").finish()
    )
    assert pair.winners == [2, *[0] * 17]
    assert pair.outcome == (85, 2)
    assert pair.pays() == (25 + 44) * 4


CHIEN_TRUMPS = written(
    "T12-20 S1-9", "S10-K H1-N D1", "HQ HK D2-K CJ CN T7", "EX T21 T8-11 C1-10 CQ CK", "T1-6"
)


@pytest.mark.parametrize("bid", ["garde_sans", "garde_contre"])
def test_61_chien_trumps_do_not_count_unseen(bid: str) -> None:
    assert Pair(CHIEN_TRUMPS, (0, bid)).say("pass").phase == "PLAY"


def test_61_chien_trumps_count_in_hand() -> None:
    pair = Pair(CHIEN_TRUMPS, (0, "garde")).say("S1-6 pass")
    assert pair.legal == ["pass", "poignee", "double_poignee", "triple_poignee"]


def test_62_every_card_is_played_and_only_the_last_trick_is_seen() -> None:
    pair = Pair(ALL_TRUMPS, (0, "garde_sans")).say("pass").trick("T21 S1 H4 D8")
    seen = pair.turn(3)
    assert [parse_action(card) for card in cards("T21 S1 H4 D8")] == seen.last_trick[0].tolist()
    pair.trick("T20 S2 H5 D9")
    seen = pair.turn(3)
    assert [parse_action(card) for card in cards("T20 S2 H5 D9")] == seen.last_trick[0].tolist()
    pair.finish()
    assert pair.tables.columns.log_size[0] == 1 + 1 + 72


def test_63_revokes_and_cards_of_others_are_refused() -> None:
    pair = Pair(OPEN, (0, "garde_sans")).say("pass S1")
    for card in ("S2", "SJ", "EX"):
        with pytest.raises(IllegalAction, match="not a card in hand"):
            pair.tables.step(np.array([parse_action(card)]))
    with pytest.raises(IllegalAction, match=r"void in spades, must trump; allowed: T2 T3"):
        pair.tables.step(np.array([parse_action("D1")]))
    assert pair.legal == cards("T2-9")
    pair.say("T9")
    with pytest.raises(IllegalAction, match="void in spades, must trump"):
        pair.tables.step(np.array([parse_action("DK")]))
    pair.say("T10")
    with pytest.raises(IllegalAction, match="must follow spades"):
        pair.tables.step(np.array([parse_action("T14")]))
    assert pair.say("SK").winners == [2]
    pair.say("T11")
    assert pair.say("T14").legal == cards("S2-10 H1-7 EX")
    pair.say("EX")
    assert pair.legal == cards("T2-8")
    with pytest.raises(IllegalAction, match="must follow trumps"):
        pair.tables.step(np.array([parse_action("C1")]))


def test_63_too_low_a_trump_is_refused() -> None:
    deal = written(
        "EX S1-10 H1-7",
        "D1-5 C1-5 T2-9",
        "D6-K C6-10 T1 T11-13",
        "SJ-K H8-K CJ-K T14-16",
        "T10 T17-21",
    )
    pair = Pair(deal, (0, "garde_sans")).say("pass EX T9")
    with pytest.raises(IllegalAction, match="must go over trump 9; allowed: T11 T12 T13"):
        pair.tables.step(np.array([parse_action("T1")]))


TWO_QUESTIONS = written(
    "S1-K H1-4", "T1-10 H5-9 D1-3", "T11-20 D4-8 C1-3", "H10-K D9-K C4-10", "T21 EX CJ-K"
)


@pytest.mark.parametrize(
    ("options", "said", "order"),
    [
        ({}, "chelem", [2, 2, 3, 0, 1, 1]),
        ({}, "pass", [0, 1, 1, 2, 2, 3]),
        ({"slam_announcer_leads": False}, "chelem", [0, 1, 1, 2, 2, 3]),
        ({"first_lead": "taker"}, "pass", [2, 2, 3, 0, 1, 1]),
    ],
)
def test_64_the_slam_announcer_leads(options: dict[str, Any], said: str, order: list[int]) -> None:
    """And poignées are asked for as each first card comes: seats 1 and 2 have one."""
    pair = Pair(TWO_QUESTIONS, (2, "garde_sans"), **options).say(said)
    asked = []
    while not pair.winners:
        asked.append(pair.seat)
        pair.say("poignee" if pair.phase == "POIGNEE" else pair.legal[0])
    assert asked == order
    assert pair.turn(0).poignee_level.tolist() == [[0, 1, 1, 0]]
