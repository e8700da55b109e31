"""Exact play of the last tricks with open cards: what each card is worth when all play their best.

Two sides play against each other, the taker with its true partner and the defence, and everybody
sees all hands. The value of a position is what each defender will pay the attack, in half points,
with everything that the rules in force make of it: contract, petit au bout, poignées, slams, the
Excuse. Misères and rounded scores come on top and change no choice. An agent that solves a table as
it is sees hidden cards; one that solves imagined tables does not.

The search is in `agents.search.alpha_beta`.
"""

from dataclasses import dataclass, replace
from types import ModuleType

import numpy as np
from jaxtyping import Bool, Int64, Integer

from tarot_env.cards import NUM_CARDS, cardsets
from tarot_env.cards.actions import Phase
from tarot_env.core import scoring
from tarot_env.core.arguments import as_int_array, is_int, parse_row
from tarot_env.core.scoring import Facts
from tarot_env.core.state import PETIT, Columns, attackers
from tarot_env.errors import TarotError, short_repr
from tarot_env.rules import Rules
from tarot_env.rules.books import GAMES
from tarot_env.tables import Tables

MAX_NODES = 2_000_000
"""Cards played in a search before it stops, unless told otherwise: a fraction of a second."""
UNSOLVED = -(2**62)
"""In `Solutions.values`: not a legal card, or one that was not reached."""
SOLVED_GAMES = ("3", "4", "5")
"""Keys of `GAMES`: those with hidden hands that nothing is added to, and every seat for itself."""


@dataclass(frozen=True)
class Solution:
    """What best play brings at one table; amounts in half points per defender, to the attack."""

    value: int
    """Unless `exact`, what the side to play is sure of: its best card found so far, or the worst
    that can come about."""
    values: dict[int, int]
    """By legal card; unless `exact`, of the cards that the search was done with."""
    best: tuple[int, ...]
    """The cards with the highest value for the attack, the lowest for the defence."""
    nodes: int
    """Cards played in the search."""
    exact: bool
    """False where it was stopped by the limit of nodes."""


@dataclass(frozen=True)
class Solutions:
    """What best play brings at n tables; see `Solution`."""

    value: Int64[np.ndarray, " n"]
    values: Int64[np.ndarray, "n 78"]  # `UNSOLVED` where there is none
    nodes: Int64[np.ndarray, " n"]
    exact: Bool[np.ndarray, " n"]

    def __len__(self) -> int:
        return len(self.value)

    def one(self, index: int) -> Solution:
        """The solution of one table."""
        cards = np.flatnonzero(self.values[index] != UNSOLVED).tolist()
        values = {card: int(self.values[index, card]) for card in cards}
        value = int(self.value[index])
        best = tuple(card for card in cards if values[card] == value)
        return Solution(value, values, best, int(self.nodes[index]), bool(self.exact[index]))


def solve(tables: Tables, row: int = 0, *, max_nodes: int = MAX_NODES) -> Solution:
    """What each legal card of the hand to play is worth at one table; see `solve_rows`."""
    return solve_rows(tables, np.array([row]), max_nodes=max_nodes).one(0)


def solve_rows(
    tables: Tables, rows: Integer[np.ndarray, " n"], *, max_nodes: int = MAX_NODES
) -> Solutions:
    """What each legal card of the hands to play is worth, table by table.

    Args:
        tables: tables of three, four or five players.
        rows: tables in card play with 62 cards at most in hands and on the table; they may be
            named more than once.
        max_nodes: cards played in the search of each table before it stops.

    Raises:
        TarotError: another game, or a table that is not in card play or holds more cards.
    """
    alpha_beta = _compiled()
    rows = _checked_rows(tables, rows, alpha_beta.MOST_CARDS)
    if not is_int(max_nodes) or max_nodes < 1:
        raise TarotError(f"max_nodes={short_repr(max_nodes)}; allowed: whole numbers from 1")
    state, rules = tables.columns, tables.rules
    left = (rules.tricks - state.trick_number[rows]).astype(np.int64)
    found = Solutions(
        value=np.zeros(len(rows), np.int64),
        values=np.full((len(rows), NUM_CARDS), UNSOLVED),
        nodes=np.zeros(len(rows), np.int64),
        exact=np.zeros(len(rows), bool),
    )
    before = _before_trick(state, rows)
    facts = scoring.facts_of(before, np.arange(len(rows)), rules)
    alpha_beta.solve_tables(
        _terms(before, facts, rules),
        np.ascontiguousarray(before.hands),
        before.trick_cards.astype(np.int64),
        before.leader.astype(np.int64),
        _books(before, facts, rules),
        left,
        np.zeros(1, alpha_beta.GAME)[0],
        np.zeros(_memory_size(left, max_nodes), alpha_beta.MEMORY),
        max_nodes,
        found.value,
        found.values,
        found.nodes,
        found.exact,
    )
    return found


def most_tricks(rules: Rules) -> int:
    """The last tricks of a game that can be solved, if there is time enough.

    Raises:
        TarotError: another game.
    """
    _check_game(rules)
    most: int = _compiled().MOST_CARDS // rules.players
    return most


def _compiled() -> ModuleType:
    """The search, which is compiled, or loaded from the cache, when it is imported."""
    from agents.search import alpha_beta

    return alpha_beta


def _check_game(rules: Rules) -> None:
    if rules.game_name not in SOLVED_GAMES:
        allowed = "; ".join(GAMES[name].title for name in SOLVED_GAMES)
        raise TarotError(f"{rules.sizes.title}: cannot be solved; what can be: {allowed}")


def _checked_rows(tables: Tables, rows: object, most_cards: int) -> Int64[np.ndarray, " n"]:
    """The named tables, if they can be solved."""
    _check_game(tables.rules)
    state = tables.columns
    numbers = as_int_array(rows, "rows")
    for row in numbers.tolist():
        parse_row(row, tables.num_tables)
    found = numbers.astype(np.int64)
    for row in found[state.phase[found] != Phase.PLAY].tolist():
        phase = "is over" if tables.is_over[row] else f"is in {Phase(state.phase[row]).name}"
        raise TarotError(f"table {row} {phase}; a table in PLAY can be solved")
    cards = cardsets.count(state.hands[found]).sum(1) + state.trick_size[found]
    for row, number in zip(found.tolist(), cards.tolist(), strict=True):
        if number > most_cards:
            raise TarotError(
                f"table {row} has {number} cards left; {most_cards} or fewer can be solved"
            )
    return found


def _before_trick(state: Columns, rows: Int64[np.ndarray, " n"]) -> Columns:
    """A copy of the tables in which oudlers that lie on the table count for nobody yet."""
    before = state.take(rows)
    before.oudler_player[before.oudler_winner < 0] = -1
    return before


def _books(state: Columns, facts: Facts, rules: Rules) -> Int64[np.ndarray, "n 5"]:
    """What the attack has: half points, oudlers, tricks lost, whether it won any, petit au bout.

    The last is that of a petit played and won by one side in the trick before the last one; it
    counts where the Excuse wins that.
    """
    rows = np.arange(len(state.phase))
    attack = attackers(state, rows)
    won = (state.tricks_won * attack).sum(1)
    lost = np.minimum(state.trick_number - won, _compiled().MAX_LOST)
    winner, player = state.oudler_winner[:, PETIT], state.oudler_player[:, PETIT]
    ours = attack[rows, winner]
    counts = (winner >= 0) & (state.oudler_trick[:, PETIT] == rules.tricks - 2)
    counts &= (ours == attack[rows, player]) & rules.petit_au_bout_second_last
    petit = np.where(counts, np.where(ours, 1, -1), 0)
    books = (facts.attack_half_points, facts.oudlers, lost, won > 0, petit)
    return np.stack(books, axis=1).astype(np.int64)


def _terms(state: Columns, facts: Facts, rules: Rules) -> np.ndarray:
    """What decides play and score at each table, from the rules and from what was said."""
    alpha_beta = _compiled()
    attack = attackers(state, np.arange(len(state.phase)))
    multiplier = scoring.multipliers(facts.contract, facts.contra, rules)
    options = {
        name: getattr(alpha_beta, name.upper()).index(getattr(rules, name))
        for name in ("half_point", "excuse_last_trick", "excuse_wins_slam_trick")
    }
    values = options | {
        "multiplier": multiplier,
        "poignees": 2 * facts.poignee_points,
        "slam": _slam(facts, rules, slam=1, petit_chelem=1),
        "petit_chelem": _slam(facts, rules, slam=0, petit_chelem=1),
        "no_slam": _slam(facts, rules, slam=0, petit_chelem=0),
        "defence_slam": -2 * rules.defence_slam,
        "counts_lost": rules.petit_chelem,
        "petit_au_bout": 20 * multiplier,
        "second_last": rules.petit_au_bout_second_last,
        "refund": rules.excuse_last_trick_refund,
        "imprenable": state.imprenable,
        "players": rules.players,
        "attack": (attack << np.arange(rules.players)).sum(1),
        "merges": True,
    }
    terms = np.zeros(len(attack), alpha_beta.TERMS)
    for name, value in values.items():
        terms[name] = value
    return terms


def _slam(facts: Facts, rules: Rules, *, slam: int, petit_chelem: int) -> Int64[np.ndarray, " n"]:
    """What the attack gets for slams if this is what comes of its tricks, in half points."""
    zeros = np.zeros_like(facts.slam)
    made = replace(facts, slam=zeros + slam, petit_chelem=zeros + petit_chelem)
    return scoring.payment(made, rules).slam


def _memory_size(left: Int64[np.ndarray, " n"], max_nodes: int) -> int:
    """Positions that can be remembered at a time, by the tricks left: a power of two."""
    tricks = int(left.max(initial=1))
    return 1 << min(2 * tricks + 3, 20, max_nodes.bit_length())
