"""The last tricks: the next own choice is one for all deals that look the same to the seat."""

from dataclasses import replace

import numpy as np
import pytest
from support.constructed import ending
from support.endings import endings, minimax

from agents.base import Agent, RowAgent
from agents.heuristic import HeuristicAgent
from agents.search.candidates import candidates_of
from agents.search.endings import ending_scores
from agents.search.rollouts import Games
from tarot_env import Rules, Tables, beliefs
from tarot_env.cards import cardsets
from tarot_env.cards.actions import parse_card

RNG = np.random.default_rng(0)
"""The policies here draw nothing from it."""
HIGHEST = RowAgent("highest", lambda turn, rng: int(cardsets.highest(turn.legal)[0]))
"""Plays trumps before suits and high cards first."""

# -- a guess that cannot be put off
#
# Seat 0 loses the D2 to seat 3, who leads its trump. Seat 0 then throws one of its kings away; the
# other wins the last trick if seat 3 has the 2 of that suit, and it cannot know of which.

SPADE = {0: "D2 SK HK", 1: "D3 C2 H2", 2: "D4 C3 C4", 3: "DK T5 S2"}
HEART = {0: "D2 SK HK", 1: "D3 C2 S2", 2: "D4 C3 C4", 3: "DK T5 H2"}


def guess(worlds: list[dict[int, str]]) -> Games:
    """The lead of the D2 in worlds that look the same to seat 0."""
    tables = [ending(hands, leader=0, taker=0) for hands in worlds]
    state = tables[0].columns.take(np.zeros(len(worlds), np.int64))
    for number, table in enumerate(tables):
        state.hands[number] = table.columns.hands[0]
    together = Tables.of_state(tables[0].rules, state.records, state.events)
    lead = np.full(len(worlds), parse_card("D2"))
    nothing = np.zeros((len(worlds), 2), np.uint64)
    return Games(together, lead, nothing, np.zeros(len(worlds), np.int64))


@pytest.mark.parametrize("often", [SPADE, HEART])
def test_a_guess_is_right_where_the_cards_are_more_often(often: dict[int, str]) -> None:
    rare = HEART if often is SPADE else SPADE
    known = ending_scores(guess([often, rare, often]), np.arange(3), HIGHEST, RNG)
    guessed = ending_scores(guess([often, rare, often]), np.zeros(3, np.int64), HIGHEST, RNG)
    assert (known == known[0]).all(), "whoever knew the cards would always win the last trick"
    assert guessed[[0, 2]].tolist() == known[[0, 2]].tolist()
    assert guessed[1] < known[1]


def test_worlds_of_other_questions_are_not_guessed_together() -> None:
    alone = ending_scores(guess([SPADE, HEART]), np.arange(2), HIGHEST, RNG)
    pairs = ending_scores(guess([SPADE, HEART, SPADE, HEART]), np.array([0, 1, 0, 1]), HIGHEST, RNG)
    assert pairs.tolist() == [*alone, *alone]


# -- against plain enumeration


def enumerated(games: Games, groups: np.ndarray, policy: Agent) -> np.ndarray:
    """Points of the seats: world by world, and every line of play to the end."""
    points = np.zeros(len(groups))
    alike: dict[tuple[int, bytes], list[tuple[int, Tables]]] = {}
    for number, seat in enumerate(games.seat.tolist()):
        table = games.tables.take(np.array([number]))
        table.step(games.action[[number]])
        while not table.is_over[0] and table.seat_to_act[0] != seat:
            table.step(policy.act(table.turn(), RNG))
        if table.is_over[0]:
            points[number] = table.scores[0, seat]
        else:
            key = int(groups[number]), table.columns.history[0].tobytes()
            alike.setdefault(key, []).append((number, table))
    for members in alike.values():
        values = np.array([minimax(table)[0] for _, table in members], object)
        shares = np.array([share(table, int(games.seat[number])) for number, table in members])
        legal = members[0][1].legal_actions()[0, :78]
        worth = np.where(legal, (np.sign(shares)[:, None] * values).sum(0), -(10**30))
        card = int(worth.argmax())
        for (number, _), mine, value in zip(members, shares, values[:, card], strict=True):
            points[number] = mine * value / 2
    return points


def share(table: Tables, seat: int) -> int:
    """How often a seat gets what each defender pays."""
    taker, partner = int(table.taker[0]), int(table.partner[0])
    defenders = table.rules.players - (1 if partner < 0 else 2)
    if seat == partner:
        return 1
    if seat == taker:
        return defenders - (partner >= 0)
    return -1


@pytest.mark.parametrize(
    ("players", "left", "number"), [(3, 2, 12), (3, 3, 6), (4, 2, 10), (4, 3, 4), (5, 2, 8)]
)
def test_scores_are_those_of_enumeration(players: int, left: int, number: int) -> None:
    tables = endings(Rules.preset("fft", players=players), left, number, seed=left)
    turn, policy, worlds = tables.turn(), HeuristicAgent(), 5
    found = candidates_of(turn, policy.act(turn, RNG), 3)
    imagined = beliefs.sample_worlds(turn, worlds, np.random.default_rng(1))
    group = np.repeat(np.arange(len(found)), worlds)
    row = found.row[group]
    rows = row * worlds + np.tile(np.arange(worlds), len(found))
    games = Games(
        beliefs.tables_from(turn, imagined).take(rows),
        found.action[group],
        found.plan[group],
        turn.seat[row].astype(np.int64),
    )
    again = replace(games, tables=games.tables.copy())
    expected = enumerated(games, group, policy)
    assert len(set(expected.tolist())) > 3
    assert ending_scores(again, group, policy, RNG).tolist() == expected.tolist()
