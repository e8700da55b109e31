"""All cards of a table, for critics in training and for `state()`; never for an actor."""

from dataclasses import dataclass, fields, replace

import numpy as np
from jaxtyping import Int, Int8, Integer, UInt64

from tarot_env.cards import cardsets
from tarot_env.core.dealing import STOCK_START, UPPER
from tarot_env.core.seating import SEATINGS
from tarot_env.core.state import State, actors, place_of, sets_in_a_row
from tarot_env.rules import Rules


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

    def take(self, rows: slice) -> "Hidden":
        """Neighbouring rows, not copied."""
        return replace(self, **{f.name: getattr(self, f.name)[rows] for f in fields(self)})

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
    seating = SEATINGS[rules.game_name]
    hands = seating.by_place.take(viewers, axis=0)
    seats = hands[:, : rules.players]
    declared = np.zeros((len(rows), rules.players), np.int8)
    actor = seating.from_viewer[viewers, actors(state, rows)]
    declared[np.arange(len(rows)), actor] = state.poignee_declared[rows]
    return Hidden(
        hands=_of_hands(state.hands, rows, hands),
        chien=cardsets.take(state.chien, rows),
        ecart=_ecarts(state, rows, seats),
        covered=_covered(state, rows, hands, rules),
        withheld=_of_hands(state.withheld, rows, seats),
        poignee_declared=declared,
        partner=seating.from_viewer[viewers, state.partner[rows]],
        phase=state.phase[rows],
    )


def _of_hands(
    cards: UInt64[np.ndarray, "b a 2"],
    rows: Int[np.ndarray, " n"],
    hands: Integer[np.ndarray, "n m"],
) -> UInt64[np.ndarray, "n m 2"]:
    """The sets of the named hands, or seats."""
    return cardsets.take(sets_in_a_row(cards), place_of(cards, rows[:, None], hands))


def _ecarts(
    state: State, rows: Int[np.ndarray, " n"], seats: Integer[np.ndarray, "n p"]
) -> UInt64[np.ndarray, "n p 2"]:
    """What each of the named seats has set aside."""
    cards = state.ecart.take(rows, axis=0)
    ecarts = cardsets.where(seats == state.taker[rows, None], cards[:, :1])
    if cards.shape[1] == 1:
        return ecarts
    return ecarts | cardsets.where(seats == state.partner[rows, None], cards[:, 1:])


def _covered(
    state: State, rows: Int[np.ndarray, " n"], hands: Integer[np.ndarray, "n a"], rules: Rules
) -> UInt64[np.ndarray, "n o 2"]:
    """Cards that nobody holds yet: under others, or in the second stock."""
    there: np.ndarray = np.zeros((len(rows), state.face_up.shape[1], 2), np.uint64)
    if rules.game == "decouverte":
        below = cardsets.of_ids(state.pack[rows][:, UPPER + 1])
        there = below[np.arange(len(rows))[:, None], hands]
    elif rules.game == "tirette":
        there[:, 0] = cardsets.of_ids(state.pack[rows, STOCK_START:])
    else:
        return there
    held = np.bitwise_or.reduce(state.hands[rows] | state.played[rows], axis=1)
    return there & ~held[:, None]
