"""The heuristic on constructed hands of every game: auction, call, chien, announcements, play."""

import numpy as np
import pytest
from support.constructed import answer, ask_until, say, table_of
from support.every_game import rules_of

from agents.hand_strength import hand_points, known_cards, scaled, strongest_seats
from agents.heuristic import HeuristicAgent
from agents.heuristic.calibration import dealt
from agents.heuristic.calling import call_card
from agents.heuristic.discard import MANY_TRUMPS, plan_ecart
from agents.heuristic.thresholds import NEVER, THRESHOLDS
from tarot_env import Phase, Rules
from tarot_env.cards import cardsets
from tarot_env.cards.actions import CHELEM, PASS, PETIT_CHELEM, Bid, action_text, parse_card
from tarot_env.rules.books import GAMES

SCALE = HeuristicAgent(bid="scale")
SIGNAL_6 = "T21 T3 S1 S2 S3 H1 H2 H3 D1 D2 C1 C2"
WEAK_6 = "T2 T4 S4 S5 S6 H4 H5 H6 D4 D5 C4 C5"


def ids(text):
    return [parse_card(card) for card in text.split()]


def as_set(text):
    return cardsets.from_ids(ids(text))


# -- what a hand is worth


def test_every_game_has_thresholds():
    assert set(THRESHOLDS) == set(GAMES)
    for game, found in THRESHOLDS.items():
        assert found.garde < found.garde_sans <= found.garde_contre, game
        assert (found.signal > 0) == (found.contra < NEVER) == (game == "6")
    assert THRESHOLDS["mort"] == THRESHOLDS["4"]


def test_trump_length_is_scaled_to_the_hand():
    """Nine low trumps of 24 are as long as seven of 18; five of 15 and four of 12 as six."""
    points = [
        (9, 24, 14),
        (7, 18, 14),
        (5, 15, 12),
        (4, 12, 12),
        (4, 15, 10),
        (4, 18, 0),
    ]
    for number, size, expected in points:
        hand = cardsets.from_ids(range(58, 58 + number))[None]
        assert int(hand_points(hand, size)[0]) == expected, (number, size)
    sizes = {game: known_cards(table_of(game).rules) for game in GAMES}
    assert sizes == {
        "3": 24, "4": 18, "5": 15, "mort": 18, "6": 12,
        "decouverte": 24, "tirette": 24, "dummy": 24,
    }  # fmt: skip
    assert [scaled(12, table_of(game).rules) for game in ("3", "4", "5", "6")] == [16, 12, 10, 8]


# -- auction


@pytest.mark.parametrize("bid", ["table", "scale"])
@pytest.mark.parametrize("game", GAMES)
def test_a_giant_hand_bids_all_it_can(game, bid):
    tables = table_of(game)
    size = known_cards(tables.rules)
    giant = cardsets.from_ids([77, *range(76, 76 - min(size - 4, 20), -1), *ids("SK HK DK CK")])
    turn = tables.turn().replace(hand=giant[None])
    agent, rng = HeuristicAgent(bid=bid), np.random.default_rng()
    assert action_text(int(agent.act(turn, rng)[0])) == "garde_contre"
    assert HeuristicAgent(bid="pass").act(turn, rng).tolist() == [PASS]


@pytest.mark.parametrize("bid", ["table", "scale"])
@pytest.mark.parametrize("game", ["3", "4", "5", "mort", "6", "dummy"])
def test_a_poor_hand_passes(game, bid):
    tables = table_of(game)
    poor = cardsets.from_ids([suit * 14 + rank for rank in range(6) for suit in range(4)])
    turn = tables.turn().replace(hand=poor[None])
    call = HeuristicAgent(bid=bid).act(turn, np.random.default_rng())
    assert action_text(int(call[0])) == "pass"


def test_without_petite_a_petite_hand_passes_and_a_garde_hand_bids():
    rules = Rules.preset(with_petite=False)
    hand = "T21 T20 T19 T8 T7 T4 T1 SK S4 S5 H7 H8 HJ D8 D9 D7 C6 C4"
    points = int(hand_points(as_set(hand)[None])[0])
    agent = HeuristicAgent(
        bid="scale", thresholds={"4": THRESHOLDS["4"]._replace(garde=points + 1)}
    )
    assert answer(table_of("4", {0: hand}), agent) == "petite"
    assert answer(table_of("4", {0: hand}, rules=rules), agent) == "pass"
    better = hand.replace("S4", "EX")
    assert answer(table_of("4", {0: better}, rules=rules), agent) == "garde"


def test_an_overcalled_hand_comes_back_only_with_more():
    rules = Rules.preset("wikipedia", auction="until_passed")
    garde = "T21 T20 T19 T8 T7 T4 T1 EX SK S5 H7 H8 HJ D8 D9 D7 C6 C4"
    tables = say(table_of("4", {0: garde}, rules=rules), "garde garde_sans pass pass")
    assert tables.seat_to_act[0] == 0
    assert answer(tables) == "pass"


# -- six players: signals, contra


def test_a_dummy_bid_says_that_an_oudler_is_held_once():
    second = "T1 T5 S7 S8 S9 H7 H8 H9 D7 D8 C7 C8"
    third = WEAK_6.replace("T2", "EX")
    tables = table_of("6", {0: SIGNAL_6, 1: second, 2: third})
    for said in ("petite", "pousse", "pass"):  # no dummy bid is left for the third oudler
        assert answer(tables) == said
        say(tables, said)
    say(tables, "pass pass pass")
    assert tables.seat_to_act[0] == 0
    assert answer(tables) == "pass"
    again = say(table_of("6", {0: SIGNAL_6}), "petite contra pass pass pass pass")
    assert again.seat_to_act[0] == 0
    assert answer(again) not in ("petite", "pousse"), "one signal is enough"
    assert answer(table_of("6", {0: WEAK_6})) == "pass"


@pytest.mark.parametrize("before", ["", "petite", "petite pousse pass pass pass"])
def test_a_hand_worth_a_garde_is_not_hidden_in_a_signal(before):
    seat = len(before.split())
    hand = "T21 T18 T17 T9 T8 T7 EX SK SQ HQ H4 D4"
    assert answer(say(table_of("6", {seat: hand}), before)).startswith("garde")


def test_a_partners_signal_adds_to_the_scale():
    garde, signal = THRESHOLDS["6"].garde, THRESHOLDS["6"].signal
    hand = "T9 T8 T7 T5 SK S4 S3 HQ H4 D5 D6 C4"
    assert garde - signal <= int(hand_points(as_set(hand)[None], 12)[0]) < garde
    for said, expected in (("petite pass pass", "garde"), ("pass petite pass", "pass")):
        assert answer(say(table_of("6", {3: hand}), said), SCALE) == expected


def test_contra_by_a_hand_that_beats_the_contract_and_by_no_other():
    strong = "T20 T19 T18 T17 T16 T3 SK SQ HK HQ DK D7"
    no_higher = THRESHOLDS["6"]._replace(garde_sans=NEVER, garde_contre=NEVER)
    agent = HeuristicAgent(bid="scale", thresholds={"6": no_higher})
    tables = say(table_of("6", {0: WEAK_6, 1: strong}), "garde")
    assert answer(tables, agent) == "contra"
    assert answer(say(tables, "contra pass"), agent) == "pass", "the partner does not recontra"
    assert answer(say(table_of("6", {0: strong, 1: WEAK_6}), "garde"), agent) == "pass"
    silent = HeuristicAgent(bid="scale", thresholds={"6": no_higher._replace(garde=NEVER)})
    signalled = say(table_of("6", {1: strong}), "petite")
    assert answer(signalled, silent) == "pass", "a signal is nothing to contra"


def test_only_a_giant_recontras():
    giant = "T21 T20 T19 T18 T17 T16 T15 EX T1 SK HK DK"
    for hand, said in ((giant, "recontra"), ("T21 T9 T8 T6 S4 S5 S6 H4 H5 D5 D6 C4", "pass")):
        tables = say(table_of("6", {0: hand}), "garde_contre contra")
        if tables.seat_to_act[0] == 3:
            say(tables, "pass")
        assert tables.seat_to_act[0] == 0
        assert answer(tables, SCALE) == said


# -- redeal, misère, slam


def test_a_petit_sec_or_weak_hand_is_thrown_in_unless_it_is_worth_a_garde():
    petit_sec = "T1 S2 S3 S4 S5 H2 H3 H4 H5 D2 D3 D4 D5 C2 C3 C4 C5 C6"
    tables = table_of("4", {0: petit_sec}, rules=Rules.preset("jeu-de-tarot"))
    assert tables.phase[0] == Phase.PETIT_SEC
    assert answer(tables) == "throw_in"
    strong = "T21 T20 T19 T18 T17 T16 T1 EX SK SQ S2 S3 H2 H3 D2 D3 C2 C3"
    tables = table_of("4", {0: strong}, rules=Rules.preset(weak_hand_redeal=30))
    assert tables.phase[0] == Phase.PETIT_SEC
    assert answer(tables) == "pass"


def test_a_misere_is_always_declared():
    no_court = "T2 T3 T4 T5 S1 S2 S3 S4 S5 H1 H2 H3 H4 D1 D2 D3 C1 C2"
    tables = table_of("4", {0: no_court}, forced=(1, "garde_sans"), misere=True)
    assert answer(ask_until(tables, Phase.MISERE)) == "misere"


@pytest.mark.parametrize("bid", ["table", "scale"])
@pytest.mark.parametrize(
    ("losers", "said"), [("", "chelem"), ("S4 S5", "petit_chelem"), ("S4 S5 H3", "pass")]
)
def test_a_petit_chelem_is_announced_where_a_slam_is_not_sure(losers, said, bid):
    tables = table_of("5", forced=(0, "garde"), petit_chelem=True)
    sure = "T21 T20 T19 T18 T17 T16 T9 T8 T7 EX T5 SK SQ HK DK"
    hand = as_set(" ".join(sure.split()[: 15 - len(losers.split())]) + " " + losers)
    legal = cardsets.from_ids([PASS, CHELEM, PETIT_CHELEM])[None]
    turn = tables.turn().replace(
        hand=hand[None], legal=legal, phase=np.array([Phase.SLAM], np.int8)
    )
    assert action_text(int(HeuristicAgent(bid=bid).act(turn, np.random.default_rng())[0])) == said


@pytest.mark.parametrize(("game", "lowest"), [("decouverte", 13), ("tirette", 1)])
def test_no_slam_is_sure_while_cards_are_still_to_come(game, lowest):
    hand = " ".join(f"T{number}" for number in range(21, lowest - 1, -1)) + " EX SK HK"
    tables = table_of(game, {0: hand}, forced=(0, "garde_sans"))
    assert tables.phase[0] == Phase.SLAM
    assert answer(tables) == "pass"


# -- call


@pytest.mark.parametrize(
    ("hand", "called"),
    [
        ("S5 S4 S3 S2 S1 HK H2 DK D4 D5 C4 C5 T9 T8 T7", "SK"),
        ("S5 S4 S3 HQ H2 H1 D4 D5 C4 C5 T9 T8 T7 T6 T5", "HK"),
        ("SK S4 S3 S2 S1 HK H2 DK D4 D5 CK C5 C6 T8 T7", "SQ"),
        ("SK S4 SQ S2 S1 HK HQ DK DQ D5 CK CQ C6 T8 T7", "SN"),
    ],
)
@pytest.mark.parametrize("preset", ["fft", "jeu-de-tarot"])
def test_calls_the_king_of_a_long_suit_that_it_lacks(preset, hand, called):
    rules = Rules.preset(preset, players=5, petit_sec="off")
    tables = table_of("5", {0: hand}, forced=(0, "garde"), rules=rules)
    assert answer(tables) == called


def test_calls_of_a_batch_are_made_row_by_row():
    hands = [
        "S5 S4 S3 S2 S1 HK H2 DK D4 D5 C4 C5 T9 T8 T7",
        "SK H4 H3 H2 H1 D4 D5 DK C4 C5 C1 T9 T8 T7 T6",
    ]
    single = [table_of("5", {0: hand}, forced=(0, "garde")).turn() for hand in hands]
    both = (
        single[0]
        .take(np.array([0, 0]))
        .replace(
            hand=np.concatenate([turn.hand for turn in single]),
            legal=np.concatenate([turn.legal for turn in single]),
        )
    )
    assert [action_text(int(card)) for card in call_card(both)] == ["SK", "HK"]


# -- chien and écart


@pytest.mark.parametrize(
    ("chien", "said"),
    [("T20 T19 SK S2 S3 S4", "first_half"), ("S2 S3 S4 T20 T19 SK", "second_half")],
)
def test_takes_the_half_that_helps_most(chien, said):
    hand = "T21 T18 T9 T8 EX S5 S6 S7 HK H4 D4 D5"
    tables = table_of("6", {0: hand}, chien=chien, forced=(0, "garde"))
    assert tables.phase[0] == Phase.SPLIT
    assert answer(tables) == said


def test_both_partners_of_six_set_three_cards_aside():
    tables = table_of("6", forced=(1, "garde"), dealer=2)
    ask_until(tables, Phase.SLAM)
    sizes = [int(cardsets.count(ecart)) for ecart in tables.columns.ecart[0]]
    assert sizes == [3, 3]
    assert not (tables.columns.ecart[0] & (cardsets.KINGS | cardsets.OUDLERS)).any()


def test_a_called_queen_is_kept():
    hand = "SK S4 S3 S2 S1 HK H2 DK D4 D5 CK C5 C6 T8 T7"
    tables = table_of("5", {0: hand}, chien="SQ H3 H4", forced=(0, "garde"))
    ask_until(tables, Phase.SLAM)
    assert tables.called_card[0] == parse_card("SQ")
    assert not (tables.columns.ecart[0, 0] & as_set("SQ")).any()


@pytest.mark.parametrize(("game", "size"), [("3", 6), ("5", 3), ("6", 3), ("decouverte", 6)])
def test_the_ecart_is_planned_from_the_cards_that_may_go(game, size):
    """Card by card it is the plan for the whole hand; cards that lie face up stay."""
    tables, rows = dealt(rules_of(game), 80, 1_000_019)
    tables.force(rows, strongest_seats(tables, rows), int(Bid.GARDE))
    taker = tables.taker[rows].astype(np.int64)
    agent, rng, plan = HeuristicAgent(), np.random.default_rng(0), None
    while (tables.phase[rows] != Phase.SLAM).any():
        asked = rows[tables.phase[rows] != Phase.SLAM]
        discards = (tables.phase[rows] == Phase.DISCARD).all()
        if discards and plan is None:
            hand, legal = tables.columns.hands[rows, taker], tables.legal_sets()[rows]
            plan = plan_ecart(hand, size, legal, scaled(MANY_TRUMPS, tables.rules))
        tables.step(agent.act(tables.turn(asked), rng), asked)
    whole = cardsets.count(plan) == size
    assert whole.mean() > 0.9
    assert (tables.columns.ecart[rows, 0][whole] == plan[whole]).all()
