"""From the games of a tournament to its results: points per deal, roles, contracts, ratings.

The unit is the deal, or the match where matches are played: all games of A in it, over all seats,
are first reduced to one value. `made` is what the engine says from points and oudlers.
"""

import csv
import io
import math
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool, Float64, Int8, Int64, Integer

from tarot_env.cards.actions import BID_TEXTS
from tarot_env.errors import count_noun
from tarot_env.rules import Rules
from tarot_env.tables.agent import MARK
from training.files import json_bytes, write_atomically
from training.formatting import plus_minus
from training.limits import EVALUATION_SEEDS_FROM
from training.tournament.duplicate import Counts, Games, seatings
from training.tournament.stats import (
    Estimate,
    additive_ratings,
    known,
    mean_interval,
    ratio_interval,
)

Interval = tuple[float | None, float | None]
BID_NAMES = {0: "pass", **{int(bid): text for bid, text in BID_TEXTS.items() if text != "pousse"}}


@dataclass(frozen=True)
class RoleResult:
    """A's points in one role, in two readings.

    `ppd` is the role's part of the points per deal: games in which A has another role count as 0,
    so the parts of both roles add up to A's points per deal. `per_game` is the mean over the games
    in which A has the role (a ratio estimator, since their number differs from deal to deal).
    """

    games: int
    ppd: float
    ci95: Interval
    per_game: float | None
    per_game_ci95: Interval


@dataclass(frozen=True)
class MatchResult:
    """How A does in whole matches alone among Bs."""

    points: float
    """A's total at the end of a match, mean over seats and matches."""
    ci95: Interval
    wins: float
    """Share of matches that A wins; k winners count 1/k each."""
    wins_ci95: Interval
    deals: float
    """Mean number of deals of a match, those that nobody played included."""


@dataclass(frozen=True)
class PairResult:
    """How A does alone among Bs."""

    a: str
    """As shown: marked if it sees all hands."""
    b: str
    ppd: float
    """Points per deal of A, mean over seats and deals."""
    ci95: Interval
    deals: int
    """Deals, or matches, on which A sat in every seat."""
    illegal: int
    """Illegal answers of A, each replaced by a random legal action."""
    failed: int
    """Decisions of A lost to an error, likewise replaced."""
    decisions: int
    errors: tuple[str, ...]
    opponent_illegal: int
    opponent_failed: int
    taken: float | None
    """Share of games in which A is the taker."""
    made: float | None
    """Share of these that A makes."""
    passed_out: float | None
    """Share of games in which everybody passed."""
    petit_sec: float | None
    """Share of games thrown in for a petit sec; they count as 0, like passed-out ones."""
    bids: dict[str, float]
    """Share of each answer among A's answers in the auction; empty without an auction."""
    as_taker: RoleResult
    """With six players: where A's partnership is the attack."""
    as_partner: RoleResult
    """Where A is the partner of B as taker."""
    as_defender: RoleResult
    match: MatchResult | None = None
    """Only where matches are played."""


@dataclass(frozen=True)
class AgentResult:
    """What an agent did in all its games."""

    agent: str
    decisions: int
    illegal: int
    failed: int
    errors: tuple[str, ...]
    rating: float | None
    """Additive, in points of a deal or match, sum 0 over agents; None with fewer than three."""
    rating_ci95: Interval


@dataclass(frozen=True)
class TournamentResult:
    """A finished tournament."""

    rules: Rules
    seed: int
    deals: int | None
    """Deals asked for; where matches are played, of each match, None for as the rules say."""
    matches: int | None
    """Matches played by every pair in every seat; None where the unit is the deal."""
    force: str | None
    skipped: int
    """Petit-sec deals left out under `force`."""
    allow_cheating: bool
    """Whether agents that see all hands were let in; those that did are marked."""
    pairs: tuple[PairResult, ...]
    agents: tuple[AgentResult, ...]
    microseconds: Mapping[str, float]
    """Per decision, by agent; the one thing that differs from run to run."""
    games: Mapping[tuple[str, str], Games]

    @property
    def unit(self) -> str:
        """What every agent plays in every seat: `deal` or `match`."""
        return "deal" if self.matches is None else "match"

    @property
    def evaluation_seed(self) -> bool:
        """Whether the seed is kept for evaluation, so that no agent was trained on these deals."""
        return self.seed >= EVALUATION_SEEDS_FROM

    @property
    def unrated(self) -> str | None:
        """Why there is no rating, where pairs were left out."""
        return unrated(self.games)

    def pair(self, a: str, b: str) -> PairResult:
        """How `a` does alone among `b`s, named by their texts, with their marks or without."""
        wanted = (a.removesuffix(MARK), b.removesuffix(MARK))
        return next(
            pair
            for pair in self.pairs
            if (pair.a.removesuffix(MARK), pair.b.removesuffix(MARK)) == wanted
        )

    def to_dict(self) -> dict[str, Any]:
        """What `results.json` holds: everything that two runs have in common."""
        return {
            "rules": self.rules.to_dict(),
            "seed": self.seed,
            "deals": self.deals,
            "matches": self.matches,
            "force": self.force,
            "evaluation_seed": self.evaluation_seed,
            "skipped": self.skipped,
            "allow_cheating": self.allow_cheating,
            "pairs": [asdict(pair) for pair in self.pairs],
            "agents": [asdict(agent) for agent in self.agents],
        }

    def write(self, folder: Path) -> None:
        """Writes `results.json`, `deals.csv`, and the times into `timing.json`."""
        files = {
            "results.json": json_bytes(self.to_dict()),
            "timing.json": json_bytes({"microseconds_per_decision": dict(self.microseconds)}),
            "deals.csv": deals_csv(self.games, self.unit).encode(),
        }
        for name, content in files.items():
            write_atomically(folder / name, content)


def unrated(pairs: Collection[tuple[str, str]]) -> str | None:
    """Why a result of these ordered pairs has no rating, if pairs are left out; None if not."""
    names = {name for pair in pairs for name in pair}
    wanted = len(names) * (len(names) - 1)
    if len(pairs) >= wanted:
        return None
    return (
        f"no ratings: they need all pairs both ways; of the {wanted} ordered pairs, "
        f"{len(pairs)} {'was' if len(pairs) == 1 else 'were'} played"
    )


def by_unit(values: Integer[np.ndarray, "d ..."], games: Games) -> Int64[np.ndarray, "u ..."]:
    """Sums over the deals of each unit; where the unit is the deal, the values themselves."""
    firsts = np.flatnonzero(np.diff(games.units, prepend=-1))
    values = values.astype(np.int64)
    return np.add.reduceat(values, firsts, axis=0) if len(firsts) else values


def points_per_unit(games: Games) -> Float64[np.ndarray, " u"]:
    """A's points in each deal or match, mean over its seats."""
    points: Float64[np.ndarray, " u"] = by_unit(games.own_half_scores.sum(0), games) / 2.0
    return points / len(games.dealer)


def sum_up(
    games: Mapping[tuple[str, str], Games],
    *,
    rules: Rules,
    seed: int,
    deals: int | None,
    matches: int | None,
    force: str | None,
    allow_cheating: bool,
) -> TournamentResult:
    """The results of a tournament from the games of each ordered pair."""
    names = sorted({name for pair in games for name in pair})
    counts = {name: _counts_of(name, games) for name in names}
    ratings = _ratings(names, games) if len(names) > 2 and unrated(games) is None else {}
    return TournamentResult(
        rules=rules,
        seed=seed,
        deals=deals,
        matches=matches,
        force=force,
        skipped=next(iter(games.values())).skipped,
        allow_cheating=allow_cheating,
        pairs=tuple(_pair(a, b, games[a, b], rules, matches is not None) for a, b in sorted(games)),
        agents=tuple(_agent(name, counts[name], ratings.get(name)) for name in names),
        microseconds={
            name: 1e6 * count.seconds / max(count.decisions, 1) for name, count in counts.items()
        },
        games=games,
    )


def _counts_of(name: str, games: Mapping[tuple[str, str], Games]) -> Counts:
    total = Counts()
    for pair in sorted(games):
        for side, player in enumerate(pair):
            if player == name:
                total += games[pair].sides[side]
    return total


def _agent(name: str, counts: Counts, rating: Estimate | None) -> AgentResult:
    return AgentResult(
        agent=name,
        decisions=counts.decisions,
        illegal=counts.illegal,
        failed=counts.failed,
        errors=counts.errors,
        rating=None if rating is None else known(rating.mean),
        rating_ci95=(None, None) if rating is None else rating.interval,
    )


def _ratings(names: list[str], games: Mapping[tuple[str, str], Games]) -> dict[str, Estimate]:
    units = len(np.unique(next(iter(games.values())).units))
    values = np.zeros((len(names), len(names), units))
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            if a != b:
                values[i, j] = points_per_unit(games[a, b])
    return dict(zip(names, additive_ratings(values), strict=True))


def _pair(a: str, b: str, games: Games, rules: Rules, in_matches: bool) -> PairResult:
    own = seatings(rules)
    dealt = games.dealer >= 0
    part = _role(games, dealt)
    takes, helps = _is_own(games.taker, own), _is_own(games.partner, own)
    helps &= ~takes
    sits_out = _sits_out(games, rules)
    nobody = dealt & (games.taker < 0)
    spoken = (games.bids >= 0).any(2)
    own_bids = games.bids.swapaxes(1, 2)[own]
    asked = int((own_bids >= 0).sum())
    return PairResult(
        a=a,
        b=b,
        ppd=part.ppd,
        ci95=part.ci95,
        deals=len(np.unique(games.units)),
        illegal=games.sides[0].illegal,
        failed=games.sides[0].failed,
        decisions=games.sides[0].decisions,
        errors=games.sides[0].errors,
        opponent_illegal=games.sides[1].illegal,
        opponent_failed=games.sides[1].failed,
        taken=_share(takes.sum(), dealt.sum()),
        made=_share((games.made & takes).sum(), takes.sum()),
        passed_out=_share((nobody & spoken).sum(), dealt.sum()),
        petit_sec=_share((nobody & ~spoken).sum(), dealt.sum()),
        bids={
            name: int((own_bids == bid).sum()) / asked for bid, name in BID_NAMES.items() if asked
        },
        as_taker=_role(games, takes),
        as_partner=_role(games, helps),
        as_defender=_role(games, dealt & ~takes & ~helps & ~nobody & ~sits_out),
        match=_match(games, own) if in_matches else None,
    )


def _is_own(
    seats: Int8[np.ndarray, "s d"], own: Bool[np.ndarray, "s p"]
) -> Bool[np.ndarray, "s d"]:
    """Whether a seat is one of A's; nobody's where it is -1."""
    mine = np.take_along_axis(own, seats.astype(np.int64), axis=1)
    return mine & (seats >= 0)


def _sits_out(games: Games, rules: Rules) -> Bool[np.ndarray, "s d"]:
    """Where A deals and plays no hand."""
    return rules.dead_hand & (games.dealer == np.arange(len(games.dealer))[:, None])


def _share(part: Any, whole: Any) -> float | None:
    return float(part / whole) if whole else None


def _role(games: Games, in_role: Bool[np.ndarray, "s d"]) -> RoleResult:
    totals = by_unit((games.own_half_scores * in_role).sum(0), games) / 2.0
    part = ratio_interval(totals, by_unit((games.dealer >= 0).sum(0), games))
    alone = ratio_interval(totals, by_unit(in_role.sum(0), games))
    return RoleResult(
        games=int(in_role.sum()),
        ppd=0.0 if math.isnan(part.mean) else part.mean,
        ci95=part.interval,
        per_game=known(alone.mean),
        per_game_ci95=alone.interval,
    )


def _match(games: Games, own: Bool[np.ndarray, "s p"]) -> MatchResult:
    totals = by_unit(games.half_scores.swapaxes(0, 1), games)
    first = totals == totals.max(2, keepdims=True)
    wins = mean_interval(((first & own).sum(2) / first.sum(2)).mean(1))
    points = mean_interval(points_per_unit(games))
    return MatchResult(
        points=points.mean,
        ci95=points.interval,
        wins=wins.mean,
        wins_ci95=wins.interval,
        deals=float((games.dealer >= 0).sum() / totals[:, :, 0].size),
    )


CSV_COLUMNS = tuple("seating seat agent taker contract made points oudlers score".split())
"""Columns of `deals.csv` behind those that name the pair and the deal."""


def notes(result: TournamentResult) -> list[str]:
    """What must be known to read a result: skipped deals, the seed, agents' errors."""
    number = result.pairs[0].deals
    played = count_noun(number, result.unit, "matches" if result.unit == "match" else "")
    lines = [
        f"{played} of seed {result.seed}, each in every seat; "
        f"intervals are 95 %, clustered by {result.unit}"
    ]
    if result.skipped:
        dealt = count_noun(result.deals or 0, "deal")
        lines.append(f"{result.skipped} of {dealt} skipped: petit sec")
    if result.force:
        lines.append(f"no auction: the best hand plays {result.force.replace('_', ' ')}")
    if not result.evaluation_seed:
        lines.append(
            f"not an evaluation seed: {result.seed} is below {EVALUATION_SEEDS_FROM}, "
            "where agents are trained and selected"
        )
    if result.unrated:
        lines.append(result.unrated)
    for agent in result.agents:
        lines += [f"{agent.agent}: {error}" for error in agent.errors]
    return lines


def match_cells(match: MatchResult | None) -> tuple[str, ...]:
    """Points per match and share of wins, each with its interval; nothing without matches."""
    if match is None:
        return ()
    low, high = match.wins_ci95
    half = "–" if low is None or high is None else f"{50 * (high - low):.1f}"
    return plus_minus(match.points, match.ci95), f"{100 * match.wins:.1f} ± {half} %"


def deals_csv(games: Mapping[tuple[str, str], Games], unit: str = "deal") -> str:
    """All games as text, one row per pair, deal, seating and seat.

    The deal is named by `deal_id`, or by `match` and `deal`, its number in the match from 0.
    `seating` is A's seat (with six also the one opposite); `taker` is 1 for the taker's row;
    `contract`, `made`, `points` (of the attack) and `oudlers` are those of the game, `none` and 0
    where nobody took.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = ("deal_id",) if unit == "deal" else ("match", "deal")
    writer.writerow(("a", "b", *names, *CSV_COLUMNS))
    for pair in sorted(games):
        writer.writerows(_rows(pair, games[pair], unit))
    return text.getvalue()


def _rows(pair: tuple[str, str], games: Games, unit: str) -> list[tuple[object, ...]]:
    num_seatings, deals, players = games.half_scores.shape
    deal, seating, seat = np.indices((deals, num_seatings, players)).reshape(3, -1)
    there = games.dealer[seating, deal] >= 0
    deal, seating, seat = deal[there], seating[there], seat[there]
    names = np.array(["none", *BID_TEXTS.values()])
    alone = seat % num_seatings == seating
    in_match = np.arange(deals) - np.searchsorted(games.units, games.units)
    columns = (
        np.full(len(seat), pair[0]),
        np.full(len(seat), pair[1]),
        games.units[deal],
        *(() if unit == "deal" else (in_match[deal],)),
        seating,
        seat,
        np.where(alone, *pair),
        (games.taker[seating, deal] == seat).astype(int),
        names[games.contract[seating, deal]],
        games.made[seating, deal].astype(int),
        games.half_points[seating, deal] / 2,
        games.oudlers[seating, deal],
        games.half_scores[seating, deal, seat] / 2,
    )
    return list(zip(*(column.tolist() for column in columns), strict=True))
