"""No leak: whatever a seat cannot see may change, and what it is told stays byte-equal.

In every game, in every phase, seen from every seat; and every agent answers the same. Planted leaks
must be found, each by both ways of changing what is hidden.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.leak_checks import (
    CASES,
    Check,
    View,
    check_scrambled,
    check_shuffled,
    in_secret,
    positions,
    view_observation,
    view_oracle,
    view_turn,
)

from agents.base import Agent
from agents.registry import make_agent
from tarot_env import Phase, Tables, Turn, beliefs
from tarot_env.cards import HALF_POINTS, cardsets
from tarot_env.core.dealing import STOCK_START
from tarot_env.core.seating import SEATINGS
from tarot_env.core.state import Columns
from tarot_env.tables.turn import FIELDS, TURN
from tarot_env.testing import shuffle_hidden

HEARD = {"AUCTION", "SLAM", "PLAY", "OVER"}
POIGNEES = {"POIGNEE", "WITHHOLD"}
PHASES: dict[str, set[str]] = {
    **{case: POIGNEES | {"DISCARD"} for case in ("4", "mort")},
    "3": POIGNEES | {"DISCARD", "MISERE"},
    "5": POIGNEES | {"CALL"},
    "6": POIGNEES | {"SPLIT", "DISCARD"},
    **{case: {"DISCARD"} for case in ("decouverte", "tirette", "dummy")},
    "before the first trick": POIGNEES | {"DISCARD", "MISERE"},
    "redeals": {"PETIT_SEC"},
    "at least": POIGNEES | {"CALL", "MISERE"},
    "partner after the slam": {"CALL", "MISERE"},
}
"""What is seen of each case, beside the phases of every deal."""


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("check", [check_scrambled, check_shuffled])
def test_nobody_is_told_what_it_cannot_see(check: Check, case: str) -> None:
    rng = np.random.default_rng(5)
    phases = set()
    few = 1 if check is check_scrambled else 3
    for step, tables in enumerate(positions(f"leak {case}", 20, *CASES[case])):
        if step > 16 and step % 8:
            continue
        rows = np.concatenate([rng.choice(20, few, replace=False), in_secret(tables, 2)])
        phases |= {Phase(phase).name for phase in tables.phase}
        check(tables, rng, view_turn, rows)
        check(tables, rng, view_observation, rows[:few])
    assert phases >= HEARD | PHASES.get(case, set()), phases


SAME_TO_OTHERS = {
    "4": {Phase.POIGNEE, Phase.WITHHOLD, Phase.PLAY},
    "before the first trick": {Phase.MISERE, Phase.POIGNEE, Phase.WITHHOLD, Phase.PLAY},
    "redeals": {Phase.PETIT_SEC, Phase.AUCTION},
    "3": {Phase.MISERE, Phase.POIGNEE, Phase.PLAY},
}


@pytest.mark.slow
@pytest.mark.parametrize("case", SAME_TO_OTHERS)
def test_unheard_questions_look_like_what_comes_behind_them(case: str) -> None:
    """The shuffle goes from each of these phases to each other, and back."""
    rng = np.random.default_rng(6)
    pairs = set()
    for step, tables in enumerate(positions(f"phases {case}", 48, *CASES[case])):
        if step > 24:
            break
        live = np.flatnonzero(~tables.is_over)
        rows = np.repeat(live, tables.rules.players)
        viewers = np.tile(np.arange(tables.rules.players), len(live))
        other = shuffle_hidden(tables, rows, viewers, rng)
        pairs |= set(zip(tables.phase[rows].tolist(), other.phase.tolist(), strict=True))
    alike = SAME_TO_OTHERS[case]
    assert {(a, b) for a in alike for b in alike} <= pairs


# --- Agents


class Digest:
    """Answers by all that it is told, so that any difference shows."""

    name = "digest"

    def act(self, turn: Turn, rng: np.random.Generator) -> np.ndarray:
        parts = [getattr(turn, name).reshape(len(turn), -1) for name in FIELDS]
        told = np.concatenate([part.astype(np.int64) % 9973 for part in parts], 1)
        weights = np.arange(1, told.shape[1] + 1) ** 2
        rank = (told @ weights) % cardsets.count(turn.legal)
        return cardsets.kth(turn.legal, rank).astype(np.int64)


def answers(agent: Agent) -> View:
    def view(tables: Tables, rows: np.ndarray, viewers: np.ndarray) -> list[bytes]:
        seen = tables.turn(rows, viewers)
        return [np.asarray(agent.act(seen, np.random.default_rng(1))).tobytes()]

    return view


def check_agent_is_blind(
    view: View, name: str, case: str, *, first: int = 12, often: int = 6, most: int = 12
) -> None:
    """Shuffles what is hidden in the first steps and every `often`-th one, at `most` tables."""
    rng = np.random.default_rng(6)
    for step, tables in enumerate(positions(name, 24, *CASES[case])):
        if step % often == 0 or step < first:
            rows = np.flatnonzero(~tables.is_over)[:most]
            if not len(rows):
                return
            seats = tables.seat_to_act[rows]
            other = shuffle_hidden(tables, rows, seats, rng)
            assert view(tables, rows, seats) == view(other, np.arange(len(rows)), seats)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "case"),
    [
        *(("digest", case) for case in CASES),
        *(("heuristic", case) for case in CASES),
        *(("random", case) for case in ("4", "5", "dummy")),
    ],
)
def test_agents_answer_the_same(name: str, case: str) -> None:
    agent = Digest() if name == "digest" else make_agent(name)
    check_agent_is_blind(answers(agent), f"agents {name}", case)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["4", "5", "6", "dummy", "tirette"])
def test_a_search_answers_the_same(case: str) -> None:
    view = answers(make_agent("pimc:worlds=2"))
    check_agent_is_blind(view, "agents pimc", case, first=4, often=12, most=2)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["4", "5", "6", "dummy", "tirette"])
def test_a_search_that_looks_at_the_true_hands_is_found(case: str) -> None:
    """It lays them on each of the tables on which it should imagine others."""
    agent = make_agent("pimc:worlds=2,endings=0")

    def view(tables: Tables, rows: np.ndarray, viewers: np.ndarray) -> list[bytes]:
        told = []
        for row, viewer in zip(rows.tolist(), viewers.tolist(), strict=True):
            true = tables.take(np.array([row, row]))
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(beliefs, "tables_from", lambda turn, worlds, true=true: true)
                told += answers(agent)(tables, np.array([row]), np.array([viewer]))
        return told

    with pytest.raises(AssertionError):
        check_agent_is_blind(view, "agents pimc", case, first=4, often=12, most=2)


def test_a_cheating_agent_is_found() -> None:
    """It answers by the cards of its left neighbour."""

    def view(tables: Tables, rows: np.ndarray, viewers: np.ndarray) -> list[bytes]:
        neighbour = (viewers + 1) % tables.rules.players
        return [cardsets.lowest(tables.columns.hands[rows, neighbour]).tobytes()]

    for case in ("4", "5", "6", "tirette", "decouverte"):
        with pytest.raises(AssertionError):
            check_agent_is_blind(view, "cheat", case)


# --- Planted leaks: the checks above must fail on each


def expect_found(check: Check, case: str, view: View = view_turn) -> None:
    """The check finds the leak somewhere in a batch of deals."""
    rng = np.random.default_rng(7)

    def check_all() -> None:
        for tables in positions("planted", 30, *CASES[case]):
            rows = np.concatenate([np.arange(0, 30, 6), in_secret(tables, 10)])
            check(tables, rng, view, rows)

    with pytest.raises(AssertionError):
        check_all()


CHECKS = [
    pytest.param(check_scrambled, id="scrambled"),
    pytest.param(check_shuffled, id="shuffled"),
]
Leak = Callable[[Turn, Columns, np.ndarray, np.ndarray], dict[str, Any]]


def has_petit(told: Turn, state: Columns, rows: np.ndarray, viewers: np.ndarray) -> dict[str, Any]:
    """One bit of the next hand."""
    void = told.void.copy()
    players = told.rules.players
    void[:, 1, 0] ^= (state.hands[rows, (viewers + 1) % players] & cardsets.PETIT).any(1)
    return {"void": void}


def true_place(name: str, column: str) -> Leak:
    """A seat of the state as it is, counted from the viewer."""

    def leak(told: Turn, state: Columns, rows: np.ndarray, viewers: np.ndarray) -> dict[str, Any]:
        seating = SEATINGS[told.rules.game_name]
        return {name: seating.from_viewer[viewers, getattr(state, column)[rows]]}

    return leak


def covered(told: Turn, state: Columns, rows: np.ndarray, viewers: np.ndarray) -> dict[str, Any]:
    hidden = Tables.of_state(told.rules, state.records).hidden(rows, viewers)
    return {"covering": told.covering | hidden.covered}


def one_covered(
    told: Turn, state: Columns, rows: np.ndarray, viewers: np.ndarray
) -> dict[str, Any]:
    """The value of the card under the last pile."""
    return {"passes": HALF_POINTS[state.pack[rows, -1]].astype(np.int8)}


def top_of_stock(
    told: Turn, state: Columns, rows: np.ndarray, viewers: np.ndarray
) -> dict[str, Any]:
    drawn = np.minimum(STOCK_START + 2 * state.trick_number[rows].astype(np.int64), 77)
    return {"exposed": state.pack[rows, drawn].astype(np.int8)}


def bottom(told: Turn, state: Columns, rows: np.ndarray, viewers: np.ndarray) -> dict[str, Any]:
    """The card that will be exposed, from the deal on."""
    return {"exposed": state.pack[rows, -1].astype(np.int8)}


def dummy(told: Turn, state: Columns, rows: np.ndarray, viewers: np.ndarray) -> dict[str, Any]:
    """The dummy's hand, from the deal on."""
    face_up = told.face_up.copy()
    face_up[:, 2] = state.hands[rows, 2]
    return {"face_up": face_up}


def order_of_chien(
    told: Turn, state: Columns, rows: np.ndarray, viewers: np.ndarray
) -> dict[str, Any]:
    halves = cardsets.BIT[state.pack[rows, 72:75]]
    return {"first_half": np.bitwise_or.reduce(halves, axis=1)}


LEAKS: dict[tuple[str, str], Leak] = {
    **{(case, "one bit of a hand"): has_petit for case in CASES},
    **{
        (case, "count of decisions"): lambda told, state, rows, viewers: {
            "history_size": state.log_size[rows]
        }
        for case in ("4", "3", "before the first trick", "redeals", "at least")
    },
    **{
        (case, "true phase"): lambda told, state, rows, viewers: {"phase": state.phase[rows]}
        for case in ("4", "3", "5", "6", "before the first trick", "redeals", "at least")
    },
    **{
        (case, "who is asked"): true_place("to_act", "seat")
        for case in ("before the first trick", "redeals", "6")
    },
    **{
        (case, "face-down chien"): lambda told, state, rows, viewers: {"chien": state.chien[rows]}
        for case in ("4", "3", "5", "6", "mort", "decouverte", "tirette", "dummy")
    },
    **{
        (case, "écart"): lambda told, state, rows, viewers: {"ecart": state.ecart[rows, 0]}
        for case in ("4", "3", "6", "mort", "decouverte", "tirette", "dummy")
    },
    ("6", "écart of the partner"): lambda told, state, rows, viewers: {
        "ecart": state.ecart[rows, 1]
    },
    ("6", "halves of a face-down chien"): order_of_chien,
    **{
        (case, "withheld"): lambda told, state, rows, viewers: {
            "withheld": np.bitwise_or.reduce(state.withheld[rows], axis=1)
        }
        for case in ("4", "6", "at least")
    },
    **{
        (case, "poignée declared"): lambda told, state, rows, viewers: {
            "poignee_declared": state.poignee_declared[rows]
        }
        for case in ("4", "6", "at least")
    },
    **{
        (case, "true partner"): true_place("partner", "partner")
        for case in ("5", "at least", "imprenable", "partner after the slam")
    },
    ("imprenable", "a petit that nobody can take"): lambda told, state, rows, viewers: {
        "petit_chelem_announced": state.imprenable[rows] >= 0
    },
    ("decouverte", "covered cards"): covered,
    ("decouverte", "a covered card"): one_covered,
    ("covered until the trick is over", "covered cards"): covered,
    ("tirette", "top of the stock"): top_of_stock,
    ("tirette", "card to be exposed"): bottom,
    ("dummy", "dummy before it lies open"): dummy,
    ("dummy before the slam", "dummy before it lies open"): dummy,
}


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(("case", "leak"), LEAKS)
def test_planted_leaks_are_found(
    case: str, leak: str, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Tables.turn

    def leaking(tables: Tables, rows: np.ndarray, viewers: np.ndarray) -> Turn:
        told = honest(tables, rows, viewers)
        return told.replace(**LEAKS[case, leak](told, tables.columns, rows, viewers))

    monkeypatch.setattr(Tables, "turn", leaking)
    expect_found(check, case)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("case", ["4", "3", "5", "6", "mort", "decouverte", "tirette", "dummy"])
def test_oracle_features_are_found(case: str, check: Check) -> None:
    expect_found(check, case, view_oracle)


def test_the_turn_is_what_is_compared() -> None:
    assert "legal" in FIELDS
    declared = {name for name, value in vars(Turn).items() if isinstance(value, property)}
    made = {"sizes", "takes_lead", "masters", "playing_hand"}
    assert declared - made | {"events"} == set(FIELDS)
    assert set(TURN.names) - {"filling"} | {"events"} == set(FIELDS)
