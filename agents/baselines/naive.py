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

from typing import Any

import numpy as np
from jaxtyping import Int

from agents.hand_strength import points_of, short_suit_points
from tarot_env.cards import ANY, EXCUSE, FIRST_TRUMP, HALF_POINTS, NUM_CARDS, NUM_SUITS, SUIT_SIZE
from tarot_env.cards.actions import FIRST_HALF, PASS, Bid
from tarot_env.core.bits import (
    ALL_SUITS,
    KINGS,
    PETIT,
    contains,
    kth,
    length,
    lowest,
    popcount,
    suit_bits,
    suit_of,
)
from tarot_env.core.bits import EXCUSE as EXCUSE_BIT
from tarot_env.core.compiling import as_compiled, kernel, loop
from tarot_env.core.state import (
    AUCTION,
    CALL,
    DISCARD,
    PLAY,
    POIGNEE,
    SPLIT,
    WITHHOLD,
    actor,
    as_records,
    blank_records,
    rules_record,
)
from tarot_env.phases import phase_order
from tarot_env.tables import Tables, Turn
from tarot_env.tables.turn import (
    TURN,
    masters,
    on_attack,
    played_sets,
    playing_hand,
    see,
    takes_lead,
)

PETITE, GARDE, GARDE_SANS, GARDE_CONTRE = 40, 56, 71, 81
"""Least points for each bid, as published (RULES.md 17.1)."""
WORTH_WINNING = 4
"""Half points of a trick that is taken by the last to play."""
WORTH_SAVING = 7
"""Half points of a card in whose place the Excuse is lost."""
_SCALE_SIZE = 18
_HALF_POINTS = HALF_POINTS.astype(np.int64)
_BIDS = tuple(int(bid) for bid in (Bid.GARDE_CONTRE, Bid.GARDE_SANS, Bid.GARDE, Bid.PETITE))
_LEAST_GAMES = 64
"""Games played on for each thread."""


class NaiveAgent:
    """Plays by the words of this module, whatever the game; nothing about it is to be tuned."""

    name = "naive"

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """One legal action for each row; draws nothing from `rng`."""
        actions = np.empty(len(turn), np.int64)
        _answer_all(as_records(turn.records), rules_record(turn.rules), actions)
        return actions

    def play_on(self, tables: Tables, rows: Int[np.ndarray, " n"]) -> None:
        """Plays all seats of the named tables to the end of their deals, as with `act`."""
        rows, rules = as_compiled(rows, np.int64), rules_record(tables.rules)

        def part(at: slice) -> None:
            given = tables.state, tables.legal_words, tables.events, rules
            _play_on(*given, rows[at], blank_records(1, TURN))

        tables.in_parts(len(rows), _LEAST_GAMES, part)


@loop
def _answer_all(turns: Any, rules: Any, actions: Any) -> None:
    for i in range(len(turns)):
        actions[i] = answer(turns[i], rules[0])


@loop
def _play_on(tables: Any, legal: Any, events: Any, rules: Any, rows: Any, turn: Any) -> None:
    for i in range(len(rows)):
        row = rows[i]
        t = tables[row]
        while legal[row, 0] | legal[row, 1]:
            see(t, legal[row, 0], legal[row, 1], rules[0], actor(t, rules[0]), turn[0])
            phase_order.apply(t, events[row], rules[0], answer(turn[0], rules[0]))
            legal[row, 0], legal[row, 1] = phase_order.legal(t, rules[0])


@kernel
def answer(turn: Any, rules: Any) -> int:
    """What answers a question; those that the words do not speak of are answered pass."""
    if turn.phase == PLAY:
        return play_card(turn, rules)
    if turn.phase == AUCTION:
        return bid(turn)
    if turn.phase == DISCARD:
        return set_aside(turn)
    if turn.phase == CALL:
        return call_card(turn)
    if turn.phase == SPLIT:
        return FIRST_HALF
    if turn.phase == POIGNEE:
        return FIRST_TRUMP + length(turn.legal[1]) - 1 if on_attack(turn, 0) else PASS
    if turn.phase == WITHHOLD:
        return FIRST_TRUMP + lowest(turn.legal[1])
    return PASS


# -- before the play


@kernel
def bid(turn: Any) -> int:
    """What the hand is worth by the published table, where that is legal; else pass."""
    points = points_of(turn.hand[0], turn.hand[1], _SCALE_SIZE)
    short_too = points + short_suit_points(turn.hand[0])
    worth = 0
    if short_too >= GARDE_CONTRE:
        worth = _BIDS[0]
    elif short_too >= GARDE_SANS:
        worth = _BIDS[1]
    elif points >= GARDE:
        worth = _BIDS[2]
    elif points >= PETITE:
        worth = _BIDS[3]
    return PASS + worth if contains(turn.legal[0], turn.legal[1], PASS + worth) else PASS


@kernel
def call_card(turn: Any) -> int:
    """The king of the longest suit without it; some card to call is always missing."""
    missing, longest, best = turn.legal[0] & ~turn.hand[0], -1, 0
    for suit in range(NUM_SUITS):
        size = popcount(suit_of(turn.hand[0], suit))
        if suit_of(missing, suit) and size > longest:
            longest, best = size, suit
    return length(missing & suit_bits(best)) - 1


@kernel
def set_aside(turn: Any) -> int:
    """The highest card of the shortest suit without a king, or with one; then the lowest trump."""
    plain, shortest, best = turn.legal[0], 2 * SUIT_SIZE + 1, -1
    for suit in range(NUM_SUITS):
        size = popcount(suit_of(turn.hand[0], suit))
        size += SUIT_SIZE * popcount(suit_of(turn.hand[0] & KINGS, suit))
        if suit_of(plain, suit) and size < shortest:
            shortest, best = size, suit
    if best < 0:
        return FIRST_TRUMP + lowest(turn.legal[1])
    return length(plain & suit_bits(best)) - 1


# -- the play


@kernel
def play_card(turn: Any, rules: Any) -> int:
    """The card that the seat to play plays."""
    suits, rest = turn.legal[0], turn.legal[1] & ~EXCUSE_BIT
    if suits | rest == 0:
        return EXCUSE
    hand_suits, hand_rest = playing_hand(turn, rules)
    winning_suits, winning_rest = takes_lead(turn, hand_suits, hand_rest)
    partner_wins = turn.best_seat >= 0 and (on_attack(turn, turn.best_seat) == on_attack(turn, 0))
    if turn.led == ANY:
        card = _lead(turn, suits, rest)
    elif turn.led < NUM_SUITS and suit_of(suits, turn.led):
        card = _follow_suit(turn, rules, suits & suit_bits(turn.led), winning_suits, hand_suits)
    elif suits == 0:
        others = rest & ~PETIT
        card = FIRST_TRUMP + lowest(others if others else rest)
    else:
        card = _discard(suits, rest, partner_wins)
    keeps = partner_wins or contains(winning_suits, winning_rest, card)
    loses = _HALF_POINTS[card] >= WORTH_SAVING and not keeps
    if turn.legal[1] & EXCUSE_BIT and (loses or turn.trick_number >= rules.tricks - 2):
        return EXCUSE
    return card


@kernel
def _lead(turn: Any, suits: int, rest: int) -> int:
    """The top card of the longest suit; as defender the second-lowest of one the taker may hold."""
    attacks, longest, best, is_open = on_attack(turn, 0), 0, -1, False
    for suit in range(NUM_SUITS):
        size = popcount(suit_of(suits, suit))
        may_hold = attacks or not turn.void[turn.taker] >> suit & 1
        if size > 0 and ((may_hold and not is_open) or (may_hold == is_open and size > longest)):
            longest, best, is_open = size, suit, may_hold
    cards, trumps = (suits & suit_bits(best), 0) if best >= 0 else (0, rest)
    if attacks:
        return length(cards) - 1 if cards else FIRST_TRUMP + length(trumps) - 1
    return kth(cards, trumps, min(popcount(cards) + popcount(trumps), 2) - 1)


@kernel
def _follow_suit(turn: Any, rules: Any, cards: int, winning: int, hand: int) -> int:
    """Last, the cheapest card that takes a trick worth it; before, the highest if it is sure."""
    winners = cards & winning
    if turn.trick_size == rules.cards_per_trick - 1:
        worth = 0
        for place in range(turn.trick_size):
            card = turn.trick_cards[place]
            worth += _HALF_POINTS[card] if card != EXCUSE else 0
        return lowest(winners if winners and worth >= WORTH_WINNING else cards)
    played, _ = played_sets(turn, rules)
    sure, _ = masters(winners, 0, ALL_SUITS & ~(played | hand | turn.ecart[0]), 0)
    return length(cards) - 1 if sure else lowest(cards)


@kernel
def _discard(suits: int, rest: int, partner_wins: bool) -> int:
    """Most points to a partner's trick, else the lowest card of the shortest suit."""
    if partner_wins:
        richest, card = 0, -1
        for other in range(NUM_CARDS):
            if contains(suits, rest, other) and _HALF_POINTS[other] > richest:
                richest, card = _HALF_POINTS[other], other
        return card
    shortest, best = NUM_CARDS, 0
    for suit in range(NUM_SUITS):
        size = popcount(suit_of(suits, suit))
        if 0 < size < shortest:
            shortest, best = size, suit
    return lowest(suits & suit_bits(best))
