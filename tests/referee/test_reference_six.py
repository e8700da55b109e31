"""The referee with six players in partnerships (RULES.md 12.5).

Partners are 0 and 3, 1 and 4, 2 and 5; seat 5 deals, so seat 0 speaks first.
"""

from typing import Any

import pytest
from reference import Referee, next_dealer, score_deal
from reference.by_hand import SIX, at_phase, outcome, play_out, say, suit, trumps, written
from reference.deals import NamedDeal

JDT = {"preset": "jeu-de-tarot"}
BIDS = ["petite", "pousse", "garde", "garde_sans", "garde_contre"]


def auction(said: str) -> Referee:
    return say(Referee(**written(game=SIX), **JDT), said)


def speakers(referee: Referee) -> list[int]:
    return [seat for seat, _action in referee.log]


def test_bids() -> None:
    referee = auction("")
    assert (referee.phase, referee.seat) == ("AUCTION", 0)
    assert referee.legal() == ["pass", *BIDS]
    assert auction("pousse").legal() == ["pass", *BIDS[2:], "contra"]


def test_six_passes_end_it() -> None:
    referee = auction("pass pass pass pass pass")
    assert referee.phase == "AUCTION"
    referee.apply("pass")
    assert (referee.phase, referee.taker, referee.bid) == ("OVER", None, None)
    assert (referee.ended_on_dummy_bid, referee.scores_half) == (False, [0] * 6)
    assert next_dealer(referee) == 0


@pytest.mark.parametrize("said", ["garde", "pass pass garde", "petite contra pousse garde"])
def test_five_passes_end_it_after_a_bid(said: str) -> None:
    referee = auction(said + " pass pass pass pass")
    assert referee.phase == "AUCTION"
    referee.apply("pass")
    assert (referee.phase, referee.bid) == ("SPLIT", "garde")
    assert referee.seat == referee.taker == speakers(auction(said))[-1]
    assert referee.partner == (referee.taker + 3) % 6


def test_one_may_come_back_after_passing() -> None:
    referee = auction("pass garde pass pass pass pass")
    assert referee.seat == 0
    assert referee.legal() == ["pass", "garde_sans", "garde_contre", "contra"]
    referee.apply("garde_sans")
    assert (referee.taker, referee.bid, referee.seat) == (0, "garde_sans", 1)


def test_a_partnership_may_raise_its_own_bid() -> None:
    referee = auction("petite pass pass")
    assert referee.seat == 3
    assert referee.legal() == ["pass", *BIDS[1:]]
    assert say(referee, "garde").taker == 3
    referee = auction("garde contra pass pass pass pass")
    assert referee.seat == 0
    assert referee.legal() == ["pass", "garde_sans", "garde_contre", "recontra"]


def test_contra_is_for_another_partnership_and_once() -> None:
    assert "contra" not in auction("garde pass pass").legal()
    referee = auction("garde contra")
    assert referee.contra == 2
    assert referee.seat == 2
    assert referee.legal() == ["pass", "garde_sans", "garde_contre"]
    assert say(referee, "pass").legal() == ["pass", "garde_sans", "garde_contre", "recontra"]


def test_recontra_is_for_either_bidding_partner_and_once() -> None:
    by_partner = auction("garde contra pass recontra")
    assert (by_partner.contra, by_partner.taker, by_partner.seat) == (4, 0, 4)
    by_bidder = auction("garde pass contra pass pass pass recontra")
    assert (by_bidder.contra, by_bidder.taker, by_bidder.seat) == (4, 0, 1)
    for referee in (by_partner, by_bidder):
        assert referee.legal() == ["pass", "garde_sans", "garde_contre"]


def test_contra_and_recontra_reset_the_passes() -> None:
    referee = auction("garde pass pass pass pass contra pass pass pass pass")
    assert (referee.phase, referee.seat) == ("AUCTION", 4)
    referee.apply("pass")
    assert (referee.phase, referee.contra, referee.taker) == ("SPLIT", 2, 0)
    referee = auction("garde contra pass recontra pass pass pass pass")
    assert (referee.phase, referee.seat) == ("AUCTION", 2)
    referee.apply("pass")
    assert (referee.phase, referee.contra) == ("SPLIT", 4)


def test_a_higher_bid_cancels_a_contra() -> None:
    referee = auction("garde contra garde_sans")
    assert (referee.contra, referee.taker, referee.bid) == (1, 2, "garde_sans")
    assert referee.legal() == ["pass", "garde_contre", "contra"]
    referee = auction("garde contra pass recontra garde_sans")
    assert (referee.contra, referee.taker) == (1, 4)


def test_after_a_garde_contre_only_who_has_a_choice_is_asked() -> None:
    """The bidder's partner could only pass, and counts among the five."""
    referee = auction("garde_contre")
    for seat in (1, 2, 4, 5):
        assert (referee.phase, referee.seat, referee.legal()) == (
            "AUCTION",
            seat,
            ["pass", "contra"],
        )
        referee.apply("pass")
    assert (referee.phase, referee.seat, referee.contra) == ("SLAM", 0, 1)
    assert (3, "pass") not in referee.history


def test_contra_of_a_garde_contre() -> None:
    referee = auction("garde_contre pass contra")
    for seat in (3, 0):
        assert (referee.seat, referee.legal()) == (seat, ["pass", "recontra"])
        referee.apply("pass")
    assert (referee.phase, referee.seat, referee.contra) == ("SLAM", 0, 2)
    assert speakers(referee) == [0, 1, 2, 3, 0]


def test_recontra_of_a_garde_contre_ends_the_auction() -> None:
    referee = auction("garde_contre pass contra recontra")
    assert (referee.phase, referee.seat, referee.contra, referee.taker) == ("SLAM", 0, 4, 0)


@pytest.mark.parametrize("said", ["petite", "pass pousse", "petite contra"])
def test_a_dummy_bid_is_not_played(said: str) -> None:
    """Thrown in, and the same dealer deals again."""
    referee = auction(said + " pass pass pass pass pass")
    assert (referee.phase, referee.taker, referee.bid, referee.partner) == ("OVER", *[None] * 3)
    assert (referee.ended_on_dummy_bid, referee.contra) == (True, 1)
    assert referee.scores_half == [0] * 6
    assert next_dealer(referee) == 5
    with pytest.raises(ValueError, match="no such contract"):
        Referee(**written(game=SIX), **JDT, forced=(0, "pousse"))


# The chien and the ecart.

CHIEN = "S1 S2 S3 H1 H2 H3"


@pytest.mark.parametrize(
    ("choice", "taken", "left"),
    [("first_half", "S1 S2 S3", "H1 H2 H3"), ("second_half", "H1 H2 H3", "S1 S2 S3")],
)
def test_the_chien_is_split(choice: str, taken: str, left: str) -> None:
    """Taker 4, partner 1; each sets aside three of his fifteen, the winner of the auction first."""
    deal = written({4: "D1 D2 D3 ...", 1: "C1 C2 C3 ..."}, chien=CHIEN, game=SIX)
    referee = Referee(**deal, **JDT, forced=(4, "garde"))
    assert (referee.phase, referee.seat) == ("SPLIT", 4)
    assert referee.legal() == ["first_half", "second_half"]
    assert referee.chien_is_public
    referee.apply(choice)
    assert referee.hands[4][12:] == taken.split()
    assert referee.hands[1][12:] == left.split()
    say(referee, "D1 D2")
    assert (referee.phase, referee.seat) == ("DISCARD", 4)
    referee.apply("D3")
    assert (referee.phase, referee.seat) == ("DISCARD", 1)
    say(referee, "C1 C2 C3")
    assert (referee.phase, referee.seat) == ("SLAM", 4)
    assert [len(hand) for hand in referee.hands] == [12] * 6
    assert (referee.ecart_of(4), referee.ecart_of(1)) == (["D1", "D2", "D3"], ["C1", "C2", "C3"])
    assert referee.ecart_of(0) == []
    assert referee.history == [(4, choice), *[(4, None)] * 3, *[(1, None)] * 3]


def test_each_ecart_has_its_own_forced_trumps() -> None:
    """Three kings, nine trumps and one plain card of the chien: two trumps go, shown."""
    deal = written(
        {0: f"SK HK DK {trumps(21, 13)}", 3: "S4 S5 S6 ..."},
        chien="S1 T2 T3 H1 H2 H3",
        game=SIX,
    )
    options = {"poignee_counts_shown_discards": True, "poignee_thresholds": (6, 10, 11)}
    referee = Referee(**deal, **JDT, options=options, forced=(0, "garde"))
    say(referee, "first_half S1")
    assert referee.legal() == ["T2", "T3", *[f"T{number}" for number in range(13, 21)]]
    say(referee, "T2 T3 S4 S5 S6 pass")
    assert referee.shown_discards == ["T2", "T3"]
    assert (referee.phase, referee.seat) == ("POIGNEE", 0)
    assert referee.legal() == ["pass", "poignee", "double_poignee", "triple_poignee"]


def test_shown_discards_count_for_who_set_them_aside() -> None:
    """The partner's forced trump helps the partner, not the taker."""
    deal = written(
        {3: f"SK HK DK CK S1 S2 {trumps(9, 4)}", 0: f"{trumps(21, 17)} ..."},
        chien="H1 H2 H3 T10 T11 T12",
        game=SIX,
    )
    options = {"poignee_counts_shown_discards": True, "poignee_thresholds": (6, 9, 11)}
    referee = Referee(**deal, **JDT, options=options, forced=(0, "garde"))
    say(referee, "first_half H1 H2 H3 S1 S2 T4 pass")
    assert referee.ecart_of(3) == ["S1", "S2", "T4"]
    assert (referee.phase, referee.seat) == ("POIGNEE", 3)
    assert referee.legal() == ["pass", "poignee", "double_poignee"]


# T21 to T10 with seat 0; T9 to T1 with seats 1 and 2; the Excuse with the partner, seat 3.
SWEEP: NamedDeal = written(
    {0: trumps(21, 10), 1: f"{trumps(9, 5)} ...", 2: f"{trumps(4, 1)} ...", 3: "EX ..."},
    chien=suit("C", "8 9 10 J N Q"),
    game=SIX,
)
CHIEN_HALF = 1 + 1 + 1 + 3 + 5 + 7


@pytest.mark.parametrize(
    ("bid", "half", "each"),
    [
        pytest.param("garde_sans", 182, (25 + 55) * 4 + 200, id="sans: to the declarers"),
        pytest.param(
            "garde_contre", 182 - CHIEN_HALF, (25 + 46) * 6 + 200, id="contre: to the opponents"
        ),
    ],
)
def test_chien_unseen(bid: str, half: int, each: int) -> None:
    """The partner's Excuse in the taker's trick is not paid for."""
    referee = outcome(SWEEP, bid, **JDT)
    assert (referee.slam, referee.attack_half, referee.oudlers) == (1, half, 3)
    assert referee.scores_half == [4 * each, *[-2 * each] * 2, 4 * each, *[-2 * each] * 2]


def test_no_split_above_garde() -> None:
    for bid in ("garde_sans", "garde_contre"):
        referee = Referee(**SWEEP, **JDT, forced=(0, bid))
        assert (referee.phase, referee.chien_is_public) == ("SLAM", False)


@pytest.mark.parametrize(
    ("first_lead", "leader"), [("taker", 4), ("first_hand", 0)], ids=["taker", "first hand"]
)
def test_first_lead(first_lead: str, leader: int) -> None:
    options = {"first_lead": first_lead}
    referee = Referee(**written(game=SIX), **JDT, options=options, forced=(4, "garde_sans"))
    assert at_phase(referee, "PLAY").seat == leader


def test_tricks_of_six() -> None:
    referee = play_out(Referee(**SWEEP, **JDT, forced=(4, "garde_sans")))
    assert len(referee.tricks) == 12
    assert [seat for seat, _card in referee.tricks[0][1]] == [4, 5, 0, 1, 2, 3]


# Scores: partners 1 and 4 attack.


def scores(**facts: Any) -> list[float]:
    found = score_deal(players=6, preset="jeu-de-tarot", taker=4, bid="garde", oudlers=1, **facts)
    return [half / 2 for half in found]


def paid(each: float) -> list[float]:
    return [2 * each if seat in (1, 4) else -each for seat in range(6)]


@pytest.mark.parametrize(
    ("facts", "each"),
    [
        pytest.param({}, (25 + 5) * 2, id="65 made by five"),
        pytest.param({"contra": 2}, (25 + 5) * 4, id="contra"),
        pytest.param({"contra": 4}, (25 + 5) * 8, id="recontra"),
        pytest.param({"contra": 2, "options": {"contra_effect": "signal"}}, 60, id="signal only"),
        pytest.param(
            {"contra": 2, "petit_au_bout": -1, "poignees": ["poignee"]},
            (25 + 5) * 4 - 10 * 4 + 20,
            id="contra on the multiplier only",
        ),
        pytest.param({"contra": 4, "slam_announced": True}, 30 * 8 - 400, id="slam announced"),
    ],
)
def test_scores_by_partnership(facts: dict[str, Any], each: float) -> None:
    assert scores(attack_half=112, **facts) == paid(each)


def test_a_failed_contract() -> None:
    assert scores(attack_half=92) == paid(-(25 + 5) * 2)


def test_contra_in_a_whole_deal() -> None:
    """Said by seat 1 on seat 0's garde sans, which is swept."""
    plain = say(Referee(**SWEEP, **JDT), "garde_sans pass pass pass pass pass")
    doubled = say(Referee(**SWEEP, **JDT), "garde_sans contra pass pass pass pass pass")
    assert (plain.contra, doubled.contra) == (1, 2)
    assert play_out(plain).scores_half[0] == 4 * ((25 + 55) * 4 + 200)
    assert play_out(doubled).scores_half[0] == 4 * ((25 + 55) * 8 + 200)


def test_excuse_of_a_defender_in_another_defenders_trick() -> None:
    """Seats 1 and 2 are both of the defence, though no partners."""
    hands = {0: "S1 ...", 1: f"SK {trumps(21, 11)}", 2: "EX ..."}
    referee = outcome(written(hands, chien="C5 C6 C7 C8 C9 C10", game=SIX), "garde_sans", **JDT)
    assert referee.slam == -1
    assert (referee.attack_half, referee.defence_half, referee.oudlers) == (6, 176, 0)


def test_thresholds_of_six() -> None:
    """6, 8 and 11 trumps, asked before the first card from the leader on."""
    hands = {0: f"{trumps(21, 16)} ...", 2: f"{trumps(15, 8)} ...", 5: f"{trumps(7, 1)} EX ..."}
    referee = Referee(**written(hands, game=SIX), **JDT, forced=(2, "garde_sans"))
    asked = {}
    while referee.phase != "PLAY":
        if referee.phase == "POIGNEE":
            asked[referee.seat] = referee.legal()
        referee.apply("pass")
    assert list(asked.items()) == [
        (2, ["pass", "poignee", "double_poignee"]),
        (5, ["pass", "poignee", "double_poignee"]),
        (0, ["pass", "poignee"]),
    ]
    assert referee.log[1:] == [(2, "pass"), (5, "pass"), (0, "pass")]
