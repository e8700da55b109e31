"""A record told step by step, and before each decision what an agent expects of the answers.

Each decision has a generator of its own, seeded by its number: the same comes out every time, and
for a seat alone what comes out for all.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

import numpy as np

from agents.base import (
    AnyAgent,
    Expectation,
    ExplainingAgent,
    ExplainingCheatingAgent,
    cheats,
    marked,
)
from agents.registry import make_agent
from tarot_env.cards import cardsets
from tarot_env.cards.actions import Phase, parse_action
from tarot_env.core.arguments import parse_seat
from tarot_env.errors import TarotError, count_noun, short_repr
from tarot_env.records.format import parse
from tarot_env.render.narration import Teller
from tarot_env.render.replay import Moment, moments
from tarot_env.render.view import hands_from
from tarot_env.rules.labels import Letters, action_label, capital, cards_text
from tarot_env.tables import Tables

EXPLAINING = ("pimc:worlds=64", "oracle")
"""Agents that can say why."""
SEED = 0
QUESTIONS = {
    Phase.PETIT_SEC: "may throw the deal in",
    Phase.AUCTION: "is to bid",
    Phase.CALL: "calls a card",
    Phase.SPLIT: "takes a half of the chien",
    Phase.DISCARD: "sets cards aside",
    Phase.SLAM: "may announce a slam",
    Phase.MISERE: "may declare a misère",
    Phase.POIGNEE: "may show a poignée",
    Phase.WITHHOLD: "keeps trumps back from its poignée",
}


class Line(NamedTuple):
    """A line of text, and how a terminal shows it."""

    text: str
    style: str = ""


def make_explaining_agent(text: str) -> AnyAgent:
    """The agent that a text names, if it can say why.

    Raises:
        TarotError: it cannot; and whatever `make_agent` raises.
    """
    agent = make_agent(text)
    if not isinstance(agent, ExplainingCheatingAgent if cheats(agent) else ExplainingAgent):
        known = " and ".join(EXPLAINING)
        raise TarotError(f"agent {short_repr(text)} cannot explain; those that can are {known}")
    return agent


def explained(
    record: dict[str, Any],
    agent: AnyAgent,
    *,
    seat: int | None = None,
    letters: Letters = "english",
    done: Callable[[int], None] = lambda steps: None,
) -> list[Line]:
    """A record as `replay_text` tells it, with the expectations before each decision.

    Left out are decisions with one answer, or with one that is worth trying, and all cards of an
    écart but its first.

    Args:
        record: of any game.
        agent: from `make_explaining_agent`.
        seat: whose decisions; None for all.
        letters: of the court cards.
        done: called with 1 after each action.

    Raises:
        InvalidRecord: a record that is malformed or that the rules do not allow.
        TarotError: there is no such seat, or the agent failed.
    """
    if seat is not None:
        parse_seat(seat, parse(record).rules, "--seat", TarotError)
    lines: list[Line] = []
    setting_aside: set[int] = set()
    for moment in moments(record, letters=letters):
        lines += [Line(text) for text in moment.before]
        if moment.number == 0:
            lines += [Line(_legend(agent), "italic")]
        if moment.action is not None:
            asked = int(moment.tables.seat_to_act[0])
            goes_on = asked in setting_aside and moment.tables.phase[0] == Phase.DISCARD
            if moment.tables.phase[0] == Phase.DISCARD:
                setting_aside.add(asked)
            if seat in (None, asked) and not goes_on:
                lines += _decision(record, moment, agent, letters)
            done(1)
        lines += [Line(text) for text in moment.after]
    return lines


def _legend(agent: AnyAgent) -> str:
    ranges = "" if cheats(agent) else ", with 95 % intervals"
    name = marked(agent.name, agent)
    what = f"points of the deal for the seat{ranges}"
    return f"Expected by {name}: {what}; its choice first, whatever its mean"


def _decision(
    record: dict[str, Any], moment: Moment, agent: AnyAgent, letters: Letters
) -> Iterator[Line]:
    """What was asked, and the answers; nothing where there was no choice."""
    tables = moment.tables
    if cardsets.count(tables.legal_sets())[0] < 2:
        return
    found = _expectations(agent, tables, moment.number)
    if len(found) < 2:
        return
    yield Line(f"    {_question(tables, letters)}", "bold")
    given = _given(record, moment, found[0])
    names = [_name(one.ecart or (one.action,), letters) for one in found]
    reasons = [_reason(one) for one in found]
    name_width, width = max(map(len, names)), max(map(len, reasons))
    is_given = [given == set(one.ecart) or given <= {one.action, *one.alike} for one in found]
    for one, name, reason, done in zip(found, names, reasons, is_given, strict=True):
        told = f"{name:{name_width}}  {one.mean:+8.1f}  {reason:{width}}"
        mark = f"  <- {_done(one, given, letters)}" if done else ""
        style = " ".join(["bold"] * (one is found[0]) + ["green"] * done)
        yield Line(f"      {told.rstrip()}{mark}", style)
    untried = set(cardsets.to_ids(tables.legal_sets()[0]))
    untried -= {action for one in found for action in (one.action, *one.alike)}
    if not any(is_given):
        yield Line(f"      {_name(given, letters):{name_width}}  not tried  <- done", "yellow")
        untried -= given
    if untried and not found[0].ecart:
        number = count_noun(len(untried), "other")
        yield Line(f"      {number:{name_width}}  not tried")


def _done(one: Expectation, given: set[int], letters: Letters) -> str:
    """What is said of the answer that was given, or of one that is worth the same."""
    is_other = not one.ecart and one.action not in given
    return f"done: {_name(given, letters)}, worth the same" if is_other else "done"


def _expectations(agent: AnyAgent, tables: Tables, number: int) -> list[Expectation]:
    """What an agent expects of the answers at a table, its choice first."""
    rng, rows = np.random.default_rng([SEED, number]), np.array([0])
    try:
        if isinstance(agent, ExplainingCheatingAgent):
            (found,) = agent.explain_on(tables.copy(), rows, rng)
        elif isinstance(agent, ExplainingAgent):
            (found,) = agent.explain(tables.turn(), rng)
        return list(found)
    except TarotError:
        raise
    except Exception as error:  # whatever a stranger's code does
        raise TarotError(
            f"agent {agent.name!r} raised {type(error).__name__}: {error} at action {number}"
        ) from error


def _given(record: dict[str, Any], moment: Moment, first: Expectation) -> set[int]:
    """The answer that was given; of an écart that is compared as a whole, all its cards."""
    size = max(1, len(first.ecart))
    actions = record["actions"][moment.number : moment.number + size]
    return {parse_action(text) for _, text in actions}


def _question(tables: Tables, letters: Letters) -> str:
    """Who is asked what, and what it holds."""
    state, teller, turn = tables.columns, Teller(tables.rules, letters), tables.turn()
    held = teller.cards(cardsets.to_ids(turn.playing_hand[0]))
    asked, hand = int(tables.seat_to_act[0]), int(tables.hand_to_play[0])
    phase = Phase(tables.phase[0])
    if phase != Phase.PLAY:
        return f"{capital(teller.who(asked))} {QUESTIONS[phase]}, with {held}"
    size = int(state.trick_size[0])
    hands = hands_from(int(state.leader[0]), int(state.dealer[0]), tables.rules)
    plays = teller.played(zip(hands, state.trick_cards[0, :size].tolist(), strict=False))
    does = f"plays on {plays}" if size else "leads"
    return f"Trick {state.trick_number[0] + 1}: {teller.who(hand)} {does}, with {held}"


def _name(answer: Collection[int], letters: Letters) -> str:
    """An answer, or all cards of an écart."""
    if len(answer) > 1:
        return cards_text(answer, letters)
    (action,) = answer
    return action_label(action, letters)


def _reason(one: Expectation) -> str:
    """What the mean rests on."""
    interval = "" if np.isnan(one.low) else f"[{one.low:+.1f}, {one.high:+.1f}]"
    deals = "" if not one.deals else f" in {count_noun(one.deals, 'deal')}"
    return interval + deals
