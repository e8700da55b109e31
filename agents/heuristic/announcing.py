"""What the heuristic announces beside its bids: redeal, slam, misère, poignée (RULES.md 17.4)."""

import numpy as np
from jaxtyping import Float64, Int

from agents.heuristic.estimates import (
    ROLES,
    Estimates,
    contract_score,
    multiplier_of,
    situation,
    weighed,
)
from agents.heuristic.features import before_play_features, slam_features
from agents.heuristic.fitting import logistic
from agents.heuristic.holding import HIDING_GAMES
from agents.heuristic.scale import or_petit_chelem
from tarot_env.cards import cardsets
from tarot_env.cards.actions import CHELEM, MISERE, PASS, THROW_IN, Bid
from tarot_env.tables import Turn


def ask_for_redeal(turn: Turn, estimates: Estimates) -> Int[np.ndarray, " n"]:
    """Has the deal thrown in, unless a garde is expected to score."""
    garde = multiplier_of(Bid.GARDE, turn.rules)
    worth = contract_score(situation(turn), estimates.contracts[Bid.GARDE], garde)
    return np.where(worth > 0, PASS, THROW_IN).astype(np.int64)


def announce_slam(turn: Turn, estimates: Estimates) -> Int[np.ndarray, " n"]:
    """A slam is announced where that pays: from an even chance on, by most rules (RULES.md 17.4).

    Where cards still come to the hand during play, nothing is that sure.
    """
    rules = turn.rules
    if rules.game in HIDING_GAMES:
        return np.full(len(turn), PASS, np.int64)
    announced, unannounced, failed = rules.slam_bonus
    chance = slam_chances(turn, estimates)
    pays = chance * (announced - unannounced) + (1 - chance) * failed > 0
    return or_petit_chelem(turn, np.where(pays, CHELEM, PASS))


def slam_chances(turn: Turn, estimates: Estimates) -> Float64[np.ndarray, " n"]:
    """The chance of each taker to win every trick."""
    chance = logistic(weighed(slam_features(turn.hand), estimates.slam))
    if turn.rules.excuse_wins_slam_trick == "never":
        chance = np.where(cardsets.is_empty(turn.hand & cardsets.EXCUSE), chance, 0.0)
    return chance


def declare_misere(turn: Turn) -> Int[np.ndarray, " n"]:
    """Always: it brings points whatever happens."""
    return np.full(len(turn), MISERE, np.int64)


def show_poignee(turn: Turn, estimates: Estimates) -> Int[np.ndarray, " n"]:
    """The highest poignée where the own side's chance to win is worth what showing it tells.

    It goes to the side that wins the contract, whoever shows it (RULES.md 17.4).
    """
    level = cardsets.highest(turn.legal).astype(np.int64)
    features = before_play_features(turn)
    role = roles(turn)
    shows = np.zeros(len(turn), bool)
    for number, name in enumerate(ROLES):
        if name in estimates.poignee:
            least, weights = estimates.poignee[name]
            shows |= (role == number) & (logistic(weighed(features, weights)) > least)
    return np.where(shows, level, PASS)


def roles(turn: Turn) -> Int[np.ndarray, " n"]:
    """Number in `ROLES` of each viewer's role."""
    return np.where(turn.taker == 0, 0, np.where(turn.attack[:, 0], 1, 2))


def withhold(turn: Turn) -> Int[np.ndarray, " n"]:
    """Keeps back the lowest trump: where the petit lies is worth most to the other side."""
    return cardsets.lowest(turn.legal).astype(np.int64)
