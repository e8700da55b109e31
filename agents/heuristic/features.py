"""What the estimates look at: a hand, what the auction has told so far, a hand before the play.

Of a hand these are the parts of the published scale (RULES.md 17.1), apart and not yet weighed.
"""

import numpy as np
from jaxtyping import Bool, Float32, Int, Int16, UInt64

from agents.hand_strength import suit_lengths, trump_length
from tarot_env.cards import (
    EXCUSE,
    FIRST_TRUMP,
    NUM_SUITS,
    NUM_TRUMPS,
    SUIT_SIZE,
    TRUMP_21,
    cardsets,
)
from tarot_env.cards.actions import PASS, PETITE, POUSSE, Bid
from tarot_env.tables import Turn

HAND = (
    "one",
    "trumps",
    "trumps_squared",
    "twenty_one",
    "excuse",
    "petit",
    "petit_trumps",
    "majors",
    "kings",
    "marriages",
    "queens",
    "knights",
    "jacks",
    "long_suits",
    "voids",
    "singletons",
)
"""`one` is 1; `trumps` counts the Excuse too; `petit_trumps` is their number with the petit, else
0; `majors` are 16 to 20; `marriages` are kings with their queen, `queens` those without their king;
`long_suits` counts the cards of each suit beyond four."""
AUCTION = (
    "passed",
    "to_speak",
    "petite",
    "garde",
    "garde_sans",
    "own_side",
    "partner_signals",
    "others_signal",
)
"""How many others have passed, how many will speak; the best bid so far, of anybody; with six
players whether the own side holds it, and who else has said that it holds an oudler."""
BEFORE_PLAY = ("set_aside", "no_chien")
"""Card points of the own écart; whether the contract is played without the chien."""
SLAM = ("one", "trumps", "top_trumps", "not_drawn", "excuse", "losers", "losers_squared", "voids")
"""`top_trumps` run down from the 21; `not_drawn` is how many trumps of others are left when these
have drawn one each, the Excuse counted as one of the own trumps; `losers` are suit cards in no run
down from the king."""
LONG_SUIT = 4
PARTNER = 3
"""Place of the partner in a partnership of six."""
_MAJORS_BUT_21 = cardsets.from_ids(range(FIRST_TRUMP + 15, TRUMP_21))
_TWENTY_ONE = cardsets.from_ids([TRUMP_21])
_TO_QUEEN = np.uint64(1)


def hand_features(hand: UInt64[np.ndarray, "n 2"]) -> Float32[np.ndarray, "n f"]:
    """The features of each hand, in the order of `HAND`."""
    count = cardsets.count
    trumps = trump_length(hand)
    petit = count(hand & cardsets.PETIT)
    kings = hand & cardsets.KINGS
    marriages = count((kings >> _TO_QUEEN) & hand & cardsets.QUEENS)
    lengths = suit_lengths(hand)
    columns = [
        np.ones_like(trumps),
        trumps,
        trumps * trumps,
        count(hand & _TWENTY_ONE),
        count(hand & cardsets.EXCUSE),
        petit,
        petit * trumps,
        count(hand & _MAJORS_BUT_21),
        count(kings),
        marriages,
        count(hand & cardsets.QUEENS) - marriages,
        count(hand & cardsets.KNIGHTS),
        count(hand & cardsets.JACKS),
        np.maximum(lengths - LONG_SUIT, 0).sum(1, dtype=np.int16),
        (lengths == 0).sum(1, dtype=np.int16),
        (lengths == 1).sum(1, dtype=np.int16),
    ]
    return np.stack(columns, 1).astype(np.float32)


def auction_features(turn: Turn) -> Float32[np.ndarray, "n f"]:
    """What the seat to act has heard, in the order of `AUCTION`."""
    others = turn.bids[:, 1:]
    nothing = np.zeros(len(turn), bool)
    partner, enemies, own_side = nothing, nothing, nothing
    if turn.rules.in_partnerships:
        partner = partner_signals(turn)
        enemies = _signals(turn)[:, 1:].sum(1) - partner
        own_side = own_side_bids(turn)
    columns = [
        (others == 0).sum(1),
        to_speak(turn),
        (turn.contract == Bid.PETITE) & (not turn.rules.in_partnerships),
        turn.contract >= Bid.GARDE,
        turn.contract >= Bid.GARDE_SANS,
        own_side,
        partner,
        enemies,
    ]
    return np.stack(columns, 1).astype(np.float32)


def _signals(turn: Turn) -> Bool[np.ndarray, "n p"]:
    """Which of six players have said that they hold an oudler."""
    return (turn.bids == Bid.PETITE) | (turn.bids == Bid.POUSSE)


def partner_signals(turn: Turn) -> Bool[np.ndarray, " n"]:
    """Whether, with six players, the partner has said that it holds an oudler."""
    return _signals(turn)[:, PARTNER]


def signal_to_give(turn: Turn) -> Int[np.ndarray, " n"]:
    """What says, once and with six players, that the hand holds an oudler; a pass if nothing."""
    has_oudler = ~cardsets.is_empty(turn.hand & cardsets.OUDLERS)
    signals = has_oudler & (turn.bids[:, 0] <= 0)
    signal = np.where(signals & turn.legal_mask[:, POUSSE], POUSSE, PASS)
    return np.where(signals & turn.legal_mask[:, PETITE], PETITE, signal)


def is_taken(turn: Turn) -> Bool[np.ndarray, " n"]:
    """Whether a contract has been bid; a petite or a pousse of six is none."""
    return turn.contract > (Bid.POUSSE if turn.rules.in_partnerships else Bid.NONE)


def own_side_bids(turn: Turn) -> Bool[np.ndarray, " n"]:
    """Whether the best contract so far was bid by the viewer, or with six by its partner."""
    own = (turn.taker == 0) | ((turn.taker == PARTNER) & turn.rules.in_partnerships)
    return is_taken(turn) & own


def to_speak(turn: Turn) -> Int16[np.ndarray, " n"]:
    """How many calls of others follow if everybody passes from here on."""
    rules = turn.rules
    if rules.in_partnerships:
        return (5 - (turn.contract > 0) - turn.passes).astype(np.int16)
    asked = turn.bids < 0
    if rules.auction == "until_passed":
        asked |= (turn.bids > 0) & ~_is_place(turn.taker, turn)
    if rules.dead_hand:
        asked &= ~_is_place(turn.dealer, turn)
    return asked[:, 1:].sum(1, dtype=np.int16)


def _is_place(place: Int16[np.ndarray, " n"], turn: Turn) -> Bool[np.ndarray, "n p"]:
    return np.arange(turn.bids.shape[1]) == place[:, None]


def before_play_features(turn: Turn) -> Float32[np.ndarray, "n f"]:
    """The features of a hand before its first card, in the order of `HAND` and `BEFORE_PLAY`."""
    columns = [cardsets.half_points(turn.ecart) / 2, turn.contract > Bid.GARDE]
    more = np.stack(columns, 1).astype(np.float32)
    return np.concatenate([hand_features(turn.hand), more], 1)


def slam_features(hand: UInt64[np.ndarray, "n 2"]) -> Float32[np.ndarray, "n f"]:
    """The features of each hand in the order of `SLAM`."""
    losers, top = suit_losers(hand), top_trumps(hand)
    trumps = trump_length(hand)
    columns = [
        np.ones(len(hand)),
        trumps,
        top,
        np.maximum(NUM_TRUMPS - trumps - top, 0),
        cardsets.count(hand & cardsets.EXCUSE),
        losers,
        losers * losers,
        (suit_lengths(hand) == 0).sum(1),
    ]
    return np.stack(columns, 1).astype(np.float32)


def top_trumps(hand: UInt64[np.ndarray, "n 2"]) -> Int[np.ndarray, " n"]:
    """How many trumps each hand holds in an unbroken run from the 21 down."""
    trumps = cardsets.to_mask(hand)[:, FIRST_TRUMP:EXCUSE]
    return np.logical_and.accumulate(trumps[:, ::-1], axis=1).sum(1)


def suit_losers(hand: UInt64[np.ndarray, "n 2"]) -> Int[np.ndarray, " n"]:
    """Suit cards that do not belong to an unbroken run from the king down."""
    suits = cardsets.to_mask(hand)[:, :FIRST_TRUMP].reshape(-1, NUM_SUITS, SUIT_SIZE)
    from_king = np.logical_and.accumulate(suits[..., ::-1], axis=2)
    return (suits[..., ::-1] & ~from_king).sum((1, 2))
