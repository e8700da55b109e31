"""Deals: the recipe behind (seed, deal_id), given deals and their check, petit sec, statistics."""

import numpy as np
import pytest
from support.lockstep import cards

from tarot_env import Deal, InvalidDeal, Rules, Tables
from tarot_env.cards import CARD_TEXTS, HALF_POINTS, cardsets
from tarot_env.core.dealing import UPPER, deal_packs
from tarot_env.phases.redeal import petit_sec, weak_hand

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
    for tables in (
        Tables(FFT, 1, seed=7, first_deal=31),
        Tables.of_packs(FFT, np.array([pack], np.uint8), np.array([3])),
    ):
        state = tables.columns
        assert state.pack[0].tolist() == pack
        assert state.dealer[0] == 3
        assert state.hands.dtype == np.uint64
        assert state.chien.dtype == np.uint64
        for seat in range(4):
            assert cardsets.to_ids(state.hands[0, seat]) == sorted(deal.hands[seat])
        assert cardsets.to_ids(state.chien[0]) == sorted(deal.chien)


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

    state = Tables.from_deals(rules, [deal]).columns
    assert state.pack[0].tolist() == pack
    for seat, hand in enumerate(deal.hands):
        upper = [up for up, _down in deal.piles[seat]] if piles else []
        assert cardsets.to_ids(state.hands[0, seat]) == sorted([*hand, *upper])
    assert cardsets.to_ids(state.chien[0]) == sorted(deal.chien)
    if piles:
        seen = cardsets.of_ids(np.array(pack)[UPPER])
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
    assert five.columns.dealer.tolist() == [4, 0, 1, 2, 3, 4]
    assert Tables(GAMES["dummy"], 3, seed=7).columns.dealer.tolist() == [0, 1, 0]
    tables = Tables(FFT, 8, seed=7, first_deal=2)
    assert tables.columns.dealer.tolist() == [2, 3, 0, 1, 2, 3, 0, 1]
    assert tables.deal_ids.tolist() == list(range(2, 10))
    assert [Deal.from_seed(7, deal_id, FFT).dealer for deal_id in range(5)] == [0, 1, 2, 3, 0]


def test_lanes() -> None:
    """Lane b of B lanes plays b, b + B, b + 2B, whatever is reset when."""
    tables = Tables(FFT, 4, seed=7)
    tables.reset(np.array([1, 3]))
    tables.reset(np.array([1]))
    assert tables.deal_ids.tolist() == [0, 9, 2, 7]
    tables.reset()
    assert tables.deal_ids.tolist() == [4, 13, 6, 11]
    tables.reset(np.array([2]), np.array([100]))
    tables.reset(np.array([2]))
    assert tables.deal_ids.tolist() == [4, 13, 104, 11]
    tables.reset(np.zeros(0, np.int64))
    assert tables.deal_ids.tolist() == [4, 13, 104, 11]
    with pytest.raises(InvalidDeal, match="deal id -1"):
        tables.reset(np.array([0]), np.array([-1]))


def test_without_a_seed_deals_differ() -> None:
    packs = [Tables(FFT, 1).columns.pack[0].tolist() for _ in range(3)]
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
    """RULES.md 3.4, within five standard errors."""
    n = 100_000
    rules = GAMES[game]
    tables = Tables.of_packs(rules, deal_packs(2, np.arange(n)), np.arange(n) % rules.players)
    found = petit_sec(tables.columns.hands, FFT).any(1).mean()
    assert abs(found - rate) < 5 * np.sqrt(rate / n)


@pytest.mark.slow
def test_statistics() -> None:
    """Rates of a full shuffle (RULES.md 3.4, 17.1), within five standard errors."""
    n = 200_000
    packs = deal_packs(1, np.arange(n))
    state = Tables.of_packs(FFT, packs, np.zeros(n, np.int64)).columns
    hands, chien = state.hands, state.chien
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
