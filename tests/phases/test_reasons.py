"""Why an action is refused: in the words of the game, for each question that is asked."""

import numpy as np
import pytest
from reference.by_hand import DECOUVERTE, FIVE, LOW, SIX, at_phase, say, suit, trumps
from reference.by_hand import written as written_in
from support.lockstep import Both, Pair, written

from tarot_env import Bid, IllegalAction, InvalidDeal, Rules, Tables
from tarot_env.cards.actions import parse_action

DEAL = written("S1-K H1-4", "T2-13 D1-6", "H5-K T14-20 C1", "D7-K C2-J", "T1 T21 EX CN-K")
LONG_TAKER = written(
    "T2-13 T15-16 SK HK DK CK",
    "S4-Q H2-9",
    "H10-Q D1-Q C1",
    "C2-Q T1 T14 T19-21 EX",
    "T17-18 S1-3 H1",
)


def refused(pair: Pair | Both, action: str) -> str:
    """The reason that stands between place and allowed answers."""
    with pytest.raises(IllegalAction) as error:
        pair.tables.step(np.array([parse_action(action)]))
    return str(error.value).partition("): ")[2].partition("; allowed: ")[0]


def test_auction() -> None:
    pair = Pair(DEAL)
    assert refused(pair, "S1") == "no bid; say pass, petite, garde, garde sans, garde contre"
    assert refused(pair, "poignee") == refused(pair, "S1")
    assert refused(pair, "pousse") == "pousse is no bid of this game"
    pair.say("garde_sans")
    assert refused(pair, "garde") == "a bid must be higher than garde sans"
    assert refused(pair, "chelem") == "no bid; say pass, garde contre"
    assert refused(Pair(DEAL, with_petite=False), "petite") == "petite is no bid of this game"
    assert refused(Pair(DEAL, with_petite=False), "EX").startswith("no bid; say pass, garde, ")


def test_ecart() -> None:
    pair = Pair(LONG_TAKER, (0, "garde"))
    assert refused(pair, "T19") == "not a card in hand"
    assert refused(pair, "DQ") == "not a card in hand"
    assert refused(pair, "SK") == "kings and oudlers never go into the écart"
    assert refused(pair, "T5") == "trumps go into the écart only when no plain card is left"
    assert refused(pair, "pass") == "no card; a card is set aside now"
    pair.say("S1-3 H1")
    assert refused(pair, "S1") == "not a card in hand"
    assert refused(pair, "HK") == "kings and oudlers never go into the écart"


def test_slam_and_play() -> None:
    pair = Pair(DEAL, (0, "garde_sans"))
    wanted = "the taker says whether it announces a slam: pass or slam (chelem)"
    assert refused(pair, "S1") == wanted
    assert refused(pair, "poignee") == wanted
    pair.say("pass")
    assert refused(pair, "pass") == "no card; a card is played now"


def test_poignee() -> None:
    pair = Pair(DEAL, (0, "garde_sans")).say("pass S1")
    assert refused(pair, "double_poignee") == "a double poignée needs 13 trumps, 12 can be shown"
    assert refused(pair, "triple_poignee") == "a triple poignée needs 15 trumps, 12 can be shown"
    wanted = "the seat says whether it shows a poignée, before its first card: pass or its name"
    assert refused(pair, "T2") == refused(pair, "chelem") == wanted


def test_the_excuse_and_shown_discards_count_as_what_can_be_shown() -> None:
    pair = Pair(LONG_TAKER, (0, "garde"), poignee_thresholds=(10, 13, 17))
    pair.say("S1-3 H1 T17 T18 pass")
    assert refused(pair, "triple_poignee") == "a triple poignée needs 17 trumps, 16 can be shown"


def test_withholding() -> None:
    deal = written("S1-K H1-4", "T2-12 EX D1-6", "H5-K T14-20 C1", "D7-K C2-J", "T1 T21 T13 CN-K")
    pair = Pair(deal, (0, "garde_sans")).say("pass S1 poignee")
    wanted = "the Excuse is never kept back: it is shown only where trumps are too few"
    assert refused(pair, "EX") == wanted
    assert refused(pair, "T13") == "not a trump in hand"
    assert refused(pair, "D1") == "only trumps are kept back from a poignée"
    assert refused(pair, "pass") == "no card; a trump is kept back from the poignée now"
    pair = Pair(DEAL, (0, "garde_sans")).say("pass S1 poignee T2")
    assert refused(pair, "T2") == "kept back already"


def test_withholding_what_lies_in_the_ecart() -> None:
    pair = Pair(LONG_TAKER, (0, "garde"), poignee_counts_shown_discards=False)
    pair.say("S1-3 H1 T17 T18 pass double_poignee")
    assert refused(pair, "T17") == "T17 lies in the écart, which these rules do not count"


def test_no_contract_can_be_forced_on_a_petit_sec() -> None:
    tables = Tables(Rules.preset(), 2, seed=7, first_deal=433)
    with pytest.raises(InvalidDeal) as error:
        tables.force(np.array([0, 1]), 0, Bid.GARDE)
    assert str(error.value) == (
        "no contract can be forced at table 1 (deal seed=7 id=434): petit sec: seat 3 holds the "
        "petit as only trump, without the Excuse; the deal is void"
    )
    assert tables.taker.tolist() == [-1, -1]
    for _pass in range(4):
        tables.step(np.array([78]), np.array([0]))
    with pytest.raises(InvalidDeal, match=r"before the first bid only; table 0 .* is past that"):
        tables.force(np.array([0]), 0, Bid.GARDE)


# --- what other games and rules ask


def test_redeals() -> None:
    table = Both(*DEAL, {"weak_hand_redeal": "no_trumps"})
    assert table.phase == "PETIT_SEC"
    wanted = "the seat says whether the deal is thrown in: throw in, or pass to play on"
    assert refused(table, "garde") == refused(table, "S1") == wanted
    say(table, "pass pass")
    assert refused(table, "throw_in").startswith("no bid; say pass, petite")


def test_contra() -> None:
    table = Both(**written_in(game=SIX), preset="jeu-de-tarot")
    assert refused(table, "contra") == refused(table, "recontra") == "there is no bid yet"
    say(table, "pousse pass pass")
    own = "only another partnership may contra a bid, and only once"
    assert refused(table, "contra") == own
    assert refused(table, "petite") == "a bid must be higher than pousse"
    say(table, "pass contra")
    assert refused(table, "contra") == own
    say(table, "pass")
    assert refused(table, "contra") == own
    say(table, "recontra")
    assert refused(table, "recontra") == (
        "only the bidding partnership may recontra, after a contra, and only once"
    )
    assert refused(Both(*DEAL), "contra") == (
        "no bid; say pass, petite, garde, garde sans, garde contre"
    )


def test_call() -> None:
    hand = "SK HK DK CK SQ HQ DQ S1 H1 D1 C1 T2 T3 T4 T5"
    queens = written_in({0: hand}, game=FIVE)
    table = Both(**queens, forced=(0, "garde"))
    assert refused(table, "pass") == "no card; the taker calls a king now"
    only = "only kings are called; queens, knights and jacks by a hand with all cards above"
    assert refused(table, "S1") == refused(table, "T21") == refused(table, "EX") == only
    above = "a card below a king is called only by a hand that holds all four of each rank above"
    assert refused(table, "CN") == refused(table, "HJ") == above
    table = Both(**queens, options={"call_own_king": False}, forced=(0, "garde"))
    assert table.legal() == ["CQ"]
    wanted = "these rules do not let the taker call a card of its own"
    assert refused(table, "SK") == refused(table, "SQ") == wanted


def test_a_called_queen_is_kept() -> None:
    hand = "SK HK DK CK SQ HQ DQ S1 H1 D1 C1 T2 T3 T4 T5"
    deal = written_in({0: hand}, chien="CQ C2 C3", game=FIVE)
    table = say(Both(**deal, forced=(0, "garde")), "CQ")
    assert refused(table, "CQ") == "the called card may not be set aside"
    say(table, "C1 C2 C3")
    assert table.phase == "SLAM"
    free = Both(**deal, options={"may_discard_called_card": True}, forced=(0, "garde"))
    say(free, "CQ CQ C2 C3")


def test_the_first_lead_in_five() -> None:
    table = say(
        Both(**written_in({0: f"{suit('S', LOW)} ..."}, game=FIVE), forced=(1, "garde")), "SK"
    )
    at_phase(table, "PLAY")
    assert refused(table, "S1") == "the first lead may not be in spades, the called suit"


def test_split() -> None:
    table = Both(**written_in(game=SIX), preset="jeu-de-tarot", forced=(0, "garde"))
    wanted = "the taker chooses a half of the chien: first half or second half"
    assert refused(table, "pass") == refused(table, "C5") == wanted


def test_six_set_aside_in_turn() -> None:
    deal = written_in({0: f"{suit('S', LOW)} ...", 3: f"{suit('H', LOW)} ..."}, game=SIX)
    table = say(Both(**deal, preset="jeu-de-tarot", forced=(0, "garde")), "first_half")
    assert refused(table, "H1") == "not a card in hand"
    say(table, "S1 S2 S3")
    assert refused(table, "S4") == "not a card in hand"
    say(table, "H1 H2")
    assert refused(table, "H2") == "not a card in hand"


def test_what_lies_face_up_is_not_set_aside() -> None:
    deal = written_in({0: "S1 S2 ..."}, rest="H1 H2 ...", game=DECOUVERTE)
    table = Both(**deal, preset="jeu-de-tarot", game="decouverte", forced=(0, "garde"))
    assert refused(table, "H1") == "a card that lies face up is never set aside"
    assert refused(table, "H2") == "not a card in hand"


def test_petit_chelem_and_misere() -> None:
    table = Both(*DEAL, {"petit_chelem": True, "misere": True}, (0, "garde_sans"))
    wanted = "the taker says whether it announces a slam: pass, petit chelem or slam (chelem)"
    assert refused(table, "petite") == wanted
    at_phase(table, "MISERE")
    wanted = "the seat says whether it declares a misère: pass or misère"
    assert refused(table, "poignee") == refused(table, "S1") == wanted


def test_withholding_a_free_excuse() -> None:
    deal = written("S1-K H1-4", "T2-12 EX D1-6", "H5-K T14-20 C1", "D7-K C2-J", "T1 T21 T13 CN-K")
    table = Both(*deal, {"poignee_excuse": "free"}, (0, "garde_sans"))
    say(table, "pass S1 poignee EX")
    assert refused(table, "EX") == "kept back already"
    assert refused(table, "S1") == "only trumps are kept back from a poignée"
    assert refused(table, "T21") == "not a trump in hand"


def test_going_over_a_partner() -> None:
    """Six: a partner's trump is beaten like any other."""
    deal = written_in({0: "T15 ...", 3: "T16 T2 ..."}, game=SIX)
    table = Both(**deal, preset="jeu-de-tarot", forced=(0, "garde_sans"))
    at_phase(table, "PLAY")
    say(table, "T15")
    while table.seat != 3:
        say(table, table.legal()[0])
    assert refused(table, "T2") == f"must go over trump {table.tables.columns.best_trump[0]}"
    assert trumps(16, 16) in table.legal()
