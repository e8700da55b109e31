"""Copies of everything that holds a game, taken at any moment, go on exactly like the original."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import cloudpickle
import numpy as np
import pytest
from support.every_game import GAMES, rules_of

from tarot_env import Phase, Rules, Tables
from tarot_env.cards.actions import PASS
from tarot_env.observation import observation_layout, state_layout
from tarot_env.tables import FullInformation, Match, Turn

WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "cloudpickle": lambda thing: pickle.loads(cloudpickle.dumps(thing)),
}
OPTIONS: dict[str, dict[str, object]] = {"6": {}, "4": {"misere": True, "petit_sec": "optional"}}


def careful(tables: Tables, rng: np.random.Generator) -> np.ndarray:
    """Random answers; half of the bids that may be passes are."""
    actions = tables.random_actions(rng)
    may_pass = (tables.phase == Phase.AUCTION) & tables.legal_actions()[:, PASS]
    return np.where(may_pass & (rng.random(len(actions)) < 0.5), PASS, actions)


def moments(rules: Rules) -> list[Tables]:
    """Batches in each phase that comes, at its first moment and once later."""
    tables, found = Tables(rules, 12, seed=9), {}
    rng, step = np.random.default_rng(3), 0
    while not tables.is_over.all():
        for phase in set(tables.phase.tolist()):
            found.setdefault((phase, step // 25), tables.copy())
        tables.step(careful(tables, rng))
        step += 1
    return list(found.values())


def digest(tables: Tables) -> list[bytes]:
    """All that can be seen of tables: legal sets, turns, observations of every seat, scores."""
    rules, every = tables.rules, np.arange(tables.num_tables)
    seen = [tables.legal_actions().tobytes(), tables.scores.tobytes(), tables.deal_ids.tobytes()]
    for seat in range(rules.players):
        turn = tables.turn(every, np.full(len(every), seat))
        hidden = tables.hidden(every, np.full(len(every), seat))
        seen += [turn.records.tobytes(), turn.history.tobytes()]
        seen += [observation_layout(rules).encode(turn).tobytes()]
        seen += [state_layout(rules).encode(turn, hidden).tobytes()]
    return seen


def played_on(tables: Tables) -> list[bytes]:
    """What is seen on the way to the end, and of the deals that come next."""
    rng, seen = np.random.default_rng(1), digest(tables)
    for step in range(300):
        if tables.is_over.all():
            break
        tables.step(tables.random_actions(rng))
        if step % 7 == 0:
            seen += digest(tables)
    tables.reset()
    return seen + digest(tables)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_tables_go_on_like_the_original(game: str, way: str) -> None:
    taken = moments(rules_of(game, **OPTIONS.get(game, {})))
    assert len(taken) >= 4
    for tables in taken[:: max(1, len(taken) // 6)]:
        before = digest(tables)
        copied = WAYS[way](tables)
        if way == "copy":  # as of any object: the arrays are shared
            assert copied.state is tables.state
            copied = copied.copy()
        on = played_on(copied)
        assert digest(tables) == before, "the original noticed what happened to the copy"
        assert played_on(tables) == on


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_turns_and_full_information(game: str, way: str) -> None:
    rules = rules_of(game, **OPTIONS.get(game, {}))
    for tables in moments(rules):
        every = np.arange(tables.num_tables)
        viewers = np.maximum(tables.seat_to_act.astype(np.int64), 0)
        turn, hidden = tables.turn(every, viewers), tables.hidden(every, viewers)
        observation, state = observation_layout(rules), state_layout(rules)
        wanted = observation.encode(turn), state.encode(turn, hidden)
        other: Turn = WAYS[way](turn)
        full: FullInformation = WAYS[way](hidden)
        assert np.array_equal(other.records, turn.records)
        assert np.array_equal(full.records, hidden.records)
        assert np.array_equal(other.history, turn.history)
        assert np.array_equal(WAYS[way](observation).encode(other), wanted[0])
        assert np.array_equal(WAYS[way](state).encode(other, full), wanted[1])


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "cloudpickle"])
@pytest.mark.parametrize("game", GAMES)
def test_matches(game: str, way: str) -> None:
    rules, rng = rules_of(game), np.random.default_rng(2)
    match, tables = Match(rules, seed=4, deals=5), Tables(rules, 1, seed=4)
    while not match.is_over:
        match.deal_to(tables)
        step = 0
        while not tables.is_over[0]:
            if step in (0, 7, 50):
                before = match.totals.tolist()
                on = to_the_end(*WAYS[way]((match, tables)))
                assert match.totals.tolist() == before
                assert to_the_end(*WAYS[way]((match, tables))) == on
            tables.step(careful(tables, rng))
            step += 1
        match.note(tables)
    assert to_the_end(*WAYS[way]((match, tables))) == [match.totals.tolist(), match.winners]


def to_the_end(match: Match, tables: Tables) -> list[Any]:
    """What comes of a match in the middle of a deal."""
    rng = np.random.default_rng(1)
    while not match.is_over:
        while not tables.is_over[0]:
            tables.step(careful(tables, rng))
        match.note(tables)
        if not match.is_over:
            match.deal_to(tables)
    return [match.totals.tolist(), match.winners]
