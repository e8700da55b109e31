"""Rows: tables stepped together equal each alone, and nothing else is touched; conservation."""

import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from lockstep import drawn_batch

from tarot_env import (
    Bid,
    Deal,
    IllegalAction,
    InvalidDeal,
    Phase,
    Rules,
    Tables,
    TarotError,
    cardsets,
)
from tarot_env.cards import EXCUSE, HALF_POINTS

FFT = Rules.preset("fft", players=4)
ROOT = Path(__file__).resolve().parent.parent


def snapshot(tables: Tables) -> dict[str, np.ndarray]:
    return {name: array.copy() for name, array in tables.state.arrays().items()}


def assert_same_rows(
    before: dict[str, np.ndarray], after: dict[str, np.ndarray], rows: np.ndarray | list[int]
) -> None:
    for name in before:
        assert before[name].dtype == after[name].dtype
        assert (before[name][rows] == after[name][rows]).all(), name


def assert_same(one: Tables, other: Tables) -> None:
    assert_same_rows(snapshot(one), snapshot(other), np.arange(one.num_tables))
    assert (one.legal_sets() == other.legal_sets()).all()


def pick(legal: np.ndarray, draw: float) -> int:
    actions = np.flatnonzero(legal)
    return int(actions[int(draw * len(actions))]) if len(actions) else -1


@cache
def mixed() -> Tables:
    """Tables in every phase at once; not to be changed."""
    tables = drawn_batch("mixed", 240, {}).tables
    rng = np.random.default_rng(2)
    stop = (100 * np.random.default_rng(3).random(tables.num_tables) ** 2).astype(int)
    step = 0
    while True:
        rows = np.flatnonzero(~tables.is_over & (stop > step))
        if not len(rows):
            break
        tables.step(tables.random_actions(rng)[rows], rows)
        step += 1
    phases = {Phase(phase).name for phase in tables.phase}
    assert phases == {"AUCTION", "DISCARD", "SLAM", "POIGNEE", "WITHHOLD", "PLAY", "OVER"}
    return tables


def test_together_equals_alone() -> None:
    """In mixed phases, with resets in between: every array, every step."""
    lanes = 6
    together = Tables(FFT, lanes, seed=4, first_deal=10)
    alone = [Tables(FFT, 1, seed=4, first_deal=10 + lane) for lane in range(lanes)]
    rng = np.random.default_rng(1)
    phases_at_once = set()
    for _step in range(250):
        legal = together.legal_actions()
        draws = rng.random(lanes)
        actions = np.array([pick(legal[lane], draws[lane]) for lane in range(lanes)])
        together.step(actions)
        for lane, table in enumerate(alone):
            table.step(actions[lane : lane + 1])
        again = np.flatnonzero(together.is_over | (rng.random(lanes) < 0.01))
        together.reset(again)
        for lane in again.tolist():
            alone[lane].reset(deal_ids=together.state.deal_id[lane : lane + 1])
        phases_at_once.add(len(set(together.phase.tolist())))
        for lane, table in enumerate(alone):
            for name, array in together.state.arrays().items():
                assert (array[lane] == table.state.arrays()[name][0]).all(), name
            assert (together.legal_sets()[lane] == table.legal_sets()[0]).all()
            assert (together.scores[lane] == table.scores[0]).all()
    assert max(phases_at_once) >= 3


def test_named_rows_alone_are_stepped() -> None:
    tables = mixed().copy()
    before = snapshot(tables)
    rows = np.flatnonzero(~tables.is_over)[::-3]
    actions = tables.random_actions(np.random.default_rng(8))
    whole = mixed().copy()
    whole.step(actions)
    tables.step(actions[rows], rows)
    others = np.setdiff1d(np.arange(tables.num_tables), rows)
    assert_same_rows(before, snapshot(tables), others)
    assert_same_rows(snapshot(whole), snapshot(tables), rows)
    assert (tables.legal_sets()[rows] == whole.legal_sets()[rows]).all()
    tables.step(np.zeros(0, np.int64), np.zeros(0, np.int64))


@pytest.mark.parametrize(
    "change",
    [
        lambda tables: tables.reset(np.array([3, 1])),
        lambda tables: tables.reset(np.array([3, 1]), np.array([77, 5])),
        lambda tables: tables.set_deals(
            np.array([1, 3]), [Deal.from_seed(9, 1, FFT), Deal.from_seed(9, 2, FFT)]
        ),
    ],
)
def test_rows_not_named_are_untouched(change: Callable[[Tables], None]) -> None:
    tables = mixed().copy()
    tables.legal_sets()
    before = snapshot(tables)
    change(tables)
    others = np.setdiff1d(np.arange(tables.num_tables), [1, 3])
    assert_same_rows(before, snapshot(tables), others)
    assert (tables.phase[[1, 3]] == Phase.AUCTION).all()
    assert (tables.legal_sets()[others] == mixed().legal_sets()[others]).all()
    assert (cardsets.count(tables.legal_sets()[[1, 3]]) == 5).all()


def test_reset_leaves_no_trace_of_the_deal_before() -> None:
    tables = Tables(FFT, mixed().num_tables, seed=11)
    fresh = tables.copy()
    tables.state = mixed().state.copy()
    tables.reset(deal_ids=np.arange(tables.num_tables))
    assert_same(tables, fresh)


def test_force() -> None:
    tables = Tables(FFT, 4, seed=1)
    before = snapshot(tables)
    tables.force(np.array([2, 0]), np.array([3, 1]), np.array([Bid.GARDE, Bid.GARDE_SANS]))
    assert_same_rows(before, snapshot(tables), [1, 3])
    assert tables.taker.tolist() == [1, -1, 3, -1]
    assert tables.contract.tolist() == [Bid.GARDE_SANS, 0, Bid.GARDE, 0]
    phases = [Phase.SLAM, Phase.AUCTION, Phase.DISCARD, Phase.AUCTION]
    assert tables.phase.tolist() == phases
    assert tables.seat_to_act[[0, 2]].tolist() == [1, 3]
    assert tables.state.log_size.tolist() == [0, 0, 0, 0]
    before = snapshot(tables)
    with pytest.raises(InvalidDeal, match=r"table 0 \(deal seed=1 id=0\) is past that"):
        tables.force(np.array([0, 1]), 0, Bid.GARDE)
    with pytest.raises(InvalidDeal, match="taker 4"):
        tables.force(np.array([1]), 4, Bid.GARDE)
    with pytest.raises(InvalidDeal, match="contract 2"):
        tables.force(np.array([1]), 0, Bid.POUSSE)
    tables.step(np.array([78]), np.array([1]))
    before["log"] = snapshot(tables)["log"]
    with pytest.raises(InvalidDeal, match="table 1"):
        tables.force(np.array([3, 1]), 0, Bid.GARDE)
    assert_same_rows(before, snapshot(tables), [0, 2, 3])


def test_copies_are_independent() -> None:
    tables = mixed().copy()
    assert_same(tables, mixed())
    before = snapshot(mixed())
    tables.step(tables.random_actions(np.random.default_rng(1)))
    tables.reset(np.array([5]))
    assert_same_rows(before, snapshot(mixed()), np.arange(mixed().num_tables))
    one, other = mixed().copy(), mixed().copy()
    one.reset(np.array([0]))
    one.reset(np.array([0]))
    other.reset(np.array([0]))
    assert one.state.deal_id[0] == other.state.deal_id[0] + mixed().num_tables


def test_no_tables() -> None:
    """A batch of none is a batch; so are no rows."""
    for tables in (Tables(FFT, 0, seed=1), Tables.from_deals(FFT, [])):
        assert tables.num_tables == 0
        assert tables.legal_actions().shape == (0, 95)
        tables.step(np.zeros(0, np.int64))
        assert len(tables.turn()) == 0
    none = np.zeros(0, np.int64)
    tables = mixed().copy()
    tables.reset(none)
    tables.set_deals(none, [])
    tables.force(none, none, none)
    tables.step(none, none)
    assert_same(tables, mixed())


def test_take() -> None:
    rows = np.array([5, 5, 0])
    taken = mixed().state.take(rows)
    for name, array in taken.arrays().items():
        assert (array == mixed().state.arrays()[name][rows]).all()
    taken.hands[:] = 0
    assert_same_rows(
        snapshot(mixed()), snapshot(mixed.__wrapped__()), np.arange(mixed().num_tables)
    )


def test_what_is_handed_out_cannot_be_written_to() -> None:
    tables = mixed().copy()
    shown = [
        *(tables.phase, tables.seat_to_act, tables.hand_to_play, tables.taker, tables.contract),
        *(tables.made, tables.oudlers, tables.legal_sets(), tables.legal_sets()),
    ]
    for array in shown:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    assert_same(tables, mixed())
    phase, before = tables.phase, tables.phase.copy()
    tables.step(tables.random_actions(np.random.default_rng(1)))
    assert (phase == tables.phase).all(), "a view moves on with the tables"
    assert (phase != before).any()
    tables.state.seat[0] = 3
    assert tables.seat_to_act[0] == 3


# --- Illegal actions


def refused(
    tables: Tables, actions: object, error: tuple[type[Exception], ...] = (IllegalAction,)
) -> None:
    before = snapshot(tables)
    legal = tables.legal_sets().copy()
    with pytest.raises(error):
        tables.step(actions)  # type: ignore[arg-type]
    assert_same_rows(before, snapshot(tables), np.arange(tables.num_tables))
    assert (tables.legal_sets() == legal).all()


def test_an_illegal_action_at_one_table_changes_none() -> None:
    """One by one at tables of every phase, every action that is not allowed or does not exist."""
    tables = mixed().copy()
    legal_actions = tables.random_actions(np.random.default_rng(1))
    mask = tables.legal_actions()
    rng = random.Random(1)
    by_phase = {int(tables.phase[row]): row for row in np.flatnonzero(~tables.is_over)}
    assert len(by_phase) == 6
    for row in by_phase.values():
        wrong = np.flatnonzero(~mask[row]).tolist()
        assert len(wrong) + int(mask[row].sum()) == 95
        strange = [-1, -2, -17, -78, -95, 95, 96, 127, 128, 256, 10**12, -(10**12)]
        for action in [*rng.sample(wrong, 8), *strange]:
            actions = legal_actions.copy()
            actions[row] = action
            refused(tables, actions)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, bool, np.complex128, object, "U3"])
def test_actions_must_be_whole_numbers(
    dtype: type, wrong_type_error: tuple[type[Exception], ...]
) -> None:
    tables = Tables(FFT, 3, seed=1)
    refused(tables, np.array([78, 78, 78]).astype(dtype), wrong_type_error)


@pytest.mark.parametrize("shape", [(), (2,), (4,), (3, 1), (1, 3)])
def test_one_action_for_each_table(
    shape: tuple[int, ...], wrong_type_error: tuple[type[Exception], ...]
) -> None:
    errors = (IllegalAction,) if len(shape) == 1 else wrong_type_error
    refused(Tables(FFT, 3, seed=1), np.full(shape, 78), errors)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint64, np.int64])
def test_every_whole_number_type_is_taken(dtype: type) -> None:
    tables = Tables(FFT, 2, seed=1)
    tables.step(np.array([78, 81], dtype))
    assert tables.contract.tolist() == [0, 3]
    refused(tables, np.array([78, 200]).astype(dtype))


def test_finished_tables_ignore_their_action() -> None:
    tables = Tables(FFT, 2, seed=1)
    for _pass in range(4):
        tables.step(np.array([78]), np.array([0]))
    assert tables.is_over.tolist() == [True, False]
    before = snapshot(tables)
    for action in (-1, 999, 5, 78):
        tables.step(np.array([action, 78]))
    assert_same_rows(before, snapshot(tables), [0])
    assert tables.is_over.all()
    tables.step(np.array([-5, 10**9]))


def test_what_an_error_says() -> None:
    tables = Tables(FFT, 2, seed=7, first_deal=31)
    tables.step(np.array([79, 81]))
    with pytest.raises(IllegalAction) as error:
        tables.step(np.array([79, 78]))
    assert str(error.value) == (
        "petite at table 0 (deal seed=7 id=31, AUCTION, seat 1): a bid must be higher than petite; "
        "allowed: pass garde garde_sans garde_contre"
    )
    with pytest.raises(IllegalAction, match=r"action 95 at table 1 \(deal seed=7 id=32.*0 to 94"):
        tables.step(np.array([78, 95]))
    with pytest.raises(IllegalAction, match=r"must be 2 whole numbers.*int64 of shape \(3,\)"):
        tables.step(np.array([78, 78, 78]))
    unnamed = replace(Deal.from_seed(7, 31, FFT), seed=None, deal_id=None)
    given = Tables.from_deals(FFT, [unnamed])
    given.force(np.array([0]), 0, Bid.GARDE)
    king = next(
        card
        for card in (13, 27, 41, 55)
        if given.state.hands[0, 0, 0] >> np.uint64(card) & np.uint64(1)
    )
    with pytest.raises(
        IllegalAction, match=r"a given deal, DISCARD, seat 0.*kings and oudlers never"
    ):
        given.step(np.array([king]))


# --- Nothing else decides


def play_digest(seed: int = 3, num_tables: int = 16) -> str:
    tables = Tables(FFT, num_tables, seed=seed)
    rng = np.random.default_rng(seed)
    digest = hashlib.sha256()
    while not tables.is_over.all():
        digest.update(tables.legal_actions().tobytes())
        tables.step(tables.random_actions(rng))
    for array in tables.state.arrays().values():
        digest.update(array.tobytes())
    return digest.hexdigest()


def numpy_global_state() -> tuple[bytes, int]:
    state = np.random.get_state(legacy=False)["state"]  # noqa: NPY002
    return state["key"].tobytes(), state["pos"]


def test_global_random_state_is_neither_read_nor_written(
    wrong_type_error: tuple[type[Exception], ...],
) -> None:
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    numpy_state, python_state = numpy_global_state(), random.getstate()
    one = play_digest()
    assert numpy_global_state() == numpy_state
    if wrong_type_error != (TypeError,):  # the checks of signatures draw random numbers
        assert random.getstate() == python_state
    np.random.seed(2)  # noqa: NPY002
    random.seed(2)
    assert play_digest() == one


@pytest.mark.slow
def test_processes_and_hash_seeds_agree() -> None:
    code = "import test_batch; print(test_batch.play_digest())"
    found = set()
    for hash_seed in ("0", "4242"):
        path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
        result = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(result.stdout.strip())
    assert found == {play_digest()}


# --- Conservation


def test_every_card_lies_in_one_place_and_counts_once() -> None:
    tables = drawn_batch("conservation", 200, {"petit_sec": "off"}).tables
    rng = np.random.default_rng(1)
    state = tables.state
    while True:
        took = (
            (tables.phase > Phase.AUCTION) & (tables.contract > 0) & (tables.contract <= Bid.GARDE)
        )
        chien = np.where(took[:, None], cardsets.EMPTY, state.chien)
        places = [*state.hands.swapaxes(0, 1), *state.played.swapaxes(0, 1), chien, state.ecart[:, 0]]
        assert (np.sum([cardsets.count(place) for place in places], axis=0) == 78).all()
        assert (np.bitwise_or.reduce(places) == cardsets.ALL_CARDS).all()

        mask_is_empty = ~tables.legal_actions().any(1)
        assert (mask_is_empty == tables.is_over).all()
        assert ((tables.seat_to_act == -1) == tables.is_over).all()
        assert (tables.scores.sum(1) == 0).all()
        if tables.is_over.all():
            break
        assert (tables.scores[~tables.is_over] == 0).all()
        tables.step(tables.random_actions(rng))

    played_out = tables.taker >= 0
    excuse_played = state.oudler_player[:, 2] >= 0
    aside = cardsets.half_points(
        np.where((state.ecart[:, 0] != 0).any(1)[:, None], state.ecart[:, 0], state.chien)
    )
    whole = state.trick_half_points.sum(1) + aside + HALF_POINTS[EXCUSE] * excuse_played
    assert played_out.sum() > 100
    assert (whole[played_out] == 182).all()
    assert (state.tricks_won.sum(1)[played_out] == 18).all()
    assert (state.attack_half_points[played_out] % 2 == 0).all()
    assert (state.log_size <= FFT.log_size).all()
    assert (state.history_size <= FFT.history_size).all()


def test_random_actions_are_legal() -> None:
    actions = mixed().random_actions(np.random.default_rng(1))
    live = ~mixed().is_over
    assert mixed().legal_actions()[live, actions[live]].all()
    assert (actions[~live] == -1).all()


@pytest.mark.parametrize("viewer", range(4))
def test_hidden_cards_are_counted_from_the_viewer(viewer: int) -> None:
    """The critic's view; a poignée being put together stands with the seat to act."""
    rows, state = np.arange(mixed().num_tables), mixed().state
    hidden = mixed().hidden(rows, np.full(len(rows), viewer))
    declared = np.zeros((len(rows), 4), np.int8)
    live = np.flatnonzero(~mixed().is_over)
    declared[live, state.seat[live]] = state.poignee_declared[live]
    assert declared.any()
    for seat in range(4):
        relative = (seat - viewer) % 4
        assert (hidden.hands[:, relative] == state.hands[:, seat]).all()
        assert (hidden.withheld[:, relative] == state.withheld[:, seat]).all()
        assert (hidden.poignee_declared[:, relative] == declared[:, seat]).all()
    for name in ("chien", "ecart", "phase"):
        assert (getattr(hidden, name) == getattr(state, name)).all()


def test_constant_properties() -> None:
    assert (mixed().partner == -1).all()
    assert (mixed().called_card == -1).all()
    assert (mixed().hand_to_play == mixed().seat_to_act).all()
    assert mixed().legal_actions().shape == (mixed().num_tables, 95)
    assert mixed().legal_actions().dtype == np.bool_


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([0, 0], "table 0 is named twice"),
        ([0, 4], "no table 4; there are 4"),
        ([-1, 0], "no table -1"),
        ([0.0, 1.0], "whole numbers; got float64"),
        ([True, False], "whole numbers; got bool"),
        ([[0, 1]], r"shape \(1, 2\)"),
    ],
)
def test_rows_that_name_no_tables_are_refused(rows, message, wrong_type_error):
    tables, rows = Tables(Rules.preset(), 4, seed=1), np.array(rows)
    before = tables.state.copy().arrays()
    calls = [
        lambda: tables.step(np.full(len(rows), 78), rows),
        lambda: tables.reset(rows),
        lambda: tables.force(rows, 0, Bid.GARDE),
        lambda: tables.set_deals(rows, [Deal.from_seed(1, 5, tables.rules)] * len(rows)),
    ]
    for call in calls:
        with pytest.raises((TarotError, *wrong_type_error)) as error:
            call()
        if isinstance(error.value, TarotError):
            error.match(message)
    assert all(np.array_equal(before[name], a) for name, a in tables.state.arrays().items())


def test_rows_as_a_mask():
    tables = Tables(Rules.preset(), 4, seed=1)
    tables.step(np.array([78, 78]), np.array([False, True, False, True]))
    assert tables.state.log_size.tolist() == [0, 1, 0, 1]


def test_seats_and_takers_that_are_none(wrong_type_error):
    tables = Tables(Rules.preset(), 4, seed=1)
    with pytest.raises(TarotError, match="seat 7; allowed: 0 to 3"):
        tables.turn(np.array([0]), np.array([7]))
    for taker in (0.5, True, np.array([0.5]), np.array([0, 1])):
        with pytest.raises((TarotError, *wrong_type_error)):
            tables.force(np.array([0]), taker, Bid.GARDE)
    assert (tables.taker < 0).all()
