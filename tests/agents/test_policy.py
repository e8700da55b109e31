"""The networks: suits are treated alike, and nothing but the flat input reaches them."""

import numpy as np
import pytest
import torch

from agents.neural.policy import Actor, Critic
from tarot_env import Rules, Tables
from tarot_env.observation import observation_layout, state_layout
from tarot_env.tables.turn import unpermute_actions

RULES = Rules.preset()


def midway(steps):
    """Turns of 64 tables some way into their deals, with a renaming of suits for each."""
    tables, rng = Tables(RULES, 64, seed=3), np.random.default_rng(0)
    for _ in range(steps):
        tables.step(tables.random_actions(rng))
    rows = np.flatnonzero(~tables.is_over)
    suits = rng.permuted(np.tile(np.arange(4), (len(rows), 1)), axis=1)
    return tables, tables.turn(rows), rows, suits


def roughened(network):
    """The network with weights far from their start, so that every input matters."""
    with torch.random.fork_rng():
        torch.manual_seed(1)
        for parameter in network.parameters():
            torch.nn.init.normal_(parameter, std=0.1)
    return network


@pytest.mark.parametrize("steps", [0, 6, 30, 60])
def test_renaming_the_suits_renames_the_choice_and_nothing_else(steps):
    layout = observation_layout(RULES)
    actor = roughened(Actor(layout, [32, 32]))
    _, turn, _, suits = midway(steps)
    with torch.no_grad():
        plain = ask(actor, layout.encode(turn)).numpy()
        renamed = ask(actor, layout.encode(turn.permute_suits(suits))).numpy()
    for action in range(95):
        here = unpermute_actions(np.full(len(turn), action), suits)
        assert np.allclose(renamed[:, action], plain[np.arange(len(turn)), here], atol=1e-4)


def ask(network, flat):
    return network(torch.from_numpy(network.arrange(flat)))


def test_the_critic_does_not_care_how_suits_are_called():
    layout = state_layout(RULES)
    critic = roughened(Critic(layout, [32]))
    tables, turn, rows, suits = midway(30)
    hidden = tables.hidden(rows, turn.seat.astype(np.int64))
    with torch.no_grad():
        plain = ask(critic, layout.encode(turn, hidden))
        flat = layout.encode(turn.permute_suits(suits), hidden.permute_suits(suits))
        renamed = ask(critic, flat)
    assert torch.allclose(plain, renamed, atol=1e-4)


@pytest.mark.parametrize("layout", [observation_layout(RULES), state_layout(RULES)])
def test_every_entry_belongs_to_one_suit_or_to_none(layout):
    entries = np.concatenate([layout.suit_columns.reshape(-1), layout.other_columns])
    assert sorted(entries.tolist()) == list(range(layout.size))


def test_a_plain_network_cares_how_suits_are_called():
    layout = observation_layout(RULES)
    actor = roughened(Actor(layout, [32], "plain"))
    _, turn, _, suits = midway(30)
    with torch.no_grad():
        plain = ask(actor, layout.encode(turn))
        renamed = ask(actor, layout.encode(turn.permute_suits(suits)))
    trumps = slice(56, 95)
    assert not torch.allclose(plain[:, trumps], renamed[:, trumps], atol=1e-2)


@pytest.mark.parametrize("network", ["suits", "plain"])
def test_an_untrained_actor_chooses_almost_evenly(network):
    layout = observation_layout(RULES)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        actor = Actor(layout, [32, 32], network)
    _, turn, _, _ = midway(30)
    with torch.no_grad():
        logits = ask(actor, layout.encode(turn))
    assert logits.abs().max() < 0.5
