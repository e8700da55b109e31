"""The score of a deal (RULES.md 10, 11): piles, Excuse, contract, bonuses.

`finish` settles a table that has played its last card. `price` is the formula alone, from the
facts of a deal, and `pay` says who gets what of it. `facts_of`, `payment` and `half_scores` do the
same for many deals at once, with arrays; the module `score_sheet` explains them in words. All
amounts are whole half points.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from jaxtyping import Bool, Int64, Integer

from tarot_env.core.bits import OUDLER_WORTH, OUDLERS, half_points, popcount
from tarot_env.core.compiling import as_compiled, kernel, loop
from tarot_env.core.state import (
    EXCUSE,
    GARDE_SANS,
    PETIT,
    Columns,
    attacks,
    chien,
    choice,
    rules_record,
    take_records,
)
from tarot_env.errors import plural
from tarot_env.rules import TARGET_POINTS, Rules

_TARGETS = 2 * np.array(TARGET_POINTS)
"""Half points that the attack needs, by its oudlers."""
_TO_TAKER, _TO_WINNER = choice("half_point", "taker"), choice("half_point", "winner")
_CHANGES_SIDE = choice("excuse_last_trick", "changes_side")
_TRICK_WINNER = choice("excuse_last_trick", "trick_winner")
_DOUBLE = choice("contra_effect", "double")
PETIT_CHELEM_POINTS = {"unannounced": 150, "announced": 300, "failed": -150}
"""Per defender (RULES.md 11.6)."""
_SMALL_SILENT, _SMALL_MADE, _SMALL_FAILED = PETIT_CHELEM_POINTS.values()
MISERE_HALF_POINTS = 20
"""What each other seat gives to one that declared a misère."""


@kernel
def finish(t: Any, rules: Any) -> None:
    """Counts the piles of a table whose last trick is taken, and scores it."""
    facts = deal_facts(t, rules)
    paid = price(facts, rules)
    t.attack_half_points, t.oudlers, t.petit_au_bout = facts[1], facts[2], facts[4]
    t.made = paid[0]
    total = paid[4] + paid[5] + paid[6] + paid[7]
    absent = t.dealer if rules.dead_hand else -1
    pay(total, t.misere, t.taker, t.partner, absent, rules, t.half_scores)
    t.chien_open = 1


# -- the facts of a deal


@kernel
def deal_facts(t: Any, rules: Any) -> tuple[Any, ...]:
    """What decides the score of a table whose last trick is taken; the fields of `Facts`."""
    points, oudlers = attack_pile(t, rules)
    tricks = 0
    for hand in range(rules.hands):
        if attacks(t, hand):
            tricks += t.tricks_won[hand]
    poignees = 0
    for seat in range(rules.players):
        poignees += rules.poignee_bonus[t.poignee_level[seat]]
    return (
        np.int64(t.contract),
        points,
        oudlers,
        poignees,
        petit_au_bout(t, rules),
        np.int64(tricks == rules.tricks) - np.int64(tricks == 0),
        np.int64(t.slam_announced),
        np.int64(tricks >= rules.tricks - 3),
        np.int64(t.petit_chelem_announced),
        np.int64(t.contra),
    )


@kernel
def aside(t: Any, rules: Any) -> tuple[int, int]:
    """What lies with the attack's tricks from the start: the écart, or the chien on a sans."""
    suits, rest = t.ecart[0, 0] | t.ecart[1, 0], t.ecart[0, 1] | t.ecart[1, 1]
    if t.contract == GARDE_SANS:
        own_suits, own_rest = chien(t, rules)
        suits, rest = suits | own_suits, rest | own_rest
    return suits, rest


@kernel
def attack_pile(t: Any, rules: Any) -> tuple[int, int]:
    """Half points and oudlers in the attack's pile: tricks, what lay aside, the Excuse."""
    suits, rest = aside(t, rules)
    ours, _moves, paid = excuse_share(t, rules)
    back = petit_back(t)
    points = half_points(suits, rest) + OUDLER_WORTH * ours + paid + (OUDLER_WORTH - 1) * back
    oudlers = popcount(rest & OUDLERS) + ours + back
    points += tricks_of_attack(t, rules)
    for oudler in range(EXCUSE):
        oudlers += t.oudler_winner[oudler] >= 0 and attacks(t, t.oudler_winner[oudler])
    return points, oudlers


@kernel
def tricks_of_attack(t: Any, rules: Any) -> int:
    """Half points in the attack's tricks, the Excuse left out."""
    points = 0
    for hand in range(rules.hands):
        if attacks(t, hand):
            points += t.trick_half_points[hand]
    return points


@kernel
def petit_back(t: Any) -> int:
    """+1 where an imprenable petit comes back to the attack, -1 to the defence (RULES.md 8.6)."""
    owner, winner = t.imprenable, t.oudler_winner[PETIT]
    if owner < 0 or winner < 0:
        return 0
    return int(attacks(t, owner)) - int(attacks(t, winner))


@kernel
def excuse_share(t: Any, rules: Any) -> tuple[int, int, int]:
    """What becomes of a played Excuse, by the trick that it was played to (RULES.md 9.5).

    Before the last trick it stays with its owner's side, which pays half a point if the other
    side won the trick. In the last trick the rule decides; won by the Excuse itself, it is plain.

    Returns:
        1 if it lies in the attack's pile; 1 if it has changed sides; the half point that comes to
        the attack for it: 1, -1 or 0.
    """
    player, winner = t.oudler_player[EXCUSE], t.oudler_winner[EXCUSE]
    if player < 0:
        return 0, 0, 0
    owner_attacks, winner_attacks = attacks(t, player), attacks(t, winner)
    ours, pays = owner_attacks, owner_attacks != winner_attacks
    if t.oudler_trick[EXCUSE] == rules.tricks - 1:
        if winner == player:
            pays = False
        elif rules.excuse_last_trick == _TRICK_WINNER:
            ours, pays = winner_attacks, False
        elif rules.excuse_last_trick == _CHANGES_SIDE:
            ours = not owner_attacks
            pays = owner_attacks == winner_attacks and rules.excuse_last_trick_refund != 0
    paid = 0
    if pays:
        paid = -1 if ours else 1
    return int(ours), int(ours != owner_attacks), paid


@kernel
def petit_au_bout(t: Any, rules: Any) -> int:
    """+1 where the attack won the last trick with the petit in it, -1 where the defence did.

    Where the Excuse wins the last trick, the petit counts in the trick before if the same side
    played it there.
    """
    trick, last = t.oudler_trick[PETIT], rules.tricks - 1
    if trick < 0:
        return 0
    winner_attacks = attacks(t, t.oudler_winner[PETIT])
    counts = trick == last
    if trick == last - 1 and rules.petit_au_bout_second_last:
        won_by_excuse = t.oudler_winner[EXCUSE] == t.oudler_player[EXCUSE]
        same_side = winner_attacks == attacks(t, t.oudler_player[PETIT])
        counts = t.oudler_trick[EXCUSE] == last and won_by_excuse and same_side
    if not counts:
        return 0
    return 1 if winner_attacks else -1


# -- what is paid


@kernel
def multiplier(contract: int, contra: int, rules: Any) -> int:
    """What a contract multiplies, contra and recontra included; 0 where there is none."""
    doubled = contra if rules.contra_effect == _DOUBLE else 0
    return rules.multipliers[contract] << doubled


@kernel
def price(facts: Any, rules: Any) -> tuple[int, int, int, int, int, int, int, int]:
    """What each defender pays the attack (RULES.md 11.1), in half points.

    Args:
        facts: the fields of `Facts`, in their order.
        rules: what is played.

    Returns:
        The fields of `Payment`: made (0 or 1), target, margin as it is paid, multiplier; then what
        is paid for contract, petit au bout, poignées and slam.
    """
    contract, points, oudlers, poignees, au_bout = facts[0], facts[1], facts[2], facts[3], facts[4]
    target = _TARGETS[oudlers]
    difference = points - target
    if rules.half_point == _TO_TAKER:
        difference += difference & 1
    margin = abs(difference)
    if rules.half_point == _TO_WINNER:
        margin += margin & 1
    sign = 1 if difference >= 0 else -1
    times = multiplier(contract, facts[9], rules)
    return (
        int(difference >= 0),
        target,
        margin,
        times,
        sign * (50 + margin) * times,
        20 * times * au_bout,
        2 * sign * poignees,
        2 * slam_points(facts, rules),
    )


@kernel
def slam_points(facts: Any, rules: Any) -> int:
    """What the attack gets or pays for slam and petit chelem, never both, in points.

    A defence that takes every trick is paid on top of an announced slam that fails.
    """
    every, enough = facts[5] > 0, facts[7] > 0
    inflicted = -rules.defence_slam if facts[5] < 0 else 0
    if facts[6]:
        return inflicted + (rules.slam_bonus[0] if every else rules.slam_bonus[2])
    if facts[8]:
        return inflicted + (_SMALL_MADE if enough else _SMALL_FAILED)
    if every:
        return inflicted + rules.slam_bonus[1]
    return inflicted + (_SMALL_SILENT if enough and rules.petit_chelem else 0)


@kernel
def share(paid: int, taker: int, partner: int, absent: int, rules: Any, out: Any) -> None:
    """Each defender pays, the attack shares what it collects (RULES.md 11.7).

    Alone, the taker has it all. With a called partner it is shared by rule, with six evenly.

    Args:
        paid: what each defender pays, in half points.
        taker: its seat.
        partner: its partner's; -1 or the taker's own if it is alone.
        absent: the dealer who sits out, -1 for nobody.
        rules: what is played.
        out: scores by seat, written.
    """
    own, other = rules.partner_share[0], rules.partner_share[1]
    alone = partner < 0 or partner == taker
    defenders = rules.players - 1 - int(not alone) - int(absent >= 0)
    collected = defenders * paid
    for seat in range(rules.players):
        if seat == taker:
            out[seat] = collected if alone else collected * own // (own + other)
        elif seat == partner:
            out[seat] = collected * other // (own + other)
        else:
            out[seat] = 0 if seat == absent else -paid


@kernel
def pay(
    paid: int, misere: Any, taker: int, partner: int, absent: int, rules: Any, out: Any
) -> None:
    """Scores of all seats: what the deal pays, misères, and rounding where the rules have it.

    Arguments as for `share`; `misere`: above 0 where a seat declared one.
    """
    share(paid, taker, partner, absent, rules, out)
    if rules.misere:
        declared = 0
        for seat in range(rules.players):
            declared += misere[seat] > 0
        others = rules.players - int(absent >= 0)
        for seat in range(rules.players):
            if seat != absent:
                out[seat] += MISERE_HALF_POINTS * (others * (misere[seat] > 0) - declared)
    if rules.score_rounding:
        unit, rest = 2 * rules.score_rounding, 0
        for seat in range(rules.players):
            if seat != taker:
                near = (2 * abs(out[seat]) + unit) // (2 * unit) * unit
                out[seat] = near if out[seat] >= 0 else -near
                rest -= out[seat]
        out[taker] = rest


# -- the same for many deals


@dataclass(frozen=True)
class Facts:
    """What decides the score of n deals; every array is int64 [n], amounts in half points."""

    contract: Int64[np.ndarray, " n"]
    attack_half_points: Int64[np.ndarray, " n"]
    oudlers: Int64[np.ndarray, " n"]
    poignee_points: Int64[np.ndarray, " n"]  # sum over all poignées shown, in points
    petit_au_bout: Int64[np.ndarray, " n"]  # +1 attack, -1 defence, 0 none
    slam: Int64[np.ndarray, " n"]  # who took every trick: +1 attack, -1 defence, 0 nobody
    slam_announced: Int64[np.ndarray, " n"]  # 0 or 1
    petit_chelem: Int64[np.ndarray, " n"]  # 1: the attack lost three tricks or fewer
    petit_chelem_announced: Int64[np.ndarray, " n"]  # 0 or 1
    contra: Int64[np.ndarray, " n"]  # 0, 1 contred, 2 recontred


@dataclass(frozen=True)
class Payment:
    """The parts of what each defender pays, in half points (negative: receives); int64 [n]."""

    made: Bool[np.ndarray, " n"]
    target: Int64[np.ndarray, " n"]
    margin: Int64[np.ndarray, " n"]  # between points and target as it is paid, not negative
    multiplier: Int64[np.ndarray, " n"]
    contract: Int64[np.ndarray, " n"]
    petit_au_bout: Int64[np.ndarray, " n"]
    poignees: Int64[np.ndarray, " n"]
    slam: Int64[np.ndarray, " n"]

    @property
    def total(self) -> Int64[np.ndarray, " n"]:
        """What each defender pays in all."""
        return self.contract + self.petit_au_bout + self.poignees + self.slam


@dataclass(frozen=True)
class Sides:
    """Who pays whom; bool [n, p] and int64 [n], -1 for nobody."""

    taker: Int64[np.ndarray, " n"]
    partner: Int64[np.ndarray, " n"]
    plays: Bool[np.ndarray, "n p"]  # all seats but a dealer who sits out

    @cached_property
    def is_taker(self) -> Bool[np.ndarray, "n p"]:
        """Which seat is the taker."""
        return np.arange(self.plays.shape[1]) == self.taker[:, None]

    @cached_property
    def attack(self) -> Bool[np.ndarray, "n p"]:
        """Seats on the taker's side."""
        return self.is_taker | (np.arange(self.plays.shape[1]) == self.partner[:, None])

    @cached_property
    def defence(self) -> Bool[np.ndarray, "n p"]:
        """Seats that play against the taker."""
        return self.plays & ~self.attack

    @cached_property
    def absent(self) -> Int64[np.ndarray, " n"]:
        """The seat that sits out, -1 for nobody."""
        return np.where(self.plays.all(1), -1, self.plays.argmin(1))


def multipliers(
    contract: Integer[np.ndarray, " n"], contra: Integer[np.ndarray, " n"], rules: Rules
) -> Int64[np.ndarray, " n"]:
    """What each contract multiplies, contra and recontra included; 0 where there is none."""
    found = np.empty(len(contract), np.int64)
    _multiply_all(*_int64(contract, contra), rules_record(rules), found)
    return found


def payment(facts: Facts, rules: Rules) -> Payment:
    """What each defender pays the attack in half points, part by part (RULES.md 11.1)."""
    given = np.stack([getattr(facts, field.name) for field in fields(Facts)], 1)
    parts = np.empty((len(given), len(fields(Payment))), np.int64)
    _payment_all(*_int64(given), rules_record(rules), parts)
    made, *rest = parts.T
    return Payment(made.astype(bool), *rest)


def half_scores(
    per_defender: Int64[np.ndarray, " n"],
    misere: Integer[np.ndarray, "n p"],
    sides: Sides,
    rules: Rules,
    *,
    rounded: bool = True,
) -> Int64[np.ndarray, "n p"]:
    """Scores of all seats: what the deal pays, misères, and rounding where the rules have it."""
    scores = np.zeros(sides.plays.shape, np.int64)
    record = rules_record(rules)
    if not rounded:
        record["score_rounding"] = 0
    given = _int64(per_defender, misere, sides.taker, sides.partner, sides.absent)
    _pay_all(*given, record, scores)
    return scores


def deal_half_scores(
    per_defender: Int64[np.ndarray, " n"], sides: Sides, rules: Rules
) -> Int64[np.ndarray, "n p"]:
    """What the deal alone pays all seats; see `share`."""
    scores = np.zeros(sides.plays.shape, np.int64)
    given = _int64(per_defender, sides.taker, sides.partner, sides.absent)
    _share_all(*given, rules_record(rules), scores)
    return scores


def sides_of(columns: Columns, rows: Int64[np.ndarray, " n"], rules: Rules) -> Sides:
    """Who pays whom at tables that have a taker."""
    plays = np.ones((len(rows), rules.players), bool)
    if rules.dead_hand:
        plays[np.arange(len(rows)), columns.dealer[rows]] = False
    taker, partner = _int64(columns.taker[rows], columns.partner[rows])
    return Sides(taker, partner, plays)


def facts_of(columns: Columns, rows: Int64[np.ndarray, " n"], rules: Rules) -> Facts:
    """What decides the score of tables whose last trick is taken."""
    found = np.empty((len(rows), len(fields(Facts))), np.int64)
    _facts_all(take_records(columns.records, rows), rules_record(rules), found)
    return Facts(*found.T)


@dataclass(frozen=True)
class Pile:
    """How the attack's pile of one finished deal comes about; half points."""

    tricks: int
    aside: int  # écart, or the chien of a garde sans
    excuse_ours: bool  # it lies in the attack's pile
    excuse_moved: bool  # it has changed sides
    excuse_paid: int  # what comes to the attack for it: 1, -1 or 0
    petit_back: int  # +1 where a petit that nobody can take comes back to the attack, -1 it goes


def pile_of(columns: Columns, row: int, rules: Rules) -> Pile:
    """How the attack's pile of a table whose last trick is taken comes about."""
    found = np.empty(6, np.int64)
    _pile(columns.records[row : row + 1], rules_record(rules), found)
    tricks, aside, ours, moved, paid, back = found.tolist()
    return Pile(tricks, aside, bool(ours), bool(moved), paid, back)


def _int64(*arrays: np.ndarray) -> Any:
    return tuple(as_compiled(array, np.int64) for array in arrays)


@loop
def _multiply_all(contract: Any, contra: Any, rules: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = multiplier(contract[i], contra[i], rules[0])


@loop
def _payment_all(facts: Any, rules: Any, out: Any) -> None:
    for i in range(len(out)):
        parts = price(facts[i], rules[0])
        for part in range(8):
            out[i, part] = parts[part]


@loop
def _pay_all(
    paid: Any, misere: Any, taker: Any, partner: Any, absent: Any, rules: Any, out: Any
) -> None:
    for i in range(len(out)):
        pay(paid[i], misere[i], taker[i], partner[i], absent[i], rules[0], out[i])


@loop
def _share_all(paid: Any, taker: Any, partner: Any, absent: Any, rules: Any, out: Any) -> None:
    for i in range(len(out)):
        share(paid[i], taker[i], partner[i], absent[i], rules[0], out[i])


@loop
def _facts_all(tables: Any, rules: Any, out: Any) -> None:
    for i in range(len(out)):
        facts = deal_facts(tables[i], rules[0])
        for part in range(10):
            out[i, part] = facts[part]


@loop
def _pile(tables: Any, rules: Any, out: Any) -> None:
    t = tables[0]
    suits, rest = aside(t, rules[0])
    out[0], out[1] = tricks_of_attack(t, rules[0]), half_points(suits, rest)
    out[2], out[3], out[4] = excuse_share(t, rules[0])
    out[5] = petit_back(t)


def points_text(half: int) -> str:
    """Half points as a scorer writes them: `49`, `40.5`."""
    return f"{half // 2}" if half % 2 == 0 else f"{half / 2:.1f}"


def points_words(half: int) -> str:
    """Half points in words: `1 point`, `40.5 points`."""
    return f"{points_text(half)} {plural('point', half / 2)}"
