"""Fits what announcements are worth: chances of a slam, and of winning with a poignée in hand.

Hands for which that is a question are rare, so deals are made in which the first seat holds many
trumps; the other cards are dealt at random, and what the holder cannot see is as likely as ever.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float32, Float64, Int64

from agents.hand_strength import scaled
from agents.heuristic import HeuristicAgent
from agents.heuristic.announcing import roles
from agents.heuristic.estimates import ROLES, Estimates
from agents.heuristic.features import BEFORE_PLAY, HAND, SLAM, before_play_features, slam_features
from agents.heuristic.fitting import (
    least_squares,
    logistic,
    logistic_regression,
    table_text,
    weights_text,
)
from agents.heuristic.holding import HIDING_GAMES
from agents.play import Player, play_out
from tarot_env.cards import (
    FIRST_TRUMP,
    KING,
    NUM_CARDS,
    NUM_SUITS,
    QUEEN,
    RANK,
    SUIT_SIZE,
    cardsets,
)
from tarot_env.cards.actions import CHELEM, PASS, POIGNEE, Bid, Phase
from tarot_env.core.state import attackers
from tarot_env.rules import Rules
from tarot_env.tables import Tables

SLAM_TRUMPS = (9, 17)
"""Fewest and most trumps, of a hand of 18 cards, with which slams are tried."""
AROUND_POIGNEE = (-2, 4)
"""Fewest and most trumps beyond a single poignée with which it is tried."""
HONOURS = 0.4
"""How far honours come forward among the suit cards of a hand that tries a slam."""
AUCTIONS_PER_DEAL = 5
"""So many more deals are bid than played: somebody else takes while a poignée is held."""
FEWEST = 200
"""Samples of a role below which it is left without an estimate, and so never shows."""
LEAST_CHANCES = (0.5, 0.95)
AFTER_AUCTION = tuple(phase for phase in Phase if phase != Phase.AUCTION)


class Shown(NamedTuple):
    """Poignées that were shown, and the same deals without them."""

    features: Float32[np.ndarray, "n f"]  # of `before_play_features`
    role: Int64[np.ndarray, " n"]  # number in `ROLES`
    bonus: Int64[np.ndarray, " n"]  # of the level shown, in points
    wins: Bool[np.ndarray, " n"]  # the side that showed it
    gain: Float64[np.ndarray, " n"]  # what the holder scored more than without


def deals_with_trumps(
    rules: Rules,
    deals: int,
    span: tuple[int, int],
    rng: np.random.Generator,
    *,
    honours: float = 0.0,
) -> tuple[Tables, Int64[np.ndarray, " n"]]:
    """Tables where seat 0 holds so many trumps, the Excuse among them, and those that are open.

    Args:
        rules: of the game.
        deals: how many.
        span: fewest and most trumps, each number as often.
        rng: draws the cards.
        honours: see `HONOURS`.
    """
    size = rules.hand_size
    fewest, most = (min(number, size) for number in span)
    trumps = rng.integers(fewest, most + 1, deals)[:, None]
    drawn = rng.random((deals, NUM_CARDS))
    suits = np.arange(NUM_SUITS * SUIT_SIZE)
    drawn[:, suits] -= honours * np.isin(RANK[suits], (KING, QUEEN))
    place = np.concatenate([_places(drawn[:, :FIRST_TRUMP]), _places(drawn[:, FIRST_TRUMP:])], 1)
    is_trump = np.arange(NUM_CARDS) >= FIRST_TRUMP
    held = place < np.where(is_trump, trumps, size - trumps)
    packs = np.argsort(rng.random((deals, NUM_CARDS)) + ~held, axis=1).astype(np.uint8)
    tables = Tables.of_packs(rules, packs, np.arange(deals) % rules.players)
    return tables, np.flatnonzero(tables.phase == Phase.AUCTION)


def _places(drawn: Float64[np.ndarray, "n m"]) -> Int64[np.ndarray, "n m"]:
    """Place of each card in the order in which it was drawn."""
    return drawn.argsort(axis=1).argsort(axis=1)


def played_from(
    tables: Tables,
    rows: Int64[np.ndarray, " n"],
    answers: Int64[np.ndarray, " n"],
    player: HeuristicAgent,
    rng: np.random.Generator,
) -> Tables:
    """Copies of the named tables, played on to the end from these answers."""
    copies = tables.take(rows)
    copies.step(answers)
    seats = np.zeros((len(rows), tables.rules.players), np.int64)
    play_out(copies, [Player(player, rng)], seats, rng)
    return copies


# -- slams


def slam_samples(
    rules: Rules, player: HeuristicAgent, *, deals: int, seed: int
) -> tuple[Float32[np.ndarray, "n s"], Bool[np.ndarray, " n"]]:
    """Hands of takers who announced a slam, as `slam_features`, and whether they made it.

    Args:
        rules: of the game.
        player: plays every seat.
        deals: how many, in turn with the chien and without it.
        seed: of the cards.
    """
    rng = np.random.default_rng(seed)
    fewest, most = (scaled(number, rules) for number in SLAM_TRUMPS)
    tables, rows = deals_with_trumps(rules, deals, (fewest, most), rng, honours=HONOURS)
    tables.force(rows, 0, np.where(rows % 2 == 0, Bid.GARDE, Bid.GARDE_SANS))
    _play_to(tables, rows, (Phase.SLAM, Phase.OVER), player, rng)
    turn = tables.turn(rows)
    tables.step(np.full(len(rows), CHELEM), rows)
    play_out(tables, [Player(player, rng)], np.zeros((deals, rules.players), np.int64), rng)
    won = tables.columns.tricks_won[rows] * attackers(tables.columns, rows)
    return slam_features(turn.hand), won.sum(1) == rules.tricks


def _play_to(
    tables: Tables,
    rows: Int64[np.ndarray, " n"],
    stops: Sequence[Phase],
    player: HeuristicAgent,
    rng: np.random.Generator,
) -> None:
    """Lets the player answer at the named tables until one of the phases comes at each."""
    rows = rows[~np.isin(tables.phase[rows], stops)]
    while len(rows):
        tables.step(player.act(tables.turn(rows), rng), rows)
        rows = rows[~np.isin(tables.phase[rows], stops)]


def fit_slam(
    rules: Rules, estimates: Estimates, *, deals: int, seed: int
) -> Float64[np.ndarray, " s"]:
    """Weights of the log odds of a slam."""
    player = HeuristicAgent(estimates=estimates)
    features, made = slam_samples(rules, player, deals=deals, seed=seed)
    return logistic_regression(features, made)


# -- poignées


def poignee_samples(rules: Rules, player: HeuristicAgent, *, deals: int, seed: int) -> Shown:
    """Poignées that seat 0 might show in free auctions, all of them shown.

    Args:
        rules: of the game.
        player: bids and plays for every seat.
        deals: how many are played, half of them with the holder as taker, or fewer.
        seed: of the cards.
    """
    rng = np.random.default_rng(seed)
    span = (rules.thresholds[0] + AROUND_POIGNEE[0], rules.thresholds[0] + AROUND_POIGNEE[1])
    tables, rows = deals_with_trumps(rules, AUCTIONS_PER_DEAL * deals, span, rng)
    _play_to(tables, rows, AFTER_AUCTION, player, rng)
    rows = rows[~tables.is_over[rows]]
    takes = tables.taker[rows] == 0
    rows = np.concatenate([rows[takes][: deals // 2], rows[~takes][: deals // 2]])
    parts = []
    while len(rows):
        _play_to(tables, rows, (Phase.POIGNEE, Phase.OVER), player, rng)
        rows = rows[~tables.is_over[rows]]
        asked = rows[tables.seat_to_act[rows] == 0]
        if len(asked):
            parts.append(_show_and_hide(tables, asked, player, rng))
        rows = rows[tables.seat_to_act[rows] != 0]
        tables.step(np.full(len(rows), PASS), rows)
    return Shown(*map(np.concatenate, zip(*parts, strict=True)))


def _show_and_hide(
    tables: Tables, rows: np.ndarray, player: HeuristicAgent, rng: np.random.Generator
) -> Shown:
    turn = tables.turn(rows)
    shown = cardsets.highest(turn.legal).astype(np.int64)
    with_it, without = (
        played_from(tables, rows, answers, player, rng)
        for answers in (shown, np.full(len(rows), PASS))
    )
    role = roles(turn)
    return Shown(
        features=before_play_features(turn),
        role=role,
        bonus=np.array(tables.rules.poignee_bonus)[shown - POIGNEE],
        wins=with_it.made == (role < ROLES.index("defender")),
        gain=with_it.scores[:, 0] - without.scores[:, 0],
    )


def fit_poignee(
    rules: Rules, estimates: Estimates, *, deals: int, seed: int
) -> dict[str, tuple[float, Float64[np.ndarray, " f"]]]:
    """By role: the least chance with which a poignée pays, and weights of the chance's log odds.

    What is shown helps the others: a poignée gains its bonus, won or lost, less a price.
    """
    samples = poignee_samples(rules, HeuristicAgent(estimates=estimates), deals=deals, seed=seed)
    fitted = {}
    for number, role in enumerate(ROLES):
        rows = samples.role == number
        if rows.sum() < FEWEST:
            continue
        wins, bonus = samples.wins[rows], samples.bonus[rows]
        weights = logistic_regression(samples.features[rows], wins)
        chance = logistic(samples.features[rows] @ weights)
        columns = np.stack([np.ones(len(wins)), bonus * (2 * chance - 1)], 1)
        minus_price, share = least_squares(columns, samples.gain[rows])
        least = 0.5 - minus_price / (2 * share * bonus.mean())
        fitted[role] = float(np.clip(least, *LEAST_CHANCES)), weights
    return fitted


def announcement_tables(rules: Rules, estimates: Estimates, *, deals: int, seed: int) -> str:
    """The part of the file about a game's slams and poignées."""
    game, parts = rules.game_name, []
    if rules.game not in HIDING_GAMES:
        slam = fit_slam(rules, estimates, deals=deals, seed=seed)
        parts.append(weights_text(f"{game}.slam", SLAM, slam))
    if rules.thresholds:
        fitted = fit_poignee(rules, estimates, deals=deals, seed=seed)
        for role, (least, weights) in fitted.items():
            name = f"{game}.poignee.{role}"
            parts.append(table_text(name, {"least_chance": least}))
            parts.append(weights_text(f"{name}.win", HAND + BEFORE_PLAY, weights))
    return "\n".join(parts)
