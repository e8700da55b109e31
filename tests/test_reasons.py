"""Why an action is refused: in the words of the game, for each question that is asked."""

import numpy as np
import pytest
from lockstep import Pair, written

from tarot_env import Bid, IllegalAction, InvalidDeal, Rules, Tables
from tarot_env.actions import parse_action

DEAL = written("S1-K H1-4", "T2-13 D1-6", "H5-K T14-20 C1", "D7-K C2-J", "T1 T21 EX CN-K")
LONG_TAKER = written(
    "T2-13 T15-16 SK HK DK CK",
    "S4-Q H2-9",
    "H10-Q D1-Q C1",
    "C2-Q T1 T14 T19-21 EX",
    "T17-18 S1-3 H1",
)


def refused(pair: Pair, action: str) -> str:
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
