"""The referee's auction, petit sec, and who leads (RULES.md 3.4, 4, 8.1, 15.6)."""

from typing import Any

import pytest
from reference import Referee
from reference.by_hand import at_phase, play_out, trumps, written
from reference.deals import NamedDeal


def bids(deal: NamedDeal, *calls: str, options: dict[str, Any] | None = None) -> Referee:
    referee = Referee(**deal, options=options)
    for call in calls:
        referee.apply(call)
    return referee


def test_all_pass_ends_the_deal() -> None:
    """Case 55."""
    referee = bids(written(), "pass", "pass", "pass", "pass")
    assert (referee.phase, referee.seat, referee.taker, referee.bid) == ("OVER", -1, None, None)
    assert referee.scores_half == [0, 0, 0, 0]
    assert referee.legal() == []
    with pytest.raises(ValueError, match="illegal"):
        referee.apply("pass")


@pytest.mark.parametrize("dealer", range(4))
def test_first_hand_speaks_first_then_to_the_right(dealer: int) -> None:
    referee = Referee(**written(dealer=dealer))
    seats = []
    while referee.phase == "AUCTION":
        seats.append(referee.seat)
        referee.apply("pass")
    assert seats == [(dealer + place) % 4 for place in (1, 2, 3, 4)]


def test_garde_contre_ends_the_auction() -> None:
    """Case 56: the others could only pass, so they are not asked."""
    referee = bids(written(), "garde_contre")
    assert (referee.phase, referee.seat, referee.taker) == ("SLAM", 0, 0)


def test_bids_must_be_higher_and_each_speaks_once() -> None:
    """Cases 57 and 58."""
    referee = bids(written(), "petite")
    assert referee.legal() == ["pass", "garde", "garde_sans", "garde_contre"]
    referee.apply("garde")
    assert referee.legal() == ["pass", "garde_sans", "garde_contre"]
    with pytest.raises(ValueError, match="illegal 'garde'"):
        referee.apply("garde")
    assert referee.log == [(0, "petite"), (1, "garde")]
    referee.apply("pass")
    referee.apply("pass")
    assert (referee.phase, referee.seat, referee.taker, referee.bid) == ("DISCARD", 1, 1, "garde")


def test_without_petite() -> None:
    referee = Referee(**written(), options={"with_petite": False})
    assert referee.legal() == ["pass", "garde", "garde_sans", "garde_contre"]


PETIT_ALONE = written({2: "... T1", 0: "T21 T20 T19 T18 T17 ..."}, chien="T16 T15 T14 T13 EX ...")
PETIT_AND_EXCUSE = written({2: "... T1 EX", 0: "T21 T20 T19 T18 T17 ..."})


@pytest.mark.parametrize(
    ("deal", "options", "void"),
    [
        pytest.param(PETIT_ALONE, {}, True, id="53 alone"),
        pytest.param(
            PETIT_ALONE, {"petit_sec_excuse_protects": False}, True, id="53 alone, strict"
        ),
        pytest.param(PETIT_ALONE, {"petit_sec": "off"}, False, id="53 off"),
        pytest.param(PETIT_AND_EXCUSE, {}, False, id="53 with the Excuse"),
        pytest.param(PETIT_AND_EXCUSE, {"petit_sec_excuse_protects": False}, True, id="53 strict"),
        pytest.param(written({0: trumps(21, 4)}), {}, False, id="54 no trump at all"),
    ],
)
def test_petit_sec(deal: NamedDeal, options: dict[str, Any], void: bool) -> None:
    referee = Referee(**deal, options=options)
    assert referee.petit_sec == void
    assert (referee.phase, referee.seat) == (("OVER", -1) if void else ("AUCTION", 0))
    assert referee.scores_half == [0, 0, 0, 0]
    assert referee.log == []
    assert Referee(**deal, options=options, forced=(1, "garde")).petit_sec == void


@pytest.mark.parametrize("bid", ["petite", "garde", "garde_sans", "garde_contre"])
@pytest.mark.parametrize(
    ("options", "announced", "leader"),
    [
        ({}, False, 1),
        ({}, True, 3),
        ({"slam_announcer_leads": False}, True, 1),
        ({"first_lead": "taker"}, False, 3),
        ({"first_lead": "taker", "slam_announcer_leads": False}, True, 3),
    ],
)
def test_who_leads(bid: str, options: dict[str, Any], announced: bool, leader: int) -> None:
    """Case 64, and `first_lead`; the taker is asked about a slam on every contract."""
    referee = at_phase(Referee(**written(dealer=0), options=options, forced=(3, bid)), "SLAM")
    assert referee.seat == 3
    assert referee.legal() == ["pass", "chelem"]
    referee.apply("chelem" if announced else "pass")
    at_phase(referee, "PLAY")
    assert referee.seat == leader
    assert referee.slam_announced == announced
    play_out(referee)
    assert [seat for seat, _card in referee.tricks[0][1]] == [
        (leader + place) % 4 for place in range(4)
    ]


# The auction until all others have passed.

UNTIL_PASSED = {"auction": "until_passed"}


@pytest.mark.parametrize(
    ("said", "seats", "taker", "bid"),
    [
        pytest.param("petite pass pass pass", "0 1 2 3", 0, "petite", id="not asked over himself"),
        pytest.param("petite garde pass pass pass", "0 1 2 3 0", 1, "garde", id="asked again"),
        pytest.param(
            "petite garde pass pass garde_sans pass", "0 1 2 3 0 1", 0, "garde_sans", id="and again"
        ),
        pytest.param(
            "pass petite pass garde pass", "0 1 2 3 1", 3, "garde", id="who passed is silent"
        ),
        pytest.param(
            "petite garde pass pass garde_contre", "0 1 2 3 0", 0, "garde_contre", id="garde contre"
        ),
        pytest.param("pass pass pass garde", "0 1 2 3", 3, "garde", id="last hand"),
    ],
)
def test_until_passed(said: str, seats: str, taker: int, bid: str) -> None:
    referee = Referee(**written(), options=UNTIL_PASSED)
    for action in said.split():
        assert referee.phase == "AUCTION"
        referee.apply(action)
    assert [str(seat) for seat, _action in referee.log] == seats.split()
    assert (referee.taker, referee.bid) == (taker, bid)
    assert referee.phase == ("SLAM" if bid in ("garde_sans", "garde_contre") else "DISCARD")


def test_until_passed_only_higher_bids() -> None:
    referee = bids(written(), "petite", "garde", "pass", "pass", options=UNTIL_PASSED)
    assert (referee.seat, referee.legal()) == (0, ["pass", "garde_sans", "garde_contre"])


def test_until_passed_all_pass() -> None:
    referee = bids(written(), *["pass"] * 4, options=UNTIL_PASSED)
    assert (referee.phase, referee.taker) == ("OVER", None)


# When the slam is asked about.


@pytest.mark.parametrize("bid", ["petite", "garde", "garde_sans", "garde_contre"])
@pytest.mark.parametrize("window", ["after_ecart", "with_bid"])
def test_slam_window(bid: str, window: str) -> None:
    referee = Referee(**written(), options={"slam_window": window}, forced=(0, bid))
    phases = [referee.phase]
    while referee.phase != "PLAY":
        legal = referee.legal()
        referee.apply("pass" if "pass" in legal else legal[0])
        phases.append(referee.phase)
    ecart = ["DISCARD"] * 6 if bid in ("petite", "garde") else []
    asked = [*ecart, "SLAM"] if window == "after_ecart" else ["SLAM", *ecart]
    assert phases == [*asked, "PLAY"]


def test_slam_said_with_the_bid_is_heard_before_the_chien_is_seen() -> None:
    referee = Referee(**written(), options={"slam_window": "with_bid"}, forced=(1, "garde"))
    assert not referee.chien_is_public
    referee.apply("chelem")
    assert referee.chien_is_public
    assert at_phase(referee, "PLAY").seat == 1
