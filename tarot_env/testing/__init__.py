"""Checks that users can run on their own agents and rules, and the shuffle that shows a leak.

Each check plays deals and raises `CheckFailed` with the first thing that is wrong and how to
reproduce it.
"""

from collections.abc import Callable
from typing import cast

import numpy as np
from jaxtyping import Integer

from tarot_env.cards import HALF_POINTS, cardsets
from tarot_env.cards.actions import NUM_ACTIONS, action_text
from tarot_env.core.arguments import is_int
from tarot_env.core.state import set_aside
from tarot_env.errors import IllegalAction, TarotError, count_noun, short_repr
from tarot_env.rules import Rules
from tarot_env.tables import Agent, AnyAgent, CheatingAgent, Tables, Turn
from tarot_env.tables.agent import cheats, check_is_made, checked_answer
from tarot_env.tables.turn import FIELDS
from tarot_env.testing.resample_hidden import shuffle_hidden

__all__ = ["CheckFailed", "check_agent", "check_rules", "shuffle_hidden", "turn_differences"]

_PACK_HALF_POINTS = int(HALF_POINTS.sum())

_BLINDNESS_STRIDE = 3
"""Decisions from one shuffle of hidden cards to the next; deals are in many phases at once."""


class CheckFailed(AssertionError):
    """A check found something wrong; the message says what and where."""


def _check_deals(deals: object) -> None:
    if not is_int(deals) or cast(int, deals) < 1:
        raise TarotError(f"deals={short_repr(deals)}; give a whole number, 1 and up")


def turn_differences(first: Turn, second: Turn) -> list[str]:
    """Names of the fields in which two batches of turns differ, in values or types."""
    pairs = [(name, getattr(first, name), getattr(second, name)) for name in FIELDS]
    return [n for n, a, b in pairs if a.dtype != b.dtype or not np.array_equal(a, b)]


# -- agents


def check_agent(
    agent: AnyAgent, rules: Rules | None = None, deals: int = 64, seed: int = 0
) -> None:
    """Plays an agent against itself and checks what every agent owes.

    It gives one legal whole number for each row, also for none; it draws randomness only from the
    generator it is given; it does not write to the turn; if it is deterministic, its answer to a
    row does not depend on the other rows; and it reacts to nothing that its seat cannot see. One
    that declares that it cheats may react to all, and write to the tables that it is handed.

    Args:
        agent: what is checked.
        rules: default: fft with four.
        deals: how many are played, side by side.
        seed: of the deals and of the generators.

    Raises:
        CheckFailed: the first thing that is wrong.
        TarotError: no deals are asked for.
    """
    _check_deals(deals)
    check_is_made(agent, CheckFailed)
    cheating = cheats(agent)
    if not isinstance(agent, CheatingAgent if cheating else Agent):
        method = "act_on(tables, rows, rng)" if cheating else "act(turn, rng)"
        raise CheckFailed(f"{short_repr(agent)} is no agent: it must have a name and {method}")
    tables = Tables(Rules.preset() if rules is None else rules, deals, seed=seed)
    rng = np.random.default_rng(seed)
    question = tables.take if cheating else tables.turn
    _act(agent, question(np.array([], np.int64)), seed, "an empty batch")
    step = 0
    while not tables.is_over.all():
        rows = np.flatnonzero(~tables.is_over)
        where = f"decision {step} of deals seed={seed} ids 0 to {deals - 1}"
        draw = int(rng.integers(2**32))
        chosen = _check_answer(agent, question(rows), len(rows), draw, where)
        if step % _BLINDNESS_STRIDE == 0 and not cheating:
            _check_blindness(agent, tables, rows, chosen, draw, where)
        actions = np.full(deals, -1)
        actions[rows] = chosen
        tables.step(actions)
        step += 1


def _act(agent: AnyAgent, question: Turn | Tables, draw: int, where: str) -> np.ndarray:
    """The agent's answer, checked to be n legal whole numbers.

    Args:
        agent: who is asked.
        question: a turn; of an agent that cheats, tables, of which it gets a copy.
        draw: seed of its generator.
        where: for the error.
    """
    rng = np.random.default_rng(draw)
    legal = question.legal_sets() if isinstance(question, Tables) else question.legal
    sets = legal.copy()  # the agent may write to its turn
    try:
        if isinstance(question, Tables):
            given = cast(CheatingAgent, agent).act_on(question.copy(), np.arange(len(sets)), rng)
        else:
            given = cast(Agent, agent).act(question, rng)
    except (Exception, SystemExit) as error:
        raise CheckFailed(
            f"{agent.name} raised {type(error).__name__}: {error} at {where}"
        ) from error
    try:
        answer = checked_answer(agent.name, given, len(sets))
    except IllegalAction as error:
        raise CheckFailed(f"{error} at {where}") from error
    in_range = (answer >= 0) & (answer < NUM_ACTIONS)
    legal = cardsets.contains(sets, np.where(in_range, answer, -1))
    if not legal.all():
        row = int(np.flatnonzero(~legal)[0])
        allowed = " ".join(action_text(a) for a in cardsets.to_ids(sets[row]))
        raise CheckFailed(
            f"{agent.name} answered {answer[row]} in row {row} of {where}; legal: {allowed}"
        )
    return answer


def _check_answer(
    agent: AnyAgent, question: Turn | Tables, n: int, draw: int, where: str
) -> np.ndarray:
    """The agent's answer to a question of n rows, after the checks that it allows."""
    everything = np.arange(n)
    before = question.take(everything)
    chosen = _act(agent, question, draw, where)
    if isinstance(question, Turn) and isinstance(before, Turn):
        changed = turn_differences(before, question)
        if changed:
            raise CheckFailed(f"{agent.name} writes to the turn ({', '.join(changed)}) at {where}")
    if not np.array_equal(chosen, _act(agent, before, draw, where)):
        raise CheckFailed(
            f"{agent.name} answers differently when asked again with the same generator at {where}"
        )
    if np.array_equal(chosen, _act(agent, before, draw + 1, where)):
        backwards = _act(agent, before.take(everything[::-1]), draw, where)[::-1]
        alone = _act(agent, before.take(everything[:1]), draw, where)
        if not np.array_equal(chosen, backwards) or alone[0] != chosen[0]:
            _check_batching(agent, before, n, draw, where)
    return chosen


def _check_batching(
    agent: AnyAgent, question: Turn | Tables, n: int, draw: int, where: str
) -> None:
    """Tells a dependence on the other rows from chance: is each row alone deterministic?"""
    for row in range(n):
        alone = question.take(np.array([row]))
        draws = {int(_act(agent, alone, draw + more, where)[0]) for more in range(8)}
        if len(draws) > 1:
            return
    raise CheckFailed(f"{agent.name} answers a row differently beside other rows at {where}")


def _check_blindness(
    agent: AnyAgent,
    tables: Tables,
    rows: Integer[np.ndarray, " n"],
    chosen: np.ndarray,
    draw: int,
    where: str,
) -> None:
    seats = tables.seat_to_act[rows]
    other = shuffle_hidden(tables, rows, seats, np.random.default_rng(draw))
    turn = other.turn(np.arange(len(rows)), seats)
    if not np.array_equal(chosen, _act(agent, turn, draw, where)):
        raise CheckFailed(f"{agent.name} reacts to cards its seat cannot see at {where}")


# -- rules


def check_rules(rules: Rules, deals: int = 64, seed: int = 0) -> None:
    """Plays deals at random under the given rules and checks what every game owes.

    At every point the 78 cards lie in one place each and there is a legal action exactly where the
    deal goes on; every deal ends; the scores sum to zero; the pack counts 91 points.

    Args:
        rules: what is played.
        deals: how many are played, side by side.
        seed: of the deals and of the choices.

    Raises:
        CheckFailed: the first thing that is wrong.
    """
    _check_deals(deals)
    tables = Tables(rules, deals, seed=seed)
    rng = np.random.default_rng(seed)
    checks: list[tuple[str, Callable[[Tables], np.ndarray]]] = [
        ("a card lies in two places or none", _is_conserved),
        ("legal actions where over, or none where not", _has_actions_unless_over),
        ("the scores do not sum to zero", lambda t: t.scores.sum(1) == 0),
        ("the cards played do not count 91 points in all", _counts_whole_pack),
    ]
    for step in range(rules.log_size + 1):
        for problem, holds in checks:
            good = holds(tables)
            if not good.all():
                row = int(np.flatnonzero(~good)[0])
                raise CheckFailed(
                    f"{problem}: deal seed={seed} id={row} after {count_noun(step, 'action')}"
                )
        if tables.is_over.all():
            return
        tables.step(tables.random_actions(rng))
    row = int(np.flatnonzero(~tables.is_over)[0])
    raise CheckFailed(f"deal seed={seed} id={row} does not end within {rules.log_size} actions")


def _places(tables: Tables) -> list[np.ndarray]:
    """Sets of cards, one for each place where a card can lie."""
    state, rows = tables.columns, np.arange(tables.num_tables)
    covered = tables.hidden(rows, np.zeros_like(rows)).covered
    places = [
        *state.hands.swapaxes(0, 1),
        *state.played.swapaxes(0, 1),
        *covered.swapaxes(0, 1),
    ]
    aside = set_aside(state, rows)
    held = np.bitwise_or.reduce(places, axis=0) | aside
    taken_up = ~cardsets.is_empty(held & state.chien)
    chien = np.where(taken_up[:, None], cardsets.EMPTY, state.chien)
    return [*places, aside, chien]


def _is_conserved(tables: Tables) -> np.ndarray:
    places = _places(tables)
    union = np.bitwise_or.reduce(np.stack(places), axis=0)
    total = np.sum([cardsets.count(place) for place in places], axis=0)
    return (union == cardsets.ALL_CARDS).all(1) & (total == len(HALF_POINTS))


def _has_actions_unless_over(tables: Tables) -> np.ndarray:
    return tables.legal_actions().any(1) != tables.is_over


def _counts_whole_pack(tables: Tables) -> np.ndarray:
    """Half points of all places; and, where tricks were won, of what lies in them."""
    state = tables.columns
    whole = np.sum([cardsets.half_points(place) for place in _places(tables)], axis=0)
    on_table = np.bitwise_or.reduce(cardsets.BIT[state.trick_cards], axis=1)
    in_tricks = np.bitwise_or.reduce(state.played, axis=1) & ~on_table & ~cardsets.EXCUSE
    counted = state.trick_half_points.sum(1) == cardsets.half_points(in_tricks)
    return (whole == _PACK_HALF_POINTS) & counted
