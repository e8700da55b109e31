"""Signals of the defence (rules.md E5), given and read: what they add to the merits of the play.

A signal is given by which of several nearly equal cards is played, and read as a reason to lead.
Only defenders signal and listen, only to hands that are surely on their side, and only in games for
three and more: in those for two the defence has one player.

Measured: the same deals, garde to the strongest hand, played by a defence with signals and by one
without, the taker (and its partner) without. What the defenders gain together in points a deal,
with 95 % intervals, seed 1000041, deal ids from 0:

    3 players   15,997 deals   -0.3 [-1.1, +0.4]
    4 players   39,935 deals   +0.5 [-0.3, +1.4]
    5 players   15,883 deals   -0.4 [-1.7, +0.8]

(A led king still told of its own suit then.) So no gain is shown, and signals are off unless asked
for. On the training deals of four players on which these weights, but for the smallest, were one of
the two best settings of six, the gain was +1.9 [+0.7, +3.1] (seed 500008, 19,964 deals): most of
that came from choosing.

What is said is true more often than the cards seen let one expect (seed 500103, 4,000 deals of four
players, all with signals): a king or queen of the suit in 74 % of the cases against 46 %, a ruff
next in 74 % against 44 %, the petit in 40 % against 28 %. It is the leads that gain little by it.
The larger weights of what was said come from play-outs of each lead (seeds 500006 and 500007),
rounded. Those of -0.1 are there by convention alone: play-outs showed no use for them, and rather
the opposite for "nothing there" and for the petit. A decision takes about twice the time, up to
2.6 times in small batches.
"""

import numpy as np
from jaxtyping import Bool, Float32

from agents.hand_strength import scaled
from agents.heuristic.keeping import IS_LOW, LONG_TRUMPS
from agents.heuristic.leading import DEFENCE_OF_PETIT, MAIN_FORTE, MAJORS
from agents.heuristic.reading import Measures, Plays, Reading
from agents.heuristic.signals_heard import (
    LAST_LOW,
    FirstTwo,
    Tricks,
    first_defence_lead,
    first_two,
    hear,
    opened_by_attack,
    tricks_so_far,
)
from tarot_env.cards import (
    EXCUSE,
    JACK,
    KING,
    KNIGHT,
    NUM_SUITS,
    PETIT,
    QUEEN,
    RANK,
    TRUMP,
    cardsets,
)
from tarot_env.tables import Turn


def signal_measures(turn: Turn, reading: Reading, plays: Plays) -> Measures:
    """Name and measure of what speaks for and against each play because of signals."""
    tricks = tricks_so_far(turn)
    yield "misleads", misleads(turn, reading, plays, tricks)
    yield "excuse_for_petit", excuse_for_petit(turn, reading, plays, tricks)
    yield from partners_wishes(turn, reading, plays, tricks)


# -- given


def misleads(turn: Turn, reading: Reading, plays: Plays, tricks: Tricks) -> Bool[np.ndarray, " m"]:
    """Cards that would say what is not so, where another of the same kind says what is."""
    leads = (turn.trick_size == 0) & ~reading.attacks
    speaks, is_true = np.zeros((2, len(plays.row)), bool)
    for rows, answer in (
        (leads, lead_says),
        (~reading.attacks & (turn.led < TRUMP), suit_follow_says),
        (~reading.attacks & (turn.led == TRUMP), trump_follow_says),
    ):
        at = np.flatnonzero(plays.of_row(rows))
        if len(at):
            speaks[at], is_true[at] = answer(turn, reading, plays.take(at), tricks)
    says_so = np.zeros((NUM_SUITS + 2, len(turn)), bool)
    true = speaks & is_true
    says_so[plays.kind[true], plays.row[true]] = True
    return speaks & ~is_true & plays.of_kind(says_so)


Said = tuple[Bool[np.ndarray, " m"], Bool[np.ndarray, " m"]]
"""Whether each play says something, and whether what it says is so."""


def lead_says(turn: Turn, reading: Reading, plays: Plays, tricks: Tricks) -> Said:
    """A suit that the defence opens: what its leader has in it. A trump: odd from a strong hand."""
    rank = RANK.take(plays.card)
    strong = is_strong(turn, reading)
    of = {rank: _holds(turn, rank) for rank in (JACK, KNIGHT, QUEEN, KING)}
    high = of[KING] | of[QUEEN]
    by_rank = {
        KING: np.broadcast_to(strong, high.shape),
        QUEEN: of[KING] & ~strong,
        KNIGHT: of[QUEEN],
        JACK: ~(high | of[KNIGHT]),
    }
    is_true = np.where(rank <= LAST_LOW, plays.of_suit(high), ~plays.of_suit(high))
    for honour, so in by_rank.items():
        is_true = np.where(rank == honour, plays.of_suit(so), is_true)
    opens = np.stack([first_defence_lead(tricks, suit)[0] < 0 for suit in range(NUM_SUITS)])
    is_trump = (plays.kind == TRUMP) & (plays.card != PETIT)
    is_odd = rank % 2 == 1
    is_true = np.where(is_trump, is_odd == plays.of_row(strong), is_true)
    return plays.of_suit(opens) | is_trump, is_true


def is_strong(turn: Turn, reading: Reading) -> Bool[np.ndarray, " n"]:
    """The main forte: so many trumps and one of 18 to 21."""
    many = reading.num_trumps >= scaled(MAIN_FORTE, turn.rules)
    return many & ~cardsets.is_empty(turn.playing_hand & DEFENCE_OF_PETIT)


def _holds(turn: Turn, rank: int) -> Bool[np.ndarray, "4 n"]:
    """In which suits the hand has the card of a rank."""
    cards = np.arange(NUM_SUITS)[:, None] * KING + rank - 1
    return cardsets.contains(turn.playing_hand, cards)


def suit_follow_says(turn: Turn, reading: Reading, plays: Plays, tricks: Tricks) -> Said:
    """Two low cards: descending from a doubleton with trumps, or from length in trumps."""
    own = _own_first(turn, tricks)
    by_attack = opened_by_attack(tricks, turn.led)
    suit_cards = turn.playing_hand & cardsets.SUIT[np.minimum(turn.led, TRUMP)]
    doubleton = (cardsets.count(suit_cards) == 2) & (own.first == 0) & (reading.num_trumps > 0)
    has_major = ~cardsets.is_empty(turn.playing_hand & MAJORS)
    long_trumps = has_major & (reading.num_trumps >= scaled(LONG_TRUMPS, turn.rules))
    descends = np.where(by_attack, long_trumps, doubleton)
    speaks = IS_LOW.take(plays.card) & (plays.kind == plays.of_row(turn.led))
    return _in_order(plays, speaks, own, descends)


def trump_follow_says(turn: Turn, reading: Reading, plays: Plays, tricks: Tricks) -> Said:
    """Two trumps in descending order from the holder of the petit, where it has the choice."""
    holds_petit = cardsets.contains(turn.playing_hand, np.full(len(turn), PETIT))
    speaks = (plays.kind == TRUMP) & (plays.card != PETIT)
    return _in_order(plays, speaks, _own_first(turn, tricks), holds_petit)


def _own_first(turn: Turn, tricks: Tricks) -> FirstTwo:
    """What the hand to act has given to the kind that is led now, as one row for each."""
    two = first_two(tricks, turn.led)
    at = turn.to_act, np.arange(len(turn))
    return FirstTwo(two.first[at], two.second[at], two.has_led[at], two.beat[at])


def _in_order(
    plays: Plays,
    speaks: Bool[np.ndarray, " m"],
    own: FirstTwo,
    descends: Bool[np.ndarray, " n"],
) -> Said:
    """Which cards are, or leave room for, two in the order that is meant.

    Args:
        plays: those of rows that follow.
        speaks: cards that count.
        own: what the hand has given before, as one row for each.
        descends: whether the order is to be descending.
    """
    rank = RANK.take(plays.card).astype(np.int8)
    lowest = np.full(plays.num_rows, 99, np.int8)
    highest = np.zeros(plays.num_rows, np.int8)
    np.minimum.at(lowest, plays.row[speaks], rank[speaks])
    np.maximum.at(highest, plays.row[speaks], rank[speaks])
    first, down = plays.of_row(own.first), plays.of_row(descends)
    has_lower, has_higher = rank > plays.of_row(lowest), rank < plays.of_row(highest)
    opening = np.where(down, has_lower, has_higher)
    is_true = np.where(first == 0, opening, (rank < first) == down)
    is_open = (own.second == 0) & ~own.has_led
    return speaks & plays.of_row(is_open), is_true


def excuse_for_petit(
    turn: Turn, reading: Reading, plays: Plays, tricks: Tricks
) -> Float32[np.ndarray, " m"]:
    """The Excuse on the first trump lead: 1 from the holder of the petit, -1 from others."""
    rounds = (tricks.kind[:, 0] == TRUMP).sum(0)
    first = (turn.led == TRUMP) & (rounds == 1) & ~reading.attacks
    holds_petit = cardsets.contains(turn.playing_hand, np.full(len(turn), PETIT))
    so = np.where(holds_petit, np.float32(1), np.float32(-1))
    return (plays.card == EXCUSE) * plays.of_row(first * so)


# -- read


def partners_wishes(turn: Turn, reading: Reading, plays: Plays, tricks: Tricks) -> Measures:
    """What sure partners have said about each lead of a defender."""
    heard = hear(turn, tricks, reading.others)
    leads = (turn.trick_size == 0) & ~reading.attacks
    partner = (reading.enemy == 0) & leads
    for name, by_suit in (
        ("said_honour", heard.honour),
        ("said_nothing", heard.nothing),
        ("said_ruffs", heard.ruffs_next),
        ("said_stop", heard.stop),
    ):
        yield name, plays.of_suit((by_suit & partner[:, None]).any(0))
    is_trump = plays.kind == TRUMP
    for name, by_hand in (("asked_trumps", heard.wants_trumps), ("said_petit", heard.has_petit)):
        yield name, plays.of_row((by_hand & partner).any(0)) & is_trump
