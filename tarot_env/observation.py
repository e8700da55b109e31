"""Observations: the fields of which they consist.

`observation_layout` is what a seat knows, computed from a `Turn` alone, so it cannot leak.
`state_layout` is the whole table for centralised critics and `state()`: the public fields of the
same list, and all hidden cards. Seats are counted from the viewer everywhere.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from jaxtyping import Integer, UInt8

from tarot_env import cardsets
from tarot_env.actions import Bid, Phase
from tarot_env.cards import EXCUSE as EXCUSE_ID
from tarot_env.cards import HALF_POINTS, KIND, NUM_CARDS, NUM_TRUMPS, RANK, SUIT_SIZE
from tarot_env.layout import Field, Layout
from tarot_env.rules import Rules
from tarot_env.seating import SEATINGS
from tarot_env.state import EXCUSE
from tarot_env.turn import Hidden, Turn

_CARD_CODE = 6 + NUM_TRUMPS


def _card_codes() -> UInt8[np.ndarray, "79 27"]:
    codes = np.zeros((NUM_CARDS + 1, _CARD_CODE), np.uint8)
    cards = np.arange(NUM_CARDS)
    codes[cards, KIND] = 1
    ranked = cards[RANK > 0]
    codes[ranked, 5 + RANK[ranked]] = 1
    return codes


_CARD_CODES = _card_codes()
"""uint8 [79, 27]: kind (four suits, trump, Excuse) and rank of a card, one-hot; last row for -1."""


_IN_TRICK = np.append(HALF_POINTS, np.int16(0))
_IN_TRICK[EXCUSE_ID] = 0
"""int16 [79]: half points of a card in a trick; last entry for -1."""


def _one_hot(index: Integer[np.ndarray, "*n"], size: int) -> UInt8[np.ndarray, "*n d"]:
    """One-hot rows; all zero for -1."""
    eye = np.eye(size + 1, size, dtype=np.uint8)
    return eye[index]


def _cards(name: str) -> Callable[[Turn, Hidden | None], np.ndarray]:
    return lambda turn, hidden: cardsets.to_bits(getattr(turn, name))


def _trumps(name: str) -> Callable[[Turn, Hidden | None], np.ndarray]:
    return lambda turn, hidden: cardsets.trump_bits(getattr(turn, name))


def _choice(name: str, size: int, first: int = 0) -> Callable[[Turn, Hidden | None], np.ndarray]:
    return lambda turn, hidden: _one_hot(getattr(turn, name) - np.int8(first), size)


def _one_card(name: str) -> Callable[[Turn, Hidden | None], np.ndarray]:
    return lambda turn, hidden: cardsets.to_bits(cardsets.BIT[getattr(turn, name)])


def _plain(name: str) -> Callable[[Turn, Hidden | None], np.ndarray]:
    return lambda turn, hidden: getattr(turn, name)


def _misere(turn: Turn, hidden: Hidden | None) -> np.ndarray:
    return turn.misere[..., None] >> np.arange(2) & 1


def _trick_cards(turn: Turn, hidden: Hidden | None) -> np.ndarray:
    """Card codes by hand; the trick lies in order of play from the leader."""
    position = SEATINGS[turn.rules.game_name].position[turn.dealer]
    first = position[np.arange(len(turn)), np.maximum(turn.leader, 0)]
    place = (position - first[:, None]) % turn.trick_cards.shape[1]
    cards = np.take_along_axis(turn.trick_cards, place.astype(np.int64), 1)
    return _CARD_CODES[np.where(position < 0, -1, cards)]


def _table_half_points(turn: Turn, hidden: Hidden | None) -> np.ndarray:
    return _IN_TRICK[turn.trick_cards].sum(1)


def _winning_side(turn: Turn, hidden: Hidden | None) -> np.ndarray:
    attack, best = turn.attack, turn.best_seat
    own = attack[np.arange(len(turn)), best] == attack[:, 0]
    known = (best >= 0) & (turn.taker >= 0)
    if turn.rules.calls_king:
        known &= (turn.partner >= 0) | (best == turn.taker) | (best == 0)
    return np.stack([own & known, ~own & known], 1)


def side_half_points(turn: Turn) -> Integer[np.ndarray, "n 2"]:
    """Half points that (attack, defence) have won in tricks for all to see; 0 without a taker.

    A partner whom the viewer does not know counts as a defender. The Excuse counts for the side of
    its owner, which pays half a point where it lost the trick; its fate in the last trick shows
    only at the end.
    """
    rows = np.arange(len(turn))
    attack = turn.attack
    points = turn.trick_half_points
    ours = (points * attack).sum(1)
    theirs = (points * ~attack).sum(1)

    player, winner = turn.oudler_player[:, EXCUSE], turn.oudler_winner[:, EXCUSE]
    worth = np.where(winner >= 0, HALF_POINTS[EXCUSE_ID], 0)
    owner_attacks, winner_attacks = attack[rows, player], attack[rows, winner]
    fee = ((winner >= 0) & (owner_attacks != winner_attacks)).astype(np.int64)
    ours += np.where(owner_attacks, worth - fee, fee)
    theirs += np.where(owner_attacks, fee, worth - fee)
    return np.stack([ours, theirs], 1) * (turn.taker >= 0)[:, None]


def _hidden(name: str, bits: Callable[[np.ndarray], np.ndarray]) -> Callable[..., np.ndarray]:
    return lambda turn, hidden: bits(getattr(hidden, name))


def _private_fields() -> tuple[Field, ...]:
    return (
        Field("hand", (78,), "own hand", _cards("hand"), suit_size=SUIT_SIZE),
        Field("unseen", (78,), "cards not seen yet", _cards("unseen"), suit_size=SUIT_SIZE),
        Field(
            "takes_lead",
            (78,),
            "own cards that would be winning the trick as it lies",
            _cards("takes_lead"),
            suit_size=SUIT_SIZE,
        ),
        Field(
            "masters",
            (78,),
            "own cards that no unseen card of the suit, or trump, is higher than",
            _cards("masters"),
            suit_size=SUIT_SIZE,
        ),
        Field("ecart", (78,), "own écart", _cards("ecart"), suit_size=SUIT_SIZE),
        Field(
            "withheld",
            (22,),
            "trumps kept out of the own poignée",
            _trumps("withheld"),
        ),
        Field(
            "poignee_declared",
            (3,),
            "level of the poignée being put together",
            _choice("poignee_declared", 3, 1),
        ),
        Field(
            "phase",
            (11,),
            "`Phase`, as it looks to the viewer",
            _choice("phase", len(Phase)),
        ),
    )


def _public_fields(rules: Rules) -> tuple[Field, ...]:
    p, a, t, tricks = rules.players, rules.hands, rules.cards_per_trick, rules.tricks
    bids = len(Bid)
    return (
        Field("to_act", (a,), "hand to act", _choice("to_act", a)),
        Field("dealer", (p,), "dealer", _choice("dealer", p)),
        Field("bids", (p, bids), "pass or bid of each seat that spoke", _choice("bids", bids)),
        Field("contract", (bids,), "best bid so far, or the contract", _choice("contract", bids)),
        Field("taker", (p,), "who made it", _choice("taker", p)),
        Field(
            "chien",
            (78,),
            "the chien, where it was turned up",
            _cards("chien"),
            suit_size=SUIT_SIZE,
        ),
        Field("shown_discards", (22,), "trumps in the écart", _trumps("shown_discards")),
        Field("slam_announced", (1,), "the taker announced a slam", _plain("slam_announced")),
        Field("poignee_level", (p, 3), "poignée of each seat", _choice("poignee_level", 3, 1)),
        Field("poignee_cards", (p, 22), "the trumps shown in it", _trumps("poignee_cards")),
        Field("trick_number", (1,), "tricks finished", _plain("trick_number"), tricks),
        Field("leader", (a,), "who led the trick on the table", _choice("leader", a)),
        Field(
            "trick",
            (a, _CARD_CODE),
            "card of each hand in this trick: spades, hearts, diamonds, clubs, trump, Excuse; then "
            "rank 1..21",
            _trick_cards,
            suit_size=1,
        ),
        Field("trick_size", (t,), "how many cards lie on the table", _choice("trick_size", t)),
        Field(
            "table_half_points",
            (1,),
            "half points on the table, the Excuse left out",
            _table_half_points,
            9 * t,
        ),
        Field(
            "winning_side",
            (2,),
            "who wins the trick so far: the viewer's side, the other side",
            _winning_side,
        ),
        Field(
            "led", (6,), "what was led: a suit, trumps, nothing yet", _choice("led", 6), suit_size=1
        ),
        Field("best_seat", (a,), "who wins the trick so far", _choice("best_seat", a)),
        Field("last_leader", (a,), "who led the last trick", _choice("last_leader", a)),
        Field("last_winner", (a,), "who won the last trick", _choice("last_winner", a)),
        Field(
            "played", (a, 78), "cards played from each hand", _cards("played"), suit_size=SUIT_SIZE
        ),
        Field(
            "void", (a, 5), "play has shown: none of a suit, no trump", _plain("void"), suit_size=1
        ),
        Field(
            "trump_bound",
            (a,),
            "play has shown: no trump above this number",
            _plain("trump_bound"),
            NUM_TRUMPS,
        ),
        Field("tricks_won", (a,), "tricks each hand has won", _plain("tricks_won"), tricks),
        Field(
            "trick_half_points",
            (a,),
            "half points in the tricks of each hand, the Excuse left out",
            _plain("trick_half_points"),
            182,
        ),
        Field(
            "side_half_points",
            (2,),
            "half points of attack and defence in tricks, the Excuse with its owner's side",
            lambda turn, hidden: side_half_points(turn),
            182,
        ),
        Field("oudler_player", (3, a), "who played petit, 21, Excuse", _choice("oudler_player", a)),
        Field("oudler_winner", (3, a), "who won that trick", _choice("oudler_winner", a)),
        *_fields_of_game(rules),
    )


def _fields_of_game(rules: Rules) -> tuple[Field, ...]:
    """Public fields for which only some games or rules have a use."""
    p, o = rules.players, rules.hands
    found: list[Field] = []
    if rules.calls_king:
        found += [
            Field("called", (78,), "the called card", _one_card("called"), suit_size=SUIT_SIZE),
            Field(
                "partner",
                (p,),
                "the taker's partner as far as the viewer knows; the taker itself if it is alone",
                _choice("partner", p),
            ),
        ]
    if rules.in_partnerships:
        found += [
            Field("passes", (6,), "passes in a row", _choice("passes", 6)),
            Field("contra", (2,), "contra, recontra", _choice("contra", 2, 1)),
            Field("split", (2,), "half of the chien that the taker took", _choice("split", 2)),
            Field(
                "first_half",
                (78,),
                "first three cards of the chien, where it was turned up",
                _cards("first_half"),
                suit_size=SUIT_SIZE,
            ),
        ]
    if rules.misere:
        found.append(Field("misere", (p, 2), "declared: no trump, no court card", _misere))
    if rules.petit_chelem:
        found.append(
            Field(
                "petit_chelem_announced",
                (1,),
                "the taker announced a petit chelem",
                _plain("petit_chelem_announced"),
            )
        )
    if rules.players == 2:
        found.append(
            Field(
                "face_up",
                (o, 78),
                "cards in each hand that everybody has seen there",
                _cards("face_up"),
                suit_size=SUIT_SIZE,
            )
        )
    if rules.game == "decouverte":
        found.append(
            Field(
                "covering",
                (o, 78),
                "face-up cards that cover another",
                _cards("covering"),
                suit_size=SUIT_SIZE,
            )
        )
    if rules.game == "tirette":
        found.append(
            Field(
                "exposed",
                (78,),
                "the card that lies open beside the stock",
                _one_card("exposed"),
                suit_size=SUIT_SIZE,
            )
        )
    return tuple(found)


def _hidden_fields(rules: Rules) -> tuple[Field, ...]:
    p, a = rules.players, rules.hands
    ecarts = p if rules.in_partnerships else 1
    bits, trumps = cardsets.to_bits, cardsets.trump_bits
    return (
        Field("hands", (a, 78), "every hand", _hidden("hands", bits), suit_size=SUIT_SIZE),
        Field(
            "all_chien", (78,), "the chien as dealt", _hidden("chien", bits), suit_size=SUIT_SIZE
        ),
        Field(
            "all_ecart",
            (ecarts, 78) if ecarts > 1 else (78,),
            "the écart" if ecarts == 1 else "the écart of each seat",
            _hidden("ecart", bits if ecarts > 1 else _joined),
            suit_size=SUIT_SIZE,
        ),
        Field("all_withheld", (p, 22), "trumps withheld", _hidden("withheld", trumps)),
        Field(
            "all_declared",
            (p, 3),
            "level of a poignée being put together",
            _hidden("poignee_declared", lambda level: _one_hot(level - np.int8(1), 3)),
        ),
        Field(
            "true_phase",
            (11,),
            "`Phase` of the table",
            _hidden("phase", lambda phase: _one_hot(phase, len(Phase))),
        ),
        *_hidden_fields_of_game(rules),
    )


def _joined(sets: np.ndarray) -> np.ndarray:
    """Bits of the union of all seats' sets."""
    return cardsets.to_bits(np.bitwise_or.reduce(sets, axis=1))


def _hidden_fields_of_game(rules: Rules) -> tuple[Field, ...]:
    found: list[Field] = []
    if rules.calls_king:
        found.append(
            Field(
                "true_partner",
                (rules.players,),
                "the taker's partner",
                _hidden("partner", lambda partner: _one_hot(partner, rules.players)),
            )
        )
    if rules.game in ("decouverte", "tirette"):
        found.append(
            Field(
                "covered",
                (rules.hands, 78),
                "cards under others, by seat; the second stock, at place 0",
                _hidden("covered", cardsets.to_bits),
                suit_size=SUIT_SIZE,
            )
        )
    return tuple(found)


@lru_cache
def observation_layout(rules: Rules) -> Layout:
    """What one seat knows."""
    return Layout(_private_fields(), _public_fields(rules))


@lru_cache
def state_layout(rules: Rules) -> Layout:
    """The whole table: all hidden cards and the public fields, seats counted from a viewer."""
    return Layout(_hidden_fields(rules), _public_fields(rules))
