"""Weights of worlds, by how well they explain what the other seats said and played."""

from dataclasses import replace

import numpy as np
import pytest
from reference.by_hand import written
from support.every_game import rules_of

from agents.registry import make_agent
from tarot_env import Bid, Deal, Phase, Rules, Tables, TarotError, Turn
from tarot_env.beliefs import sample_worlds, weights
from tarot_env.cards import cardsets
from tarot_env.cards.actions import GARDE, GARDE_SANS, PASS


class Bidder:
    """Says garde with trump 21, and passes without it; plays the lowest card."""

    name = "bidder"

    def act(self, turn: Turn, rng: np.random.Generator) -> np.ndarray:
        bids = cardsets.contains(turn.hand, np.full(len(turn), 76))
        action = np.where(turn.phase == Phase.AUCTION, np.where(bids, GARDE, PASS), -1)
        return np.where(action < 0, cardsets.lowest(turn.legal), action)


def auction(*calls: int, **options: object) -> Turn:
    tables = Tables(Rules.preset(petit_sec="off", **options), 1, seed=11)
    for call in calls:
        tables.step(np.array([call]))
    return tables.turn()


def test_bids_are_weighed() -> None:
    """Two seats passed, one said garde: each right with 0.9, the rest for the other calls."""
    turn = auction(PASS, GARDE, PASS)
    assert not cardsets.contains(turn.hand, np.array([76]))[0]
    worlds = sample_worlds(turn, 400, np.random.default_rng(0))
    likely = weights(turn, worlds, Bidder(), np.random.default_rng(0))
    assert likely.mean() == pytest.approx(1)
    holds = cardsets.contains(worlds.hands[0], np.full((400, 4), 76))
    assert holds[:, 0].sum() == 0
    first, second, third = (holds[:, place] for place in (1, 2, 3))
    calls = [np.where(first, 0.1 / 4, 0.9), np.where(second, 0.9, 0.1 / 4),
             np.where(third, 0.1 / 2, 0.9)]  # fmt: skip
    wanted = np.prod(calls, axis=0)
    assert np.allclose(likely[0], wanted / wanted.mean())


def test_the_viewer_itself_is_not_judged() -> None:
    asked = []

    class Witness(Bidder):
        def act(self, turn: Turn, rng: np.random.Generator) -> np.ndarray:
            asked.extend(turn.seat.tolist())
            return super().act(turn, rng)

    rng = np.random.default_rng(0)
    turn = auction(PASS, GARDE, PASS, GARDE_SANS, auction="until_passed")
    assert turn.seat.tolist() == [2], "overcalled, it is asked again"
    weights(turn, sample_worlds(turn, 3, rng), Witness(), rng)
    assert set(asked) == {0, 1, 3}


def test_a_policy_that_sees_all_hands_is_refused() -> None:
    class Cheat(Bidder):
        cheats = True

    turn = auction(GARDE, PASS)
    rng = np.random.default_rng(0)
    with pytest.raises(TarotError, match="sees all hands; weighing worlds takes agents that do"):
        weights(turn, sample_worlds(turn, 2, rng), Cheat(), rng)


def test_weights_of_worlds_are_taken_in() -> None:
    turn = auction(GARDE, PASS)
    worlds = sample_worlds(turn, 50, np.random.default_rng(0))
    rng = np.random.default_rng(1)
    once = weights(turn, worlds, Bidder(), rng)
    assert np.allclose(weights(turn, worlds, Bidder(), rng, phases=()), 1)
    twice = weights(turn, replace(worlds, weight=once), Bidder(), rng)
    assert np.allclose(twice, once**2 / (once**2).mean())
    zero = np.where(np.arange(50) < 10, 0.0, 1.0)[None]
    assert (weights(turn, replace(worlds, weight=zero), Bidder(), rng)[0, :10] == 0).all()


def test_cards_are_weighed_where_it_is_asked_for() -> None:
    """A seat led its lowest card, as the policy does, in worlds where it has none that is lower."""
    deal = Deal.from_text(**written({0: "S4 ...", 1: "S1 ..."}), forced=(3, "garde_sans"))
    tables = Tables.from_deals(Rules.preset(petit_sec="off"), [deal])
    for action in (PASS, 3):
        tables.step(np.array([action]))
    turn, rng = tables.turn(), np.random.default_rng(0)
    worlds = sample_worlds(turn, 300, rng)
    bids = weights(turn, worlds, Bidder(), rng)
    assert np.allclose(bids, 1), "there was no auction"
    likely = weights(turn, worlds, Bidder(), rng, phases=[Phase.PLAY], error=0.2)
    agrees = cardsets.lowest(worlds.hands[:, :, 3]) > 3
    assert 0.2 < agrees.mean() < 0.9
    wanted = np.where(agrees, 0.8, 0.2 / 17)
    assert np.allclose(likely, wanted / wanted.mean(1, keepdims=True))


@pytest.mark.slow
def test_the_heuristic_bids_tell_of_trumps() -> None:
    """Takers have more trumps than other seats; worlds weighted by their bids have so too."""
    agent, rng = make_agent("heuristic"), np.random.default_rng(0)
    tables = Tables(Rules.preset(), 300, seed=8)
    while len(rows := np.flatnonzero(tables.phase <= Phase.AUCTION)):
        tables.step(agent.act(tables.turn(rows), rng), rows=rows)
    rows = np.flatnonzero(tables.taker >= 0)
    viewers = (tables.taker[rows] + 1) % 4
    turn = tables.turn(rows, viewers)
    worlds = sample_worlds(turn, 256, rng)
    likely = weights(turn, worlds, agent, rng, error=0.01)
    counts = cardsets.count(worlds.hands[:, :, 3] & cardsets.TRUMPS)
    true = cardsets.count(tables.columns.hands[rows, tables.taker[rows]] & cardsets.TRUMPS)
    bias = [(true - (counts * w).mean(1)).mean() for w in (worlds.weight, likely)]
    assert bias[0] > 1
    assert abs(bias[1]) < bias[0] / 3


@pytest.mark.slow
def test_six_players_late_in_the_auction_of_voids() -> None:
    """Many hands with other voids: worlds are weighted, and most of them count."""
    rng = np.random.default_rng(0)
    tables = Tables(rules_of("6"), 24, seed=2)
    tables.force(np.arange(24), np.zeros(24, np.int64), Bid.GARDE)
    while tables.columns.trick_number.max() < 4:
        tables.step(tables.random_actions(rng))
    turn = tables.turn(np.flatnonzero(~tables.is_over))
    weight = sample_worlds(turn, 64, rng).weight
    size = weight.mean(1) ** 2 / (weight**2).mean(1)  # share of equally weighted worlds
    assert (size < 1).any()
    assert size.mean() > 0.7
    assert size.min() > 0.3
