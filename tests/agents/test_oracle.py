"""The yardstick that sees all hands: legal everywhere, and right because it sees them."""

import numpy as np
import pytest
from support.constructed import answer, ending, say
from support.every_game import GAMES, rules_of
from support.leak_checks import positions

from agents.base import CheatingAgent, ExplainingCheatingAgent, cheats
from agents.baselines.oracle import OracleAgent
from agents.registry import make_agent, make_fair_agent
from tarot_env import Tables, TarotError
from tarot_env.cards.actions import action_text

SPADE = {0: "D2 SK HK", 1: "D3 C2 H2", 2: "D4 C3 C4", 3: "DK T5 S2"}
HEART = {0: "D2 SK HK", 1: "D3 C2 S2", 2: "D4 C3 C4", 3: "DK T5 H2"}


def explained(tables):
    (told,) = OracleAgent().explain_on(tables, np.array([0]), np.random.default_rng(0))
    return {action_text(one.action): one for one in told}


@pytest.mark.parametrize(("hands", "right", "wrong"), [(SPADE, "HK", "SK"), (HEART, "SK", "HK")])
def test_it_throws_away_the_king_that_only_the_hidden_hands_tell(hands, right, wrong):
    """Seat 3 leads its trump and then the 2 of a suit; the king of that suit wins it."""
    tables = say(ending(hands, leader=0, taker=0), "D2 D3 D4 DK T5")
    (chosen,) = OracleAgent().act_on(tables, np.array([0]), np.random.default_rng(0))
    assert action_text(int(chosen)) == right
    told = explained(tables)
    assert list(told) == [right, wrong]
    assert told[right].mean > told[wrong].mean
    assert np.isnan([told[right].low, told[right].high]).all()
    for card, one in told.items():
        end = say(tables.copy(), card)
        while not end.is_over[0]:
            say(end, answer(end))
        assert end.scores[0, 0] == one.mean


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_answer_is_legal_and_the_tables_stay(game):
    preset = rules_of(game).preset_name
    agent, asked = OracleAgent(), 0
    for step, tables in enumerate(positions("oracle", 12, preset, game, {})):
        rows = np.flatnonzero(~tables.is_over)[:3]
        if len(rows) and (step < 6 or step % 12 == 0):
            before = {name: array.copy() for name, array in tables.arrays().items()}
            chosen = agent.act_on(tables, rows, np.random.default_rng(1))
            again = agent.explain_on(tables, rows, np.random.default_rng(1))
            assert tables.legal_actions()[rows, chosen].all()
            assert chosen.tolist() == [told[0].action for told in again]
            assert all(np.array_equal(before[name], now) for name, now in tables.arrays().items())
            asked += 1
    assert asked > 8


def test_it_declares_that_it_cheats():
    agent = make_agent("oracle")
    assert isinstance(agent, CheatingAgent)
    assert isinstance(agent, ExplainingCheatingAgent)
    assert cheats(agent)
    with pytest.raises(TarotError, match="'oracle' sees all hands; training takes agents that do"):
        make_fair_agent("oracle", "training")
    no_rows = np.array([], np.int64)
    tables = Tables(rules_of("4"), 1, seed=1_000_001)
    assert agent.act_on(tables, no_rows, np.random.default_rng(0)).shape == (0,)
    assert agent.explain_on(tables, no_rows, np.random.default_rng(0)) == []
