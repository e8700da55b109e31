"""Counting a played deal, and turning the count into scores (rules.md A0.5, A0.7).

All counts are in half points. A trick is `(leader, [(seat, card), ...], winner)`.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from .cards import BIDS, EXCUSE, OUDLERS, PETIT, POIGNEES, half_points
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
) -> tuple[dict[int, int], dict[int, int]]:
    """Half points and oudlers in the final pile of each side, keyed `ATTACK` and `DEFENCE`."""
    piles: dict[int, list[str]] = {ATTACK: [], DEFENCE: []}
    piles[ATTACK] += ecart
    if bid == "garde_sans":
        piles[ATTACK] += chien
    if bid == "garde_contre":
        piles[DEFENCE] += chien
    for _leader, plays, winner in tricks:
        piles[side(winner, attack_seats)] += [card for _seat, card in plays if card != EXCUSE]

    paid_by, paid = ATTACK, 0
    excuse_was_played = EXCUSE not in piles[ATTACK] + piles[DEFENCE]
    if excuse_was_played:
        paid_by, paid = settle_excuse(tricks, attack_seats, options)
        piles[paid_by].append(EXCUSE)

    half = {who: sum(half_points(card) for card in pile) for who, pile in piles.items()}
    half[paid_by] -= paid
    half[-paid_by] += paid
    oudlers = {who: len([card for card in pile if card in OUDLERS]) for who, pile in piles.items()}
    return half, oudlers


def score_deal(
    *,
    bid: str,
    taker: int,
    oudlers: int,
    attack_half: int,
    poignees: Sequence[str] = (),
    petit_au_bout: int = NOBODY,
    slam_announced: bool = False,
    slam: int = NOBODY,
    players: int = 4,
    options: Mapping[str, Any] | None = None,
) -> list[int]:
    """Half points that each seat scores, the taker playing alone (rules.md A0.7).

    Args:
        bid: the contract.
        taker: seat of the taker.
        oudlers: how many the attack has in its final pile.
        attack_half: half points in that pile.
        poignees: the level of each handful shown, by whichever side.
        petit_au_bout: 1 for the attack, -1 for the defence, 0 for nobody.
        slam_announced: whether the taker announced that he would take every trick.
        slam: who took every trick: 1 the attack, -1 the defence, 0 nobody.
        players: number of seats.
        options: rules that differ from those of the FFT.
    """
    rules = read_options(players, options)
    margin_half, made = _margin(attack_half - 2 * TARGET_POINTS[oudlers], rules["half_point"])
    sign = 1 if made else -1
    multiplier = rules["multipliers"][BIDS.index(bid)]
    handfuls = sum(rules["poignee_bonus"][POIGNEES.index(level)] for level in poignees)

    total_half = sign * (2 * 25 + margin_half) * multiplier
    total_half += 2 * 10 * multiplier * petit_au_bout
    total_half += 2 * sign * handfuls
    total_half += 2 * _slam_points(slam_announced, slam, rules)

    scores = [-total_half] * players
    scores[taker] = total_half * (players - 1)
    return scores


def _margin(difference: int, half_point: str) -> tuple[int, bool]:
    """Margin in half points, never negative, and whether the contract is made.

    Args:
        difference: attack half points less twice the target.
        half_point: the option that says what happens to an odd half point.
    """
    if half_point == "exact":
        return abs(difference), difference >= 0
    if half_point == "winner":
        points = (abs(difference) + 1) // 2
        return 2 * points, difference >= 0
    points = (difference + 1) // 2
    return 2 * abs(points), points >= 0


def _slam_points(announced: bool, slam: int, rules: Mapping[str, Any]) -> int:
    """What the taker gets from each defender for the slam; both penalties can apply together."""
    bonus_announced, bonus_unannounced, failed = rules["slam_bonus"]
    points = 0
    if announced:
        points += bonus_announced if slam == ATTACK else failed
    elif slam == ATTACK:
        points += bonus_unannounced
    if slam == DEFENCE:
        points -= rules["defence_slam"]
    return points
