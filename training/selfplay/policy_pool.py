"""Past selves: snapshots of the actor that play some seats in training."""

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np

from agents.neural.policy import Actor
from training.selfplay.distributed import SINGLE_PROCESS, ProcessGroup


class Pool:
    """At most `size` snapshots; when it is full, a new one takes the place of a random old one.

    A snapshot keeps its slot as long as it lives, so tables can name it by slot.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self.actors: list[Actor] = []

    def __len__(self) -> int:
        return len(self.actors)

    def add(
        self, actor: Actor, rng: np.random.Generator, processes: ProcessGroup = SINGLE_PROCESS
    ) -> None:
        """Keeps a copy of the actor as it plays now, in the same slot of all processes."""
        snapshot = copy.deepcopy(actor).eval().requires_grad_(False)
        if len(self.actors) < self._size:
            self.actors.append(snapshot)
        elif self._size:
            self.actors[processes.from_first(int(rng.integers(self._size)))] = snapshot

    def state(self) -> list[dict[str, Any]]:
        """Weights of all snapshots, in order."""
        return [actor.state_dict() for actor in self.actors]

    def load(self, states: Iterable[dict[str, Any]], like: Actor) -> None:
        """Restores the snapshots from their weights; `like` has their shape."""
        self.actors = []
        for state in states:
            actor = copy.deepcopy(like).eval().requires_grad_(False)
            actor.load_state_dict(state)
            self.actors.append(actor)
