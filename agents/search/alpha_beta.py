"""Alpha-beta over the last tricks of a deal with open cards, compiled by numba.

Knows cards as bits, two sides, and the numbers that decide a score (RULES.md 8.2, 9, 11.1);
knows neither tables nor rules: `agents.search.solver` prepares everything and is the way in.

A card that is still in a hand or on the table is a bit of an int64, in the order of the ids: suits
from low to high, then trumps, then the Excuse. `MOST_CARDS` keeps the sign out of it. All but the
functions on bits is in one file, because numba compiles a function anew only when the file that it
stands in has changed.

The rules of the last tricks stand here a second time, packed: a search takes back millions of
cards, and a position must fit in a few words to be remembered. `tests/agents/test_solver.py`
holds them to the tables: every value by minimax over `Tables`, under each option that matters.
"""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Int64, UInt64
from numba import njit, typeof, types

from tarot_env.cards import EXCUSE, HALF_POINTS, KIND, NUM_CARDS, NUM_SUITS, PETIT, TRUMP_21
from tarot_env.core.bits import length, lowest, popcount
from tarot_env.rules import TARGET_POINTS

MOST_CARDS = 62
"""In hands and on the table."""
MAX_LOST = 4
"""Tricks that the attack has lost are counted as far as that: a petit chelem may lose three."""
_INFINITE = 2**40
"""More than any payment."""
_TARGETS = 2 * np.array(TARGET_POINTS, np.int64)
_KIND, _WORTH = KIND.astype(np.int64), HALF_POINTS.astype(np.int64)

HALF_POINT = ("winner", "taker", "exact")
EXCUSE_LAST_TRICK = ("changes_side", "trick_winner", "owner_keeps")
EXCUSE_WINS_SLAM_TRICK = ("any_position", "led_only", "never")
"""Values of rule options; terms hold their places here."""
_WINNER, _TAKER = HALF_POINT.index("winner"), HALF_POINT.index("taker")
_CHANGES_SIDE = EXCUSE_LAST_TRICK.index("changes_side")
_TRICK_WINNER = EXCUSE_LAST_TRICK.index("trick_winner")
_LED_ONLY, _NEVER = (EXCUSE_WINS_SLAM_TRICK.index(name) for name in ("led_only", "never"))

TERMS = np.dtype(
    [
        (name, np.int64)
        for name in (
            "multiplier",
            "half_point",
            "poignees",  # half points, to the side that wins the contract; the others to the attack
            "slam",  # where it takes all tricks
            "petit_chelem",  # where it loses three at most
            "no_slam",  # where it loses more
            "defence_slam",  # and beside that, where it takes none
            "counts_lost",  # 1 where three tricks lost are not the same as four
            "petit_au_bout",
            "second_last",  # 1 where the petit counts in the trick before one that the Excuse wins
            "excuse_last_trick",
            "refund",  # 1 where half a point comes back for an Excuse that changes sides
            "excuse_wins_slam_trick",
            "imprenable",  # seat whose petit nobody can take, or -1
            "players",
            "attack",  # seats as bits
            "merges",  # 0 to play out equivalent cards one by one
            "trumps",  # cards, as those below
            "petit",
            "twenty_one",
            "excuse",
            "equals",  # 1 to 10 of a suit, trumps 2 to 20: neighbours in one hand are equivalent
            "worth_3",  # worth so much or more; the Excuse is, though in a deck it counts 0
            "worth_5",
            "worth_7",
            "worth_9",
        )
    ]
)
"""What decides play and score at one table."""
DECK = np.dtype([(name, np.int64) for name in ("beaten_by", "suit", "worth", "owner", "card")])
"""What is known of each card that is left."""
MEMORY = np.dtype([(name, np.int64) for name in ("cards", "state", "low", "high", "best")])
"""What was found out about a position at the start of a trick."""
GAME = np.dtype(
    [
        ("terms", TERMS),
        ("deck", DECK, MOST_CARDS),
        ("hands", np.int64, 5),
        ("stack", np.int64, (MOST_CARDS * 24, 2)),  # plays of all open nodes: order, card
        ("count", np.int64, 5),
    ]
)
"""A table and the room to search it: one record, so that a call hands on its address alone."""
NODES, MOST_NODES, STOPPED, TABLE, TOP = range(5)
"""Counters of a game: cards played, how many may be, whether that was enough, which table of the
batch this is, how high the stack is."""


class Trick(NamedTuple):
    """The trick under way."""

    seat: int  # to play
    size: int
    cards: int
    worth: int
    follow: int  # the suit led, no cards while there is none
    winners: int  # cards that would win it
    best: int  # place of the card that wins it so far


class Book(NamedTuple):
    """What the attack has of the tricks before."""

    points: int  # half points
    oudlers: int
    lost: int  # tricks, up to `MAX_LOST`
    won: int  # 1 or 0: any
    petit: int  # petit au bout so far: +1, -1 or 0


# -- bits


@njit(cache=True, inline="always")
def up_to_highest(cards: int) -> int:
    """All places up to that of the highest of some cards."""
    return (1 << length(cards)) - 1


@njit(cache=True, inline="always")
def side(terms: Any, seat: int) -> int:
    """1 for a seat of the attack, 0 for one of the defence."""
    return (terms.attack >> seat) & 1


@njit(cache=True, inline="always")
def after(seat: int, players: int) -> int:
    """The next seat."""
    return seat + 1 if seat + 1 < players else 0


@njit(cache=True, inline="always")
def worth(terms: Any, cards: int) -> int:
    """Half points of some cards, the Excuse too."""
    court = popcount(cards & terms.worth_3) + popcount(cards & terms.worth_5)
    return popcount(cards) + 2 * (
        court + popcount(cards & terms.worth_7) + popcount(cards & terms.worth_9)
    )


# -- the score


@njit(cache=True, inline="always")
def slams(terms: Any, lost: int, won: int) -> int:
    """What slams bring the attack, made, missed and inflicted."""
    own = terms.no_slam
    if lost == 0:
        own = terms.slam
    elif lost < MAX_LOST:
        own = terms.petit_chelem
    return own if won else own + terms.defence_slam


@njit(cache=True, inline="always")
def margin(terms: Any, points: int, oudlers: int) -> int:
    """50 and the half points above the target, -50 and those below it."""
    difference = points - _TARGETS[oudlers]
    if terms.half_point == _TAKER:
        difference += difference & 1
    elif terms.half_point == _WINNER and difference & 1:
        difference += 1 if difference > 0 else -1
    return 50 + difference if difference >= 0 else difference - 50


@njit(cache=True)
def payment(terms: Any, book: Book) -> int:
    """What each defender pays the attack, in half points, when the last trick is booked."""
    paid = margin(terms, book.points, book.oudlers)
    bonuses = book.petit * terms.petit_au_bout + slams(terms, book.lost, book.won)
    return paid * terms.multiplier + (terms.poignees if paid > 0 else -terms.poignees) + bonuses


# -- play


@njit(cache=True, inline="always")
def legal_plays(terms: Any, hand: int, trick: Trick) -> int:
    """Cards that the seat to play may play (RULES.md 8.2)."""
    free = hand & terms.petit if terms.imprenable == trick.seat else 0
    hand ^= free
    if trick.follow == 0:
        return hand | free
    must = hand & trick.follow
    if must == 0 or trick.follow == terms.trumps:
        must = hand & terms.trumps
        over = must & trick.winners
        must = over if over else must
    return (must | (hand & terms.excuse) if must else hand) | free


@njit(cache=True, inline="always")
def put(game: Any, trick: Trick, card: int) -> Trick:
    """The trick with one more card."""
    found = game.deck[lowest(card)]
    follow, winners, best = trick.follow, trick.winners, trick.best
    if card & winners:
        follow = follow if follow else found.suit
        winners, best = found.beaten_by, lowest(card)
    seat = after(trick.seat, game.terms.players)
    cards, total = trick.cards | card, trick.worth + found.worth
    return Trick(seat, trick.size + 1, cards, total, follow, winners, best)


@njit(cache=True, inline="always")
def new_trick(terms: Any, leader: int) -> Trick:
    """A trick to be led."""
    return Trick(leader, 0, 0, 0, 0, ~terms.excuse, 0)


@njit(cache=True, inline="always")
def excuse_takes(game: Any, trick: Trick, book: Book) -> bool:
    """Whether the Excuse wins the last trick, its side having won all before."""
    terms = game.terms
    if not trick.cards & terms.excuse or terms.excuse_wins_slam_trick == _NEVER:
        return False
    owner = game.deck[lowest(terms.excuse)].owner
    if terms.excuse_wins_slam_trick == _LED_ONLY and trick.seat != owner:
        return False
    return book.lost == 0 if side(terms, owner) else book.won == 0


@njit(cache=True, inline="always")
def excuse_share(terms: Any, owner: int, winner: int, last: int, sweeps: int) -> tuple[int, int]:
    """What an Excuse brings the attack: half points and an oudler (RULES.md 9.5).

    Args:
        terms: of the table.
        owner: side that played it.
        winner: side that won the trick.
        last: 1 if that was the last one.
        sweeps: 1 if the Excuse itself won it.
    """
    ours, pays = owner, owner != winner
    if sweeps:
        pays = False
    elif last and terms.excuse_last_trick == _TRICK_WINNER:
        ours, pays = winner, False
    elif last and terms.excuse_last_trick == _CHANGES_SIDE:
        ours, pays = 1 - owner, owner == winner and terms.refund != 0
    if ours:
        return (8 if pays else 9), 1
    return (1 if pays else 0), 0


@njit(cache=True, inline="always")
def take(game: Any, trick: Trick, book: Book, left: int) -> tuple[int, Book]:
    """A full trick goes to its winner; (winner, what the attack has then).

    Args:
        game: the table.
        trick: full, so that its seat is the leader again.
        book: before it.
        left: tricks left, this one counted.
    """
    terms = game.terms
    sweeps = left == 1 and excuse_takes(game, trick, book)
    winner = game.deck[lowest(terms.excuse) if sweeps else trick.best].owner
    ours = side(terms, winner)
    points, oudlers = book.points, book.oudlers
    if ours:
        points += trick.worth
        oudlers += popcount(trick.cards & (terms.petit | terms.twenty_one))
    petit = book.petit if sweeps else 0
    if trick.cards & terms.petit:
        owner = game.deck[lowest(terms.petit)].owner
        if left == 1 or (left == 2 and terms.second_last and side(terms, owner) == ours):
            petit = 2 * ours - 1
        if owner == terms.imprenable and side(terms, owner) != ours:
            points += 8 - 16 * ours
            oudlers += 1 - 2 * ours
    if trick.cards & terms.excuse:
        owner = side(terms, game.deck[lowest(terms.excuse)].owner)
        more, oudler = excuse_share(terms, owner, ours, left == 1, sweeps)
        points += more
        oudlers += oudler
    lost = min(book.lost + 1 - ours, MAX_LOST)
    return winner, Book(points, oudlers, lost, book.won | ours, petit)


@njit(cache=True, inline="always")
def last_trick(game: Any, trick: Trick, book: Book) -> int:
    """What is paid when every hand has put down its last card."""
    for _ in range(game.terms.players):
        trick = put(game, trick, game.hands[trick.seat])
    _winner, book = take(game, trick, book, 1)
    return payment(game.terms, book)


# -- what can still be won


@njit(cache=True, inline="always")
def above(cards: int, others: int) -> int:
    """Cards of one suit that are higher than all others of it."""
    return cards & ~up_to_highest(others) if others else cards


@njit(cache=True, inline="always")
def sure_tricks(game: Any, leader: int, rest: int) -> tuple[int, int]:
    """A seat, and cards of it that will win a trick each.

    The leader's that nobody can beat when they are led one after the other; if it has none, and
    no Excuse is left, the highest trumps, wherever they are.
    """
    hand, trumps = game.hands[leader], rest & game.terms.trumps
    cards, found = hand & ~game.terms.excuse, 0
    if trumps & ~hand:
        cards &= trumps
    while cards:
        suit = game.deck[lowest(cards)].suit
        found |= above(cards & suit, rest & suit & ~hand)
        cards &= ~suit
    if found or not trumps or rest & game.terms.excuse:
        return leader, found
    holder = game.deck[lowest(up_to_highest(trumps) + 1) - 1].owner
    return holder, above(trumps & game.hands[holder], trumps & ~game.hands[holder])


@njit(cache=True, inline="always")
def contract_range(
    terms: Any, points: int, oudlers: int, more_points: int, more_oudlers: int
) -> tuple[int, int]:
    """Least and most that contract and poignées can bring, by what is had and what may come."""
    low = margin(terms, points, oudlers)
    high = margin(terms, points + more_points, oudlers + more_oudlers)
    a, b = low * terms.multiplier, high * terms.multiplier
    c = terms.poignees if low > 0 else -terms.poignees
    d = terms.poignees if high > 0 else -terms.poignees
    return min(a, b) + min(c, d), max(a, b) + max(c, d)


@njit(cache=True)
def slam_range(terms: Any, lost: int, won: int, left: int) -> tuple[int, int]:
    """Least and most that slams can bring, by tricks lost, tricks won and tricks left."""
    low = high = slams(terms, lost, won)
    if won and (lost == MAX_LOST or (lost and not terms.counts_lost)):
        return low, high
    for more in range(left + 1):
        paid = slams(terms, min(lost + more, MAX_LOST), 1 if more < left else won)
        low, high = min(low, paid), max(high, paid)
    return low, high


@njit(cache=True)
def bounds(game: Any, leader: int, book: Book, rest: int, left: int) -> tuple[int, int]:
    """What the attack gets at least and at most, at the start of a trick that is not the last.

    The tricks that are sure count, each with its own card and at least half a point from every
    other hand. If these are all tricks, and neither petit nor Excuse is left, the value is found.
    """
    terms = game.terms
    seat, sure = sure_tricks(game, leader, rest)
    number, ours = popcount(sure), side(terms, seat)
    more = worth(terms, rest)
    oudlers = popcount(rest & (terms.petit | terms.twenty_one | terms.excuse))
    if number == left and not rest & (terms.petit | terms.excuse):
        book = Book(
            book.points + ours * more,
            book.oudlers + ours * oudlers,
            book.lost if ours else min(book.lost + left, MAX_LOST),
            book.won | ours,
            0,
        )
        paid = payment(terms, book)
        return paid, paid
    gain = worth(terms, sure) + number * (terms.players - 1)
    up, down = (gain, 0) if ours else (0, gain)
    took = 1 if number else 0
    low, _ = contract_range(terms, book.points + up, book.oudlers, more - up, oudlers)
    _, high = contract_range(terms, book.points, book.oudlers, more - down, oudlers)
    least, _ = slam_range(terms, book.lost, book.won | (took & ours), left - number * ours)
    lost = book.lost if ours else min(book.lost + number, MAX_LOST)
    _, most = slam_range(terms, lost, book.won, left - number * (1 - ours))
    petit = abs(terms.petit_au_bout) if rest & terms.petit else 0
    return low + least - petit, high + most + petit


# -- positions found again


@njit(cache=True, inline="always")
def lowest_equals(game: Any, rest: int) -> int:
    """The cards left, with those that rank alike in place of each other.

    What matters of small cards is which hands they are in, from low to high: each is replaced by
    the lowest that keeps this order, of all that its hand had at the start.
    """
    equals = game.terms.equals
    small, found, at = rest & equals, rest & ~equals, -1
    while small:
        card = game.deck[lowest(small)]
        small &= small - 1
        at += 1
        while not (equals & card.suit) >> at & 1 or game.deck[at].owner != card.owner:
            at += 1
        found |= 1 << at
    return found


@njit(cache=True, inline="always")
def state_of(game: Any, leader: int, book: Book, rest: int) -> tuple[int, int]:
    """(what besides the cards left decides the value, what is to be added to the value).

    Where the contract is made, or failed, however the cards fall, two half points more are worth
    the same everywhere, and the value is kept relative to the points.
    """
    terms = game.terms
    least = book.points - _TARGETS[book.oudlers]
    oudlers = book.oudlers + popcount(rest & (terms.petit | terms.twenty_one | terms.excuse))
    most = book.points + worth(terms, rest) - _TARGETS[oudlers]
    made_from = -1 if terms.half_point == _TAKER else 0
    outcome = 1 if least >= made_from else 2 if most < made_from else 0
    points, added = book.points, 0
    if outcome:
        points, added = book.points & 1, (book.points & ~1) * terms.multiplier
    lost = book.lost if terms.counts_lost else min(book.lost, 1)
    state = game.count[TABLE]
    for part, bits in ((points, 9), (outcome, 2), (book.oudlers, 2), (lost, 3), (book.won, 1)):
        state = state << bits | part
    return state << 3 | leader, added


class Position(NamedTuple):
    """What is known of the start of a trick."""

    cards: int
    state: int
    slot: int  # of the memory; -1 for a position in a trick, of which nothing is known
    added: int  # to remembered values
    low: int  # the value lies between these
    high: int
    best: int  # card found best before, 0 for none


@njit(cache=True, inline="always")
def slot_of(memory: Any, cards: int, state: int) -> int:
    """Where a position is remembered."""
    mixed = (cards * 0x1E3779B97F4A7C15) ^ (state * 0x3F58476D1CE4E5B9)
    mixed ^= mixed >> 29
    mixed *= 0x14D049BB133111EB
    return (mixed ^ (mixed >> 32)) & (len(memory) - 1)


@njit(cache=True, inline="always")
def recall(
    game: Any, memory: Any, leader: int, book: Book, rest: int, low: int, high: int
) -> Position:
    """What is known of a position whose value lies between two bounds."""
    cards = lowest_equals(game, rest)
    state, added = state_of(game, leader, book, rest)
    slot = slot_of(memory, cards, state)
    known = memory[slot]
    if known.cards != cards or known.state != state:
        return Position(cards, state, slot, added, low, high, 0)
    low, high = max(low, known.low + added), min(high, known.high + added)
    return Position(cards, state, slot, added, low, high, known.best)


@njit(cache=True, inline="always")
def remember(memory: Any, position: Position, value: int, best: int, alpha: int, beta: int) -> None:
    """Notes what a search between alpha and beta has found."""
    known = memory[position.slot]
    known.cards, known.state, known.best = position.cards, position.state, best
    known.low = (max(position.low, value) if value > alpha else position.low) - position.added
    known.high = (min(position.high, value) if value < beta else position.high) - position.added


# -- the search


@njit(cache=True, inline="always")
def is_repeated(game: Any, trick: Trick, card: int, rest: int, plays: int) -> bool:
    """Whether the hand may play the next card below just as well: nothing lies between them."""
    equals, below = game.terms.equals, rest & (card - 1)
    if not card & equals or not below:
        return False
    other = up_to_highest(below) & ~(up_to_highest(below) >> 1)
    alike = other & equals & plays & game.deck[lowest(card)].suit
    return alike != 0 and (other & trick.winners != 0) == (card & trick.winners != 0)


@njit(cache=True, inline="always")
def list_plays(game: Any, trick: Trick, rest: int, first: int) -> int:
    """Puts the plays worth trying on the stack, each with its order; the new height of the stack.

    Args:
        game: the table.
        trick: under way.
        rest: cards in all hands.
        first: card to be tried first, or 0.
    """
    terms = game.terms
    top, attacks = game.count[TOP], side(terms, trick.seat)
    own = trick.follow != 0 and side(terms, game.deck[trick.best].owner) == attacks
    plays = legal_plays(terms, game.hands[trick.seat], trick)
    left = plays
    while left:
        card = left & -left
        left ^= card
        if is_repeated(game, trick, card, rest, plays):
            continue
        found = game.deck[lowest(card)]
        if trick.follow == 0:
            order = 20 + found.worth if not found.beaten_by & found.suit & rest else 0
        elif card & trick.winners:
            order = 2 * found.worth if own else 30 + found.worth
        else:
            order = 4 * found.worth if own else -4 * found.worth
        if card == terms.excuse:
            order = 0 if trick.follow else -40
        game.stack[top, 0] = 1000 if card == first else order
        game.stack[top, 1] = card
        top += 1
    return top


@njit(cache=True, inline="always")
def next_play(stack: Any, at: int, top: int) -> int:
    """Brings the play with the highest order to its place; the card."""
    best = at
    for other in range(at + 1, top):
        if stack[other, 0] > stack[best, 0]:
            best = other
    card = stack[best, 1]
    stack[best, 0], stack[best, 1] = stack[at, 0], stack[at, 1]
    return card


_SEARCH = types.int64(
    typeof(np.zeros(1, GAME)[0]),
    typeof(np.zeros(0, MEMORY)),
    typeof(Trick(*range(7))),
    typeof(Book(*range(5))),
    *[types.int64] * 4,
)
"""The types of `search`: it calls itself, and numba cannot load such a function without them."""


@njit(_SEARCH, cache=True)
def search(
    game: Any, memory: Any, trick: Trick, book: Book, rest: int, left: int, alpha: int, beta: int
) -> int:
    """What each defender pays the attack under best play.

    Args:
        game: the table.
        memory: of positions.
        trick: under way, or full.
        book: what the attack has.
        rest: cards in all hands.
        left: tricks left, this one counted.
        alpha: a value that the attack has elsewhere: one not above it need not be exact.
        beta: a value that the defence has elsewhere: one not below it need not be exact.
    """
    terms = game.terms
    if trick.size == terms.players:
        leader, book = take(game, trick, book, left)
        trick = new_trick(terms, leader)
        left -= 1
        if left == 0:
            return payment(terms, book)
        if left == 1:
            return last_trick(game, trick, book)
    if game.count[NODES] == game.count[MOST_NODES]:
        game.count[STOPPED] = 1
        return 0
    game.count[NODES] += 1

    position = Position(0, 0, -1, 0, -_INFINITE, _INFINITE, 0)
    if trick.size == 0:
        low, high = bounds(game, trick.seat, book, rest, left)
        if low < beta and high > alpha and low < high:
            position = recall(game, memory, trick.seat, book, rest, low, high)
            low, high = position.low, position.high
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)

    seat, attacks = trick.seat, side(terms, trick.seat)
    value, best, a, b = (-_INFINITE if attacks else _INFINITE), 0, alpha, beta
    bottom = game.count[TOP]
    top = list_plays(game, trick, rest, position.best)
    game.count[TOP] = top
    for at in range(bottom, top):
        card = next_play(game.stack, at, top)
        game.hands[seat] ^= card
        found = search(game, memory, put(game, trick, card), book, rest ^ card, left, a, b)
        game.hands[seat] ^= card
        if game.count[STOPPED]:
            break
        if attacks and found > value:
            value, best, a = found, card, max(a, found)
        elif not attacks and found < value:
            value, best, b = found, card, min(b, found)
        if a >= b:
            break
    game.count[TOP] = bottom
    if position.slot >= 0 and not game.count[STOPPED]:
        remember(memory, position, value, best, alpha, beta)
    return value


# -- the way in


@njit(cache=True)
def lay_out(
    game: Any, hands: UInt64[np.ndarray, "p 2"], table: Int64[np.ndarray, " t"], leader: int
) -> None:
    """Fills the deck, the hands, and what terms say of cards."""
    terms, number = game.terms, 0
    game.hands[:] = 0
    terms.trumps = terms.petit = terms.twenty_one = terms.excuse = terms.equals = 0
    terms.worth_3 = terms.worth_5 = terms.worth_7 = terms.worth_9 = 0
    suits = np.zeros(NUM_SUITS + 2, np.int64)
    for card in range(NUM_CARDS):
        word = 0 if _KIND[card] < NUM_SUITS else 1
        shift = np.uint64(card if word == 0 else card - PETIT)
        owner = -1
        for seat in range(terms.players):
            if hands[seat, word] >> shift & np.uint64(1):
                owner = seat
                game.hands[seat] |= 1 << number
        for at in range(len(table)):
            if table[at] == card:
                owner = (leader + at) % terms.players
        if owner < 0:
            continue
        bit, points = 1 << number, _WORTH[card]
        suits[_KIND[card]] |= bit
        terms.petit |= bit if card == PETIT else 0
        terms.twenty_one |= bit if card == TRUMP_21 else 0
        terms.equals |= bit if points == 1 and terms.merges else 0
        terms.worth_3 |= bit if points >= 3 else 0
        terms.worth_5 |= bit if points >= 5 else 0
        terms.worth_7 |= bit if points >= 7 else 0
        terms.worth_9 |= bit if points >= 9 else 0
        game.deck[number].worth = points if card != EXCUSE else 0
        game.deck[number].owner = owner
        game.deck[number].card = card
        number += 1
    terms.trumps, terms.excuse = suits[NUM_SUITS], suits[NUM_SUITS + 1]
    for at in range(number):
        kind = _KIND[game.deck[at].card]
        game.deck[at].suit = suits[kind]
        higher = suits[kind] & ~((2 << at) - 1)
        game.deck[at].beaten_by = higher | (terms.trumps if kind < NUM_SUITS else 0)


@njit(cache=True)
def solve_table(game: Any, memory: Any, trick: Trick, book: Book, left: int, values: Any) -> int:
    """Writes the value of each play; the best, or while not all are known what is certain."""
    terms, attacks = game.terms, side(game.terms, trick.seat)
    rest = 0
    for seat in range(terms.players):
        rest |= game.hands[seat]
    best = certain(terms, book, rest | trick.cards, left, attacks)
    plays = legal_plays(terms, game.hands[trick.seat], trick)
    to_try, known = plays, 0
    while to_try:
        card = to_try & -to_try
        to_try ^= card
        if is_repeated(game, trick, card, rest, plays):
            value = known
        else:
            game.hands[trick.seat] ^= card
            after_card = put(game, trick, card)
            value = search(game, memory, after_card, book, rest ^ card, left, -_INFINITE, _INFINITE)
            game.hands[trick.seat] ^= card
            if game.count[STOPPED]:
                break
        known = value
        values[game.deck[lowest(card)].card] = value
        best = max(best, value) if attacks else min(best, value)
    return best


@njit(cache=True)
def certain(terms: Any, book: Book, rest: int, left: int, attacks: int) -> int:
    """The worst that can come about for a side."""
    oudlers = popcount(rest & (terms.petit | terms.twenty_one | terms.excuse))
    low, high = contract_range(terms, book.points, book.oudlers, worth(terms, rest), oudlers)
    least, most = slam_range(terms, book.lost, book.won, left)
    petit = abs(terms.petit_au_bout)
    return low + least - petit if attacks else high + most + petit


@njit(cache=True)
def solve_tables(
    terms: Any,
    hands: UInt64[np.ndarray, "n p 2"],
    tricks: Int64[np.ndarray, "n t"],
    leaders: Int64[np.ndarray, " n"],
    books: Int64[np.ndarray, "n 5"],
    lefts: Int64[np.ndarray, " n"],
    game: Any,
    memory: Any,
    max_nodes: int,
    value: Int64[np.ndarray, " n"],
    values: Int64[np.ndarray, "n 78"],
    nodes: Int64[np.ndarray, " n"],
    exact: Bool[np.ndarray, " n"],
) -> None:
    """Solves n tables one after the other; the last four arrays are written."""
    for row in range(len(hands)):
        game.terms = terms[row]
        game.count[:] = 0
        game.count[MOST_NODES], game.count[TABLE] = max_nodes, row + 1
        lay_out(game, hands[row], tricks[row], leaders[row])
        trick = new_trick(game.terms, leaders[row])
        for card in tricks[row]:
            for at in range(MOST_CARDS):
                if card >= 0 and game.deck[at].card == card:
                    trick = put(game, trick, 1 << at)
                    break
        points, oudlers, lost, won, petit = books[row]
        book = Book(points, oudlers, lost, won, petit)
        value[row] = solve_table(game, memory, trick, book, lefts[row], values[row])
        nodes[row] = game.count[NODES]
        exact[row] = not game.count[STOPPED]
