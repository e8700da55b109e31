"""What each call of an auction is expected to score, from a table fitted to simulated deals.

The table is `estimates.toml` beside this file; `agents.heuristic.calibration` writes it. A contract
is judged by the margin between the taker's points and the target, a sum over features of the hand
and of the auction so far. The chance of making it is logistic in that margin m, and each defender
pays multiplier * (25 * (2 * chance - 1) + m), which is the rule itself (rules.md A0.7) on average.
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
    PARTNER,
    SLAM,
    auction_features,
    hand_features,
)
from tarot_env.actions import (
    CONTRA,
    NUM_ACTIONS,
    PASS,
    PETITE,
    POUSSE,
    RECONTRA,
    Bid,
)
from tarot_env.rules import Rules
from tarot_env.scoring import multipliers
from tarot_env.turn import Turn

FILE = Path(__file__).with_name("estimates.toml")
CONTRACT_POINTS = 25
"""Paid for every contract, beside the margin."""
SITUATION = HAND + AUCTION
PASSES = ("open", "heard", "partner")
"""A pass where nobody has bid a contract, behind one of the others, behind one of the partner."""
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
    """The bidder's score: for each point that a defender pays, and more of that for each seat that
    has yet to speak; then besides, and more of that for each such seat."""


class Estimates(NamedTuple):
    """The estimates of one game."""

    contracts: Mapping[Bid, Contract]
    passes: Mapping[str, Float64[np.ndarray, " f"]]
    """The score of a pass, for each feature of `SITUATION`: `open`, for each seat that has yet to
    speak; the others, for each unit of the contract's multiplier."""
    slam: Float64[np.ndarray, " s"] = NO_SLAM
    """Log odds of a slam that is announced, for each feature of `SLAM`."""
    poignee: Mapping[str, tuple[float, Float64[np.ndarray, " g"]]] = {}
    """By role: the least chance of winning with which a poignée pays; log odds of that chance for
    each feature of `HAND` and `BEFORE_PLAY`."""


@cache
def estimates_of(game: str) -> Estimates:
    """The fitted estimates of a game; five with a dead hand play that of four."""
    with FILE.open("rb") as file:
        return parse(tomllib.load(file)["4" if game == "mort" else game])


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
    passes = {name: weights(part, SITUATION) for name, part in table["pass"].items()}
    slam = weights(table["slam"], SLAM) if "slam" in table else NO_SLAM
    poignee = {
        role: (part["least_chance"], weights(part["win"], HAND + BEFORE_PLAY))
        for role, part in table.get("poignee", {}).items()
    }
    return Estimates(contracts, passes, slam, poignee)


def weights(named: Mapping[str, float], names: Sequence[str]) -> Float64[np.ndarray, " f"]:
    """Weights in the order of the names, 0 for what the table leaves out."""
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


def logistic(log_odds: Float64[np.ndarray, "*n"]) -> Float64[np.ndarray, "*n"]:
    """The chance that some log odds stand for."""
    return 1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))


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
    share, share_each, besides, besides_each = contract.score
    waiting = features[:, _TO_SPEAK]
    paid = payment(features, contract, multiplier)
    return (share + share_each * waiting) * paid + besides + besides_each * waiting


def multiplier_of(bid: Bid, rules: Rules) -> int:
    """What a contract multiplies, without contra."""
    return int(multipliers(np.array([bid]), np.array([0]), rules)[0])


def pass_score(
    turn: Turn, features: Float32[np.ndarray, "n f"], estimates: Estimates
) -> Float64[np.ndarray, " n"]:
    """What a pass is expected to score; 0 where it ends the auction without a contract."""
    kind = pass_kinds(turn)
    contract = turn.contract.astype(np.int64)
    times = multipliers(contract, turn.contra.astype(np.int64), turn.rules).astype(np.float64)
    times[kind == 0] = features[kind == 0, _TO_SPEAK]
    score = np.zeros(len(turn))
    for number, name in enumerate(PASSES):
        if name in estimates.passes:
            rows = np.flatnonzero(kind == number)
            score[rows] = times[rows] * weighed(features[rows], estimates.passes[name])
    return score


def pass_kinds(turn: Turn) -> Int64[np.ndarray, " n"]:
    """Number in `PASSES` of a pass at each row."""
    plays = turn.contract > (Bid.POUSSE if turn.rules.in_partnerships else Bid.NONE)
    own = plays & ((turn.taker == 0) | (turn.taker == PARTNER) & turn.rules.in_partnerships)
    return np.where(own, 2, np.where(plays, 1, 0))


def expected_scores(
    turn: Turn, estimates: Estimates | None = None
) -> Float32[np.ndarray, "n {NUM_ACTIONS}"]:
    """What each call of the seat to act is expected to score in the deal, in points.

    With six players a petite or a pousse, which is a signal, counts as a pass does; a contra and a
    recontra double what a pass is worth.

    Args:
        turn: seats to act; an auction is all that is judged.
        estimates: those of the game if None.

    Returns:
        Minus infinity for what is no legal call.
    """
    estimates = estimates or estimates_of(turn.rules.game_name)
    features = situation(turn)
    passing = pass_score(turn, features, estimates)
    scores = np.full((len(turn), NUM_ACTIONS), -np.inf, np.float32)
    scores[:, PASS] = passing
    if turn.rules.in_partnerships:
        doubled = passing * (2 if turn.rules.contra_effect == "double" else 1)
        scores[:, [PETITE, POUSSE]] = passing[:, None]
        scores[:, [CONTRA, RECONTRA]] = doubled[:, None]
    for bid, contract in estimates.contracts.items():
        scores[:, PASS + bid] = contract_score(features, contract, multiplier_of(bid, turn.rules))
    return np.where(turn.legal_mask, scores, np.float32(-np.inf))


def making_chances(
    turn: Turn, bid: Bid, estimates: Estimates | None = None
) -> Float64[np.ndarray, " n"]:
    """The chance of making a contract, for the seat to act in an auction."""
    estimates = estimates or estimates_of(turn.rules.game_name)
    return margin_and_chance(situation(turn), estimates.contracts[bid])[1]
