"""How much work the core does: calls, memory and their growth with the number of tables.

Calls are counted, not timed, so that the tests say the same on every machine: those of named
functions and methods, for nobody sees operators, indexing and ufuncs go by.
"""

import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.every_game import GAMES, rules_of

from agents.hand_strength import strongest_seats
from tarot_env import Bid, Rules, Tables
from tarot_env.observation import observation_layout


def calls(work: Callable[[], object]) -> int:
    """Calls of functions, Python's and numpy's, that some work makes."""
    number = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal number
        number += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return number


@pytest.fixture(autouse=True)
def signatures_go_unchecked(request: pytest.FixtureRequest) -> None:
    """Where arguments are checked at run time, the checks would be counted too."""
    if request.config.getoption("--jaxtyping-packages", default=None):
        pytest.skip("signatures are checked at run time")


def in_play(rules: Rules, num_tables: int, steps: int) -> Tables:
    """Tables some random steps behind the auction, the best hand playing a garde."""
    tables = Tables(rules, num_tables, seed=3)
    rng = np.random.default_rng(0)
    rows = np.flatnonzero(~tables.is_over)
    tables.force(rows, strongest_seats(tables, rows), Bid.GARDE)
    for _ in range(steps):
        tables.step(tables.random_actions(rng))
    return tables


def a_deal(rules: Rules, num_tables: int) -> tuple[int, int]:
    """Calls of whole deals at so many tables, and the steps that they took."""
    steps = 0

    def play() -> None:
        nonlocal steps
        tables = in_play(rules, num_tables, 0)
        rng = np.random.default_rng(1)
        while not tables.is_over.all():
            tables.step(tables.random_actions(rng))
            steps += 1

    return calls(play), steps


@pytest.mark.parametrize("game", GAMES)
def test_calls_do_not_grow_with_the_tables(game: str) -> None:
    rules = rules_of(game)
    few, few_steps = a_deal(rules, 64)
    many, many_steps = a_deal(rules, 640)
    assert many / many_steps < 1.25 * few / few_steps


def test_dealing_takes_the_same_calls_for_any_number_of_deals() -> None:
    few, many = Tables(Rules.preset(), 16, seed=1), Tables(Rules.preset(), 1600, seed=1)
    assert calls(many.reset) <= calls(few.reset) + 20


def test_scattered_deals_take_few_calls_each() -> None:
    tables = Tables(Rules.preset(), 64, seed=1)
    ids = np.arange(64) * 1000

    def reset(number: int) -> int:
        return calls(lambda: tables.reset(np.arange(number), ids[:number]))

    assert reset(64) - reset(1) <= 63 * 3


@pytest.mark.parametrize(
    ("what", "most"), [("legal", 60), ("step", 100), ("turn", 120), ("encode", 330)]
)
def test_one_decision_takes_few_calls(what: str, most: int) -> None:
    tables = in_play(Rules.preset(), 1, steps=21)
    layout, turn = observation_layout(tables.rules), tables.turn()
    layout.encode(tables.turn())  # what is worked out once is not counted
    work: dict[str, Callable[[], Any]] = {
        "legal": lambda: tables.copy().legal_sets(),
        "step": lambda: tables.step(np.array([action])),
        "turn": tables.turn,
        "encode": lambda: layout.encode(turn),
    }
    copying = calls(tables.copy) if what == "legal" else 0
    action = int(np.flatnonzero(tables.legal_actions()[0])[0])
    assert calls(work[what]) - copying <= most


def test_observations_need_little_beside_their_buffer() -> None:
    tables = in_play(Rules.preset(), 1000, steps=40)
    rows = np.flatnonzero(~tables.is_over)
    layout = observation_layout(tables.rules)
    out = np.zeros((len(rows), layout.size), np.uint8)
    turn = tables.turn(rows)
    tracemalloc.start()
    layout.encode(turn, out=out)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1.5 * out.nbytes


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_small(game: str) -> None:
    rules = rules_of(game)
    arrays = Tables(rules, 10, seed=1).state.arrays()
    events = ("log", "history")
    size = sum(array.nbytes for name, array in arrays.items() if name not in events) / 10
    assert size <= 128 * (rules.hands + 1)
