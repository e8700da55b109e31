"""Pictures of tables: what they show, and that nothing overlaps or lies off the picture."""

import numpy as np
import pytest
from support.every_game import GAMES, rules_of
from support.lockstep import Pair
from support.scenes import OVER, TWELVE, at, house_rules, phase, putting_together, random_tables
from support.unseen import hidden_ids, random_step

from tarot_env import Phase, Rules, Tables
from tarot_env.cards import cardsets
from tarot_env.cards.actions import parse_card
from tarot_env.render import render_rgb
from tarot_env.render.canvas import HEIGHT, WIDTH, Canvas, width_of
from tarot_env.testing import shuffle_hidden

RULES = Rules.preset()


@pytest.mark.parametrize(("steps", "seat"), [(0, 2), (3, None), (30, 0), (110, 1), (50, None)])
def test_pictures(steps, seat):
    tables = random_tables(RULES, 1, steps)
    picture = render_rgb(tables, 0, seat=seat)
    assert picture.shape == (720, 960, 3)
    assert picture.dtype == np.uint8
    assert picture.std() > 20
    assert np.array_equal(picture, render_rgb(tables, 0, seat=seat))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_pictures_hide_hidden_cards(name):
    tables, rng = Tables(house_rules(name), 12, seed=4), np.random.default_rng(4)
    for _ in range(20):
        random_step(tables, rng)
    rows = np.flatnonzero(~tables.is_over)[:1]
    other = shuffle_hidden(tables, rows, np.full(len(rows), 1), np.random.default_rng(0))
    for number, row in enumerate(rows):
        assert not np.array_equal(tables.columns.hands[row], other.columns.hands[number])
        seen = render_rgb(tables, row, seat=1)
        assert np.array_equal(seen, render_rgb(other, number, seat=1))
        assert not np.array_equal(seen, render_rgb(tables, row, seat=0))
        assert not np.array_equal(render_rgb(tables, row), render_rgb(other, number))


# -- what is drawn


class Drawing:
    """What a picture is made of: texts, card faces, and where each stroke lies."""

    def __init__(self):
        self.texts = []
        self.faces = []
        self.strokes = []
        """(what, is a label, left, bottom, right, top), in the order of drawing."""

    @property
    def text(self):
        return " | ".join(self.texts)


@pytest.fixture
def painted(monkeypatch):
    """Draws, and gives the drawing; labels are texts that stand on no card."""
    drawing, on_card = Drawing(), []
    write, lay, turn = Canvas.text, Canvas.card, Canvas.back

    def text_(self, x, y, text, size, **style):
        drawing.texts.append(text)
        width, height = width_of(text, size, style.get("fontweight", "normal")), size / 7.2
        left = x if style.get("ha") == "left" else x - width / 2
        where = (left, y - height / 2, left + width, y + height / 2)
        drawing.strokes.append((text, not on_card, *where))
        write(self, x, y, text, size, **style)

    def card_(self, card, x, y, size, *, dim=False, **how):
        drawing.faces.append((int(card), dim))
        drawing.strokes.append((int(card), False, x, y, x + size.width, y + size.height))
        on_card.append(card)
        lay(self, card, x, y, size, dim=dim, **how)
        on_card.pop()

    def back_(self, x, y, size):
        drawing.strokes.append(("back", False, x, y, x + size.width, y + size.height))
        turn(self, x, y, size)

    edge = Canvas.edge_of

    def edge_of(self, card, *where):
        drawing.faces.append((int(card), False))
        on_card.append(card)
        edge(self, card, *where)
        on_card.pop()

    for name, stroke in (("text", text_), ("card", card_), ("back", back_), ("edge_of", edge_of)):
        monkeypatch.setattr(Canvas, name, stroke)

    monkeypatch.setattr(Canvas, "pixels", lambda self: np.zeros((720, 960, 3), np.uint8))

    def paint(tables, seat):
        drawing.__init__()
        render_rgb(tables, 0, seat=seat)
        return drawing

    return paint


def test_a_picture_shows_every_answer_of_withholding(painted):
    _, tables = putting_together()
    drawing = painted(tables, 0)
    texts, faces = drawing.text, drawing.faces
    assert "the chosen card is kept back, not played; 1 to choose" in texts
    assert "Kept back so far: T17 T2" in texts
    assert "Double" not in texts
    assert "double poignée being put together" in texts
    big = faces[: faces.index((parse_card("S3"), False))]
    bright = [card for card, dim in big if not dim]
    assert sorted(bright) == cardsets.to_ids(tables.legal_sets()[0])
    assert parse_card("T18") in bright
    assert (parse_card("T2"), True) in big
    assert "shown in the écart" in texts


def test_a_picture_shows_poignees_and_the_own_ecart(painted):
    _, tables = putting_together()
    tables.step(np.array([parse_card("T3")]))
    shown = cardsets.to_ids(tables.columns.poignee_cards[0, 0])
    assert len(shown) == 13
    for seat in (0, 1, 2, 3, None):
        drawing = painted(tables, seat)
        texts, faces = drawing.text, drawing.faces
        assert set(shown) <= {card for card, _ in faces}
        assert "double poignée of seat 0" in texts
        assert ("your écart" in texts) == (seat == 0)
        assert ("écart of seat 0" in texts) == (seat is None)
        plain = {(parse_card(card), False) for card in ("S1", "S2", "S3", "H1")}
        assert plain <= set(faces) if seat in (0, None) else not plain & set(faces)


def test_a_picture_of_the_end_shows_what_lies_open(painted):
    _, tables = putting_together()
    rng = np.random.default_rng(0)
    tables.step(np.array([parse_card("T3")]))
    while not tables.is_over[0]:
        tables.step(tables.random_actions(rng))
    texts = painted(tables, 0).text
    assert "Your écart: ♠3 ♠2 ♠1  ♥1  T18 T17" in texts
    assert "Double poignée of seat 0: T18 T16" in texts
    assert "écart: ♠3" not in painted(tables, 2).text


@pytest.mark.parametrize("contract", ["garde_sans", "garde_contre"])
def test_the_chien_is_shown_at_the_end(painted, contract):
    pair = Pair(TWELVE, (0, contract)).say("pass").until(17)
    assert "Chien" not in painted(pair.tables, 1).text
    pair.finish()
    for seat in range(4):
        assert "Chien: ♣K ♣Q ♣N T21 T1 Excuse" in painted(pair.tables, seat).text


# -- every game


def overlap(one, other):
    """How far two strokes lie over each other, in the direction where it is least."""
    return min(
        min(one[4], other[4]) - max(one[2], other[2]), min(one[5], other[5]) - max(one[3], other[3])
    )


def check_layout(drawing):
    """Everything lies on the picture; no label lies on another or under a card."""
    for what, _, left, bottom, right, top in drawing.strokes:
        assert left > 0, what
        assert bottom > 0, what
        assert right < WIDTH, what
        assert top < HEIGHT, what
    for number, stroke in enumerate(drawing.strokes):
        if stroke[1]:
            for later in drawing.strokes[number + 1 :]:
                is_card = not isinstance(later[0], str) or later[0] == "back"
                if later[1] or is_card:
                    assert overlap(stroke, later) < 0.45, (stroke, later)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_nothing_overlaps_or_lies_off_the_picture(painted, name):
    """A deal with many poignées, seen from each seat and with open cards, now and then."""
    tables = at(name, phase(Phase.DISCARD), seed=2)
    rng, players = np.random.default_rng(0), tables.rules.players
    views = [None, *range(players)]
    step = 0
    while True:
        if step % 7 == 0 or tables.is_over[0]:
            check_layout(painted(tables, views[step // 7 % len(views)]))
        if tables.is_over[0]:
            break
        random_step(tables, rng)
        step += 1


@pytest.mark.parametrize("name", ["3", "4", "5", "6", "mort"])
def test_many_poignees_have_room(painted, name):
    tables, rng = Tables(house_rules(name), 1, seed=6, first_deal=1), np.random.default_rng(0)
    tables.force(np.array([0]), 2 if name != "mort" else 0, 3)
    while tables.columns.trick_number[0] < 1:
        legal = tables.legal_actions()[0]
        answers = [a for a in (91, 90, 89, 88) if legal[a]]
        tables.step(np.array(answers[:1]) if answers else tables.random_actions(rng))
    tables.step(tables.random_actions(rng))
    assert (tables.columns.poignee_level[0] > 0).sum() > 1
    for seat in (None, *range(tables.rules.players)):
        check_layout(painted(tables, seat))


@pytest.mark.parametrize("name", GAMES)
def test_an_auction_has_room(painted, name):
    tables = Tables(rules_of(name), 1, seed=3)
    check_layout(painted(tables, 0))
    check_layout(painted(tables, None))


def test_faces_of_la_decouverte(painted):
    """Covered cards are drawn with open cards only; nothing hidden has a face."""
    tables = at("decouverte", phase(Phase.PLAY, 5))
    covered = set(cardsets.to_ids(np.bitwise_or.reduce(hidden_of(tables).covered[0], axis=0)))
    assert covered <= {card for card, _ in painted(tables, None).faces}
    for seat in (0, 1):
        faces = {card for card, _ in painted(tables, seat).faces}
        assert not faces & hidden_ids(tables, 0, seat)
        up = np.bitwise_or.reduce(tables.columns.face_up[0], axis=0)
        assert set(cardsets.to_ids(up)) <= faces


def hidden_of(tables):
    return tables.hidden(np.array([0]), np.array([0]))


def test_the_stock_and_drawn_cards_of_la_tirette(painted):
    tables = at("tirette", phase(Phase.PLAY, 5))
    drawing = painted(tables, 0)
    assert "stock: 14 cards" in drawing.text
    faces = {card for card, _ in drawing.faces}
    assert int(tables.columns.pack[0, 77]) in faces
    assert set(cardsets.to_ids(tables.columns.face_up[0, 1])) <= faces
    assert not faces & hidden_ids(tables, 0, 0)


def test_legal_cards_of_a_dummy_are_bright(painted):
    tables = at("dummy", lambda t: t.phase[0] == Phase.PLAY and t.hand_to_play[0] == 2)
    legal = set(cardsets.to_ids(tables.legal_sets()[0]))
    hand = set(cardsets.to_ids(tables.columns.hands[0, 2]))
    faces = painted(tables, 0).faces
    assert {card for card, dim in faces if card in hand and not dim} == legal
    assert "The dummy · played by seat 0 · " in painted(tables, 1).text


def test_words_of_five_and_six(painted):
    tables = at("5", lambda t: t.partner[0] >= 0 and t.phase[0] == Phase.PLAY)
    partner = int(tables.partner[0])
    assert f"Seat {partner} · partner" in painted(tables, partner).text
    assert "partner" not in painted(tables, (partner + 1) % 5).text.replace("your partner", "")
    tables = at("6", phase(Phase.SPLIT))
    assert "first half | second half" in " | ".join(
        text for text in painted(tables, 3).texts if text.endswith("half")
    )
    text = painted(at("6", OVER), 0).text
    assert "Scores: seat 0" in text
