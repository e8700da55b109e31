"""Seeded deals in which rare things happen, for every game.

Every generator draws from the `random.Random` given to it, so a deal can be named by its seed. It
returns what a Referee takes, by name; `KINDS` are the same for four players, without names.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from .cards import BIDS, EXCUSE, PACK, PETIT, SUITS, is_court, is_king, is_suit_card, is_trump
from .games import Game, find_game, lay_out
from .options import CHOICES, read_options, thresholds, without
from .styles import STYLES, choose

__all__ = [
    "KINDS",
    "MAKERS",
    "STYLES",
    "Deal",
    "NamedDeal",
    "choose",
    "contract",
    "draw_contract",
    "draw_deal",
    "draw_options",
]

Deal = tuple[list[list[str]], list[str], int]
NamedDeal = dict[str, Any]

FOUR = find_game(4)
KINGS = tuple(card for card in PACK if is_king(card))
TRUMPS = tuple(card for card in PACK if is_trump(card))
TRUMPS_AND_EXCUSE = (*TRUMPS, EXCUSE)


def complete(
    rng: random.Random,
    game: Game,
    dealer: int,
    wanted: dict[int, Sequence[str]],
    *,
    chien: Sequence[str] = (),
    not_for: dict[int, Callable[[str], bool]] | None = None,
) -> NamedDeal:
    """A deal in which the seats named get the cards wanted, and chance deals the others.

    Args:
        rng: the source of chance.
        game: the game to deal for.
        dealer: the seat that deals.
        wanted: cards by seat; what a hand cannot hold comes to it later, from the piles or, if it
            wins every trick, from the stock.
        chien: cards wanted in the chien.
        not_for: by seat, cards that it must not get beside those wanted.
    """
    sizes = game.hand_sizes(dealer)
    hands = [list(wanted.get(hand, ()))[:size] for hand, size in enumerate(sizes)]
    later = {hand: list(cards)[sizes[hand] :] for hand, cards in wanted.items()}
    rest = list(chien)
    taken = {card for pile in (*hands, rest, *later.values()) for card in pile}
    others = [card for card in PACK if card not in taken]
    rng.shuffle(others)
    # Hands for which few cards are left to choose from are served first.
    refuses = [(not_for or {}).get(hand, _nothing) for hand in range(game.hands)]
    choices = [len([card for card in others if not refuse(card)]) for refuse in refuses]
    for hand in sorted(range(game.hands), key=choices.__getitem__):
        missing = sizes[hand] - len(hands[hand])
        drawn = [card for card in others if not refuses[hand](card)][:missing]
        hands[hand] += drawn
        others = [card for card in others if card not in drawn]
    missing = game.chien_size - len(rest)
    rest, others = rest + others[:missing], others[missing:]
    for pile in (*hands, rest):
        rng.shuffle(pile)
    if [len(hand) for hand in hands] != sizes or len(rest) != game.chien_size:
        raise ValueError("the wishes leave no deal")
    in_order = _in_places(game, later, others)
    return {"hands": hands, "chien": rest, "dealer": dealer, **lay_out(in_order, game)}


def _nothing(_card: str) -> bool:
    return False


def _in_places(game: Game, later: dict[int, list[str]], others: list[str]) -> list[str]:
    """The stock, or the piles, with cards for a seat where it gets them."""
    size = game.stock_size + 4 * game.piles
    places: list[str | None] = [None] * size
    for seat, cards in later.items():
        if game.piles:
            own = range(2 * game.piles * seat, 2 * game.piles * (seat + 1))
        else:
            own = range(0, size, 2)
        for place, card in zip(own, cards, strict=False):
            places[place] = card
    placed = [card for card in places if card is not None]
    left = [card for cards in later.values() for card in cards if card not in placed] + others
    return [card if card is not None else left.pop() for card in places]


def fair(rng: random.Random, game: Game = FOUR) -> NamedDeal:
    """A fully shuffled deal."""
    return complete(rng, game, rng.randrange(game.players), {})


def trump_heavy(rng: random.Random, game: Game = FOUR) -> NamedDeal:
    """A hand has many trumps, often about as many as a handful needs, with the Excuse or without.

    One time in three it also has the four kings, and sometimes there are trumps in the chien, so
    that trumps must be set aside. Where it has few, its neighbour may get all the others.
    """
    dealer, seat = _dealer_and_seat(rng, game)
    size = game.hand_size
    single, double, triple = thresholds(game) or (10, 13, 15)
    about = [single - 1, single - 1, single, single, single + 1]
    about += [double - 1, double - 1, double, double, double + 1]
    about += [triple - 1, triple, triple, triple + 1, triple + 2, triple + 3]
    count = min(rng.choice(about), size)
    excuse = [EXCUSE] if count < size and rng.random() < 0.5 else []
    kings = list(KINGS) if rng.random() < 1 / 3 else []
    count = min(count, size - len(excuse) - len(kings))
    trumps = rng.sample(TRUMPS, count)
    others = [card for card in TRUMPS if card not in trumps]
    wanted = {seat: [*trumps, *excuse, *kings]}
    chien: list[str] = []
    if count <= single + 1 and rng.random() < 0.4:
        wanted[_neighbour(game, dealer, seat)] = others[:size]
    else:
        most = min(len(others), game.chien_size)
        chien = rng.sample(others, min(most, rng.choice((0, 0, 2, 4))))
    refuses = {seat: lambda card: card in TRUMPS_AND_EXCUSE}
    return complete(rng, game, dealer, {**wanted}, chien=chien, not_for={**refuses})


def slam_prone(rng: random.Random, game: Game = FOUR) -> NamedDeal:
    """A deal in which one side may take every trick.

    Either a seat has nearly all the high cards, with or without the Excuse and the petit; or a
    seat has next to nothing, and speaks first so that it may become the taker.
    """
    dealer, seat = _dealer_and_seat(rng, game)
    order = game.bidders(dealer)
    if rng.random() < 0.5:
        return complete(rng, game, dealer, {seat: _all_powerful(rng, game)})
    if game.stock_size or game.piles:
        return complete(rng, game, dealer, {order[1]: _all_powerful(rng, game)})
    return _powerless(rng, game, dealer, order[0])


def _all_powerful(rng: random.Random, game: Game) -> list[str]:
    """As many cards as there are tricks: a hand, and what comes to it later."""
    lowest, highest = game.tricks // 2, min(game.tricks * 5 // 6, len(TRUMPS) - 1)
    trumps = [f"T{number}" for number in range(21, 21 - rng.randint(lowest, highest), -1)]
    special = [card for card in (EXCUSE, PETIT) if rng.random() < 0.6]
    suits = rng.sample(SUITS, 2)
    ranks = ("K", "Q", "N", "J", "10", "9", "8")
    kings = list(KINGS) if game.has_call and rng.random() < 0.5 else []
    winners = [suit + rank for suit in suits for rank in ranks]
    return list(dict.fromkeys([*special, *trumps, *kings, *winners]))[: game.tricks]


def _powerless(rng: random.Random, game: Game, dealer: int, seat: int) -> NamedDeal:
    """With six the partner has nothing either; with five the chien has kings, so he is alone."""
    low = [card for card in PACK if is_suit_card(card) and not is_court(card)]
    low = [card for card in low if card[1:] not in ("9", "10")]
    count = min(game.hand_size, len(low) - game.chien_size)
    hand = rng.sample(low, count)
    if rng.random() < 0.3:
        hand[0] = EXCUSE
    elif rng.random() < 0.3:
        hand[:2] = [PETIT, "T2"]
    wanted = {seat: hand}
    left = [card for card in low if card not in hand]
    if game.has_partnerships:
        wanted[(seat + 3) % 6] = rng.sample(left, game.hand_size)
        left = [card for card in left if card not in wanted[(seat + 3) % 6]]
    chien = rng.sample(left, min(game.chien_size, len(left)))
    if game.has_call and rng.random() < 0.7:
        chien = list(rng.sample(KINGS, game.chien_size))
    return complete(rng, game, dealer, {**wanted}, chien=chien)


def petit_sec(rng: random.Random, game: Game = FOUR) -> NamedDeal:
    """One seat has the petit as its only trump, half of the time with the Excuse."""
    dealer, seat = _dealer_and_seat(rng, game)
    hand = [PETIT, EXCUSE] if rng.random() < 0.5 else [PETIT]
    refuses = {seat: lambda card: card in TRUMPS_AND_EXCUSE}
    return complete(rng, game, dealer, {seat: hand}, not_for={**refuses})


def endgame(rng: random.Random, game: Game = FOUR) -> NamedDeal:
    """The petit and the Excuse lie in long trump hands, so that they may fall late.

    They are in one hand or in two; one time in five the Excuse lies in the chien.
    """
    dealer = rng.randrange(game.players)
    first, second = rng.sample(game.order_of_play(dealer), 2)
    trumps = [card for card in TRUMPS if card not in (PETIT, "T21")]
    rng.shuffle(trumps)
    half, third = game.hand_size // 2 - 1, game.hand_size // 3
    wanted = {first: [PETIT, *trumps[:half]], second: trumps[half : half + third]}
    chien: list[str] = []
    if rng.random() < 0.2:
        chien.append(EXCUSE)
    else:
        wanted[rng.choice((first, second))].append(EXCUSE)
    return complete(rng, game, dealer, {**wanted}, chien=chien)


def misere(rng: random.Random, game: Game = FOUR) -> NamedDeal:
    """One or two seats have no trump, or no court card, or neither."""
    dealer, seat = _dealer_and_seat(rng, game)
    refusals = [
        lambda card: is_trump(card),
        lambda card: is_court(card),
        lambda card: is_trump(card) or is_court(card),
    ]
    not_for = {seat: rng.choice(refusals)}
    if rng.random() < 0.5:
        not_for[_neighbour(game, dealer, seat)] = refusals[1]
    return complete(rng, game, dealer, {}, not_for=not_for)


def courts(rng: random.Random, game: Game = FOUR) -> NamedDeal:
    """One seat has the four kings, and sometimes all queens, knights, or nearly all jacks too."""
    dealer, seat = _dealer_and_seat(rng, game)
    ranks = "KQNJ"[: rng.choice((1, 1, 2, 3, 4))]
    hand = [suit + rank for rank in ranks for suit in SUITS]
    return complete(rng, game, dealer, {seat: hand[: game.hand_size]})


def _dealer_and_seat(rng: random.Random, game: Game) -> tuple[int, int]:
    """A dealer and a seat that plays; mostly the one that speaks first."""
    dealer = rng.randrange(game.players)
    bidders = game.bidders(dealer)
    return dealer, bidders[0] if rng.random() < 0.7 else rng.choice(bidders)


def _neighbour(game: Game, dealer: int, seat: int) -> int:
    order = game.order_of_play(dealer)
    return order[(order.index(seat) + 1) % len(order)]


MAKERS: dict[str, Callable[[random.Random, Game], NamedDeal]] = {
    "fair": fair,
    "trump_heavy": trump_heavy,
    "slam_prone": slam_prone,
    "petit_sec": petit_sec,
    "endgame": endgame,
    "misere": misere,
    "courts": courts,
}


def draw_deal(rng: random.Random, kind: str, game: Game) -> NamedDeal:
    """A deal of one of the kinds, as keyword arguments of a Referee."""
    return MAKERS[kind](rng, game)


def _for_four(make: Callable[[random.Random, Game], NamedDeal]) -> Callable[[random.Random], Deal]:
    def deal(rng: random.Random) -> Deal:
        named = make(rng, FOUR)
        return named["hands"], named["chien"], named["dealer"]

    return deal


KINDS = {
    kind: _for_four(MAKERS[kind])
    for kind in ("fair", "trump_heavy", "slam_prone", "petit_sec", "endgame")
}


def draw_contract(rng: random.Random, deal: NamedDeal, game: Game) -> tuple[int, str]:
    """A contract to force on a deal: any bid, mostly by the seat with the most trumps."""
    seats = game.bidders(deal["dealer"])
    if rng.random() < 0.7:
        seat = max(seats, key=lambda seat: len([c for c in deal["hands"][seat] if is_trump(c)]))
    else:
        seat = rng.choice(seats)
    return seat, rng.choice(BIDS[1:] if game.has_partnerships else BIDS)


def contract(rng: random.Random, deal: Deal) -> tuple[int, str]:
    """The same for a deal of four."""
    hands, chien, dealer = deal
    return draw_contract(rng, {"hands": hands, "chien": chien, "dealer": dealer}, FOUR)


def draw_options(rng: random.Random, preset: str, game: Game) -> dict[str, Any]:
    """Options that differ from a preset, every value of those that the game has a use for."""
    options = {field: rng.choice(values) for field, values in CHOICES.items()}
    options |= {
        "slam_bonus": rng.choice(((400, 200, -200), (400, 200, -400), (500, 250, -300))),
        "defence_slam": rng.choice((200, 0, 150)),
        "poignee_bonus": rng.choice(((20, 30, 40), (20, 40, 60))),
        "multipliers": rng.choice(((1, 2, 4, 6), (1, 3, 5, 7))),
        "weak_hand_redeal": rng.choice(("off", "no_trumps", game.hand_size // 3)),
        "packet": rng.choice((3, 4, 5)),
        "chien_exclusion": rng.choice((1, 3, 6)),
    }
    usual = thresholds(game)
    if usual is not None:
        lower = tuple(number - 3 for number in usual)
        options["poignee_thresholds"] = rng.choice((usual, lower))
    if options["partner_share"] == (1, 1) and options["half_point"] == "exact":
        options["half_point"] = "winner"
    drawn = {field: value for field, value in options.items() if field not in without(game)}
    read_options(drawn, preset=preset, players=game.players, game=game.name)
    return drawn
