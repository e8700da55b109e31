"""Counting a played deal, and turning the count into scores (RULES.md 9 to 11).

All counts are in half points. A trick is `(leader, [(hand, card), ...], winner)`; a hand is a seat
but for the dummy's, which is one of the defence.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .cards import BIDS, EXCUSE, OUDLERS, PETIT, POIGNEES, half_points
from .games import Game, find_game
from .options import read_options

Trick = tuple[int, list[tuple[int, str]], int]

ATTACK = 1
DEFENCE = -1
NOBODY = 0

TARGET_POINTS = {0: 56, 1: 51, 2: 41, 3: 36}


def side(seat: int, attack_seats: Collection[int]) -> int:
    return ATTACK if seat in attack_seats else DEFENCE


def slam_side(tricks: Sequence[Trick], attack_seats: Collection[int]) -> int:
    """The side that took every trick; the ecart is no trick."""
    winners = {side(winner, attack_seats) for _leader, _plays, winner in tricks}
    return winners.pop() if len(winners) == 1 else NOBODY


def excuse_won(trick: Trick) -> bool:
    _leader, plays, winner = trick
    return (winner, EXCUSE) in plays


def petit_au_bout_side(
    tricks: Sequence[Trick], attack_seats: Collection[int], options: Mapping[str, Any]
) -> int:
    """The side that has the bonus for the petit in the last trick.

    It goes to the winner of a last trick that holds the petit. Where the Excuse wins the last
    trick, the petit also counts if its own side played it to the trick before and won that
    (`petit_au_bout_second_last`).
    """
    _leader, plays, winner = tricks[-1]
    if PETIT in [card for _seat, card in plays]:
        return side(winner, attack_seats)
    if excuse_won(tricks[-1]) and options["petit_au_bout_second_last"]:
        slammer = side(winner, attack_seats)
        _leader, plays, winner_before = tricks[-2]
        for seat, card in plays:
            if (
                card == PETIT
                and side(seat, attack_seats) == slammer
                and side(winner_before, attack_seats) == slammer
            ):
                return slammer
    return NOBODY


def settle_excuse(
    tricks: Sequence[Trick], attack_seats: Collection[int], options: Mapping[str, Any]
) -> tuple[int, int]:
    """The side that keeps an Excuse that was played, and the half points paid for it.

    Returns:
        The side that counts the Excuse, and the half points that the other side gets for it
        (0 or 1).
    """
    number, trick = next(
        (number, trick)
        for number, trick in enumerate(tricks)
        if EXCUSE in [card for _seat, card in trick[1]]
    )
    _leader, plays, winner = trick
    owner = next(side(seat, attack_seats) for seat, card in plays if card == EXCUSE)
    taker_of_trick = side(winner, attack_seats)
    is_last = number == len(tricks) - 1

    if is_last and excuse_won(trick):
        return owner, 0
    if is_last and options["excuse_last_trick"] == "trick_winner":
        return taker_of_trick, 0
    if is_last and options["excuse_last_trick"] == "changes_side":
        if taker_of_trick != owner:
            return taker_of_trick, 0
        return -owner, 1 if options["excuse_last_trick_refund"] else 0

    # Any other trick, and the last one where the owner keeps it.
    return owner, 1 if taker_of_trick != owner else 0


def count_piles(
    bid: str,
    tricks: Sequence[Trick],
    ecart: Sequence[str],
    chien: Sequence[str],
    attack_seats: Collection[int],
    options: Mapping[str, Any],
    imprenable: int | None = None,
) -> tuple[dict[int, int], dict[int, int]]:
    """Half points and oudlers in the final pile of each side, keyed `ATTACK` and `DEFENCE`.

    Args:
        bid: the contract.
        tricks: all of them.
        ecart: the cards set aside.
        chien: the chien where nobody took it in hand, else nothing.
        attack_seats: the taker and his partner.
        options: every option.
        imprenable: the hand whose petit comes back to it (RULES.md 8.6).
    """
    piles: dict[int, list[str]] = {ATTACK: [], DEFENCE: []}
    piles[ATTACK] += ecart
    if bid == "garde_sans":
        piles[ATTACK] += chien
    if bid == "garde_contre":
        piles[DEFENCE] += chien
    for _leader, plays, winner in tricks:
        piles[side(winner, attack_seats)] += [card for _seat, card in plays if card != EXCUSE]

    paid = {ATTACK: 0, DEFENCE: 0}
    excuse_was_played = EXCUSE not in piles[ATTACK] + piles[DEFENCE]
    if excuse_was_played:
        keeper, half = settle_excuse(tricks, attack_seats, options)
        piles[keeper].append(EXCUSE)
        paid[-keeper] += half
    if imprenable is not None:
        owner = side(imprenable, attack_seats)
        if PETIT in piles[-owner]:
            piles[-owner].remove(PETIT)
            piles[owner].append(PETIT)
            paid[-owner] += 1

    half_in = {
        who: sum(half_points(card) for card in pile) + paid[who] - paid[-who]
        for who, pile in piles.items()
    }
    oudlers = {who: len([card for card in pile if card in OUDLERS]) for who, pile in piles.items()}
    return half_in, oudlers


@dataclass(frozen=True)
class Facts:
    """What the score of a deal depends on.

    Attributes:
        bid: the contract.
        taker: his seat.
        oudlers: how many the attack has in its final pile.
        attack_half: half points in that pile.
        partner: the taker's partner with five players, None if he is alone. With six it is the
            seat opposite, given or not.
        poignees: the level of each handful shown, by whichever side: it goes to the side that
            wins the contract.
        petit_au_bout: 1 for the attack, -1 for the defence, 0 for nobody.
        slam_announced: whether the taker announced that he would take every trick.
        slam: who took every trick: 1 the attack, -1 the defence, 0 nobody.
        petit_chelem_announced: whether the taker announced all tricks but three.
        petit_chelem: whether the attack took all tricks but three, or more.
        miseres: seats that declared one.
        contra: 1, 2 after a contra, 4 after a recontra.
        dealer: needed only where the dealer sits out.
    """

    bid: str
    taker: int
    oudlers: int
    attack_half: int
    partner: int | None = None
    poignees: Sequence[str] = ()
    petit_au_bout: int = NOBODY
    slam_announced: bool = False
    slam: int = NOBODY
    petit_chelem_announced: bool = False
    petit_chelem: bool = False
    miseres: Collection[int] = ()
    contra: int = 1
    dealer: int | None = None


def score_deal(
    *,
    players: int | None = 4,
    game: str | None = None,
    preset: str = "fft",
    options: Mapping[str, Any] | None = None,
    **facts: Any,
) -> list[int]:
    """Half points that each seat scores (RULES.md 11.7, 11.8).

    Args:
        players: how many play; of no matter where `game` is given.
        game: the name of the game, None where the number of players says it.
        preset: the rules.
        options: what differs from the preset.
        facts: see Facts.
    """
    rules = read_options(options, preset=preset, players=players, game=game)
    return score_facts(Facts(**facts), find_game(players, game), rules)


def score_facts(facts: Facts, game: Game, options: Mapping[str, Any]) -> list[int]:
    """The same for a game and every option."""
    at_table = list(range(game.players))
    if game.has_dead_hand:
        if facts.dealer is None:
            raise ValueError("which dealer sits out?")
        at_table.remove(facts.dealer)

    attack = _attack(facts, game, options)
    each_pays = _paid_by_each_defender(facts, options)
    defenders = [seat for seat in at_table if seat not in attack]
    scores = [-each_pays if seat in defenders else 0 for seat in range(game.players)]
    won = each_pays * len(defenders)
    for seat, part in attack.items():
        scores[seat] = won * part // sum(attack.values())

    for declarer in facts.miseres:
        for seat in at_table:
            scores[seat] += 2 * 10 * (len(at_table) - 1) if seat == declarer else -2 * 10

    if options["score_rounding"]:
        scores = [0 if seat == facts.taker else _rounded(half) for seat, half in enumerate(scores)]
        scores[facts.taker] = -sum(scores)
    return scores


def _attack(facts: Facts, game: Game, options: Mapping[str, Any]) -> dict[int, int]:
    """Parts of the attack's winnings, by seat."""
    if game.has_partnerships:
        return {facts.taker: 1, (facts.taker + 3) % 6: 1}
    if facts.partner is None:
        return {facts.taker: 1}
    of_taker, of_partner = options["partner_share"]
    return {facts.taker: of_taker, facts.partner: of_partner}


def _paid_by_each_defender(facts: Facts, options: Mapping[str, Any]) -> int:
    """T of RULES.md 11.1, in half points."""
    margin_half, made = _margin(facts.attack_half, facts.oudlers, options)
    sign = 1 if made else -1
    multiplier: int = options["multipliers"][BIDS.index(facts.bid)]
    if options["contra_effect"] == "double":
        multiplier *= facts.contra
    bonuses: tuple[int, ...] = options["poignee_bonus"] or ()
    handfuls = sum(bonuses[POIGNEES.index(level)] for level in facts.poignees)

    total_half = sign * (2 * 25 + margin_half) * multiplier
    total_half += 2 * 10 * multiplier * facts.petit_au_bout
    total_half += 2 * sign * handfuls
    total_half += 2 * _slam_points(facts, options)
    return total_half


def contract_is_made(attack_half: int, oudlers: int, options: Mapping[str, Any]) -> bool:
    return _margin(attack_half, oudlers, options)[1]


def _margin(attack_half: int, oudlers: int, options: Mapping[str, Any]) -> tuple[int, bool]:
    """Margin in half points, never negative, and whether the contract is made.

    `half_point` says what happens to an odd half point.
    """
    difference = attack_half - 2 * TARGET_POINTS[oudlers]
    if options["half_point"] == "exact":
        return abs(difference), difference >= 0
    if options["half_point"] == "winner":
        points = (abs(difference) + 1) // 2
        return 2 * points, difference >= 0
    points = (difference + 1) // 2
    return 2 * abs(points), points >= 0


def _slam_points(facts: Facts, options: Mapping[str, Any]) -> int:
    """What the taker gets from each defender for a slam or all tricks but three.

    A slam of the defence costs him beside what he announced in vain.
    """
    bonus_announced, bonus_unannounced, failed = options["slam_bonus"]
    points = 0
    if facts.slam_announced:
        points += bonus_announced if facts.slam == ATTACK else failed
    elif facts.petit_chelem_announced:
        points += 300 if facts.petit_chelem else -150
    elif facts.slam == ATTACK:
        points += bonus_unannounced
    elif facts.petit_chelem and options["petit_chelem"]:
        points += 150
    if facts.slam == DEFENCE:
        points -= options["defence_slam"]
    return points


def _rounded(half: int) -> int:
    """The nearest ten points, those in the middle away from zero."""
    tens = (abs(half) + 10) // 20
    return 20 * tens if half >= 0 else -20 * tens
