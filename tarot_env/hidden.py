"""All cards of a table, for critics in training and for `state()`; never for an actor."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Int, Int8, Integer, UInt64

from tarot_env import cardsets
from tarot_env.dealing import STOCK_START, UPPER
from tarot_env.rules import Rules
from tarot_env.seating import SEATINGS
from tarot_env.state import State, actors


@dataclass(frozen=True)
class Hidden:
    """All cards, seen from n viewers."""

    hands: UInt64[np.ndarray, "n a 2"]
    chien: UInt64[np.ndarray, "n 2"]
    ecart: UInt64[np.ndarray, "n p 2"]
    covered: UInt64[np.ndarray, "n o 2"]  # Découverte, by seat; Tirette, all at place 0
    withheld: UInt64[np.ndarray, "n p 2"]
    poignee_declared: Int8[np.ndarray, "n p"]
    partner: Int8[np.ndarray, " n"]
    phase: Int8[np.ndarray, " n"]

    def permute_suits(self, permutation: Integer[np.ndarray, "n 4"]) -> "Hidden":
        """The same cards with suit s called `permutation[:, s]`, as `Turn.permute_suits`."""
        sets = {
            name: cardsets.permute_suits(getattr(self, name), permutation)
            for name in ("hands", "chien", "ecart", "covered")
        }
        return replace(self, **sets)


def make_hidden(
    state: State, rows: Int[np.ndarray, " n"], viewers: Integer[np.ndarray, " n"], rules: Rules
) -> Hidden:
    """All cards of the named tables; arguments as for `make_turn`."""
    seating, every = SEATINGS[rules.game_name], np.arange(len(rows))
    hands = seating.by_place[viewers]
    by_hand = (rows[:, None], hands)
    by_seat = (rows[:, None], hands[:, : rules.players])
    declared = np.zeros((len(rows), rules.players), np.int8)
    actor = seating.from_viewer[viewers, actors(state, rows)]
    declared[every, actor] = state.poignee_declared[rows]
    ecart = np.zeros((len(rows), rules.players, 2), np.uint64)
    for column, seats in enumerate((state.taker, state.partner)[: state.ecart.shape[1]]):
        taken = seats[rows] >= 0
        places = seating.from_viewer[viewers, seats[rows]]
        ecart[every[taken], places[taken]] |= state.ecart[rows[taken], column]
    return Hidden(
        hands=state.hands[by_hand],
        chien=state.chien[rows],
        ecart=ecart,
        covered=_covered(state, rows, by_hand, rules),
        withheld=state.withheld[by_seat],
        poignee_declared=declared,
        partner=seating.from_viewer[viewers, state.partner[rows]],
        phase=state.phase[rows],
    )


def _covered(
    state: State, rows: Int[np.ndarray, " n"], by_hand: Any, rules: Rules
) -> UInt64[np.ndarray, "n o 2"]:
    """Cards that nobody holds yet: under others, or in the second stock."""
    there: np.ndarray = np.zeros((len(rows), state.face_up.shape[1], 2), np.uint64)
    if rules.game == "decouverte":
        below = cardsets.of_ids(state.pack[rows][:, UPPER + 1])
        there = below[np.arange(len(rows))[:, None], by_hand[1]]
    elif rules.game == "tirette":
        there[:, 0] = cardsets.of_ids(state.pack[rows, STOCK_START:])
    held = np.bitwise_or.reduce(state.hands[rows] | state.played[rows], axis=1)
    return there & ~held[:, None]
