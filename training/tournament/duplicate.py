"""The games of a duplicate tournament: playing them, and what is kept of each.

A sits alone among Bs, once in each seat, on the same deals; with six players A is a partnership,
once in each pair of opposite seats. A dealer who sits out scores nothing. The unit is a deal, or a
match of several, whose later deals can differ from seat to seat. Units are played in blocks;
whatever is drawn in a block comes from generators seeded by names, so a block is the same wherever
and whenever it is played.
"""

import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import reduce

import numpy as np
from jaxtyping import Bool, Int8, Int16, Int32, Int64

from agents.base import AnyAgent
from agents.hand_strength import strongest_seats
from agents.play import Player, play_out
from tarot_env.cards.actions import parse_bid
from tarot_env.core.dealing import parse_contract
from tarot_env.rules import Rules
from tarot_env.tables import Match, Tables
from tarot_env.tables.match import MATCH_STRIDE


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

    With six players there are three seatings, and A sits opposite as well. The deals of a match
    stand side by side; a seating whose match is over sooner has no dealer, no bids and no scores in
    the columns that are left.
    """

    units: Int64[np.ndarray, " d"]  # deal ids; of matches the number of the match, ascending
    dealer: Int8[np.ndarray, "s d"]  # -1 where no deal was played
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

    def take(self, columns: np.ndarray) -> "Games":
        """Some of the deals: a mask, or indices in the order wanted."""
        indices = np.arange(len(self.units))[columns]
        arrays = {name: getattr(self, name).take(indices, axis) for name, axis in ARRAYS.items()}
        return replace(self, **arrays)

    def only(self, played: Bool[np.ndarray, "s d"]) -> "Games":
        """The games that were played; nothing stands in the places of the others."""
        arrays = {name: getattr(self, name).copy() for name in ARRAYS if name != "units"}
        for name, array in arrays.items():
            array[~played] = NOTHING[name]
        return replace(self, **arrays)

    @property
    def own_half_scores(self) -> Int64[np.ndarray, "s d"]:
        """What A scores in each game."""
        seats = np.arange(self.half_scores.shape[0])
        return self.half_scores[seats, :, seats].astype(np.int64)


ARRAYS = {f.name: 0 if f.name == "units" else 1 for f in fields(Games)[:-2]}
"""The fields of Games that are arrays, with the axis of deals."""
NOTHING = {name: -1 if name in ("dealer", "taker", "partner", "bids") else 0 for name in ARRAYS}
"""What a field holds where no deal was played."""


def seatings(rules: Rules) -> Bool[np.ndarray, "s p"]:
    """The seats of A in each seating."""
    number = rules.players // 2 if rules.in_partnerships else rules.players
    own: np.ndarray = np.arange(rules.players) % number == np.arange(number)[:, None]
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
    agents: tuple[AnyAgent, AnyAgent],
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
    games = _finished(tables, deal_ids, (_counts(players[0]), _counts(players[1])))
    return replace(games.take(kept), skipped=int((~kept).sum()))


def play_matches(
    agents: tuple[AnyAgent, AnyAgent],
    rngs: tuple[np.random.Generator, np.random.Generator, np.random.Generator],
    numbers: Int64[np.ndarray, " m"],
    *,
    rules: Rules,
    seed: int,
    deals: int | None,
) -> Games:
    """A's games in the given matches, once in each seat, all in one batch.

    Args:
        agents: A and B; their errors are counted.
        rngs: generators of A, B and the fallback.
        numbers: matches of `seed`.
        rules: what is played.
        seed: of the deals.
        deals: deals of each match, whatever the rules say.
    """
    own = seatings(rules)
    matches = series(rules, seed, np.tile(numbers, len(own)), deals)
    tables = Tables(rules, len(matches), seed)
    lineup = np.where(np.repeat(own, len(numbers), axis=0), 0, 1)
    players = [Player(agent, rng) for agent, rng in zip(agents, rngs, strict=False)]
    rounds = []
    for dealt in rounds_of(matches, tables):
        play_out(tables, players, lineup, rngs[2], strict=False)
        rounds.append(_finished(tables, numbers).only(dealt.reshape(len(own), -1)))
    games = join(rounds)
    in_order = np.argsort(games.units, kind="stable")
    some = np.asarray((games.dealer >= 0).any(0))
    sides = (_counts(players[0]), _counts(players[1]))
    return replace(games.take(in_order[some[in_order]]), sides=sides)


def series(rules: Rules, seed: int, numbers: Iterable[int], deals: int | None) -> list[Match]:
    """The matches of a seed with the given numbers, the first deal of each `MATCH_STRIDE` apart."""
    return [Match(rules, seed, int(m) * MATCH_STRIDE, deals=deals) for m in numbers]


def rounds_of(matches: Sequence[Match], tables: Tables) -> Iterator[Bool[np.ndarray, " b"]]:
    """Plays matches side by side, one at each table, to the end.

    Each round deals to the matches that go on and says which these are; whoever asks plays the
    tables out before asking for the next round.
    """
    going_on = np.array([not match.is_over for match in matches])
    while going_on.any():
        for row in np.flatnonzero(going_on).tolist():
            matches[row].deal_to(tables, row)
        yield going_on.copy()
        for row in np.flatnonzero(going_on).tolist():
            matches[row].note(tables, row)
            going_on[row] = not matches[row].is_over


def _counts(player: Player) -> Counts:
    return Counts(
        player.decisions, player.illegal, player.failed, player.seconds, tuple(player.errors)
    )


def _finished(
    tables: Tables,
    units: Int64[np.ndarray, " d"],
    sides: tuple[Counts, Counts] = (Counts(), Counts()),
) -> Games:
    """What is kept of tables that are over; [s * d] rows become [s, d]."""
    state = tables.columns

    def shaped(values: np.ndarray) -> np.ndarray:
        return values.reshape(-1, len(units), *values.shape[1:])

    return Games(
        units=units,
        dealer=shaped(state.dealer),
        half_scores=shaped(state.half_scores),
        taker=shaped(state.taker),
        partner=shaped(np.where(state.taker >= 0, state.partner, np.int8(-1))),
        contract=shaped(state.contract),
        made=shaped(state.made),
        half_points=shaped(state.attack_half_points),
        oudlers=shaped(state.oudlers),
        bids=shaped(state.bids),
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
