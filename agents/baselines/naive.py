"""`naive`: a yardstick, fixed in the words below and frozen by a golden file of 200 deals.

    Bids by the table of RULES.md 17.1 as published; calls the king of its longest suit without it;
    écart: suits without a king shortest first, each from the top; poignée shown as taker, never as
    defender; no slam. Leads the top card of its longest suit (taker) or its second-lowest card of
    the suit it holds most of among those the taker is not void in (defender). Following: last to
    play, the lowest card that wins if the trick holds 2 points or more, else the lowest; not last,
    the highest card of the suit if it beats the table and is a king or nothing higher is out, else
    the lowest; forced to trump, the lowest trump that is legal, the petit last; free discard, the
    highest-point card if a partner is winning, else the lowest of the shortest suit; the Excuse in
    place of losing 3.5 points or more, and at the latest on the second-last trick.

It never changes: no number of the heuristic that may be tuned is used here. The points of a hand
are those of `agents.hand_strength`, which are the published ones; the thresholds are a copy
of the published ones, as they stand for every game, and no hand is scaled.

What the words leave open is read as plainly as can be:

* Ties go to the lowest id. A suit is one of the four; trumps are led by the same words where no
  suit is left (the taker the highest, a defender the second-lowest), the Excuse where it is alone
  or due. The second-lowest of one card is that card.
* A seat is "taker" where it knows itself to be on the taker's side, else "defender"; its partners
  are the hands on its own side as far as it knows. So a called king speaks and leads as the taker.
* The bid that the hand is worth is said where it is legal, else pass: a petite with six too, never
  a pousse or a contra. Garde sans and garde contre are judged with the points for short suits.
  Every other question is answered pass: redeals, misère, slam, petit chelem. With six, the first
  half of the chien.
* With all four kings it calls a queen by the same words, and so on. In the écart, suits with a king
  come behind those without, the shortest first; then trumps, the lowest first. The highest poignée
  is shown, the lowest trumps are withheld.
* Leads: what the rules of the first lead forbid counts as not held; the hand behind a led Excuse
  leads in its place. Only play shows a void; a taker void in all that is held hinders nothing.
* Following trumps is being forced to trump, in any position. A trick holds the points of the cards
  on the table without the Excuse, which stays its owner's. Higher cards are "out" that have neither
  been played nor lie in the hand that plays or in its own écart, visible or not.
* A card is lost where it does not take the lead and no partner has it, as the trick lies; the
  Excuse replaces the card that the other words choose. A petit that is never compulsory (RULES.md
  8.6) is nothing that its holder trumps with; a free discard may be it.
"""

import numpy as np
from jaxtyping import Bool, Int, Int16, UInt64

from agents.hand_strength import hand_points, hand_points_without_chien
from tarot_env.cards import ANY, EXCUSE, HALF_POINTS, NUM_CARDS, NUM_SUITS, SUIT_SIZE, cardsets
from tarot_env.cards.actions import FIRST_HALF, PASS, Bid, Phase
from tarot_env.tables import Turn

PETITE, GARDE, GARDE_SANS, GARDE_CONTRE = 40, 56, 71, 81
"""Least points for each bid, as published (RULES.md 17.1)."""
WORTH_WINNING = 4
"""Half points of a trick that is taken by the last to play."""
WORTH_SAVING = 7
"""Half points of a card in whose place the Excuse is lost."""

_SUITS = cardsets.SUIT[:NUM_SUITS]
_FOLLOWS = np.concatenate([_SUITS, np.zeros((2, 2), np.uint64)])
"""uint64 [6, 2]: the cards of each suit led; none where trumps or nothing was."""
_IN_TRICK = np.append(HALF_POINTS, np.int16(0))
_IN_TRICK[EXCUSE] = 0
"""int16 [79]: half points that a card adds to a trick; the last entry is for -1."""


class NaiveAgent:
    """Plays by the words of this module, whatever the game; nothing about it is to be tuned."""

    name = "naive"

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """One legal action for each row; draws nothing from `rng`."""
        actions = np.full(len(turn), PASS, np.int64)
        for phase, answer in ANSWERS.items():
            rows = np.flatnonzero(turn.phase == phase)
            if len(rows):
                actions[rows] = answer(turn.take(rows))
        return actions


# -- before the play


def bid(turn: Turn) -> Int[np.ndarray, " n"]:
    """What the hand is worth by the published table, where that is legal; else pass."""
    points, short_too = hand_points(turn.hand), hand_points_without_chien(turn.hand)
    worth = np.select(
        [short_too >= GARDE_CONTRE, short_too >= GARDE_SANS, points >= GARDE, points >= PETITE],
        [Bid.GARDE_CONTRE, Bid.GARDE_SANS, Bid.GARDE, Bid.PETITE],
        Bid.NONE,
    )
    return np.where(cardsets.contains(turn.legal, PASS + worth), PASS + worth, PASS)


def call_card(turn: Turn) -> Int16[np.ndarray, " n"]:
    """The king of the longest suit without it; some card to call is always missing."""
    missing = turn.legal & ~turn.hand
    longest = np.where(_lengths(missing) > 0, _lengths(turn.hand), -1).argmax(1)
    return cardsets.highest(missing & _SUITS[longest])


def choose_half(turn: Turn) -> Int[np.ndarray, " n"]:
    """The first half of the chien."""
    return np.full(len(turn), FIRST_HALF)


def set_aside(turn: Turn) -> Int16[np.ndarray, " n"]:
    """The highest card of the shortest suit without a king, or with one; then the lowest trump."""
    plain = turn.legal & ~cardsets.TRUMPS
    order = _lengths(turn.hand) + SUIT_SIZE * _lengths(turn.hand & cardsets.KINGS)
    suit = np.where(_lengths(plain) > 0, order, 2 * SUIT_SIZE + 1).argmin(1)
    from_suit = cardsets.highest(plain & _SUITS[suit])
    return np.where(cardsets.is_empty(plain), cardsets.lowest(turn.legal), from_suit)


def show_poignee(turn: Turn) -> Int[np.ndarray, " n"]:
    """The highest poignée as taker, none as defender."""
    return np.where(turn.attack[:, 0], cardsets.highest(turn.legal), PASS)


def withhold(turn: Turn) -> Int16[np.ndarray, " n"]:
    """The lowest trump."""
    return cardsets.lowest(turn.legal)


# -- the play


def play_card(turn: Turn) -> Int[np.ndarray, " n"]:
    """The card that each seat to play plays."""
    cards = cardsets.first_nonempty(turn.legal & ~cardsets.EXCUSE, turn.legal)
    in_suit = cards & _FOLLOWS[turn.led]
    card = np.select(
        [turn.led == ANY, ~cardsets.is_empty(in_suit), cardsets.is_empty(cards & ~cardsets.TRUMPS)],
        [lead(turn, cards), follow_suit(turn, in_suit), trump(cards)],
        discard(turn, cards),
    )
    return np.where(gives_excuse(turn, card), EXCUSE, card)


def lead(turn: Turn, cards: UInt64[np.ndarray, "n 2"]) -> Int16[np.ndarray, " n"]:
    """The top card of the longest suit; as defender the second-lowest of one the taker may hold."""
    attacks = turn.attack[:, 0]
    taker_void = turn.void[np.arange(len(turn)), turn.taker, :NUM_SUITS]
    lengths = _lengths(cards)
    open_suits = np.where(taker_void & ~attacks[:, None], 0, lengths)
    lengths = np.where(open_suits.any(1, keepdims=True), open_suits, lengths)
    suit = cardsets.first_nonempty(cards & _SUITS[lengths.argmax(1)], cards)
    second_lowest = cardsets.kth(suit, np.minimum(cardsets.count(suit), 2) - 1)
    return np.where(attacks, cardsets.highest(suit), second_lowest)


def follow_suit(turn: Turn, cards: UInt64[np.ndarray, "n 2"]) -> Int16[np.ndarray, " n"]:
    """Last, the cheapest card that takes a trick worth it; before, the highest if it is sure."""
    winners = cards & turn.takes_lead
    gone = np.bitwise_or.reduce(turn.played, axis=1) | turn.playing_hand | turn.ecart
    sure = winners & ~cardsets.lower(cardsets.ALL_CARDS & ~gone)  # a king always is
    lowest = cardsets.lowest(cards)
    cheapest = cardsets.lowest(cardsets.first_nonempty(winners, cards))
    is_last = turn.trick_size == turn.rules.cards_per_trick - 1
    is_worth_it = _IN_TRICK[turn.trick_cards].sum(1) >= WORTH_WINNING
    early = np.where(cardsets.is_empty(sure), lowest, cardsets.highest(cards))
    return np.where(is_last, np.where(is_worth_it, cheapest, lowest), early)


def trump(cards: UInt64[np.ndarray, "n 2"]) -> Int16[np.ndarray, " n"]:
    """The lowest trump, the petit only where it is the one that is legal."""
    return cardsets.lowest(cardsets.first_nonempty(cards & ~cardsets.PETIT, cards))


def discard(turn: Turn, cards: UInt64[np.ndarray, "n 2"]) -> Int[np.ndarray, " n"]:
    """Most points to a partner's trick, else the lowest card of the shortest suit."""
    richest = (cardsets.to_bits(cards) * HALF_POINTS).argmax(1)
    lengths = _lengths(cards)
    shortest = np.where(lengths > 0, lengths, NUM_CARDS).argmin(1)
    lowest = cardsets.lowest(cardsets.first_nonempty(cards & _SUITS[shortest], cards))
    return np.where(partner_wins(turn), richest, lowest)


def gives_excuse(turn: Turn, card: Int[np.ndarray, " n"]) -> Bool[np.ndarray, " n"]:
    """Whether the Excuse takes the place of a card: a dear one would be lost, or it is due."""
    keeps = cardsets.contains(turn.takes_lead, card) | partner_wins(turn)
    loses = (HALF_POINTS[card] >= WORTH_SAVING) & ~keeps
    due = turn.trick_number >= turn.rules.tricks - 2
    return (loses | due) & ~cardsets.is_empty(turn.legal & cardsets.EXCUSE)


def partner_wins(turn: Turn) -> Bool[np.ndarray, " n"]:
    """Whether a hand on the own side, as far as the seat knows, is winning the trick."""
    winner = turn.attack[np.arange(len(turn)), turn.best_seat]
    return (turn.best_seat >= 0) & (winner == turn.attack[:, 0])


def _lengths(cards: UInt64[np.ndarray, "n 2"]) -> Int16[np.ndarray, "n 4"]:
    """Cards of each suit."""
    return cardsets.count(cards[:, None] & _SUITS)


ANSWERS = {
    Phase.AUCTION: bid,
    Phase.CALL: call_card,
    Phase.SPLIT: choose_half,
    Phase.DISCARD: set_aside,
    Phase.POIGNEE: show_poignee,
    Phase.WITHHOLD: withhold,
    Phase.PLAY: play_card,
}
"""What answers each question; the others are answered pass."""
