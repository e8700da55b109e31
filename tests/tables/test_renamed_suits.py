"""Renamed suits: a turn with other names of suits is that of a deal with other names of suits."""

from dataclasses import replace

import numpy as np
import pytest
from support.lockstep import drawn_batch, rules_of

from tarot_env import Bid, Deal, Tables
from tarot_env.cards import cardsets
from tarot_env.tables.full_information import FULL
from tarot_env.tables.turn import FIELDS, SUIT_SETS, unpermute_actions

GAMES = [
    *(("fft", game) for game in ("4", "3", "5", "mort")),
    *(("jeu-de-tarot", game) for game in ("6", "decouverte", "tirette", "dummy")),
]


def renamed(card: int, names: np.ndarray) -> int:
    return int(14 * names[card // 14] + card % 14) if card < 56 else card


@pytest.mark.parametrize(("preset", "game"), GAMES)
def test_permute_suits_is_another_deal(preset: str, game: str) -> None:
    """A table dealt and played with other names of suits gives the permuted turn."""
    options = {"petit_sec": "off"} if game in ("3", "4", "5", "6", "mort") else {}
    n = 48 if game == "4" else 16
    tables = drawn_batch("suits", n, rules_of(preset, game, options), options).tables
    rng = np.random.default_rng(4)
    names = rng.permuted(np.tile(np.arange(4), (n, 1)), axis=1)
    deals = []
    for row in range(n):
        pack = [renamed(int(card), names[row]) for card in tables.columns.pack[row]]
        deal = Deal.of_pack(pack, tables.rules, dealer=int(tables.columns.dealer[row]))
        forced = bool(tables.columns.forced[row])
        contract = (int(tables.taker[row]), Bid(tables.contract[row])) if forced else None
        deals.append(replace(deal, forced=contract))
    twin = Tables.from_deals(tables.rules, deals)
    while True:
        viewers = rng.integers(0, tables.rules.players, n)
        rows = np.arange(n)
        viewers = np.where(rng.random(n) < 0.7, np.maximum(tables.seat_to_act, 0), viewers)
        turn, other = tables.turn(rows, viewers), twin.turn(rows, viewers)
        permuted = turn.permute_suits(names)
        for name in FIELDS:
            got, wanted = getattr(permuted, name), getattr(other, name)
            assert got.dtype == wanted.dtype, name
            assert np.array_equal(got, wanted), name
        assert (permuted.legal_mask == other.legal_mask).all()
        hidden = tables.hidden(rows, viewers).permute_suits(names)
        wanted_hidden = twin.hidden(rows, viewers)
        for name in FULL.names:
            assert np.array_equal(getattr(hidden, name), getattr(wanted_hidden, name)), name
        assert (hidden.records == wanted_hidden.records).all()
        if tables.is_over.all():
            break
        actions = tables.random_actions(rng)
        there = np.array([renamed(int(a), names[row]) for row, a in enumerate(actions)])
        live = ~tables.is_over
        assert (unpermute_actions(there[live], names[live]) == actions[live]).all()
        tables.step(actions)
        twin.step(there)
    assert (tables.scores == twin.scores).all()


def test_only_fields_named_hold_suit_cards() -> None:
    """So that a new field with suit cards is not forgotten when suits are renamed."""
    suits = np.zeros(2, np.uint64) | cardsets.SUIT[:4].sum(0)
    found = set()
    for preset, game in GAMES:
        rules = rules_of(preset, game, {})
        tables = drawn_batch("suit sets", 12, rules, {}).tables
        rng = np.random.default_rng(1)
        while not tables.is_over.all():
            tables.step(tables.random_actions(rng))
            rows = np.repeat(np.arange(12), rules.players)
            turn = tables.turn(rows, np.tile(np.arange(rules.players), 12))
            for name in FIELDS:
                array = getattr(turn, name)
                if array.dtype == np.uint64 and (array & suits).any():
                    found.add(name)
    assert found == set(SUIT_SETS)
