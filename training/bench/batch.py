"""Many tables side by side: whole deals, observations, mixed phases, dealing, and their size.

Dealing is part of the time, giving the contract to the best hand is not: it stands for an auction.
"""

from collections import Counter
from collections.abc import Callable

import numpy as np
from jaxtyping import Int64

from agents.hand_strength import strongest_seats
from tarot_env.cards.actions import BID_TEXTS, NUM_ACTIONS, parse_bid
from tarot_env.core.dealing import deal_packs
from tarot_env.observation import observation_layout
from tarot_env.rules import Rules
from tarot_env.tables import Tables
from training.bench.measurement import Measure, Sample, Setting, Stopwatch

CONTRACT = "garde"
"""Given to the best hand of every deal."""

Look = Callable[[Tables, Int64[np.ndarray, " n"]], None]
"""What movers are shown before they choose; the rows are the live tables."""


def give_contracts(tables: Tables, rows: Int64[np.ndarray, " n"]) -> None:
    """Lets the best hand play the contract at those of the freshly dealt tables that are live."""
    rows = rows[~tables.is_over[rows]]
    tables.force(rows, strongest_seats(tables, rows), int(parse_bid(CONTRACT)))


def contracts_of(tables: Tables, rows: Int64[np.ndarray, " n"] | None = None) -> Counter[str]:
    """How many of the tables stand under each contract."""
    names = {0: "none", **{int(bid): text for bid, text in BID_TEXTS.items()}}
    contracts = tables.contract if rows is None else tables.contract[rows]
    values, counts = np.unique(contracts, return_counts=True)
    return Counter({names[int(v)]: int(n) for v, n in zip(values, counts, strict=True)})


def mask_only(tables: Tables, rows: Int64[np.ndarray, " n"]) -> None:
    """Makes the masks of legal actions."""
    tables.legal_actions()


def play(tables: Tables, rng: np.random.Generator, look: Look = mask_only) -> int:
    """Random legal actions until every table is over; returns the decisions of live tables."""
    decisions = 0
    while len(rows := np.flatnonzero(~tables.is_over)):
        look(tables, rows)
        tables.step(tables.random_actions(rng))
        decisions += len(rows)
    return decisions


class Observer:
    """Writes movers' observations, uint8, and masks into buffers that are made once."""

    def __init__(self, setting: Setting) -> None:
        self.layout = observation_layout(setting.rules)
        self.observations = np.empty((setting.size, self.layout.size), np.uint8)
        self.masks = np.empty((setting.size, NUM_ACTIONS), bool)

    def __call__(self, tables: Tables, rows: Int64[np.ndarray, " n"]) -> None:
        """What the movers at the named tables see, in the first rows of the buffers."""
        n = len(rows)
        self.layout.observe(tables, self.observations[:n], self.masks[:n], rows)


def lockstep(
    setting: Setting, *, rules: Rules | None = None, look: Look = mask_only, threads: int = 1
) -> Measure:
    """Whole deals at tables that are dealt together.

    Args:
        setting: how many tables, and for how long.
        rules: another game than that of the setting.
        look: what movers are shown.
        threads: of the tables.
    """
    rules = rules or setting.rules

    def run(seed: int, seconds: float = setting.seconds) -> Sample:
        rng = np.random.default_rng(seed)
        tables = Tables(rules, setting.size, seed, threads=threads)
        decisions, watch = 0, Stopwatch()
        contracts: Counter[str] = Counter()
        while not watch.seconds or watch.seconds < seconds:
            give_contracts(tables, np.arange(setting.size))
            with watch:
                decisions += play(tables, rng, look)
            contracts.update(contracts_of(tables))
            with watch:
                tables.reset()
        return watch.sample(decisions, deals=contracts[CONTRACT], contracts=dict(contracts))

    run(0, 0.0)
    return run


def observed(setting: Setting) -> Measure:
    """The same with every mover's observation and mask."""
    return lockstep(setting, look=Observer(setting))


def mixed(setting: Setting) -> Measure:
    """The same deals at tables that started at even distances over a deal.

    A table that is over is dealt anew at once, so all of them stay live.
    """
    length = _mean_length(setting.rules)

    def run(seed: int) -> Sample:
        rng, tables = np.random.default_rng(seed), Tables(setting.rules, setting.size, seed)
        ages = _spread(tables, rng, length)
        decisions, steps, finished, watch = 0, 0, 0, Stopwatch()
        contracts: Counter[str] = Counter()
        while steps < length or watch.seconds < setting.seconds:
            over = np.flatnonzero(tables.is_over)
            if len(over):
                finished += int(ages[over].sum())
                ages[over] = 0
                contracts.update(contracts_of(tables, over))
                with watch:
                    tables.reset(over)
                give_contracts(tables, over)
            with watch:
                live = np.flatnonzero(~tables.is_over)
                mask_only(tables, live)
                tables.step(tables.random_actions(rng))
            ages[live] += 1
            decisions, steps = decisions + len(live), steps + 1
        deals = contracts[CONTRACT]
        return watch.sample(
            decisions, deals=deals, deal_decisions=finished, contracts=dict(contracts)
        )

    return run


def _spread(tables: Tables, rng: np.random.Generator, length: int) -> Int64[np.ndarray, " b"]:
    """Plays at each table until they are at even distances over a deal; returns how far each is.

    Args:
        tables: freshly dealt.
        rng: chooses.
        length: decisions of a deal.
    """
    rows, ages = np.arange(tables.num_tables), np.zeros(tables.num_tables, np.int64)
    offsets = rows * length // len(rows)
    give_contracts(tables, rows)
    for tick in range(length):
        ahead = rows[(offsets > tick) & ~tables.is_over]
        tables.step(tables.random_actions(rng)[ahead], ahead)
        ages[ahead] += 1
    return ages


def _mean_length(rules: Rules) -> int:
    """Decisions of a deal, about."""
    tables = Tables(rules, 64, 0)
    give_contracts(tables, np.arange(64))
    live = int((~tables.is_over).sum())
    return round(play(tables, np.random.default_rng(0)) / max(live, 1))


def dealing(setting: Setting) -> Measure:
    """New deals at all tables, ready to bid."""
    tables = Tables(setting.rules, setting.size, 0)
    return _bulk(setting, lambda first: tables.reset())


def packs(setting: Setting) -> Measure:
    """Shuffled packs alone."""
    ids = np.arange(setting.size)
    return _bulk(setting, lambda first: deal_packs(0, first + ids))


def _bulk(setting: Setting, deal: Callable[[int], object]) -> Measure:
    def run(seed: int) -> Sample:
        deals, watch = 0, Stopwatch()
        while not watch.seconds or watch.seconds < setting.seconds:
            with watch:
                deal(deals)
            deals += setting.size
        return watch.sample(deals)

    return run


def state_bytes(setting: Setting, *, log: bool, observation: bool = False) -> Measure:
    """Bytes of the state of one table.

    Args:
        setting: the rules.
        log: count what keeps every action, too.
        observation: count a mover's observation and mask, too.
    """
    arrays = Tables(setting.rules, setting.size, 0, log=log).arrays()
    total = sum(array.nbytes for array in arrays.values())
    seen = observation_layout(setting.rules).size + NUM_ACTIONS if observation else 0
    return lambda seed: Sample(total / setting.size + seen)
