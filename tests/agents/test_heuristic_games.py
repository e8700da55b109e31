"""The heuristic in every game and rule book: legal, deterministic, better than random."""

import numpy as np
import pytest
from support.every_game import GAMES, HOUSE_RULES, PAIRS, rules_by, rules_of

from agents.hand_strength import hand_points, known_cards, strongest_seats
from agents.heuristic import HeuristicAgent
from agents.heuristic.calibration import dealt
from agents.play import Player, play_out
from tarot_env import Tables
from tarot_env.cards.actions import Bid
from tarot_env.core.seating import SEATINGS
from tarot_env.core.state import attackers
from tarot_env.testing import check_agent


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_a_good_agent_by_every_rule_book(preset, game):
    check_agent(HeuristicAgent(), rules_by(preset, game), deals=4, seed=1_000_003)


@pytest.mark.slow
@pytest.mark.parametrize("name", HOUSE_RULES)
def test_a_good_agent_by_house_rules(name):
    preset, game, options = HOUSE_RULES[name]
    check_agent(HeuristicAgent(), rules_by(preset, game, **options), deals=5, seed=1_000_005)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("agent", [HeuristicAgent(play="random"), HeuristicAgent(bid="pass")])
def test_options_are_legal_in_every_game(game, agent):
    """`play_out` refuses what is not legal."""
    rules = rules_of(game)
    tables, rows = dealt(rules, 60, 1_000_007)
    if agent.play == "random":
        tables.force(rows, strongest_seats(tables, rows), int(Bid.GARDE))
    played(tables, [agent], np.zeros((60, rules.players), np.int64))
    assert (tables.scores.sum(1) == 0).all()
    assert (tables.taker[rows] >= 0).all() == (agent.play == "random")


def played(tables: Tables, agents: list, lineup: np.ndarray) -> Tables:
    rng = np.random.default_rng(1)
    play_out(tables, [Player(agent, rng) for agent in agents], lineup, rng)
    return tables


# -- strength


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_both_sides_beat_random_card_play(game):
    """Garde for the strongest hand of fixed deals; what a side gains by playing by the rules."""
    rules, deals = rules_of(game), 120
    agents = [HeuristicAgent(), HeuristicAgent(play="random")]

    def score(lineup):
        tables, rows = dealt(rules, deals, 1_000_009)
        tables.force(rows, strongest_seats(tables, rows), int(Bid.GARDE))
        played(tables, agents, lineup)
        return tables, tables.scores[rows, tables.taker[rows]]

    base, at_random = score(np.ones((deals, rules.players), np.int64))
    attack = attackers(base.columns, np.arange(deals))[:, : rules.players]
    for lineup, sign in ((np.where(attack, 0, 1), 1), (np.where(attack, 1, 0), -1)):
        gained = sign * (score(lineup)[1] - at_random)
        assert gained.mean() > 3 * gained.std() / len(gained) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("bid", ["table", "scale"])
@pytest.mark.parametrize("game", GAMES)
def test_free_contracts_are_made_more_often_than_not(game, bid):
    tables = Tables(rules_of(game), 400, seed=1_000_011)
    played(tables, [HeuristicAgent(bid=bid)], np.zeros((400, tables.rules.players), np.int64))
    taken = tables.taker >= 0
    assert taken.mean() > 0.3
    assert tables.made[taken].mean() > 0.5


# -- evaluation


@pytest.mark.parametrize("game", GAMES)
def test_the_strongest_seat_of_every_game(game):
    rules = rules_of(game)
    tables, rows = dealt(rules, 60, 1_000_013)
    found = strongest_seats(tables, rows)
    assert found.min() >= 0
    assert found.max() < rules.players
    if rules.dead_hand:
        assert (found != tables.columns.dealer[rows]).all()
    for row, seat in zip(rows, found, strict=True):
        order = SEATINGS[game].speakers[tables.columns.dealer[row]].tolist()
        points = hand_points(tables.columns.hands[row], known_cards(rules)).tolist()
        assert seat == max(order, key=lambda s: points[s])
