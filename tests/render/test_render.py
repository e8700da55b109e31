"""Text of tables: readable in every game, and free of hidden cards."""

import sys

import numpy as np
import pytest
from support.every_game import GAMES, pass_out, rules_of
from support.lockstep import Pair
from support.scenes import OVER, TWELVE, at, house_rules, phase, putting_together, random_tables
from support.unseen import hidden_labels, labels_in, random_step

from tarot_env import Phase, Rules, Tables
from tarot_env.cards import cardsets
from tarot_env.cards.actions import parse_action
from tarot_env.render import action_label, card_label, cards_text, render_rgb, render_text, view_of
from tarot_env.testing import shuffle_hidden

RULES = Rules.preset()
PETIT_SEC = "petit sec: seat 3 holds the petit as only trump, without the Excuse; the deal is void"


def say(tables, *actions):
    """Gives answers by their text at table 0."""
    for action in actions:
        tables.step(np.array([parse_action(action)]))
    return tables


def lines_of(tables, seat):
    return render_text(tables, 0, seat=seat).splitlines()


def test_cards():
    assert [card_label(card) for card in (0, 9, 10, 11, 12, 13, 27, 56, 76, 77)] == (
        "♠1 ♠10 ♠J ♠N ♠Q ♠K ♥K T1 T21 Excuse".split()
    )
    assert [card_label(card, "french") for card in (10, 11, 12, 13)] == "♠V ♠C ♠D ♠R".split()
    assert action_label(82) == "garde sans"
    assert action_label(90) == "double poignée"
    assert action_label(88) == "misère"
    assert action_label(86) == "slam (chelem)"
    assert cards_text([77, 0, 13, 14, 56, 76]) == "♠K ♠1  ♥1  T21 T1  Excuse"
    assert cards_text([]) == "none"


# -- what a seat may see


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_seat_sees_no_hidden_card(name):
    """Not one is named; and with other hidden cards the text is the same, from a turn too."""
    tables = Tables(house_rules(name), 10, seed=3)
    rng, rows = np.random.default_rng(0), np.arange(10)
    for step in range(45):
        if step % 3 == 0:
            for seat in range(tables.rules.players):
                seats = np.full(len(rows), seat)
                other = shuffle_hidden(tables, rows, seats, rng)
                turn = tables.turn(rows, seats)
                for row in rows[~tables.is_over]:
                    text = render_text(tables, row, seat=seat)
                    assert text == render_text(other, row, seat=seat)
                    assert text == render_text(turn, row)
                    known = text.partition("You may: call")[0]  # which names cards of others
                    assert not labels_in(known) & hidden_labels(tables, row, seat)
        random_step(tables, rng)


@pytest.mark.parametrize("name", GAMES)
def test_the_open_table_shows_every_card(name):
    tables = Tables(rules_of(name), 1, seed=7)
    assert len(labels_in(render_text(tables, 0))) == 78


@pytest.mark.parametrize("name", GAMES)
def test_a_view_counts_cards_that_it_does_not_see(name):
    rules = rules_of(name)
    tables, rng = Tables(rules, 1, seed=7), np.random.default_rng(0)
    tables.force(np.array([0]), 1, 3)
    while not tables.is_over[0]:
        view = view_of(tables, 0, seat=1)
        counts = cardsets.count(tables.columns.hands[0])
        if name == "decouverte":
            counts = counts + cardsets.count(tables.hidden(np.array([0]), np.array([0])).covered[0])
        assert view.hand_counts == counts.tolist()
        assert view.hands[0] is None
        assert view.hands[1] == cardsets.to_ids(tables.columns.hands[0, 1])
        tables.step(tables.random_actions(rng))


# -- four players


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


def test_the_ecart_names_its_verb():
    assert lines_of(at("4", phase(Phase.DISCARD)), 1)[-1].startswith("You may: set aside ♠")


# -- a poignée being put together


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
    for lines in (lines_of(tables, 0), render_text(tables, 0).splitlines()):
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


def test_withholding_may_end_where_more_may_be_shown():
    pair = Pair(TWELVE, (0, "garde_sans"), poignee_show="at_least").say("pass S1 poignee T2")
    lines = lines_of(pair.tables, 1)
    assert lines[-3].endswith("not played; at most 1 more; pass shows the rest")
    assert "of 10 trumps" in lines[-3]
    assert lines[-1].endswith("T13, pass")


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


# -- house rules


def test_a_misere_is_asked_in_private_and_told_to_all():
    tables = at("5", phase(Phase.MISERE), misere=True)
    seat = int(tables.seat_to_act[0])
    assert "misère question" in lines_of(tables, seat)[0]
    assert lines_of(tables, seat)[-1] == "You may: pass, misère"
    other = (seat + 1) % 5
    assert "misère" not in render_text(tables, 0, seat=other)
    say(tables, "misere")
    assert f"Seat {seat} declared a misère: no " in render_text(tables, 0, seat=other)


def test_a_redeal_question_looks_like_the_auction_to_others():
    tables = at("4", phase(Phase.PETIT_SEC), taker=None, weak_hand_redeal=9)
    seat = int(tables.seat_to_act[0])
    assert lines_of(tables, seat)[0] == (
        f"Seat {seat} sees: auction, redeal question, seat {seat} to act"
    )
    assert lines_of(tables, seat)[-1] == "You may: pass, throw in"
    first = (int(tables.columns.dealer[0]) + 1) % 4
    for other in {0, 1, 2, 3} - {seat}:
        assert lines_of(tables, other)[0] == f"Seat {other} sees: auction, seat {first} to act"
    say(tables, "throw_in")
    assert "thrown in before the auction, over" in lines_of(tables, first)[0]


def test_announced_slams():
    pair = Pair(TWELVE, (0, "garde_sans"))
    assert render_text(pair.tables, 0, seat=0).endswith("You may: pass, slam (chelem)")
    pair.say("chelem")
    text = render_text(pair.tables, 0, seat=2)
    assert "slam announced" in text
    assert "chelem" not in text
    pair = Pair(TWELVE, (0, "garde_sans"), petit_chelem=True).say("petit_chelem")
    assert "petit chelem announced" in lines_of(pair.tables, 2)[0]


# -- the end


@pytest.mark.parametrize("contract", ["garde_sans", "garde_contre"])
def test_the_chien_is_shown_at_the_end(contract):
    """Not before it, and not where everybody passed."""
    pair = Pair(TWELVE, (0, contract)).say("pass").until(17)
    for seat in range(4):
        assert "Chien" not in render_text(pair.tables, 0, seat=seat)
    pair.finish()
    for seat in range(4):
        assert "Chien: ♣K ♣Q ♣N  T21 T1  Excuse" in render_text(pair.tables, 0, seat=seat)
    passed = Pair(TWELVE).say("pass pass pass pass").tables
    assert "Chien" not in render_text(passed, 0, seat=0)


def test_a_petit_sec_is_named():
    tables = Tables(RULES, 1, seed=7, first_deal=434)
    for seat in range(4):
        lines = lines_of(tables, seat)
        assert lines[0] == f"Seat {seat} sees: petit sec: the deal is void, over"
        assert lines[-1] == PETIT_SEC
    turn = tables.turn(np.array([0]), np.array([1]))
    assert render_text(turn).splitlines()[0] == "Seat 1 sees: petit sec: the deal is void, over"


@pytest.mark.parametrize("name", GAMES)
def test_everybody_passed(name):
    tables = Tables(rules_of(name), 1, seed=7)
    pass_out(tables)
    assert lines_of(tables, 0)[0] == "Seat 0 sees: everybody passed, over"


def test_the_trick_before_and_the_last_one():
    pair = Pair(TWELVE, (0, "garde_sans")).say("pass").until(1)
    text = render_text(pair.tables, 0, seat=0)
    assert "Previous trick: seat 0 ♠1, seat 1 T2, seat 2 T14, seat 3 ♦7; seat 2 took it" in text
    assert "Last trick: " in render_text(pair.finish().tables, 0, seat=0)


def test_text_needs_no_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert render_text(Tables(RULES, 1, seed=0), 0)


# -- five players


def test_a_called_king_and_who_knows_its_holder():
    """The holder alone knows at once; everybody when it has been played."""
    tables = at("5", lambda t: t.partner[0] >= 0 and t.phase[0] == Phase.PLAY)
    partner, card = int(tables.partner[0]), card_label(int(tables.called_card[0]))
    for seat in range(5):
        lines = lines_of(tables, seat)
        assert f"garde by seat 1, {card} called" in lines[0]
        knows = [line for line in lines if line.endswith("partner, you")]
        assert (len(knows) == 1) == (seat == partner)
        assert seat == partner or not any("partner" in line for line in lines)
    assert any(
        line.startswith(f"  seat {partner}") and line.endswith("partner")
        for line in render_text(tables, 0).replace("> ", "  ").splitlines()
    )


def test_calling_lists_the_cards():
    tables = at("5", phase(Phase.CALL))
    lines = lines_of(tables, 1)
    assert lines[0] == "Seat 1 sees: garde by seat 1, a king to be called, seat 1 to act"
    assert lines[-1] == "You may: call ♠K, ♥K, ♦K, ♣K"


def test_a_taker_that_is_alone():
    tables = at("5", lambda t: t.phase[0] == Phase.PLAY and t.partner[0] < 0)
    assert any(line.endswith("taker, alone") for line in render_text(tables, 0).splitlines())


# -- six players


def test_calls_and_contra_of_six():
    tables = Tables(rules_of("6"), 1, seed=7)
    say(tables, "petite", "pousse", "pass", "contra")
    for seat in range(6):
        lines = lines_of(tables, seat)
        assert "auction, best bid pousse by seat 2, contra, seat 5 to act" in lines[0]
        assert "Calls: seat 1 petite, seat 2 pousse, seat 4 contra" in lines
    assert "You may: pass, garde, garde sans, garde contre, recontra" in lines_of(tables, 5)


def test_a_dummy_bid_is_thrown_in():
    tables = say(Tables(rules_of("6"), 1, seed=7), "petite", *["pass"] * 5)
    assert lines_of(tables, 0)[0] == "Seat 0 sees: nobody bid a garde, over"


def test_halves_of_the_chien_and_two_ecarts():
    tables = at("6", phase(Phase.SPLIT))
    halves = tables.columns.pack[0, 72:78].astype(int).tolist()
    for seat in range(6):
        lines = lines_of(tables, seat)
        assert f"Chien, first half: {cards_text(halves[:3])}" in lines
        assert f"Chien, second half: {cards_text(halves[3:])}" in lines
    say(tables, "second_half")
    assert f"Chien, first half: {cards_text(halves[:3])}, to seat 4" in lines_of(tables, 0)
    assert f"Chien, second half: {cards_text(halves[3:])}, to seat 1" in lines_of(tables, 0)
    rng = np.random.default_rng(0)
    while tables.phase[0] == Phase.DISCARD:
        tables.step(tables.random_actions(rng))
    assert [sum("Écart" in line for line in lines_of(tables, seat)) for seat in range(6)] == (
        [0, 1, 0, 0, 1, 0]
    )
    assert {"Écart of seat 1", "Écart of seat 4"} <= {
        line.partition(":")[0] for line in render_text(tables, 0).splitlines()
    }


# -- the dealer sits out


def test_a_dead_hand_looks_on():
    tables = at("mort", phase(Phase.PLAY, 2), taker=None)
    dealer = int(tables.columns.dealer[0])
    lines = lines_of(tables, dealer)
    assert any(line.endswith("dealer, sits out, you") for line in lines)
    assert not any(line.startswith(("Your hand", "Hand of")) for line in lines)
    assert any(line.endswith("dealer, sits out") for line in lines_of(tables, (dealer + 1) % 5))


# -- two players


def test_piles_of_la_decouverte():
    tables = at("decouverte", phase(Phase.DISCARD))
    lines = lines_of(tables, 0)
    for seat in (0, 1):
        up = tables.columns.pack[0, 30 + 24 * seat : 54 + 24 * seat : 2].astype(int).tolist()
        labels = [f"{label}+" for label in cards_text(up).split()]
        assert f"Before seat {seat}: {' '.join(labels)}" in lines
    assert "(+ lies on a covered card)" in lines
    assert "  seat 0                36 cards" in "\n".join(lines)


def test_a_card_is_turned_up_when_the_one_on_it_is_played():
    tables = at("decouverte", phase(Phase.PLAY, 0))
    seat = int(tables.seat_to_act[0])
    piles = dict(tables.columns.pack[0, 30 + 24 * seat : 54 + 24 * seat].reshape(12, 2).tolist())
    upper = next(card for card in piles if tables.legal_actions()[0, card])
    under = card_label(piles[upper])
    before = render_text(tables, 0, seat=1 - seat)
    assert f"{card_label(upper)}+" in before
    assert under not in labels_in(before)
    assert f"{card_label(upper)}+{under}" in render_text(tables, 0)
    tables.step(np.array([upper]))
    after = next(x for x in lines_of(tables, 1 - seat) if x.startswith(f"Before seat {seat}"))
    assert under in after.split()


def test_the_stock_of_la_tirette():
    tables = at("tirette", phase(Phase.PLAY, 0))
    last = card_label(int(tables.columns.pack[0, 77]))
    stock = f"Stock: 24 cards, the last of them, {last}, lies open"
    assert stock in lines_of(tables, 0)
    tables = at("tirette", phase(Phase.PLAY, 4))
    assert any(line.startswith("Stock: 16 cards") for line in lines_of(tables, 0))
    drawn = [cardsets.to_ids(cards) for cards in tables.columns.face_up[0]]
    for seat in (0, 1):
        line = f"Drawn by seat {seat} and still in hand: {cards_text(drawn[seat])}"
        assert line in lines_of(tables, 1)
    assert "Stock" not in render_text(at("tirette", phase(Phase.PLAY, 12)), 0, seat=0)


def test_a_dummy_lies_open_and_is_played_by_the_defender():
    closed = at("dummy", phase(Phase.SLAM))
    assert "Hand of the dummy" not in render_text(closed, 0, seat=0)
    tables = at("dummy", lambda t: t.phase[0] == Phase.PLAY and t.hand_to_play[0] == 2)
    hand = cards_text(cardsets.to_ids(tables.columns.hands[0, 2]))
    for seat in (0, 1):
        lines = lines_of(tables, seat)
        assert lines[0].endswith("the dummy to act (seat 0 plays it)")
        assert f"Hand of the dummy: {hand}" in lines
        assert any(x.startswith("> dummy ") and x.endswith("played by seat 0") for x in lines)
    assert lines_of(tables, 0)[-1].startswith("You may: play from the dummy ")
    assert not lines_of(tables, 1)[-1].startswith("You may")


@pytest.mark.parametrize("name", GAMES)
def test_the_end_of_every_game_tells_the_score(name):
    tables = at(name, OVER)
    for seat in (*range(tables.rules.players), None):
        assert "scores: seat 0" in render_text(tables, 0, seat=seat)
