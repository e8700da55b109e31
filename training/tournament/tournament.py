"""Duplicate tournaments: every ordered pair of agents on the same deals, in every seat.

On each deal A sits alone among Bs, once in each seat, and the reverse: eight games at four
players. With six, A is a partnership, in each of the three pairs of opposite seats. Deals are
played in fixed blocks of 256, all seatings in one batch, each block with generators of its own
seeded from (seed, block, role, agent text), torch on one thread. So the results depend neither on
the number of processes and machines nor on the order of entrants, and two copies of a deterministic
agent score exactly 0. Deal ids are 0 to N-1 of the seed; the seed is what separates evaluation from
training. With `matches` the unit is a match: everybody plays the same ones, once in each seat.

Blocks are numbered as if all pairs were played. So a tournament of some of the pairs, in one
direction or about one agent, and one of all pairs go on from each other in the same folder.

    result = run_tournament(["heuristic", "random"], deals=2000)
    result.pair("heuristic", "random").ppd
"""

import hashlib
import importlib.util
import os
import signal
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float64, Int64

from agents.base import AnyAgent, cheats, marked
from agents.frozen import resolve_alias
from agents.registry import BUILDERS, make_agent
from tarot_env.core.dealing import check_seed
from tarot_env.errors import TarotError, unknown_name
from tarot_env.rules import Rules
from tarot_env.tables.agent import check_is_made
from training.limits import EVALUATION_SEEDS_FROM, MAX_DEALS, MAX_MATCHES, MAX_THREADS, check_number
from training.progress import Progress, silent
from training.tournament import results
from training.tournament.blocks import BlockStore
from training.tournament.cluster import check_ray, joblib_on_cluster
from training.tournament.duplicate import (
    Games,
    check_force,
    generator,
    join,
    one_torch_thread,
    play_matches,
    play_pair,
    seatings,
)
from training.tournament.results import TournamentResult
from training.tournament.stats import mean_interval

BLOCK_UNITS = 256
"""Deals or matches of a block; part of what a result is, so never an option."""


@dataclass(frozen=True)
class Evaluation:
    """How one agent does against another on some deals."""

    points: Float64[np.ndarray, " d"]
    """Points per game of each deal, over all seats."""
    mean: float
    low: float
    """Lower end of the 95 % interval, nan with fewer than two deals."""
    high: float
    games: Games


def evaluate(
    agent: AnyAgent,
    opponents: AnyAgent,
    *,
    deals: int,
    seed: int,
    rules: Rules | None = None,
    force: str | None = None,
) -> Evaluation:
    """Points per deal of `agent`, alone among `opponents`, once in each seat of the same deals.

    All games are one batch and nothing is kept on disk: for the training loop. Errors of agents
    are raised.

    Args:
        agent: who is measured.
        opponents: who sits in all other seats.
        deals: N; deal ids 0 to N-1 of `seed`.
        seed: of the deals and of whatever agents draw.
        rules: default: fft with four.
        force: contract given to the best hand instead of an auction, such as `garde`.
    """
    rules = rules or Rules.preset()
    for given in (agent, opponents):
        check_is_made(given)
    check_force(force, rules)
    rngs = [generator(seed, "evaluate", role) for role in ("a", "b", "fallback")]
    games = play_pair(
        (agent, opponents),
        (rngs[0], rngs[1], rngs[2]),
        np.arange(deals),
        rules=rules,
        seed=seed,
        force=force,
        strict=True,
    )
    points = results.points_per_unit(games)
    estimate = mean_interval(points)
    return Evaluation(points, estimate.mean, estimate.low, estimate.high, games)


@dataclass(frozen=True)
class Block:
    """The games of one ordered pair on one block of deals."""

    a: str
    b: str
    number: int

    @property
    def pair(self) -> tuple[str, str]:
        """A and B."""
        return self.a, self.b


@dataclass(frozen=True)
class Schedule:
    """What a tournament plays; with equal identity, the games of a pair are equal."""

    agents: tuple[str, ...]
    deals: int | None
    matches: int | None
    seed: int
    rules: Rules
    force: str | None
    block_units: int
    about: str | None = None
    first_alone: bool = False
    allow_cheating: bool = False

    @property
    def all_pairs(self) -> list[tuple[str, str]]:
        """Every ordered pair (A alone, B in all other seats), in the order of their texts."""
        return sorted(set(permutations(self.agents, 2)))

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The ordered pairs that are played."""
        if self.first_alone:
            return sorted({(self.agents[0], other) for other in self.agents[1:]})
        return [pair for pair in self.all_pairs if self.about is None or self.about in pair]

    @property
    def num_units(self) -> int:
        """Deals or matches that every pair plays."""
        return (self.deals or 0) if self.matches is None else self.matches

    @property
    def blocks(self) -> list[Block]:
        """All that is to be played."""
        return [Block(*pair, n) for pair in self.pairs for n in range(self._blocks_per_pair)]

    @property
    def _blocks_per_pair(self) -> int:
        return -(-self.num_units // self.block_units)

    def place(self, block: Block) -> int:
        """The number of a block among those of all pairs, the same whichever are played."""
        return self.all_pairs.index(block.pair) * self._blocks_per_pair + block.number

    def units(self, number: int) -> Int64[np.ndarray, " u"]:
        """The deals or matches of the blocks of one number."""
        first = number * self.block_units
        return np.arange(first, min(first + self.block_units, self.num_units))

    def identity(self) -> dict[str, Any]:
        """What decides the games of a pair, as the manifest of a folder holds it."""
        return {
            "format": "tarot-tournament/3",
            "rules": self.rules.to_dict(),
            "seed": self.seed,
            "deals": self.deals,
            "matches": self.matches,
            "agents": [{"agent": a, "sha256": file_hash(a)} for a in sorted(self.agents)],
            "force": self.force,
            "allow_cheating": self.allow_cheating,
        }


def file_hash(agent: str) -> str | None:
    """SHA-256 of the file that an agent is made from: a checkpoint, or its module; None if none."""
    name, _, rest = resolve_alias(agent).partition(":")
    if name == "pimc":  # its policy, which comes last, may be made from one
        return file_hash(rest.partition("policy=")[2])
    path = Path(rest.split(",")[0])
    if not (rest and path.is_file()):
        try:
            spec = None if name in BUILDERS else importlib.util.find_spec(name)
        except ValueError:  # the script or notebook that runs has no file to import
            spec = None
        if spec is None or spec.origin is None:
            return None
        path = Path(spec.origin)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def run_tournament(
    agents: Sequence[str],
    *,
    deals: int | None = None,
    matches: int | None = None,
    seed: int = EVALUATION_SEEDS_FROM,
    rules: Rules | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    out: str | Path | None = None,
    force: str | None = None,
    about: str | None = None,
    first_alone: bool = False,
    allow_cheating: bool = False,
    progress: Progress = silent,
) -> TournamentResult:
    """Plays every ordered pair of the agents and sums up.

    An agent that sees all hands is marked wherever the result names it.

    Args:
        agents: two texts or more as `agents.registry` reads them; a text given twice is played
            against itself.
        deals: N; deal ids 0 to N-1 of `seed`. With `matches`: deals of each match, default as the
            rules say.
        matches: play so many matches instead of single deals.
        seed: of the deals and of whatever agents draw; below 3,000,000 the result is marked as
            no evaluation, since training and selection use such seeds.
        rules: default: fft with four.
        jobs: processes, default 1, or all processors of the cluster; changes nothing but the time.
        cluster: address of a Ray cluster that plays the blocks, as in
            `training.tournament.cluster.joblib_on_cluster`; changes nothing but the time.
        out: folder for blocks, `results.json`, `deals.csv`; a stopped tournament goes on there.
        force: contract given to the best hand instead of an auction; petit-sec deals are skipped.
        about: one of the agents; only the pairs with it are played, so there is no rating.
        first_alone: play only the first agent alone among each of the others, without a rating.
        allow_cheating: let agents play that see all hands.
        progress: shows how far it is.

    Raises:
        TarotError: unknown agents or contract, agents that see all hands where this is not allowed,
            numbers out of range, a folder that holds another tournament, or no cluster at the
            address.
        KeyboardInterrupt: stopped by the user; the message says how to go on.
    """
    rules = rules or Rules.preset()
    schedule = Schedule(
        tuple(agents),
        deals,
        matches,
        seed,
        rules,
        force,
        BLOCK_UNITS,
        about=about,
        first_alone=first_alone,
        allow_cheating=allow_cheating,
    )
    names = _check(schedule, jobs)
    if cluster is not None:
        check_ray()
    store = BlockStore.open(None if out is None else Path(out), schedule.identity())
    numbering = {block: schedule.place(block) for block in schedule.blocks}
    todo = [block for block, number in numbering.items() if not store.has(number)]
    try:
        with progress("playing", len(numbering)) as advance:
            advance(len(numbering) - len(todo))
            for block, games in _played(schedule, todo, jobs, cluster):
                store.put(numbering[block], games)
                advance(1)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(store.stopped_text(numbering.values())) from None
    games_of = {
        (names[a], names[b]): join(
            [
                store.get(
                    number,
                    schedule.units(block.number),
                    seatings=len(seatings(rules)),
                    players=rules.players,
                )
                for block, number in numbering.items()
                if block.pair == (a, b)
            ]
        )
        for a, b in schedule.pairs
    }
    result = results.sum_up(
        games_of,
        rules=rules,
        seed=seed,
        deals=deals,
        matches=matches,
        force=force,
        allow_cheating=allow_cheating,
    )
    if out is not None:
        result.write(Path(out))
    return result


def _check(schedule: Schedule, jobs: int | None) -> dict[str, str]:
    """Refuses what cannot be played; the name under which the result shows each agent."""
    if len(schedule.agents) < 2:
        raise TarotError("a tournament needs two agents or more, such as: heuristic random")
    if schedule.matches is not None:
        check_number("matches", schedule.matches, 1, MAX_MATCHES)
        if schedule.force is not None:
            raise TarotError("matches have their auctions; give matches or force, not both")
    elif schedule.deals is None:
        raise TarotError("say how much to play: deals or matches")
    if schedule.deals is not None:
        check_number("deals", schedule.deals, 1, MAX_DEALS)
    if jobs is not None:
        check_number("jobs", jobs, 1, MAX_THREADS)
    check_seed(schedule.seed)
    check_force(schedule.force, schedule.rules)
    if schedule.about is not None and schedule.about not in schedule.agents:
        raise unknown_name("agent to be about", schedule.about, schedule.agents)
    if schedule.about is not None and schedule.first_alone:
        raise TarotError("give about or first_alone, not both")
    names = {}
    for text in sorted(set(schedule.agents)):
        agent = make_agent(text, schedule.rules)
        if cheats(agent) and not schedule.allow_cheating:
            raise TarotError(
                f"agent {text!r} sees all hands; --allow-cheating (from Python: "
                "allow_cheating=True) lets it play"
            )
        names[text] = marked(text, agent)
    return names


def _played(
    schedule: Schedule, todo: Sequence[Block], jobs: int | None, cluster: str | None
) -> Iterator[tuple[Block, Games]]:
    """Each block with its games, as they finish."""
    if not todo:
        return
    if cluster is not None:
        yield from _played_on_cluster(schedule, todo, jobs, cluster)
        return
    if jobs in (None, 1) or len(todo) < 2:
        for block in todo:
            yield block, play_block(schedule, block)
        return
    from joblib import Parallel, delayed
    from joblib.externals.loky import get_reusable_executor

    parallel = Parallel(n_jobs=jobs, batch_size=1, return_as="generator_unordered")
    try:
        yield from parallel(delayed(_work)(schedule, block) for block in todo)
    except (KeyboardInterrupt, SystemExit):
        get_reusable_executor().shutdown(kill_workers=True)
        raise


def _played_on_cluster(
    schedule: Schedule, todo: Sequence[Block], jobs: int | None, cluster: str
) -> Iterator[tuple[Block, Games]]:
    from joblib import Parallel, delayed

    files = {agent: file_hash(agent) for agent in schedule.agents}
    with joblib_on_cluster(cluster):
        parallel = Parallel(n_jobs=jobs or -1, batch_size=1, return_as="generator_unordered")
        yield from parallel(
            delayed(_work_elsewhere)(schedule, block, os.getcwd(), files) for block in todo
        )


def _work(schedule: Schedule, block: Block) -> tuple[Block, Games]:
    """A block in a process of its own, which leaves Ctrl-C to the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return block, play_block(schedule, block)


def _work_elsewhere(
    schedule: Schedule, block: Block, folder: str, files: Mapping[str, str | None]
) -> tuple[Block, Games]:
    """A block on some machine, in the same folder as here, with the same files of agents.

    Raises:
        TarotError: that machine has another file of an agent, or none.
    """
    with suppress(OSError):
        os.chdir(folder)
    if folder not in sys.path:
        sys.path.append(folder)
    for agent in block.pair:
        if file_hash(agent) != files[agent]:
            raise TarotError(
                f"{agent}: {socket.gethostname()} has not the same file as this machine"
            )
    return _work(schedule, block)


def play_block(schedule: Schedule, block: Block) -> Games:
    """The games of one block, with agents made for it alone."""
    rngs = (
        generator(schedule.seed, block.number, "alone", block.a),
        generator(schedule.seed, block.number, "others", block.b),
        generator(schedule.seed, block.number, "fallback", block.a, block.b),
    )
    agents = (make_agent(block.a), make_agent(block.b))
    units, rules, seed = schedule.units(block.number), schedule.rules, schedule.seed
    with one_torch_thread():
        if schedule.matches is not None:
            return play_matches(agents, rngs, units, rules=rules, seed=seed, deals=schedule.deals)
        return play_pair(
            agents, rngs, units, rules=rules, seed=seed, force=schedule.force, strict=False
        )
