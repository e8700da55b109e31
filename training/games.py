"""The games of a duplicate tournament: playing them, and what is kept of each.

A sits alone among Bs, once in each seat, on the same deals; with six players A is a partnership,
once in each pair of opposite seats. A dealer who sits out scores nothing. Deals are played in
blocks; whatever is drawn in a block comes from generators seeded by names, so a block is the same
wherever and whenever it is played.
"""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import reduce

import numpy as np
from jaxtyping import Bool, Int8, Int16, Int32, Int64

from agents.base import Agent
from agents.heuristic.evaluation import strongest_seats
from agents.play import Player, play_out
from tarot_env.actions import parse_bid
from tarot_env.dealing import parse_contract
from tarot_env.rules import Rules
from tarot_env.tables import Tables


@dataclass(frozen=True)
class Counts:
    """What one side did in some games."""

    decisions: int = 0
    illegal: int = 0
    failed: int = 0
    seconds: float = 0.0
    errors: tuple[str, ...] = ()
    """The first error of each kind, ten at most."""

    def __add__(self, other: "Counts") -> "Counts":
        errors = tuple(dict.fromkeys(self.errors + other.errors))[:10]
        return Counts(
            self.decisions + other.decisions,
            self.illegal + other.illegal,
            self.failed + other.failed,
            self.seconds + other.seconds,
            errors,
        )


@dataclass(frozen=True)
class Games:
    """Finished games of one pair: S seatings, D deals, P seats; A sits in seat `seating`.

    With six players there are three seatings, and A sits opposite as well.
    """

    deal_ids: Int64[np.ndarray, " d"]
    half_scores: Int32[np.ndarray, "s d p"]
    taker: Int8[np.ndarray, "s d"]  # -1 where the deal was passed out or thrown in
    partner: Int8[np.ndarray, "s d"]  # of the taker, -1 for none
    contract: Int8[np.ndarray, "s d"]
    made: Bool[np.ndarray, "s d"]
    half_points: Int16[np.ndarray, "s d"]  # of the attack
    oudlers: Int8[np.ndarray, "s d"]
    bids: Int8[np.ndarray, "s d p"]  # -1 not spoken, 0 passed, else the bid
    skipped: int = 0  # petit-sec deals left out
    sides: tuple[Counts, Counts] = field(default=(Counts(), Counts()))  # of A and of B

    def __add__(self, other: "Games") -> "Games":
        """These deals, then the others."""
        joined = {
            name: np.concatenate([getattr(self, name), getattr(other, name)], axis=axis)
            for name, axis in ARRAYS.items()
        }
        sides = (self.sides[0] + other.sides[0], self.sides[1] + other.sides[1])
        return Games(**joined, skipped=self.skipped + other.skipped, sides=sides)

    @property
    def own_half_scores(self) -> Int64[np.ndarray, "s d"]:
        """What A scores in each game."""
        seats = np.arange(self.half_scores.shape[0])
        return self.half_scores[seats, :, seats].astype(np.int64)


ARRAYS = {f.name: 0 if f.name == "deal_ids" else 1 for f in fields(Games)[:-2]}
"""The fields of Games that are arrays, with the axis of deals."""


def seatings(rules: Rules) -> Bool[np.ndarray, "s p"]:
    """The seats of A in each seating."""
    seats = np.arange(rules.players)
    number = rules.players // 2 if rules.in_partnerships else rules.players
    own: np.ndarray = seats % number == np.arange(number)[:, None]
    return own


def join(parts: Sequence[Games]) -> Games:
    """The games of all parts, in order."""
    return reduce(Games.__add__, parts)


def generator(seed: int, *names: object) -> np.random.Generator:
    """The generator that a seed and some names stand for, the same in every process."""
    text = "\x1f".join(str(name) for name in names)
    words = np.frombuffer(hashlib.sha256(text.encode()).digest(), "<u4")
    return np.random.default_rng([seed, *(int(word) for word in words)])


def check_force(force: str | None, rules: Rules) -> None:
    """Checks a contract that is to be given without an auction.

    Raises:
        TarotError: no such contract, or not one of these rules.
    """
    if force is not None:
        parse_contract(force, rules)


def force_best_hands(tables: Tables, force: str) -> None:
    """Gives the contract `force` to the best hand wherever the deal stands."""
    rows = np.flatnonzero(~tables.is_over)
    tables.force(rows, strongest_seats(tables, rows), int(parse_bid(force)))


def play_pair(
    agents: tuple[Agent, Agent],
    rngs: tuple[np.random.Generator, np.random.Generator, np.random.Generator],
    deal_ids: Int64[np.ndarray, " d"],
    *,
    rules: Rules,
    seed: int,
    force: str | None,
    strict: bool,
) -> Games:
    """A's games on the given deals, once in each seat, all in one batch.

    Args:
        agents: A and B.
        rngs: generators of A, B and the fallback.
        deal_ids: deals of `seed`.
        rules: what is played.
        seed: of the deals.
        force: contract given to the best hand instead of an auction.
        strict: raise an agent's errors instead of counting them.
    """
    own = seatings(rules)
    tables = Tables(rules, len(deal_ids) * len(own), seed)
    tables.reset(deal_ids=np.tile(deal_ids, len(own)))
    kept = np.ones(len(deal_ids), bool)
    if force is not None:
        kept = ~tables.is_over[: len(deal_ids)]
        force_best_hands(tables, force)
    lineup = np.where(np.repeat(own, len(deal_ids), axis=0), 0, 1)
    players = [Player(agent, rng) for agent, rng in zip(agents, rngs, strict=False)]
    play_out(tables, players, lineup, rngs[2], strict=strict)
    return _finished(tables, deal_ids, kept, (_counts(players[0]), _counts(players[1])))


def _counts(player: Player) -> Counts:
    return Counts(
        player.decisions, player.illegal, player.failed, player.seconds, tuple(player.errors)
    )


def _finished(
    tables: Tables,
    deal_ids: Int64[np.ndarray, " d"],
    kept: Bool[np.ndarray, " d"],
    sides: tuple[Counts, Counts],
) -> Games:
    """What is kept of tables that are over; [s * d] rows become [s, d]."""
    state = tables.state

    def shaped(values: np.ndarray) -> np.ndarray:
        return values.reshape(-1, len(deal_ids), *values.shape[1:])[:, kept]

    return Games(
        deal_ids=deal_ids[kept],
        half_scores=shaped(state.half_scores),
        taker=shaped(state.taker),
        partner=shaped(np.where(state.taker >= 0, state.partner, np.int8(-1))),
        contract=shaped(state.contract),
        made=shaped(state.made),
        half_points=shaped(state.attack_half_points),
        oudlers=shaped(state.oudlers),
        bids=shaped(state.bids),
        skipped=int((~kept).sum()),
        sides=sides,
    )


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Keeps torch, if it is loaded at all, on one thread: sums come out the same everywhere."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
