"""The yardstick `naive` in every game: legal and blind by all rules; 200 deals that stand still.

`pytest --update-golden` writes these anew; but the agent is fixed, so there should be no reason to.
"""

from pathlib import Path

import numpy as np
import pytest
from support.every_game import GAMES, HOUSE_RULES, PAIRS, rules_by, rules_of
from support.golden_deals import golden_text

from agents.baselines.naive import NaiveAgent
from agents.baselines.uniform import UniformAgent
from agents.hand_strength import strongest_seats
from agents.heuristic import HeuristicAgent
from agents.play import Player, play_out
from tarot_env import Phase, Rules, Tables
from tarot_env.cards.actions import GARDE, Bid
from tarot_env.testing import check_agent

GOLDEN = Path(__file__).parent / "naive_deals.txt"
DEALS = 200

VARIANTS = {f"{preset} {game}": (preset, game, {}) for preset, game in PAIRS} | HOUSE_RULES
"""Every rule book with each of its games, and house rules."""


def rules_named(name: str) -> Rules:
    preset, game, options = VARIANTS[name]
    return rules_by(preset, game, **options)


# -- legal, deterministic, blind


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_a_good_agent_by_all_rules(name):
    check_agent(NaiveAgent(), rules_named(name), deals=4, seed=1_000_007)


class Bidder(NaiveAgent):
    """The yardstick, but it bids a garde wherever it may: few hands of 12 or 15 are worth one."""

    def act(self, turn, rng):
        actions = super().act(turn, rng)
        may = (turn.phase == Phase.AUCTION) & turn.legal_mask[:, GARDE]
        return np.where(may, GARDE, actions)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_good_player_of_every_game(game):
    check_agent(Bidder(), rules_of(game), deals=4, seed=1_000_009)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("partners", [NaiveAgent(), UniformAgent()], ids=lambda agent: agent.name)
def test_legal_by_all_rules(name, partners):
    """`play_out` refuses what is not legal; of four deals, three have a contract given.

    Random partners bring the yardstick into positions that it would not come to by itself.
    """
    rules = rules_named(name)
    tables = Tables(rules, DEALS, seed=1_000_011)
    rows = np.flatnonzero((tables.phase == Phase.AUCTION) & (tables.columns.log_size == 0))
    rows = rows[rows % 4 > 0]
    contracts = np.array([Bid.GARDE, Bid.GARDE_SANS, Bid.GARDE_CONTRE])
    tables.force(rows, strongest_seats(tables, rows), contracts[rows % 4 - 1])
    lineup = (np.arange(DEALS)[:, None] + np.arange(rules.players)) % 2
    players = [Player(agent, np.random.default_rng(0)) for agent in (NaiveAgent(), partners)]
    play_out(tables, players, lineup, np.random.default_rng(1))
    assert (tables.scores.sum(1) == 0).all()
    assert players[0].decisions > 10 * DEALS


def test_a_taker_makes_more_of_its_cards_than_chance():
    """Garde to the strongest hand, three defenders who play at random."""
    at_random = HeuristicAgent(play="random")

    def scores(agent):
        tables = Tables(Rules.preset(), DEALS, seed=1_000_013)
        rows = np.flatnonzero(~tables.is_over)
        seats = strongest_seats(tables, rows)
        tables.force(rows, seats, Bid.GARDE)
        lineup = np.ones((DEALS, 4), np.int64)
        lineup[rows, seats] = 0
        rng = np.random.default_rng(2)
        play_out(tables, [Player(agent, rng), Player(at_random, rng)], lineup, rng)
        return tables.scores[rows, seats]

    gained = scores(NaiveAgent()) - scores(at_random)
    assert gained.mean() > 3 * gained.std() / len(gained) ** 0.5


# -- the golden deals


def test_golden_deals(request: pytest.FixtureRequest):
    text = golden_text(NaiveAgent(), Rules.preset(), DEALS)
    if request.config.getoption("--update-golden"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_the_golden_deals_hold_many_contracts():
    text = GOLDEN.read_text(encoding="utf-8")
    assert len(text.splitlines()) == DEALS
    for bid, number in (("petite", 100), ("garde,", 10), ("garde_sans", 1), ("not played", 10)):
        assert text.count(bid) >= number, bid


@pytest.mark.parametrize("game", GAMES)
def test_playing_on_is_answering_one_by_one(game: str) -> None:
    """In one compiled loop, from any moment to the end, the log included."""
    tables, rng = Tables(rules_of(game), 24, seed=3), np.random.default_rng(0)
    for step in range(60):
        if step % 12 == 0:
            quick, slow = tables.copy(), tables.copy()
            quick.threads = 2
            NaiveAgent().play_on(quick, np.arange(24)[step % 5 :])
            while len(live := np.flatnonzero(~slow.is_over & (np.arange(24) >= step % 5))):
                slow.step(NaiveAgent().act(slow.turn(live), rng), live)
            assert quick.is_over[step % 5 :].all()
            assert quick.state.tobytes() == slow.state.tobytes()
            assert np.array_equal(quick.events, slow.events)
            assert np.array_equal(quick.legal_sets(), slow.legal_sets())
        tables.step(tables.random_actions(rng))
