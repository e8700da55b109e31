"""Deals: the recipe behind (seed, deal_id), given deals and their check, petit sec, statistics."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from lockstep import cards, written

from tarot_env import Bid, Deal, InvalidDeal, Rules, Tables, TarotError, UnknownName, cardsets
from tarot_env.cards import CARD_TEXTS, HALF_POINTS
from tarot_env.dealing import (
    check_contract,
    deal_packs,
    face_up_sets,
    pack_sets,
    parse_contract,
    petit_sec,
    weak_hand,
)

FFT = Rules.preset("fft", players=4)
GAMES = {
    **{game: Rules.preset("jeu-de-tarot", players=int(game)) for game in "3456"},
    **{
        game: Rules.preset("jeu-de-tarot", game=game) for game in ("decouverte", "tirette", "dummy")
    },
    "mort": Rules.preset("fft", game="mort"),
}


def recipe(seed: int, deal_id: int) -> list[int]:
    """The documented recipe, without skipping ahead."""
    keys = np.random.PCG64(np.random.SeedSequence(seed)).random_raw(78 * (deal_id + 1))
    pack: list[int] = np.argsort(keys[78 * deal_id :], kind="stable").tolist()
    return pack


@pytest.mark.parametrize("seed", [0, 7, 20261231, 2**63 - 1])
def test_recipe(seed: int) -> None:
    ids = [0, 1, 2, 31, 5, 4, 3, 31, 400, 401]
    packs = deal_packs(seed, np.array(ids))
    assert packs.dtype == np.uint8
    assert packs.tolist() == [recipe(seed, deal_id) for deal_id in ids]


def test_a_deal_never_changes() -> None:
    """The same on every machine and in every version."""
    deal = Deal.from_seed(7, 31, FFT)
    assert [[CARD_TEXTS[card] for card in pile] for pile in (deal.hands[0][:6], deal.chien)] == [
        FIRST_SIX,
        CHIEN,
    ]
    assert deal.dealer == 3


FIRST_SIX = ["CN", "EX", "C8", "T9", "SQ", "H10"]
CHIEN = ["H8", "C9", "S2", "DJ", "T13", "T11"]


def test_batch_order_and_size_do_not_matter() -> None:
    ids = np.random.default_rng(1).permutation(200)
    packs = deal_packs(5, np.arange(200))
    assert (deal_packs(5, ids) == packs[ids]).all()
    for deal_id in (0, 17, 199):
        assert (deal_packs(5, np.array([deal_id]))[0] == packs[deal_id]).all()
    assert deal_packs(5, np.zeros(0, np.int64)).shape == (0, 78)
    assert len({tuple(pack) for pack in packs.tolist()}) == 200
    assert (deal_packs(6, np.arange(200)) != packs).any(1).all()


def test_far_deals() -> None:
    ids = np.array([10**12, 10**12 + 1])
    packs = deal_packs(5, ids)
    assert (np.sort(packs, axis=1) == np.arange(78)).all()
    assert (deal_packs(5, ids[1:]) == packs[1:]).all()


def test_where_the_cards_go() -> None:
    """Seat p gets `pack[18p : 18p + 18]`, then comes the chien, in order."""
    pack = recipe(7, 31)
    deal = Deal.from_seed(7, 31, FFT)
    assert [list(hand) for hand in deal.hands] == [pack[18 * p : 18 * p + 18] for p in range(4)]
    assert list(deal.chien) == pack[72:]
    assert (deal.pack, deal.seed, deal.deal_id, deal.dealer) == (pack, 7, 31, 3)
    hands, chien = pack_sets(np.array([pack], np.uint8), np.zeros(1, np.int64), FFT)
    assert hands.dtype == np.uint64
    assert chien.dtype == np.uint64
    for seat in range(4):
        assert cardsets.to_ids(hands[0, seat]) == sorted(deal.hands[seat])
    assert cardsets.to_ids(chien[0]) == sorted(deal.chien)
    tables = Tables(FFT, 1, seed=7, first_deal=31)
    assert tables.state.pack[0].tolist() == pack
    assert (tables.state.hands[0] == hands[0]).all()
    assert (tables.state.chien[0] == chien[0]).all()


@pytest.mark.parametrize(
    ("game", "hands", "chien", "stock", "piles"),
    [
        ("3", [24] * 3, 6, 0, 0),
        ("5", [15] * 5, 3, 0, 0),
        ("mort", [18, 18, 18, 0, 18], 6, 0, 0),
        ("6", [12] * 6, 6, 0, 0),
        ("tirette", [24] * 2, 6, 24, 0),
        ("decouverte", [12] * 2, 6, 0, 12),
        ("dummy", [24] * 3, 6, 0, 0),
    ],
)
def test_where_the_cards_go_in_other_games(
    game: str, hands: list[int], chien: int, stock: int, piles: int
) -> None:
    """Hands by seat, the chien, then the stock from the top, or each seat's piles, upper first."""
    rules = GAMES[game]
    deal_id = 33 if game == "mort" else 31
    pack = recipe(7, deal_id)
    deal = Deal.from_seed(7, deal_id, rules)
    rest = list(pack)
    for hand, size in zip(deal.hands, hands, strict=True):
        assert list(hand) == rest[:size]
        rest = rest[size:]
    assert list(deal.chien) == rest[:chien]
    rest = rest[chien:]
    assert list(deal.stock) == rest[:stock]
    rest = rest[stock:]
    assert len(deal.piles) == (2 if piles else 0)
    for seat in deal.piles:
        assert seat == tuple((rest[2 * n], rest[2 * n + 1]) for n in range(piles))
        rest = rest[2 * piles :]
    assert rest == []
    assert deal.pack == pack
    assert deal.dealer == deal_id % rules.players
    deal.check(rules)

    state = Tables.from_deals(rules, [deal]).state
    assert state.pack[0].tolist() == pack
    for seat, hand in enumerate(deal.hands):
        upper = [up for up, _down in deal.piles[seat]] if piles else []
        assert cardsets.to_ids(state.hands[0, seat]) == sorted([*hand, *upper])
    assert cardsets.to_ids(state.chien[0]) == sorted(deal.chien)
    if piles:
        seen = face_up_sets(np.array([pack], np.uint8))[0]
        assert (state.face_up[0] == seen).all()
        assert cardsets.count(seen).tolist() == [12, 12]


@pytest.mark.parametrize("game", GAMES)
def test_a_pack_makes_a_deal_and_a_deal_its_pack(game: str) -> None:
    rules = GAMES[game]
    pack = np.random.default_rng(3).permutation(78).tolist()
    for dealer in range(rules.players):
        deal = Deal.of_pack(pack, rules, dealer=dealer)
        assert deal.pack == pack
        deal.check(rules)
        texts = [[CARD_TEXTS[card] for card in hand] for hand in deal.hands]
        piles = [[[CARD_TEXTS[c] for c in pile] for pile in seat] for seat in deal.piles]
        written_out = Deal.from_text(
            texts,
            [CARD_TEXTS[card] for card in deal.chien],
            dealer,
            stock=[CARD_TEXTS[card] for card in deal.stock],
            piles=piles,
        )
        assert written_out == deal
        if game == "mort":
            assert deal.hands[dealer] == ()


def test_dealer_rotates_with_the_deal_id() -> None:
    five = Tables(GAMES["5"], 6, seed=7, first_deal=4)
    assert five.state.dealer.tolist() == [4, 0, 1, 2, 3, 4]
    assert Tables(GAMES["dummy"], 3, seed=7).state.dealer.tolist() == [0, 1, 0]
    tables = Tables(FFT, 8, seed=7, first_deal=2)
    assert tables.state.dealer.tolist() == [2, 3, 0, 1, 2, 3, 0, 1]
    assert tables.state.deal_id.tolist() == list(range(2, 10))
    assert [Deal.from_seed(7, deal_id, FFT).dealer for deal_id in range(5)] == [0, 1, 2, 3, 0]


def test_lanes() -> None:
    """Lane b of B lanes plays b, b + B, b + 2B, whatever is reset when."""
    tables = Tables(FFT, 4, seed=7)
    tables.reset(np.array([1, 3]))
    tables.reset(np.array([1]))
    assert tables.state.deal_id.tolist() == [0, 9, 2, 7]
    tables.reset()
    assert tables.state.deal_id.tolist() == [4, 13, 6, 11]
    tables.reset(np.array([2]), np.array([100]))
    tables.reset(np.array([2]))
    assert tables.state.deal_id.tolist() == [4, 13, 104, 11]
    tables.reset(np.zeros(0, np.int64))
    assert tables.state.deal_id.tolist() == [4, 13, 104, 11]
    with pytest.raises(InvalidDeal, match="deal id -1"):
        tables.reset(np.array([0]), np.array([-1]))


def test_without_a_seed_deals_differ() -> None:
    packs = [Tables(FFT, 1).state.pack[0].tolist() for _ in range(3)]
    assert packs[0] != packs[1] != packs[2]


# --- Petit sec


@pytest.mark.parametrize(
    ("hand", "is_one", "is_one_unprotected"),
    [
        ("T1 S1-K H1-3", True, True),
        ("T1 EX S1-K H1 H2", False, True),
        ("T1 T2 S1-K H1 H2", False, False),
        ("T1 T21 S1-K H1 H2", False, False),
        ("T2 S1-K H1-3", False, False),
        ("EX S1-K H1-3", False, False),
        ("S1-K H1-4", False, False),
    ],
)
def test_petit_sec(hand: str, is_one: bool, is_one_unprotected: bool) -> None:
    words = cardsets.from_ids(CARD_TEXTS.index(card) for card in cards(hand))[None, None]
    assert petit_sec(words, FFT).tolist() == [[is_one]]
    unprotected = Rules.preset(petit_sec_excuse_protects=False)
    assert petit_sec(words, unprotected).tolist() == [[is_one_unprotected]]


@pytest.mark.parametrize(
    ("hand", "no_trumps", "fewer_than_four"),
    [
        ("S1-10 H1-5", True, True),
        ("EX S1-10 H1-4", True, True),
        ("EX S1-K", True, False),
        ("SJ SN SQ S1-10 H1 H2", True, True),
        ("T1 SJ SN SQ S1-10 H1", False, False),
        ("T1 T2 T3 S1-10 H1", False, True),
        ("", False, False),
    ],
)
def test_weak_hands(hand: str, no_trumps: bool, fewer_than_four: bool) -> None:
    """Trumps and court cards count, the Excuse does not; the dealer who sits out has no hand."""
    words = cardsets.from_ids(CARD_TEXTS.index(card) for card in cards(hand))[None, None]
    assert weak_hand(words, Rules.preset(weak_hand_redeal="no_trumps")).tolist() == [[no_trumps]]
    assert weak_hand(words, Rules.preset(weak_hand_redeal=4)).tolist() == [[fewer_than_four]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "rate"), [("3", 0.00012), ("5", 0.0066), ("6", 0.0206), ("mort", 0.00184)]
)
def test_how_often_a_petit_is_alone(game: str, rate: float) -> None:
    """rules.md A0.6, within five standard errors."""
    n = 100_000
    rules = GAMES[game]
    hands, _chien = pack_sets(deal_packs(2, np.arange(n)), np.arange(n) % rules.players, rules)
    found = petit_sec(hands, FFT).any(1).mean()
    assert abs(found - rate) < 5 * np.sqrt(rate / n)


@pytest.mark.slow
def test_statistics() -> None:
    """Rates of a full shuffle (rules.md A0.6, E1), within five standard errors."""
    n = 200_000
    packs = deal_packs(1, np.arange(n))
    hands, chien = pack_sets(packs, np.zeros(len(packs), np.int64), FFT)
    rate = petit_sec(hands, FFT).any(1).mean()
    assert abs(rate - 0.00184) < 5 * np.sqrt(0.00184 / n)

    trumps = cardsets.count(hands & (cardsets.TRUMPS | cardsets.EXCUSE))
    assert abs(trumps.mean() - 22 * 18 / 78) < 0.002
    assert abs((trumps >= 8).mean() - 0.076) < 0.001
    assert abs((trumps >= 10).mean() - 0.0052) < 0.0003
    in_chien = cardsets.count(chien & (cardsets.TRUMPS | cardsets.EXCUSE))
    assert abs(in_chien.mean() - 22 * 6 / 78) < 5 * 1.1 / np.sqrt(n)
    assert abs(cardsets.half_points(chien).mean() / 2 - 7.0) < 0.02

    found = np.zeros((78, 78))
    for place in range(78):
        found[place] = np.bincount(packs[:, place], minlength=78)
    assert abs(found - n / 78).max() < 6 * np.sqrt(n / 78)
    for seat in range(4):
        assert (HALF_POINTS[packs[:, 18 * seat : 18 * seat + 18]].sum(1).mean() - 42) < 0.2


# --- Given deals

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
    assert tables.state.pack[0].tolist() == deal.pack
    assert (tables.state.dealer[0], tables.state.deal_id[0]) == (2, -1)
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
        (broken(chien=(56,)), "the chien has 1 cards; it must have 6"),
        (broken(chien=(0, 72, 73, 74, 75, 76)), "twice S1, missing T1"),
        (broken(chien=(78, 72, 73, 74, 75, 76)), "no card has id 78"),
        (broken(chien=(-1, 72, 73, 74, 75, 76)), "no card has id -1"),
        (broken(dealer=4), "dealer 4; allowed: 0 to 3"),
        (broken(dealer=-1), "dealer -1; allowed: 0 to 3"),
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
    before = {name: array.copy() for name, array in tables.state.arrays().items()}
    with pytest.raises(InvalidDeal, match=message):
        tables.set_deals(np.array([0, 1]), [Deal.from_text(*GIVEN), deal])
    after = tables.state.arrays()
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
        ("dummy", of("dummy", dealer=2), "dealer 2; allowed: 0 to 1"),
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
        ("4", replace(GIVEN_DEAL, stock=(0,)), "the stock has 1 cards; it must have 0"),
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


def test_one_deal_for_each_table() -> None:
    given = Deal.from_text(*GIVEN, (1, "garde"))
    for deals in ([given], [given] * 3, []):
        tables = Tables(FFT, 4, seed=3)
        before = {name: array.copy() for name, array in tables.state.arrays().items()}
        with pytest.raises(InvalidDeal, match=f"{len(deals)} deals for 2 tables"):
            tables.set_deals(np.array([0, 2]), deals)
        after = tables.state.arrays()
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
    assert (tables.seed, tables.state.deal_id.tolist()) == (6, [9, -1, 5])
    tables = Tables.from_deals(FFT, [five, Deal.from_seed(0, 3, FFT), Deal.from_seed(1, 4, FFT)])
    assert (tables.seed, tables.state.deal_id.tolist()) == (0, [-1, 3, -1])
    tables = Tables(FFT, 2, seed=6)
    tables.set_deals(np.array([1, 0]), [five, Deal.from_seed(1, 5, FFT)])
    assert tables.state.deal_id.tolist() == [-1, 5]
    in_order = replace(five, hands=tuple(tuple(sorted(hand)) for hand in five.hands))
    assert Tables.from_deals(FFT, [in_order]).state.deal_id.tolist() == [5]


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
    for name, array in tables.state.arrays().items():
        assert np.array_equal(array, same.state.arrays()[name])
    assert tables.next_ids.tolist() == same.next_ids.tolist()


def test_contracts_are_those_of_the_rules():
    assert parse_contract("garde", FFT) == Bid.GARDE
    with pytest.raises(UnknownName) as error:
        parse_contract("x", Rules.preset(with_petite=False))
    assert str(error.value).endswith("allowed: garde, garde_sans, garde_contre")
