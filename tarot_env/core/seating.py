"""Who sits where: order of play and of speaking, and seats counted from a viewer.

Tables of small numbers, one set for each game, so that the phases know no special case: the dealer
who sits out is passed over, the dummy plays between the dealer's opponent and the dealer.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int8

from tarot_env.rules.books import DUMMY, GAMES, Game


@dataclass(frozen=True)
class Seating:
    """Seats of one game: P players, H hands, T cards in a trick, S seats that bid."""

    speakers: Int8[np.ndarray, "p s"]  # by dealer: seats in order of speaking
    next_speaker: Int8[np.ndarray, "p p"]  # by dealer and seat
    order: Int8[np.ndarray, "p t"]  # by dealer: hands in order of play from the first hand
    next_hand: Int8[np.ndarray, "p h"]  # by dealer and hand
    position: Int8[np.ndarray, "p h"]  # by dealer: of each hand in the order of play, -1 for none
    from_viewer: Int8[np.ndarray, "p g"]  # place of each hand as the viewer counts; last column -1
    by_place: Int8[np.ndarray, "p h"]  # the hand at each place as the viewer counts
    counted: Int8[np.ndarray, " c"]  # `from_viewer` in a row, viewers `SEATING_STRIDE` apart

    def hand_behind(
        self, dealer: Int8[np.ndarray, " n"], hand: Int8[np.ndarray, " n"]
    ) -> Int8[np.ndarray, " n"]:
        """Whose turn it is behind each hand."""
        return self.next_hand.take(dealer * np.int8(self.next_hand.shape[1]) + hand)


SEATING_STRIDE = 8
"""More than any game has hands, so that -1 falls on an entry of its own."""


def hands_and_sides(hands: int) -> tuple[Int8[np.ndarray, " m"], ...]:
    """Some hands, a taker and a partner, -1 for none, in every combination, for tables by them.

    What belongs to hand h, taker t and partner p stands at `(h * 8 + t) * 8 + p`, where 8 is the
    stride; a negative place counts from the end.
    """
    number = hands + 2
    every = np.indices((SEATING_STRIDE,) * number, np.int8).reshape(number, -1) - np.int8(1)
    nobody = sum(SEATING_STRIDE**place for place in range(number))
    return tuple(np.roll(every, -nobody, axis=1))


def _seating(name: str, game: Game) -> Seating:
    players, hands = game.players, game.hands
    seats = np.arange(players)
    circle = (seats[:, None] + 1 + seats) % players  # by dealer, the dealer last
    speakers = order = circle
    by_place = (seats[:, None] + seats) % players
    if name == "mort":
        speakers = order = circle[:, :-1]
    if name == "dummy":
        dummy = np.full((players, 1), DUMMY)
        order = np.concatenate([circle[:, :1], dummy, circle[:, 1:]], 1)
        by_place = np.concatenate([by_place, dummy], 1)
    from_viewer = np.full((players, hands + 1), -1)
    np.put_along_axis(from_viewer, by_place, np.arange(hands)[None], 1)
    counted = np.full((players, SEATING_STRIDE), -1)
    counted[:, :hands] = from_viewer[:, :hands]
    position = np.full((players, hands), -1)
    np.put_along_axis(position, order, np.arange(order.shape[1])[None], 1)
    return Seating(
        speakers=speakers.astype(np.int8),
        next_speaker=_following(speakers, players),
        order=order.astype(np.int8),
        next_hand=_following(order, hands),
        position=position.astype(np.int8),
        from_viewer=from_viewer.astype(np.int8),
        by_place=by_place.astype(np.int8),
        counted=counted.astype(np.int8).ravel(),
    )


def _following(order: np.ndarray, hands: int) -> Int8[np.ndarray, "p h"]:
    """The hand after each hand; -1 after one that has no turn."""
    following = np.full((len(order), hands), -1, np.int8)
    np.put_along_axis(following, order, np.roll(order, -1, 1).astype(np.int8), 1)
    return following


SEATINGS = {name: _seating(name, game) for name, game in GAMES.items()}
"""The seating of each game, by its name in `GAMES`."""
