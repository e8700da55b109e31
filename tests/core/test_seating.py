"""Order of play and of speaking, and places counted from a viewer, in every game."""

from itertools import product

import numpy as np
import pytest
from reference.games import find_game

from tarot_env.core.seating import SEATING_STRIDE, SEATINGS, hands_and_sides
from tarot_env.rules.books import DUMMY, GAMES

NAMES = list(GAMES)


def game_of(name: str):
    return find_game(*((int(name), None) if name.isdigit() else (None, name)))


@pytest.mark.parametrize("name", NAMES)
def test_order_of_play_and_of_speaking(name: str) -> None:
    """As the referee has it, for every dealer."""
    game, seating = game_of(name), SEATINGS[name]
    for dealer in range(game.players):
        order, speakers = game.order_of_play(dealer), game.bidders(dealer)
        assert seating.order[dealer].tolist() == order
        assert seating.speakers[dealer].tolist() == speakers
        for place, hand in enumerate(order):
            assert seating.next_hand[dealer, hand] == order[(place + 1) % len(order)]
            assert seating.position[dealer, hand] == place
        for place, seat in enumerate(speakers):
            assert seating.next_speaker[dealer, seat] == speakers[(place + 1) % len(speakers)]


def test_orders_written_out() -> None:
    assert SEATINGS["4"].order[3].tolist() == [0, 1, 2, 3]
    assert SEATINGS["5"].order[2].tolist() == [3, 4, 0, 1, 2]
    assert SEATINGS["mort"].order[2].tolist() == [3, 4, 0, 1]
    assert SEATINGS["mort"].speakers[0].tolist() == [1, 2, 3, 4]
    assert SEATINGS["tirette"].order[0].tolist() == [1, 0]
    assert SEATINGS["dummy"].order[0].tolist() == [1, DUMMY, 0]
    assert SEATINGS["dummy"].order[1].tolist() == [0, DUMMY, 1]
    assert SEATINGS["dummy"].speakers[1].tolist() == [0, 1]


@pytest.mark.parametrize("dealer", range(5))
def test_the_dealer_who_sits_out_has_no_turn(dealer: int) -> None:
    seating = SEATINGS["mort"]
    assert seating.position[dealer, dealer] == -1
    assert seating.next_hand[dealer, dealer] == seating.next_speaker[dealer, dealer] == -1
    assert dealer not in seating.order[dealer]
    assert dealer not in seating.next_hand[dealer]


@pytest.mark.parametrize("name", NAMES)
def test_places_from_a_viewer(name: str) -> None:
    """The viewer is 0, seats follow in their order; nobody is -1; there and back again."""
    game, seating = game_of(name), SEATINGS[name]
    for viewer in range(game.players):
        by_place, places = seating.by_place[viewer], seating.from_viewer[viewer]
        assert by_place[0] == viewer
        for place in range(game.players):
            assert by_place[place] == (viewer + place) % game.players
        assert places[-1] == -1
        assert places[by_place].tolist() == list(range(game.hands))
        assert sorted(by_place.tolist()) == list(range(game.hands))


def test_the_dummy_sits_at_everybody_s_place_two() -> None:
    assert SEATINGS["dummy"].by_place[:, 2].tolist() == [DUMMY, DUMMY]
    assert SEATINGS["dummy"].from_viewer[:, DUMMY].tolist() == [2, 2]


@pytest.mark.parametrize("name", NAMES)
def test_small_numbers(name: str) -> None:
    for table in vars(SEATINGS[name]).values():
        assert table.dtype == np.int8


@pytest.mark.parametrize("hands", [0, 1, 2])
def test_every_hand_and_side_has_its_place(hands: int) -> None:
    """Those of nobody too, counted from the end."""
    table = np.stack(hands_and_sides(hands), 1)
    for named in product(range(-1, 6), repeat=hands + 2):
        place = 0
        for hand in named:
            place = place * SEATING_STRIDE + hand
        assert table[place].tolist() == list(named)
