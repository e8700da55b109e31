"""No leak: whatever a seat cannot see may change, and what it is told stays byte-equal.

Two ways to change it: the arrays of the state are scrambled without regard for sense, and
`shuffle_hidden` plays the deal again with other hidden cards. Planted leaks must be found.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from lockstep import Pair, as_set, draw_options, drawn_batch, written

from agents.base import Agent
from agents.registry import make_agent
from tarot_env import Phase, Rules, Tables, Turn, cardsets, turn
from tarot_env.cards import NUM_CARDS
from tarot_env.observation import observation_layout, state_layout
from tarot_env.state import State
from tarot_env.testing import shuffle_hidden
from tarot_env.turn import ARRAY_NAMES

View = Callable[[Tables, np.ndarray, np.ndarray], list[bytes]]


def view_turn(tables: Tables, rows: np.ndarray, viewers: np.ndarray) -> list[bytes]:
    """Every field of the turns, its mask, and dtype."""
    found = tables.turn(rows, viewers)
    arrays = [getattr(found, name) for name in ARRAY_NAMES] + [found.legal_mask]
    return [array.dtype.str.encode() + array.tobytes() for array in arrays]


def view_observation(tables: Tables, rows: np.ndarray, viewers: np.ndarray) -> list[bytes]:
    return [observation_layout(tables.rules).encode(tables.turn(rows, viewers)).tobytes()]


def view_oracle(tables: Tables, rows: np.ndarray, viewers: np.ndarray) -> list[bytes]:
    """What an observation would be that held features of the critic's."""
    found, hidden = tables.turn(rows, viewers), tables.hidden(rows, viewers)
    return [state_layout(tables.rules).encode(found, hidden).tobytes()]


# --- The state, scrambled without regard for sense


def scrambled(tables: Tables, row: int, viewer: int, rng: np.random.Generator) -> Tables:
    """One table with everything that the viewer cannot see replaced.

    Cards in hidden places change places, trumps that were shown excepted; names of the deal, the
    log and the pack become noise; another seat that is about to play may
    just as well be putting a poignée together.
    """
    other = tables.copy()
    other.state = state = tables.state.take(np.array([row]))
    row = 0
    state.deal_id[row] = rng.integers(1000)
    state.forced[row] = rng.random() < 0.5
    state.pack[row] = rng.permutation(NUM_CARDS)
    state.log[row] = rng.integers(-1, 78, state.log[row].shape)
    state.log_size[row] = rng.integers(100)

    acting = int(state.seat[row])
    for seat in range(4):
        if seat != viewer:
            state.withheld[row, seat] = as_set([f"T{number}" for number in rng.integers(1, 22, 3)])
    if acting != viewer:
        state.poignee_declared[row] = rng.integers(4)
        if state.phase[row] in (Phase.POIGNEE, Phase.WITHHOLD, Phase.PLAY):
            state.phase[row] = rng.choice([Phase.POIGNEE, Phase.WITHHOLD, Phase.PLAY])
    scramble_cards(other, row, viewer, rng)
    other._legal = None
    return other


def scramble_cards(tables: Tables, row: int, viewer: int, rng: np.random.Generator) -> None:
    state = tables.state
    bought = state.phase[row] > Phase.AUCTION and 0 < state.contract[row] <= 3
    bought |= state.phase[row] == Phase.OVER and state.contract[row] > 0
    piles = [state.hands[row, seat] for seat in range(4) if seat != viewer]
    if not bought:
        piles.append(state.chien[row])
    if state.taker[row] != viewer:
        piles.append(state.ecart[row, 0])
    movable = [
        [card for card in cardsets.to_ids(pile) if pile is not piles[-1] or card < 56]
        if state.taker[row] != viewer
        else cardsets.to_ids(pile)
        for pile in piles
    ]
    ecart_size = len(movable[-1]) if state.taker[row] != viewer else 0
    pool = [card for pile in movable for card in pile]
    pool = [int(card) for card in rng.permutation(pool)]
    plain_first = sorted(pool, key=lambda card: card >= 56)
    for pile, old in reversed(list(zip(piles, movable, strict=True))):
        source = plain_first if ecart_size and pile is piles[-1] else pool
        new = source[: len(old)]
        pool = [card for card in pool if card not in new]
        pile &= ~cardsets.from_ids(old)
        pile |= cardsets.from_ids(new)


def check_scrambled(tables: Tables, rng: np.random.Generator, view: View, rows: np.ndarray) -> None:
    for row in rows:
        for viewer in range(4):
            at = np.array([row]), np.array([viewer])
            other = scrambled(tables, int(row), viewer, rng)
            there = np.array([0]), np.array([viewer])
            assert view(tables, *at) == view(other, *there), (row, viewer)


# --- The deal, played again with other cards


def check_shuffled(tables: Tables, rng: np.random.Generator, view: View, rows: np.ndarray) -> None:
    rows = np.repeat(rows, 4)
    viewers = np.tile(np.arange(4), len(rows) // 4)
    other = shuffle_hidden(tables, rows, viewers, rng)
    assert view(tables, rows, viewers) == view(other, np.arange(len(rows)), viewers)


def positions(name: str, size: int, **options: object) -> Iterator[Tables]:
    """Tables of a drawn batch before each of their steps, and at the end."""
    tables = drawn_batch(name, size, options).tables
    rng = np.random.default_rng(size)
    while not tables.is_over.all():
        yield tables
        tables.step(tables.random_actions(rng))
    yield tables


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2))
def test_scrambled_state(number: int) -> None:
    options = draw_options(random.Random(f"leak {number}")) if number else {}
    rng = np.random.default_rng(number)
    phases = set()
    for tables in positions(f"scrambled {number}", 40, **options):
        rows = rng.choice(40, 2, replace=False)
        secret = np.flatnonzero(np.isin(tables.phase, (Phase.POIGNEE, Phase.WITHHOLD)))[:3]
        rows = np.concatenate([rows, secret])
        phases |= {Phase(phase).name for phase in tables.phase[rows]}
        check_scrambled(tables, rng, view_turn, rows)
        check_scrambled(tables, rng, view_observation, rows[:1])
    assert phases == {"AUCTION", "DISCARD", "SLAM", "POIGNEE", "WITHHOLD", "PLAY", "OVER"}


@pytest.mark.slow
def test_shuffled_deals() -> None:
    rng = np.random.default_rng(5)
    moved = 0
    phases = set()
    for step, tables in enumerate(positions("shuffled", 48)):
        if step > 20 and step % 12:
            continue
        secret = np.flatnonzero(np.isin(tables.phase, (Phase.POIGNEE, Phase.WITHHOLD)))[:4]
        rows = np.concatenate([rng.choice(48, 5, replace=False), secret])
        phases |= {Phase(phase).name for phase in tables.phase[rows]}
        check_shuffled(tables, rng, view_turn, rows)
        check_shuffled(tables, rng, view_observation, rows)
        other = shuffle_hidden(tables, rows, np.zeros(len(rows), np.int64), rng)
        moved += int((other.state.hands != tables.state.hands[rows]).any((1, 2)).sum())
    assert moved > 60
    assert {"AUCTION", "DISCARD", "SLAM", "POIGNEE", "WITHHOLD", "PLAY"} <= phases


# --- The poignée threshold


def threshold_deal(ten: bool) -> tuple[list[list[str]], list[str], int]:
    """Seat 1 has ten trumps, or nine; seats 0 and 2 hold the same cards in both."""
    second, fourth = ("T2-11 D1-8", "D9-K C3-K") if ten else ("T2-10 D1-9", "D10-K T11 C3-K")
    return written("S1-K H1-4", second, "H5-K T13-19 C1", fourth, "T1 T12 T20 T21 EX C2")


@pytest.mark.parametrize("viewer", [0, 2])
def test_nobody_hears_that_ten_trumps_are_held(viewer: int) -> None:
    """Two deals that differ in whether seat 1 is asked; also when it has declined."""
    asked, other = (Pair(threshold_deal(ten), (0, "garde_sans")) for ten in (True, False))
    for pair in (asked, other):
        pair.say("pass S1")
    assert (asked.phase, other.phase) == ("POIGNEE", "PLAY")
    at = np.array([0]), np.array([viewer])
    for view in (view_turn, view_observation):
        assert view(asked.tables, *at) == view(other.tables, *at)
    asked.say("pass")
    for view in (view_turn, view_observation):
        assert view(asked.tables, *at) == view(other.tables, *at)
    for pair in (asked, other):
        pair.say("T2")
    for view in (view_turn, view_observation):
        assert view(asked.tables, *at) == view(other.tables, *at)


@pytest.mark.parametrize("viewer", [0, 2, 3])
def test_nobody_hears_of_a_poignee_before_it_is_shown(viewer: int) -> None:
    """Nor which trump is withheld, nor how it was before the last one."""
    deal = written("S1-K H1-4", "T2-13 D1-6", "H5-K T14-20 C1", "D7-K C2-J", "T1 T21 EX CN-K")
    pair = Pair(deal, (0, "garde_sans")).say("pass S1")
    at = np.array([0]), np.array([viewer])
    quiet = view_turn(pair.tables, *at)
    for answer in ("poignee", "T2"):
        pair.say(answer)
        assert pair.phase == "WITHHOLD"
        assert view_turn(pair.tables, *at) == quiet
    pair.say("T13")
    assert pair.phase == "PLAY"
    shown = pair.turn(viewer).poignee_cards[0, (1 - viewer) % 4]
    assert (shown == as_set([f"T{number}" for number in range(3, 13)])).all()
    assert not cardsets.count(pair.turn(viewer).withheld)[0]


@pytest.mark.parametrize("viewer", [1, 2, 3])
def test_the_ecart_is_secret(viewer: int) -> None:
    """Two écarts of the same deal, of plain cards: the same view, until a card shows."""
    deal = written("T1-8 S1-10", "SJ-K H1-K", "T9-17 D1-9", "D10-K C1-10 T18-20", "T21 EX CJ-K")
    one, two = (Pair(deal, (0, "garde")).say(cards) for cards in ("S1-6", "S5-10"))
    at = np.array([0]), np.array([viewer])
    for view in (view_turn, view_observation):
        assert view(one.tables, *at) == view(two.tables, *at)
    at = np.array([0]), np.array([0])
    assert view_turn(one.tables, *at) != view_turn(two.tables, *at)


# --- Agents


def answers(agent: Agent) -> View:
    def view(tables: Tables, rows: np.ndarray, viewers: np.ndarray) -> list[bytes]:
        seen = tables.turn(rows, viewers)
        return [np.asarray(agent.act(seen, np.random.default_rng(1))).tobytes()]

    return view


def check_agent_is_blind(view: View, name: str) -> None:
    rng = np.random.default_rng(6)
    for step, tables in enumerate(positions(name, 60)):
        if step % 4 == 0 or step < 16:
            rows = np.flatnonzero(~tables.is_over)[:16]
            seats = tables.seat_to_act[rows]
            other = shuffle_hidden(tables, rows, seats, rng)
            assert view(tables, rows, seats) == view(other, np.arange(len(rows)), seats)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random", "heuristic"])
def test_agents_answer_the_same(name: str) -> None:
    check_agent_is_blind(answers(make_agent(name)), f"agents {name}")


# --- Planted leaks: the checks above must fail on each


def expect_found(check: Callable[..., None], view: View = view_turn) -> None:
    """The check finds the leak somewhere in a batch of deals."""
    rng = np.random.default_rng(7)

    def check_all() -> None:
        for tables in positions("planted", 40):
            secret = np.flatnonzero(np.isin(tables.phase, (Phase.POIGNEE, Phase.WITHHOLD)))
            check(tables, rng, view, np.concatenate([np.arange(0, 40, 6), secret]))

    with pytest.raises(AssertionError):
        check_all()


CHECKS = [
    pytest.param(check_scrambled, id="scrambled"),
    pytest.param(check_shuffled, id="shuffled"),
]
LEAKS: dict[str, Callable[[State, np.ndarray, np.ndarray], dict[str, Any]]] = {
    "chien of a garde sans": lambda state, rows, viewers: {"chien": state.chien[rows]},
    "ecart": lambda state, rows, viewers: {"ecart": state.ecart[rows, 0]},
    "true phase": lambda state, rows, viewers: {"phase": state.phase[rows]},
    "withheld": lambda state, rows, viewers: {
        "withheld": np.bitwise_or.reduce(state.withheld[rows], axis=1)
    },
    "poignee declared": lambda state, rows, viewers: {
        "poignee_declared": state.poignee_declared[rows]
    },
    "one bit of a hand": lambda state, rows, viewers: {"void": _with_petit(state, rows, viewers)},
    "count of decisions": lambda state, rows, viewers: {"history_size": state.log_size[rows]},
}


def _with_petit(state: State, rows: np.ndarray, viewers: np.ndarray) -> np.ndarray:
    void: np.ndarray = state.void[rows[:, None], (viewers[:, None] + np.arange(4)) % 4]
    nextto = state.hands[rows, (viewers + 1) % 4]
    void[:, 1, 0] ^= ~cardsets.is_empty(nextto & cardsets.PETIT)
    return void


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("leak", LEAKS)
def test_planted_leaks_are_found(
    leak: str, check: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = turn.make_turn

    def leaking(
        state: State, rows: np.ndarray, viewers: np.ndarray, legal: np.ndarray, rules: Rules
    ) -> Turn:
        told = honest(state, rows, viewers, legal, rules)
        return replace(told, **LEAKS[leak](state, rows, np.asarray(viewers)))

    monkeypatch.setattr(turn, "make_turn", leaking)
    expect_found(check)


@pytest.mark.parametrize("check", CHECKS)
def test_oracle_features_are_found(check: Callable[..., None]) -> None:
    expect_found(check, view_oracle)


def test_a_cheating_agent_is_found() -> None:
    """It answers by the cards of its left neighbour."""

    def view(tables: Tables, rows: np.ndarray, viewers: np.ndarray) -> list[bytes]:
        return [cardsets.lowest(tables.state.hands[rows, (viewers + 1) % 4]).tobytes()]

    with pytest.raises(AssertionError):
        check_agent_is_blind(view, "cheat")


def test_the_turn_is_what_is_compared() -> None:
    assert "legal" in ARRAY_NAMES
    assert Turn.__dataclass_fields__.keys() - {"rules"} == set(ARRAY_NAMES)
