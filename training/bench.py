"""How many decisions a second this machine makes: tables, observations, environment, agents, PPO.

Deals are played to the end with the contract given to the best hand, never with random bids, which
would be all high contracts. Only decisions of live tables count. Each measurement is repeated and
the median stands.
"""

import json
import os
import platform
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from agents.heuristic import HeuristicAgent
from agents.play import Player, play_out
from tarot_env.actions import BID_TEXTS, parse_bid
from tarot_env.errors import TarotError
from tarot_env.observation import observation_layout
from tarot_env.rules import Rules
from tarot_env.tables import Tables
from tarot_env.variants import value_text
from training.config import MAX_TABLES, CollectConfig, check_number
from training.console import progress_bar
from training.games import force_best_hands

CONTRACT = "garde"
"""Given to the best hand of every deal."""
MAX_REPEATS = 10_000
_LEAST_SECONDS = 0.3
"""A measurement goes on with new deals until it has taken this long."""


@dataclass(frozen=True)
class Run:
    """One measurement: live decisions, seconds, deals played and all contracts."""

    decisions: int
    seconds: float
    deals: int
    contracts: dict[str, int]


@dataclass(frozen=True)
class Throughput:
    """The median of the repeats of one measurement."""

    what: str
    size: int
    """Tables side by side."""
    decisions_per_second: float
    microseconds_per_decision: float
    decisions_per_deal: float | None
    contracts: dict[str, float]
    """Share of the deals played under each contract."""
    repeats: tuple[float, ...]
    """Decisions per second of each repeat."""


@dataclass(frozen=True)
class BenchResult:
    """All measurements, and the machine that they hold for."""

    machine: dict[str, Any]
    rules: dict[str, object]
    rows: tuple[Throughput, ...]


def bench(
    sizes: Sequence[int] = (1, 256, 4096),
    *,
    repeats: int = 3,
    rules: Rules | None = None,
    training: bool = True,
    progress: bool = False,
) -> BenchResult:
    """Measures this machine.

    Args:
        sizes: numbers of tables played side by side.
        repeats: how often each is measured.
        rules: default: fft with four.
        training: measure PPO updates too, which needs torch.
        progress: show a bar.

    Raises:
        TarotError: a size or number of repeats out of range.
    """
    rules = rules or Rules.preset()
    if not sizes:
        raise TarotError("sizes must be 1 or more; got none")
    check_number("repeats", repeats, 1, MAX_REPEATS)
    for size in sizes:
        check_number("sizes", size, 1, MAX_TABLES)
    plan: list[tuple[str, int, Callable[[int], Run]]] = []
    for size in sizes:
        plan.append(("tables", size, partial(_tables, rules, size)))
        plan.append(("tables, observed", size, partial(_tables, rules, size, observed=True)))
    plan.append(("tarot_v0, agent by agent", 1, partial(_environment, rules)))
    for size in sorted({1, max(sizes)}):
        plan.append(("heuristic", size, partial(_heuristic, rules, size)))
    if training:
        plan.append(("PPO, 256-256", CollectConfig.tables, _Updates(rules)))
    rows = []
    with progress_bar("measuring", len(plan) * repeats, shown=progress) as advance:
        for what, size, measure in plan:
            runs = []
            for seed in range(repeats):
                runs.append(measure(seed))
                advance(1)
            rows.append(_median(what, size, runs))
    return BenchResult(_machine(), rules.to_dict(), tuple(rows))


def _median(what: str, size: int, runs: Sequence[Run]) -> Throughput:
    rates = [run.decisions / run.seconds for run in runs]
    deals = sum(run.deals for run in runs)
    contracts: Counter[str] = Counter()
    for run in runs:
        contracts.update(run.contracts)
    rate = statistics.median(rates)
    played = sum(contracts.values())
    return Throughput(
        what=what,
        size=size,
        decisions_per_second=rate,
        microseconds_per_decision=1e6 / rate,
        decisions_per_deal=sum(run.decisions for run in runs) / deals if deals else None,
        contracts={name: count / played for name, count in contracts.items()},
        repeats=tuple(rates),
    )


def _contracts(tables: Tables) -> Counter[str]:
    names = {0: "none", **{int(bid): text for bid, text in BID_TEXTS.items()}}
    values, counts = np.unique(tables.contract, return_counts=True)
    return Counter({names[int(v)]: int(n) for v, n in zip(values, counts, strict=True)})


def _until_long(play: Callable[[Tables], tuple[int, float]], tables: Tables) -> Run:
    """Plays whole deals, on and on, until the least time has passed."""
    decisions, seconds = 0, 0.0
    contracts: Counter[str] = Counter()
    while seconds < _LEAST_SECONDS:
        force_best_hands(tables, CONTRACT)
        made, took = play(tables)
        decisions, seconds = decisions + made, seconds + took
        contracts.update(_contracts(tables))
        tables.reset()
    return Run(decisions, seconds, contracts[CONTRACT], dict(contracts))


def _tables(rules: Rules, size: int, seed: int, *, observed: bool = False) -> Run:
    """Legal actions, a random choice and the step; with `observed`, each mover's observation."""
    rng = np.random.default_rng(seed)
    layout = observation_layout(rules)

    def play(tables: Tables) -> tuple[int, float]:
        decisions, start = 0, time.perf_counter()
        while len(rows := np.flatnonzero(~tables.is_over)):
            if observed:
                layout.encode(tables.turn(rows))
            tables.step(tables.random_actions(rng))
            decisions += len(rows)
        return decisions, time.perf_counter() - start

    return _until_long(play, Tables(rules, size, seed))


def _heuristic(rules: Rules, size: int, seed: int) -> Run:
    """The heuristic agent in every seat: the time that it thinks."""
    rng = np.random.default_rng(seed)
    lineup = np.zeros((size, rules.players), np.int64)

    def play(tables: Tables) -> tuple[int, float]:
        player = Player(HeuristicAgent(), rng)
        play_out(tables, [player], lineup, rng)
        return player.decisions, player.seconds

    return _until_long(play, Tables(rules, size, seed))


def _environment(rules: Rules, seed: int) -> Run:
    """PettingZoo's loop with its observations, a uniform legal action at each turn."""
    from tarot_env.dealing import Deal
    from tarot_env.envs import tarot_v0

    env: Any = tarot_v0.env(rules=rules, redeal=False)
    rng = np.random.default_rng(seed)
    decisions, seconds, deals = 0, 0.0, 0
    while seconds < _LEAST_SECONDS:
        dealt = Tables(rules, 1, seed, deals)
        force_best_hands(dealt, CONTRACT)
        deal = Deal.from_seed(seed, deals, rules)
        start = time.perf_counter()
        env.reset(options={"deal": _forced(deal, int(dealt.taker[0]))})
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            action = None
            if not (terminated or truncated):
                legal = np.flatnonzero(observation["action_mask"])
                action = int(legal[int(rng.random() * len(legal))])
                decisions += 1
            env.step(action)
        seconds += time.perf_counter() - start
        deals += 1
    return Run(decisions, seconds, deals, {CONTRACT: deals})


def _forced(deal: Any, taker: int) -> Any:
    return deal if taker < 0 else replace(deal, forced=(taker, parse_bid(CONTRACT)))


class _Updates:
    """PPO updates of one run; a decision counts where something is learned from it."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._trainer: Any = None

    def __call__(self, seed: int) -> Run:
        """Times one update; the run is made, and warmed up, at the first."""
        if self._trainer is None:
            self._trainer = self._start()
            self._trainer.update()
        before = self._trainer.decisions
        start = time.perf_counter()
        self._trainer.update()
        seconds = time.perf_counter() - start
        return Run(self._trainer.decisions - before, seconds, 0, {})

    def _start(self) -> Any:
        from training.config import GameConfig, TrainConfig
        from training.ppo import Trainer

        options = self._rules.to_dict()
        rules = self._rules
        texts = [f"{k}={value_text(v)}" for k, v in options.items() if k not in _NOT_OPTIONS]
        players = None if rules.game else rules.players
        game = GameConfig(rules.preset_name, players, rules.game, tuple(texts))
        return Trainer(TrainConfig(name="bench", threads=os.cpu_count() or 1, game=game))


_NOT_OPTIONS = ("preset", "players", "game")


def _machine() -> dict[str, Any]:
    """What the numbers hold for."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": platform.system(),
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if "model name" in line]
        return names[0]
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def print_bench(result: BenchResult, *, as_json: bool = False) -> None:
    """Prints the measurements as a table, or as JSON."""
    if as_json:
        print(json.dumps(asdict(result), indent=1))
        return
    table = Table("what", box=SIMPLE_HEAD)
    for heading in ("tables", "decisions/s", "µs per decision", "decisions per deal", "contracts"):
        table.add_column(heading, justify="right")
    for row in result.rows:
        length = row.decisions_per_deal
        mix = ", ".join(f"{name} {100 * part:.1f} %" for name, part in row.contracts.items())
        table.add_row(
            row.what,
            f"{row.size:,}",
            f"{row.decisions_per_second:,.0f}",
            f"{row.microseconds_per_decision:,.2f}",
            "–" if length is None else f"{length:.1f}",
            mix or "–",
        )
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 120
    console.print(table)
    console.print(", ".join(f"{key} {value}" for key, value in result.machine.items()))
