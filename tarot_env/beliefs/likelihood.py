"""How likely worlds are by what the other seats said and did in them."""

from collections.abc import Collection

import numpy as np
from jaxtyping import Float64

from tarot_env.beliefs.worlds import Worlds, mean_one, tables_from
from tarot_env.cards import cardsets
from tarot_env.cards.actions import Phase
from tarot_env.errors import TarotError, short_repr
from tarot_env.tables import Agent, Tables, Turn
from tarot_env.tables.agent import check_fair, checked_answer


def weights(
    turn: Turn,
    worlds: Worlds,
    policy: Agent,
    rng: np.random.Generator,
    *,
    phases: Collection[Phase] = (Phase.AUCTION,),
    error: float = 0.1,
) -> Float64[np.ndarray, "n w"]:
    """Weights of worlds by how well they explain what the other seats have decided.

    Each deal is told again. A decision of another seat counts 1 - error where the policy would have
    decided so with the cards of that world, and else error, shared by all else that was allowed.

    Args:
        turn: what the viewers know.
        worlds: of the same rows; their own weights are taken in.
        policy: what the other seats are taken to be.
        rng: for the policy.
        phases: the decisions that count.
        error: how often a seat decides otherwise.

    Returns:
        1 on average over the worlds of a row; `replace(worlds, weight=...)` puts them to use.

    Raises:
        TarotError: an error that is no chance, a deal that is over, or a policy that does not
            answer one action for each row.
    """
    check_fair(policy.name, policy, "weighing worlds")
    if not 0 < error < 1:
        raise TarotError(f"error={short_repr(error)}; give a number between 0 and 1")
    told = tables_from(turn, worlds).columns
    log, log_size = told.log, told.log_size
    tables = Tables.of_packs(turn.rules, told.pack, told.dealer)
    given = np.flatnonzero(told.forced)
    tables.force(given, told.taker[given], told.contract[given])
    viewers = np.repeat(turn.seat, worlds.weight.shape[1])
    log_weight = np.zeros(len(viewers))
    last = Phase.PLAY if max(phases, default=0) > Phase.AUCTION else Phase.AUCTION
    for number in range(int(log_size.max(initial=0))):
        rows = np.flatnonzero((log_size > number) & (tables.phase <= last))
        actions = log[rows, number, 1].astype(np.int64)
        counts = np.isin(tables.phase[rows], list(phases))
        counts &= tables.seat_to_act[rows] != viewers[rows]
        judged = rows[counts]
        if len(judged):
            asked = tables.turn(judged)
            answers = checked_answer(policy.name, policy.act(asked, rng), len(judged))
            others = np.maximum(cardsets.count(asked.legal) - 1, 1)
            agrees = answers == actions[counts]
            log_weight[judged] += np.log(np.where(agrees, 1 - error, error / others))
        tables.step(actions, rows=rows)
    with np.errstate(divide="ignore"):
        return mean_one(log_weight.reshape(worlds.weight.shape) + np.log(worlds.weight))
