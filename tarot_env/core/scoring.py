"""The score of a finished deal (rules.md A0.5, A0.7): piles, Excuse, contract, bonuses.

`finish` settles tables that have played their last card. `payment` is the formula alone, from the
facts of a deal, and `half_scores` says who gets what of it; the module `score_sheet` explains both
in words. All amounts are integer half points.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Int, Int64, Integer, UInt64

from tarot_env.cards import EXCUSE as EXCUSE_ID
from tarot_env.cards import HALF_POINTS, cardsets
from tarot_env.cards.actions import Bid, Phase
from tarot_env.core.state import EXCUSE, PETIT, State, attackers, set_aside
from tarot_env.errors import plural
from tarot_env.rules import TARGET_POINTS, Rules

OUDLER_WORTH = int(HALF_POINTS[EXCUSE_ID])
"""Half points of an oudler."""
_MULTIPLIER_COLUMN = np.array([0, 1, 0, 2, 3, 4])
"""Column of each `Bid` in `Rules.multipliers` behind a 0 for none; a pousse is never played."""
_TARGETS = 2 * np.array(TARGET_POINTS)
"""Half points that the attack needs, by its oudlers."""


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


def multipliers(
    contract: Integer[np.ndarray, " n"], contra: Integer[np.ndarray, " n"], rules: Rules
) -> Int64[np.ndarray, " n"]:
    """What each contract multiplies, contra and recontra included; 0 where there is none."""
    multiplier = np.array((0, *rules.multipliers))[_MULTIPLIER_COLUMN[contract]]
    return multiplier * 2**contra if rules.contra_effect == "double" else multiplier


def payment(facts: Facts, rules: Rules) -> Payment:
    """What each defender pays the attack: contract, petit au bout, poignées, slam (A0.7)."""
    target = _TARGETS[facts.oudlers]
    difference = facts.attack_half_points - target
    if rules.half_point == "taker":
        difference = -2 * (-difference // 2)
    made = difference >= 0
    margin = np.abs(difference)
    if rules.half_point == "winner":
        margin = 2 * ((margin + 1) // 2)
    sign = np.where(made, 1, -1)
    multiplier = multipliers(facts.contract, facts.contra, rules)
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


def half_scores(
    per_defender: Int64[np.ndarray, " n"],
    misere: Integer[np.ndarray, "n p"],
    sides: Sides,
    rules: Rules,
) -> Int64[np.ndarray, "n p"]:
    """Scores of all seats: what the deal pays, misères, and rounding where the rules have it."""
    scores = deal_half_scores(per_defender, sides, rules)
    if rules.misere:
        scores = scores + misere_half_scores(misere, sides)
    if rules.score_rounding:
        scores = rounded_half_scores(scores, sides, rules)
    return scores


def deal_half_scores(
    per_defender: Int64[np.ndarray, " n"], sides: Sides, rules: Rules
) -> Int64[np.ndarray, "n p"]:
    """What the deal pays: each defender pays, the attack shares what it collects.

    Alone, the taker has it all. With a called partner it is shared by rule, with six evenly.
    """
    attack, defence = sides.attack, sides.defence
    collected = per_defender * defence.sum(1)
    alone = attack.sum(1) == 1
    own, other = rules.partner_share or (1, 1)
    taker_part = np.where(alone, own + other, own)
    parts = np.where(sides.is_taker, taker_part[:, None], np.where(attack, other, 0))
    shares: np.ndarray = collected[:, None] * parts // (own + other)
    return shares - np.where(defence, per_defender[:, None], 0)


MISERE_HALF_POINTS = 20
"""What each other seat gives to one that declared a misère."""


def misere_half_scores(
    misere: Integer[np.ndarray, "n p"], sides: Sides
) -> Int64[np.ndarray, "n p"]:
    """What misères bring and cost: each declarer gets 10 points from every other seat."""
    declares = (misere > 0).astype(np.int64)
    received = declares * sides.plays.sum(1)[:, None] - declares.sum(1)[:, None]
    return MISERE_HALF_POINTS * np.where(sides.plays, received, 0)


def rounded_half_scores(
    scores: Int64[np.ndarray, "n p"], sides: Sides, rules: Rules
) -> Int64[np.ndarray, "n p"]:
    """Scores rounded by rule, ties away from zero; the taker gets what makes the sum 0."""
    unit = 2 * rules.score_rounding
    near = np.sign(scores) * ((2 * np.abs(scores) + unit) // (2 * unit)) * unit
    others = np.where(sides.is_taker, 0, near)
    return np.where(sides.is_taker, -others.sum(1)[:, None], others)


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
        slam=(tricks == rules.tricks).astype(np.int64) - (tricks == 0),
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
    aside = aside_of(state, rows)
    excuse = excuse_share(state, rows, attack, rules)
    half_points = (
        (state.trick_half_points[rows] * attack).sum(1)
        + cardsets.half_points(aside)
        + excuse.half_points
    )
    oudlers = cardsets.count(aside & cardsets.OUDLERS) + excuse.ours
    if rules.petit_sec == "imprenable":
        returned = petit_back(state, rows, attack)
        half_points = half_points + (OUDLER_WORTH - 1) * returned
        oudlers = oudlers + returned
    winners = state.oudler_winner[rows, :EXCUSE]
    won = (winners >= 0) & attack[np.arange(len(rows))[:, None], winners]
    oudlers = oudlers + won.sum(1)
    return half_points.astype(np.int64), oudlers.astype(np.int64)


def aside_of(state: State, rows: Int64[np.ndarray, " n"]) -> UInt64[np.ndarray, "n 2"]:
    """What lies with the attack's tricks from the start: the écart, or the chien on a sans."""
    is_sans = state.contract[rows] == Bid.GARDE_SANS
    return set_aside(state, rows) | cardsets.where(is_sans, state.chien[rows])


def petit_back(
    state: State, rows: Int64[np.ndarray, " n"], attack: Bool[np.ndarray, "n p"]
) -> Int64[np.ndarray, " n"]:
    """+1 where a petit that nobody can take comes back to the attack, -1 to the defence (A10)."""
    owner, winner = state.imprenable[rows], state.oudler_winner[rows, PETIT]
    owner_attacks, winner_attacks = _side_of(attack, owner), _side_of(attack, winner)
    comes_back = (owner >= 0) & (winner >= 0) & (owner_attacks != winner_attacks)
    return np.where(comes_back, np.where(owner_attacks, 1, -1), 0)


class ExcuseShare(NamedTuple):
    """What becomes of the Excuse at n tables."""

    ours: Bool[np.ndarray, " n"]  # it lies in the attack's pile
    moves: Bool[np.ndarray, " n"]  # it has changed sides
    paid: Int64[np.ndarray, " n"]  # half point that comes to the attack for it: 1, -1 or 0

    @property
    def half_points(self) -> Int64[np.ndarray, " n"]:
        """What it brings the attack."""
        return np.where(self.ours, OUDLER_WORTH, 0) + self.paid


def excuse_share(
    state: State, rows: Int64[np.ndarray, " n"], attack: Bool[np.ndarray, "n a"], rules: Rules
) -> ExcuseShare:
    """What becomes of a played Excuse, by the trick that it was played to.

    Before the last trick it stays with its owner's side, which pays half a point if the other
    side won the trick. In the last trick the rule decides; won by the Excuse itself, it is plain.
    """
    player, winner = state.oudler_player[rows, EXCUSE], state.oudler_winner[rows, EXCUSE]
    played = player >= 0
    owner_attacks, winner_attacks = _side_of(attack, player), _side_of(attack, winner)
    last = state.oudler_trick[rows, EXCUSE] == rules.tricks - 1
    swept = last & (winner == player)

    stays = swept | (rules.excuse_last_trick == "owner_keeps") | ~last
    to_winner = rules.excuse_last_trick == "trick_winner"
    ours = np.where(stays, owner_attacks, winner_attacks if to_winner else ~owner_attacks)

    lost_trick = owner_attacks != winner_attacks
    pays = stays & ~swept & lost_trick
    if rules.excuse_last_trick == "changes_side" and rules.excuse_last_trick_refund:
        pays |= ~stays & ~lost_trick
    paid = np.where(pays & played, np.where(ours, -1, 1), 0)
    return ExcuseShare(ours & played, (ours != owner_attacks) & played, paid)


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


def points_text(half: int) -> str:
    """Half points as a scorer writes them: `49`, `40.5`."""
    return f"{half // 2}" if half % 2 == 0 else f"{half / 2:.1f}"


def points_words(half: int) -> str:
    """Half points in words: `1 point`, `40.5 points`."""
    return f"{points_text(half)} {plural('point', half / 2)}"
