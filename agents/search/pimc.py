"""`pimc:worlds=W`: search over deals that fit what the seat knows, by roll-outs (PIMC).

At each decision it imagines W deals, plays every answer worth trying to the end in each of them,
the heuristic in all seats, and does so twice more for the better half of the answers each time
(sequential halving). It takes the answer that scores best on average. The answers still in the race
are tried in the same deals, so that luck evens out. More deals are drawn than needed from those
that fit what was seen, and kept by how well they explain the others' bids. The last tricks are
played exactly, see `agents.search.endings`.

What was tried, among heuristics, by `training.tournament.evaluate` (points per deal with 95 %
intervals), before the heuristic played by all of today's principles; the first line of each list is
still in the code, and so is `endings=0`. A garde forced, a search in the card play alone, 125 deals
each of the selection seeds 1004000 and 1004001:

    16 worlds, the better half with 16 more, and again         +15.2 ± 4.9     14 ms a decision
    64 worlds for every answer                                 +14.2 ± 4.6     27
    16 worlds for every answer                                  +8.1 ± 4.3      7
    the same, worlds kept by the others' plays too              +7.3 ± 4.7     13

The rest with W worlds for every answer and heuristics that bid by the scale. A garde forced, a
search in the last five tricks alone, 16 worlds, 250 deals each of seeds 1001000 to 1001011:

    exact play from the next own choice on                      +6.4 ± 0.8
    roll-outs                                                   +5.8 ± 0.7
    exact play with open cards at once                          +5.1 ± 0.7
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from numbers import Real

import numpy as np
from jaxtyping import Bool, Float64, Int, Int64
from scipy import stats

from agents.base import Agent, Expectation, check_fair, check_game
from agents.heuristic import HeuristicAgent
from agents.search.candidates import Candidates, best, candidates_of, expectations, place_in_row
from agents.search.endings import ending_scores
from agents.search.rollouts import Games, roll_out
from agents.search.solver import SOLVED_GAMES
from tarot_env import beliefs
from tarot_env.beliefs import Worlds
from tarot_env.cards.actions import Phase
from tarot_env.core.arguments import is_int
from tarot_env.errors import TarotError, short_repr
from tarot_env.rules import Rules
from tarot_env.tables import Turn

MOST_CANDIDATES = 6
MOST_GAMES = 8192
"""Played side by side; more take more memory and are no quicker."""
HEATS = 3
"""After each the better half of the candidates goes on, two at least."""
ROUND = 8
"""Worlds between two looks at the clock."""
OVERSAMPLE = 8
"""Deals that are drawn for each one that is kept."""
PRIOR_WORLDS = 16
"""As many worlds count as much as the heuristic's opinion. What answers scored at the table was
fitted by the mean of 16 games and that opinion (least squares, 3,117 decisions of heuristics,
selection seed 1000300): 0.73 and 0.76 as defender, 0.68 and 0.68 as taker. 48 gained nothing."""
ENDINGS = 5
MOST_WORLDS, MOST_ENDINGS = 4096, 8
MOST_MS = 3_600_000


@dataclass(frozen=True)
class Search:
    """What a search found."""

    candidates: Candidates
    scores: Float64[np.ndarray, "m w"]
    """Points of the deal for the seat to act, by world; the same worlds for all of a row, nan for
    a candidate that was out of the race by then."""

    @property
    def worth(self) -> Float64[np.ndarray, " m"]:
        """By what a candidate is chosen: mean score and opinion; -inf for one that is out."""
        worlds = self.scores.shape[1]
        worth = self.scores.mean(1) + PRIOR_WORLDS / worlds * self.candidates.prior
        return np.where(np.isnan(worth), -np.inf, worth)

    @property
    def stays(self) -> Bool[np.ndarray, " m"]:
        """The better half of those in the race at each row, two at least."""
        row, worth = self.candidates.row, self.worth
        number = np.bincount(row[np.isfinite(worth)])[row]
        place = place_in_row(row, -worth)
        return np.isfinite(worth) & (place < np.maximum(2, (number + 1) // 2))


class PimcAgent:
    """Searches imagined deals; see the module.

    Args:
        worlds: W, in each of the three heats of a decision.
        ms: milliseconds for each decision, of which a batch has as many times that, a third for
            each heat, with W worlds at most where both are given. What is played depends on the
            machine, and a table alone takes some hundred ms at the least.
        endings: number of last tricks that are played exactly, 0 for none.
        policy: plays the imagined deals, in all seats; by default the heuristic.

    Raises:
        TarotError: neither `worlds` nor `ms`, a number that is out of range, or a policy that is
            no agent or cheats.
    """

    def __init__(
        self,
        worlds: float | None = None,
        *,
        ms: float | None = None,
        endings: float = ENDINGS,
        policy: Agent | None = None,
    ) -> None:
        if worlds is None and ms is None:
            raise TarotError("pimc wants worlds or ms, such as pimc:worlds=16 or pimc:ms=500")
        if worlds is not None and (not is_int(worlds) or not 1 <= worlds <= MOST_WORLDS):
            raise TarotError(
                f"pimc: worlds={short_repr(worlds)}; allowed: whole numbers from 1 to {MOST_WORLDS}"
            )
        if ms is not None and (not _is_number(ms) or not 0 < ms <= MOST_MS):
            raise TarotError(f"pimc: ms={short_repr(ms)}; allowed: above 0, at most {MOST_MS}")
        if not is_int(endings) or not 0 <= endings <= MOST_ENDINGS:
            raise TarotError(
                f"pimc: endings={short_repr(endings)}; allowed: whole numbers from 0 to "
                f"{MOST_ENDINGS}"
            )
        if policy is not None:
            check_fair(getattr(policy, "name", "policy"), policy, "a search")
            if isinstance(policy, type) or not isinstance(policy, Agent):
                raise TarotError(
                    f"pimc: policy={short_repr(policy)}; give an agent, which has name and act"
                )
        self.worlds = MOST_WORLDS if worlds is None else int(worlds)
        self.ms, self.endings = ms, int(endings)
        self.policy = policy or HeuristicAgent()
        options = [f"worlds={self.worlds}"] * (worlds is not None)
        options += [] if ms is None else [f"ms={ms:g}"]
        options += [f"endings={self.endings}"] * (self.endings != ENDINGS)
        options += [f"policy={self.policy.name}"] * (policy is not None)
        self.name = "pimc:" + ",".join(options)
        self._round = min(MOST_GAMES // MOST_CANDIDATES if ms is None else ROUND, self.worlds)

    def check_rules(self, rules: Rules) -> None:
        """Asks the policy; the search itself plays every game."""
        check_game(self.policy, rules)

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """The answer that is worth most in the imagined deals, for each row."""
        every = candidates_of(turn, self.policy.act(turn, rng), MOST_CANDIDATES)
        answers = best(every, every.prior)
        for rows, found in self._searches(turn, every, rng):
            answers[rows] = best(found.candidates, found.worth)
        return answers

    def explain(self, turn: Turn, rng: np.random.Generator) -> list[list[Expectation]]:
        """For each row the candidates, the best first, with their mean scores and intervals.

        Each of its own number of deals, and those that stay in the race are judged by the deals
        that kept them there too.
        """
        every = candidates_of(turn, self.policy.act(turn, rng), MOST_CANDIDATES)
        result = expectations(every, every.prior, np.full(len(every), np.nan))
        for rows, found in self._searches(turn, every, rng):
            mean, half = np.nanmean(found.scores, axis=1), half_width(found.scores)
            deals = np.isfinite(found.scores).sum(1)
            told = expectations(found.candidates, found.worth, mean, half, deals)
            for row, expected in zip(rows.tolist(), told, strict=True):
                result[row] = expected
        return result

    def _searches(
        self, turn: Turn, every: Candidates, rng: np.random.Generator
    ) -> Iterator[tuple[Int64[np.ndarray, " k"], Search]]:
        """The rows with a choice, in parts, with what was found."""
        has_choice = np.flatnonzero(np.bincount(every.row, minlength=len(turn)) > 1)
        at_once = max(1, MOST_GAMES // (self._round * MOST_CANDIDATES))
        for start in range(0, len(has_choice), at_once):
            rows = has_choice[start : start + at_once]
            yield rows, self.search(turn.take(rows), every.of_rows(rows), rng)

    def search(self, turn: Turn, candidates: Candidates, rng: np.random.Generator) -> Search:
        """Plays the candidates in deals that fit what each row knows."""
        start, budget = time.perf_counter(), len(turn) * (np.inf if self.ms is None else self.ms)
        scores: list[Float64[np.ndarray, "m w"]] = []
        race = np.ones(len(candidates), bool)
        for heat in range(1, HEATS + 1):
            deadline, worlds = start + budget / 1000 * heat / HEATS, 0
            while worlds < self.worlds and (not scores or time.perf_counter() < deadline):
                size = min(self._round, self.worlds - worlds)
                scores.append(np.full((len(candidates), size), np.nan))
                scores[-1][race] = self._play(turn, candidates.take(race), size, rng)
                worlds += size
            found = Search(candidates, np.concatenate(scores, 1))
            race = found.stays
        return found

    def _play(
        self, turn: Turn, candidates: Candidates, size: int, rng: np.random.Generator
    ) -> Float64[np.ndarray, "m w"]:
        """Scores of the candidates in one round of so many worlds."""
        worlds = self.imagine(turn, size, rng)
        scores = np.empty((len(candidates), size))
        imagined = beliefs.tables_from(turn, worlds)
        ends = self._in_ending(turn)[candidates.row]
        for is_ending in (False, True):
            which = np.flatnonzero(ends == is_ending)
            if len(which):
                group = np.repeat(which, size)
                row = candidates.row[group]
                at = row * size + np.tile(np.arange(size), len(which))
                games = Games(
                    imagined.take(at),
                    candidates.action[group],
                    candidates.plan[group],
                    turn.seat[row].astype(np.int64),
                )
                if is_ending:
                    found = ending_scores(games, group, self.policy, rng)
                else:
                    found = roll_out(games, self.policy, rng)
                scores[which] = found.reshape(len(which), -1)
        return scores

    def _in_ending(self, turn: Turn) -> Bool[np.ndarray, " n"]:
        """Rows whose last tricks are played exactly."""
        left = turn.rules.tricks - turn.trick_number
        can = turn.rules.game_name in SOLVED_GAMES
        return (turn.phase == Phase.PLAY) & (left <= self.endings) & can

    def imagine(self, turn: Turn, worlds: int, rng: np.random.Generator) -> Worlds:
        """Worlds for each row, in proportion to how likely the others' bids make them."""
        many = beliefs.sample_worlds(turn, worlds * OVERSAMPLE, rng)
        weight = beliefs.weights(turn, many, self.policy, rng)
        share = np.cumsum(weight, axis=1) / weight.sum(1, keepdims=True)
        marks = (np.arange(worlds) + rng.random((len(turn), 1))) / worlds
        chosen = (share[:, None, :-1] <= marks[:, :, None]).sum(2)
        rows = np.arange(len(turn))[:, None]
        kept = {field.name: getattr(many, field.name)[rows, chosen] for field in fields(many)}
        return replace(many, **kept | {"weight": np.ones(chosen.shape)})


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def half_width(scores: Float64[np.ndarray, "m w"]) -> Float64[np.ndarray, " m"]:
    """Half of the 95 % interval of each mean, without what is nan; nan for a single world."""
    worlds = (~np.isnan(scores)).sum(1)
    several = np.where(worlds > 1, worlds, np.nan)
    squares = np.nansum((scores - np.nanmean(scores, axis=1, keepdims=True)) ** 2, axis=1)
    return stats.t.ppf(0.975, several - 1) * np.sqrt(squares / (several - 1) / several)
