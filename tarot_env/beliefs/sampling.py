"""Worlds drawn for a Turn: cards for every cell, until they fit what cannot be counted too.

That is: no petit sec for which the deal would have been thrown in, a misère of the kind that was
declared, a lone petit that nobody can take where play has shown one, and a question to another
seat where the viewer is kept waiting. What does not fit is drawn again.
"""

import numpy as np
from jaxtyping import Bool, Float64, Int, Int8, UInt64

from tarot_env.beliefs.constraints import Cells
from tarot_env.beliefs.exact_sampler import Allocation, Counted, batches
from tarot_env.beliefs.importance_sampler import Fitted
from tarot_env.beliefs.worlds import Worlds, check_under_way, mean_one, tables_from
from tarot_env.cards import cardsets
from tarot_env.core.arguments import is_int
from tarot_env.errors import TarotError, short_repr
from tarot_env.phases.redeal import petit_sec
from tarot_env.tables import Turn

_ROUNDS = 60
"""Times that worlds are drawn again where they do not fit, each time more of them."""
_MOST_AT_ONCE = 4096


def sample_worlds(turn: Turn, worlds: int, rng: np.random.Generator) -> Worlds:
    """Deals that fit what each viewer knows, drawn independently.

    Where hardly any deal fits, some may come more than once.

    Args:
        turn: what the viewers know.
        worlds: W, how many for each row.
        rng: draws them.

    Raises:
        TarotError: no whole number of worlds from 1 up, a deal that is over, or a Turn that no deal
            was found to fit.
    """
    if not is_int(worlds) or worlds < 1:
        raise TarotError(f"worlds={short_repr(worlds)}; give a whole number, 1 and up")
    check_under_way(turn)
    cells = Cells(turn)
    problem = cells.problem
    unfit = np.flatnonzero((problem.room < 0).any(1) | (problem.room.sum(1) != problem.sizes))
    if len(unfit):
        raise _no_deal(int(unfit[0]))
    n, q = problem.room.shape
    found, log_weight = np.empty((n, worlds, q, 2), np.uint64), np.empty((n, worlds))
    for rows, is_counted in batches(problem):
        part = problem.take(rows)
        allocator = Counted(part) if is_counted else Fitted(part)
        found[rows], log_weight[rows] = _draw(cells, rows, allocator, worlds, rng)
    return _worlds(cells, found, mean_one(log_weight), rng)


def _no_deal(row: int) -> TarotError:
    return TarotError(f"row {row} of the turn: no deal was found that fits what the seat knows")


def _draw(
    cells: Cells,
    rows: Int[np.ndarray, " m"],
    allocator: Counted | Fitted,
    worlds: int,
    rng: np.random.Generator,
) -> tuple[UInt64[np.ndarray, "m w q 2"], Float64[np.ndarray, "m w"]]:
    """Cards of W worlds that fit, and the logarithms of their weights."""
    drawn = allocator.draw(np.arange(len(rows)), worlds, rng)
    if isinstance(allocator, Counted) and not drawn.fits.all():
        raise _no_deal(int(rows[drawn.fits.all(1).argmin()]))
    good = fits(cells, rows, drawn, rng)
    if good.all():
        return drawn.cells, drawn.log_weight
    order = np.argsort(~good, axis=1, kind="stable")
    found = np.take_along_axis(drawn.cells, order[..., None, None], 1)
    log_weight = np.take_along_axis(drawn.log_weight, order, 1)
    have = good.sum(1)
    for attempt in range(1, _ROUNDS):
        todo = np.flatnonzero(have < worlds)
        if not len(todo):
            break
        missing = worlds - int(have[todo].min())
        most = max(missing, _MOST_AT_ONCE // len(todo))
        drawn = allocator.draw(todo, min(missing << min(attempt, 12), most), rng)
        good = fits(cells, rows[todo], drawn, rng)
        place = have[todo, None] + np.cumsum(good, axis=1) - 1
        at, number = np.nonzero(good & (place < worlds))
        to = todo[at], place[at, number]
        found[to], log_weight[to] = drawn.cells[at, number], drawn.log_weight[at, number]
        have[todo] = np.minimum(have[todo] + good.sum(1), worlds)
    if not have.all():
        raise _no_deal(int(rows[have.argmin()]))
    again = np.arange(worlds) % have[:, None]
    found = np.take_along_axis(found, again[..., None, None], 1)
    return found, np.take_along_axis(log_weight, again, 1)


def fits(
    cells: Cells, rows: Int[np.ndarray, " m"], drawn: Allocation, rng: np.random.Generator
) -> Bool[np.ndarray, "m w"]:
    """Which of the drawn worlds are whole, and fit what is not counted."""
    turn, rules = cells.turn, cells.turn.rules
    hands, good = drawn.cells[:, :, : rules.hands], drawn.fits.copy()
    if rules.petit_sec == "mandatory":
        dealt = (hands | cells.known[rows, None]) & ~turn.chien[rows, None, None]
        void = petit_sec(dealt.reshape(-1, rules.hands, 2), rules).any(1)
        good &= ~void.reshape(good.shape)
    if rules.petit_sec == "imprenable":
        good &= cells.lone_petits.take(rows).allow(hands)
    if (turn.misere[rows] > 0).any():
        held, said = hands | turn.played[rows, None], turn.misere[rows, None]
        kind = np.where(cardsets.is_empty(held & cardsets.COURT), 2, 0)
        kind += cardsets.is_empty(held & cardsets.TRUMPS)
        good &= ((said == 0) | (said == kind))[:, :, 1:].all(2)
    waits = np.flatnonzero((turn.to_act[rows] == 0) & cardsets.is_empty(turn.legal[rows]))
    if len(waits):  # another seat must have a question to answer unheard
        row, number = np.nonzero(good[waits])
        waiting = turn.take(rows[waits[row]])
        whole = drawn.cells[waits[row], number][:, None]
        worlds = _worlds(Cells(waiting), whole, np.ones(whole.shape[:2]), rng)
        good[waits[row], number] = tables_from(waiting, worlds).seat_to_act != waiting.seat
    return good


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
    chien, ecart = found[:, :, cells.chien], found[:, :, cells.ecarts]
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
    worlds = cards.shape[1]
    whole = np.repeat(beside[:, None], worlds, 1)
    row, number, card = np.nonzero(cardsets.to_mask(cards))
    order = np.lexsort((rng.random(len(card)), row * worlds + number))
    whole[whole < 0] = card[order]
    return whole
