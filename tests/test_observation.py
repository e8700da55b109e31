"""Layouts: sizes and bounds, and every field against a slow encoder of its own."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from lockstep import Pair, drawn_batch, written
from reference import PACK
from reference.cards import EXCUSE, first_real_card, half_points, trick_winner

from tarot_env import Rules, Tables, Turn, cardsets
from tarot_env.actions import action_text
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


def names(words: np.ndarray) -> list[str]:
    return [action_text(card) for card in cardsets.to_ids(words)]


def mask(members: Iterable[str]) -> list[int]:
    held = set(members)
    return [int(card in held) for card in PACK]


def unseen(turn: Turn, row: int) -> list[str]:
    """The pack without the cards that lie in the open or in the own keeping."""
    seen = [*names(turn.hand[row]), *names(turn.ecart[row]), *names(turn.shown_discards[row])]
    for seat in range(4):
        seen += names(turn.played[row, seat])
    if turn.contract[row] in (4, 5):
        seen += names(turn.chien[row])
    return [card for card in PACK if card not in seen]


def on_table(turn: Turn, row: int) -> list[str]:
    return [action_text(card) for card in turn.trick_cards[row].tolist() if card >= 0]


def takes_lead(turn: Turn, row: int) -> list[str]:
    table = on_table(turn, row)
    held = [card for card in names(turn.hand[row]) if card != EXCUSE]
    return [card for card in held if trick_winner([*table, card]) == len(table)]


def masters(turn: Turn, row: int) -> list[str]:
    """Cards in hand with nothing unseen behind them in the pack, of their suit or the trumps."""
    out = unseen(turn, row)
    found = []
    for card in names(turn.hand[row]):
        higher = [other for other in out if other[0] == card[0] and other != EXCUSE]
        if card != EXCUSE and all(PACK.index(other) < PACK.index(card) for other in higher):
            found.append(card)
    return found


def winning_side(turn: Turn, row: int) -> list[int]:
    table, taker = on_table(turn, row), int(turn.taker[row])
    if taker < 0 or first_real_card(table) is None:
        return [0, 0]
    winner = (int(turn.leader[row]) + trick_winner(table)) % 4
    ours = winner == 0 or (taker != 0 and winner != taker)
    return [int(ours), int(not ours)]


def encoded(turn: Turn, hidden: Hidden, row: int) -> dict[str, Any]:
    """Every field of both layouts, from one row."""
    seats = range(4)
    table = on_table(turn, row)
    return {
        "hand": bits(turn.hand[row]),
        "unseen": mask(unseen(turn, row)),
        "takes_lead": mask(takes_lead(turn, row)),
        "masters": mask(masters(turn, row)),
        "trick_size": one_hot(len(table), 4),
        "table_half_points": [sum(half_points(card) for card in table if card != EXCUSE)],
        "winning_side": winning_side(turn, row),
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
        "all_ecart": bits(np.bitwise_or.reduce(hidden.ecart[row])),
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


PRIVATE = ["hand", "unseen", "takes_lead", "masters", "ecart", "withheld"]
PRIVATE += ["poignee_declared", "phase"]
HIDDEN = ["hands", "all_chien", "all_ecart", "all_withheld", "all_declared", "true_phase"]


def test_what_stands_where() -> None:
    """What a seat alone knows, then what all know; in the state all hidden cards stand first."""
    known = [field.name for field in OBSERVATION.fields]
    whole = [field.name for field in STATE.fields]
    assert known[: len(PRIVATE)] == PRIVATE
    assert whole == HIDDEN + known[len(PRIVATE) :]
    assert observation_layout(FFT) is OBSERVATION
    assert state_layout(FFT) is STATE


def test_entries_of_a_suit_go_where_its_name_goes() -> None:
    """Renaming the suits moves the entries of each suit and nothing else, in every phase."""
    tables = drawn_batch("suit entries", 40, {}).tables
    rng = np.random.default_rng(2)
    rows = np.arange(40)
    for layout in (OBSERVATION, STATE):
        every = np.concatenate([layout.suit_columns.ravel(), layout.other_columns])
        assert np.array_equal(np.sort(every), np.arange(layout.size))
    while not tables.is_over.all():
        viewers = rng.integers(0, 4, 40)
        called = rng.permuted(np.tile(np.arange(4), (40, 1)), axis=1)
        turn, hidden = tables.turn(rows, viewers), tables.hidden(rows, viewers)
        for layout in (OBSERVATION, STATE):
            before = layout.encode(turn, hidden)
            after = layout.encode(turn.permute_suits(called), hidden.permute_suits(called))
            other = layout.other_columns
            assert (before[:, other] == after[:, other]).all()
            moved = after[rows[:, None, None], layout.suit_columns[called]]
            assert (moved == before[:, layout.suit_columns]).all()
        tables.step(tables.random_actions(rng))


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
