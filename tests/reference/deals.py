"""Seeded four-player deals in which rare things happen, and choosers that make them happen.

Every generator draws from the `random.Random` given to it, so a deal can be named by its seed.
"""

import random
from collections.abc import Callable, Iterable, Sequence

from .cards import BIDS, EXCUSE, PACK, PETIT, SUITS, is_king, is_suit_card, is_trump
from .cards import half_points as worth
from .referee import Referee

Deal = tuple[list[list[str]], list[str], int]

PLAYERS = 4
HAND_SIZE = 18
CHIEN_SIZE = 6
KINGS = tuple(card for card in PACK if is_king(card))
TRUMPS = tuple(card for card in PACK if is_trump(card))


def complete(
    rng: random.Random,
    wanted: dict[int, Sequence[str]],
    dealer: int,
    chien: Sequence[str] = (),
    not_for: dict[int, Callable[[str], bool]] | None = None,
) -> Deal:
    """A deal in which the seats named get the cards wanted, and chance deals the others.

    Args:
        rng: the source of chance.
        wanted: cards by seat.
        dealer: the seat that deals.
        chien: cards wanted in the chien.
        not_for: by seat, cards that it must not get beside those wanted.
    """
    hands = [list(wanted.get(seat, ())) for seat in range(PLAYERS)]
    rest = list(chien)
    taken = {card for pile in (*hands, rest) for card in pile}
    others = [card for card in PACK if card not in taken]
    rng.shuffle(others)
    # Seats with a wish are served first, while there is a choice.
    refusals = not_for or {}
    for seat in sorted(range(PLAYERS), key=lambda seat: seat not in refusals):
        refuses = refusals.get(seat, _nothing)
        missing = HAND_SIZE - len(hands[seat])
        drawn = [card for card in others if not refuses(card)][:missing]
        hands[seat] += drawn
        others = [card for card in others if card not in drawn]
    rest += others
    for pile in (*hands, rest):
        rng.shuffle(pile)
    if any(len(hand) != HAND_SIZE for hand in hands) or len(rest) != CHIEN_SIZE:
        raise ValueError("the wishes leave no deal")
    return hands, rest, dealer


def _nothing(_card: str) -> bool:
    return False


def fair(rng: random.Random) -> Deal:
    """A fully shuffled deal."""
    return complete(rng, {}, rng.randrange(PLAYERS))


def trump_heavy(rng: random.Random) -> Deal:
    """One seat has 9 to 18 trumps, often one around a threshold, with or without the Excuse.

    One time in three it also has the four kings, and sometimes there are trumps in the chien, so
    that trumps must be set aside. Where it has few, its neighbour may get all the others.
    """
    seat = rng.randrange(PLAYERS)
    count = rng.choice((9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 17, 18))
    excuse = [EXCUSE] if count < HAND_SIZE and rng.random() < 0.5 else []
    kings = list(KINGS) if rng.random() < 1 / 3 else []
    count = min(count, HAND_SIZE - len(excuse) - len(kings))
    trumps = rng.sample(TRUMPS, count)
    others = [card for card in TRUMPS if card not in trumps]
    wanted = {seat: [*trumps, *excuse, *kings]}
    chien: list[str] = []
    if count <= 11 and rng.random() < 0.4:
        wanted[(seat + 1) % PLAYERS] = others
    else:
        chien = rng.sample(others, min(len(others), rng.choice((0, 0, 2, 4))))
    return complete(
        rng,
        {**wanted},
        _dealer_before(rng, seat),
        chien,
        {seat: lambda card: is_trump(card) or card == EXCUSE},
    )


def slam_prone(rng: random.Random) -> Deal:
    """A deal in which one side may take every trick.

    Either a seat has nearly all the high cards, with or without the Excuse and the petit; or a
    seat has next to nothing, and speaks first so that it may become the taker.
    """
    seat = rng.randrange(PLAYERS)
    if rng.random() < 0.5:
        return _all_powerful(rng, seat)
    return _powerless(rng, seat)


def _all_powerful(rng: random.Random, seat: int) -> Deal:
    trumps = [f"T{number}" for number in range(21, 21 - rng.randint(9, 15), -1)]
    special = [card for card in (EXCUSE, PETIT) if rng.random() < 0.6]
    suits = rng.sample(SUITS, 2)
    winners = [suit + rank for suit in suits for rank in ("K", "Q", "N", "J", "10", "9", "8")]
    hand = [*special, *trumps, *winners][:HAND_SIZE]
    return complete(rng, {seat: hand}, _dealer_before(rng, seat))


def _powerless(rng: random.Random, seat: int) -> Deal:
    low = [card for card in PACK if is_suit_card(card) and card[1:] in "12345678"]
    hand = rng.sample(low, HAND_SIZE)
    if rng.random() < 0.3:
        hand[0] = EXCUSE
    elif rng.random() < 0.3:
        hand[:2] = [PETIT, "T2"]
    chien = rng.sample([card for card in low if card not in hand], CHIEN_SIZE)
    return complete(rng, {seat: hand}, (seat - 1) % PLAYERS, chien)


def petit_sec(rng: random.Random) -> Deal:
    """One seat has the petit as its only trump, half of the time with the Excuse."""
    seat = rng.randrange(PLAYERS)
    hand = [PETIT, EXCUSE] if rng.random() < 0.5 else [PETIT]
    return complete(
        rng,
        {seat: hand},
        rng.randrange(PLAYERS),
        not_for={seat: lambda card: is_trump(card) or card == EXCUSE},
    )


def endgame(rng: random.Random) -> Deal:
    """The petit and the Excuse lie in long trump hands, so that they may fall late.

    They are in one hand or in two; one time in five the Excuse lies in the chien.
    """
    first, second = rng.sample(range(PLAYERS), 2)
    trumps = [card for card in TRUMPS if card not in (PETIT, "T21")]
    rng.shuffle(trumps)
    wanted = {first: [PETIT, *trumps[:8]], second: trumps[8:14]}
    chien: list[str] = []
    if rng.random() < 0.2:
        chien.append(EXCUSE)
    else:
        wanted[rng.choice((first, second))].append(EXCUSE)
    return complete(rng, {**wanted}, rng.randrange(PLAYERS), chien)


def _dealer_before(rng: random.Random, seat: int) -> int:
    """Mostly the neighbour, so that the seat speaks first."""
    return (seat - 1) % PLAYERS if rng.random() < 0.7 else rng.randrange(PLAYERS)


KINDS: dict[str, Callable[[random.Random], Deal]] = {
    "fair": fair,
    "trump_heavy": trump_heavy,
    "slam_prone": slam_prone,
    "petit_sec": petit_sec,
    "endgame": endgame,
}

# How often a bidder says what, against 4 for passing.
BID_WEIGHTS = {"petite": 3, "garde": 4, "garde_sans": 2, "garde_contre": 1}

STYLES = (
    "uniform",
    "keep_excuse",
    "keep_petit",
    "bidder",
    "passive",
    "keep_excuse+keep_petit",
    "bidder+keep_excuse",
    "bidder+keep_excuse+keep_petit",
    "bidder+strong",
    "bidder+strong+keep_excuse",
    "bidder+strong+keep_excuse+keep_petit",
    "passive+strong+keep_petit",
)


def choose(rng: random.Random, referee: Referee, style: str) -> str:
    """One of the legal actions.

    Args:
        rng: the source of chance.
        referee: a deal that is not over.
        style: words joined by `+`. `uniform` chooses evenly and is what happens where no other
            word has an opinion; `keep_excuse` and `keep_petit` play that card only when forced;
            `bidder` bids high and announces what it can; `passive` seldom bids and never
            announces; `strong` plays the strongest card it may.
    """
    words = style.split("+")
    legal = referee.legal()
    if referee.phase == "PLAY":
        return _choose_card(rng, legal, words)
    if referee.phase in ("AUCTION", "SLAM", "POIGNEE"):
        return _choose_announcement(rng, legal, words)
    return rng.choice(legal)


def _choose_announcement(rng: random.Random, legal: Sequence[str], words: Iterable[str]) -> str:
    said = [action for action in legal if action != "pass"]
    if "bidder" in words and said:
        if said[0] in BIDS:
            weights = [BID_WEIGHTS[bid] for bid in said]
            return rng.choices(["pass", *said], [4, *weights])[0]
        return rng.choice(said) if rng.random() < 0.85 else "pass"
    if "passive" in words:
        may_bid = said and said[0] in BIDS and rng.random() < 0.3
        return said[0] if may_bid else "pass"
    return rng.choice(legal)


def _choose_card(rng: random.Random, legal: Sequence[str], words: Iterable[str]) -> str:
    kept = [(EXCUSE, "keep_excuse" in words), (PETIT, "keep_petit" in words)]
    cards = list(legal)
    # The petit goes before the Excuse, which can nearly always wait.
    for card, is_kept in kept:
        if is_kept and card in cards and len(cards) > 1:
            cards.remove(card)
    if "strong" in words:
        return max(cards, key=_strength)
    return rng.choice(cards)


def _strength(card: str) -> tuple[bool, int, int]:
    rank = -1 if card == EXCUSE else PACK.index(card) % 14
    number = int(card[1:]) if is_trump(card) else 0
    return (number > 0, number, rank + worth(card))


def contract(rng: random.Random, deal: Deal) -> tuple[int, str]:
    """A contract to force on a deal: any bid, mostly by the seat with the most trumps."""
    hands, _chien, _dealer = deal
    seats = list(range(PLAYERS))
    if rng.random() < 0.7:
        seat = max(seats, key=lambda seat: len([card for card in hands[seat] if is_trump(card)]))
    else:
        seat = rng.choice(seats)
    return seat, rng.choice(BIDS)
