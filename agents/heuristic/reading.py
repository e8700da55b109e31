"""What a hand to play can tell about the hidden cards: who may hold what, and how likely that is.

Built from a `Turn` alone. Axis H is the other hands that play, in order of play from the next one.
Chances are marginal: for each unseen card, where it lies, fitted to how many cards every place
holds and to the voids and trump bounds that play has shown. Chances of several cards are combined
as if independent.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
from jaxtyping import Bool, Float32, Int8, Int16, Integer, UInt64

from tarot_env import cardsets
from tarot_env.actions import Bid
from tarot_env.cards import EXCUSE, FIRST_TRUMP, KIND, NUM_CARDS, NUM_SUITS, RANK, SUIT_SIZE, TRUMP
from tarot_env.dealing import TIRETTE_DRAWS
from tarot_env.seating import SEATINGS
from tarot_env.turn import Turn

KIND_SLICES = (
    *(slice(SUIT_SIZE * suit, SUIT_SIZE * (suit + 1)) for suit in range(NUM_SUITS)),
    slice(FIRST_TRUMP, EXCUSE),
)
"""Columns of each suit and of the trumps."""
IS_TRUMP = KIND == TRUMP
Measures = Iterator[tuple[str, Float32[np.ndarray, "n 78"] | Bool[np.ndarray, "n 78"]]]
"""Named numbers per card, which `weights` weighs."""
HIDING_GAMES = ("decouverte", "tirette")
"""Games in which cards lie under others or in a second stock, in nobody's hand."""
FITTING_ROUNDS = 3
TAKER_TRUMP_WEIGHT = 1.8
"""How much likelier an unseen trump lies with the taker than with a defender holding as many."""
CALLS_ITSELF = 0.05
"""How much less likely the called card lies with the taker than with another seat."""


@dataclass(frozen=True)
class Reading:
    """What n viewers make of their turns; H other hands."""

    hand: Bool[np.ndarray, "n 78"]  # that a card is played from
    legal: Bool[np.ndarray, "n 78"]
    is_taker: Bool[np.ndarray, " n"]
    attacks: Bool[np.ndarray, " n"]
    others: Int8[np.ndarray, "n h"]  # place of each other hand
    enemy: Float32[np.ndarray, "n h"]  # chance that it is on the other side
    behind: Bool[np.ndarray, "n h"]  # has yet to play to this trick
    petit_is_safe: Bool[np.ndarray, " n"]  # in hand, and nobody can take it (rules.md A10)
    holds: Float32[np.ndarray, "n h 78"]  # chance that the hand holds the card
    none_above: Float32[np.ndarray, "n h 78"]  # ... that it holds none higher of the same kind
    is_void: Float32[np.ndarray, "n h 5"]  # ... that it has none of a suit, or no trump

    def take(self, rows: Integer[np.ndarray, " m"]) -> "Reading":
        """The named rows."""
        return replace(self, **{f.name: getattr(self, f.name)[rows] for f in fields(self)})


def read(turn: Turn) -> Reading:
    """What the hands to play can tell about the other hands."""
    rows = np.arange(len(turn))
    others = _others(turn)
    behind = np.arange(others.shape[1]) < others.shape[1] - turn.trick_size[:, None]
    holds = _holding_chances(turn, others, behind)
    none_above, is_void = _absences(holds)
    attacks = turn.attack[rows, turn.to_act]
    return Reading(
        hand=_mask(turn.playing_hand),
        legal=_mask(turn.legal),
        is_taker=turn.to_act == turn.taker,
        attacks=attacks,
        others=others,
        enemy=_enemy_chances(turn, others, holds, attacks),
        behind=behind,
        petit_is_safe=_petit_is_safe(turn),
        holds=holds,
        none_above=none_above,
        is_void=is_void,
    )


def _petit_is_safe(turn: Turn) -> Bool[np.ndarray, " n"]:
    """Whether the hand began to play with the petit as its only trump, where that protects it."""
    if turn.rules.petit_sec != "imprenable":
        return np.zeros(len(turn), bool)
    trumps = (turn.hand | turn.played[:, 0]) & (cardsets.TRUMPS | cardsets.EXCUSE)
    safe: np.ndarray = (trumps == cardsets.PETIT).all(1)
    return safe


def _mask(cards: UInt64[np.ndarray, "*n 2"]) -> Bool[np.ndarray, "*n 78"]:
    return cardsets.to_mask(cards)[..., :NUM_CARDS]


def _others(turn: Turn) -> Int8[np.ndarray, "n h"]:
    """Places of the other hands in order of play, from the one after the hand to act."""
    seating = SEATINGS[turn.rules.game_name]
    dealer = seating.by_place[turn.seat, turn.dealer]
    hand = seating.by_place[turn.seat, turn.to_act]
    others = np.empty((len(turn), turn.rules.cards_per_trick - 1), np.int8)
    for column in range(others.shape[1]):
        hand = seating.next_hand[dealer, hand]
        others[:, column] = seating.from_viewer[turn.seat, hand]
    return others


def _enemy_chances(
    turn: Turn,
    others: Int8[np.ndarray, "n h"],
    holds: Float32[np.ndarray, "n h 78"],
    attacks: Bool[np.ndarray, " n"],
) -> Float32[np.ndarray, "n h"]:
    """Chance that each other hand is on the other side; the holder of a called card may be any."""
    rows = np.arange(len(turn))
    with_taker = turn.attack[rows[:, None], others].astype(np.float32)
    if turn.rules.calls_king:
        holds_called = holds[rows, :, np.maximum(turn.called, 0)]
        unknown = (turn.partner < 0)[:, None] & ~turn.attack[rows[:, None], others]
        with_taker = np.where(unknown, holds_called, with_taker)
    return np.where(attacks[:, None], 1 - with_taker, with_taker)


def _known_cards(turn: Turn, others: Int8[np.ndarray, "n h"]) -> UInt64[np.ndarray, "n h 2"]:
    """Cards that the viewer knows to lie in each other hand: face up, or its own."""
    known = turn.face_up.copy()
    known[:, 0] = turn.hand
    return known[np.arange(len(turn))[:, None], others]


def _may_hold(turn: Turn, others: Int8[np.ndarray, "n h"]) -> Bool[np.ndarray, "n w 78"]:
    """Where each unseen card can lie: the other hands, then what no hand holds.

    That is what was set aside or lies in the chien, and in two of the games for two, behind it,
    the second stock or what the piles cover.
    """
    every = np.arange(len(turn))[:, None]
    unseen = _mask(turn.unseen)
    void = turn.void[every, others]
    never = np.zeros((*others.shape, 1), bool)
    shown_void = np.concatenate([void, never], 2)[:, :, KIND]
    too_high = IS_TRUMP & (turn.trump_bound[every, others][:, :, None] < RANK)
    may = unseen[:, None] & ~shown_void & ~too_high & ~_in_chien_elsewhere(turn, others)
    aside = unseen & _may_lie_aside(turn)[:, None]
    taken_up = (turn.contract <= Bid.GARDE)[:, None]
    aside &= np.where(taken_up, _mask(_discardable(turn)), True)
    if turn.rules.poignee_thresholds is not None:
        shown = _mask(turn.poignee_cards)
        in_poignee = np.logical_or.reduce(shown, axis=1)
        may &= ~(in_poignee[:, None] & ~shown[every, others])
        aside &= ~in_poignee
    places = [may, aside[:, None]]
    if turn.rules.game in HIDING_GAMES:
        places.append((unseen & ~_mask(turn.chien))[:, None])
    return np.concatenate(places, 1)


def _in_chien_elsewhere(turn: Turn, others: Int8[np.ndarray, "n h"]) -> Bool[np.ndarray, "n h 78"]:
    """Cards that cannot be in a hand because another one took them up from the chien."""
    taker = (others == turn.taker[:, None])[:, :, None]
    if not turn.rules.in_partnerships:
        return _mask(turn.chien)[:, None] & ~taker
    partner = (others == turn.partner[:, None])[:, :, None]
    first, second = turn.first_half, turn.chien & ~turn.first_half
    took_second = (turn.split == 1)[:, None]
    own = _mask(np.where(took_second, second, first))
    other = _mask(np.where(took_second, first, second))
    return (own[:, None] & ~taker) | (other[:, None] & ~partner)


def _may_lie_aside(turn: Turn) -> Bool[np.ndarray, " n"]:
    """Whether cards lie aside that the viewer has not seen: an écart of others, a closed chien."""
    own_ecart_only = (turn.taker == 0) & (not turn.rules.in_partnerships)
    return (turn.contract > Bid.GARDE) | ~own_ecart_only


def _discardable(turn: Turn) -> UInt64[np.ndarray, "n 2"]:
    """Plain cards, but for a called card that had to be kept."""
    if turn.rules.may_discard_called_card is False:
        return cardsets.PLAIN & ~cardsets.BIT[turn.called]
    return np.broadcast_to(cardsets.PLAIN, (len(turn), 2))


def _to_come(turn: Turn) -> Int16[np.ndarray, "n a"]:
    """Cards that each hand still gets during play: from under its own, or from the stock."""
    if turn.rules.game == "decouverte":
        return cardsets.count(turn.covering)
    draws = TIRETTE_DRAWS if turn.rules.game == "tirette" else 0
    left = np.maximum(draws - turn.trick_number, 0)[:, None]
    return np.broadcast_to(left.astype(np.int16), (len(turn), turn.rules.hands))


def _room(
    turn: Turn, others: Int8[np.ndarray, "n h"], behind: Bool[np.ndarray, "n h"]
) -> Float32[np.ndarray, "n w"]:
    """Unseen cards that lie in each place of `_may_hold`."""
    rules = turn.rules
    held = rules.tricks - turn.trick_number[:, None] - ~behind
    own = cardsets.count(turn.ecart | turn.shown_discards)
    aside = rules.chien_size - np.where(turn.contract <= Bid.GARDE, own, 0)
    places = [held, aside[:, None]]
    if rules.players == 2:
        to_come = _to_come(turn)
        every = np.arange(len(turn))[:, None]
        places[0] = held - to_come[every, others] - cardsets.count(_known_cards(turn, others))
        if rules.game in HIDING_GAMES:
            places.append((to_come.sum(1) - (turn.exposed >= 0))[:, None])
    return np.concatenate(places, 1).astype(np.float32)


def _holding_chances(
    turn: Turn, others: Int8[np.ndarray, "n h"], behind: Bool[np.ndarray, "n h"]
) -> Float32[np.ndarray, "n h 78"]:
    """Chance that each other hand holds each card, by iterative proportional fitting."""
    num_others = others.shape[1]
    weight = _may_hold(turn, others).astype(np.float32, order="C")
    is_taker = (others == turn.taker[:, None])[:, :, None]
    favoured = np.where(is_taker & IS_TRUMP, np.float32(TAKER_TRUMP_WEIGHT), np.float32(1))
    if turn.rules.calls_king:
        called = (np.arange(NUM_CARDS) == turn.called[:, None])[:, None]
        own_call = CALLS_ITSELF if turn.rules.call_own_king else 0.0
        favoured = np.where(is_taker & called, np.float32(own_call), favoured)
    weight[:, :num_others] *= favoured
    room = _room(turn, others, behind)
    least = np.float32(1e-9)
    for _ in range(FITTING_ROUNDS):
        weight /= np.maximum(weight.sum(1, keepdims=True), least)
        weight *= (room / np.maximum(weight.sum(2), least))[:, :, None]
    weight /= np.maximum(weight.sum(1, keepdims=True), least)
    holds = weight[:, :num_others]
    if turn.rules.players == 2:
        holds = holds + _mask(_known_cards(turn, others))
    return holds


def _absences(
    holds: Float32[np.ndarray, "n h 78"],
) -> tuple[Float32[np.ndarray, "n h 78"], Float32[np.ndarray, "n h 5"]]:
    """Chances that a hand holds no card of a kind above each card, and none at all."""
    lacks = 1 - holds
    none_above = np.ones_like(holds)
    is_void = np.empty((*holds.shape[:2], len(KIND_SLICES)), np.float32)
    for kind, columns in enumerate(KIND_SLICES):
        from_top = np.multiply.accumulate(lacks[..., columns][..., ::-1], axis=-1)
        none_above[..., columns][..., :-1] = from_top[..., -2::-1]
        is_void[..., kind] = from_top[..., -1]
    return none_above, is_void


def share_to_come(turn: Turn) -> Float32[np.ndarray, "n 1"]:
    """Part of the tricks that is not finished, 1 at the first lead."""
    tricks = turn.rules.tricks
    return (tricks - turn.trick_number)[:, None] / np.float32(tricks)


def lead_suits(turn: Turn) -> tuple[Bool[np.ndarray, "n 4"], Bool[np.ndarray, "n 4"]]:
    """Suits that the attack has led, and suits that the defence has led, in earlier tricks.

    A partner whom the viewer does not know counts as defence.
    """
    per_trick = turn.rules.cards_per_trick
    action: Int8[np.ndarray, "n h"] = turn.history[..., 1]
    is_card = (action >= 0) & (action < NUM_CARDS)
    number = np.cumsum(is_card, axis=1, dtype=np.int16)
    plays = per_trick * turn.trick_number.astype(np.int16) + turn.trick_size
    place = number - 1 - (number[:, -1:] - plays[:, None])
    is_lead = is_card & (place >= 0) & (place % per_trick == 0)
    attack = turn.attack[np.arange(len(turn))[:, None], turn.history[..., 0]]
    kind = KIND[np.where(is_card, action, EXCUSE)]
    suits = [is_lead & (kind == suit) for suit in range(NUM_SUITS)]
    by_attack = np.stack([(led & attack).any(1) for led in suits], 1)
    by_defence = np.stack([(led & ~attack).any(1) for led in suits], 1)
    return by_attack, by_defence
