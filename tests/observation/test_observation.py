"""Layouts: sizes and bounds, and every field against a slow encoder of its own."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from reference import PACK
from reference.cards import EXCUSE, first_real_card, half_points, trick_winner
from support.lockstep import Pair, drawn_batch, rules_of, written

from tarot_env import Bid, Phase, Rules, Tables, TarotError, Turn
from tarot_env.cards import ANY, KIND, RANK, cardsets
from tarot_env.cards.actions import action_text
from tarot_env.observation import Layout, observation_layout, side_half_points, state_layout
from tarot_env.observation.layouts import ObservationLayout, StateLayout
from tarot_env.tables import FullInformation

FFT = Rules.preset("fft", players=4)
OBSERVATION, STATE = observation_layout(FFT), state_layout(FFT)
HOUSE_RULES = {"misere": True, "petit_chelem": True}
CASES: list[tuple[str, str, dict[str, object]]] = [
    ("fft", "4", {}),
    *(("fft", game, HOUSE_RULES) for game in ("3", "5", "mort")),
    ("wikipedia", "5", {"petit_sec": "imprenable"}),
    *(("jeu-de-tarot", game, {}) for game in ("6", "decouverte", "tirette", "dummy")),
]
IDS = [f"{preset}-{game}" for preset, game, _options in CASES]


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


def order_of_play(turn: Turn, row: int) -> list[int]:
    """Places of the hands in order from the first hand, counted from the viewer."""
    players, dealer = turn.rules.players, int(turn.dealer[row])
    order = [(dealer + place) % players for place in range(1, players + 1)]
    if turn.rules.game == "mort":
        return order[:-1]
    return [order[0], 2, order[1]] if turn.rules.game == "dummy" else order


def played_by(turn: Turn, row: int, place: int) -> int:
    """The hand that plays a card of the trick on the table."""
    order = order_of_play(turn, row)
    return order[(order.index(int(turn.leader[row])) + place) % len(order)]


def trick_by_hand(turn: Turn, row: int) -> list[list[int]]:
    codes = [[0] * 27 for _hand in range(turn.rules.hands)]
    for place, card in enumerate(turn.trick_cards[row].tolist()):
        if card >= 0:
            codes[played_by(turn, row, place)] = card_code(card)
    return codes


def attackers(turn: Turn, row: int) -> set[int]:
    """Hands known to be on the taker's side."""
    taker, partner = int(turn.taker[row]), int(turn.partner[row])
    return {place for place in (taker, partner) if place >= 0 and taker >= 0}


def sides(turn: Turn, row: int) -> list[int]:
    attack = attackers(turn, row)
    if not attack:
        return [0, 0]
    points = turn.trick_half_points[row].tolist()
    ours = sum(points[hand] for hand in attack)
    result = [ours, sum(points) - ours]
    owner, winner = int(turn.oudler_player[row, 2]), int(turn.oudler_winner[row, 2])
    if winner >= 0:
        mine, theirs = int(owner not in attack), int(winner not in attack)
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
    for hand in range(turn.rules.hands):
        seen += names(turn.played[row, hand])
        if turn.rules.players == 2:
            seen += names(turn.face_up[row, hand])
    if turn.exposed[row] >= 0:
        seen.append(action_text(int(turn.exposed[row])))
    if turn.contract[row] in (4, 5):
        seen += names(turn.chien[row])
    return [card for card in PACK if card not in seen]


def on_table(turn: Turn, row: int) -> list[str]:
    return [action_text(card) for card in turn.trick_cards[row].tolist() if card >= 0]


def played_from(turn: Turn, row: int) -> list[str]:
    """The hand that the viewer plays from now: the dummy's, where it has to."""
    acts = turn.legal[row].any()
    dummy = acts and turn.rules.game == "dummy" and turn.to_act[row] == 2
    return names(turn.face_up[row, 2] if dummy else turn.hand[row])


def takes_lead(turn: Turn, row: int) -> list[str]:
    table = on_table(turn, row)
    held = [card for card in played_from(turn, row) if card != EXCUSE]
    return [card for card in held if trick_winner([*table, card]) == len(table)]


def masters(turn: Turn, row: int) -> list[str]:
    """Cards in hand with nothing unseen behind them in the pack, of their suit or the trumps."""
    out = unseen(turn, row)
    found = []
    for card in played_from(turn, row):
        higher = [other for other in out if other[0] == card[0] and other != EXCUSE]
        if card != EXCUSE and all(PACK.index(other) < PACK.index(card) for other in higher):
            found.append(card)
    return found


def winning_side(turn: Turn, row: int) -> list[int]:
    """Nothing where the viewer does not know on whose side the winner is."""
    table, attack = on_table(turn, row), attackers(turn, row)
    if not attack or first_real_card(table) is None:
        return [0, 0]
    winner = played_by(turn, row, trick_winner(table))
    partner_is_secret = turn.rules.calls_king and turn.partner[row] < 0
    if partner_is_secret and winner not in (0, turn.taker[row]):
        return [0, 0]
    ours = (winner in attack) == (0 in attack)
    return [int(ours), int(not ours)]


def encoded(turn: Turn, hidden: FullInformation, row: int) -> dict[str, Any]:
    """Every field of both layouts, from one row."""
    p, a = turn.rules.players, turn.rules.hands
    table = on_table(turn, row)
    return {
        "hand": bits(turn.hand[row]),
        "unseen": mask(unseen(turn, row)),
        "takes_lead": mask(takes_lead(turn, row)),
        "masters": mask(masters(turn, row)),
        "trick_size": one_hot(len(table), turn.rules.cards_per_trick),
        "table_half_points": [sum(half_points(card) for card in table if card != EXCUSE)],
        "winning_side": winning_side(turn, row),
        "ecart": bits(turn.ecart[row]),
        "withheld": trumps(turn.withheld[row]),
        "poignee_declared": one_hot(int(turn.poignee_declared[row]) - 1, 3),
        "phase": one_hot(int(turn.phase[row]), 11),
        "to_act": one_hot(int(turn.to_act[row]), a),
        "dealer": one_hot(int(turn.dealer[row]), p),
        "bids": [one_hot(int(bid), 6) for bid in turn.bids[row]],
        "contract": one_hot(int(turn.contract[row]), 6),
        "taker": one_hot(int(turn.taker[row]), p),
        "chien": bits(turn.chien[row]),
        "shown_discards": trumps(turn.shown_discards[row]),
        "slam_announced": [int(turn.slam_announced[row])],
        "poignee_level": [one_hot(int(level) - 1, 3) for level in turn.poignee_level[row]],
        "poignee_cards": [trumps(turn.poignee_cards[row, seat]) for seat in range(p)],
        "trick_number": [int(turn.trick_number[row])],
        "leader": one_hot(int(turn.leader[row]), a),
        "trick": trick_by_hand(turn, row),
        "led": one_hot(int(turn.led[row]), 6),
        "best_seat": one_hot(int(turn.best_seat[row]), a),
        "last_leader": one_hot(int(turn.last_leader[row]), a),
        "last_winner": one_hot(int(turn.last_winner[row]), a),
        "played": [bits(turn.played[row, hand]) for hand in range(a)],
        "void": turn.void[row].astype(int),
        "trump_bound": turn.trump_bound[row],
        "tricks_won": turn.tricks_won[row],
        "trick_half_points": turn.trick_half_points[row],
        "side_half_points": sides(turn, row),
        "oudler_player": [one_hot(int(hand), a) for hand in turn.oudler_player[row]],
        "oudler_winner": [one_hot(int(hand), a) for hand in turn.oudler_winner[row]],
        **of_some_games(turn, hidden, row),
        "hands": [bits(hidden.hands[row, hand]) for hand in range(a)],
        "all_chien": bits(hidden.chien[row]),
        "all_withheld": [trumps(hidden.withheld[row, seat]) for seat in range(p)],
        "all_declared": [one_hot(int(n) - 1, 3) for n in hidden.poignee_declared[row]],
        "true_phase": one_hot(int(hidden.phase[row]), 11),
    }


def of_some_games(turn: Turn, hidden: FullInformation, row: int) -> dict[str, Any]:
    """The fields that only some games have."""
    rules = turn.rules
    ecarts = [bits(hidden.ecart[row, seat]) for seat in range(rules.players)]
    found: dict[str, Any] = {"all_ecart": ecarts if rules.game_name == "6" else np.max(ecarts, 0)}
    if rules.game_name == "5":
        found["called"] = one_hot(int(turn.called[row]), 78)
        found["partner"] = one_hot(int(turn.partner[row]), 5)
        found["true_partner"] = one_hot(int(hidden.partner[row]), 5)
    if rules.game_name == "6":
        found["passes"] = one_hot(int(turn.passes[row]), 6)
        found["contra"] = one_hot(int(turn.contra[row]) - 1, 2)
        found["split"] = one_hot(int(turn.split[row]), 2)
        found["first_half"] = bits(turn.first_half[row])
    if rules.misere:
        said = turn.misere[row].tolist()
        found["misere"] = [[int(m in (1, 3)), int(m in (2, 3))] for m in said]
    if rules.petit_chelem:
        found["petit_chelem_announced"] = [int(turn.petit_chelem_announced[row])]
    hands = range(rules.hands)
    if rules.players == 2:
        found["face_up"] = [bits(turn.face_up[row, hand]) for hand in hands]
    if rules.game == "decouverte":
        found["covering"] = [bits(turn.covering[row, hand]) for hand in hands]
    if rules.game == "tirette":
        found["exposed"] = one_hot(int(turn.exposed[row]), 78)
    if rules.game in ("decouverte", "tirette"):
        found["covered"] = [bits(hidden.covered[row, hand]) for hand in hands]
    return found


@pytest.mark.parametrize(("preset", "game", "options"), CASES, ids=IDS)
def test_every_field_by_a_slow_encoder(preset: str, game: str, options: dict[str, object]) -> None:
    """On turns of all phases and viewers; both layouts; and every entry within its bounds."""
    rules = rules_of(preset, game, options)
    observation, state = observation_layout(rules), state_layout(rules)
    n = 60 if game == "4" else 16
    tables = drawn_batch("observations", n, rules, options).tables
    rng = np.random.default_rng(1)
    rows = np.arange(n)
    while not tables.is_over.all():
        viewers = rng.integers(0, rules.players, n)
        viewers = np.where(rng.random(n) < 0.5, np.maximum(tables.seat_to_act, 0), viewers)
        turn, hidden = tables.turn(rows, viewers), tables.hidden(rows, viewers)
        flat, whole = observation.encode(turn), state.encode(turn, hidden)
        assert (flat <= observation.highs).all()
        assert (whole <= state.highs).all()
        for row in rng.choice(n, 6 if game == "4" else 2, replace=False):
            wanted = encoded(turn, hidden, int(row))
            names = {field.name for field in (*observation.fields, *state.fields)}
            assert names == set(wanted)
            for layout, vector in ((observation, flat[row]), (state, whole[row])):
                for field in layout.fields:
                    value = np.array(wanted[field.name])
                    assert value.shape == field.shape, field.name
                    assert np.array_equal(layout.view(vector, field.name), value), field.name
        tables.step(tables.random_actions(rng))
    turn = tables.turn(rows, np.zeros(n, np.int64))
    final = observation.encode(turn)
    assert (final <= observation.highs).all()
    tricks = observation.view(final, "trick_number")[:, 0]
    assert rules.tricks in tricks
    assert set(tricks.tolist()) <= {0, rules.tricks}


def test_an_ecart_stands_with_the_seat_that_set_it_aside() -> None:
    """With six players the taker's and its partner's, as every viewer counts the seats."""
    tables = Tables(Rules.preset("jeu-de-tarot", players=6), 1, seed=5)
    rng, row = np.random.default_rng(2), np.zeros(1, np.int64)
    tables.force(row, 4, Bid.GARDE)
    while tables.phase[0] != Phase.PLAY:
        tables.step(tables.random_actions(rng))
    ecart, taker, partner = tables.columns.ecart[0], int(tables.taker[0]), int(tables.partner[0])
    assert ecart.any(1).all()
    for viewer in range(6):
        seen = tables.hidden(row, np.array([viewer])).ecart[0]
        expected = np.zeros((6, 2), np.uint64)
        expected[(taker - viewer) % 6], expected[(partner - viewer) % 6] = ecart
        assert np.array_equal(seen, expected)


LAYOUTS = [make(rules_of(*case)) for case in CASES for make in (observation_layout, state_layout)]
LAYOUT_IDS = [f"{kind}-{name}" for name in IDS for kind in ("observation", "state")]


@pytest.mark.parametrize("layout", LAYOUTS, ids=LAYOUT_IDS)
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


PRIVATE = ["phase", "poignee_declared", "withheld"]
PRIVATE += ["hand", "unseen", "takes_lead", "masters", "ecart"]
HIDDEN = ["true_phase", "all_declared", "all_withheld", "hands", "all_chien", "all_ecart"]
MORE = {
    "5": (["called", "partner"], ["true_partner"]),
    "6": (["passes", "contra", "split", "first_half"], []),
    "decouverte": (["face_up", "covering"], ["covered"]),
    "tirette": (["face_up", "exposed"], ["covered"]),
    "dummy": (["face_up"], []),
}
"""Public and hidden fields that four players do not have."""


@pytest.mark.parametrize(("preset", "game", "options"), CASES, ids=IDS)
def test_what_stands_where(preset: str, game: str, options: dict[str, object]) -> None:
    """What a seat alone knows, then what all know; in the state all that is hidden stands first."""
    rules = rules_of(preset, game, options)
    observation, state = observation_layout(rules), state_layout(rules)
    known = [field.name for field in observation.fields]
    whole = [field.name for field in state.fields]
    public, hidden = MORE.get(game, ([], []))
    assert known[: len(PRIVATE)] == PRIVATE
    assert set(whole) == {*HIDDEN, *hidden, *known[len(PRIVATE) :]}
    assert whole[-len(known[len(PRIVATE) :]) :] == known[len(PRIVATE) :]
    assert [name for name in whole if name in HIDDEN] == HIDDEN
    of_four = [field.name for field in OBSERVATION.fields]
    house_rules = [name for name in ("misere", "petit_chelem_announced") if options == HOUSE_RULES]
    assert [name for name in known if name in of_four] == of_four
    assert set(known) == {*of_four, *public, *house_rules}
    assert len(known) == len(set(known))
    assert observation_layout(rules) is observation
    assert state_layout(rules) is state


def encode(layout: Layout, turn: Turn, hidden: FullInformation) -> np.ndarray:
    """What a layout of either kind makes of some turns."""
    if isinstance(layout, StateLayout):
        return layout.encode(turn, hidden)
    assert isinstance(layout, ObservationLayout)
    return layout.encode(turn)


@pytest.mark.parametrize(("preset", "game", "options"), CASES, ids=IDS)
def test_entries_of_a_suit_go_where_its_name_goes(
    preset: str, game: str, options: dict[str, object]
) -> None:
    """Renaming the suits moves the entries of each suit and nothing else, in every phase."""
    rules = rules_of(preset, game, options)
    layouts = observation_layout(rules), state_layout(rules)
    n = 40 if game == "4" else 12
    tables = drawn_batch("suit entries", n, rules, options).tables
    rng = np.random.default_rng(2)
    rows = np.arange(n)
    for layout in layouts:
        every = np.concatenate([layout.suit_columns.ravel(), layout.other_columns])
        assert np.array_equal(np.sort(every), np.arange(layout.size))
    while not tables.is_over.all():
        viewers = rng.integers(0, rules.players, n)
        new_names = rng.permuted(np.tile(np.arange(4), (n, 1)), axis=1)
        turn, hidden = tables.turn(rows, viewers), tables.hidden(rows, viewers)
        for layout in layouts:
            before = encode(layout, turn, hidden)
            renamed = turn.permute_suits(new_names), hidden.permute_suits(new_names)
            after = encode(layout, *renamed)
            other = layout.other_columns
            assert (before[:, other] == after[:, other]).all()
            moved = after[rows[:, None, None], layout.suit_columns[new_names]]
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


def test_many_turns_are_encoded_like_few() -> None:
    """The public columns stand last in both layouts, and are the same."""
    tables, rows, seats = Tables(FFT, 11, seed=1), np.arange(11), np.arange(11) % 4
    turn, hidden = tables.turn(rows, seats), tables.hidden(rows, seats)
    observations, states = OBSERVATION.encode(turn), STATE.encode(turn, hidden)
    for part in (slice(0, 4), slice(4, 8), slice(8, 11), slice(1, 11, 3), slice(None, None, -1)):
        few, cards = turn.take(part), hidden.take(part)
        assert (OBSERVATION.encode(few) == observations[part]).all()
        assert (STATE.encode(few, cards) == states[part]).all()
    public = OBSERVATION.public_size
    assert (observations[:, -public:] == states[:, -public:]).all()


def buffers(n: int, size: int, dtype: Any) -> list[np.ndarray]:
    """What callers may hand in: in one piece, as part of something larger, column by column."""
    return [
        np.full((n, size), 77, dtype),
        np.full((n + 2, size + 9), 77, dtype)[1 : n + 1, 4 : size + 4],
        np.full((2 * n, size), 77, dtype)[::2],
        np.full((size, n), 77, dtype).T,
    ]


@pytest.mark.parametrize(("preset", "game", "options"), CASES, ids=IDS)
def test_observations_come_straight_from_the_tables(
    preset: str, game: str, options: dict[str, object]
) -> None:
    """`observe` and `write` write what `encode` makes of the turns, in every phase and buffer."""
    rules = rules_of(preset, game, options)
    layout, whole, n = observation_layout(rules), state_layout(rules), 12
    tables = drawn_batch("buffers", n, rules, options).tables
    rng = np.random.default_rng(3)
    while not tables.is_over.all():
        going_on = np.flatnonzero(~tables.is_over)
        some = rng.integers(0, n, 7)  # over or not, also twice
        viewers = rng.integers(0, rules.players, 7)
        for rows, seats in ((going_on, None), (some, viewers)):
            turn = tables.turn(rows, seats)
            hidden = tables.hidden(rows, turn.seat)
            numbers, state = layout.encode(turn), whole.encode(turn, hidden)
            scaled = numbers * layout.scale
            assert scaled.dtype == np.float32
            assert scaled.min() >= 0
            assert scaled.max() <= 1
            assert np.allclose(scaled, numbers / layout.highs, rtol=1e-6, atol=0)
            for dtype, wanted, of_state in (
                (np.uint8, numbers, state),
                (np.float32, scaled, state * whole.scale),
            ):
                outs = buffers(len(rows), layout.size, dtype)
                for out, mask in zip(outs, buffers(len(rows), 95, np.bool_), strict=True):
                    assert layout.encode(turn, out=out) is out
                    assert (out == wanted).all()
                    out[...] = 55
                    layout.observe(tables, out, mask, rows, seats)
                    assert (out == wanted).all()
                    assert (mask == turn.legal_mask).all()
                out, mask = np.full_like(outs[0], 55), np.ones((len(rows), 95), np.bool_)
                layout.write(tables, *tables.viewers(rows, seats), out, mask)
                assert (out == wanted).all()
                assert (mask == turn.legal_mask).all()
                for out in buffers(len(rows), whole.size, dtype):
                    assert whole.encode(turn, hidden, out) is out
                    assert (out == of_state).all()
        tables.step(tables.random_actions(rng))


def test_all_tables_are_observed_where_none_are_named() -> None:
    tables = Tables(FFT, 5, seed=1)
    out, mask = np.zeros((5, OBSERVATION.size), np.uint8), np.zeros((5, 95), np.bool_)
    OBSERVATION.observe(tables, out, mask)
    assert (out == OBSERVATION.encode(tables.turn())).all()
    assert (mask == tables.legal_actions()).all()
    OBSERVATION.observe(tables, out[:0], mask[:0], np.zeros(0, np.int64))


@pytest.mark.parametrize(
    ("out", "mask"),
    [
        (np.zeros((3, OBSERVATION.size - 1), np.uint8), np.zeros((3, 95), np.bool_)),
        (np.zeros((2, OBSERVATION.size), np.uint8), np.zeros((3, 95), np.bool_)),
        (np.zeros(3 * OBSERVATION.size, np.uint8), np.zeros((3, 95), np.bool_)),
        (np.zeros((3, OBSERVATION.size), np.float64), np.zeros((3, 95), np.bool_)),
        (np.zeros((3, OBSERVATION.size), np.int8), np.zeros((3, 95), np.bool_)),
        (np.zeros((3, OBSERVATION.size), np.uint8), np.zeros((3, 94), np.bool_)),
        (np.zeros((3, OBSERVATION.size), np.uint8), np.zeros((2, 95), np.bool_)),
        (np.zeros((3, OBSERVATION.size), np.uint8), np.zeros((3, 95), np.uint8)),
    ],
)
def test_buffers_that_do_not_fit_are_refused(
    out: np.ndarray, mask: np.ndarray, wrong_type_error: tuple[type[Exception], ...]
) -> None:
    """Nothing is written anywhere."""
    tables = Tables(FFT, 3, seed=1)
    with pytest.raises((TarotError, *wrong_type_error)):
        OBSERVATION.observe(tables, out, mask)
    if mask.shape == (3, 95) and mask.dtype == np.bool_:
        with pytest.raises((TarotError, *wrong_type_error)):
            OBSERVATION.encode(tables.turn(), out)
    assert not out.any()
    assert not mask.any()


def test_all_cards_are_those_of_the_turns() -> None:
    tables = Tables(FFT, 3, seed=1)
    hidden = tables.hidden(np.array([0, 1]), np.array([0, 0]))
    with pytest.raises(TarotError, match="all cards of 2 tables for 3 turns"):
        STATE.encode(tables.turn(), hidden)


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
