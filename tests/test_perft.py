"""Numbers of action sequences from fixed positions, by the core and by the referee."""

import copy
from collections.abc import Collection
from math import factorial

import numpy as np
import pytest
from lockstep import Pair, cards, written
from reference import Referee

from tarot_env import Deal, Phase, Rules, Tables
from tarot_env.cards import CARD_TEXTS


def perft(tables: Tables, stop: Collection[Phase] = ()) -> int:
    """Ways on until the deal is over or in one of the phases, all of them in one batch."""
    found = 0
    while tables.num_tables:
        done = tables.is_over | np.isin(tables.phase, list(stop))
        found += int(done.sum())
        rows, actions = np.nonzero(tables.legal_actions() & ~done[:, None])
        following = tables.copy()
        following.state = tables.state.take(rows)
        following.step(actions)
        tables = following
    return found


def branch(referee: Referee) -> Referee:
    other = copy.copy(referee)
    for name in ("ecart", "shown_discards", "table", "tricks", "log", "history", "_withheld"):
        setattr(other, name, list(getattr(referee, name)))
    other.hands = [list(hand) for hand in referee.hands]
    other.poignees = dict(referee.poignees)
    return other


def referee_perft(referee: Referee, stop: Collection[Phase] = ()) -> int:
    """The same, one way at a time."""
    if referee.phase == "OVER" or Phase[referee.phase] in stop:
        return 1
    found = 0
    for action in referee.legal():
        other = branch(referee)
        other.apply(action)
        found += referee_perft(other, stop)
    return found


def ending(deal_id: int, tricks: int) -> Pair:
    """The last tricks of a named deal, played so far by lowest cards; Excuse and petit are left."""
    deal = Deal.from_seed(7, deal_id, Rules.preset("fft", players=4))
    hands = [[CARD_TEXTS[card] for card in hand] for hand in deal.hands]
    chien = [CARD_TEXTS[card] for card in deal.chien]
    pair = Pair((hands, chien, deal.dealer), (0, "garde_sans"), petit_sec="off").say("pass")
    return pair.until(18 - tricks, keep="EX T1")


@pytest.mark.parametrize(
    ("deal_id", "number"),
    [(2, 184), (4, 648), (5, 312), (8, 396), (9, 144), (10, 172), (14, 248), (15, 148)],
)
def test_last_three_tricks(deal_id: int, number: int) -> None:
    pair = ending(deal_id, 3)
    assert perft(pair.tables) == number
    assert referee_perft(pair.referee) == number


def test_last_four_tricks() -> None:
    assert referee_perft(ending(15, 4).referee) == 2600
    for deal_id, number in ((3, 6660), (9, 10_008), (14, 4128), (15, 2600)):
        assert perft(ending(deal_id, 4).tables) == number


OPEN = written(
    "EX S1-10 H1-7", "D1-5 C1-5 T2-9", "D6-K C6-10 T10-13", "SJ-K H8-K CJ-K T14-16", "T1 T17-21"
)


@pytest.mark.parametrize(("with_petite", "number"), [(True, 70), (False, 35)])
def test_auctions(with_petite: bool, number: int) -> None:
    """Ways to pass or go higher, four seats once each: C(8, 4) and C(7, 3)."""
    pair = Pair(OPEN, with_petite=with_petite)
    stop = (Phase.DISCARD, Phase.SLAM)
    assert perft(pair.tables, stop) == number
    assert referee_perft(pair.referee, stop) == number


FOUR_KINGS = written(
    "SK HK DK CK T1 T9-21", "S3-Q H2-8", "H9-Q D2-Q C2", "EX T2-7 C3-Q", "T8 S1 H1 D1 C1 S2"
)


def test_ecart_with_a_forced_trump() -> None:
    """Five plain cards in any order, then one of thirteen trumps that are no oudlers."""
    pair = Pair(FOUR_KINGS, (0, "garde"))
    number = factorial(5) * 13
    assert perft(pair.tables, [Phase.SLAM]) == number
    assert referee_perft(pair.referee, [Phase.SLAM]) == number


def test_ecart_of_plain_cards() -> None:
    """Six of seven plain cards in any order."""
    deal = written("SK HK DK CK T1 T10-21 S1", "S8-Q H1-N", "HQ D1-Q T2-5", "EX T6-9 C1-Q", "S2-7")
    pair = Pair(deal, (0, "petite"))
    assert perft(pair.tables, [Phase.SLAM]) == factorial(7)
    assert referee_perft(pair.referee, [Phase.SLAM]) == factorial(7)


@pytest.mark.parametrize(
    ("trumps", "excuse", "number"),
    [
        # pass; single with two of twelve withheld in any order
        (12, False, 1 + 12 * 11),
        # pass; single as above; double with the Excuse
        (12, True, 1 + 12 * 11 + 1),
        # pass; single with three, double with none of thirteen withheld
        (13, False, 1 + 13 * 12 * 11 + 1),
        # pass; single with none; the Excuse changes nothing
        (10, True, 1 + 1),
        # pass; single with the Excuse
        (9, True, 1 + 1),
    ],
)
def test_poignees(trumps: int, excuse: bool, number: int) -> None:
    hand = cards(f"T{22 - trumps}-21 S1-{18 - trumps - excuse}") + ["EX"] * excuse
    others = [card for card in cards("EX T1-21 S1-K H1-K D1-K C1-K") if card not in hand]
    piles = [others[n::3] for n in range(3)]
    chien = [pile.pop() for pile in piles for _card in range(2)]
    pair = Pair(([hand, *piles], chien, 3), (0, "garde_sans"), petit_sec="off").say("pass")
    assert pair.phase == "POIGNEE"
    assert perft(pair.tables, [Phase.PLAY]) == number
    assert referee_perft(pair.referee, [Phase.PLAY]) == number
