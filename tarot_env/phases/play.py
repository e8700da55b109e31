"""Card play (RULES.md 8, 9): what may be played, who wins the trick, what play reveals."""

from typing import Any

import numpy as np

from tarot_env.cards import (
    ANY,
    HALF_POINTS,
    KIND,
    NUM_CARDS,
    OUDLERS,
    RANK,
    SUIT_NAMES,
    TRUMP,
    cardsets,
)
from tarot_env.cards import EXCUSE as EXCUSE_ID
from tarot_env.cards import PETIT as PETIT_ID
from tarot_env.core.bits import EXCUSE, PETIT, TRUMPS, as_words, bit_of, suit_bits, suit_of
from tarot_env.core.compiling import kernel
from tarot_env.core.events import BOTH, log
from tarot_env.core.state import EXCUSE as EXCUSE_COLUMN
from tarot_env.core.state import attacks, choice
from tarot_env.phases import two_player
from tarot_env.rules import Rules

_NEVER, _LED_ONLY = (choice("excuse_wins_slam_trick", word) for word in ("never", "led_only"))
_IMPRENABLE = choice("petit_sec", "imprenable")
_KIND, _RANK, _HALF_POINTS = (table.astype(np.int64) for table in (KIND, RANK, HALF_POINTS))
_NO_TRUMP = 1 << TRUMP


@kernel
def legal_plays(suits: int, rest: int, led: int, best_trump: int) -> tuple[int, int]:
    """Cards that a hand may play.

    Follow suit; void in it, trump; a trump must beat the best trump on the table if the hand can,
    a partner's too; the Excuse is always allowed and is no trump (FFT R-RO; RULES.md 8.2).

    Args:
        suits: suit cards in hand.
        rest: trumps and Excuse in hand.
        led: suit to follow, `TRUMP`, or `ANY` where nothing but the Excuse lies on the table.
        best_trump: number of the highest trump on the table, 0 if none.
    """
    if led == ANY:
        return suits, rest
    if led < TRUMP and suit_of(suits, led):
        return suits & suit_bits(led), rest & EXCUSE
    trumps = rest & TRUMPS
    if trumps == 0:
        return suits, rest
    over = trumps >> best_trump << best_trump
    return 0, (over if over else trumps) | (rest & EXCUSE)


@kernel
def legal(t: Any, rules: Any) -> tuple[int, int]:
    """Cards the hand to act may play.

    A petit that nobody can take is never compulsory and always allowed (RULES.md 8.6). The first
    lead is not in the called suit where the rules ban it, but for the called card (RULES.md 5.3).
    """
    suits, rest = t.hands[t.seat, 0], t.hands[t.seat, 1]
    free = rest & PETIT if t.seat == t.imprenable else 0
    suits, rest = legal_plays(suits, rest & ~free, t.led, t.best_trump)
    rest |= free
    if rules.first_lead_bans_called_suit == 1 and t.trick_number == 0 and t.trick_size == 0:
        allowed = suits & ~(suit_bits(_KIND[t.called]) & ~(1 << t.called))
        if allowed | rest:
            suits = allowed
    return suits, rest


@kernel
def apply(t: Any, events: Any, rules: Any, action: int) -> bool:
    """Plays a card; returns whether it was the last one of its trick."""
    seat = t.seat
    log(t, events, seat, action, BOTH)
    if not (rules.decouverte or rules.tirette):  # there cards come to a hand during play
        _reveal(t, rules, seat, action)
    suits, rest = bit_of(action)
    t.hands[seat, 0] &= ~suits
    t.hands[seat, 1] &= ~rest
    t.played[seat, 0] |= suits
    t.played[seat, 1] |= rest
    _note_oudler(t, seat, action)
    t.trick_cards[t.trick_size] = action
    if t.trick_size == 0 and _KIND[action] < TRUMP:
        t.suits_led |= 1 << (4 * seat + _KIND[action])
    t.trick_size += 1
    if t.led == ANY:
        t.led = _KIND[action]
    _take_lead(t, seat, action)
    if rules.players == 2:
        two_player.after_card(t, rules, seat, action)
    t.seat = rules.next_hand[t.dealer, seat]
    return t.trick_size == rules.cards_per_trick


@kernel
def _reveal(t: Any, rules: Any, seat: int, action: int) -> None:
    """Notes what a card tells everybody about the hand it came from: voids and trump bounds.

    Where a lone petit is never compulsory and may always be played, a hand that does not trump may
    still hold it, and one that plays it may hold the suit led.
    """
    kind, rank, led, best = _KIND[action], _RANK[action], t.led, t.best_trump
    lone_petit = rules.petit_sec == _IMPRENABLE
    if kind != led and led != ANY and kind != ANY and not (lone_petit and action == PETIT_ID):
        t.void[seat] |= 1 << led
        if kind != TRUMP:
            t.void[seat] = t.void[seat] & ~_NO_TRUMP if lone_petit else t.void[seat] | _NO_TRUMP
            t.trump_bound[seat] = 1 if lone_petit else 0
    if kind == TRUMP and rank < best:
        t.trump_bound[seat] = min(t.trump_bound[seat], best)


@kernel
def _note_oudler(t: Any, seat: int, action: int) -> None:
    """Notes who plays petit, 21 and Excuse, and when."""
    for column in range(3):
        if action == OUDLERS[column]:
            t.oudler_player[column] = seat
            t.oudler_trick[column] = t.trick_number


@kernel
def _take_lead(t: Any, seat: int, action: int) -> None:
    """Notes the seat that wins the trick so far: highest trump, else highest of the suit led."""
    kind, rank = _KIND[action], _RANK[action]
    if kind == TRUMP and rank > t.best_trump:
        t.best_trump, t.best_seat = rank, seat
    elif kind == t.led and kind < TRUMP and t.best_trump == 0 and rank > t.best_rank:
        t.best_rank, t.best_seat = rank, seat


@kernel
def finish_trick(t: Any, rules: Any) -> bool:
    """Gives a full trick to its winner, who leads the next; returns whether it was the last."""
    winner, is_last = t.best_seat, t.trick_number + 1 == rules.tricks
    if is_last and excuse_wins(t, rules):
        winner = t.oudler_player[EXCUSE_COLUMN]
    for oudler in range(3):
        if t.oudler_trick[oudler] == t.trick_number:
            t.oudler_winner[oudler] = winner
    if rules.players == 2:
        two_player.after_trick(t, rules, winner)
    for place in range(rules.cards_per_trick):
        card = t.trick_cards[place]
        if card != EXCUSE_ID:  # settled at the end
            t.trick_half_points[winner] += _HALF_POINTS[card]
        t.last_trick[place] = card
        t.trick_cards[place] = -1
    t.tricks_won[winner] += 1
    t.last_leader, t.last_winner = t.leader, winner
    t.trick_size, t.led, t.best_trump, t.best_rank, t.best_seat = 0, ANY, 0, 0, -1
    t.leader = winner
    t.seat = winner
    t.trick_number += 1
    return is_last


@kernel
def excuse_wins(t: Any, rules: Any) -> bool:
    """Whether the Excuse takes the last trick: its side has won all before (RULES.md 9.4)."""
    player = t.oudler_player[EXCUSE_COLUMN]
    if t.oudler_trick[EXCUSE_COLUMN] != t.trick_number or rules.excuse_wins_slam_trick == _NEVER:
        return False
    if rules.excuse_wins_slam_trick == _LED_ONLY and t.leader != player:
        return False
    for hand in range(rules.hands):
        if t.tricks_won[hand] and attacks(t, hand) != attacks(t, player):
            return False
    return True


def reason(t: Any, rules: Rules, action: int) -> str:
    """Why the seat to act may not play a card, in the words of the rules."""
    if action >= NUM_CARDS:
        return "no card; a card is played now"
    hand = as_words(t.hands)[t.seat]
    if not np.any(hand & cardsets.BIT[action]):
        return "not a card in hand"
    led = int(t.led)
    if led < TRUMP and np.any(hand & cardsets.SUIT[led]):
        return f"must follow {SUIT_NAMES[led]}"
    if led == ANY:
        return f"the first lead may not be in {SUIT_NAMES[KIND[action]]}, the called suit"
    if KIND[action] != TRUMP:
        return "must follow trumps" if led == TRUMP else f"void in {SUIT_NAMES[led]}, must trump"
    return f"must go over trump {t.best_trump}"
