"""Samples of the hidden cards: deals that fit everything a seat knows, and how likely they are.

From a Turn alone. Every deal that could have led there is as likely as any other, and of a deal's
legal écarts one is as likely as another. That is exact, by counting (see `allocation`), but where
many hands are void in different suits (mostly with six players): there worlds carry weights. What
can hardly be counted is drawn again where it does not fit: a petit sec, for which the deal would
have been thrown in, a misère of the other kind, a lone petit that nobody can take.

    worlds = sample_worlds(turn, 32, rng)                 # whose cards are where
    likely = weights(turn, worlds, agent, rng)            # ... if they bid as the agent does
    tables = tables_from(turn, worlds)                    # n * 32 tables, to be played on
"""

from collections.abc import Collection

import numpy as np
from jaxtyping import Bool, Float64, Int, Int8, UInt64

from tarot_env import cardsets
from tarot_env.actions import Phase
from tarot_env.agent import Agent, checked_answer
from tarot_env.allocation import Allocator, batches
from tarot_env.cells import Cells
from tarot_env.dealing import petit_sec
from tarot_env.errors import TarotError
from tarot_env.tables import Tables
from tarot_env.turn import Turn
from tarot_env.worlds import Worlds, check_under_way, tables_from

__all__ = ["Worlds", "sample_worlds", "tables_from", "weights"]

_TRIES = 60
"""Times that worlds are drawn again where they do not fit; more at a time as it goes on."""
_MOST_AT_ONCE = 4096


def sample_worlds(turn: Turn, worlds: int, rng: np.random.Generator) -> Worlds:
    """Deals that fit what each viewer knows, drawn independently.

    Args:
        turn: what the viewers know.
        worlds: W, how many for each row.
        rng: draws them.

    Raises:
        TarotError: a deal that is over, or a Turn that no deal fits.
    """
    check_under_way(turn)
    cells = Cells.of(turn)
    problem, n = cells.problem, len(turn)
    found = np.zeros((n, worlds, problem.room.shape[1], 2), np.uint64)
    log_weight = np.zeros((n, worlds))
    for rows in batches(problem):
        allocator = Allocator(problem.take(rows))
        drawn = np.zeros(len(rows), np.int64)
        for attempt in range(_TRIES):
            todo = np.flatnonzero(drawn < worlds)
            if not len(todo):
                break
            missing = int((worlds - drawn[todo]).max())
            most = max(missing, _MOST_AT_ONCE // len(todo))
            size = min(missing << min(attempt, 10), most) if attempt else missing
            got = allocator.draw(todo, size, rng)
            fits = got.fits & _fits(cells, rows[todo], got.cells)
            place = drawn[todo, None] + np.cumsum(fits, axis=1) - 1
            at, number = np.nonzero(fits & (place < worlds))
            to = rows[todo[at]], place[at, number]
            found[to], log_weight[to] = got.cells[at, number], got.log_weight[at, number]
            drawn[todo] = np.minimum(drawn[todo] + fits.sum(1), worlds)
        _fill_up(found, log_weight, rows, drawn)
    likely = np.exp(log_weight - log_weight.max(1, keepdims=True, initial=-np.inf))
    return _worlds(cells, found, likely / likely.mean(1, keepdims=True), rng)


def _fits(
    cells: Cells, rows: Int[np.ndarray, " m"], drawn: UInt64[np.ndarray, "m w q 2"]
) -> Bool[np.ndarray, "m w"]:
    """Whether drawn cards fit what is not counted."""
    turn, rules = cells.turn, cells.turn.rules
    hands = drawn[:, :, : rules.hands]
    fits = np.ones(drawn.shape[:2], bool)
    if rules.petit_sec == "mandatory":
        dealt = (hands | cells.known[rows, None]) & ~turn.chien[rows, None, None]
        void = petit_sec(dealt.reshape(-1, rules.hands, 2), rules).any(1)
        fits &= ~void.reshape(fits.shape)
    if rules.petit_sec == "imprenable":
        fits &= cells.lone_petits.take(rows).allow(hands)
    if (turn.misere[rows] > 0).any():
        held = hands | turn.played[rows, None]
        kind = np.where(cardsets.is_empty(held & cardsets.COURT), 2, 0)
        kind += cardsets.is_empty(held & cardsets.TRUMPS)
        said = turn.misere[rows, None]
        fits &= ((said == 0) | (said == kind) | (np.arange(rules.hands) == 0)).all(2)
    waits = np.flatnonzero((turn.to_act[rows] == 0) & cardsets.is_empty(turn.legal[rows]))
    if len(waits):
        fits[waits] &= _others_answer(turn.take(rows[waits]), drawn[waits])
    return fits


def _others_answer(
    turn: Turn, drawn: UInt64[np.ndarray, "m w q 2"]
) -> Bool[np.ndarray, "m w"]:
    """Whether another seat has a question to answer unheard, for which the viewer must wait."""
    weight = np.ones(drawn.shape[:2])
    worlds = _worlds(Cells.of(turn), drawn, weight, np.random.default_rng(0))
    acts: np.ndarray = tables_from(turn, worlds).seat_to_act.reshape(weight.shape)
    return acts != turn.seat[:, None]


def _fill_up(
    found: UInt64[np.ndarray, "n w q 2"],
    log_weight: Float64[np.ndarray, "n w"],
    rows: Int[np.ndarray, " m"],
    drawn: Int[np.ndarray, " m"],
) -> None:
    """Where too few worlds were drawn, takes them again in turn.

    Raises:
        TarotError: a row for which no world was found.
    """
    number = log_weight.shape[1]
    if number and (drawn == 0).any():
        row = int(rows[drawn == 0][0])
        raise TarotError(f"row {row} of the turn: no deal was found that fits what the seat knows")
    for row, have in zip(rows[drawn < number], drawn[drawn < number], strict=True):
        again = np.arange(number) % have
        found[row], log_weight[row] = found[row, again], log_weight[row, again]


def _worlds(
    cells: Cells,
    found: UInt64[np.ndarray, "n w q 2"],
    weight: Float64[np.ndarray, "n w"],
    rng: np.random.Generator,
) -> Worlds:
    """The cards found for each cell, together with those that were seen."""
    turn, rules = cells.turn, cells.turn.rules
    hands = found[:, :, : rules.hands].copy()
    if rules.players == 2:
        hands |= turn.face_up[:, None]
    hands[:, :, 0] = turn.hand[:, None]
    chien, ecart = (found[:, :, part] for part in (cells.chien, cells.ecarts))
    first = chien[:, :, 0] if rules.in_partnerships else np.zeros_like(chien[:, :, 0])
    return Worlds(
        hands=hands,
        chien=np.bitwise_or.reduce(chien, axis=2) | turn.chien[:, None],
        first_half=first | turn.first_half[:, None],
        ecart=ecart | cells.public.ecart[:, None],
        beside=_in_any_order(turn.beside, found[:, :, -1], rng),
        weight=weight,
    )


def _in_any_order(
    beside: Int8[np.ndarray, "n d"],
    cards: UInt64[np.ndarray, "n w 2"],
    rng: np.random.Generator,
) -> Int8[np.ndarray, "n w d"]:
    """Stocks and piles with the given cards in their unseen places, in any order."""
    whole = np.repeat(beside[:, None], cards.shape[1], 1)
    n, number, card = np.nonzero(cardsets.to_mask(cards))
    order = np.lexsort((rng.random(len(card)), n * cards.shape[1] + number))
    whole[whole < 0] = card[order]
    return whole


# -- how likely a world is


def weights(
    turn: Turn,
    worlds: Worlds,
    policy: Agent,
    rng: np.random.Generator,
    *,
    phases: Collection[Phase] = (Phase.AUCTION,),
    error: float = 0.1,
) -> Float64[np.ndarray, "n w"]:
    """Weights of worlds by what the other seats have said and done in them.

    Each decision of another seat counts as it would if the seat asked the policy, but now and then
    did something else: 1 - error where the policy agrees, else the error shared by what else was
    allowed.

    Args:
        turn: what the viewers know.
        worlds: of the same rows; their own weights are taken in.
        policy: what the other seats are taken to play.
        rng: for the policy.
        phases: the decisions that count.
        error: how often a seat does something else.

    Returns:
        1 on average over the worlds of a row, to be put with `replace(worlds, weight=...)`.

    Raises:
        TarotError: an error that is no chance, or an answer that is not one action for each row.
    """
    if not 0 < error < 1:
        raise TarotError(f"error={error!r}; give a number between 0 and 1")
    told = tables_from(turn, worlds)
    log, sizes = told.state.log, told.state.log_size
    tables = Tables.of_packs(turn.rules, told.state.pack, told.state.dealer)
    given = np.flatnonzero(told.state.forced)
    tables.force(given, told.taker[given], told.contract[given])
    viewers = np.repeat(turn.seat, worlds.weight.shape[1])
    log_weight = np.zeros(len(viewers))
    last = Phase.AUCTION if max(phases, default=Phase.AUCTION) <= Phase.AUCTION else Phase.PLAY
    for step in range(int(sizes.max(initial=0))):
        rows = np.flatnonzero((sizes > step) & (tables.phase <= last))
        actions = log[rows, step, 1].astype(np.int64)
        counts = np.isin(tables.phase[rows], list(phases))
        counts &= tables.seat_to_act[rows] != viewers[rows]
        at = rows[counts]
        if len(at):
            asked = tables.turn(at)
            answer = checked_answer(policy.name, policy.act(asked, rng), len(at))
            others = np.maximum(cardsets.count(asked.legal) - 1, 1)
            agrees = answer == actions[counts]
            log_weight[at] += np.log(np.where(agrees, 1 - error, error / others))
        tables.step(actions, rows=rows)
    likely = np.exp(log_weight - log_weight.max(initial=-np.inf)).reshape(worlds.weight.shape)
    likely *= worlds.weight
    return likely / likely.mean(1, keepdims=True)
