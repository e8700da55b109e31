"""Numbers of action sequences from fixed positions, by the core and by the referee."""

import copy
from collections.abc import Collection
from math import comb, factorial
from typing import Any

import numpy as np
import pytest
from reference import Referee
from reference.by_hand import DECOUVERTE, FIVE, SIX, say
from reference.by_hand import written as written_in
from reference.games import find_game
from support.lockstep import Both, Pair, cards, rules_of, written

from tarot_env import Deal, Phase, Tables
from tarot_env.cards import CARD_TEXTS
from tarot_env.cards.actions import parse_action


def perft(tables: Tables, stop: Collection[Phase] = ()) -> int:
    """Ways on until the deal is over or in one of the phases, all of them in one batch."""
    found = 0
    while tables.num_tables:
        done = tables.is_over | np.isin(tables.phase, list(stop))
        found += int(done.sum())
        rows, actions = np.nonzero(tables.legal_actions() & ~done[:, None])
        tables = tables.take(rows)
        tables.step(actions)
    return found


def branch(referee: Referee) -> Referee:
    """Another referee at the same point, for one more answer."""
    other = copy.copy(referee)
    for name, value in vars(referee).items():
        if isinstance(value, list):
            setattr(other, name, [list(v) if isinstance(v, list) else v for v in value])
        elif isinstance(value, dict):
            setattr(other, name, dict(value))
    return other


def referee_perft(referee: Referee, stop: Collection[Phase] = ()) -> int:
    """The same, one way at a time."""
    if referee.phase == "OVER" or Phase[referee.phase] in stop:
        return 1
    found = 0
    for action in referee.legal():
        other = branch(referee)
        Referee.apply(other, action)  # without the core that may play along
        found += referee_perft(other, stop)
    return found


def named(deal_id: int, preset: str, game: str, **options: Any) -> Both:
    """A garde sans of the first hand, on a deal of seed 7."""
    rules = rules_of(preset, game, options)
    deal = Deal.from_seed(7, deal_id, rules)

    def texts(ids: Any) -> list[str]:
        return [CARD_TEXTS[card] for card in ids]

    return Both(
        [texts(hand) for hand in deal.hands],
        texts(deal.chien),
        deal.dealer,
        options,
        ((deal.dealer + 1) % rules.players, "garde_sans"),
        preset=preset,
        game=rules.game,
        stock=texts(deal.stock),
        piles=[[texts(pile) for pile in seat] for seat in deal.piles],
    )


def ending(deal_id: int, tricks: int, preset: str = "fft", game: str = "4") -> Both:
    """The last tricks of a deal, played so far by lowest cards; Excuse and petit are left."""
    plays_on = {} if game in ("decouverte", "tirette", "dummy") else {"petit_sec": "off"}
    both = named(deal_id, preset, game, **plays_on)
    while len(both.tricks) < both.game.tricks - tricks:
        legal = both.legal()
        kept_last = min(legal, key=lambda card: (card in ("EX", "T1"), parse_action(card)))
        both.apply("pass" if "pass" in legal else kept_last)
    return both


@pytest.mark.parametrize(
    ("deal_id", "number"),
    [(2, 184), (4, 648), (5, 312), (8, 396), (9, 144), (10, 172), (14, 248), (15, 148)],
)
def test_last_three_tricks(deal_id: int, number: int) -> None:
    both = ending(deal_id, 3)
    assert perft(both.tables) == number
    assert referee_perft(both) == number


@pytest.mark.parametrize(
    ("preset", "game", "tricks", "deal_id", "number"),
    [
        ("fft", "3", 3, 2, 216),
        ("fft", "3", 3, 6, 48),
        ("fft", "5", 2, 5, 32),
        ("fft", "5", 3, 4, 504),
        ("fft", "mort", 3, 3, 88),
        ("jeu-de-tarot", "6", 2, 5, 64),
        ("jeu-de-tarot", "6", 2, 11, 32),
        ("jeu-de-tarot", "decouverte", 5, 3, 288),
        ("jeu-de-tarot", "decouverte", 5, 10, 471),
        ("jeu-de-tarot", "tirette", 4, 5, 302),
        ("jeu-de-tarot", "tirette", 4, 7, 336),
        ("jeu-de-tarot", "dummy", 4, 9, 780),
        ("jeu-de-tarot", "dummy", 4, 10, 864),
    ],
)
def test_last_tricks_of_other_games(
    preset: str, game: str, tricks: int, deal_id: int, number: int
) -> None:
    both = ending(deal_id, tricks, preset, game)
    assert perft(both.tables) == number
    assert referee_perft(both) == number


def test_last_four_tricks() -> None:
    assert referee_perft(ending(15, 4)) == 2600
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


@pytest.mark.parametrize(
    ("preset", "game", "options", "number"),
    [
        ("fft", "3", {}, comb(7, 3)),
        ("fft", "5", {}, comb(9, 5)),
        ("fft", "mort", {}, comb(8, 4)),
        ("jeu-de-tarot", "tirette", {}, comb(6, 2)),
        ("jeu-de-tarot", "dummy", {"with_petite": False}, comb(5, 2)),
        ("wikipedia", "3", {}, 52),
        ("wikipedia", "4", {"with_petite": False}, 41),
    ],
)
def test_auctions_of_other_games(
    preset: str, game: str, options: dict[str, Any], number: int
) -> None:
    """Each seat speaks once: C(seats + bids, seats); or until all but the best have passed."""
    played = find_game(*((int(game), None) if game.isdigit() else (None, game)))
    if played.players > 2:
        options = {**options, "petit_sec": "off"}
    both = Both(**written_in(game=played), options=options, preset=preset, game=played.name)
    stop = (Phase.DISCARD, Phase.SLAM, Phase.CALL)
    assert perft(both.tables, stop) == number
    assert referee_perft(both, stop) == number


def test_what_six_can_say_to_a_garde_contre() -> None:
    """Four opponents in turn pass or contra, then either partner passes or recontras."""
    both = say(Both(**written_in(game=SIX), preset="jeu-de-tarot"), "garde_contre")
    number = 1 + 4 * 3
    assert perft(both.tables, [Phase.SLAM]) == number
    assert referee_perft(both, [Phase.SLAM]) == number


def test_what_six_can_say_to_a_garde_sans() -> None:
    both = say(Both(**written_in(game=SIX), preset="jeu-de-tarot"), "garde_sans pass pass pass")
    assert perft(both.tables, [Phase.SLAM]) == 423
    assert referee_perft(both, [Phase.SLAM]) == 423


@pytest.mark.parametrize(
    ("hand", "own", "number"),
    [
        ("SK HK DK C1 ...", True, 4),
        ("SK HK DK C1 ...", False, 1),
        ("SK HK DK CK SQ ...", True, 8),
        ("SK HK DK CK SQ ...", False, 3),
        ("SK HK DK CK SQ HQ DQ CQ ...", True, 12),
        ("SK HK DK CK SQ HQ DQ CQ SN HN DN CN SJ ...", True, 16),
        ("SK HK DK CK SQ HQ DQ CQ SN HN DN CN SJ ...", False, 3),
    ],
)
def test_calls(hand: str, own: bool, number: int) -> None:
    deal = written_in({0: hand}, game=FIVE)
    both = Both(
        **deal, options={"call_own_king": own, "petit_sec": "off"}, forced=(0, "garde_sans")
    )
    assert perft(both.tables, [Phase.SLAM]) == number
    assert referee_perft(both, [Phase.SLAM]) == number


def test_chien_and_ecarts_of_six() -> None:
    """Either half; the taker has 4 or 3 plain cards, the partner 2 and nine trumps, or 3."""
    taker, partner = "T8-17 S1 S2", "T2-7 T18-21 SK S3"
    others = cards("S4-Q H1-K D1-K C1-K T1 EX")
    hands = {0: " ".join(cards(taker)), 3: " ".join(cards(partner))}
    chien = "S4 S5 HK S6 DK CK"
    left = [card for card in others if card not in chien.split()]
    for place, seat in enumerate((1, 2, 4, 5)):
        hands[seat] = " ".join(left[12 * place : 12 * place + 12])
    deal = written_in(hands, chien=chien, game=SIX)
    both = Both(**deal, preset="jeu-de-tarot", options={"petit_sec": "off"}, forced=(0, "garde"))
    first = comb(4, 3) * factorial(3) * factorial(2) * 9
    second = factorial(3) * factorial(3)
    assert perft(both.tables, [Phase.SLAM]) == first + second
    assert referee_perft(both, [Phase.SLAM]) == first + second


def test_the_ecart_of_the_decouverte() -> None:
    """Six plain cards of hand and chien; what lies face up is not counted."""
    plain, others = "S1 S2 S3 S4", "SK HK DK CK T1 T2 T3 T4"
    deal = written_in({0: f"{plain} {others}"}, chien="T5 S5 T6 T21 EX T7", game=DECOUVERTE)
    both = Both(**deal, preset="jeu-de-tarot", game="decouverte", forced=(0, "garde"))
    assert perft(both.tables, [Phase.SLAM]) == factorial(5) * 6
    assert referee_perft(both, [Phase.SLAM]) == factorial(5) * 6


def test_redeal_questions() -> None:
    """Two weak hands are asked, then four seats bid: thrown in by either, or an auction."""
    options = {"weak_hand_redeal": "no_trumps"}
    deal = written("S1-K H1-4", "T2-13 D1-6", "H5-K T14-20 C1", "D7-K C2-J", "T1 T21 EX CN-K")
    pair = Pair(deal, **options)
    stop = (Phase.DISCARD, Phase.SLAM)
    assert perft(pair.tables, stop) == 2 + 70
    assert referee_perft(pair.referee, stop) == 2 + 70


def test_questions_before_the_first_trick() -> None:
    """A slam, three misères, each said or not; a poignée with two of twelve trumps kept back."""
    options = {"misere": True, "poignee_window": "before_first_trick", "petit_sec": "off"}
    deal = written("S1-K H1-4", "T2-13 D1-6", "H5-K T14-20 C1", "D7-K C2-J", "T1 T21 EX CN-K")
    pair = Pair(deal, (0, "garde_sans"), **options)
    number = 2 * 2**3 * (1 + 12 * 11)
    assert perft(pair.tables, [Phase.PLAY]) == number
    assert referee_perft(pair.referee, [Phase.PLAY]) == number


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
