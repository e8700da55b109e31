"""`Agent`: what answers a `Turn`, and `CheatingAgent`, which sees all hands.

With them the check of their answers, and the simplest agent there is.
"""

from typing import Literal, Protocol, TypeGuard, runtime_checkable

import numpy as np
from jaxtyping import Int, Int64

from tarot_env.cards import cardsets
from tarot_env.errors import IllegalAction, TarotError, count_noun, short_repr
from tarot_env.rules import Rules
from tarot_env.tables.tables import Tables
from tarot_env.tables.turn import Turn


@runtime_checkable
class Agent(Protocol):
    """Chooses actions for n turns at once; rows may belong to different tables and seats.

    It sees the turn and nothing else, and draws randomness only from the generator that whoever
    runs it hands in. One that plays some games alone may say so in a method `check_rules(rules)`,
    see `check_game`.
    """

    name: str

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """One legal action id for each row of `turn`."""
        ...


@runtime_checkable
class CheatingAgent(Protocol):
    """Chooses actions from the tables themselves: a yardstick that sees all hands.

    Whoever runs it hands it a copy of the tables, and marks it wherever it is shown; environments
    and training refuse it.
    """

    name: str
    cheats: Literal[True]

    def act_on(
        self, tables: Tables, rows: Int64[np.ndarray, " n"], rng: np.random.Generator
    ) -> Int[np.ndarray, " n"]:
        """One legal action id for the seat to act at each of the named tables.

        Args:
            tables: its own copy, to do with as it likes.
            rows: tables whose deals go on.
            rng: the one source of randomness.
        """
        ...


AnyAgent = Agent | CheatingAgent

MARK = " (sees all hands)"
"""Stands behind the name of an agent that cheats."""


def cheats(agent: object) -> TypeGuard[CheatingAgent]:
    """Whether an agent declares that it is to be given the tables."""
    return getattr(agent, "cheats", False) is True


def marked(name: str, agent: object) -> str:
    """The name under which an agent is shown: with `MARK` if it cheats."""
    return name + MARK if cheats(agent) else name


def check_fair(name: str, agent: object, taker: str, error: type[TarotError] = TarotError) -> None:
    """Refuses an agent that cheats where only what sees its turn alone may play.

    Args:
        name: of the agent, for the error.
        agent: who is to play.
        taker: what refuses it, such as `training`.
        error: what is raised.

    Raises:
        TarotError: it cheats.
    """
    if cheats(agent):
        raise error(f"agent {short_repr(name)} sees all hands; {taker} takes agents that do not")


def check_game(agent: object, rules: Rules) -> None:
    """Asks an agent before a deal whether it can play a game, if it has a `check_rules(rules)`.

    Raises:
        TarotError: it cannot, as a network that was trained for another game.
    """
    check = getattr(agent, "check_rules", None)
    if check is not None:
        check(rules)


class UniformAgent:
    """Any legal action, each as likely; the weakest yardstick there is."""

    name = "random"

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """A uniform legal action for each row."""
        return cardsets.random_member(turn.legal, rng)


def check_is_made(agent: object, error: type[Exception] = TarotError) -> None:
    """Checks that what is given for an agent is not the class of one.

    Args:
        agent: what is given.
        error: raised for a class.
    """
    if isinstance(agent, type):
        name = agent.__name__
        raise error(f"{name} is a class; give an agent that is made of it, such as {name}()")


def checked_answer(name: str, answer: object, n: int) -> Int[np.ndarray, " n"]:
    """An agent's answer, checked to be n whole numbers; whether they are legal, it does not say.

    Args:
        name: of the agent, for the error.
        answer: what it returned; anything empty will do for no rows.
        n: number of rows it was asked about.

    Raises:
        IllegalAction: another number of answers, or answers that are no whole numbers.
    """
    wanted = count_noun(n, "whole number")
    try:
        actions = np.asarray(answer)
    except Exception as error:
        raise IllegalAction(f"agent {name!r} must answer {wanted}: {error}") from error
    if actions.shape != (n,) or (n and actions.dtype.kind not in "iu"):
        raise IllegalAction(
            f"agent {name!r} must answer {wanted}; got {actions.dtype} of shape {actions.shape}"
        )
    return actions.astype(np.int64)
