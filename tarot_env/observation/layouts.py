"""Observations: the fields of which they consist.

`observation_layout` is what a seat knows, computed from a `Turn` alone, so it cannot leak.
`state_layout` is the whole table for centralised critics and `state()`: the public fields of the
same list, and all hidden cards. Seats are counted from the viewer everywhere.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from jaxtyping import Int16, Integer, UInt8

from tarot_env.cards import EXCUSE as EXCUSE_ID
from tarot_env.cards import HALF_POINTS, KIND, NUM_CARDS, NUM_TRUMPS, RANK, SUIT_SIZE, cardsets
from tarot_env.cards.actions import Bid, Phase
from tarot_env.core.seating import SEATING_STRIDE, hands_and_sides
from tarot_env.core.state import EXCUSE, add_up
from tarot_env.observation.fields import CARDS, TRUMPS, Codes, Field, Layout, Values, one_hot
from tarot_env.rules import Rules
from tarot_env.tables import Hidden, Turn

_CARD_CODE = 6 + NUM_TRUMPS


def _card_codes() -> UInt8[np.ndarray, "79 27"]:
    codes = np.zeros((NUM_CARDS + 1, _CARD_CODE), np.uint8)  # the last row stays empty
    cards = np.arange(NUM_CARDS)
    codes[cards, KIND] = 1
    ranked = cards[RANK > 0]
    codes[ranked, 5 + RANK[ranked]] = 1
    return codes


_CARD_CODES = Codes(_card_codes())
"""27 columns: kind (four suits, trump, Excuse) and rank of a card, one-hot."""


_IN_TRICK = np.append(HALF_POINTS, np.int16(0))
_IN_TRICK[EXCUSE_ID] = 0
"""int16 [79]: half points of a card in a trick; last entry for -1."""


_SIDES = np.int16(SEATING_STRIDE**2)
"""How far apart hands lie in tables of `hands_and_sides`."""


def _own(name: str) -> Values:
    """A field of the Turn as it is."""
    return lambda turn, hidden: getattr(turn, name)


def _cards(name: str, shape: tuple[int, ...], doc: str, values: Values | None = None) -> Field:
    """Sets of cards, of the Turn unless `values` says otherwise."""
    columns = (*shape, NUM_CARDS)
    return Field(name, columns, doc, values or _own(name), CARDS, suit_size=SUIT_SIZE)


def _trumps(name: str, shape: tuple[int, ...], doc: str, values: Values | None = None) -> Field:
    """Sets of trumps and the Excuse."""
    return Field(name, (*shape, NUM_TRUMPS + 1), doc, values or _own(name), TRUMPS)


def _choice(
    name: str,
    shape: tuple[int, ...],
    doc: str,
    values: Values | None = None,
    *,
    first: int = 0,
    suit_size: int = 0,
) -> Field:
    """One-hot values from `first` up; the last axis of the shape is their number."""
    kind = one_hot(shape[-1], first=first)
    return Field(name, shape, doc, values or _own(name), kind, suit_size=suit_size)


def _one_card(name: str, doc: str) -> Field:
    """One card, or none."""

    def values(turn: Turn, hidden: Hidden | None) -> np.ndarray:
        return cardsets.BIT.take(getattr(turn, name), axis=0)

    return _cards(name, (), doc, values)


def _number(
    name: str, shape: tuple[int, ...], doc: str, high: int = 1, values: Values | None = None
) -> Field:
    """Numbers from 0 to `high`."""
    return Field(name, shape, doc, values or _own(name), high=high)


def _misere(turn: Turn, hidden: Hidden | None) -> np.ndarray:
    return turn.misere[..., None] >> np.arange(2) & 1


def _table_half_points(turn: Turn, hidden: Hidden | None) -> np.ndarray:
    return add_up(_IN_TRICK.take(turn.trick_cards))


def _winning_sides(*, calls_king: bool) -> UInt8[np.ndarray, "512 2"]:
    """Whether the viewer's side and the other one win a trick, by hand and sides."""
    best, taker, partner = hands_and_sides(1)
    own = _attacks(best, taker, partner) == _attacks(0, taker, partner)
    known = (best >= 0) & (taker >= 0)
    if calls_king:
        known &= (partner >= 0) | (best == taker) | (best == 0)
    return np.stack([known & own, known & ~own], 1).astype(np.uint8)


def _attacks(hand: Any, taker: np.ndarray, partner: np.ndarray) -> np.ndarray:
    """Whether a hand is on the taker's side; meaningless where it is -1."""
    return (hand == taker) | (hand == partner)


_WINNING_SIDES = [_winning_sides(calls_king=calls_king) for calls_king in (False, True)]


def _winning_side(turn: Turn, hidden: Hidden | None) -> np.ndarray:
    at = turn.best_seat * _SIDES + turn.sides
    return _WINNING_SIDES[turn.rules.calls_king].take(at, axis=0)


def _excuse_points() -> Int16[np.ndarray, "4096 2"]:
    """Half points of attack and defence for the Excuse, by its owner, the trick's winner, sides."""
    owner, winner, taker, partner = hands_and_sides(2)
    owner_attacks = _attacks(owner, taker, partner)
    won = (winner >= 0) & (taker >= 0)
    worth = won * HALF_POINTS[EXCUSE_ID]
    fee = won & (owner_attacks != _attacks(winner, taker, partner))
    to_attack = np.where(owner_attacks, worth - fee, fee)
    return np.stack([to_attack, worth - to_attack], 1)


_EXCUSE_POINTS = _excuse_points()


def side_half_points(turn: Turn) -> Integer[np.ndarray, "n 2"]:
    """Half points that (attack, defence) have won in tricks for all to see; 0 without a taker.

    A partner whom the viewer does not know counts as a defender. The Excuse counts for the side of
    its owner, which pays half a point where it lost the trick; its fate in the last trick shows
    only at the end.
    """
    owner, winner = turn.oudler_player[:, EXCUSE], turn.oudler_winner[:, EXCUSE]
    at = (owner * np.int8(SEATING_STRIDE) + winner) * _SIDES + turn.sides
    points = _EXCUSE_POINTS.take(at, axis=0)
    points[:, 0] += add_up(turn.trick_half_points * turn.attack)
    points[:, 1] += add_up(turn.trick_half_points * turn.defence)
    return points


def _private_fields() -> tuple[Field, ...]:
    return (
        _choice("phase", (len(Phase),), "`Phase`, as it looks to the viewer"),
        _choice("poignee_declared", (3,), "level of the poignée being put together", first=1),
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
    """Fields of one kind stand side by side: they are written in one go."""
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
        _choice("poignee_level", (p, 3), "poignée of each seat", first=1),
        _choice("trick_size", (t,), "how many cards lie on the table"),
        Field(
            "trick",
            (a, _CARD_CODE),
            "card of each hand in this trick: spades, hearts, diamonds, clubs, trump, Excuse; then "
            "rank 1..21",
            _own("on_table"),
            _CARD_CODES,
            suit_size=1,
        ),
        Field(
            "void", (a, 5), "play has shown: none of a suit, no trump", _own("void"), suit_size=1
        ),
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
            lambda turn, hidden: side_half_points(turn),
        ),
        _number(
            "table_half_points",
            (1,),
            "half points on the table, the Excuse left out",
            9 * t,
            _table_half_points,
        ),
        _number(
            "winning_side",
            (2,),
            "who wins the trick so far: the viewer's side, the other side",
            1,
            _winning_side,
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
        found.append(_one_card("called", "the called card"))
    if rules.in_partnerships:
        found.append(
            _cards("first_half", (), "first three cards of the chien, where it was turned up")
        )
    if rules.players == 2:
        found.append(_cards("face_up", (o,), "cards in each hand that everybody has seen there"))
    if rules.game == "decouverte":
        found.append(_cards("covering", (o,), "face-up cards that cover another"))
    if rules.game == "tirette":
        found.append(_one_card("exposed", "the card that lies open beside the stock"))
    return tuple(found)


def _more_choices(rules: Rules) -> tuple[Field, ...]:
    """Choices for which only some games have a use."""
    if rules.calls_king:
        doc = "the taker's partner as far as the viewer knows; the taker itself if it is alone"
        return (_choice("partner", (rules.players,), doc),)
    if rules.in_partnerships:
        return (
            _choice("passes", (6,), "passes in a row"),
            _choice("contra", (2,), "contra, recontra", first=1),
            _choice("split", (2,), "half of the chien that the taker took"),
        )
    return ()


def _more_numbers(rules: Rules) -> tuple[Field, ...]:
    """Numbers for which only some rules have a use."""
    found: list[Field] = []
    if rules.misere:
        shape = (rules.players, 2)
        found.append(_number("misere", shape, "declared: no trump, no court card", 1, _misere))
    if rules.petit_chelem:
        found.append(_number("petit_chelem_announced", (1,), "the taker announced a petit chelem"))
    return tuple(found)


def _hidden(name: str) -> Values:
    """A field of what is hidden, as it is."""
    return lambda turn, hidden: getattr(hidden, name)


def _hidden_fields(rules: Rules) -> tuple[Field, ...]:
    p, a = rules.players, rules.hands
    ecarts = (p,) if rules.in_partnerships else ()
    return (
        _choice("true_phase", (len(Phase),), "`Phase` of the table", _hidden("phase")),
        *_hidden_choices_of_game(rules),
        _choice(
            "all_declared",
            (p, 3),
            "level of a poignée being put together",
            _hidden("poignee_declared"),
            first=1,
        ),
        _trumps("all_withheld", (p,), "trumps withheld", _hidden("withheld")),
        _cards("hands", (a,), "every hand", _hidden("hands")),
        _cards("all_chien", (), "the chien as dealt", _hidden("chien")),
        _cards(
            "all_ecart",
            ecarts,
            "the écart of each seat" if ecarts else "the écart",
            _hidden("ecart") if ecarts else _joined_ecart,
        ),
        *_hidden_cards_of_game(rules),
    )


def _joined_ecart(turn: Turn, hidden: Hidden | None) -> np.ndarray:
    """The union of all seats' écarts."""
    assert hidden is not None
    joined: np.ndarray = np.bitwise_or.reduce(hidden.ecart, axis=1)
    return joined


def _hidden_choices_of_game(rules: Rules) -> tuple[Field, ...]:
    if not rules.calls_king:
        return ()
    return (_choice("true_partner", (rules.players,), "the taker's partner", _hidden("partner")),)


def _hidden_cards_of_game(rules: Rules) -> tuple[Field, ...]:
    if rules.game not in ("decouverte", "tirette"):
        return ()
    doc = "cards under others, by seat; the second stock, at place 0"
    return (_cards("covered", (rules.hands,), doc, _hidden("covered")),)


@lru_cache
def observation_layout(rules: Rules) -> Layout:
    """What one seat knows."""
    return Layout(_private_fields(), _public_fields(rules))


@lru_cache
def state_layout(rules: Rules) -> Layout:
    """The whole table: all hidden cards and the public fields, seats counted from a viewer."""
    return Layout(_hidden_fields(rules), _public_fields(rules))
