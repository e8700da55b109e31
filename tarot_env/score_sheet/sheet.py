"""The score in words: a sheet that explains it line by line, for a finished table or from facts.

`score_deal` makes the sheet from the facts of a deal alone, `score_lines` that of a finished table;
both go through `sheet`. `pile_lines`, `excuse_text` and `thrown_in_text` tell the rest of a table.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Int64

from tarot_env.cards import cardsets
from tarot_env.cards.actions import PASS, POIGNEE, THROW_IN, Bid, action_words
from tarot_env.core.scoring import (
    MISERE_HALF_POINTS,
    OUDLER_WORTH,
    PETIT_CHELEM_POINTS,
    Payment,
    Sides,
    deal_half_scores,
    facts_of,
    half_scores,
    payment,
    pile_of,
    points_text,
    points_words,
    sides_of,
)
from tarot_env.core.state import EXCUSE, Columns
from tarot_env.errors import count_noun
from tarot_env.phases.redeal import petit_sec, petit_sec_text
from tarot_env.rules import Rules
from tarot_env.score_sheet.calculator import DealFacts, parse_facts
from tarot_env.score_sheet.limits import check_possible


@dataclass(frozen=True)
class ScoreSheet:
    """The score of one deal and how it comes about."""

    scores: tuple[int | float, ...]
    """Points of each seat; they sum to 0."""
    made: bool
    """Whether the contract was."""
    lines: tuple[str, ...]
    """The explanation."""


def score_deal(
    rules: Rules,
    *,
    bid: str,
    points: int | float,
    oudlers: int,
    taker: int = 0,
    partner: int | str | None = None,
    dealer: int | None = None,
    poignees: Iterable[str] = (),
    petit_au_bout: str | None = None,
    chelem: str | None = None,
    chelem_by: str = "attack",
    petit_chelem: str | None = None,
    misere: Iterable[int] = (),
    contra: int = 1,
) -> ScoreSheet:
    """The score sheet of a deal from its facts alone.

    Args:
        rules: what was played.
        bid: the contract, such as `garde`.
        points: card points in the attack's final pile.
        oudlers: how many are in it.
        taker: seat.
        partner: seat of the partner or `alone`; needed where a king is called.
        dealer: seat; needed where the dealer sits out.
        poignees: those shown, such as `attack:double_poignee`.
        petit_au_bout: `attack` or `defence`, whoever won the last trick with the petit in it.
        chelem: a slam that was `announced` and made, made `unannounced`, or announced and `failed`.
        chelem_by: `defence` for a slam of the defence, beside which an announced one `failed`.
        petit_chelem: likewise, where the rules have it.
        misere: seats that declared one, where the rules have it.
        contra: 2 after a contra, 4 after a recontra (six players).

    Raises:
        TarotError: a name that stands for nothing, or facts that no deal of these rules can have.
    """
    facts = parse_facts(
        rules,
        bid=bid,
        points=points,
        oudlers=oudlers,
        taker=taker,
        partner=partner,
        dealer=dealer,
        poignees=poignees,
        petit_au_bout=petit_au_bout,
        chelem=chelem,
        chelem_by=chelem_by,
        petit_chelem=petit_chelem,
        misere=misere,
        contra=contra,
    )
    check_possible(facts, rules)
    return sheet(facts, rules)


def sheet(facts: DealFacts, rules: Rules) -> ScoreSheet:
    """The score sheet of a deal, its facts believed."""
    paid, sides = payment(facts.arrays(rules), rules), facts.sides(rules)
    scores = half_scores(paid.total, _declared(facts, rules), sides, rules)[0]
    return ScoreSheet(
        scores=tuple(points_number(half) for half in scores.tolist()),
        made=bool(paid.made[0]),
        lines=(
            _result_line(facts, paid, rules),
            f"what {_defender(rules)} pays the attack (+) or receives from it (-):",
            *_part_lines(facts, paid, rules),
            _total_line(paid, rules),
            *_sharing_lines(facts, paid, sides, rules),
            f"scores: {_by_seat(scores)}",
        ),
    )


def score_lines(state: Columns, row: int, rules: Rules) -> list[str]:
    """The score of one finished deal explained line by line, as a card player would write it."""
    if state.taker[row] < 0:
        return [thrown_in_text(state, row, rules)]
    return list(sheet(_facts_of_table(state, row, rules), rules).lines)


def _facts_of_table(state: Columns, row: int, rules: Rules) -> DealFacts:
    rows = np.array([row])
    facts, sides = facts_of(state, rows, rules), sides_of(state, rows, rules)
    return DealFacts(
        bid=Bid(state.contract[row]),
        taker=int(sides.taker[0]),
        partner=int(sides.partner[0]),
        dealer=int(state.dealer[row]),
        half_points=int(facts.attack_half_points[0]),
        oudlers=int(facts.oudlers[0]),
        poignees=tuple(
            (f"seat {seat}", level)
            for seat, level in enumerate(state.poignee_level[row].tolist())
            if level
        ),
        petit_au_bout=int(facts.petit_au_bout[0]),
        slam=int(facts.slam[0]),
        slam_announced=bool(facts.slam_announced[0]),
        petit_chelem=bool(facts.petit_chelem[0]),
        petit_chelem_announced=bool(facts.petit_chelem_announced[0]),
        misere=tuple(np.flatnonzero(state.misere[row]).tolist()),
        contra=int(facts.contra[0]),
    )


def points_number(half: int) -> int | float:
    """Half points as a number of points: whole, or ending in .5."""
    return half // 2 if half % 2 == 0 else half / 2


# -- the parts of a sheet

_SIDES = {True: "attack", False: "defence"}


def _signed(half: int) -> str:
    return ("+" if half >= 0 else "-") + points_text(abs(half))


def _by_seat(halves: Int64[np.ndarray, " p"]) -> str:
    return ", ".join(
        f"seat {seat} {points_text(half)}" for seat, half in enumerate(halves.tolist())
    )


def _declared(facts: DealFacts, rules: Rules) -> Int64[np.ndarray, "1 p"]:
    """1 for each seat that declared a misère."""
    declared: np.ndarray = np.isin(np.arange(rules.players), facts.misere)[None].astype(np.int64)
    return declared


def _defender(rules: Rules) -> str:
    return "the defender" if rules.players == 2 else "each defender"


def _result_line(facts: DealFacts, paid: Payment, rules: Rules) -> str:
    points, target, margin = facts.half_points, int(paid.target[0]), int(paid.margin[0])
    side = ""
    if facts.partner >= 0:
        side = f" with seat {facts.partner}"
    elif rules.calls_king:
        side = " alone"
    rounded = ", the half point rounded" if margin != abs(points - target) else ""
    oudlers = count_noun(facts.oudlers, "oudler")
    return (
        f"{action_words(PASS + facts.bid)} by seat {facts.taker}{side}: {points_words(points)} "
        f"with {oudlers}, {points_text(target)} needed: "
        f"{'made' if paid.made[0] else 'failed'} by {points_text(margin)}{rounded}"
    )


def _part_lines(facts: DealFacts, paid: Payment, rules: Rules) -> list[str]:
    """One line for each thing that is paid for."""
    minus, multiplier = "" if paid.made[0] else "-", int(paid.multiplier[0])
    lines = [
        f"contract {minus}(25 + {points_text(int(paid.margin[0]))}) x {multiplier} = "
        f"{_signed(int(paid.contract[0]))}"
    ]
    if facts.contra:
        lines[0] += _contra_text(facts, multiplier, rules)
    for who, level in facts.poignees:
        bonus = (2 if paid.made[0] else -2) * (rules.poignee_bonus or ())[level - 1]
        lines.append(f"{action_words(POIGNEE + level - 1)} shown by {who} {_signed(bonus)}")
    if facts.petit_au_bout:
        ours = facts.petit_au_bout > 0
        amount = _signed(int(paid.petit_au_bout[0]))
        lines.append(
            f"petit au bout of the {_SIDES[ours]} {'' if ours else '-'}10 x {multiplier} = {amount}"
        )
    return lines + _slam_lines(facts, rules) + _petit_chelem_lines(facts, rules)


def _contra_text(facts: DealFacts, multiplier: int, rules: Rules) -> str:
    said = "contra" if facts.contra == 1 else "recontra"
    if rules.contra_effect == "signal":
        return f"; the {said} was a signal and changes nothing"
    times = 2**facts.contra
    return f", where {multiplier} is {multiplier // times} x {times} for the {said}"


def _slam_lines(facts: DealFacts, rules: Rules) -> list[str]:
    made, unannounced, failed = rules.slam_bonus
    lines = []
    if facts.slam > 0 and facts.slam_announced:
        lines.append(f"slam made, announced {_signed(2 * made)}")
    elif facts.slam > 0 and not facts.petit_chelem_announced:
        lines.append(f"slam made, not announced {_signed(2 * unannounced)}")
    elif facts.slam_announced:
        lines.append(f"slam announced and failed {_signed(2 * failed)}")
    if facts.slam < 0:
        lines.append(f"slam by the defence {_signed(-2 * rules.defence_slam)}")
    return lines


def _petit_chelem_lines(facts: DealFacts, rules: Rules) -> list[str]:
    points, made = PETIT_CHELEM_POINTS, facts.petit_chelem
    if not rules.petit_chelem:
        return []
    if facts.petit_chelem_announced:
        instead = ", paid instead of the slam that was made," if facts.slam > 0 else ""
        ended = f"and made{instead}" if made else "and failed"
        amount = points["announced" if made else "failed"]
        return [f"petit chelem announced {ended} {_signed(2 * amount)}"]
    if not made or facts.slam > 0:
        return []
    if facts.slam_announced:
        return ["petit chelem made, nothing beside a slam that was announced +0"]
    return [f"petit chelem made, not announced {_signed(2 * points['unannounced'])}"]


def _total_line(paid: Payment, rules: Rules) -> str:
    total = int(paid.total[0])
    verb = "pays" if total >= 0 else "receives"
    return f"{_defender(rules)} {verb} {points_text(abs(total))}"


def _sharing_lines(facts: DealFacts, paid: Payment, sides: Sides, rules: Rules) -> list[str]:
    """Who gets what of it, misères, and rounding; nothing where the taker simply has it all."""
    scores = deal_half_scores(paid.total, sides, rules)
    lines = []
    if facts.partner >= 0 or rules.calls_king:
        lines.append(_share_line(facts, scores[0], sides, rules))
    if rules.dead_hand:
        lines.append(f"seat {facts.dealer} dealt and sits out: 0")
    if facts.misere:
        others = int(sides.plays.sum()) - 1
        brings = points_text(MISERE_HALF_POINTS)
        for seat in facts.misere:
            gain = _signed(others * MISERE_HALF_POINTS)
            lines.append(f"misère of seat {seat}: {gain}, {brings} from each other player")
    if rules.score_rounding:
        given = paid.total, _declared(facts, rules), sides, rules
        exact, rounded = half_scores(*given, rounded=False)[0], half_scores(*given)[0]
        if (rounded != exact).any():
            lines.append(
                f"before rounding to {rules.score_rounding}: {_by_seat(exact)}; "
                "the taker gets what makes the sum 0"
            )
    return lines


def _share_line(
    facts: DealFacts, scores: Int64[np.ndarray, " p"], sides: Sides, rules: Rules
) -> str:
    """How taker and partner share what the defenders pay."""
    defenders = int(sides.defence.sum())
    own = int(scores[facts.taker])
    total = own if facts.partner < 0 else own + int(scores[facts.partner])
    does = "get" if total >= 0 else "pay"
    collected = f"{defenders} defenders {'pay' if total >= 0 else 'get'} {points_text(abs(total))}"
    taker = f"seat {facts.taker}"
    if facts.partner < 0:
        return f"{collected}, all {'to' if total >= 0 else 'from'} {taker}, who plays alone"
    parts = rules.partner_share or (1, 1)
    if parts[0] == parts[1]:
        each = points_text(abs(own))
        return f"{collected}: {taker} and seat {facts.partner} {does} {each} each"
    other = points_text(abs(int(scores[facts.partner])))
    return (
        f"{collected}: {taker} {does}s {parts[0]} parts, {points_text(abs(own))}, "
        f"seat {facts.partner} {parts[1]} part, {other}"
    )


# -- what else there is to tell of a table


def thrown_in_text(state: Columns, row: int, rules: Rules) -> str:
    """Why a deal was not played: a petit sec, a weak hand, only signals, or everybody passed."""
    size = state.log_size[row]
    if size and state.log[row, size - 1, 1] == THROW_IN:
        seat = int(state.log[row, size - 1, 0])
        if rules.petit_sec == "optional" and petit_sec(state.hands[[row]], rules)[0, seat]:
            return f"petit sec: seat {seat} has the deal thrown in, nobody scores"
        return f"weak hand: seat {seat} has the deal thrown in, nobody scores"
    found = petit_sec_text(state.hands[row], rules) if size == 0 else None
    if found is not None:
        return f"{found}; the deal is void"
    if (state.bids[row] > 0).any():
        return "no bid above the signals: the deal is thrown in, nobody scores"
    return "everybody passed: the deal is thrown in, nobody scores"


def pile_lines(state: Columns, row: int, rules: Rules) -> list[str]:
    """How the points of the attack add up, once the deal is over."""
    pile = pile_of(state, row, rules)
    parts = [f"tricks {points_text(pile.tricks)}"]
    contract = state.contract[row]
    if contract != Bid.GARDE_CONTRE:
        own = "chien" if contract == Bid.GARDE_SANS else "écart"
        parts.append(f" + {own} {points_text(pile.aside)}")
    if pile.excuse_ours:
        parts.append(f" + the Excuse {points_text(OUDLER_WORTH)}")
    if pile.excuse_paid:
        half = "+ 0.5" if pile.excuse_paid > 0 else "- 0.5"
        parts.append(f" {half} paid for {'it' if pile.excuse_ours else 'the Excuse'}")
    if pile.petit_back:
        sign, back = ("+", "-") if pile.petit_back > 0 else ("-", "+")
        parts.append(f" {sign} the petit {points_text(OUDLER_WORTH)} {back} 0.5 paid for it")
    total = points_text(int(state.attack_half_points[row]))
    lines = [f"points of the attack: {''.join(parts)} = {total}"]
    if contract == Bid.GARDE_CONTRE:
        chien = points_text(int(cardsets.half_points(state.chien[row])))
        lines.append(f"the chien, {chien} points, counts for the defence")
    return lines


def excuse_text(state: Columns, row: int, rules: Rules) -> str:
    """Who has the Excuse after the trick that it was played to, and what is paid for it."""
    pile = pile_of(state, row, rules)
    holder, other = _SIDES[pile.excuse_ours], _SIDES[not pile.excuse_ours]
    worth = points_text(OUDLER_WORTH)
    if state.oudler_winner[row, EXCUSE] == state.oudler_player[row, EXCUSE]:
        return f"the Excuse wins the trick, its {worth} points are the {holder}'s"
    if pile.excuse_moved:
        back = ", half a point comes back" if pile.excuse_paid else ""
        return f"the Excuse goes over to the {holder} with {worth} points{back}"
    paid = f", half a point goes to the {other}" if pile.excuse_paid else ""
    return f"the Excuse stays with the {holder} with {worth} points{paid}"
