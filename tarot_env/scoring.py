"""The score of a finished deal (rules.md A0.5, A0.7): piles, Excuse, contract, bonuses.

`finish` settles tables that have played their last card. `payment` is the formula alone, from the
facts of a deal; `score_lines`, `pile_lines` and `excuse_text` explain it in words. All amounts are
integer half points.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Int, Int64, Integer, UInt64

from tarot_env import cardsets
from tarot_env.actions import PASS, POIGNEE, Bid, Phase, action_words
from tarot_env.cards import EXCUSE as EXCUSE_ID
from tarot_env.cards import HALF_POINTS
from tarot_env.dealing import petit_sec_text
from tarot_env.rules import TARGET_POINTS, Rules
from tarot_env.state import EXCUSE, PETIT, State, attackers, set_aside

_OUDLER_WORTH = int(HALF_POINTS[EXCUSE_ID])
_MULTIPLIER_COLUMN = np.array([0, 1, 0, 2, 3, 4])
"""Column of each `Bid` in `Rules.multipliers` behind a 0 for none; a pousse is never played."""


def _none() -> Int64[np.ndarray, " 1"]:
    return np.zeros(1, np.int64)


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
    petit_chelem: Int64[np.ndarray, " n"] = field(default_factory=_none)  # 1: the attack took all tricks but three or more
    petit_chelem_announced: Int64[np.ndarray, " n"] = field(default_factory=_none)  # 0 or 1
    contra: Int64[np.ndarray, " n"] = field(default_factory=_none)  # 0, 1 contred, 2 recontred


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


def multipliers(contract: Integer[np.ndarray, " n"], rules: Rules) -> Int64[np.ndarray, " n"]:
    """What each contract multiplies, 0 where there is none."""
    return np.array((0, *rules.multipliers))[_MULTIPLIER_COLUMN[contract]]


def payment(facts: Facts, rules: Rules) -> Payment:
    """What each defender pays the attack: contract, petit au bout, poignées, slam (A0.7)."""
    target = 2 * np.array(TARGET_POINTS)[facts.oudlers]
    difference = facts.attack_half_points - target
    if rules.half_point == "taker":
        difference = -2 * (-difference // 2)
    made = difference >= 0
    margin = np.abs(difference)
    if rules.half_point == "winner":
        margin = 2 * ((margin + 1) // 2)
    sign = np.where(made, 1, -1)
    multiplier = multipliers(facts.contract, rules)
    if rules.contra_effect == "double":
        multiplier = multiplier * 2**facts.contra
    slam = attack_slam_points(facts, rules) - np.where(facts.slam < 0, rules.defence_slam, 0)
    return Payment(
        made=made,
        target=target,
        margin=margin,
        multiplier=multiplier,
        contract=sign * (50 + margin) * multiplier,
        petit_au_bout=20 * multiplier * facts.petit_au_bout,
        poignees=2 * sign * facts.poignee_points,
        slam=2 * slam,
    )


PETIT_CHELEM_POINTS = {"unannounced": 150, "announced": 300, "failed": -150}
"""Per defender (rules.md A10)."""


def attack_slam_points(facts: Facts, rules: Rules) -> Int64[np.ndarray, " n"]:
    """What the attack gets or pays for slam and petit chelem, never both, in points."""
    announced_and_made, unannounced, failed = rules.slam_bonus
    announced = facts.slam_announced != 0
    small = facts.petit_chelem_announced != 0
    all_tricks, enough = facts.slam > 0, facts.petit_chelem > 0
    points = PETIT_CHELEM_POINTS
    silent = np.where(
        all_tricks, unannounced, np.where(enough & rules.petit_chelem, points["unannounced"], 0)
    )
    after_slam = np.where(all_tricks, announced_and_made, failed)
    after_small = np.where(enough, points["announced"], points["failed"])
    result: np.ndarray = np.where(announced, after_slam, np.where(small, after_small, silent))
    return result


@dataclass(frozen=True)
class Sides:
    """Who pays whom; bool [n, p] and int64 [n], -1 for nobody."""

    taker: Int64[np.ndarray, " n"]
    partner: Int64[np.ndarray, " n"]
    plays: Bool[np.ndarray, "n p"]  # all seats but a dealer who sits out

    @property
    def attack(self) -> Bool[np.ndarray, "n p"]:
        """Seats on the taker's side."""
        seats = np.arange(self.plays.shape[1])
        return (seats == self.taker[:, None]) | (seats == self.partner[:, None])


def half_scores(
    per_defender: Int64[np.ndarray, " n"],
    misere: Integer[np.ndarray, "n p"],
    sides: Sides,
    rules: Rules,
) -> Int64[np.ndarray, "n p"]:
    """Scores of all seats: each defender pays, the attack shares what it collects.

    Alone, the taker has it all. With a called partner it is shared by rule, in a partnership evenly.
    """
    attack = sides.attack
    defence = sides.plays & ~attack
    collected = per_defender * defence.sum(1)
    alone = attack.sum(1) == 1
    own, other = rules.partner_share or (1, 1)
    taker_part = np.where(alone, own + other, own)
    is_taker = np.arange(attack.shape[1]) == sides.taker[:, None]
    parts = np.where(is_taker, taker_part[:, None], np.where(attack, other, 0))
    scores = collected[:, None] * parts // (own + other)
    scores = scores - np.where(defence, per_defender[:, None], 0)
    if rules.misere:
        scores = scores + _misere_half_scores(misere, sides.plays)
    if rules.score_rounding:
        scores = _rounded(scores, is_taker, 2 * rules.score_rounding)
    return scores


_MISERE_HALF_POINTS = 20


def _misere_half_scores(
    misere: Integer[np.ndarray, "n p"], plays: Bool[np.ndarray, "n p"]
) -> Int64[np.ndarray, "n p"]:
    """Each declarer gets 10 points from every other seat."""
    declares = (misere > 0).astype(np.int64)
    received = declares * plays.sum(1)[:, None] - declares.sum(1)[:, None]
    return _MISERE_HALF_POINTS * np.where(plays, received, 0)


def _rounded(
    scores: Int64[np.ndarray, "n p"], is_taker: Bool[np.ndarray, "n p"], unit: int
) -> Int64[np.ndarray, "n p"]:
    """Scores rounded to the unit, ties away from zero; the taker gets what makes the sum 0."""
    near = np.sign(scores) * ((2 * np.abs(scores) + unit) // (2 * unit)) * unit
    others = np.where(is_taker, 0, near)
    return np.where(is_taker, -others.sum(1)[:, None], others)


def finish(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Counts the piles of tables whose last trick is taken, scores them and ends the deal."""
    if not len(rows):
        return
    facts = facts_of(state, rows, rules)
    state.attack_half_points[rows] = facts.attack_half_points
    state.oudlers[rows] = facts.oudlers
    state.petit_au_bout[rows] = facts.petit_au_bout
    paid = payment(facts, rules)
    state.made[rows] = paid.made
    sides = sides_of(state, rows, rules)
    state.half_scores[rows] = half_scores(paid.total, state.misere[rows], sides, rules)
    state.chien_open[rows] = True
    state.phase[rows] = Phase.OVER
    state.seat[rows] = -1


def sides_of(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> Sides:
    """Who pays whom at tables that have a taker."""
    plays = np.ones((len(rows), rules.players), bool)
    if rules.dead_hand:
        plays[np.arange(len(rows)), state.dealer[rows]] = False
    taker, partner = state.taker[rows].astype(np.int64), state.partner[rows].astype(np.int64)
    return Sides(taker, partner, plays)


def facts_of(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> Facts:
    """What decides the score of tables whose last trick is taken."""
    attack = attackers(state, rows)
    half_points, oudlers = _attack_pile(state, rows, attack, rules)
    tricks = (state.tricks_won[rows] * attack).sum(1)
    bonuses = np.array((0, *(rules.poignee_bonus or (0, 0, 0))))
    return Facts(
        contract=state.contract[rows].astype(np.int64),
        attack_half_points=half_points,
        oudlers=oudlers,
        poignee_points=bonuses[state.poignee_level[rows]].sum(1),
        petit_au_bout=_petit_au_bout(state, rows, attack, rules),
        slam=np.where(tricks == rules.tricks, 1, np.where(tricks == 0, -1, 0)),
        slam_announced=state.slam_announced[rows].astype(np.int64),
        petit_chelem=(tricks >= rules.tricks - 3).astype(np.int64),
        petit_chelem_announced=state.petit_chelem_announced[rows].astype(np.int64),
        contra=state.contra[rows].astype(np.int64),
    )


def _side_of(
    attack: Bool[np.ndarray, "n a"], seats: Int[np.ndarray, " n"]
) -> Bool[np.ndarray, " n"]:
    """Whether each seat is on the attack; meaningless where the seat is -1."""
    return attack[np.arange(len(attack)), seats]


def _attack_pile(
    state: State, rows: Int64[np.ndarray, " n"], attack: Bool[np.ndarray, "n a"], rules: Rules
) -> tuple[Int64[np.ndarray, " n"], Int64[np.ndarray, " n"]]:
    """Half points and oudlers in the attack's pile: tricks, écart or own chien, the Excuse."""
    aside = _set_aside(state, rows)
    excuse = _excuse(state, rows, attack, rules)
    petit_back = _petit_back(state, rows, attack)
    half_points = (
        (state.trick_half_points[rows] * attack).sum(1)
        + cardsets.half_points(aside)
        + excuse.half_points
        + (_OUDLER_WORTH - 1) * petit_back
    )
    oudlers = cardsets.count(aside & cardsets.OUDLERS) + excuse.ours + petit_back
    for column in range(EXCUSE):
        winner = state.oudler_winner[rows, column]
        oudlers = oudlers + ((winner >= 0) & _side_of(attack, winner))
    return half_points.astype(np.int64), oudlers.astype(np.int64)


def _set_aside(state: State, rows: Int64[np.ndarray, " n"]) -> UInt64[np.ndarray, "n 2"]:
    """What lies with the attack's tricks from the start: the écart, or the chien on a sans."""
    is_sans = (state.contract[rows] == Bid.GARDE_SANS)[:, None]
    return set_aside(state, rows) | np.where(is_sans, state.chien[rows], cardsets.EMPTY)


def _petit_back(
    state: State, rows: Int64[np.ndarray, " n"], attack: Bool[np.ndarray, "n p"]
) -> Int64[np.ndarray, " n"]:
    """+1 where a petit that nobody can take comes back to the attack, -1 to the defence (A10)."""
    owner, winner = state.imprenable[rows], state.oudler_winner[rows, PETIT]
    owner_attacks, winner_attacks = _side_of(attack, owner), _side_of(attack, winner)
    comes_back = (owner >= 0) & (winner >= 0) & (owner_attacks != winner_attacks)
    return np.where(comes_back, np.where(owner_attacks, 1, -1), 0)


class _ExcuseShare(NamedTuple):
    """What becomes of the Excuse at n tables."""

    ours: Bool[np.ndarray, " n"]  # it lies in the attack's pile
    moves: Bool[np.ndarray, " n"]  # it has changed sides
    paid: Int64[np.ndarray, " n"]  # half point that comes to the attack for it: 1, -1 or 0

    @property
    def half_points(self) -> Int64[np.ndarray, " n"]:
        """What it brings the attack."""
        return np.where(self.ours, _OUDLER_WORTH, 0) + self.paid


def _excuse(
    state: State, rows: Int64[np.ndarray, " n"], attack: Bool[np.ndarray, "n a"], rules: Rules
) -> _ExcuseShare:
    """What becomes of a played Excuse, by the trick that it was played to.

    Before the last trick it stays with its owner's side, which pays half a point if the other
    side won the trick. In the last trick the rule decides; won by the Excuse itself, it is plain.
    """
    player, winner = state.oudler_player[rows, EXCUSE], state.oudler_winner[rows, EXCUSE]
    played = player >= 0
    owner_attacks, winner_attacks = _side_of(attack, player), _side_of(attack, winner)
    last = state.oudler_trick[rows, EXCUSE] == rules.tricks - 1
    swept = last & (winner == player)

    if rules.excuse_last_trick == "owner_keeps":
        last = np.zeros_like(last)
    stays = ~last | swept
    kept_by_winner = np.full(len(rows), rules.excuse_last_trick == "trick_winner")
    goes_to_attack = np.where(kept_by_winner, winner_attacks, ~owner_attacks)
    ours = np.where(stays, owner_attacks, goes_to_attack)

    lost_trick = owner_attacks != winner_attacks
    pays = stays & ~swept & lost_trick
    if rules.excuse_last_trick == "changes_side" and rules.excuse_last_trick_refund:
        pays |= ~stays & ~lost_trick
    paid = np.where(pays & played, np.where(ours, -1, 1), 0)
    return _ExcuseShare(ours & played, (ours != owner_attacks) & played, paid)


def _petit_au_bout(
    state: State, rows: Int64[np.ndarray, " n"], attack: Bool[np.ndarray, "n a"], rules: Rules
) -> Int64[np.ndarray, " n"]:
    """+1 where the attack won the last trick with the petit in it, -1 where the defence did.

    Where the Excuse wins the last trick, the petit counts in the trick before if the same side
    played it there.
    """
    winner, player = state.oudler_winner[rows, PETIT], state.oudler_player[rows, PETIT]
    trick = state.oudler_trick[rows, PETIT]
    last = rules.tricks - 1
    counts = trick == last
    if rules.petit_au_bout_second_last:
        excuse_won = (state.oudler_trick[rows, EXCUSE] == last) & (
            state.oudler_winner[rows, EXCUSE] == state.oudler_player[rows, EXCUSE]
        )
        same_side = _side_of(attack, winner) == _side_of(attack, player)
        counts |= excuse_won & (trick == last - 1) & same_side
    return np.where(counts, np.where(_side_of(attack, winner), 1, -1), 0)


# -- in words


def score_lines(state: State, row: int, rules: Rules) -> list[str]:
    """The score of one finished deal explained line by line, as a card player would write it."""
    if state.taker[row] < 0:
        return [thrown_in_text(state, row, rules)]
    rows = np.array([row])
    facts = facts_of(state, rows, rules)
    return _explain(state, row, facts, payment(facts, rules), rules)


def thrown_in_text(state: State, row: int, rules: Rules) -> str:
    """Why a deal was not played: a petit sec, or everybody passed."""
    unheard = state.history_size[row] == 0
    found = petit_sec_text(state.hands[row], rules) if unheard else None
    if found is None:
        return "everybody passed: the deal is thrown in, nobody scores"
    return f"{found}; the deal is void"


def points_text(half: int) -> str:
    """Half points as a scorer writes them: `49`, `40.5`."""
    return f"{half // 2}" if half % 2 == 0 else f"{half / 2:.1f}"


def pile_lines(state: State, row: int, rules: Rules) -> list[str]:
    """How the points of the attack add up, once the deal is over."""
    rows = np.array([row])
    attack = attackers(state, rows)
    excuse = _excuse(state, rows, attack, rules)
    tricks = int((state.trick_half_points[rows] * attack).sum())
    aside = points_text(int(cardsets.half_points(_set_aside(state, rows))[0]))
    parts = [f"tricks {points_text(tricks)}"]
    contract = state.contract[row]
    if contract != Bid.GARDE_CONTRE:
        parts.append(f" + {'chien' if contract == Bid.GARDE_SANS else 'écart'} {aside}")
    if excuse.ours[0]:
        parts.append(f" + the Excuse {points_text(_OUDLER_WORTH)}")
    if excuse.paid[0]:
        half = "+ 0.5" if excuse.paid[0] > 0 else "- 0.5"
        parts.append(f" {half} paid for {'it' if excuse.ours[0] else 'the Excuse'}")
    total = points_text(int(state.attack_half_points[row]))
    lines = [f"points of the attack: {''.join(parts)} = {total}"]
    if contract == Bid.GARDE_CONTRE:
        chien = points_text(int(cardsets.half_points(state.chien[rows])[0]))
        lines.append(f"the chien, {chien} points, counts for the defence")
    return lines


def excuse_text(state: State, row: int, rules: Rules) -> str:
    """Who has the Excuse after the trick that it was played to, and what is paid for it."""
    rows = np.array([row])
    attack = attackers(state, rows)
    excuse = _excuse(state, rows, attack, rules)
    ours = bool(excuse.ours[0])
    holder, other = _SIDES[ours], _SIDES[not ours]
    worth = points_text(_OUDLER_WORTH)
    if state.oudler_winner[row, EXCUSE] == state.oudler_player[row, EXCUSE]:
        return f"the Excuse wins the trick, its {worth} points are the {holder}'s"
    if excuse.moves[0]:
        back = ", half a point comes back" if excuse.paid[0] else ""
        return f"the Excuse goes over to the {holder} with {worth} points{back}"
    paid = f", half a point goes to the {other}" if excuse.paid[0] else ""
    return f"the Excuse stays with the {holder} with {worth} points{paid}"


_SIDES = {True: "attack", False: "defence"}


def _explain(state: State, row: int, facts: Facts, paid: Payment, rules: Rules) -> list[str]:
    scores = ", ".join(
        f"seat {seat} {points_text(int(half))}" for seat, half in enumerate(state.half_scores[row])
    )
    total = int(paid.total[0])
    return [
        _result_line(state, row, facts, paid),
        "what each defender pays the attack (+) or receives from it (-):",
        *_part_lines(state, row, facts, paid, rules),
        f"each defender {'pays' if total >= 0 else 'receives'} {points_text(abs(total))}",
        f"scores: {scores}",
    ]


def _result_line(state: State, row: int, facts: Facts, paid: Payment) -> str:
    contract = action_words(PASS + int(facts.contract[0]))
    points, target = int(facts.attack_half_points[0]), int(paid.target[0])
    oudlers, margin = int(facts.oudlers[0]), int(paid.margin[0])
    rounded = ", the half point rounded" if margin != abs(points - target) else ""
    return (
        f"{contract} by seat {state.taker[row]}: {points_text(points)} points with {oudlers} "
        f"oudler{'' if oudlers == 1 else 's'}, {points_text(target)} needed: "
        f"{'made' if paid.made[0] else 'failed'} by {points_text(margin)}{rounded}"
    )


def _part_lines(state: State, row: int, facts: Facts, paid: Payment, rules: Rules) -> list[str]:
    """One line for each thing that is paid for."""
    minus, multiplier = "" if paid.made[0] else "-", int(paid.multiplier[0])
    lines = [
        f"contract {minus}(25 + {points_text(int(paid.margin[0]))}) x {multiplier} = "
        f"{_signed(int(paid.contract[0]))}"
    ]
    for seat in np.flatnonzero(state.poignee_level[row]):
        level = int(state.poignee_level[row, seat])
        bonus = (2 if paid.made[0] else -2) * rules.poignee_bonus[level - 1]
        lines.append(f"{action_words(POIGNEE + level - 1)} shown by seat {seat} {_signed(bonus)}")
    if facts.petit_au_bout[0]:
        ours = bool(facts.petit_au_bout[0] > 0)
        amount = _signed(int(paid.petit_au_bout[0]))
        sign = "" if ours else "-"
        lines.append(f"petit au bout of the {_SIDES[ours]} {sign}10 x {multiplier} = {amount}")
    made, unannounced, failed = rules.slam_bonus
    took_all, announced = int(facts.slam[0]), bool(facts.slam_announced[0])
    if took_all > 0 and announced:
        lines.append(f"slam made, announced {_signed(2 * made)}")
    elif took_all > 0:
        lines.append(f"slam made, not announced {_signed(2 * unannounced)}")
    elif announced:
        lines.append(f"slam announced and failed {_signed(2 * failed)}")
    if took_all < 0:
        lines.append(f"slam by the defence {_signed(-2 * rules.defence_slam)}")
    return lines


def _signed(half: int) -> str:
    return ("+" if half >= 0 else "-") + points_text(abs(half))
