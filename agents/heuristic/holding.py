"""Where the unseen cards may lie, and how likely each other hand holds each of them.

Chances are marginal: for each unseen card, where it lies, fitted to how many cards every place
holds and to the voids and trump bounds that play has shown. H other hands and what no hand holds
make W places. Rows are the last axis, so that sums and products run along them.
"""

import functools

import numpy as np
from jaxtyping import Bool, Float32, Int8, Int16, Int64, UInt64

from tarot_env.cards import EXCUSE, FIRST_TRUMP, NUM_CARDS, NUM_SUITS, cardsets
from tarot_env.cards.actions import Bid
from tarot_env.core.dealing import TIRETTE_DRAWS
from tarot_env.tables import Turn

HIDING_GAMES = ("decouverte", "tirette")
"""Games in which cards lie under others or in a second stock, in nobody's hand."""
FITTING_ROUNDS = 3
TAKER_TRUMP_WEIGHT = np.float32(1.8)
"""How much likelier an unseen trump lies with the taker than with a defender holding as many."""
CALLS_ITSELF = np.float32(0.05)
"""How much less likely the called card lies with the taker than with another seat."""
LEAST = np.float32(1e-9)
"""Instead of 0 below a fraction line."""

_OCTETS = np.array([*range(7), *range(8, 11)])
"""Where the 78 cards stand among the 16 octets of a set, eight to an octet."""
_BITS = (1 << np.arange(8, dtype=np.uint8))[:, None]
_SHOWN_VOID = np.zeros((32, 2), np.uint64)
"""Cards of the suits, and trumps, that are bits of the index."""
for _index in range(32):
    for _kind in range(NUM_SUITS + 1):
        _SHOWN_VOID[_index] |= cardsets.SUIT[_kind] * np.uint64(_index >> _kind & 1)
_EXCUSE_BIT = cardsets.EXCUSE[1]
_BEHIND_SUITS = np.uint64(40)
"""Shifts the Excuse to a bit of the suits' word that no card has."""


def holding_chances(
    turn: Turn, others: Int8[np.ndarray, "h n"], behind: Bool[np.ndarray, "h n"]
) -> Float32[np.ndarray, "h 78 n"]:
    """Chance that each other hand holds each card, by iterative proportional fitting."""
    num_others = len(others)
    places = _may_hold(turn, others)
    favour = _favour(turn, others, len(places))
    fitted = _fit(_numbers_alike(turn, places), favour, _room(turn, others, behind))
    by_kind = fitted[:, None] * favour
    weight = card_columns(places).astype(np.float32)
    weight[:, :FIRST_TRUMP] *= by_kind[:, :1]
    weight[:, FIRST_TRUMP:EXCUSE] *= by_kind[:, 1:2]
    weight[:, EXCUSE] *= by_kind[:, 0]
    if turn.rules.calls_king:
        at, rows = np.nonzero((others == turn.taker) & (turn.called >= 0))
        weight[at, turn.called[rows], rows] *= favour[at, 2, rows]
    total = weight[0] + weight[1]
    for place in weight[2:]:
        total += place
    holds = weight[:num_others]
    holds /= np.maximum(total, LEAST)
    if turn.rules.players == 2:
        holds += card_columns(_known_cards(turn, others))
    return holds


def card_columns(cards: UInt64[np.ndarray, "w n 2"]) -> Bool[np.ndarray, "w 78 n"]:
    """One boolean for each card, rows last."""
    octets = np.ascontiguousarray(cards).astype("<u8", copy=False).view(np.uint8)
    columns = octets.transpose(0, 2, 1)[:, _OCTETS]
    bits = (columns[:, :, None] & _BITS) != 0
    return bits.reshape(len(cards), -1, cards.shape[1])[:, :NUM_CARDS]


def _of_hands(
    values: UInt64[np.ndarray, "n a 2"], hands: Int8[np.ndarray, "h n"]
) -> UInt64[np.ndarray, "h n 2"]:
    """The sets of the named hands of each row."""
    rows = np.arange(len(values)) * values.shape[1]
    return cardsets.take(values.reshape(-1, 2), rows + hands)


def _known_cards(turn: Turn, others: Int8[np.ndarray, "h n"]) -> UInt64[np.ndarray, "h n 2"]:
    """Cards that the viewer knows to lie in each other hand: face up, or its own."""
    known = turn.face_up.copy()
    known[:, 0] = turn.hand
    return _of_hands(known, others)


def _may_hold(turn: Turn, others: Int8[np.ndarray, "h n"]) -> UInt64[np.ndarray, "w n 2"]:
    """Unseen cards that can lie in each place: the other hands, then what no hand holds.

    That is what was set aside or lies in the chien, and in two of the games for two, behind it,
    the second stock or what the piles cover.
    """
    void = np.packbits(turn.void, axis=-1, bitorder="little")[..., 0]
    barred = cardsets.take(_SHOWN_VOID, void) | cardsets.take(cardsets.ABOVE, turn.trump_bound)
    barred = _of_hands(barred, others) | _in_chien_elsewhere(turn, others)
    aside = cardsets.where(_may_lie_aside(turn), turn.unseen)
    aside &= cardsets.where(turn.contract <= Bid.GARDE, _discardable(turn), cardsets.ALL_CARDS)
    if turn.rules.poignee_thresholds is not None and turn.poignee_level.any():
        in_poignee = np.bitwise_or.reduce(turn.poignee_cards, axis=1)
        barred |= in_poignee & ~_of_hands(turn.poignee_cards, others)
        aside &= ~in_poignee
    places = [*(turn.unseen & ~barred), aside]
    if turn.rules.game in HIDING_GAMES:
        places.append(turn.unseen & ~turn.chien)
    return np.stack(places)


def _in_chien_elsewhere(turn: Turn, others: Int8[np.ndarray, "h n"]) -> UInt64[np.ndarray, "h n 2"]:
    """Cards that cannot be in a hand because another one took them up from the chien."""
    if not turn.rules.in_partnerships:
        return cardsets.where(others != turn.taker, turn.chien)
    first, second = turn.first_half, turn.chien & ~turn.first_half
    own = cardsets.where(turn.split == 1, second, first)
    other = cardsets.where(turn.split == 1, first, second)
    not_own = cardsets.where(others != turn.taker, own)
    return not_own | cardsets.where(others != turn.partner, other)


def _may_lie_aside(turn: Turn) -> Bool[np.ndarray, " n"]:
    """Whether cards lie aside that the viewer has not seen: an écart of others, a closed chien."""
    own_ecart_only = (turn.taker == 0) & (not turn.rules.in_partnerships)
    return (turn.contract > Bid.GARDE) | ~own_ecart_only


def _discardable(turn: Turn) -> UInt64[np.ndarray, "*n 2"]:
    """Plain cards, but for a called card that had to be kept."""
    if turn.rules.may_discard_called_card is False:
        return cardsets.PLAIN & ~cardsets.BIT[turn.called]
    return cardsets.PLAIN


def _to_come(turn: Turn) -> Int16[np.ndarray, "n a"]:
    """Cards that each hand still gets during play: from under its own, or from the stock."""
    if turn.rules.game == "decouverte":
        return cardsets.count(turn.covering)
    draws = TIRETTE_DRAWS if turn.rules.game == "tirette" else 0
    left = np.maximum(draws - turn.trick_number, 0)[:, None]
    return np.broadcast_to(left.astype(np.int16), (len(turn), turn.rules.hands))


def _room(
    turn: Turn, others: Int8[np.ndarray, "h n"], behind: Bool[np.ndarray, "h n"]
) -> Float32[np.ndarray, "w n"]:
    """Unseen cards that lie in each place of `_may_hold`."""
    rules = turn.rules
    held = rules.tricks - turn.trick_number - ~behind
    own = cardsets.count(turn.ecart | turn.shown_discards)
    aside = rules.chien_size - np.where(turn.contract <= Bid.GARDE, own, 0)
    if rules.players > 2:
        return np.concatenate([held, aside[None]]).astype(np.float32)
    to_come = _to_come(turn)
    held = held - to_come[np.arange(len(turn)), others]
    places = [held - cardsets.count(_known_cards(turn, others)), aside[None]]
    if rules.game in HIDING_GAMES:
        places.append((to_come.sum(1) - (turn.exposed >= 0))[None])
    return np.concatenate(places).astype(np.float32)


def _favour(
    turn: Turn, others: Int8[np.ndarray, "h n"], num_places: int
) -> Float32[np.ndarray, "w k n"]:
    """How much likelier each place holds an unseen card of each kind than another place does.

    Kinds are plain cards with the Excuse, trumps, and the called card where one is called.
    """
    calls = turn.rules.calls_king
    favour = np.ones((num_places, 3 if calls else 2, len(turn)), np.float32)
    is_taker = others == turn.taker
    favour[: len(others), 1][is_taker] = TAKER_TRUMP_WEIGHT
    if calls:
        own_call = CALLS_ITSELF if turn.rules.call_own_king else np.float32(0)
        favour[: len(others), 2][is_taker] = own_call
    return favour


def _numbers_alike(turn: Turn, places: UInt64[np.ndarray, "w n 2"]) -> Float32[np.ndarray, "s k n"]:
    """How many unseen cards of each kind may lie in exactly the places that are bits of the index.

    Such cards are alike for the fitting, which therefore goes over them and not over 78 cards.
    """
    cards = _words_of_kinds(turn, turn.unseen)
    if turn.rules.calls_king:
        called = cardsets.BIT[turn.called][:, 0]
        cards[0] &= ~called
        cards[2] &= called
    alike = np.empty((1 << len(places), *cards.shape), np.uint64)
    alike[0] = cards
    for place, may in enumerate(places):
        without, size = alike[: 1 << place], 1 << place
        words = _words_of_kinds(turn, may)
        np.bitwise_and(without, words, out=alike[size : 2 * size])
        without &= ~words
    return np.bitwise_count(alike).astype(np.float32)


def _words_of_kinds(turn: Turn, cards: UInt64[np.ndarray, "n 2"]) -> UInt64[np.ndarray, "k n"]:
    """The words in which the cards of each kind of `_favour` are found."""
    suits, rest = cards[:, 0], cards[:, 1]
    plain = suits | (rest & _EXCUSE_BIT) << _BEHIND_SUITS
    words = [plain, rest & ~_EXCUSE_BIT]
    return np.stack([*words, suits] if turn.rules.calls_king else words)


def _fit(
    number: Float32[np.ndarray, "s k n"],
    favour: Float32[np.ndarray, "w k n"],
    room: Float32[np.ndarray, "w n"],
) -> Float32[np.ndarray, "w n"]:
    """A factor for each place, so that chances in proportion to them fill each with its number.

    Args:
        number: cards that may lie in exactly the places that are bits of the index, by kind.
        favour: how much likelier each place holds each kind.
        room: cards in each place.
    """
    with_place = _indices_with(len(room))
    factor = np.ones_like(room)
    shares = np.zeros_like(number)
    for _ in range(FITTING_ROUNDS):
        for place, share in enumerate(factor[:, None] * favour):
            size = 1 << place
            np.add(shares[:size], share, out=shares[size : 2 * size])
        each = number / np.maximum(shares, LEAST)
        held = (each[with_place].sum(1) * favour).sum(1)
        factor = room / np.maximum(held, LEAST)
    return factor


@functools.cache
def _indices_with(num_places: int) -> Int64[np.ndarray, "w m"]:
    """For each place, the sets of places that it belongs to."""
    sets = np.arange(1 << num_places)
    return np.stack([np.flatnonzero(sets >> place & 1) for place in range(num_places)])
