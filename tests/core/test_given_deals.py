"""Deals that are given: what makes one, and what is refused."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.lockstep import written

from tarot_env import Bid, Deal, InvalidDeal, Rules, Tables, TarotError, UnknownName
from tarot_env.cards import CARD_TEXTS
from tarot_env.core.dealing import check_contract, parse_contract

FFT = Rules.preset("fft", players=4)
GAMES = {
    **{game: Rules.preset("jeu-de-tarot", players=int(game)) for game in "3456"},
    **{
        game: Rules.preset("jeu-de-tarot", game=game) for game in ("decouverte", "tirette", "dummy")
    },
    "mort": Rules.preset("fft", game="mort"),
}


GIVEN = written("EX S1-10 H1-7", "D1-5 C1-5 T2-9", "D6-K C6-10 T10-13", "SJ-K H8-K CJ-K T14-16",
                "T1 T17-21", dealer=2)  # fmt: skip


def test_from_text() -> None:
    deal = Deal.from_text(*GIVEN, (1, "garde"))
    deal.check(FFT)
    assert (deal.dealer, deal.forced, deal.seed, deal.deal_id) == (2, (1, Bid.GARDE), None, None)
    assert [CARD_TEXTS[card] for card in deal.pack] == [
        card for pile in (*GIVEN[0], GIVEN[1]) for card in pile
    ]
    tables = Tables.from_deals(FFT, [deal])
    assert tables.columns.pack[0].tolist() == deal.pack
    assert (tables.columns.dealer[0], tables.deal_ids[0]) == (2, -1)
    with pytest.raises(UnknownName, match="T22"):
        Deal.from_text([["T22"]], [], 0)
    with pytest.raises(UnknownName, match="unknown bid"):
        Deal.from_text(*GIVEN, (1, "pass"))


def broken(**changes: Any) -> Deal:
    deal = Deal.from_text(*GIVEN)
    values: dict[str, Any] = {"hands": deal.hands, "chien": deal.chien, "dealer": 0, **changes}
    return Deal(**values)


GIVEN_DEAL = Deal.from_text(*GIVEN)
HANDS = GIVEN_DEAL.hands
NAMED = Deal.from_seed(7, 31, FFT)
SWAPPED = (
    (NAMED.hands[1][0], *NAMED.hands[0][1:]),
    (NAMED.hands[0][0], *NAMED.hands[1][1:]),
    *NAMED.hands[2:],
)


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        (broken(hands=HANDS[:3]), "3 hands; this game has 4"),
        (broken(hands=(HANDS[0][1:], *HANDS[1:])), "hand of seat 0 has 17 cards; it must have 18"),
        (broken(chien=(56,)), "the chien has 1 card; it must have 6"),
        (broken(chien=(0, 72, 73, 74, 75, 76)), "twice S1, missing T1"),
        (broken(chien=(78, 72, 73, 74, 75, 76)), "no card has id 78"),
        (broken(chien=(-1, 72, 73, 74, 75, 76)), "no card has id -1"),
        (broken(dealer=4), "dealer 4; allowed: seats 0 to 3"),
        (broken(dealer=-1), "dealer -1; allowed: seats 0 to 3"),
        (broken(forced=(4, Bid.GARDE)), "taker 4; allowed: seats 0 to 3"),
        (broken(forced=(-1, Bid.GARDE)), "taker -1; allowed"),
        (
            broken(forced=(0, Bid.NONE)),
            "contract 0; allowed: petite, garde, garde_sans, garde_contre",
        ),
        (broken(forced=(0, Bid.POUSSE)), "contract 2; allowed: petite"),
        (replace(NAMED, hands=SWAPPED), "hand of seat 0 is not that of deal seed=7 id=31"),
        (replace(NAMED, chien=NAMED.chien[::-1]), "chien is not that of deal seed=7 id=31"),
        (replace(NAMED, dealer=0), "dealer 0; deal seed=7 id=31 is dealt by seat 3"),
        (replace(NAMED, deal_id=35), "not that of deal seed=7 id=35"),
        (replace(NAMED, seed=8), "not that of deal seed=8 id=31"),
        (replace(NAMED, deal_id=-1), "seed=7 id=-1; allowed: ids 0 to"),
        (replace(NAMED, deal_id=2**64), r"allowed: ids 0 to 2\*\*62 - 1"),
        (replace(NAMED, seed=-1), "seed -1; give a whole number from 0"),
    ],
)
def test_deals_that_are_none(deal: Deal, message: str) -> None:
    with pytest.raises(InvalidDeal, match=message):
        deal.check(FFT)
    tables = Tables(FFT, 2, seed=3)
    before = {name: array.copy() for name, array in tables.arrays().items()}
    with pytest.raises(InvalidDeal, match=message):
        tables.set_deals(np.array([0, 1]), [Deal.from_text(*GIVEN), deal])
    after = tables.arrays()
    assert all((before[name] == after[name]).all() for name in before)
    with pytest.raises(InvalidDeal, match=message):
        Tables.from_deals(FFT, [deal])


def of(game: str, **changes: Any) -> Deal:
    """A deal of a game, some parts of it changed."""
    pack = np.random.default_rng(1).permutation(78).tolist()
    return replace(Deal.of_pack(pack, GAMES[game], dealer=1), **changes)


TIRETTE, DECOUVERTE, MORT = of("tirette"), of("decouverte"), of("mort")
SHORT_PILES = (DECOUVERTE.piles[0][:11], DECOUVERTE.piles[1])
NAMED_PILES = Deal.from_seed(7, 30, GAMES["decouverte"])
NAMED_STOCK = Deal.from_seed(7, 30, GAMES["tirette"])


@pytest.mark.parametrize(
    ("game", "deal", "sentence"),
    [
        ("5", of("6"), "6 hands; this game has 5"),
        ("dummy", of("dummy", hands=of("dummy").hands[:2]), "2 hands; this game has 3"),
        ("dummy", of("dummy", dealer=2), "dealer 2; allowed: seats 0 to 1"),
        (
            "mort",
            replace(MORT, dealer=2),
            "hand of seat 1 has 0 cards; it must have 18",
        ),
        (
            "mort",
            replace(MORT, hands=MORT.hands[::-1], dealer=1),
            "hand of seat 1 has 18 cards; it must have 0 (the dealer sits out)",
        ),
        ("mort", replace(MORT, forced=(1, Bid.GARDE)), "taker 1; the dealer sits out"),
        ("dummy", of("dummy", forced=(2, Bid.GARDE)), "taker 2; allowed: seats 0 to 1"),
        (
            "6",
            of("6", forced=(0, Bid.PETITE)),
            "contract 1; allowed: garde, garde_sans, garde_contre",
        ),
        ("tirette", of("tirette", stock=()), "the stock has 0 cards; it must have 24"),
        ("4", replace(GIVEN_DEAL, stock=(0,)), "the stock has 1 card; it must have 0"),
        ("decouverte", of("decouverte", piles=()), "piles: []; wanted: 12 for each of two seats"),
        (
            "decouverte",
            of("decouverte", piles=SHORT_PILES),
            "piles: [11, 12]; wanted: 12 for each of two seats",
        ),
        ("tirette", of("tirette", piles=SHORT_PILES), "piles: [11, 12]; wanted: none"),
        (
            "tirette",
            of("tirette", stock=(TIRETTE.chien[0], *TIRETTE.stock[1:])),
            f"not a pack of 78: twice {CARD_TEXTS[TIRETTE.chien[0]]}, "
            f"missing {CARD_TEXTS[TIRETTE.stock[0]]}",
        ),
        (
            "decouverte",
            replace(NAMED_PILES, piles=NAMED_PILES.piles[::-1]),
            "the piles are not that of deal seed=7 id=30, in its order",
        ),
        (
            "tirette",
            replace(NAMED_STOCK, stock=NAMED_STOCK.stock[::-1]),
            "the stock is not that of deal seed=7 id=30, in its order",
        ),
    ],
)
def test_deals_that_are_none_of_other_games(game: str, deal: Deal, sentence: str) -> None:
    with pytest.raises(InvalidDeal) as refused:
        deal.check(GAMES[game])
    assert str(refused.value) == sentence
    with pytest.raises(InvalidDeal):
        Tables.from_deals(GAMES[game], [deal])


@pytest.mark.parametrize(
    "change",
    [
        {"stock": 5},
        {"stock": "abc"},
        {"stock": (*TIRETTE.stock[1:], 0.5)},
        {"piles": 5},
        {"piles": (1, 2)},
        {"piles": (((1, 2, 3),), ())},
        {"piles": ((1,), ())},
    ],
)
def test_stock_and_piles_of_the_wrong_type(
    change: dict[str, Any], wrong_type_error: tuple[type[Exception], ...]
) -> None:
    for deal, game in ((TIRETTE, "tirette"), (DECOUVERTE, "decouverte")):
        with pytest.raises((InvalidDeal, *wrong_type_error)):
            replace(deal, **change).check(GAMES[game])


def test_piles_of_a_named_deal_may_be_lists_or_arrays(
    wrong_type_error: tuple[type[Exception], ...],
) -> None:
    for piles in (np.array(NAMED_PILES.piles), [list(map(list, s)) for s in NAMED_PILES.piles]):
        try:
            replace(NAMED_PILES, piles=piles).check(GAMES["decouverte"])  # type: ignore[arg-type]
        except TypeError:
            assert TypeError in wrong_type_error


def test_one_deal_for_each_table() -> None:
    given = Deal.from_text(*GIVEN, (1, "garde"))
    for deals in ([given], [given] * 3, []):
        tables = Tables(FFT, 4, seed=3)
        before = {name: array.copy() for name, array in tables.arrays().items()}
        with pytest.raises(InvalidDeal, match=rf"{len(deals)} deals? for 2 tables"):
            tables.set_deals(np.array([0, 2]), deals)
        after = tables.arrays()
        assert all((before[name] == after[name]).all() for name in before)


def test_contracts_of_the_rules() -> None:
    check_contract(0, Bid.PETITE, FFT)
    with pytest.raises(InvalidDeal, match="contract 1; allowed: garde, garde_sans"):
        check_contract(0, Bid.PETITE, Rules.preset(with_petite=False))
    for contract in (Bid.PETITE, Bid.POUSSE):
        with pytest.raises(InvalidDeal, match="allowed: garde, garde_sans, garde_contre"):
            check_contract(0, contract, GAMES["6"])
    check_contract(5, Bid.GARDE, GAMES["6"])
    check_contract(0, Bid.GARDE, GAMES["mort"], dealer=1)


def test_a_named_deal_keeps_its_name_at_tables_of_its_seed() -> None:
    five, nine = Deal.from_seed(6, 5, FFT), Deal.from_seed(6, 9, FFT)
    tables = Tables.from_deals(FFT, [nine, Deal.from_text(*GIVEN), five])
    assert (tables.seed, tables.deal_ids.tolist()) == (6, [9, -1, 5])
    tables = Tables.from_deals(FFT, [five, Deal.from_seed(0, 3, FFT), Deal.from_seed(1, 4, FFT)])
    assert (tables.seed, tables.deal_ids.tolist()) == (0, [-1, 3, -1])
    tables = Tables(FFT, 2, seed=6)
    tables.set_deals(np.array([1, 0]), [five, Deal.from_seed(1, 5, FFT)])
    assert tables.deal_ids.tolist() == [-1, 5]
    in_order = replace(five, hands=tuple(tuple(sorted(hand)) for hand in five.hands))
    assert Tables.from_deals(FFT, [in_order]).deal_ids.tolist() == [5]


@pytest.mark.parametrize(
    "change",
    [
        {"dealer": 1.0},
        {"dealer": True},
        {"deal_id": 31.0},
        {"deal_id": True},
        {"seed": "7"},
        {"seed": [7]},
        {"seed": 2**128},
        {"hands": 7},
        {"hands": (1, 2, 3, 4)},
        {"hands": tuple(tuple(float(c) for c in hand) for hand in NAMED.hands)},
        {"chien": "abcdef"},
        {"forced": 3},
        {"forced": (0.5, Bid.GARDE)},
        {"forced": (0, True)},
    ],
)
def test_parts_of_a_deal_that_have_the_wrong_type(change, wrong_type_error):
    with pytest.raises((InvalidDeal, *wrong_type_error)):
        replace(NAMED, **change).check(FFT)
    with pytest.raises((InvalidDeal, *wrong_type_error)):
        Tables.from_deals(FFT, [replace(NAMED, **change)])


def test_what_is_no_deal_is_refused(wrong_type_error):
    with pytest.raises((InvalidDeal, *wrong_type_error)):
        Tables.from_deals(FFT, [None])
    with pytest.raises((InvalidDeal, *wrong_type_error)):
        Tables(FFT, 1, seed=1).set_deals(np.array([0]), ["S1"])


@pytest.mark.parametrize(
    "arguments",
    [
        {"num_tables": -1},
        {"num_tables": 1.5},
        {"num_tables": True},
        {"first_deal": -1},
        {"first_deal": 2**62},
        {"first_deal": 0.0},
        {"seed": -1},
        {"seed": 2**128},
        {"seed": True},
        {"seed": [1, 2]},
        {"seed": 1.0},
    ],
)
def test_tables_that_cannot_be_made(arguments, wrong_type_error):
    with pytest.raises((InvalidDeal, *wrong_type_error)):
        Tables(FFT, **arguments)


@pytest.mark.parametrize(
    ("rows", "ids"),
    [
        ([0, 1], [5]),
        ([0, 0], [5, 6]),
        ([0, 1], [5, -1]),
        ([0, 1], [5, 2**62]),
        ([0, 1], [0.5, 1.5]),
        ([0, 4], [5, 6]),
        ([0], [[5]]),
    ],
)
def test_a_reset_that_is_refused_changes_nothing(rows, ids, wrong_type_error):
    tables, same = Tables(FFT, 4, seed=7), Tables(FFT, 4, seed=7)
    with pytest.raises((TarotError, *wrong_type_error)):
        tables.reset(np.array(rows), np.array(ids))
    for name, array in tables.arrays().items():
        assert np.array_equal(array, same.arrays()[name])
    assert tables.next_ids.tolist() == same.next_ids.tolist()


def test_contracts_are_those_of_the_rules():
    assert parse_contract("garde", FFT) == Bid.GARDE
    with pytest.raises(UnknownName) as error:
        parse_contract("x", Rules.preset(with_petite=False))
    assert str(error.value).endswith("allowed: garde, garde_sans, garde_contre")
