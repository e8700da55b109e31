"""A pack that is not shuffled (RULES.md 3.3): gathered after a deal, cut, and dealt in packets."""

from collections.abc import Sequence
from itertools import islice

import numpy as np

from tarot_env.cards import NUM_CARDS
from tarot_env.cards.actions import Bid
from tarot_env.core.arguments import parse_row
from tarot_env.core.dealing import Deal
from tarot_env.core.seating import SEATINGS
from tarot_env.core.state import attackers
from tarot_env.errors import InvalidRules
from tarot_env.rules import Rules, check_is_rules
from tarot_env.tables.tables import Tables, check_is_tables

CUTS = range(4, NUM_CARDS - 4 + 1)
"""How many cards a cut may lift off: at least four stay on each side."""


def gather(tables: Tables, row: int = 0) -> list[int]:
    """The pack after a finished deal, as its cards lie on one another.

    First the attack's pile: its écart in the order in which the cards were set aside, or the chien
    of a garde sans; then its tricks in order of play. Then the defence's: the chien of a garde
    contre, and its tricks. Cards lie as they were played, the Excuse in its trick. Of a deal that
    nobody played come the hands in seat order, the chien, and what else was dealt.

    Raises:
        TarotError: there is no such table.
    """
    row = parse_row(row, check_is_tables(tables).num_tables)
    state, rules = tables.columns, tables.rules
    pack: list[int] = state.pack[row].tolist()
    if tables.taker[row] < 0:
        return pack
    chien = list(Deal.of_pack(pack, rules, dealer=int(state.dealer[row])).chien)
    contract = tables.contract[row]
    attack = chien if contract == Bid.GARDE_SANS else _ecart(tables, row)
    defence = chien if contract == Bid.GARDE_CONTRE else []
    on_attack = attackers(state, np.array([row]))[0]
    for winner, cards in _tricks(tables, row):
        (attack if on_attack[winner] else defence).extend(cards)
    return attack + defence


def _ecart(tables: Tables, row: int) -> list[int]:
    """Cards set aside, in order; in the log they come behind the called card."""
    if tables.contract[row] > Bid.GARDE:
        return []
    log = tables.columns.log[row, : tables.columns.log_size[row], 1]
    cards = log[log < NUM_CARDS][int(tables.rules.calls_king) :]
    return cards[: tables.rules.chien_size].tolist()


def _tricks(tables: Tables, row: int) -> list[tuple[int, list[int]]]:
    """(winner, cards in order) of each trick; who wins a trick leads the next."""
    state, rules = tables.columns, tables.rules
    history = state.history[row, : state.history_size[row]]
    is_card = (history[:, 1] >= 0) & (history[:, 1] < NUM_CARDS)
    plays = history[is_card][-rules.tricks * rules.cards_per_trick :]
    plays = plays.reshape(rules.tricks, rules.cards_per_trick, 2)
    winners = [*plays[1:, 0, 0].tolist(), int(state.last_winner[row])]
    return list(zip(winners, plays[:, :, 1].tolist(), strict=True))


def check_packets(rules: Rules) -> None:
    """Checks that the pack can be dealt in packets.

    Raises:
        InvalidRules: a packet larger than a hand, or an exclusion that leaves no place in the pack
            for the chien.
    """
    check_is_rules(rules)
    if rules.packet > rules.hand_size:
        raise InvalidRules(f"packet={rules.packet}; hands have {rules.hand_size} cards")
    chien_shares(rules)


def chien_shares(rules: Rules) -> list[int]:
    """How many cards go to the chien after the second packet of each round, until it is full.

    One each, but none that is among the first or last `chien_exclusion` cards of the pack; where
    too few rounds are left, as many at a time as it takes (RULES.md 3.3).

    Raises:
        InvalidRules: there is no place for the chien.
    """
    for at_a_time in range(1, rules.chien_size + 1):
        shares = _shares(rules, at_a_time)
        if sum(shares) == rules.chien_size:
            return shares
    raise InvalidRules(
        f"chien_exclusion={rules.chien_exclusion}: dealt in packets of {rules.packet}, the chien "
        f"cannot keep clear of so many cards at either end of the pack"
    )


def _shares(rules: Rules, at_a_time: int) -> list[int]:
    last_place = NUM_CARDS - rules.chien_exclusion
    hands = rules.hands - rules.dead_hand
    shares: list[int] = []
    for start in range(0, rules.hand_size, rules.packet):
        packet = min(rules.packet, rules.hand_size - start)
        taken = sum(shares)
        place = start * hands + 2 * packet + taken
        share = min(at_a_time, rules.chien_size - taken, max(last_place - place, 0))
        shares.append(share if place >= rules.chien_exclusion else 0)
    return shares


def deal_in_packets(pack: Sequence[int], dealer: int, rules: Rules) -> Deal:
    """A deal of an unshuffled pack: packets in the order of play from the dealer's right.

    The last packets are smaller where the hands are no number of whole ones. Between the packets
    cards go to the chien, by `chien_shares`. The dummy's hand is dealt in its place in the order of
    play, none to a dealer who sits out. What is left when the hands are dealt makes the second
    stock, or the piles, in order.
    """
    order = SEATINGS[rules.game_name].order[dealer].tolist()
    hands: list[list[int]] = [[] for _ in range(rules.hands)]
    chien: list[int] = []
    cards = iter(pack)
    for share in chien_shares(rules):
        for place, hand in enumerate(order):
            hands[hand] += islice(cards, min(rules.packet, rules.hand_size - len(hands[hand])))
            if place == 1:
                chien += islice(cards, share)
    dealt = [card for hand in hands for card in hand]
    return Deal.of_pack([*dealt, *chien, *cards], rules, dealer=dealer)
