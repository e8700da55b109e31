"""The yardstick `naive`: each sentence of its play on constructed positions."""

import numpy as np
import pytest
from support.constructed import answer, cards, position, say, table_of
from support.every_game import rules_of

from agents.baselines.naive import NaiveAgent, partner_wins
from agents.hand_strength import hand_points, hand_points_without_chien
from tarot_env import Phase, Rules, Tables
from tarot_env.cards import CARD_TEXTS, cardsets
from tarot_env.cards.actions import action_text
from tarot_env.rules.books import GAMES
from tarot_env.tables import Turn

NAIVE = NaiveAgent()
WORKED_60 = "T21 T19 T12 T6 T1 EX SK SN S10 S8 S1 HJ H8 DQ DN D7 C6 C4"
WORKED_34 = "T20 T18 T14 T13 T9 T8 T6 SK S10 S5 S4 HK HQ D8 D7 C8 C7 C5"
GIANT = "T21 T20 T19 T18 T17 T16 T10 T9 T8 T1 EX SK SQ SN SJ HK DK CK"
ELSEWHERE = "S1 SK H1 HK D1 DK C1 CK T2 T20"
"""Unseen in most positions: no suit's lower cards are sure, and trumps are about."""


def said(tables: Tables) -> str:
    return answer(tables, NAIVE)


def played(turn: Turn) -> str:
    return action_text(int(NAIVE.act(turn, np.random.default_rng(0))[0]))


def with_hand(turn: Turn, hand: str, **changes: int) -> Turn:
    """A turn with few cards in hand, all of them legal."""
    held = cards(hand)[None]
    return turn.replace(
        hand=held, legal=held, **{k: np.array([v], np.int8) for k, v in changes.items()}
    )


def at_play(tables: Tables, plays: str = "") -> Tables:
    """Cards played in turn; to all questions before them the answer is pass."""
    for card in [*plays.split(), None]:
        while tables.phase[0] != Phase.PLAY:
            say(tables, "pass")
        if card is not None:
            say(tables, card)
    return tables


# -- bids by the table as published


def published(hand: list[str], *, without_chien: bool = False) -> int:
    """Points of a hand, written down from RULES.md 17.1 once more."""
    trumps = sorted(int(card[1:]) for card in hand if card[0] == "T")
    length = len(trumps) + ("EX" in hand)
    majors = [number for number in trumps if number >= 16]
    points = 10 * (21 in trumps) + 8 * ("EX" in hand)
    if 1 in trumps and length >= 5:
        points += {5: 5, 6: 7}.get(length, 9)
    points += 2 * length if length > 4 else 0
    points += 2 * len(majors)
    points += sum(number - 1 in majors or number + 1 in majors for number in majors)
    for suit in "SHDC":
        ranks = [card[1:] for card in hand if card[0] == suit]
        points += {(1, 1): 10, (1, 0): 6, (0, 1): 3}.get(("K" in ranks, "Q" in ranks), 0)
        points += 2 * ("N" in ranks) + ("J" in ranks)
        points += {5: 5, 6: 7}.get(len(ranks), 9 if len(ranks) >= 7 else 0)
        points += {0: 6, 1: 3}.get(len(ranks), 0) if without_chien else 0
    return points


def published_bid(hand: list[str]) -> str:
    points, short_suits_too = published(hand), published(hand, without_chien=True)
    if short_suits_too > 80:
        return "garde_contre"
    if short_suits_too >= 71:
        return "garde_sans"
    return "garde" if points >= 56 else "petite" if points >= 40 else "pass"


def test_the_points_are_the_published_ones():
    assert published(WORKED_60.split()) == 60
    assert published(WORKED_34.split()) == 34
    for game in GAMES:
        tables = Tables(rules_of(game), 200, seed=1_000_003)
        hands = tables.columns.hands[:, 0]
        texts = [[CARD_TEXTS[card] for card in cardsets.to_ids(hand)] for hand in hands]
        assert hand_points(hands).tolist() == [published(hand) for hand in texts]
        short_suits_too = [published(hand, without_chien=True) for hand in texts]
        assert hand_points_without_chien(hands).tolist() == short_suits_too


def test_bids_by_the_published_table_in_every_game():
    least: dict[str, int] = {}
    for game in GAMES:
        tables = Tables(rules_of(game), 1000, seed=1_000_005)
        rows = np.flatnonzero(tables.phase == Phase.AUCTION)
        turn = tables.turn(rows)
        bids = [action_text(int(action)) for action in NAIVE.act(turn, np.random.default_rng(0))]
        for bid, held in zip(bids, turn.hand, strict=True):
            hand = [CARD_TEXTS[card] for card in cardsets.to_ids(held)]
            assert bid == published_bid(hand)
            points = published(hand, without_chien=bid.startswith("garde_"))
            least[bid] = min(least.get(bid, 99), points)
    del least["pass"]
    assert least == {"petite": 40, "garde": 56, "garde_sans": 71, "garde_contre": 81}


@pytest.mark.parametrize(
    ("before", "hand", "bid"),
    [
        ("", WORKED_60, "garde"),
        ("petite", WORKED_60, "garde"),
        ("garde", WORKED_60, "pass"),
        ("garde", GIANT, "garde_contre"),
        ("", WORKED_34, "pass"),
    ],
)
def test_what_is_no_higher_bid_is_a_pass(before, hand, bid):
    assert said(say(table_of("4", {len(before.split()): hand}), before)) == bid


def test_a_petite_hand_passes_where_there_is_no_petite():
    petite = "T21 T19 T8 T7 T4 T1 EX SK S4 S5 H7 H8 HJ D8 D9 D7 C6 C4"
    assert 40 <= published(petite.split()) < 56
    assert said(table_of("4", {0: petite})) == "petite"
    assert said(table_of("4", {0: petite}, rules=Rules.preset(with_petite=False))) == "pass"


def test_with_six_nobody_contras():
    giant = "T21 T20 T19 T18 T17 T16 T10 T9 EX T1 SK HK"
    tables = say(table_of("6", {1: giant}), "garde_contre")
    assert tables.legal_actions()[0].sum() == 2
    assert said(tables) == "pass"


# -- what else is asked


def test_questions_that_no_word_is_about_are_answered_pass():
    petit_sec = "T1 S2 S3 S4 S5 H2 H3 H4 H5 D2 D3 D4 D5 C2 C3 C4 C5 C6"
    asked = table_of("4", {0: petit_sec}, rules=Rules.preset("jeu-de-tarot"))
    slam = table_of("4", {0: GIANT}, forced=(0, "garde_sans"), petit_chelem=True)
    misere = table_of("4", {0: petit_sec}, forced=(1, "garde_sans"), misere=True)
    say(misere, "pass")
    for tables, phase in ((asked, Phase.PETIT_SEC), (slam, Phase.SLAM), (misere, Phase.MISERE)):
        assert tables.phase[0] == phase
        assert said(tables) == "pass"


@pytest.mark.parametrize(
    ("hand", "called"),
    [
        ("S5 S4 S3 S2 S1 HK H2 DK D4 D5 C4 C5 T9 T8 T7", "SK"),
        ("SK S5 S4 S3 S2 H3 H2 H1 D4 D5 D6 D7 T9 T8 T7", "DK"),
        ("SK S5 S4 S3 S2 H3 H2 H1 D4 D5 D6 C1 T9 T8 T7", "HK"),
        ("SK S4 S3 S2 S1 HK H2 DK D4 D5 CK C5 C6 T8 T7", "SQ"),
        ("SK S4 SQ S2 S1 HK HQ H3 DK DQ D5 CK C5 T8 T7", "CQ"),
    ],
)
def test_calls_the_king_of_its_longest_suit_without_it(hand, called):
    assert said(table_of("5", {0: hand}, forced=(0, "garde"))) == called


def test_with_six_it_takes_the_first_half():
    tables = table_of("6", forced=(0, "garde"))
    assert tables.phase[0] == Phase.SPLIT
    assert said(tables) == "first_half"


@pytest.mark.parametrize(
    ("hand", "chien", "ecart"),
    [
        (
            "SK S5 S4 HQ H9 H3 DJ D4 CK CQ C9 C2 T2 T3 T4 T5 T6 T7",
            "T10 T11 T12 T13 T14 T15",
            "DJ D4 HQ H9 H3 S5",
        ),
        (
            "SK SQ S2 HK HN H3 DK D4 C10 C9 C8 C7 T2 T3 T4 T5 T6 T7",
            "C3 C2 T12 T13 T14 D5",
            "C10 C9 C8 C7 C3 C2",
        ),
        (
            "SK HK DK CK CQ C3 T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T10",
            "T1 T3 T2 D4 T9 T8",
            "D4 CQ C3 T2 T3 T8",
        ),
    ],
    ids=["shortest without a king first", "a long suit too", "trumps at last"],
)
def test_ecart(hand, chien, ecart):
    tables = table_of("4", {0: hand}, chien=chien, forced=(0, "garde"))
    for card in ecart.split():
        assert said(tables) == card
        say(tables, card)
    assert tables.phase[0] == Phase.SLAM


TEN_TRUMPS = "T21 T19 T15 T12 T9 T8 T7 T6 T3 T2"


@pytest.mark.parametrize(
    ("hand", "taker", "answers"),
    [
        (TEN_TRUMPS + " S5 S4 S3 H5 H4 H3 D4 D5", 0, "poignee"),
        (TEN_TRUMPS + " S5 S4 S3 H5 H4 H3 D4 D5", 1, "pass"),
        (TEN_TRUMPS + " T13 T14 T16 S5 S4 S3 H5 H4", 1, "pass"),
        (TEN_TRUMPS + " T13 T14 T16 S5 S4 S3 H5 H4", 0, "double_poignee"),
        (TEN_TRUMPS + " T13 T1 S5 S4 S3 H5 H4 D5", 0, "poignee T1 T2"),
    ],
)
def test_a_poignee_is_shown_as_taker_and_never_as_defender(hand, taker, answers):
    tables = say(table_of("4", {0: hand}, forced=(taker, "garde_sans")), "pass")
    assert tables.phase[0] == Phase.POIGNEE
    for text in answers.split():
        assert said(tables) == text
        say(tables, text)
    assert tables.phase[0] == Phase.PLAY


def test_a_called_king_shows_a_poignee_as_the_takers_side():
    hand = "T21 T19 T15 T12 T9 T8 T7 T6 HK H2 H3 S2 D2 C2 C3"
    for called, answers in (("HK", "poignee"), ("DK", "pass")):
        tables = say(table_of("5", {0: hand}, forced=(1, "garde_sans")), f"{called} pass")
        assert tables.phase[0] == Phase.POIGNEE
        assert said(tables) == answers


# -- leads


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("S2 S9 SN H3 HK D4 T3 T20 T19 T18", "SN"),
        ("S2 S9 H3 HK D4 T3 T20 T19 T18", "S9"),
        ("S2 H3 HK H4 D4 T3 T20 T19 T18", "HK"),
        ("T3 T1 T9", "T9"),
    ],
    ids=["longest suit", "first of two", "with its king", "trumps"],
)
@pytest.mark.parametrize("table", ["", "EX"])
def test_the_taker_leads_the_top_of_its_longest_suit(hand, card, table):
    """The hand behind an Excuse that was led leads in its place."""
    leader = 3 if table else 0
    assert played(position(hand, table, leader=leader, taker=0, unseen=ELSEWHERE)) == card


@pytest.mark.parametrize(("hand", "card"), [("EX T3 T9", "T9"), ("EX", "EX")])
def test_the_excuse_is_led_where_it_is_alone(hand, card):
    assert played(position(hand, leader=0, taker=0, unseen=ELSEWHERE)) == card


@pytest.mark.parametrize(
    ("hand", "voids", "card"),
    [
        ("S2 S9 SN H3 HK D4 T3 T20 T19 T18", (), "S9"),
        ("S2 S9 SN H3 H4 D4 T3 T20 T19 T18", ((2, 0),), "H4"),
        ("S2 S9 SN H3 HK D4 T3 T20 T19 T18", ((1, 0), (3, 0), (2, 4)), "S9"),
        ("S2 S9 H3 H4 HK T3 T20 T19 T18", ((2, 0), (2, 1)), "H4"),
        ("S7 T3 T4 T5", (), "S7"),
        ("T3 T1 T9", (), "T3"),
    ],
    ids=["longest", "not the taker's void", "others' voids", "void in all", "one card", "trumps"],
)
@pytest.mark.parametrize("table", ["", "EX"])
def test_a_defender_leads_its_second_lowest(hand, voids, card, table):
    leader = 3 if table else 0
    turn = position(hand, table, leader=leader, taker=2, unseen=ELSEWHERE, voids=voids)
    assert played(turn) == card


def test_the_first_lead_is_in_another_suit_than_the_called_one():
    hand = "H2 H3 H4 H5 D6 D7 D8 S2 S3 C2 C3 T2 T3 T4 T5"
    for own, called, card in (("", "HK", "D7"), ("", "SK", "H3"), ("HK", "HK", "D8")):
        held = hand.replace("H5", own) if own else hand
        tables = say(table_of("5", {0: held}, forced=(1, "garde_sans")), called)
        assert said(at_play(tables)) == card


# -- following


@pytest.mark.parametrize(
    ("trick", "hand", "card"),
    [
        ("S5 S6 S7", "S2 S9 SK", "S2"),
        ("S5 EX SJ", "S2 SN SK", "SN"),
        ("S5 S6 EX", "S2 SN SK", "S2"),
        ("S5 SN S7", "S2 S9 SJ", "S2"),
        ("S5 T3 SN", "S2 SQ S9", "S2"),
        ("SN SK S7", "S9 S2 SQ", "S2"),
    ],
    ids=["1.5 points", "2 points", "the Excuse is no points", "cannot", "ruffed", "enemy's king"],
)
def test_the_last_to_play_wins_cheaply_what_is_worth_it(trick, hand, card):
    turn = position(f"{hand} D2", trick, leader=1, taker=0, unseen=ELSEWHERE)
    assert played(turn) == card


@pytest.mark.parametrize(
    ("trick", "hand", "unseen", "card"),
    [
        ("S5", "S2 SK", "SQ S7", "SK"),
        ("S5", "S2 SQ", "SK S7", "S2"),
        ("S5", "S2 SQ", "S7", "SQ"),
        ("S5 SQ", "S2 SN", "S7", "S2"),
        ("S5 T3", "S2 SK", "S7", "S2"),
        ("S5 S8", "S2 S9 S10", "S7", "S10"),
        ("S5 S8", "S2 S9 S10", "S7 SJ", "S2"),
    ],
    ids=["king", "king is out", "king is gone", "beaten", "ruffed", "master ten", "knave is out"],
)
def test_before_the_last_the_highest_only_where_it_is_sure(trick, hand, unseen, card):
    leader = 4 - len(trick.split())
    turn = position(f"{hand} D2", trick, leader=leader, taker=1, unseen=f"{unseen} D3 D4 T5")
    assert played(turn) == card


def test_cards_in_the_own_ecart_are_not_out():
    turn = position("S2 SN D2", "S5", leader=3, taker=0, unseen="SQ D3 D4 T5")
    assert played(turn) == "S2"
    assert played(turn.replace(ecart=cards("SQ")[None])) == "SN"


@pytest.mark.parametrize(
    ("trick", "hand", "card"),
    [
        ("S5", "T1 T5 T12 D2", "T5"),
        ("S5 T8", "T1 T5 T12 D2", "T12"),
        ("S5 T15", "T1 T5 T12 D2", "T5"),
        ("T3", "T1 T5 T12 D2", "T5"),
        ("SQ SK S7", "T1 T5 T12 D2", "T5"),
        ("SQ SK S7", "T1 D2 D3 D4", "T1"),
    ],
    ids=["ruffs", "over", "under", "trumps led", "last", "only the petit"],
)
def test_forced_to_trump_the_lowest_and_the_petit_last(trick, hand, card):
    leader = 4 - len(trick.split())
    assert played(position(hand, trick, leader=leader, taker=2, unseen=ELSEWHERE)) == card


@pytest.mark.parametrize(
    ("taker", "hand", "card"),
    [
        (1, "HQ H2 DN D3 C2", "HQ"),
        (1, "H3 H2 DK CK C3", "DK"),
        (2, "HQ H2 D3 C2 C3", "D3"),
        (2, "HQ H2 D9 D5 C2 C4", "H2"),
        (0, "HQ H2 D3 C2 C3", "D3"),
    ],
    ids=["partner wins", "first of two kings", "taker wins", "first of three suits", "as taker"],
)
@pytest.mark.parametrize("trick", ["S5 SK", "S5 SK S6"])
def test_free_discards(taker, hand, card, trick):
    """The second hand wins: seat 2 of three before the viewer, seat 3 of two."""
    leader = 4 - len(trick.split())
    winner = leader + 1
    by = {1: leader, 2: winner, 0: 0}[taker]
    assert played(position(hand, trick, leader=leader, taker=by, unseen=ELSEWHERE)) == card


# -- the Excuse


@pytest.mark.parametrize(
    ("trick", "hand", "taker", "card"),
    [
        ("S5 SK", "EX SQ D2 D3", 3, "EX"),
        ("S5 SK", "EX SN D2 D3", 3, "SN"),
        ("S5 SK", "EX SQ S2 D3", 3, "S2"),
        ("S5 SK", "EX SQ D2 D3", 2, "SQ"),
        ("S5 SJ", "EX SQ D2 D3", 3, "SQ"),
        ("S5 T8", "EX T1 D2 D3", 3, "EX"),
        ("S5 T8", "EX T12 D2 D3", 3, "T12"),
        ("S5 SK", "EX HK D2 D3", 3, "EX"),
        ("S5 SK", "EX H7 D2 D3", 3, "H7"),
        ("", "EX SQ SN D3", 0, "SQ"),
    ],
    ids=[
        "a queen", "a knight", "a low card", "partner wins", "takes the lead",
        "the petit", "a trump above", "a bare king", "a low discard", "a lead",
    ],
)  # fmt: skip
def test_the_excuse_in_place_of_losing_much(trick, hand, taker, card):
    leader = (4 - len(trick.split())) % 4
    assert played(position(hand, trick, leader=leader, taker=taker, unseen=ELSEWHERE)) == card


@pytest.mark.parametrize(
    ("hand", "trick", "card"),
    [("EX S4", "H3", "EX"), ("EX SK", "", "EX"), ("EX S4 S5", "H3", "S4"), ("S4 S5", "H3", "S4")],
)
def test_the_excuse_at_the_latest_on_the_second_last_trick(hand, trick, card):
    leader = 3 if trick else 0
    assert played(position(hand, trick, leader=leader, taker=0, unseen=ELSEWHERE)) == card


@pytest.mark.parametrize("game", GAMES)
def test_the_second_last_trick_of_every_game(game):
    turn = table_of(game).turn()
    tricks, play = turn.rules.tricks, int(Phase.PLAY)
    for number, card in ((tricks - 3, "S4"), (tricks - 2, "EX")):
        there = with_hand(turn, "EX S4", phase=play, trick_number=number, taker=0)
        assert played(there) == card


# -- sides


TAKER_5 = "SK S9 S8 T21 T20 T19 T18 T17 T9 H5 H4 H3 D9 C9 C8"
NO_SPADES = "H2 H1 HQ D2 D3 D4 DQ C2 C3 C4 CQ C1 D1 H6"


@pytest.mark.parametrize(("card", "discarded"), [("HK", "HK"), ("H7", "H1")])
def test_a_called_king_loads_the_takers_trick_and_a_defender_does_not(card, discarded):
    hands = {0: TAKER_5, 1: f"{card} {NO_SPADES}"}
    tables = say(table_of("5", hands, forced=(0, "garde_sans")), "HK")
    assert said(at_play(tables, "SK")) == discarded


def test_a_taker_does_not_know_its_partner():
    """Only when the king has been played is a trick that its holder wins a partner's."""
    hands = {4: "D5 S2 ...", 0: "D6 S3 ...", 1: "D7 S4 ...", 2: "HK DK S5 ..."}
    taker = "S6 S7 S8 HQ H1 H2 H3 C1 C2 C3 C4 C5 C6 C7 CQ"
    rules = Rules.preset(players=5, petit_sec="off", first_lead_bans_called_suit=False)
    tables = table_of("5", {**hands, 3: taker}, dealer=3, forced=(3, "garde_sans"), rules=rules)
    turn = at_play(say(tables, "HK"), "D5 D6 D7 DK").turn()
    assert played(turn) == "S6"
    assert played(turn.replace(partner=turn.best_seat)) == "HQ"


@pytest.mark.parametrize(("void_seat", "discarded"), [(3, "HK"), (2, "HQ")])
def test_six_play_in_partnerships(void_seat, discarded):
    """Seat 0, the taker, wins with the king of spades; seat 3 is its partner, seat 2 is not."""
    hands = {4: "S7 S8 ...", 5: "S6 S9 ...", 0: "SK T21 T20 ...", 1: "S5 ...", 2: "S4 ..."}
    hands[void_seat] = "HQ HK DK D2 D3 D4 D5 C2 C3 C4 C5 C6"
    tables = table_of("6", hands, dealer=3, forced=(0, "garde_sans"), first_lead="first_hand")
    plays = "S7 S6 SK S5" + (" S4" if void_seat == 3 else "")
    assert said(at_play(tables, plays)) == discarded


def test_nobody_wins_a_trick_without_cards():
    turn = position("S2 S9 SN H3", leader=0, taker=2, unseen=ELSEWHERE)
    assert not partner_wins(turn).any()
    assert partner_wins(position("S2 S9", "SK", leader=3, taker=2, unseen=ELSEWHERE)).all()


NO_BLACK = " ".join(suit + str(rank) for suit in "HD" for rank in range(1, 11)) + " HJ DJ HQ DQ"


@pytest.mark.parametrize(("dummy", "discarded"), [("SK S2 ...", "HQ"), ("S3 S2 ...", "H1")])
def test_the_defender_loads_a_trick_of_the_dummy(dummy, discarded):
    hands = {0: "S9 ...", 1: NO_BLACK, 2: dummy}
    tables = at_play(table_of("dummy", hands, forced=(0, "garde_sans")), "S9")
    assert tables.hand_to_play[0] == 2
    plays_from_dummy = said(tables)
    assert plays_from_dummy == dummy.split()[0].replace("S3", "S2")
    assert said(say(tables, plays_from_dummy)) == discarded


def test_from_the_dummy_a_king_in_the_own_hand_is_out():
    hands = {0: "S9 ...", 1: "SK ...", 2: "SQ S2 ..."}
    tables = at_play(table_of("dummy", hands, forced=(0, "garde_sans")), "S9")
    assert said(tables) == "S2"


def test_a_petit_that_is_never_compulsory_does_not_trump():
    rules = Rules.preset(petit_sec="imprenable")
    lone = "T1 SQ S3 S4 S5 S6 D2 D3 D4 D5 D6 C2 C3 C4 C5 C6 C7 C8"
    hands = {0: "H5 T21 T20 T19 ...", 1: lone}
    tables = at_play(table_of("4", hands, forced=(0, "garde_sans"), rules=rules))
    ruffable = say(tables.copy(), "H5")
    assert ruffable.legal_actions()[0].sum() == 18
    assert said(ruffable) == "S3", "the shortest suit, not the petit"
    assert said(say(tables, "T21")) == "S3"
