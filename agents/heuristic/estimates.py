"""What each call of an auction is expected to score, from a table fitted to simulated deals.

The table is `estimates.toml` beside this file; `agents.heuristic.calibration` writes it. A contract
is judged by the margin between the taker's points and the target, a sum over features of the hand
and of the auction so far. The chance of making it is logistic in that margin m, and each defender
pays multiplier * (25 * (2 * chance - 1) + m), which is the rule itself (RULES.md 11.1) on average.
How much of that the bidder gets also depends on how many may still bid higher.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float32, Float64, Int64

from agents.heuristic.features import (
    AUCTION,
    BEFORE_PLAY,
    HAND,
    SLAM,
    auction_features,
    hand_features,
    is_taken,
    own_side_bids,
    to_speak,
)
from agents.heuristic.fitting import logistic
from tarot_env.cards.actions import CONTRA, NUM_ACTIONS, PASS, PETITE, POUSSE, RECONTRA, Bid, Phase
from tarot_env.core.scoring import multipliers
from tarot_env.errors import TarotError
from tarot_env.rules import Rules
from tarot_env.tables import Turn

FILE = Path(__file__).with_name("estimates.toml")
CONTRACT_POINTS = 25
"""Paid for every contract, beside the margin."""
SITUATION = HAND + AUCTION
OTHER_CALLS = ("open", "heard", "partner", "contra")
"""A pass where nobody has bid a contract, behind one of the others, behind one of the own side; and
with six players a contra."""
ROLES = ("taker", "partner", "defender")
NO_SLAM = np.array([-30.0, *[0.0] * (len(SLAM) - 1)])
_TO_SPEAK = SITUATION.index("to_speak")


class Contract(NamedTuple):
    """The estimate of one contract."""

    margin: Float64[np.ndarray, " f"]
    """Points over the target, for each feature of `SITUATION`."""
    chance: Float64[np.ndarray, "2"]
    """Log odds of making it: at margin 0, and for each point."""
    score: Float64[np.ndarray, "4"]
    """a, b, c and d of the bidder's score, (a + b * w) * x + c + d * w: x is what each defender
    pays, w how many seats have yet to speak."""


class OtherCall(NamedTuple):
    """The estimate of a pass or a contra."""

    worth: Float64[np.ndarray, " f"]
    """Points for each feature of `SITUATION`."""
    score: Float64[np.ndarray, "4"]
    """a, b, c and d as in `Contract`, x being the worth; all of it is multiplied by `times_of`, for
    the caller's score."""


class Estimates(NamedTuple):
    """The estimates of one game."""

    contracts: Mapping[Bid, Contract]
    others: Mapping[str, OtherCall]
    """By name in `OTHER_CALLS`; a contra that is missing is never said."""
    slam: Float64[np.ndarray, " s"] = NO_SLAM
    """Log odds of a slam that is announced, for each feature of `SLAM`."""
    poignee: Mapping[str, tuple[float, Float64[np.ndarray, " g"]]] = {}
    """By role: the least chance of winning with which a poignée pays; log odds of that chance for
    each feature of `HAND` and `BEFORE_PLAY`."""


@cache
def estimates_of(game: str) -> Estimates:
    """The fitted estimates of a game; five with a dead hand play that of four."""
    try:
        with FILE.open("rb") as file:
            return parse(tomllib.load(file)["4" if game == "mort" else game])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise TarotError(
            f"{FILE.name} of the heuristic cannot be read ({type(error).__name__}: {error}); "
            "install tarot-env again"
        ) from error


def parse(table: Mapping[str, Any]) -> Estimates:
    """The estimates of one game from its part of the file."""
    contracts = {}
    for bid in (Bid.GARDE, Bid.GARDE_SANS, Bid.GARDE_CONTRE):
        part = table[bid.name.lower()]
        contracts[bid] = Contract(
            weights(part["margin"], SITUATION), np.array(part["chance"]), np.array(part["score"])
        )
    if "petite" in table:
        score = np.array(table["petite"]["score"])
        contracts[Bid.PETITE] = contracts[Bid.GARDE]._replace(score=score)
    others = {
        name: OtherCall(weights(table[name]["worth"], SITUATION), np.array(table[name]["score"]))
        for name in OTHER_CALLS
        if name in table
    }
    slam = weights(table["slam"], SLAM) if "slam" in table else NO_SLAM
    poignee = {
        role: (part["least_chance"], weights(part["win"], HAND + BEFORE_PLAY))
        for role, part in table.get("poignee", {}).items()
    }
    return Estimates(contracts, others, slam, poignee)


def weights(named: Mapping[str, float], names: Sequence[str]) -> Float64[np.ndarray, " f"]:
    """Weights in the order of the names, 0 for what the table leaves out.

    Raises:
        TarotError: the table names something else.
    """
    unknown = set(named) - set(names)
    if unknown:
        raise TarotError(f"{FILE.name}: unknown feature {min(unknown)!r}")
    return np.array([named.get(name, 0.0) for name in names])


# -- what a contract and a pass are worth


def situation(turn: Turn) -> Float32[np.ndarray, "n f"]:
    """Hand and auction so far, in the order of `SITUATION`."""
    return np.concatenate([hand_features(turn.hand), auction_features(turn)], 1)


def weighed(
    features: Float32[np.ndarray, "n f"], weight: Float64[np.ndarray, " f"]
) -> Float64[np.ndarray, " n"]:
    """The weighted sum of each row; the same whatever rows stand beside it."""
    return (features * weight).sum(1)


def margin_and_chance(
    features: Float32[np.ndarray, "n f"], contract: Contract
) -> tuple[Float64[np.ndarray, " n"], Float64[np.ndarray, " n"]]:
    """Points over the target that a contract is expected to end with, and the chance to make it."""
    margin = weighed(features, contract.margin)
    at_zero, per_point = contract.chance
    return margin, logistic(at_zero + per_point * margin)


def payment(
    features: Float32[np.ndarray, "n f"], contract: Contract, multiplier: int
) -> Float64[np.ndarray, " n"]:
    """What each defender is expected to pay, without bonuses."""
    margin, chance = margin_and_chance(features, contract)
    return multiplier * (CONTRACT_POINTS * (2 * chance - 1) + margin)


def contract_score(
    features: Float32[np.ndarray, "n f"], contract: Contract, multiplier: int
) -> Float64[np.ndarray, " n"]:
    """What a bid is expected to score."""
    paid = payment(features, contract, multiplier)
    return (score_columns(paid, features[:, _TO_SPEAK]) * contract.score).sum(1)


def score_columns(
    worth: Float64[np.ndarray, " n"], waiting: Float32[np.ndarray, " n"]
) -> Float64[np.ndarray, "n 4"]:
    """The columns x, x * w, 1 and w that `Contract.score` and `OtherCall.score` weigh.

    Args:
        worth: x, in points.
        waiting: w, how many seats have yet to speak.
    """
    return np.stack([worth, worth * waiting, np.ones(len(worth)), waiting], 1)


def multiplier_of(bid: Bid, rules: Rules) -> int:
    """What a contract multiplies, without contra."""
    return int(multipliers(np.array([bid]), np.array([0]), rules)[0])


def other_score(
    name: str,
    features: Float32[np.ndarray, "n f"],
    times: Int64[np.ndarray, " n"],
    estimates: Estimates,
) -> Float64[np.ndarray, " n"]:
    """What a pass or a contra is expected to score; a contra nan if unknown."""
    if name not in estimates.others:
        return np.full(len(features), 0.0 if name in OTHER_CALLS[:3] else np.nan)
    call = estimates.others[name]
    columns = score_columns(weighed(features, call.worth), features[:, _TO_SPEAK])
    return times * (columns * call.score).sum(1)


def times_of(turn: Turn, kind: Int64[np.ndarray, " n"]) -> Int64[np.ndarray, " n"]:
    """What the score of `OtherCall` is multiplied by: nothing if a pass ends all without a bid."""
    contract, contra = turn.contract.astype(np.int64), turn.contra.astype(np.int64)
    return np.where(kind == 0, to_speak(turn), multipliers(contract, contra, turn.rules))


def pass_kinds(turn: Turn) -> Int64[np.ndarray, " n"]:
    """Number in `OTHER_CALLS` of a pass at each row."""
    return np.where(own_side_bids(turn), 2, np.where(is_taken(turn), 1, 0))


def expected_scores(
    turn: Turn, estimates: Estimates | None = None
) -> Float32[np.ndarray, "n {NUM_ACTIONS}"]:
    """What each call of the seat to act is expected to score in the deal, in points.

    With six players a petite or a pousse, which is a signal, counts as a pass does, a signal is
    nothing to contra, and a recontra doubles what a pass is worth.

    Args:
        turn: seats to act.
        estimates: those of the game if None.

    Returns:
        nan for what is no legal answer, or none of an auction, or has no estimate.
    """
    estimates = estimates or estimates_of(turn.rules.game_name)
    features = situation(turn)
    kind = pass_kinds(turn)
    times = times_of(turn, kind)
    of_pass = [other_score(name, features, times, estimates) for name in OTHER_CALLS[:3]]
    scores = np.full((len(turn), NUM_ACTIONS), np.nan, np.float32)
    scores[:, PASS] = np.choose(kind, of_pass)
    if turn.rules.in_partnerships:
        scores[:, [PETITE, POUSSE]] = scores[:, [PASS]]
        contra = other_score("contra", features, times, estimates)
        scores[:, CONTRA] = np.where(kind > 0, contra, np.nan)
        scores[:, RECONTRA] = np.where(kind > 0, 2 * scores[:, PASS], np.nan)
    for bid, contract in estimates.contracts.items():
        scores[:, PASS + bid] = contract_score(features, contract, multiplier_of(bid, turn.rules))
    judged = turn.legal_mask & (turn.phase == Phase.AUCTION)[:, None]
    return np.where(judged, scores, np.float32(np.nan))


def making_chances(
    turn: Turn, bid: Bid, estimates: Estimates | None = None
) -> Float64[np.ndarray, " n"]:
    """The chance of making a contract, for the seat to act in an auction."""
    estimates = estimates or estimates_of(turn.rules.game_name)
    return margin_and_chance(situation(turn), estimates.contracts[bid])[1]
