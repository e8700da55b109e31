"""Deals in a row: who deals next, and the pack gathered, cut and dealt again (RULES.md 3.3, 13)."""

from collections.abc import Mapping, Sequence
from typing import Any

from .cards import EXCUSE, PACK, RANKS, SUITS, is_trump, trump_number
from .games import Game, lay_out
from .referee import Referee

LEAST_CUT = 4


def next_dealer(referee: Referee) -> int:
    """Who deals after a finished deal.

    After a deal that was not played `redeal_dealer` decides, but for a dummy bid of six players and
    a dealer who sits out (the same dealer), and a weak hand (the next).
    """
    deals_again = referee.ended_on_dummy_bid
    deals_again |= referee.taker is None and referee.game.has_dead_hand
    if referee.taker is None and referee.options["redeal_dealer"] == "same":
        asked = referee.thrown_in_by
        for_a_petit = referee.options["petit_sec"] == "optional"
        deals_again |= asked is None or (for_a_petit and referee.has_petit_sec(asked))
    return referee.dealer if deals_again else (referee.dealer + 1) % referee.players


def gather(referee: Referee) -> list[str]:
    """The pack after a finished deal: the attack's pile, then that of the defence.

    In each pile come first the cards that are no trick, then the tricks in order, as played. A
    deal that was not played is gathered in the order in which a pack is dealt out.
    """
    if referee.taker is None:
        in_piles = [card for row in referee.piles for pile in row for card in pile]
        in_hands = [card for hand in referee.dealt for card in hand]
        return in_hands + referee.chien + referee.stock + in_piles
    attack = list(referee.ecart)
    defence: list[str] = []
    if referee.bid == "garde_sans":
        attack += referee.chien
    if referee.bid == "garde_contre":
        defence += referee.chien
    for _leader, plays, winner in referee.tricks:
        pile = attack if winner in referee.attack_seats else defence
        pile += [card for _hand, card in plays]
    return attack + defence


def next_deal(referee: Referee, cut: int, dealer: int | None = None) -> dict[str, Any]:
    """The deal after a finished one, the pack not shuffled.

    Args:
        referee: the finished deal.
        cut: how many cards are lifted off the pack and put under it.
        dealer: who deals, by default the next by the rules.
    """
    if cut not in range(LEAST_CUT, len(PACK) - LEAST_CUT + 1):
        raise ValueError(f"a cut of {cut} leaves too few cards on one side")
    pack = gather(referee)
    by = next_dealer(referee) if dealer is None else dealer
    return deal_in_packets(pack[cut:] + pack[:cut], referee.game, by, referee.options)


def deal_in_packets(
    pack: Sequence[str], game: Game, dealer: int, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Deals a pack from the top, in packets from the dealer's right-hand neighbour.

    After the second packet of each round one card goes to the chien until it is full, or so many
    at a time as it takes where the rounds, or those far enough from the ends of the pack, are too
    few. What is left is the stock, or the piles.
    """
    for at_a_time in range(1, game.chien_size + 1):
        hands, chien, rest = _deal(pack, game, dealer, options, at_a_time)
        if len(chien) == game.chien_size:
            return {"hands": hands, "chien": chien, "dealer": dealer, **lay_out(rest, game)}
    raise ValueError("no place in the pack for the chien")


def _deal(
    pack: Sequence[str], game: Game, dealer: int, options: Mapping[str, Any], at_a_time: int
) -> tuple[list[list[str]], list[str], list[str]]:
    excluded = options["chien_exclusion"]
    places = range(excluded, len(PACK) - excluded)
    rest = list(pack)
    hands: list[list[str]] = [[] for _hand in range(game.hands)]
    chien: list[str] = []
    order = game.order_of_play(dealer)
    while len(hands[order[-1]]) < game.hand_size:
        for number, hand in enumerate(order, start=1):
            size = min(options["packet"], game.hand_size - len(hands[hand]))
            hands[hand] += rest[:size]
            rest = rest[size:]
            for _card in range(at_a_time if number == 2 else 0):
                if len(chien) < game.chien_size and len(pack) - len(rest) in places:
                    chien.append(rest.pop(0))
    return hands, chien, rest


def seat_that_deals(drawn: Sequence[str]) -> int | None:
    """The seat that drew the lowest card and deals first; None if somebody must draw again.

    Trumps are higher than suits, and of two equal cards the clubs are lowest (RULES.md 13.2).
    """
    if EXCUSE in drawn:
        return None
    return min(range(len(drawn)), key=lambda seat: _height(drawn[seat]))


def _height(card: str) -> tuple[bool, int, int]:
    if is_trump(card):
        return True, trump_number(card), 0
    return False, RANKS.index(card[1:]), -SUITS.index(card[0])


def winners(
    totals: Sequence[int], counted_deals: int, options: Mapping[str, Any]
) -> list[int] | None:
    """Seats with the highest total where a match is over, None where it goes on.

    Args:
        totals: points of each seat so far.
        counted_deals: deals with a contract; others do not count.
        options: `match_deals` and `match_target` are looked at.
    """
    deals, target = options["match_deals"], options["match_target"]
    all_played = deals is not None and counted_deals >= deals
    reached = target is not None and max(totals) >= target
    if not all_played and not reached:
        return None
    return [seat for seat, total in enumerate(totals) if total == max(totals)]
