"""Running tables: who is asked in which game, and agents that misbehave while they are asked."""

import numpy as np
import pytest
from every_game import GAMES, rules_of

from agents.play import Player, play_out
from tarot_env import Rules, Tables, TarotError, cardsets
from tarot_env.seating import SEATINGS


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


class Remembers:
    """Plays at random and remembers which seats and hands it was asked for."""

    name = "remembers"

    def __init__(self):
        self.seats, self.hands = set(), set()

    def act(self, turn, rng):
        self.seats |= set(turn.seat.tolist())
        self.hands |= set(turn.to_act.tolist())
        return cardsets.random_member(turn.legal, rng)


@pytest.mark.parametrize("game", GAMES)
def test_each_player_is_asked_for_its_own_seats(game):
    """The defender is asked for the dummy too; a dealer who sits out is never asked."""
    rules = rules_of(game)
    agents = [Remembers() for _ in range(rules.players)]
    tables = Tables(rules, 4 * rules.players, seed=1)
    rows = np.flatnonzero(~tables.is_over)
    speaker = SEATINGS[game].speakers[tables.state.dealer[rows], 0]
    tables.force(rows, speaker, 4)
    lineup = np.tile(np.arange(rules.players), (tables.num_tables, 1))
    players = [Player(agent, np.random.default_rng(0)) for agent in agents]
    play_out(tables, players, lineup, np.random.default_rng(1))
    for seat, agent in enumerate(agents):
        assert agent.seats == {seat}
        assert agent.hands == ({0, 2} if game == "dummy" else {0})
    decisions = sum(player.decisions for player in players)
    assert decisions >= len(rows) * rules.tricks * rules.cards_per_trick


def test_a_dealer_who_sits_out_is_not_asked():
    rules = rules_of("mort")
    tables = Tables(rules, 1, seed=1)
    agents = [Remembers() for _ in range(5)]
    players = [Player(agent, np.random.default_rng(0)) for agent in agents]
    play_out(tables, players, np.arange(5)[None], np.random.default_rng(1))
    assert [player.decisions > 0 for player in players] == [False, True, True, True, True]
