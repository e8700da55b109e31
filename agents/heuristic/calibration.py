"""What the scale's points are worth at the table: where the numbers in `thresholds` come from.

    python -m agents.heuristic.calibration 3 5 6 decouverte tirette dummy

prints the thresholds of the named games; it takes some minutes for each. Deals of a training seed
are played by heuristics in every seat. In each deal one seat, in turn the first to speak, the
second and so on, is given a petite and a garde, and then passes in an auction of the others. What a
contract brings it above that pass is the gain, and a threshold is the number of points from which
on the gains sum up to most. What a pass is worth depends on what the others bid, so this is done
over again with the thresholds found. Garde sans is set against garde, and garde contre against
garde sans; with more than two players for the strongest hand of each deal, as others are too weak.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from jaxtyping import Bool, Float64, Int, Int16

from agents.heuristic import HeuristicAgent
from agents.heuristic.bidding import PARTNER
from agents.heuristic.evaluation import (
    hand_points,
    hand_points_without_chien,
    known_cards,
    strongest_seats,
)
from agents.heuristic.thresholds import FOUR_PLAYERS, NEVER, Thresholds
from agents.play import Player, play_out
from tarot_env import cardsets
from tarot_env.actions import Bid, Phase
from tarot_env.errors import TarotError, unknown_name
from tarot_env.games import GAMES, PRESETS
from tarot_env.rules import Rules
from tarot_env.seating import SEATINGS
from tarot_env.tables import Tables

SEED = 101
DEALS = 8192
ROUNDS = 4
CONTRACT_POINTS = 25
"""Paid for every contract, beside the margin."""
START = dict.fromkeys(GAMES, FOUR_PLAYERS)
"""The first thresholds, whatever was found before: so the command prints the same every time."""

Pick = Callable[[Tables, Int[np.ndarray, " n"]], Int[np.ndarray, " n"]]
"""Chooses a seat at each of the named tables."""


def rules_of(game: str) -> Rules:
    """The first rule book that describes a game.

    Raises:
        UnknownName: no such game.
    """
    if game not in GAMES:
        raise unknown_name("game", game, list(GAMES))
    preset = next(name for name, games in PRESETS.items() if game in games)
    if game.isdigit():
        return Rules.preset(preset, players=int(game))
    return Rules.preset(preset, game=game)


def dealt(rules: Rules, deals: int, seed: int) -> tuple[Tables, Int[np.ndarray, " n"]]:
    """Tables, and those of them where the auction opens: no petit sec, nobody asks for a redeal."""
    tables = Tables(rules, deals, seed=seed)
    opens = (tables.phase == Phase.AUCTION) & (tables.state.log_size == 0)
    return tables, np.flatnonzero(opens)


def in_turn(tables: Tables, rows: Int[np.ndarray, " n"]) -> Int[np.ndarray, " n"]:
    """The first to speak at the first tables, the second at the next ones, and so on."""
    order = SEATINGS[tables.rules.game_name].speakers[tables.state.dealer[rows]].astype(np.int64)
    return order[np.arange(len(rows)), _places(rows, tables.rules)]


def _places(rows: Int[np.ndarray, " n"], rules: Rules) -> Int[np.ndarray, " n"]:
    """Place in the order of speaking, each as often with each dealer."""
    speaking = SEATINGS[rules.game_name].speakers.shape[1]
    return rows // rules.players % speaking


def forced_scores(
    rules: Rules,
    contract: Bid,
    pick: Pick = strongest_seats,
    scale: Callable[..., np.ndarray] = hand_points,
    *,
    deals: int = DEALS,
    seed: int = SEED,
) -> tuple[Int16[np.ndarray, " n"], Float64[np.ndarray, " n"]]:
    """Points of a hand of each deal, and what it scores with the contract forced.

    Args:
        rules: of the game.
        contract: given to the hand.
        pick: which hand.
        scale: of the points.
        deals: how many; one with a petit sec is left out.
        seed: of the deals; training seeds lie below 1,000,000.
    """
    tables, rows = dealt(rules, deals, seed)
    taker = pick(tables, rows)
    points = scale(tables.state.hands[rows, taker], known_cards(rules))
    tables.force(rows, taker, contract)
    player = Player(HeuristicAgent(thresholds=START), np.random.default_rng(seed))
    play_out(tables, [player], np.zeros((deals, rules.players), np.int64), player.rng)
    return points, tables.scores[rows, taker]


def passing_scores(
    rules: Rules, thresholds: Thresholds, *, deals: int = DEALS, seed: int = SEED
) -> tuple[Float64[np.ndarray, " n"], Bool[np.ndarray, " n"]]:
    """What the seats `in_turn` score when they pass and the others bid.

    Args:
        rules: of the game.
        thresholds: of the others.
        deals: how many.
        seed: of the deals.

    Returns:
        Their scores, and whether they could have bid a garde when they spoke first.
    """
    tables, rows = dealt(rules, deals, seed)
    seats = in_turn(tables, rows)
    lineup = np.zeros((deals, rules.players), np.int64)
    lineup[rows, seats] = 1
    bidder = HeuristicAgent(thresholds={**START, rules.game_name: thresholds})
    rng = np.random.default_rng(seed)
    players = [Player(bidder, rng), Player(HeuristicAgent(bid="pass", thresholds=START), rng)]
    play_out(tables, players, lineup, rng)
    order = SEATINGS[rules.game_name].speakers[tables.state.dealer[rows]].astype(np.int64)
    bids = np.take_along_axis(tables.state.bids[rows], order, 1)
    earlier = np.arange(order.shape[1]) < _places(rows, rules)[:, None]
    came_too_late = np.any(earlier & (bids >= Bid.GARDE), axis=1)
    return tables.scores[rows, seats], np.logical_not(came_too_late)


def least_points(points: Int16[np.ndarray, " n"], gains: Float64[np.ndarray, " n"]) -> int:
    """The number of points from which on the gains sum up to most; NEVER if to nothing."""
    candidates = np.unique(points)
    sums = np.array([gains[points >= least].sum() for least in candidates])
    return int(candidates[sums.argmax()]) if (sums > 0).any() else NEVER


def score_by_points(
    points: Int16[np.ndarray, " n"], scores: Float64[np.ndarray, " n"], width: int = 4
) -> list[tuple[int, int, float, float]]:
    """Rows of (lowest points, deals, mean score, half width of its 95 % interval)."""
    bins: Int[np.ndarray, " n"] = points // width
    table = []
    for step in np.unique(bins):
        here = scores[bins == step]
        half_width = 1.96 * float(here.std()) / len(here) ** 0.5
        table.append((int(step) * width, len(here), float(here.mean()), half_width))
    return table


def calibrate(rules: Rules, *, deals: int = DEALS, seed: int = SEED) -> Thresholds:
    """The thresholds of a game."""
    forced = partial(forced_scores, rules, deals=deals, seed=seed)
    found = START[rules.game_name]._replace(petite=NEVER)
    found = found._replace(**_without_chien(rules, forced))
    if rules.in_partnerships:
        found = found._replace(signal=signal_points(rules, deals=deals, seed=seed))
    points, garde = forced(Bid.GARDE, in_turn)
    petite = garde if rules.in_partnerships else forced(Bid.PETITE, in_turn)[1]
    for _ in range(ROUNDS):
        passing, could_bid = passing_scores(rules, found, deals=deals, seed=seed)
        found = found._replace(garde=least_points(points[could_bid], (garde - passing)[could_bid]))
        low = could_bid & (points < found.garde)
        if not rules.in_partnerships and low.any():
            found = found._replace(petite=least_points(points[low], (petite - passing)[low]))
    if rules.in_partnerships:
        found = found._replace(contra=contra_points(rules, found, deals=deals, seed=seed))
    return found


def _without_chien(
    rules: Rules, forced: Callable[..., tuple[np.ndarray, np.ndarray]]
) -> dict[str, int]:
    """From where on garde sans pays more than garde, and garde contre more than that."""
    scale = hand_points_without_chien
    pick: Pick = partial(strongest_seats, scale=scale)
    if rules.players == 2:
        pick = in_turn
    points, garde = forced(Bid.GARDE, pick, scale)
    sans, contre = (forced(bid, pick, scale)[1] for bid in (Bid.GARDE_SANS, Bid.GARDE_CONTRE))
    return {
        "garde_sans": least_points(points, sans - garde),
        "garde_contre": least_points(points, contre - sans),
    }


def signal_points(rules: Rules, *, deals: int = DEALS, seed: int = SEED) -> int:
    """Six players: what an oudler with the partner is worth, in points of the own hand.

    The score of a garde is fitted as a sum of both, by least squares.
    """
    points, scores = forced_scores(rules, Bid.GARDE, deals=deals, seed=seed)
    tables, rows = dealt(rules, deals, seed)
    partner = (strongest_seats(tables, rows) + PARTNER) % rules.players
    oudlers = tables.state.hands[rows, partner] & cardsets.OUDLERS
    columns = np.stack([np.ones(len(rows)), points, ~cardsets.is_empty(oudlers)], 1)
    _, per_point, for_oudler = np.linalg.lstsq(columns, scores)[0]
    return round(float(for_oudler / per_point))


def contra_points(
    rules: Rules, thresholds: Thresholds, *, deals: int = DEALS, seed: int = SEED
) -> int:
    """Six players: from where on a defender's hand says that the contract fails clearly.

    The strongest hand of the defence is looked at in free auctions; a contra has to pay more than
    the 25 points of a contract.
    """
    tables, rows = dealt(rules, deals, seed)
    size, hands = known_cards(rules), tables.state.hands[rows]
    points = hand_points(hands.reshape(-1, 2), size).reshape(hands.shape[:2])
    bidder = HeuristicAgent(thresholds={**START, rules.game_name: thresholds})
    player = Player(bidder, np.random.default_rng(seed))
    play_out(tables, [player], np.zeros((deals, rules.players), np.int64), player.rng)
    taker = tables.taker[rows].astype(np.int64)
    defenders = (taker[:, None] + [1, 2, 4, 5]) % rules.players
    strongest = np.take_along_axis(points, defenders, 1).max(1)
    taken = taker >= 0
    gains = -tables.scores[rows, taker] - CONTRACT_POINTS
    return least_points(strongest[taken], gains[taken])


def main(games: Sequence[str]) -> None:
    """Prints the thresholds of the named games."""
    for game in games:
        print(f'    "{game}": {calibrate(rules_of(game))},'.replace("1000", "NEVER"), flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except TarotError as error:
        sys.exit(str(error))
