"""Agents that misbehave while they are asked."""

import numpy as np
import pytest

from agents.play import Player, play_out
from tarot_env import Rules, Tables, TarotError, cardsets


class Erases:
    name = "erases"

    def act(self, turn, rng):
        turn.legal[:] = 0
        return np.zeros(len(turn), np.int64)


class Leaves:
    name = "leaves"

    def act(self, turn, rng):
        raise SystemExit(2)


def played(agent, *, strict):
    tables = Tables(Rules.preset(), 3, seed=1)
    player = Player(agent, np.random.default_rng(0))
    lineup = np.zeros((3, 4), np.int64)
    play_out(tables, [player], lineup, np.random.default_rng(1), strict=strict)
    assert tables.is_over.all()
    return player


def test_an_agent_that_writes_to_its_turn_is_judged_by_what_was_legal():
    class EvenSo(Erases):
        def act(self, turn, rng):
            answer = cardsets.lowest(turn.legal).astype(np.int64)
            super().act(turn, rng)
            return answer

    assert played(EvenSo(), strict=True).illegal == 0
    assert played(Erases(), strict=False).illegal > 0


def test_an_exit_counts_as_failed():
    player = played(Leaves(), strict=False)
    assert player.failed == player.decisions
    with pytest.raises(TarotError, match="'leaves' called for an exit"):
        played(Leaves(), strict=True)
