"""Observations: the fields of which they consist, and how they are written.

`observation_layout` is what a seat knows, made from a `Turn` alone, so it cannot leak.
`state_layout` is the whole table for centralised critics and `state()`: the public fields of the
same list, and all hidden cards. Seats are counted from the viewer everywhere. A field is declared
in the list, which fixes where it lies, and written in `write_private`, `write_public` or
`write_hidden`.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from jaxtyping import Bool, Float32, Int64, Integer, UInt8

from tarot_env.cards import EXCUSE as EXCUSE_ID
from tarot_env.cards import (
    FIRST_TRUMP,
    HALF_POINTS,
    KIND,
    NUM_CARDS,
    NUM_TRUMPS,
    RANK,
    SUIT_SIZE,
    TRUMP,
)
from tarot_env.cards.actions import NUM_ACTIONS, Bid, Phase
from tarot_env.core.bits import OUDLER_WORTH, lowest
from tarot_env.core.compiling import kernel, loop
from tarot_env.core.state import EXCUSE, as_records, blank_records, rules_record
from tarot_env.errors import TarotError
from tarot_env.observation.fields import Field, Layout
from tarot_env.rules import Rules
from tarot_env.tables.full_information import FullInformation
from tarot_env.tables.tables import Tables
from tarot_env.tables.turn import (
    TURN,
    Turn,
    masters,
    on_attack,
    playing_hand,
    see,
    takes_lead,
    unseen,
)

_CARD_CODE = 6 + NUM_TRUMPS
"""Columns of a card in a trick: kind (four suits, trump, Excuse) and rank, one-hot."""

_LEAST_LOOKS = 256
"""Observations for each thread."""

# -- the fields


def _cards(name: str, shape: tuple[int, ...], doc: str) -> Field:
    """Sets of cards."""
    return Field(name, (*shape, NUM_CARDS), doc, suit_size=SUIT_SIZE)


def _trumps(name: str, shape: tuple[int, ...], doc: str) -> Field:
    """Sets of trumps and the Excuse."""
    return Field(name, (*shape, NUM_TRUMPS + 1), doc)


def _choice(name: str, shape: tuple[int, ...], doc: str, *, suit_size: int = 0) -> Field:
    """One-hot values; the last axis of the shape is their number."""
    return Field(name, shape, doc, suit_size=suit_size)


def _number(name: str, shape: tuple[int, ...], doc: str, high: int = 1) -> Field:
    """Numbers from 0 to `high`."""
    return Field(name, shape, doc, high)


def _private_fields() -> tuple[Field, ...]:
    return (
        _choice("phase", (len(Phase),), "`Phase`, as it looks to the viewer"),
        _choice("poignee_declared", (3,), "level of the poignée being put together"),
        _trumps("withheld", (), "trumps kept out of the own poignée"),
        _cards("hand", (), "own hand"),
        _cards("unseen", (), "cards not seen yet"),
        _cards("takes_lead", (), "own cards that would be winning the trick as it lies"),
        _cards(
            "masters", (), "own cards that no unseen card of the suit, or trump, is higher than"
        ),
        _cards("ecart", (), "own écart"),
    )


def _public_fields(rules: Rules) -> tuple[Field, ...]:
    """What everybody at the table knows."""
    p, a, t, tricks = rules.players, rules.hands, rules.cards_per_trick, rules.tricks
    bids = len(Bid)
    return (
        _cards("chien", (), "the chien, where it was turned up"),
        _cards("played", (a,), "cards played from each hand"),
        *_more_cards(rules),
        _trumps("shown_discards", (), "trumps in the écart"),
        _trumps("poignee_cards", (p,), "the trumps of the poignée of each seat"),
        _choice("to_act", (a,), "hand to act"),
        _choice("leader", (a,), "who led the trick on the table"),
        _choice("best_seat", (a,), "who wins the trick so far"),
        _choice("last_leader", (a,), "who led the last trick"),
        _choice("last_winner", (a,), "who won the last trick"),
        _choice("oudler_player", (3, a), "who played petit, 21, Excuse"),
        _choice("oudler_winner", (3, a), "who won that trick"),
        _choice("dealer", (p,), "dealer"),
        _choice("taker", (p,), "who bid best so far, or the taker"),
        *_more_choices(rules),
        _choice("bids", (p, bids), "pass or bid of each seat that spoke"),
        _choice("contract", (bids,), "best bid so far, or the contract"),
        _choice("led", (6,), "what was led: a suit, trumps, nothing yet", suit_size=1),
        _choice("poignee_level", (p, 3), "poignée of each seat"),
        _choice("trick_size", (t,), "how many cards lie on the table"),
        Field(
            "trick",
            (a, _CARD_CODE),
            "card of each hand in this trick: spades, hearts, diamonds, clubs, trump, Excuse; then "
            "rank 1..21",
            suit_size=1,
        ),
        Field("void", (a, 5), "play has shown: none of a suit, no trump", suit_size=1),
        _number("trump_bound", (a,), "play has shown: no trump above this number", NUM_TRUMPS),
        _number("tricks_won", (a,), "tricks each hand has won", tricks),
        _number(
            "trick_half_points",
            (a,),
            "half points in the tricks of each hand, the Excuse left out",
            182,
        ),
        _number(
            "side_half_points",
            (2,),
            "half points of attack and defence in tricks, the Excuse with its owner's side",
            182,
        ),
        _number(
            "table_half_points",
            (1,),
            "half points on the table, the Excuse left out",
            9 * t,
        ),
        _number(
            "winning_side",
            (2,),
            "who wins the trick so far: the viewer's side, the other side",
        ),
        _number("trick_number", (1,), "tricks finished", tricks),
        _number("slam_announced", (1,), "the taker announced a slam"),
        *_more_numbers(rules),
    )


def _more_cards(rules: Rules) -> tuple[Field, ...]:
    """Sets for which only some games have a use."""
    o = rules.hands
    found: list[Field] = []
    if rules.calls_king:
        found.append(_cards("called", (), "the called card"))
    if rules.in_partnerships:
        found.append(
            _cards("first_half", (), "first three cards of the chien, where it was turned up")
        )
    if rules.players == 2:
        found.append(_cards("face_up", (o,), "cards in each hand that everybody has seen there"))
    if rules.game == "decouverte":
        found.append(_cards("covering", (o,), "face-up cards that cover another"))
    if rules.game == "tirette":
        found.append(_cards("exposed", (), "the card that lies open beside the stock"))
    return tuple(found)


def _more_choices(rules: Rules) -> tuple[Field, ...]:
    """Choices for which only some games have a use."""
    if rules.calls_king:
        doc = "the taker's partner as far as the viewer knows; the taker itself if it is alone"
        return (_choice("partner", (rules.players,), doc),)
    if rules.in_partnerships:
        return (
            _choice("passes", (6,), "passes in a row"),
            _choice("contra", (2,), "contra, recontra"),
            _choice("split", (2,), "half of the chien that the taker took"),
        )
    return ()


def _more_numbers(rules: Rules) -> tuple[Field, ...]:
    """Numbers for which only some rules have a use."""
    found: list[Field] = []
    if rules.misere:
        shape = (rules.players, 2)
        found.append(_number("misere", shape, "declared: no trump, no court card"))
    if rules.petit_chelem:
        found.append(_number("petit_chelem_announced", (1,), "the taker announced a petit chelem"))
    return tuple(found)


def _hidden_fields(rules: Rules) -> tuple[Field, ...]:
    p, a = rules.players, rules.hands
    partner = "the taker's partner"
    covered = "cards under others, by seat; the second stock, at place 0"
    return (
        _choice("true_phase", (len(Phase),), "`Phase` of the table"),
        *([_choice("true_partner", (p,), partner)] if rules.calls_king else ()),
        _choice("all_declared", (p, 3), "level of a poignée being put together"),
        _trumps("all_withheld", (p,), "trumps withheld"),
        _cards("hands", (a,), "every hand"),
        _cards("all_chien", (), "the chien as dealt"),
        _cards("all_ecart", (p,), "the écart of each seat")
        if rules.in_partnerships
        else _cards("all_ecart", (), "the écart"),
        *([_cards("covered", (a,), covered)] if rules.game in ("decouverte", "tirette") else ()),
    )


# -- writing them

_EVERY_OPTION: dict[str, Any] = {"misere": True, "petit_chelem": True}
_ALL_GAMES = [
    Rules.preset("fft", players=5, **_EVERY_OPTION),
    Rules.preset("jeu-de-tarot", players=6),
    *(Rules.preset("jeu-de-tarot", game=game) for game in ("decouverte", "tirette", "dummy")),
]
_NAMES = dict.fromkeys(
    field.name
    for rules in _ALL_GAMES
    for fields in (_private_fields(), _public_fields(rules), _hidden_fields(rules))
    for field in fields
)
COLUMNS: Any = np.dtype((np.record, np.dtype([(name, np.int32) for name in _NAMES])))
"""Where each field begins; -1 for one that the layout does not have."""
_KIND, _RANK, _HALF_POINTS = (table.astype(np.int64) for table in (KIND, RANK, HALF_POINTS))


def columns_record(layout: Layout) -> np.ndarray:
    """A layout as row functions read it: one record of `COLUMNS`, in an array of one."""
    record = np.full(len(_NAMES), -1, np.int32).view(COLUMNS)
    for name, where in layout.offsets.items():
        record[name] = where.start
    return record


@kernel
def put_cards(out: Any, at: int, suits: int, rest: int) -> None:
    """1 in the column of each card."""
    while suits:
        out[at + lowest(suits)] = 1
        suits &= suits - 1
    put_trumps(out, at + FIRST_TRUMP, rest)


@kernel
def put_trumps(out: Any, at: int, rest: int) -> None:
    """1 in the column of each trump, and of the Excuse."""
    while rest:
        out[at + lowest(rest)] = 1
        rest &= rest - 1


@kernel
def put_one(out: Any, at: int, value: int) -> None:
    """One-hot; nothing for a negative value."""
    if value >= 0:
        out[at + value] = 1


@kernel
def write_private(turn: Any, rules: Any, at: Any, out: Any) -> None:
    """What the viewer alone knows, and what follows from it."""
    put_one(out, at.phase, turn.phase)
    put_one(out, at.poignee_declared, turn.poignee_declared - 1)
    put_trumps(out, at.withheld, turn.withheld)
    put_cards(out, at.hand, turn.hand[0], turn.hand[1])
    unseen_suits, unseen_rest = unseen(turn, rules)
    put_cards(out, at.unseen, unseen_suits, unseen_rest)
    held_suits, held_rest = playing_hand(turn, rules)
    suits, rest = takes_lead(turn, held_suits, held_rest)
    put_cards(out, at.takes_lead, suits, rest)
    suits, rest = masters(held_suits, held_rest, unseen_suits, unseen_rest)
    put_cards(out, at.masters, suits, rest)
    put_cards(out, at.ecart, turn.ecart[0], turn.ecart[1])


@kernel
def write_public(turn: Any, rules: Any, at: Any, out: Any) -> None:
    """What everybody at the table knows, as the viewer counts seats."""
    hands = rules.hands
    put_cards(out, at.chien, turn.chien[0], turn.chien[1])
    put_trumps(out, at.shown_discards, turn.shown_discards)
    for place in range(hands):
        put_cards(out, at.played + NUM_CARDS * place, turn.played[place, 0], turn.played[place, 1])
        for kind in range(TRUMP + 1):
            out[at.void + (TRUMP + 1) * place + kind] = turn.void[place] >> kind & 1
        out[at.trump_bound + place] = turn.trump_bound[place]
        out[at.tricks_won + place] = turn.tricks_won[place]
        out[at.trick_half_points + place] = turn.trick_half_points[place]
        card = turn.on_table[place]
        if card >= 0:
            out[at.trick + _CARD_CODE * place + _KIND[card]] = 1
            if card != EXCUSE_ID:
                out[at.trick + _CARD_CODE * place + TRUMP + 1 + _RANK[card]] = 1
                out[at.table_half_points] += _HALF_POINTS[card]
    for place in range(rules.players):
        put_trumps(out, at.poignee_cards + (NUM_TRUMPS + 1) * place, turn.poignee_cards[place])
        put_one(out, at.bids + _BIDS * place, turn.bids[place])
        put_one(out, at.poignee_level + 3 * place, turn.poignee_level[place] - 1)
    put_one(out, at.to_act, turn.to_act)
    put_one(out, at.leader, turn.leader)
    put_one(out, at.best_seat, turn.best_seat)
    put_one(out, at.last_leader, turn.last_leader)
    put_one(out, at.last_winner, turn.last_winner)
    for oudler in range(3):
        put_one(out, at.oudler_player + hands * oudler, turn.oudler_player[oudler])
        put_one(out, at.oudler_winner + hands * oudler, turn.oudler_winner[oudler])
    put_one(out, at.dealer, turn.dealer)
    put_one(out, at.taker, turn.taker)
    put_one(out, at.contract, turn.contract)
    put_one(out, at.led, turn.led)
    put_one(out, at.trick_size, turn.trick_size)
    attack, defence = side_points(turn, rules)
    out[at.side_half_points], out[at.side_half_points + 1] = attack, defence
    _put_winning_side(turn, rules, at, out)
    out[at.trick_number] = turn.trick_number
    out[at.slam_announced] = turn.slam_announced
    _write_of_some_games(turn, rules, at, out)


_BIDS = len(Bid)


@kernel
def _write_of_some_games(turn: Any, rules: Any, at: Any, out: Any) -> None:
    """Public fields for which only some games or rules have a use."""
    if at.petit_chelem_announced >= 0:
        out[at.petit_chelem_announced] = turn.petit_chelem_announced
    if at.misere >= 0:
        for place in range(rules.players):
            out[at.misere + 2 * place] = turn.misere[place] & 1
            out[at.misere + 2 * place + 1] = turn.misere[place] >> 1
    if rules.calls_king:
        put_one(out, at.called, turn.called)
        put_one(out, at.partner, turn.partner)
    if rules.in_partnerships:
        put_cards(out, at.first_half, turn.first_half[0], turn.first_half[1])
        if turn.passes < 6:  # six end the deal
            put_one(out, at.passes, turn.passes)
        put_one(out, at.contra, turn.contra - 1)
        put_one(out, at.split, turn.split)
    if rules.players == 2:
        for place in range(rules.hands):
            there = NUM_CARDS * place
            put_cards(out, at.face_up + there, turn.face_up[place, 0], turn.face_up[place, 1])
            if rules.decouverte:
                suits, rest = turn.covering[place, 0], turn.covering[place, 1]
                put_cards(out, at.covering + there, suits, rest)
        if rules.tirette:
            put_one(out, at.exposed, turn.exposed)


@kernel
def side_points(turn: Any, rules: Any) -> tuple[int, int]:
    """Half points that (attack, defence) have won in tricks for all to see; 0 without a taker.

    A partner whom the viewer does not know counts as a defender. The Excuse counts for the side of
    its owner, which pays half a point where it lost the trick; its fate in the last trick shows
    only at the end.
    """
    if turn.taker < 0:
        return 0, 0
    attack = defence = 0
    for place in range(rules.hands):
        if on_attack(turn, place):
            attack += turn.trick_half_points[place]
        else:
            defence += turn.trick_half_points[place]
    owner, winner = turn.oudler_player[EXCUSE], turn.oudler_winner[EXCUSE]
    if winner >= 0:
        fee = int(on_attack(turn, owner) != on_attack(turn, winner))
        worth = OUDLER_WORTH - fee if on_attack(turn, owner) else fee
        attack += worth
        defence += OUDLER_WORTH - worth
    return attack, defence


@kernel
def _put_winning_side(turn: Any, rules: Any, at: Any, out: Any) -> None:
    """Who wins the trick so far: the viewer's side, or the other, where the viewer can tell."""
    best = turn.best_seat
    if best < 0 or turn.taker < 0:
        return
    if not rules.calls_king or turn.partner >= 0 or best == turn.taker or best == 0:
        other = on_attack(turn, best) != on_attack(turn, 0)
        out[at.winning_side + int(other)] = 1


@kernel
def write_hidden(full: Any, rules: Any, at: Any, out: Any) -> None:
    """All cards, whoever knows them."""
    put_one(out, at.true_phase, full.phase)
    if rules.calls_king:
        put_one(out, at.true_partner, full.partner)
    for place in range(rules.players):
        put_one(out, at.all_declared + 3 * place, full.poignee_declared[place] - 1)
        put_trumps(out, at.all_withheld + (NUM_TRUMPS + 1) * place, full.withheld[place])
        there = at.all_ecart + (NUM_CARDS * place if rules.in_partnerships else 0)
        put_cards(out, there, full.ecart[place, 0], full.ecart[place, 1])
    for place in range(rules.hands):
        there = NUM_CARDS * place
        put_cards(out, at.hands + there, full.hands[place, 0], full.hands[place, 1])
        if rules.decouverte or rules.tirette:
            put_cards(out, at.covered + there, full.covered[place, 0], full.covered[place, 1])
    put_cards(out, at.all_chien, full.chien[0], full.chien[1])


@kernel
def write_mask(suits: int, rest: int, out: Any) -> None:
    """A set of actions as one boolean per action id."""
    for action in range(FIRST_TRUMP):
        out[action] = suits >> action & 1
    for action in range(FIRST_TRUMP, len(out)):
        out[action] = rest >> (action - FIRST_TRUMP) & 1


@loop
def _write_turns(turns: Any, rules: Any, at: Any, out: Any) -> None:
    """Observations of some turns."""
    for i in range(len(turns)):
        out[i] = 0
        write_private(turns[i], rules[0], at[0], out[i])
        write_public(turns[i], rules[0], at[0], out[i])


@loop
def _write_full(turns: Any, full: Any, rules: Any, at: Any, out: Any) -> None:
    """State vectors of some turns with all cards."""
    for i in range(len(turns)):
        out[i] = 0
        write_hidden(full[i], rules[0], at[0], out[i])
        write_public(turns[i], rules[0], at[0], out[i])


@loop
def _observe_all(
    tables: Any,
    legal: Any,
    rules: Any,
    at: Any,
    rows: Any,
    viewers: Any,
    scratch: Any,
    out: Any,
    masks: Any,
) -> None:
    """Observations and masks straight from the tables, each through a turn of its own."""
    turn = scratch[0]
    for i in range(len(rows)):
        row = rows[i]
        see(tables[row], legal[row, 0], legal[row, 1], rules[0], viewers[i], turn)
        out[i] = 0
        write_private(turn, rules[0], at[0], out[i])
        write_public(turn, rules[0], at[0], out[i])
        write_mask(turn.legal[0], turn.legal[1], masks[i])


@loop
def _side_points_all(turns: Any, rules: Any, out: Any) -> None:
    for i in range(len(turns)):
        out[i, 0], out[i, 1] = side_points(turns[i], rules[0])


def side_half_points(turn: Turn) -> Integer[np.ndarray, "n 2"]:
    """Half points that (attack, defence) have won in tricks for all to see; see `side_points`."""
    points = np.empty((len(turn), 2), np.int64)
    _side_points_all(as_records(turn.records), rules_record(turn.rules), points)
    return points


class _Written(Layout):
    """A layout of one game."""

    def __init__(self, rules: Rules, own: tuple[Field, ...]) -> None:
        super().__init__(own, _public_fields(rules))
        object.__setattr__(self, "_of", rules)
        object.__setattr__(self, "_rules", rules_record(rules))
        object.__setattr__(self, "_columns", columns_record(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._of,)

    _of: Rules
    _rules: np.ndarray
    _columns: np.ndarray

    def _buffers(self, n: int, out: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """The vectors as numbers, and what is handed back.

        Raises:
            TarotError: a buffer that they do not fit into.
        """
        if out is None:
            out = np.empty((n, self.size), np.uint8)
        if out.shape != (n, self.size) or out.dtype not in (np.uint8, np.float32):
            raise TarotError(
                f"vectors go into uint8 or float32 of shape ({n}, {self.size}); "
                f"got {out.dtype} of shape {out.shape}"
            )
        is_plain = out.dtype == np.uint8 and out.flags.carray
        return (out if is_plain else np.empty((n, self.size), np.uint8)), out

    def _done(self, numbers: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Numbers as they are wanted: those of floats between 0 and 1."""
        if out.dtype == np.float32:
            np.multiply(numbers, self.scale, out=out)
        elif out is not numbers:
            out[...] = numbers
        return out


class ObservationLayout(_Written):
    """What one seat knows."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, _private_fields())

    def encode(
        self, turn: Turn, out: UInt8[np.ndarray, "n d"] | Float32[np.ndarray, "n d"] | None = None
    ) -> UInt8[np.ndarray, "n d"] | Float32[np.ndarray, "n d"]:
        """The vectors of n turns.

        Args:
            turn: what the viewers know.
            out: the caller's buffer; one of float32 gets numbers from 0 to 1.

        Raises:
            TarotError: a buffer that they do not fit into.
        """
        numbers, out = self._buffers(len(turn), out)
        _write_turns(as_records(turn.records), self._rules, self._columns, numbers)
        return self._done(numbers, out)

    def observe(
        self,
        tables: Tables,
        out: UInt8[np.ndarray, "n d"] | Float32[np.ndarray, "n d"],
        mask: Bool[np.ndarray, "n 95"],
        rows: Integer[np.ndarray, " n"] | None = None,
        seats: Integer[np.ndarray, " n"] | None = None,
    ) -> None:
        """Writes what the seats to act know and may do straight into the caller's buffers.

        The same as `encode` of `tables.turn(rows, seats)`, without the turns in between.

        Args:
            tables: of the game of this layout.
            out: one of float32 gets numbers from 0 to 1.
            mask: legal actions; all False for a seat that is not to act.
            rows: tables, all if None.
            seats: viewers, those to act if None.

        Raises:
            TarotError: rows or seats that `tables.turn` refuses, or buffers that do not fit.
        """
        rows, viewers = tables.viewers(rows, seats)
        wanted = (len(rows), NUM_ACTIONS)
        if mask.shape != wanted or mask.dtype != np.bool_:
            raise TarotError(
                f"masks go into bool of shape {wanted}; got {mask.dtype} of shape {mask.shape}"
            )
        plain = mask if mask.flags.carray else np.empty(wanted, np.bool_)
        self.write(tables, rows, viewers, out, plain)
        if plain is not mask:
            mask[...] = plain

    def write(
        self,
        tables: Tables,
        rows: Int64[np.ndarray, " n"],
        viewers: Int64[np.ndarray, " n"],
        out: UInt8[np.ndarray, "n d"] | Float32[np.ndarray, "n d"],
        mask: Bool[np.ndarray, "n 95"],
    ) -> None:
        """As `observe`, with rows and viewers that are known to be some, and a plain mask."""
        numbers, out = self._buffers(len(rows), out)
        given = tables.state, tables.legal_words, self._rules, self._columns

        def look(at: slice) -> None:
            scratch = blank_records(1, TURN)
            _observe_all(*given, rows[at], viewers[at], scratch, numbers[at], mask[at])

        tables.in_parts(len(rows), _LEAST_LOOKS, look)
        self._done(numbers, out)


class StateLayout(_Written):
    """The whole table: all hidden cards and the public fields, seats counted from a viewer."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, _hidden_fields(rules))

    def encode(
        self,
        turn: Turn,
        full: FullInformation,
        out: UInt8[np.ndarray, "n d"] | Float32[np.ndarray, "n d"] | None = None,
    ) -> UInt8[np.ndarray, "n d"] | Float32[np.ndarray, "n d"]:
        """The vectors of n turns and all cards of their tables.

        Args:
            turn: what the viewers know.
            full: all cards.
            out: the caller's buffer; one of float32 gets numbers from 0 to 1.

        Raises:
            TarotError: a buffer that they do not fit into, or cards of other than n tables.
        """
        if len(full.records) != len(turn):
            raise TarotError(f"all cards of {len(full.records)} tables for {len(turn)} turns")
        numbers, out = self._buffers(len(turn), out)
        turns, cards = as_records(turn.records), as_records(full.records)
        _write_full(turns, cards, self._rules, self._columns, numbers)
        return self._done(numbers, out)


@lru_cache
def observation_layout(rules: Rules) -> ObservationLayout:
    """What one seat knows."""
    return ObservationLayout(rules)


@lru_cache
def state_layout(rules: Rules) -> StateLayout:
    """The whole table: all hidden cards and the public fields, seats counted from a viewer."""
    return StateLayout(rules)
