"""Running tables: who is asked in which game, and agents that misbehave while they are asked."""

import numpy as np
import pytest
from support.cheaters import FailsOnOdd, Highest, Liar, Peeps, Vandal
from support.every_game import GAMES, rules_of

from agents.baselines.uniform import UniformAgent
from agents.play import Player, play_out, step_players
from tarot_env import Rules, Tables, TarotError
from tarot_env.cards import cardsets
from tarot_env.core.seating import SEATINGS


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
    speaker = SEATINGS[game].speakers[tables.columns.dealer[rows], 0]
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


# -- agents that see all hands


def history_of(agent, *, strict=True):
    """What is played on eight deals with random players in the other seats, and the player."""
    tables = Tables(Rules.preset(), 8, seed=1_000_003)
    rows = np.flatnonzero(~tables.is_over)
    tables.force(rows, tables.seat_to_act[rows], 4)
    players = [Player(agent, np.random.default_rng(0)), Player(UniformAgent(), tables_rng())]
    lineup = np.tile([0, 1, 1, 0], (8, 1))
    play_out(tables, players, lineup, np.random.default_rng(1), strict=strict)
    return tables.columns.log.copy(), players[0]


def tables_rng():
    return np.random.default_rng(5)


def test_an_agent_that_cheats_is_handed_all_hands_of_its_tables():
    agent = Peeps()
    tables = Tables(Rules.preset(), 4, seed=1_000_005)
    asked = np.array([1, 3])
    lineup = np.ones((4, 4), np.int64)
    lineup[asked, tables.seat_to_act[asked]] = 0
    players = [Player(agent, tables_rng()), Player(UniformAgent(), tables_rng())]
    hands = tables.columns.hands[asked]
    step_players(tables, players, lineup, tables_rng())
    ((handed, deal_ids, seen),) = agent.asked
    assert deal_ids.tolist() == asked.tolist()
    assert handed.num_tables == len(asked)
    assert (seen == hands).all()
    assert (cardsets.count(seen) == 18).all()
    assert players[0].decisions == len(asked)


def test_what_a_cheating_agent_does_to_its_tables_nobody_notices():
    log, _ = history_of(Highest())
    ruined, player = history_of(Vandal())
    assert (log == ruined).all()
    assert player.decisions > 8 * 18


def test_a_cheating_agent_that_fails_is_asked_again_about_each_untouched_table():
    _, player = history_of(FailsOnOdd(), strict=False)
    assert player.errors == ["RuntimeError: no idea"]
    assert 0 < player.failed < player.decisions
    with pytest.raises(RuntimeError, match="no idea"):
        history_of(FailsOnOdd())


def test_a_cheating_agent_must_answer_what_is_legal():
    _, player = history_of(Liar(), strict=False)
    assert player.illegal == player.decisions > 0
    with pytest.raises(TarotError, match="'liar' answered 94, which is not legal"):
        history_of(Liar())
