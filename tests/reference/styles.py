"""Ways to answer at random that make rare things frequent."""

import random
from collections.abc import Iterable, Sequence

from .cards import EXCUSE, PACK, PARTNERSHIP_BIDS, PETIT, is_trump
from .cards import half_points as worth
from .referee import Referee

# How often a bidder says what, against 4 for passing.
BID_WEIGHTS = {
    "petite": 3,
    "pousse": 3,
    "garde": 4,
    "garde_sans": 2,
    "garde_contre": 1,
    "contra": 3,
    "recontra": 3,
}

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
    if referee.phase in ("AUCTION", "SLAM", "MISERE", "POIGNEE"):
        return _choose_announcement(rng, legal, words)
    return rng.choice(legal)


def _choose_announcement(rng: random.Random, legal: Sequence[str], words: Iterable[str]) -> str:
    said = [action for action in legal if action != "pass"]
    if "bidder" in words and said:
        if said[0] in BID_WEIGHTS:
            weights = [BID_WEIGHTS[bid] for bid in said]
            return rng.choices(["pass", *said], [4, *weights])[0]
        return rng.choice(said) if rng.random() < 0.85 else "pass"
    if "passive" in words:
        may_bid = said and said[0] in PARTNERSHIP_BIDS and rng.random() < 0.3
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
