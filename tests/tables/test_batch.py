"""Rows: tables stepped together equal each alone, and nothing else is touched."""

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
from support.lockstep import drawn_batch, rules_of

from tarot_env import Bid, Deal, IllegalAction, InvalidDeal, Phase, Rules, Tables, TarotError
from tarot_env.cards import cardsets
from tarot_env.core.dealing import STOCK_START, UPPER
from tarot_env.rules.books import PRESETS

FFT = Rules.preset("fft", players=4)
PAIRS = [(preset, game) for preset, games in PRESETS.items() for game in games]
ROOT = Path(__file__).resolve().parents[2]


def snapshot(tables: Tables) -> dict[str, np.ndarray]:
    """What lies on the tables; not which deal is the next one there."""
    arrays = tables.arrays().items()
    return {name: array.copy() for name, array in arrays if name != "next_ids"}


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
def mixed(preset: str = "fft", game: str = "4") -> Tables:
    """Tables in every phase at once; not to be changed."""
    rules = rules_of(preset, game, {})
    size = 240 if (preset, game) == ("fft", "4") else 80
    tables = drawn_batch("mixed", size, rules, {}).tables
    rng = np.random.default_rng(2)
    longest = 100 * rules.history_size // FFT.history_size
    stop = (longest * np.random.default_rng(3).random(tables.num_tables) ** 2).astype(int)
    step = 0
    while True:
        rows = np.flatnonzero(~tables.is_over & (stop > step))
        if not len(rows):
            break
        tables.step(tables.random_actions(rng)[rows], rows)
        step += 1
    return tables


PHASES = {"AUCTION", "DISCARD", "SLAM", "POIGNEE", "WITHHOLD", "PLAY", "OVER"}


def test_phases_are_mixed() -> None:
    assert {Phase(phase).name for phase in mixed().phase} == PHASES


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
            alone[lane].reset(deal_ids=together.deal_ids[lane : lane + 1])
        phases_at_once.add(len(set(together.phase.tolist())))
        for lane, table in enumerate(alone):
            for name, array in snapshot(together).items():
                assert (array[lane] == table.arrays()[name][0]).all(), name
            assert (together.legal_sets()[lane] == table.legal_sets()[0]).all()
            assert (together.scores[lane] == table.scores[0]).all()
    assert max(phases_at_once) >= 3


@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_together_equals_alone_in_every_game(preset: str, game: str) -> None:
    """Each action alone, at copies of single tables, does what it does to them together."""
    together = mixed(preset, game).copy()
    rng = np.random.default_rng(1)
    for _step in range(4):
        actions = together.random_actions(rng)
        rows = rng.choice(together.num_tables, 6, replace=False)
        alone = []
        for row in rows:
            table = together.take(np.array([row]))
            table.step(actions[[row]])
            alone.append(table)
        together.step(actions)
        for row, table in zip(rows, alone, strict=True):
            for name, array in snapshot(together).items():
                assert (array[row] == snapshot(table)[name][0]).all(), name
            assert (together.legal_sets()[row] == table.legal_sets()[0]).all()


@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_named_rows_alone_are_stepped(preset: str, game: str) -> None:
    tables = mixed(preset, game).copy()
    before = snapshot(tables)
    rows = np.flatnonzero(~tables.is_over)[::-3]
    actions = tables.random_actions(np.random.default_rng(8))
    whole = mixed(preset, game).copy()
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


@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_reset_leaves_no_trace_of_the_deal_before(preset: str, game: str) -> None:
    """Byte for byte, and so do given deals that are put on the tables."""
    tables = mixed(preset, game).copy()
    fresh = Tables(tables.rules, tables.num_tables, seed=11)
    tables.seed = 11
    tables.reset(deal_ids=np.arange(tables.num_tables))
    assert_same(tables, fresh)
    tables = mixed(preset, game).copy()
    tables.seed = 11
    deals = [Deal.from_seed(11, deal_id, tables.rules) for deal_id in range(tables.num_tables)]
    tables.set_deals(np.arange(tables.num_tables), deals)
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
    assert tables.columns.log_size.tolist() == [0, 0, 0, 0]
    before = snapshot(tables)
    with pytest.raises(InvalidDeal, match=r"table 0 \(deal seed=1 id=0\) is past that"):
        tables.force(np.array([0, 1]), 0, Bid.GARDE)
    with pytest.raises(InvalidDeal, match="taker 4"):
        tables.force(np.array([1]), 4, Bid.GARDE)
    with pytest.raises(InvalidDeal, match="contract 2"):
        tables.force(np.array([1]), 0, Bid.POUSSE)
    tables.step(np.array([78]), np.array([1]))
    with pytest.raises(InvalidDeal, match="table 1"):
        tables.force(np.array([3, 1]), 0, Bid.GARDE)
    assert_same_rows(before, snapshot(tables), [0, 2, 3])


SINGLE_DEALS = [("fft", "3"), ("fft", "5"), ("fft", "mort"), ("jeu-de-tarot", "6")]
SINGLE_DEALS += [("jeu-de-tarot", game) for game in ("decouverte", "tirette", "dummy")]
AFTER_GARDE = {"5": Phase.CALL, "6": Phase.SPLIT}
AFTER_SANS = {"5": Phase.CALL}


@pytest.mark.parametrize(("preset", "game"), SINGLE_DEALS)
def test_force_in_every_game(preset: str, game: str) -> None:
    """Phase and seat to act; a deal given with its contract begins there too; what is refused."""
    rules = rules_of(
        preset, game, {"petit_sec": "off"} if rules_of(preset, game, {}).poignee_bonus else {}
    )
    tables = Tables(rules, 3, seed=1, first_deal=1)
    before = snapshot(tables)
    taker = np.array([0, rules.players - 1])
    tables.force(np.array([0, 2]), taker, np.array([Bid.GARDE, Bid.GARDE_SANS]))
    assert_same_rows(before, snapshot(tables), [1])
    assert tables.taker.tolist() == [0, -1, rules.players - 1]
    phases = [AFTER_GARDE.get(game, Phase.DISCARD), AFTER_SANS.get(game, Phase.SLAM)]
    assert tables.phase[[0, 2]].tolist() == phases
    assert tables.seat_to_act[[0, 2]].tolist() == taker.tolist()
    if game == "6":
        assert tables.partner.tolist() == [3, -1, 2]
    given = [
        replace(Deal.from_seed(1, 1, rules), forced=(0, Bid.GARDE)),
        Deal.from_seed(1, 2, rules),
        replace(Deal.from_seed(1, 3, rules), forced=(rules.players - 1, Bid.GARDE_SANS)),
    ]
    assert_same(tables, Tables.from_deals(rules, given))
    other = Tables(rules, 3, seed=1, first_deal=7)
    other.set_deals(np.arange(3), given)
    assert_same(tables, other)
    before = snapshot(tables)
    for wrong in (rules.players, -1):
        with pytest.raises(InvalidDeal, match=f"taker {wrong}; allowed"):
            tables.force(np.array([1]), wrong, Bid.GARDE)
    with pytest.raises(InvalidDeal, match="contract 2"):
        tables.force(np.array([1]), 0, Bid.POUSSE)
    with pytest.raises(InvalidDeal, match="table 0"):
        tables.force(np.array([1, 0]), 0, Bid.GARDE)
    if game == "mort":
        with pytest.raises(InvalidDeal, match="taker 2; the dealer sits out"):
            tables.force(np.array([1]), 2, Bid.GARDE)
    if game == "6":
        with pytest.raises(InvalidDeal, match="contract 1; allowed: garde, "):
            tables.force(np.array([1]), 0, Bid.PETITE)
    assert_same_rows(before, snapshot(tables), np.arange(3))


def test_a_forced_contract_skips_the_question_about_a_redeal() -> None:
    rules = Rules.preset(weak_hand_redeal=20)
    tables = Tables(rules, 2, seed=1)
    assert (tables.phase == Phase.PETIT_SEC).all()
    tables.force(np.array([0]), 2, Bid.GARDE)
    assert tables.phase.tolist() == [Phase.DISCARD, Phase.PETIT_SEC]
    tables.step(np.array([78]), np.array([1]))
    with pytest.raises(InvalidDeal, match=r"table 1 .* is past that"):
        tables.force(np.array([1]), 2, Bid.GARDE)


@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_given_deals_are_the_named_ones(preset: str, game: str) -> None:
    """Tables of named deals, of these deals given, and of these deals put on other tables."""
    rules = rules_of(preset, game, {})
    deals = [Deal.from_seed(5, deal_id, rules) for deal_id in range(4)]
    tables = Tables(rules, 4, seed=5)
    assert_same(tables, Tables.from_deals(rules, deals))
    other = Tables(rules, 4, seed=9)
    other.set_deals(np.array([2, 0]), [deals[2], deals[0]])
    before, after = snapshot(tables), snapshot(other)
    for name in set(before) - {"deal_ids"}:
        assert (before[name][[0, 2]] == after[name][[0, 2]]).all(), name
    assert (other.deal_ids[[0, 2]] == -1).all()


@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_copies_and_saved_arrays_go_on_alike(preset: str, game: str) -> None:
    """The copy, and new tables that load what was saved; the original is not touched."""
    tables = mixed(preset, game)
    before = snapshot(tables)
    copied = tables.copy()
    loaded = Tables(tables.rules, tables.num_tables, seed=0)
    loaded.load({name: array.copy() for name, array in tables.arrays().items()})
    for step in range(3):
        actions = copied.random_actions(np.random.default_rng(step))
        assert (actions == loaded.random_actions(np.random.default_rng(step))).all()
        copied.step(actions)
        loaded.step(actions)
        assert_same(copied, loaded)
    assert (copied.next_ids == loaded.next_ids).all()
    assert_same_rows(before, snapshot(tables), np.arange(tables.num_tables))


@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_some_tables_are_taken_as_copies(preset: str, game: str) -> None:
    """In the order named, also twice; they deal on as their tables would."""
    tables = mixed(preset, game).copy()
    tables.next_ids[:] = 1000 + np.arange(tables.num_tables)
    before = snapshot(tables)
    rows = np.array([2, 0, 2])
    taken = tables.take(rows)
    for name, array in snapshot(taken).items():
        assert np.array_equal(array, before[name][rows]), name
    assert taken.legal_actions().tolist() == tables.legal_actions()[rows].tolist()
    assert (taken.rules, taken.seed) == (tables.rules, tables.seed)
    assert taken.next_ids.tolist() == [1002, 1000, 1002]
    taken.step(taken.random_actions(np.random.default_rng(0)))
    taken.reset()
    assert_same_rows(before, snapshot(tables), np.arange(tables.num_tables))
    assert tables.next_ids[0] == 1000
    with pytest.raises(TarotError, match="no table 1000000"):
        tables.take(np.array([1_000_000]))


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
    assert one.deal_ids[0] == other.deal_ids[0] + mixed().num_tables


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
    taken, columns = mixed().take(rows), mixed().columns.take(rows)
    for name, array in taken.arrays().items():
        assert (array == mixed().arrays()[name][rows]).all()
    assert (columns.hands == mixed().columns.hands[rows]).all()
    assert (columns.log == mixed().columns.log[rows]).all()
    taken.state["hands"] = 0
    columns.hands[:] = 0
    again = mixed.__wrapped__("fft", "4")
    assert_same_rows(snapshot(mixed()), snapshot(again), np.arange(mixed().num_tables))


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
    tables.state["seat"][0] = 3
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
    assert len(by_phase) == len(PHASES) - 1
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
        if given.columns.hands[0, 0, 0] >> np.uint64(card) & np.uint64(1)
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
    for array in tables.arrays().values():
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
        path = os.pathsep.join([str(ROOT), str(ROOT / "tests"), str(Path(__file__).parent)])
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


# --- What is handed out


def test_random_actions_are_legal() -> None:
    actions = mixed().random_actions(np.random.default_rng(1))
    live = ~mixed().is_over
    assert mixed().legal_actions()[live, actions[live]].all()
    assert (actions[~live] == -1).all()


@pytest.mark.parametrize(("preset", "game"), PAIRS)
def test_hidden_cards_are_counted_from_the_viewer(preset: str, game: str) -> None:
    """The critic's view; a poignée being put together stands with the seat to act."""
    tables = mixed(preset, game)
    rows, state, rules = np.arange(tables.num_tables), tables.columns, tables.rules
    declared = np.zeros((len(rows), rules.players), np.int8)
    live = np.flatnonzero(~tables.is_over)
    declared[live, tables.seat_to_act[live]] = state.poignee_declared[live]
    ecarts = np.zeros((len(rows), rules.players, 2), np.uint64)
    for column, seats in zip(
        range(state.ecart.shape[1]), (state.taker, state.partner), strict=False
    ):
        taken = seats >= 0
        ecarts[rows[taken], seats[taken]] |= state.ecart[taken, column]
    for viewer in range(rules.players):
        hidden = tables.hidden(rows, np.full(len(rows), viewer))
        for seat in range(rules.players):
            relative = (seat - viewer) % rules.players
            assert (hidden.hands[:, relative] == state.hands[:, seat]).all()
            assert (hidden.withheld[:, relative] == state.withheld[:, seat]).all()
            assert (hidden.poignee_declared[:, relative] == declared[:, seat]).all()
            assert (hidden.ecart[:, relative] == ecarts[:, seat]).all()
            if game == "decouverte":
                below = cardsets.BIT[state.pack[:, UPPER[seat] + 1]]
                left = np.bitwise_or.reduce(below, 1) & ~(
                    state.hands[:, seat] | state.played[:, seat]
                )
                assert (hidden.covered[:, relative] == left).all()
        partner = np.where(state.partner < 0, -1, (state.partner - viewer) % rules.players)
        assert (hidden.partner == partner).all()
        assert (hidden.chien == state.chien).all()
        assert (hidden.phase == state.phase).all()
        if game == "dummy":
            assert (hidden.hands[:, 2] == state.hands[:, 2]).all()
        if game == "tirette":
            stock = np.bitwise_or.reduce(cardsets.BIT[state.pack[:, STOCK_START:]], 1)
            drawn = np.bitwise_or.reduce(state.hands | state.played, 1)
            assert (hidden.covered[:, 0] == stock & ~drawn).all()
            assert not hidden.covered[:, 1].any()


def test_whose_hand_the_defender_plays() -> None:
    """The dummy's, in turn; everywhere else the hand to play is that of the seat to act."""
    assert (mixed().partner == -1).all()
    assert (mixed().called_card == -1).all()
    assert (mixed().hand_to_play == mixed().seat_to_act).all()
    assert mixed().legal_actions().shape == (mixed().num_tables, 95)
    assert mixed().legal_actions().dtype == np.bool_
    tables = mixed("jeu-de-tarot", "dummy")
    dummy = tables.hand_to_play == 2
    assert dummy.any()
    assert (tables.seat_to_act[dummy] == 1 - tables.taker[dummy]).all()
    assert (tables.hand_to_play == tables.seat_to_act)[~dummy].all()


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
    before = tables.copy().arrays()
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
    assert_same_rows(before, tables.arrays(), np.arange(4))


def test_rows_as_a_mask():
    tables = Tables(Rules.preset(), 4, seed=1)
    tables.step(np.array([78, 78]), np.array([False, True, False, True]))
    assert tables.columns.log_size.tolist() == [0, 1, 0, 1]


def test_seats_and_takers_that_are_none(wrong_type_error):
    tables = Tables(Rules.preset(), 4, seed=1)
    with pytest.raises(TarotError, match="seat 7; allowed: 0 to 3"):
        tables.turn(np.array([0]), np.array([7]))
    for taker in (0.5, True, np.array([0.5]), np.array([0, 1])):
        with pytest.raises((TarotError, *wrong_type_error)):
            tables.force(np.array([0]), taker, Bid.GARDE)
    assert (tables.taker < 0).all()


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.uint8, np.uint64])
def test_numpy_numbers_of_tables_are_numbers(
    kind: type, wrong_type_error: tuple[type[Exception], ...]
) -> None:
    if TypeError in wrong_type_error:
        pytest.skip("annotated as int")
    tables = Tables(Rules.preset(), kind(2), seed=1, first_deal=kind(5))
    assert tables.num_tables == 2
    assert tables.deal_ids.tolist() == [5, 6]
    assert tables.next_ids.dtype == np.int64


def test_a_mask_of_another_shape_names_no_rows(
    wrong_type_error: tuple[type[Exception], ...],
) -> None:
    tables = Tables(Rules.preset(), 4, seed=1)
    with pytest.raises((TarotError, *wrong_type_error)):
        tables.reset(np.ones((4, 2), bool))
