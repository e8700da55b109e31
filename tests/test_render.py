"""Text and pictures of tables: readable, and free of hidden cards."""

import re
import sys

import numpy as np
import pytest
from lockstep import Pair, written

from tarot_env import Deal, Phase, Rules, Tables, cardsets, picture
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


TWELVE = written("S1-K H1-4", "T2-13 D1-6", "H5-K T14-20 C1", "D7-K C2-J", "T1 T21 EX CN-K")
"""Seat 1 can show a poignée, and keeps two trumps back from it."""
FORCED_OUT = written(
    *("T2-13 T15-16 SK HK DK CK", "S4-Q H2-9", "H10-Q D1-Q C1"),
    *("C2-Q T1 T14 T19-21 EX", "T17-18 S1-3 H1"),
)
"""As taker seat 0 must set T17 and T18 aside, and may show them again."""
PETIT_SEC = "petit sec: seat 3 holds the petit as only trump, without the Excuse; the deal is void"


def cards_in(text):
    return set(re.findall(r"[♠♥♦♣][0-9A-Z]+|T\d+|Excuse", text))


def test_cards():
    assert [card_label(card) for card in (0, 9, 10, 11, 12, 13, 27, 56, 76, 77)] == (
        "♠1 ♠10 ♠J ♠N ♠Q ♠K ♥K T1 T21 Excuse".split()
    )
    assert [card_label(card, "french") for card in (10, 11, 12, 13)] == "♠V ♠C ♠D ♠R".split()
    assert action_label(82) == "garde sans"
    assert action_label(90) == "double poignée"
    assert action_label(86) == "slam (chelem)"
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
    assert "You may: pass, petite, garde, garde sans, garde contre" in text
    assert "You may" not in render_text(tables, 0, seat=2)
    tables.step(np.array([81]))
    assert "auction, best bid garde by seat 1, seat 2 to act" in render_text(tables, 0, seat=2)


def test_the_end_tells_the_score():
    tables = random_tables(RULES, 2, 110)
    text = render_text(tables, 0, seat=3)
    assert "scores: seat 0" in text
    assert "over" in text.splitlines()[0]


# -- a poignée being put together


def putting_together():
    """The taker has set two trumps aside and keeps three of fifteen back: T17 and T2 so far."""
    pair = Pair(FORCED_OUT, (0, "garde")).say("S1-3 H1 T17 T18 pass")
    asked = pair.tables.copy()
    return asked, pair.say("double_poignee T17 T2").tables


def test_the_poignee_question_says_what_it_is():
    asked, _ = putting_together()
    text = render_text(asked, 0, seat=0)
    assert text.splitlines()[0] == (
        "Seat 0 sees: garde by seat 0, trick 1 of 18, poignée question, seat 0 to act"
    )
    assert text.splitlines()[-1] == "You may: pass, poignée, double poignée, triple poignée"
    assert "poignée question" in render_text(asked, 0)


def test_withholding_says_what_it_is():
    """The poignée, what a card means, how many are still to come, those kept back, every answer."""
    _, tables = putting_together()
    for lines in (render_text(tables, 0, seat=0).splitlines(), render_text(tables, 0).splitlines()):
        assert "trick 1 of 18, double poignée being put together, seat 0 to act" in lines[0]
        assert lines[-3] == (
            "Putting together a double poignée of 13 trumps: the chosen card is kept back, "
            "not played; 1 to choose"
        )
        assert lines[-2] == "Kept back so far: T17 T2"
        assert lines[-1].endswith(
            ": keep back T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T15, T16, "
            "T18 (shown in the écart)"
        )


def test_others_see_a_seat_about_to_play():
    """No word of a poignée, in text or picture, while it is asked about and put together."""
    asked, tables = putting_together()
    playing = asked.copy()
    playing.step(np.array([78]))
    for seat in (1, 2, 3):
        text = render_text(playing, 0, seat=seat)
        assert "poignée" not in text
        for other in (asked, tables):
            assert render_text(other, 0, seat=seat) == text
    drawn = [render_rgb(other, 0, seat=1) for other in (playing, asked, tables)]
    assert np.array_equal(drawn[0], drawn[1])
    assert np.array_equal(drawn[0], drawn[2])


# -- replays


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
    assert sum(line.startswith("Seat 0 keeps back T") for line in lines) == 2
    assert sum(line.startswith("Trick") for line in lines) == 18
    assert lines[-1].strip().startswith("scores: ")
    assert "♠R" in replay_text(poignee_record(), letters="french")


def test_replay_of_deals_that_are_thrown_in():
    text = replay_text(record(Tables(RULES, 1, seed=7, first_deal=434), 0))
    assert "Deal 434 of seed 7" in text
    assert text.splitlines()[-1] == f"  {PETIT_SEC}"
    assert "Auction" not in text
    assert "Count" not in text
    passed = Tables(RULES, 1, seed=7)
    for _ in range(4):
        passed.step(np.array([78]))
    text = replay_text(record(passed, 0))
    assert text.splitlines()[-1] == "  everybody passed: the deal is thrown in, nobody scores"
    assert render_text(passed, 0, seat=1).splitlines()[0] == "Seat 1 sees: everybody passed, over"


def test_a_poignee_stands_where_it_was_shown():
    """Seat 1 is asked when a card lies on the table; the trick itself comes after."""
    pair = Pair(TWELVE, (0, "garde_sans")).say("pass S1 poignee T3 T2").finish()
    lines = replay_text(record(pair.tables, 0)).splitlines()
    at = lines.index("Trick  1 so far: seat 0 ♠1")
    assert lines[at + 1 : at + 5] == [
        "Seat 1 keeps back T3",
        "Seat 1 keeps back T2",
        "Seat 1 shows a poignée: T13 T12 T11 T10 T9 T8 T7 T6 T5 T4",
        "Trick  1: seat 0 ♠1  seat 1 T2  seat 2 T14*  seat 3 ♦7  (2 points to seat 2)",
    ]
    pair = Pair(TWELVE, (0, "garde_sans")).say("pass S1 pass").finish()
    lines = replay_text(record(pair.tables, 0)).splitlines()
    assert lines[lines.index("Trick  1 so far: seat 0 ♠1") + 1] == "Seat 1 shows no poignée"
    assert not any("shows a poignée" in line for line in lines)


EXCUSE_OPTIONS = [
    {},
    {"excuse_last_trick_refund": False, "half_point": "exact"},
    {"excuse_last_trick": "trick_winner"},
    {"excuse_last_trick": "owner_keeps"},
]


def played_with_the_excuse_kept(rules, deals):
    """Random play of every contract; two tables of three keep the Excuse as long as they can."""
    tables, rng = Tables(rules, deals, seed=3), np.random.default_rng(4)
    rows = np.arange(deals)
    tables.force(rows, rows % 4, np.array([1, 3, 4, 5])[rows * 4 // deals])
    while not tables.is_over.all():
        legal, actions = tables.legal_sets(), tables.random_actions(rng)
        keeps = (rows % 3 > 0) & (tables.phase == Phase.PLAY) & (actions == 77)
        others = legal & ~cardsets.EXCUSE
        keeps &= ~cardsets.is_empty(others)
        tables.step(np.where(keeps, cardsets.lowest(others), actions))
    return tables


def added_up(lines, taker):
    """Points of the attack by the trick lines alone; and what they say of the Excuse."""
    points, said = 0.0, ""
    for line in lines:
        found = re.search(r"^Trick.* \(([\d.]+) points to seat (\d)(?:; (.*))?\)$", line)
        if found is None:
            continue
        worth, seat, excuse = found.groups()
        points += float(worth) if int(seat) == taker else 0.0
        if excuse:
            said = excuse
            is_ours = re.search("attack|defence", excuse)[0] == "attack"
            half = 0.5 if "half a point" in excuse else 0.0
            points += 4.5 - half if is_ours else half
    return points, said


@pytest.mark.parametrize("options", EXCUSE_OPTIONS)
def test_a_replay_adds_up(options):
    """The trick lines and the line of the count both give the points of the attack."""
    tables = played_with_the_excuse_kept(Rules.preset(petit_sec="off", **options), 40)
    heard = set()
    for row in range(40):
        lines = replay_text(record(tables, row)).splitlines()
        count = lines[lines.index("Count") + 1]
        in_tricks, said = added_up(lines, int(tables.taker[row]))
        aside = re.search(r"(?:écart|chien) ([\d.]+)", count)
        assert in_tricks + (float(aside[1]) if aside else 0.0) == tables.points[row]
        left, total = count.split(": ")[1].split(" = ")
        terms = re.findall(r"(^|[-+])[^\d+-]*([\d.]+)", left)
        assert sum(float(f"{sign}{number}") for sign, number in terms) == float(total)
        assert float(total) == tables.points[row]
        assert f": {total} points with" in lines[lines.index("Score") + 1]
        heard.add(re.sub("attack|defence", "X", said))
    stays, over = (
        f"the Excuse {what} the X with 4.5 points" for what in ("stays with", "goes over to")
    )
    wanted = {stays, f"{stays}, half a point goes to the X"}
    if not options:
        wanted |= {f"{over}, half a point comes back"}
    assert wanted <= heard
    assert ("" if options.get("excuse_last_trick") == "owner_keeps" else over) in " ".join(heard)


def test_the_chien_of_a_garde_contre_is_counted_for_the_defence():
    pair = Pair(TWELVE, (0, "garde_contre")).say("pass").finish()
    lines = replay_text(record(pair.tables, 0)).splitlines()
    at = lines.index("Count")
    assert lines[at + 1 : at + 3] == [
        "  points of the attack: tricks 0 = 0",
        "  the chien, 24 points, counts for the defence",
    ]


def test_an_excuse_that_wins_the_last_trick():
    deal = written("T4-20 EX", "S1-K H1-4", "H5-K D1-8", "D9-K C1-N", "T21 T1-3 CQ CK")
    pair = Pair(deal, (0, "garde_sans")).say("chelem").finish("EX")
    text = replay_text(record(pair.tables, 0))
    assert "the Excuse wins the trick, its 4.5 points are the attack's)" in text
    assert "slam made, announced +400" in text


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


@pytest.fixture
def painted(monkeypatch):
    """Draws, and tells which texts and which card faces the picture holds: (card, is dimmed)."""
    texts, faces = [], []
    write, lay = picture._Painter._text, picture._Painter._card

    def _text(self, x, y, text, size, **style):
        texts.append(text)
        write(self, x, y, text, size, **style)

    def _card(self, card, *where, dim=False, **how):
        faces.append((int(card), dim))
        lay(self, card, *where, dim=dim, **how)

    monkeypatch.setattr(picture._Painter, "_text", _text)
    monkeypatch.setattr(picture._Painter, "_card", _card)

    def paint(tables, seat):
        texts.clear()
        faces.clear()
        render_rgb(tables, 0, seat=seat)
        return " | ".join(texts), list(faces)

    return paint


def test_a_picture_shows_every_answer_of_withholding(painted):
    _, tables = putting_together()
    texts, faces = painted(tables, 0)
    assert "the chosen card is kept back, not played; 1 to choose" in texts
    assert "Kept back so far: T17 T2" in texts
    assert "Double" not in texts
    assert "double poignée being put together" in texts
    big = faces[: faces.index((cardsets_id("S3"), False))]
    bright = [card for card, dim in big if not dim]
    assert sorted(bright) == cardsets.to_ids(tables.legal_sets()[0])
    assert cardsets_id("T18") in bright
    assert (cardsets_id("T2"), True) in big
    assert "shown in the écart" in texts


def test_a_picture_shows_poignees_and_the_own_ecart(painted):
    _, tables = putting_together()
    tables.step(np.array([cardsets_id("T3")]))
    shown = cardsets.to_ids(tables.state.poignee_cards[0, 0])
    assert len(shown) == 13
    for seat in (0, 1, 2, 3, None):
        texts, faces = painted(tables, seat)
        assert set(shown) <= {card for card, _ in faces}
        assert "double poignée of seat 0" in texts
        assert ("your écart" in texts) == (seat == 0)
        assert ("écart of seat 0" in texts) == (seat is None)
        plain = {(cardsets_id(card), False) for card in ("S1", "S2", "S3", "H1")}
        assert plain <= set(faces) if seat in (0, None) else not plain & set(faces)


def test_a_picture_of_the_end_shows_what_lies_open(painted):
    _, tables = putting_together()
    rng = np.random.default_rng(0)
    tables.step(np.array([cardsets_id("T3")]))
    while not tables.is_over[0]:
        tables.step(tables.random_actions(rng))
    texts, _ = painted(tables, 0)
    assert "Your écart: ♠3 ♠2 ♠1  ♥1  T18 T17" in texts
    assert "Double poignée of seat 0: T18 T16" in texts
    assert "écart: ♠3" not in painted(tables, 2)[0]


@pytest.mark.parametrize("contract", ["garde_sans", "garde_contre"])
def test_the_chien_is_shown_at_the_end(painted, contract):
    """Not before it, and not where everybody passed."""
    pair = Pair(TWELVE, (0, contract)).say("pass").until(17)
    for seat in range(4):
        assert "Chien" not in render_text(pair.tables, 0, seat=seat)
    pair.finish()
    for seat in range(4):
        assert "Chien: ♣K ♣Q ♣N  T21 T1  Excuse" in render_text(pair.tables, 0, seat=seat)
        assert "Chien: ♣K ♣Q ♣N T21 T1 Excuse" in painted(pair.tables, seat)[0]
    passed = Pair(TWELVE).say("pass pass pass pass").tables
    assert "Chien" not in render_text(passed, 0, seat=0)


def test_a_petit_sec_is_named():
    tables = Tables(RULES, 1, seed=7, first_deal=434)
    for seat in range(4):
        lines = render_text(tables, 0, seat=seat).splitlines()
        assert lines[0] == f"Seat {seat} sees: petit sec: the deal is void, over"
        assert lines[-1] == PETIT_SEC
    turn = tables.turn(np.array([0]), np.array([1]))
    assert render_text(turn).splitlines()[0] == "Seat 1 sees: petit sec: the deal is void, over"


def test_the_trick_before_and_the_last_one():
    pair = Pair(TWELVE, (0, "garde_sans")).say("pass").until(1)
    text = render_text(pair.tables, 0, seat=0)
    assert "Previous trick: seat 0 ♠1, seat 1 T2, seat 2 T14, seat 3 ♦7; seat 2 took it" in text
    assert "Last trick: " in render_text(pair.finish().tables, 0, seat=0)


def test_people_read_slam():
    pair = Pair(TWELVE, (0, "garde_sans"))
    assert render_text(pair.tables, 0, seat=0).endswith("You may: pass, slam (chelem)")
    pair.say("chelem")
    text = render_text(pair.tables, 0, seat=2)
    assert "slam announced" in text
    assert "chelem" not in text


def test_text_needs_no_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert render_text(Tables(RULES, 1, seed=0), 0)
