"""How long work says how far it is, whoever shows it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Progress(Protocol):
    """Opens a display, such as a bar on a terminal."""

    def __call__(self, what: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
        """Gives the function that moves it on.

        Args:
            what: a word for what is being done.
            total: steps until done.
        """


@contextmanager
def silent(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Shows nothing."""
    yield lambda steps: None
