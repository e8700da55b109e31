"""The score of a finished deal (rules.md A0.5, A0.7): piles, Excuse, contract, bonuses.

`finish` settles tables that have played their last card. `payment` is the formula alone, from the
facts of a deal, and `score_lines` explains it line by line. All amounts are integer half points.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int, Int64

from tarot_env import cardsets
from tarot_env.actions import BID_TEXTS, POIGNEE_TEXTS, Bid, Phase
from tarot_env.cards import EXCUSE as EXCUSE_ID
from tarot_env.cards import HALF_POINTS
from tarot_env.rules import TARGET_POINTS, Rules
from tarot_env.state import EXCUSE, PETIT, State, attackers

_EXCUSE_WORTH = int(HALF_POINTS[EXCUSE_ID])
_MULTIPLIER_COLUMN = np.array([0, 0, 0, 1, 2, 3])
"""Column of `Rules.multipliers` for each `Bid` (a pousse is never played)."""


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


@dataclass(frozen=True)
class Payment:
    """The parts of what each defender pays, in half points (negative: receives); int64 [n]."""

    made: Bool[np.ndarray, " n"]
    target: Int64[np.ndarray, " n"]
    contract: Int64[np.ndarray, " n"]
    petit_au_bout: Int64[np.ndarray, " n"]
    poignees: Int64[np.ndarray, " n"]
    slam: Int64[np.ndarray, " n"]

    @property
    def total(self) -> Int64[np.ndarray, " n"]:
        """What each defender pays in all."""
        return self.contract + self.petit_au_bout + self.poignees + self.slam


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
    multiplier = np.array(rules.multipliers)[_MULTIPLIER_COLUMN[facts.contract]]

    announced_and_made, unannounced, failed = rules.slam_bonus
    announced = facts.slam_announced != 0
    attack_slam = np.where(announced, announced_and_made, unannounced)
    slam = np.where(facts.slam > 0, attack_slam, np.where(announced, failed, 0))
    slam = slam - np.where(facts.slam < 0, rules.defence_slam, 0)
    return Payment(
        made=made,
        target=target,
        contract=sign * (50 + margin) * multiplier,
        petit_au_bout=20 * multiplier * facts.petit_au_bout,
        poignees=2 * sign * facts.poignee_points,
        slam=2 * slam,
    )


def half_scores(
    per_defender: Int64[np.ndarray, " n"], attack: Bool[np.ndarray, "n p"]
) -> Int64[np.ndarray, "n p"]:
    """Scores of all seats: each defender pays, the taker collects from every defender."""
    defenders = (~attack).sum(1)
    return np.where(attack, (per_defender * defenders)[:, None], -per_defender[:, None])


def finish(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Counts the piles of tables whose last trick is taken, scores them and ends the deal."""
    if not len(rows):
        return
    attack = attackers(state, rows)
    half_points, oudlers = _attack_pile(state, rows, attack, rules)
    facts = Facts(
        contract=state.contract[rows].astype(np.int64),
        attack_half_points=half_points,
        oudlers=oudlers,
        poignee_points=np.array((0, *rules.poignee_bonus))[state.poignee_level[rows]].sum(1),
        petit_au_bout=_petit_au_bout(state, rows, attack, rules),
        slam=_slam(state, rows, attack, rules),
        slam_announced=state.slam_announced[rows].astype(np.int64),
    )
    state.attack_half_points[rows] = half_points
    state.oudlers[rows] = oudlers
    state.petit_au_bout[rows] = facts.petit_au_bout
    paid = payment(facts, rules)
    state.made[rows] = paid.made
    state.half_scores[rows] = half_scores(paid.total, attack)
    state.phase[rows] = Phase.OVER
    state.seat[rows] = -1


def _side_of(
    attack: Bool[np.ndarray, "n p"], seats: Int[np.ndarray, " n"]
) -> Bool[np.ndarray, " n"]:
    """Whether each seat is on the attack; meaningless where the seat is -1."""
    return attack[np.arange(len(attack)), seats]


def _attack_pile(
    state: State, rows: Int64[np.ndarray, " n"], attack: Bool[np.ndarray, "n p"], rules: Rules
) -> tuple[Int64[np.ndarray, " n"], Int64[np.ndarray, " n"]]:
    """Half points and oudlers in the attack's pile: tricks, écart or own chien, the Excuse."""
    contract = state.contract[rows]
    own_chien = np.where((contract == Bid.GARDE_SANS)[:, None], state.chien[rows], cardsets.EMPTY)
    aside = state.ecart[rows] | own_chien
    excuse_half_points, excuse_is_ours = _excuse(state, rows, attack, rules)
    half_points = (
        (state.trick_half_points[rows] * attack).sum(1)
        + cardsets.half_points(aside)
        + excuse_half_points
    )
    oudlers = cardsets.count(aside & cardsets.OUDLERS) + excuse_is_ours
    for column in range(EXCUSE):
        winner = state.oudler_winner[rows, column]
        oudlers = oudlers + ((winner >= 0) & _side_of(attack, winner))
    return half_points.astype(np.int64), oudlers.astype(np.int64)


def _excuse(
    state: State, rows: Int64[np.ndarray, " n"], attack: Bool[np.ndarray, "n p"], rules: Rules
) -> tuple[Int64[np.ndarray, " n"], Bool[np.ndarray, " n"]]:
    """What a played Excuse brings the attack: (half points, whether it lies in its pile).

    Before the last trick it stays with its owner's side, which pays half a point if the other
    side won the trick. In the last trick the rule decides; won by the Excuse itself, it is plain.
    """
    player, winner = state.oudler_player[rows, EXCUSE], state.oudler_winner[rows, EXCUSE]
    played = player >= 0
    owner_attacks, winner_attacks = _side_of(attack, player), _side_of(attack, winner)
    last = state.oudler_trick[rows, EXCUSE] == rules.hand_size - 1
    swept = last & (winner == player)

    if rules.excuse_last_trick == "owner_keeps":
        last = np.zeros_like(last)
    stays = ~last | swept
    kept_by_winner = np.full(len(rows), rules.excuse_last_trick == "trick_winner")
    goes_to_attack = np.where(kept_by_winner, winner_attacks, ~owner_attacks)
    ours = np.where(stays, owner_attacks, goes_to_attack)
    half_points = np.where(ours, _EXCUSE_WORTH, 0)

    lost_trick = owner_attacks != winner_attacks
    pays = stays & ~swept & lost_trick
    if rules.excuse_last_trick == "changes_side" and rules.excuse_last_trick_refund:
        pays |= ~stays & ~lost_trick
    half_points = half_points + np.where(pays, np.where(ours, -1, 1), 0)
    return np.where(played, half_points, 0), ours & played


def _slam(
    state: State, rows: Int64[np.ndarray, " n"], attack: Bool[np.ndarray, "n p"], rules: Rules
) -> Int64[np.ndarray, " n"]:
    tricks = (state.tricks_won[rows] * attack).sum(1)
    return np.where(tricks == rules.hand_size, 1, np.where(tricks == 0, -1, 0))


def _petit_au_bout(
    state: State, rows: Int64[np.ndarray, " n"], attack: Bool[np.ndarray, "n p"], rules: Rules
) -> Int64[np.ndarray, " n"]:
    """+1 where the attack won the last trick with the petit in it, -1 where the defence did.

    Where the Excuse wins the last trick, the petit counts in the trick before if the same side
    played it there.
    """
    winner, player = state.oudler_winner[rows, PETIT], state.oudler_player[rows, PETIT]
    trick = state.oudler_trick[rows, PETIT]
    last = rules.hand_size - 1
    counts = trick == last
    if rules.petit_au_bout_second_last:
        excuse_won = (state.oudler_trick[rows, EXCUSE] == last) & (
            state.oudler_winner[rows, EXCUSE] == state.oudler_player[rows, EXCUSE]
        )
        same_side = _side_of(attack, winner) == _side_of(attack, player)
        counts |= excuse_won & (trick == last - 1) & same_side
    return np.where(counts, np.where(_side_of(attack, winner), 1, -1), 0)


def score_lines(state: State, row: int, rules: Rules) -> list[str]:
    """The score of one finished deal explained line by line, as a card player would write it."""
    rows = np.array([row])
    if state.taker[row] < 0:
        return ["No contract: the deal is thrown in, nobody scores."]
    attack = attackers(state, rows)
    facts = Facts(
        contract=state.contract[rows].astype(np.int64),
        attack_half_points=state.attack_half_points[rows].astype(np.int64),
        oudlers=state.oudlers[rows].astype(np.int64),
        poignee_points=np.array((0, *rules.poignee_bonus))[state.poignee_level[rows]].sum(1),
        petit_au_bout=state.petit_au_bout[rows].astype(np.int64),
        slam=_slam(state, rows, attack, rules),
        slam_announced=state.slam_announced[rows].astype(np.int64),
    )
    return _explain(state, row, facts, payment(facts, rules))


def points_text(half: int) -> str:
    """Half points as a scorer writes them: `49`, `40.5`."""
    return f"{half // 2}" if half % 2 == 0 else f"{half / 2:.1f}"


def _explain(state: State, row: int, facts: Facts, paid: Payment) -> list[str]:
    contract = BID_TEXTS[Bid(state.contract[row])].replace("_", " ")
    points, target = int(facts.attack_half_points[0]), int(paid.target[0])
    verdict = "made" if paid.made[0] else "failed"
    lines = [
        f"{contract} by seat {state.taker[row]}: {points_text(points)} points with "
        f"{int(facts.oudlers[0])} oudlers, {points_text(target)} needed: {verdict} by "
        f"{points_text(abs(points - target))}",
        f"contract {_signed(paid.contract)}",
    ]
    for seat in np.flatnonzero(state.poignee_level[row]):
        name = POIGNEE_TEXTS[state.poignee_level[row, seat] - 1].replace("_", " ")
        lines.append(f"{name.replace('poignee', 'poignée')} shown by seat {seat}")
    for name, part in (
        ("poignées", paid.poignees),
        ("petit au bout", paid.petit_au_bout),
        ("slam", paid.slam),
    ):
        if part[0]:
            lines.append(f"{name} {_signed(part)}")
    scores = ", ".join(
        f"seat {seat} {points_text(int(half))}" for seat, half in enumerate(state.half_scores[row])
    )
    return [*lines, f"each defender pays {_signed(paid.total)}", f"scores: {scores}"]


def _signed(half: Int64[np.ndarray, "1"]) -> str:
    sign = "+" if half[0] >= 0 else "-"
    return sign + points_text(abs(int(half[0])))
