"""What a search compares at each decision: the answers worth trying, and an opinion of each.

Cards that are worth the same whatever happens are tried once: those of a suit, or trumps, that
count the same and between which no card is left in other hands or wins the trick so far. An écart
is tried as a whole plan, of which the next card is then set aside. Trumps are withheld from a
poignée without a search.
"""

from dataclasses import dataclass, fields, replace

import numpy as np
from jaxtyping import Bool, Float64, Int, Int64, UInt64

from agents.base import Expectation
from agents.heuristic import discard
from agents.heuristic.estimates import expected_scores
from agents.heuristic.play import card_merits
from tarot_env.cards import HALF_POINTS, KIND, NUM_CARDS, cardsets
from tarot_env.cards.actions import PASS, Phase
from tarot_env.core import scoring
from tarot_env.tables import Turn

POINTS_PER_HALF_POINT = 0.5
"""Of the score, for each half point of a card and each time that the contract counts."""
OWN_CHOICE = 4.0
"""Points that speak for the player's own answer where nobody has an opinion; not tuned."""


@dataclass(frozen=True)
class Candidates:
    """M answers to the questions of some rows, row by row, the most promising first."""

    row: Int64[np.ndarray, " m"]
    action: Int64[np.ndarray, " m"]
    plan: UInt64[np.ndarray, "m 2"]  # cards to be set aside, this one among them; else empty
    alike: UInt64[np.ndarray, "m 2"]  # cards to be played that are worth the same, this one too
    prior: Float64[np.ndarray, " m"]  # an opinion in points, up to a constant: the heuristic's

    def __len__(self) -> int:
        return len(self.row)

    def take(self, which: Int[np.ndarray, " k"] | Bool[np.ndarray, " m"]) -> "Candidates":
        """The named candidates."""
        return Candidates(*(getattr(self, field.name)[which] for field in fields(self)))

    def of_rows(self, rows: Int64[np.ndarray, " k"]) -> "Candidates":
        """The candidates of some rows, in rising order, counted anew from 0."""
        there = np.flatnonzero(np.isin(self.row, rows))
        return replace(self.take(there), row=np.searchsorted(rows, self.row[there]))


def candidates_of(turn: Turn, answers: Int[np.ndarray, " n"], most: int) -> Candidates:
    """The answers worth trying at each row, at least one.

    Args:
        turn: the questions.
        answers: those that the player of the imagined deals would give.
        most: candidates of a row.
    """
    rows = np.arange(len(turn))
    parts = [_only(rows[turn.phase == Phase.WITHHOLD], answers)]
    for phase, find in ((Phase.PLAY, _cards_to_play), (Phase.DISCARD, _plans)):
        here = rows[turn.phase == phase]
        if len(here):
            parts.append(find(turn.take(here), here, answers))
    here = rows[~np.isin(turn.phase, (Phase.WITHHOLD, Phase.PLAY, Phase.DISCARD))]
    parts.append(_any_answer(turn.take(here), here, answers))
    values = (np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Candidates))
    return _foremost(Candidates(*values), most)


def _foremost(found: Candidates, most: int) -> Candidates:
    """The candidates row by row, by what speaks for them; the first `most` of each row."""
    place = place_in_row(found.row, -found.prior, found.action)
    order = np.lexsort((place, found.row))
    return found.take(order[place[order] < most])


def place_in_row(row: Int64[np.ndarray, " m"], *keys: np.ndarray) -> Int64[np.ndarray, " m"]:
    """Number of each among those of its row, by rising keys, the first key first."""
    order = np.lexsort((*keys[::-1], row))
    place = np.empty(len(row), np.int64)
    place[order] = np.arange(len(row)) - np.searchsorted(row[order], row[order])
    return place


def _only(rows: Int64[np.ndarray, " k"], answers: Int[np.ndarray, " n"]) -> Candidates:
    """The player's answers alone."""
    return _without_cards(rows, answers[rows].astype(np.int64), np.zeros(len(rows)))


def _without_cards(
    row: Int64[np.ndarray, " k"], action: Int64[np.ndarray, " k"], prior: Float64[np.ndarray, " k"]
) -> Candidates:
    nothing = np.zeros((len(row), 2), np.uint64)
    return Candidates(row, action, nothing, nothing, prior)


def _any_answer(
    turn: Turn, rows: Int64[np.ndarray, " k"], answers: Int[np.ndarray, " n"]
) -> Candidates:
    """Whatever is legal; what has no estimate in an auction is taken to be worth a pass."""
    at, action = np.nonzero(turn.legal_mask)
    scores = expected_scores(turn).astype(np.float64)
    own = np.where(action == answers[rows][at], OWN_CHOICE, 0.0) + np.nan_to_num(scores[at, PASS])
    judged = scores[at, action]
    return _without_cards(rows[at], action, np.where(np.isnan(judged), own, judged))


def _cards_to_play(
    turn: Turn, rows: Int64[np.ndarray, " k"], answers: Int[np.ndarray, " n"]
) -> Candidates:
    """One card of each set of equal ones: the one that the heuristic likes best."""
    gone = np.bitwise_or.reduce(turn.played, axis=1) | turn.playing_hand | turn.ecart
    in_the_way = ~cardsets.to_mask(gone)[:, :NUM_CARDS]
    won = np.flatnonzero(turn.best_seat >= 0)
    in_the_way[won, turn.on_table[won, turn.best_seat[won]]] = True
    others = np.cumsum(in_the_way, axis=1)
    at, card = np.nonzero(turn.legal_mask[:, :NUM_CARDS])
    merit = card_merits(turn)[at, card]
    key = (others[at, card], HALF_POINTS[card], KIND[card], at)
    order = np.lexsort((-merit, *key))
    is_first = np.any([np.diff(k[order], prepend=-1) != 0 for k in key], axis=0)
    alike = np.bitwise_or.reduceat(cardsets.BIT[card[order]], np.flatnonzero(is_first))
    at, card, merit = (values[order][is_first] for values in (at, card, merit))
    worth = POINTS_PER_HALF_POINT * stakes(turn)[at]
    return Candidates(rows[at], card, np.zeros_like(alike), alike, worth * merit)


def stakes(turn: Turn) -> Int64[np.ndarray, " n"]:
    """What a point of cards is worth to each viewer in points of the score."""
    multiplier = scoring.multipliers(turn.contract, turn.contra, turn.rules)
    defenders = turn.rules.cards_per_trick - 1
    return np.where(turn.taker == 0, defenders * multiplier, multiplier)


def _plans(turn: Turn, rows: Int64[np.ndarray, " k"], answers: Int[np.ndarray, " n"]) -> Candidates:
    """The different plans that hold what is set aside already.

    Where trumps must go, or what is set aside is of no plan, the heuristic's answer alone.
    """
    held, size, may_go, many_trumps = discard.terms(turn)
    cards, merit = discard.plans(held, size, may_go, many_trumps)
    goes_on = (cardsets.count(cards) == size) & ((turn.ecart[:, None] & ~cards) == 0).all(2)
    at, number = np.nonzero(goes_on & np.isfinite(merit))
    left = cards[at, number] & ~turn.ecart[at]
    _, first = np.unique(np.column_stack([at.astype(np.uint64), left]), axis=0, return_index=True)
    at, left, merit = at[first], left[first], merit[at, number][first]
    worth = POINTS_PER_HALF_POINT * stakes(turn)[at] * merit
    first_card = cardsets.lowest(left).astype(np.int64)
    found = Candidates(rows[at], first_card, left, np.zeros_like(left), worth)
    others = np.setdiff1d(np.arange(len(turn)), at)
    alone = _only(rows[others], answers)
    values = (np.concatenate([getattr(p, f.name) for p in (found, alone)]) for f in fields(found))
    return Candidates(*values)


def best(candidates: Candidates, worth: Float64[np.ndarray, " m"]) -> Int64[np.ndarray, " n"]:
    """The action of each row's best candidate; of equal ones the most promising."""
    return candidates.action[place_in_row(candidates.row, -worth) == 0]


def expectations(
    candidates: Candidates,
    worth: Float64[np.ndarray, " m"],
    mean: Float64[np.ndarray, " m"],
    half: Float64[np.ndarray, " m"] | None = None,
    deals: Int64[np.ndarray, " m"] | None = None,
) -> list[list[Expectation]]:
    """The candidates row by row, each with what is expected of it.

    The best first, and of those that are out of the race the ones of more deals.

    Args:
        candidates: of rows of which each has one at least.
        worth: by what one is chosen.
        mean: of its score.
        half: of the 95 % interval of this mean; None if it is not known.
        deals: imagined ones, of which it is the mean; None if there were none.
    """
    half = np.full(len(candidates), np.nan) if half is None else half
    deals = np.zeros(len(candidates), np.int64) if deals is None else deals
    result: list[list[Expectation]] = [[] for _ in range(candidates.row.max(initial=-1) + 1)]
    for at in np.lexsort((-mean, -deals, -worth, candidates.row)).tolist():
        action, middle, reach = int(candidates.action[at]), float(mean[at]), float(half[at])
        ecart, alike = (tuple(cardsets.to_ids(c[at])) for c in (candidates.plan, candidates.alike))
        ends = middle - reach, middle + reach
        expected = Expectation(action, middle, *ends, int(deals[at]), ecart, alike)
        result[candidates.row[at]].append(expected)
    return result
