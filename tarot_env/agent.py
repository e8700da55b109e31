"""`Agent`: what answers a `Turn`; the check of its answers, and the simplest one there is."""

from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Int

from tarot_env import cardsets
from tarot_env.errors import IllegalAction
from tarot_env.turn import Turn


@runtime_checkable
class Agent(Protocol):
    """Chooses actions for n turns at once; rows may belong to different tables and seats.

    It sees the turn and nothing else, and draws randomness only from the generator that whoever
    runs it hands in.
    """

    name: str

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """One legal action id for each row of `turn`."""
        ...


class UniformAgent:
    """Any legal action, each as likely; the weakest yardstick there is."""

    name = "random"

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """A uniform legal action for each row."""
        return cardsets.random_member(turn.legal, rng)


def checked_answer(name: str, answer: object, n: int) -> Int[np.ndarray, " n"]:
    """An agent's answer, checked to be n whole numbers; whether they are legal, it does not say.

    Args:
        name: of the agent, for the error.
        answer: what it returned; anything empty will do for no rows.
        n: number of rows it was asked about.

    Raises:
        IllegalAction: another number of answers, or answers that are no whole numbers.
    """
    try:
        actions = np.asarray(answer)
    except Exception as error:
        raise IllegalAction(f"agent {name!r} must answer {n} whole numbers: {error}") from error
    if actions.shape != (n,) or (n and actions.dtype.kind not in "iu"):
        raise IllegalAction(
            f"agent {name!r} must answer {n} whole numbers; got {actions.dtype} of shape "
            f"{actions.shape}"
        )
    return actions.astype(np.int64)
