"""The referee with five players: the call, the partner, the first lead (RULES.md 5, 15.5)."""

from typing import Any

import pytest
from reference import Referee, score_deal
from reference.by_hand import (
    FIVE,
    LOW,
    at_phase,
    contracted,
    last_trick,
    outcome,
    play_out,
    say,
    suit,
    trumps,
    winners,
    written,
)
from reference.cards import callable_cards, legal_first_leads

KINGS, QUEENS, KNIGHTS, JACKS = ([f"{letter}{rank}" for letter in "SHDC"] for rank in "KQNJ")


@pytest.mark.parametrize(
    ("hand", "own", "called"),
    [
        pytest.param([], True, KINGS, id="any king"),
        pytest.param(KINGS[:3], True, KINGS, id="52 three kings, no queen"),
        pytest.param(KINGS, True, KINGS + QUEENS, id="52 four kings"),
        pytest.param(KINGS + QUEENS[:3], True, KINGS + QUEENS, id="three queens, no knight"),
        pytest.param(KINGS + QUEENS, True, KINGS + QUEENS + KNIGHTS, id="kings and queens"),
        pytest.param(
            KINGS + QUEENS + KNIGHTS, True, KINGS + QUEENS + KNIGHTS + JACKS, id="all three ranks"
        ),
        pytest.param(KINGS[:1], False, KINGS[1:], id="a king not held"),
        pytest.param(KINGS + QUEENS[:2], False, QUEENS[2:], id="a queen not held"),
        pytest.param(KINGS + QUEENS + KNIGHTS[1:], False, KNIGHTS[:1], id="a knight not held"),
        pytest.param(
            KINGS + QUEENS + KNIGHTS + JACKS[:3], False, JACKS[3:], id="the jack not held"
        ),
    ],
)
def test_what_may_be_called(hand: list[str], own: bool, called: list[str]) -> None:
    assert callable_cards(hand, own=own) == called


def test_only_the_dealt_hand_counts_for_a_call() -> None:
    """The fourth king lies in the chien, which has not been seen yet."""
    deal = written({0: "SK HK DK ..."}, chien="CK ...", game=FIVE)
    referee = contracted(deal, "garde")
    assert referee.legal() == KINGS
    assert not referee.chien_is_public
    assert contracted(deal, "garde", {"call_own_king": False}).legal() == ["CK"]


@pytest.mark.parametrize("bid", ["petite", "garde", "garde_sans", "garde_contre"])
def test_the_call_comes_first_on_every_contract(bid: str) -> None:
    referee = say(Referee(**written({2: "SK ..."}, game=FIVE)), f"pass {bid}")
    at_phase(referee, "CALL")
    assert (referee.seat, referee.taker, referee.hands) == (1, 1, referee.dealt)
    referee.apply("SK")
    assert (referee.called, referee.partner, referee.alone) == ("SK", 2, False)
    assert referee.history[-1] == (1, "SK")
    takes_chien = bid in ("petite", "garde")
    assert referee.phase == ("DISCARD" if takes_chien else "SLAM")
    assert len(referee.hands[1]) == (18 if takes_chien else 15)
    assert not referee.partner_is_public


@pytest.mark.parametrize(
    ("window", "phases"),
    [
        ("after_ecart", ["CALL", "DISCARD", "DISCARD", "DISCARD", "SLAM", "PLAY"]),
        ("with_bid", ["SLAM", "CALL", "DISCARD", "DISCARD", "DISCARD", "PLAY"]),
    ],
)
def test_when_the_slam_is_asked_about(window: str, phases: list[str]) -> None:
    referee = contracted(written(game=FIVE), "garde", {"slam_window": window})
    seen = [referee.phase]
    while referee.phase != "PLAY":
        legal = referee.legal()
        referee.apply("chelem" if "chelem" in legal else legal[0])
        seen.append(referee.phase)
    assert seen == phases
    assert referee.slam_announced


# The first lead.


@pytest.mark.parametrize(
    ("hand", "legal"),
    [
        pytest.param("S1 SK H2 T3", "SK H2 T3", id="51 the called king itself"),
        pytest.param("S1 SQ H2", "H2", id="no other card of the suit"),
        pytest.param("S2 S3", "S2 S3", id="nothing else to lead"),
        pytest.param("S2 EX", "EX", id="the Excuse may be led"),
    ],
)
def test_first_leads(hand: str, legal: str) -> None:
    assert legal_first_leads(hand.split(), "SK") == legal.split()


BAN = written({0: "S1 S2 H1 H2 EX T2 ...", 1: "S3 S4 SK T21 ..."}, game=FIVE)


def test_the_called_suit_may_not_be_led_to_the_first_trick() -> None:
    """Case 51: for the taker too; the ban is for the very first card only."""
    referee = at_phase(say(contracted(BAN, "garde_sans"), "SK"), "PLAY")
    assert referee.seat == 0
    assert "S1" not in referee.legal()
    assert {"H1", "EX", "T2"} < set(referee.legal())
    after_excuse = say(referee.copy(), "EX")
    assert {"S3", "S4", "SK"} < set(after_excuse.legal())
    say(referee, "T2 T21")
    while not referee.tricks:
        referee.apply(referee.legal()[-1])
    assert referee.seat == 1
    assert {"S3", "S4", "SK"} < set(referee.legal())


def test_ban_switched_off() -> None:
    options = {"first_lead_bans_called_suit": False}
    referee = at_phase(say(contracted(BAN, "garde_sans", options), "SK"), "PLAY")
    assert "S1" in referee.legal()


def test_slam_announcer_is_under_the_ban_too() -> None:
    referee = say(contracted({**BAN, "dealer": 2}, "garde_sans"), "SK chelem")
    at_phase(referee, "PLAY")
    assert referee.seat == 0
    assert "S1" not in referee.legal()


# The ecart.

# Four kings, the queen that is called, and one plain card.
FEW_PLAIN = written({0: f"SK HK DK CK DQ {trumps(20, 11)}"}, chien="C1 T9 T10", game=FIVE)
QUEEN_IN_CHIEN = written({0: f"SK HK DK CK S1 {trumps(20, 11)}"}, chien="DQ T9 T10", game=FIVE)


@pytest.mark.parametrize(
    ("deal", "plain"),
    [
        pytest.param(FEW_PLAIN, "C1", id="from the hand"),
        pytest.param(QUEEN_IN_CHIEN, "S1", id="from the chien"),
    ],
)
def test_a_called_queen_is_kept(deal: dict[str, Any], plain: str) -> None:
    """RULES.md 5.2: wherever it came from, and it is no plain card when these are counted."""
    referee = say(contracted(deal, "garde"), "DQ")
    assert referee.legal() == [plain]
    referee.apply(plain)
    assert referee.legal() == [f"T{number}" for number in range(9, 21)]
    say(referee, "T9 T10")
    assert "DQ" in referee.hands[0]
    assert referee.history[-3:] == [(0, None), (0, "T9"), (0, "T10")]

    may = {"may_discard_called_card": True}
    referee = say(contracted(deal, "garde", may), "DQ")
    assert set(referee.legal()) == {plain, "DQ"}


# Who plays with whom.


def test_called_king_in_the_chien() -> None:
    """Case 48: the taker is alone, everybody sees it, and he cannot set the king aside."""
    deal = written({0: "S1 S2 S3 ..."}, chien="SK ...", game=FIVE)
    referee = say(contracted(deal, "garde"), "SK")
    assert (referee.partner, referee.alone, referee.partner_is_public) == (None, True, True)
    assert referee.phase == "DISCARD"
    assert "SK" in referee.hands[0]
    assert "SK" not in referee.legal()
    play_out(referee)
    total = -referee.scores_half[1]
    assert referee.scores_half == [4 * total, -total, -total, -total, -total]


def test_called_king_in_the_chien_of_a_garde_contre() -> None:
    """Case 49: alone, unknown until the end; the king's points go to the defence.

    The taker wins every trick, the petit at last; a defender keeps the Excuse and loses it.
    """
    deal = written({0: f"{trumps(21, 8)} T1"}, chien="SK S1 S2", game=FIVE)
    referee = at_phase(say(contracted(deal, "garde_contre"), "SK"), "PLAY")
    assert (referee.partner, referee.alone) == (None, True)
    while referee.phase != "OVER":
        assert not referee.partner_is_public
        legal = referee.legal()
        referee.apply(next(card for card in referee.hands[referee.seat] if card in legal))
    assert referee.partner_is_public
    assert "EX" in last_trick(referee)
    assert (referee.attack_half, referee.defence_half, referee.oudlers) == (182 - 11, 9 + 1 + 1, 3)
    total = 2 * ((25 + 50) * 6 + 60 + 200)
    assert referee.scores_half == [4 * total, -total, -total, -total, -total]


def test_own_king_called() -> None:
    """Case 50: one against four; the table learns it when the king is played."""
    referee = say(contracted(written({0: "SK H1 ..."}, game=FIVE), "garde_sans"), "SK")
    assert (referee.partner, referee.alone, referee.partner_is_public) == (None, True, False)
    at_phase(referee, "PLAY")
    assert not referee.partner_is_public
    referee.apply("SK")
    assert referee.partner_is_public


def test_partner_is_known_when_the_called_card_falls() -> None:
    deal = written({0: "S1 H1 ...", 1: "SK H2 ..."}, game=FIVE)
    referee = at_phase(say(contracted(deal, "garde_sans"), "SK"), "PLAY")
    referee.apply("H1")
    assert not referee.partner_is_public
    while referee.called in referee.hands[1]:
        referee.apply("SK" if "SK" in referee.legal() else referee.legal()[0])
    assert referee.partner_is_public


# Seat 1 has T21 to T8 and the SK and leads; seats 2 to 4 have T7 to T1.
# Chien C5 C6 C7: 3 half points.
STRONG_PARTNER = {1: f"{trumps(21, 8)} SK", 2: "HK ..."}


def strong_partner(taker: str) -> dict[str, Any]:
    return written({0: taker, **STRONG_PARTNER}, chien="C5 C6 C7", dealer=0, game=FIVE)


EXCUSE_FIRST = strong_partner(f"EX {suit('D', LOW)} {suit('C', '1 2 3 4')}")
EXCUSE_LAST = strong_partner(f"{suit('D', LOW)} {suit('C', '1 2 3 4')} EX")


def test_excuse_in_a_trick_of_the_partner() -> None:
    """Case 13: nothing is paid. With another partner, seat 1 is a defender and half a point is."""
    referee = play_out(say(contracted(EXCUSE_FIRST, "garde_sans"), "SK"))
    assert winners(referee) == [1] * 15
    assert (referee.attack_half, referee.oudlers, referee.slam) == (182, 3, 1)
    total = 2 * ((25 + 55) * 4 + 200)
    assert referee.scores_half == [2 * total, total, -total, -total, -total]

    referee = play_out(say(contracted(EXCUSE_FIRST, "garde_sans"), "HK"))
    assert referee.partner == 2
    assert (referee.attack_half, referee.oudlers, referee.slam) == (3 + 8, 1, -1)


@pytest.mark.parametrize(
    ("options", "winner", "half", "oudlers", "each"),
    [
        pytest.param({}, 0, 182, 3, (25 + 55) * 4 + 200, id="30 any position"),
        pytest.param(
            {"excuse_wins_slam_trick": "led_only"}, 1, 174, 2, (25 + 46) * 4 + 200, id="30 led only"
        ),
        pytest.param(
            {"excuse_wins_slam_trick": "never", "excuse_last_trick": "owner_keeps"},
            *(1, 182, 3, (25 + 55) * 4 + 200),
            id="30 never, owner keeps",
        ),
    ],
)
def test_excuse_under_the_partner_in_the_last_trick_of_a_slam(
    options: dict[str, Any], winner: int, half: int, oudlers: int, each: int
) -> None:
    """Case 30: the partner leads trick 15 after a sweep, and the taker plays the Excuse."""
    referee = play_out(say(contracted(EXCUSE_LAST, "garde_sans", options), "SK"))
    assert (referee.tricks[-1][0], last_trick(referee)[0]) == (1, "SK")
    assert (referee.tricks[-1][2], referee.slam) == (winner, 1)
    assert (referee.attack_half, referee.oudlers) == (half, oudlers)
    assert referee.scores_half == [4 * each, 2 * each, -2 * each, -2 * each, -2 * each]


def test_handful_of_the_partner() -> None:
    """It is for the side that wins the contract, in the shares of the rest."""
    referee = say(contracted(EXCUSE_FIRST, "garde_sans"), "SK")
    play_out(referee, levels=["triple_poignee"])
    assert list(referee.poignees) == [1]
    assert referee.poignees[1][0] == "triple_poignee"
    total = 2 * ((25 + 55) * 4 + 200 + 40)
    assert referee.scores_half == [2 * total, total, -total, -total, -total]


@pytest.mark.parametrize(
    ("partner", "share", "scores"),
    [
        (3, (2, 1), [-25, 50, -25, 25, -25]),
        (3, (1, 1), [-25, 37.5, -25, 37.5, -25]),
        (None, (2, 1), [-25, 100, -25, -25, -25]),
        (None, (1, 1), [-25, 100, -25, -25, -25]),
    ],
)
def test_shares(partner: int | None, share: tuple[int, int], scores: list[float]) -> None:
    """Case 65 and `partner_share`."""
    found = score_deal(
        **{"players": 5, "bid": "petite", "taker": 1, "partner": partner},
        oudlers=1,
        attack_half=102,
        options={"partner_share": share},
    )
    assert [half / 2 for half in found] == scores


def test_a_petit_sec_of_five() -> None:
    referee = Referee(**written({0: "T1 ..."}, chien="EX ...", game=FIVE))
    assert (referee.petit_sec, referee.phase, referee.scores_half) == (True, "OVER", [0] * 5)


def test_thresholds_of_five() -> None:
    """8, 10 and 13 trumps."""
    deal = written({0: f"{trumps(21, 14)} ...", 1: "SK ...", 4: f"{trumps(13, 4)} ..."}, game=FIVE)
    referee = at_phase(say(contracted(deal, "garde_sans"), "SK"), "POIGNEE")
    assert (referee.seat, referee.legal()) == (0, ["pass", "poignee"])
    referee.apply("pass")
    at_phase(referee, "PLAY")
    referee.apply("T21")
    at_phase(referee, "POIGNEE")
    assert (referee.seat, referee.legal()) == (4, ["pass", "poignee", "double_poignee"])


def test_taker_alone_wins_by_himself() -> None:
    """The taker's own sweep on a garde: four pay him."""
    hand = f"{trumps(21, 8)} SK"
    referee = outcome(written({0: hand}, chien="T1 EX S1", game=FIVE), "garde")
    assert referee.called == "SK"
    assert (referee.alone, referee.slam) == (True, 1)
