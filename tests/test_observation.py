"""Layouts: sizes and bounds, and every field against a slow encoder of its own."""

from typing import Any

import numpy as np
import pytest
from lockstep import Pair, drawn_batch, written

from tarot_env import Rules, Tables, Turn, cardsets
from tarot_env.cards import ANY, KIND, RANK
from tarot_env.observation import Layout, observation_layout, side_half_points, state_layout
from tarot_env.tables import Hidden

FFT = Rules.preset("fft", players=4)
OBSERVATION, STATE = observation_layout(FFT), state_layout(FFT)


def one_hot(index: int, size: int) -> list[int]:
    return [int(i == index) for i in range(size)]


def bits(words: np.ndarray) -> list[int]:
    ids = cardsets.to_ids(words)
    return [int(card in ids) for card in range(78)]


def trumps(words: np.ndarray) -> list[int]:
    return bits(words)[56:]


def card_code(card: int) -> list[int]:
    """Kind and rank, one-hot; all zero for no card and no rank for the Excuse."""
    if card < 0:
        return [0] * 27
    return one_hot(int(KIND[card]), 6) + one_hot(int(RANK[card]) - 1, 21)


def trick_by_seat(turn: Turn, row: int) -> list[list[int]]:
    codes = [[0] * 27 for _seat in range(4)]
    for place, card in enumerate(turn.trick_cards[row].tolist()):
        if card >= 0:
            codes[(int(turn.leader[row]) + place) % 4] = card_code(card)
    return codes


def sides(turn: Turn, row: int) -> list[int]:
    taker = int(turn.taker[row])
    if taker < 0:
        return [0, 0]
    points = turn.trick_half_points[row].tolist()
    result = [points[taker], sum(points) - points[taker]]
    owner, winner = int(turn.oudler_player[row, 2]), int(turn.oudler_winner[row, 2])
    if winner >= 0:
        mine, theirs = int(owner != taker), int(winner != taker)
        result[mine] += 9
        if mine != theirs:
            result[mine] -= 1
            result[theirs] += 1
    return result


def encoded(turn: Turn, hidden: Hidden, row: int) -> dict[str, Any]:
    """Every field of both layouts, from one row."""
    seats = range(4)
    return {
        "hand": bits(turn.hand[row]),
        "ecart": bits(turn.ecart[row]),
        "withheld": trumps(turn.withheld[row]),
        "poignee_declared": one_hot(int(turn.poignee_declared[row]) - 1, 3),
        "phase": one_hot(int(turn.phase[row]), 11),
        "to_act": one_hot(int(turn.to_act[row]), 4),
        "dealer": one_hot(int(turn.dealer[row]), 4),
        "bids": [one_hot(int(bid), 6) for bid in turn.bids[row]],
        "contract": one_hot(int(turn.contract[row]), 6),
        "taker": one_hot(int(turn.taker[row]), 4),
        "chien": bits(turn.chien[row]),
        "shown_discards": trumps(turn.shown_discards[row]),
        "slam_announced": [int(turn.slam_announced[row])],
        "poignee_level": [one_hot(int(level) - 1, 3) for level in turn.poignee_level[row]],
        "poignee_cards": [trumps(turn.poignee_cards[row, seat]) for seat in seats],
        "trick_number": [int(turn.trick_number[row])],
        "leader": one_hot(int(turn.leader[row]), 4),
        "trick": trick_by_seat(turn, row),
        "led": one_hot(int(turn.led[row]), 6),
        "best_seat": one_hot(int(turn.best_seat[row]), 4),
        "last_leader": one_hot(int(turn.last_leader[row]), 4),
        "last_winner": one_hot(int(turn.last_winner[row]), 4),
        "played": [bits(turn.played[row, seat]) for seat in seats],
        "void": turn.void[row].astype(int),
        "trump_bound": turn.trump_bound[row],
        "tricks_won": turn.tricks_won[row],
        "trick_half_points": turn.trick_half_points[row],
        "side_half_points": sides(turn, row),
        "oudler_player": [one_hot(int(seat), 4) for seat in turn.oudler_player[row]],
        "oudler_winner": [one_hot(int(seat), 4) for seat in turn.oudler_winner[row]],
        "hands": [bits(hidden.hands[row, seat]) for seat in seats],
        "all_chien": bits(hidden.chien[row]),
        "all_ecart": bits(hidden.ecart[row]),
        "all_withheld": [trumps(hidden.withheld[row, seat]) for seat in seats],
        "all_declared": [one_hot(int(n) - 1, 3) for n in hidden.poignee_declared[row]],
        "true_phase": one_hot(int(hidden.phase[row]), 11),
    }


def test_every_field_by_a_slow_encoder() -> None:
    """On turns of all phases and viewers; both layouts; and every entry within its bounds."""
    tables = drawn_batch("observations", 60, {}).tables
    rng = np.random.default_rng(1)
    rows = np.arange(60)
    highest = np.zeros(OBSERVATION.size, np.uint8)
    while not tables.is_over.all():
        viewers = rng.integers(0, 4, 60)
        viewers = np.where(rng.random(60) < 0.5, np.maximum(tables.seat_to_act, 0), viewers)
        turn, hidden = tables.turn(rows, viewers), tables.hidden(rows, viewers)
        flat, whole = OBSERVATION.encode(turn), STATE.encode(turn, hidden)
        assert (flat <= OBSERVATION.highs).all()
        assert (whole <= STATE.highs).all()
        np.maximum(highest, flat.max(0), out=highest)
        for row in rng.choice(60, 6, replace=False):
            wanted = encoded(turn, hidden, int(row))
            assert {f.name for f in (*OBSERVATION.fields, *STATE.fields)} == set(wanted)
            for layout, vector in ((OBSERVATION, flat[row]), (STATE, whole[row])):
                for field in layout.fields:
                    value = np.array(wanted[field.name])
                    assert value.shape == field.shape, field.name
                    assert np.array_equal(layout.view(vector, field.name), value), field.name
        tables.step(tables.random_actions(rng))
    turn = tables.turn(rows, np.zeros(60, np.int64))
    final = OBSERVATION.encode(turn)
    assert (final <= OBSERVATION.highs).all()
    tricks = OBSERVATION.view(final, "trick_number")[:, 0]
    assert set(tricks.tolist()) == {0, 18}


@pytest.mark.parametrize("layout", [OBSERVATION, STATE], ids=["observation", "state"])
def test_layout_is_consistent(layout: Layout) -> None:
    names = [field.name for field in layout.fields]
    assert len(set(names)) == len(names)
    end = 0
    for field in layout.fields:
        assert layout.offsets[field.name] == slice(end, end + field.size)
        assert field.size == np.prod(field.shape)
        assert field.doc
        end += field.size
        assert f"| `{field.name}` |" in layout.table()
    assert layout.size == end == len(layout.highs)
    assert layout.table().count("\n") == len(names) + 1


def test_what_stands_where() -> None:
    private = [field.name for field in OBSERVATION.fields if field.private]
    assert private == ["hand", "ecart", "withheld", "poignee_declared", "phase"]
    public = [field for field in OBSERVATION.fields if not field.private]
    assert [field.name for field in STATE.fields[-len(public) :]] == [f.name for f in public]
    assert not {field.name for field in STATE.fields} & set(private)
    assert observation_layout(FFT) is OBSERVATION


def test_buffers() -> None:
    turn = Tables(FFT, 5, seed=1).turn()
    fresh = OBSERVATION.encode(turn)
    assert fresh.dtype == np.uint8
    assert fresh.shape == (5, OBSERVATION.size)
    out = np.full((5, OBSERVATION.size), 77, np.uint8)
    assert OBSERVATION.encode(turn, out=out) is out
    assert (out == fresh).all()
    assert OBSERVATION.encode(turn.take(np.zeros(0, np.int64))).shape == (0, OBSERVATION.size)


def test_a_position() -> None:
    """Seat 2 looks at a trick that seat 1 leads: seats are counted from it."""
    deal = written(
        "EX S1-10 H1-7",
        "D1-5 C1-5 T2-9",
        "D6-K C6-10 T10-13",
        "SJ-K H8-K CJ-K T14-16",
        "T1 T17-21",
        dealer=0,
    )
    pair = Pair(deal, (0, "garde_sans")).say("pass D1")
    flat = OBSERVATION.encode(pair.turn(2))[0]

    def ones(name: str) -> list[list[int]]:
        found: list[list[int]] = np.argwhere(OBSERVATION.view(flat, name)).tolist()
        return found

    assert ones("to_act") == [[0]]
    assert ones("dealer") == [[2]]
    assert ones("taker") == [[2]]
    assert ones("leader") == ones("best_seat") == [[3]]
    assert ones("trick") == [[3, 2], [3, 6]]
    assert ones("led") == [[2]]
    assert ones("bids") == ones("chien") == ones("void") == []
    assert ones("contract") == [[4]]
    assert ones("played") == [[3, 28]]
    assert ones("phase") == [[9]]
    assert ones("hand") == [[card] for card in (*range(33, 42), *range(47, 52), *range(65, 69))]
    pair.say("D6")
    assert pair.turn(3).led[0] == 2
    pair.say("T14 EX")
    flat = OBSERVATION.encode(pair.turn(2))[0]
    assert ones("void") == [[1, 2]]
    assert ones("oudler_player") == [[2, 2]]
    assert ones("oudler_winner") == [[2, 1]]
    assert ones("last_winner") == ones("to_act") == [[1]]
    assert OBSERVATION.view(flat, "tricks_won").tolist() == [0, 1, 0, 0]
    assert OBSERVATION.view(flat, "trick_half_points").tolist() == [0, 3, 0, 0]
    assert OBSERVATION.view(flat, "side_half_points").tolist() == [8, 4]
    assert ones("led") == [[ANY]]
    assert (side_half_points(pair.turn(0)) == side_half_points(pair.turn(3))).all()
