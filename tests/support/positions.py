"""Positions of principle: the heuristic's card in them, and the same with two suits exchanged."""

from collections.abc import Mapping
from typing import NamedTuple

from support.constructed import after, answer, ending, say

Hands = tuple[str, str, str, str]


class Position(NamedTuple):
    """The last cards of four hands, and those played to them since."""

    hands: Hands
    played: str = ""
    leader: int = 0

    @property
    def card(self) -> str:
        """What the heuristic plays."""
        tables = ending(dict(enumerate(self.hands)), leader=self.leader, taker=0)
        return answer(say(tables, self.played))

    def swapped(self, one: str, other: str) -> "Position":
        """The same with two suits exchanged."""
        first, second, third, fourth = (swap(hand, one, other) for hand in self.hands)
        return self._replace(
            hands=(first, second, third, fourth), played=swap(self.played, one, other)
        )


def swap(text: str, one: str, other: str) -> str:
    return text.translate(str.maketrans(one + other, other + one))


def play(
    game: str,
    hands: Mapping[int, str],
    played: str = "",
    *,
    call: str = "",
    taker: int = 0,
    leader: int = 0,
) -> str:
    """What the heuristic plays in a whole deal after the cards named, see `after`."""
    return answer(after(hands, played, taker=taker, leader=leader, game=game, called=call))
