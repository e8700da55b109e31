"""The referee's redeals: weak hand, optional petit sec, next dealer (RULES.md 3.4 to 3.6, 13.3)."""

from typing import Any

import pytest
from reference import Referee, next_dealer
from reference.by_hand import outcome, say, trumps, written
from reference.cards import is_weak
from reference.deals import NamedDeal


@pytest.mark.parametrize(
    ("hand", "limit", "weak"),
    [
        ("S1 S2 EX", "no_trumps", True),
        ("S1 S2 T1", "no_trumps", False),
        ("SK SQ SN SJ T1 EX S1", 5, False),
        ("SK SQ SN SJ T1 EX S1", 6, True),
        ("S1 S2", "off", False),
    ],
)
def test_weak_hands(hand: str, limit: int | str, weak: bool) -> None:
    """Trumps and court cards count, the Excuse does not."""
    assert is_weak(hand.split(), limit) == weak


# Seats 1, 2 and 3 have no trump.
NO_TRUMPS = written({0: trumps(21, 4)})


def redeal(options: dict[str, Any], said: str = "", deal: NamedDeal = NO_TRUMPS) -> Referee:
    return say(Referee(**deal, options={"petit_sec": "off", **options}), said)


def test_weak_hands_are_asked_in_turn() -> None:
    options = {"weak_hand_redeal": "no_trumps"}
    referee = redeal(options)
    for seat in (1, 2, 3):
        assert (referee.phase, referee.seat, referee.legal()) == (
            "PETIT_SEC",
            seat,
            ["pass", "throw_in"],
        )
        referee.apply("pass")
    assert (referee.phase, referee.seat) == ("AUCTION", 0)
    assert (referee.history, len(referee.log)) == ([], 3)

    thrown_in = redeal(options, "pass throw_in")
    assert (thrown_in.phase, thrown_in.seat, thrown_in.thrown_in_by) == ("OVER", -1, 2)
    assert thrown_in.history == [(2, "throw_in")]
    assert (thrown_in.taker, thrown_in.scores_half) == (None, [0, 0, 0, 0])
    assert not thrown_in.petit_sec


def test_a_forced_contract_is_not_asked_about() -> None:
    options = {"weak_hand_redeal": "no_trumps", "petit_sec": "optional"}
    referee = Referee(**NO_TRUMPS, options=options, forced=(0, "garde_sans"))
    assert referee.phase == "SLAM"


# Seat 2 has the petit alone; seats 1 and 3 no trump.
LONE_PETIT = written({0: trumps(21, 4), 2: "T1 ..."}, chien="T2 T3 EX ...")
WITH_EXCUSE = written({0: trumps(21, 4), 2: "T1 EX ..."}, chien="T2 T3 ...")


@pytest.mark.parametrize(
    ("deal", "options", "asked"),
    [
        pytest.param(LONE_PETIT, {"petit_sec": "optional"}, [2], id="the holder alone"),
        pytest.param(
            LONE_PETIT,
            {"petit_sec": "optional", "weak_hand_redeal": "no_trumps"},
            [2, 1, 3],
            id="petit sec first",
        ),
        pytest.param(
            LONE_PETIT,
            {"petit_sec": "optional", "weak_hand_redeal": 18},
            [2, 1, 3],
            id="both reasons, one question",
        ),
        pytest.param(WITH_EXCUSE, {"petit_sec": "optional"}, [], id="with the Excuse"),
        pytest.param(
            WITH_EXCUSE,
            {"petit_sec": "optional", "petit_sec_excuse_protects": False},
            [2],
            id="Excuse no protection",
        ),
        pytest.param(LONE_PETIT, {"petit_sec": "imprenable"}, [], id="imprenable"),
        pytest.param(LONE_PETIT, {"petit_sec": "off"}, [], id="off"),
    ],
)
def test_redeal_questions(deal: NamedDeal, options: dict[str, Any], asked: list[int]) -> None:
    referee = Referee(**deal, options=options)
    seats = []
    while referee.phase == "PETIT_SEC":
        seats.append(referee.seat)
        referee.apply("pass")
    assert seats == asked
    assert (referee.phase, referee.history) == ("AUCTION", [])


def test_mandatory_petit_sec_comes_before_any_question() -> None:
    referee = Referee(**LONE_PETIT, options={"weak_hand_redeal": "no_trumps"})
    assert (referee.phase, referee.petit_sec, referee.log) == ("OVER", True, [])


@pytest.mark.parametrize("redeal_dealer", ["next", "same"])
def test_who_deals_after_a_deal_that_was_not_played(redeal_dealer: str) -> None:
    """Seat 3 dealt. A weak hand always passes the deal on."""
    options = {"redeal_dealer": redeal_dealer, "weak_hand_redeal": "no_trumps"}
    again = 3 if redeal_dealer == "same" else 0
    assert next_dealer(Referee(**LONE_PETIT, options=options)) == again
    passed_out = redeal(options, "pass pass pass pass pass pass pass")
    assert (passed_out.phase, next_dealer(passed_out)) == ("OVER", again)
    assert next_dealer(redeal(options, "throw_in")) == 0
    optional = {**options, "petit_sec": "optional"}
    assert next_dealer(redeal(optional, "throw_in", LONE_PETIT)) == again
    assert next_dealer(redeal(optional, "pass throw_in", LONE_PETIT)) == 0


def test_no_redeal_after_a_played_deal() -> None:
    assert next_dealer(outcome(NO_TRUMPS, "garde", {"redeal_dealer": "same"})) == 0
