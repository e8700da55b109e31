"""Text and pictures of tables: readable, and free of hidden cards."""

import re
import sys

import numpy as np
import pytest

from tarot_env import Deal, Phase, Rules, Tables, cardsets
from tarot_env.records import record
from tarot_env.render import (
    action_label,
    card_label,
    cards_text,
    render_rgb,
    render_text,
    replay_text,
    view_of,
)
from tarot_env.testing import shuffle_hidden

RULES = Rules.preset()
LONG_TRUMPS = Rules.preset(poignee_thresholds=(5, 7, 9))


def cards_in(text):
    return set(re.findall(r"[♠♥♦♣][0-9A-Z]+|T\d+|Excuse", text))


def test_cards():
    assert [card_label(card) for card in (0, 9, 10, 11, 12, 13, 27, 56, 76, 77)] == (
        "♠1 ♠10 ♠J ♠N ♠Q ♠K ♥K T1 T21 Excuse".split()
    )
    assert [card_label(card, "french") for card in (10, 11, 12, 13)] == "♠V ♠C ♠D ♠R".split()
    assert action_label(82) == "garde sans"
    assert action_label(90) == "double poignée"
    assert cards_text([77, 0, 13, 14, 56, 76]) == "♠K ♠1  ♥1  T21 T1  Excuse"
    assert cards_text([]) == "none"


def random_tables(rules, seed, steps):
    tables, rng = Tables(rules, 12, seed=seed), np.random.default_rng(seed)
    for _ in range(steps):
        tables.step(tables.random_actions(rng))
    return tables


@pytest.mark.parametrize("steps", [0, 2, 4, 7, 11, 12, 13, 14, 16, 25, 60])
def test_a_seat_sees_no_hidden_card(steps):
    tables = random_tables(LONG_TRUMPS, steps + 3, steps)
    rng = np.random.default_rng(0)
    rows = np.arange(tables.num_tables)
    for seat in range(4):
        other = shuffle_hidden(tables, rows, np.full(len(rows), seat), rng)
        for row in rows[~tables.is_over]:
            text = render_text(tables, row, seat=seat)
            assert text == render_text(other, row, seat=seat)
            assert text == render_text(tables.turn(rows, np.full(len(rows), seat)), row)
            assert not cards_in(text) & hidden_cards(tables, row, seat)


def hidden_cards(tables, row, seat):
    state = tables.state
    hidden = np.bitwise_or.reduce(np.delete(state.hands[row], seat, axis=0))
    hidden = hidden & ~np.bitwise_or.reduce(state.poignee_cards[row])
    if 0 < state.contract[row] <= 3 and state.phase[row] > Phase.AUCTION:
        hidden = hidden & ~state.chien[row]
    else:
        hidden = hidden | state.chien[row]
    return {card_label(card) for card in cardsets.to_ids(hidden)}


def test_the_open_table_shows_every_card():
    tables = random_tables(RULES, 1, 3)
    assert len(cards_in(render_text(tables, 0))) == 78


def test_a_view_counts_cards_that_it_does_not_see():
    tables = Tables(RULES, 1, seed=7)
    tables.force(np.array([0]), 2, 3)
    rng = np.random.default_rng(0)
    while not tables.is_over[0]:
        view = view_of(tables, 0, seat=1)
        assert view.hand_counts == cardsets.count(tables.state.hands[0]).tolist()
        assert view.hands[0] is None
        assert view.hands[1] == cardsets.to_ids(tables.state.hands[0, 1])
        tables.step(tables.random_actions(rng))


def test_text_of_a_seat():
    tables = Tables(RULES, 1, seed=7)
    text = render_text(tables, 0, seat=1)
    assert text.splitlines()[0] == "Seat 1 sees: auction, seat 1 to act"
    assert "> seat 1                18 cards   0 tricks  you" in text
    assert "You may: pass petite garde garde sans garde contre" in text
    assert "You may" not in render_text(tables, 0, seat=2)
    tables.step(np.array([81]))
    assert "auction, best bid garde by seat 1, seat 2 to act" in render_text(tables, 0, seat=2)


def test_the_end_tells_the_score():
    tables = random_tables(RULES, 2, 110)
    text = render_text(tables, 0, seat=3)
    assert "scores: seat 0" in text
    assert "over" in text.splitlines()[0]


def poignee_record():
    """Seat 0 holds twelve trumps and shows ten; seat 3 takes with a garde."""
    hand = [f"T{n}" for n in range(1, 13)] + ["S1", "S2", "S3", "H1", "H2", "H3"]
    base = Deal.from_seed(1, 0, RULES)
    taken = [cardsets_id(text) for text in hand]
    rest = [card for card in base.pack if card not in taken]
    hands = (tuple(taken), *(tuple(rest[18 * n : 18 * n + 18]) for n in range(3)))
    tables = Tables.from_deals(RULES, [Deal(hands, tuple(rest[54:]), 3)])
    rng = np.random.default_rng(3)
    script = iter([78, 78, 78, 81])
    while not tables.is_over[0]:
        phase, action = tables.phase[0], int(tables.random_actions(rng)[0])
        if phase == Phase.AUCTION:
            action = next(script)
        elif phase == Phase.SLAM:
            action = 78
        elif phase == Phase.POIGNEE:
            action = 89
        tables.step(np.array([action]))
    return record(tables, 0)


def cardsets_id(text):
    from tarot_env.actions import parse_card

    return parse_card(text)


def test_replay_can_be_followed():
    text = replay_text(poignee_record())
    lines = text.splitlines()
    assert lines[0] == "A given deal: fft, 4 players; seat 3 deals"
    assert "  seat 3: garde" in lines
    assert sum(line.startswith("  sets aside") for line in lines) == 6
    assert any(line.startswith("Seat 3 turns up the chien: ") for line in lines)
    assert "Seat 3 announces no slam" in lines
    assert "Seat 0 shows a poignée" in lines
    assert sum(line.startswith("  keeps back T") for line in lines) == 2
    assert sum(line.startswith("Trick") for line in lines) == 18
    assert lines[-1].strip().startswith("scores: ")
    assert "♠R" in replay_text(poignee_record(), letters="french")


def test_replay_of_deals_that_are_thrown_in():
    text = replay_text(record(Tables(RULES, 1, seed=7, first_deal=434), 0))
    assert "Deal 434 of seed 7" in text
    assert "thrown in" in text
    assert "Auction" not in text


def test_replay_of_a_forced_contract():
    tables = Tables(RULES, 1, seed=7)
    tables.force(np.array([0]), 2, 4)
    rng = np.random.default_rng(0)
    while not tables.is_over[0]:
        tables.step(tables.random_actions(rng))
    assert "Seat 2 plays garde sans without an auction" in replay_text(record(tables, 0))


@pytest.mark.parametrize(("steps", "seat"), [(0, 2), (3, None), (30, 0), (110, 1), (50, None)])
def test_pictures(steps, seat):
    tables = random_tables(RULES, 1, steps)
    picture = render_rgb(tables, 0, seat=seat)
    assert picture.shape == (720, 960, 3)
    assert picture.dtype == np.uint8
    assert picture.std() > 20
    assert np.array_equal(picture, render_rgb(tables, 0, seat=seat))


def test_pictures_hide_hidden_cards():
    tables = random_tables(RULES, 4, 20)
    rows = np.arange(tables.num_tables)
    row = int(np.flatnonzero(~tables.is_over)[0])
    other = shuffle_hidden(tables, rows, np.full(len(rows), 1), np.random.default_rng(0))
    assert not np.array_equal(tables.state.hands[row], other.state.hands[row])
    seen = render_rgb(tables, row, seat=1)
    assert np.array_equal(seen, render_rgb(other, row, seat=1))
    assert not np.array_equal(seen, render_rgb(tables, row, seat=2))
    assert not np.array_equal(render_rgb(tables, row), render_rgb(other, row))


def test_text_needs_no_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert render_text(Tables(RULES, 1, seed=0), 0)
