"""Slams and poignées of the heuristic: announced where they pay (RULES.md 17.4)."""

import numpy as np
import pytest
from support.constructed import answer, ask_until, cards, say, table_of
from support.every_game import GAMES, rules_of

from agents.heuristic import HeuristicAgent
from agents.heuristic.announcement_fits import poignee_samples, slam_samples
from agents.heuristic.announcing import announce_slam, roles, show_poignee, slam_chances
from agents.heuristic.estimates import ROLES, estimates_of, weighed
from agents.heuristic.features import BEFORE_PLAY, HAND
from agents.heuristic.fitting import logistic
from agents.heuristic.holding import HIDING_GAMES
from tarot_env import Phase, Rules
from tarot_env.cards import cardsets
from tarot_env.cards.actions import CHELEM, PASS, POIGNEE, action_text

SURE = "T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T1 EX SK SQ HK DK CK"
AHEAD = "T21 T20 T19 T12 T9 T8 T7 T6 T1 EX SK SQ HK D4 D5 C3 C2 CK"
SHAKY = "T14 T13 T12 T11 T9 T8 T7 T6 T4 T2 S9 S8 H7 H4 D5 D6 C4 C3"


def asked(hand, phase, legal, *, taker=0, rules=None):
    """A turn of four players at a question."""
    turn = table_of("4", rules=rules).turn()
    return turn.replace(
        hand=cards(hand)[None],
        legal=cardsets.from_ids(legal)[None],
        phase=np.array([phase], np.int8),
        taker=np.array([taker], np.int8),
        contract=np.array([3], np.int8),
    )


def said(turn):
    return action_text(int(HeuristicAgent().act(turn, np.random.default_rng(0))[0]))


# -- slam


@pytest.mark.parametrize(
    ("hand", "answer"),
    [
        (SURE, "chelem"),
        (SURE.replace("T12", "T10"), "chelem"),
        (SURE.replace("SQ", "S4").replace("CK", "C4").replace("DK", "D4"), "pass"),
        (AHEAD, "pass"),
        (SHAKY, "pass"),
    ],
)
def test_slams_are_announced_where_no_card_can_lose(hand, answer):
    assert said(asked(hand, Phase.SLAM, [PASS, CHELEM])) == answer


def test_a_slam_where_failing_costs_more_needs_more():
    """FFT: from a chance of 1/2; 2/3 where a failure costs 400 (RULES.md 17.4)."""
    for presumed, usual, dear in ((0.45, PASS, PASS), (0.6, CHELEM, PASS), (0.7, CHELEM, CHELEM)):
        estimates = with_slam_chance(presumed)
        for bonus, expected in (((400, 200, -200), usual), ((400, 200, -400), dear)):
            rules = Rules.preset(slam_bonus=bonus)
            turn = asked(SURE, Phase.SLAM, [PASS, CHELEM], rules=rules)
            assert announce_slam(turn, estimates).tolist() == [expected]


def with_slam_chance(chance):
    """The estimates of four players, but for a slam of so much chance whatever the hand."""
    estimates = estimates_of("4")
    log_odds = np.zeros(len(estimates.slam))
    log_odds[0] = np.log(chance / (1 - chance))
    return estimates._replace(slam=log_odds)


@pytest.mark.parametrize(
    ("chance", "bonus", "expected"),
    [
        (0.9, (200, 200, -200), PASS),
        (0.1, (400, 200, 0), CHELEM),
        (0.9, (200, 200, 0), PASS),
    ],
)
def test_a_slam_with_nothing_to_gain_is_not_announced_with_nothing_to_lose_it_is(
    chance, bonus, expected
):
    turn = asked(SURE, Phase.SLAM, [PASS, CHELEM], rules=Rules.preset(slam_bonus=bonus))
    assert announce_slam(turn, with_slam_chance(chance)).tolist() == [expected]


def test_no_slam_with_an_excuse_that_never_wins():
    rules = Rules.preset("online")
    turn = asked(SURE, Phase.SLAM, [PASS, CHELEM], rules=rules)
    assert slam_chances(turn, estimates_of("4")).tolist() == [0]
    without = asked(SURE.replace("EX", "T10"), Phase.SLAM, [PASS, CHELEM], rules=rules)
    assert slam_chances(without, estimates_of("4"))[0] > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("game", [game for game in GAMES if game not in (*HIDING_GAMES, "mort")])
def test_announced_slams_are_made_more_often_than_not(game):
    rules = rules_of(game)
    features, made = slam_samples(rules, HeuristicAgent(), deals=800, seed=1_000_031)
    chance = logistic(weighed(features, estimates_of(game).slam))
    assert (chance > 0.5).sum() >= 10
    assert made[chance > 0.5].mean() > 0.6
    assert made[chance < 0.4].mean() < 0.15


# -- poignée


@pytest.mark.parametrize(
    ("hand", "taker", "answer"),
    [(AHEAD, 0, "poignee"), (SHAKY, 0, "pass"), (SHAKY, 2, "poignee")],
)
def test_a_poignee_is_shown_by_the_side_that_is_ahead(hand, taker, answer):
    assert said(asked(hand, Phase.POIGNEE, [PASS, POIGNEE], taker=taker)) == answer


def test_a_defender_shows_what_beats_the_contract():
    strong = "T21 T20 T18 T17 T15 T12 T9 T8 T7 T1 EX SK SQ HK HQ DK D5 CK"
    assert said(asked(strong, Phase.POIGNEE, [PASS, POIGNEE], taker=2)) == "poignee"


def test_the_ecart_is_a_part_of_what_the_taker_has():
    """Points set aside count for it."""
    from_8_points = np.zeros(len(HAND) + len(BEFORE_PLAY))
    from_8_points[0], from_8_points[-2] = -8, 1
    estimates = estimates_of("4")._replace(poignee={"taker": (0.5, from_8_points)})
    turn = asked(SHAKY, Phase.POIGNEE, [PASS, POIGNEE])
    shown = [
        int(show_poignee(turn.replace(ecart=cards(ecart)[None]), estimates)[0])
        for ecart in ("S2 S3 S4 H2 D2 D3", "SQ HQ DQ CQ SN HN")
    ]
    assert shown == [PASS, POIGNEE]


def test_roles():
    tables = table_of("5", {0: "SK ..."}, forced=(1, "garde_sans"))
    say(tables, "SK")
    views = tables.turn(np.zeros(3, np.int64), np.array([0, 1, 2]))
    assert roles(views).tolist() == [1, 0, 2]


def test_a_poignee_in_a_deal():
    tables = table_of("4", {0: AHEAD}, forced=(0, "garde_sans"))
    assert answer(ask_until(tables, Phase.POIGNEE)) == "poignee"


@pytest.mark.slow
@pytest.mark.parametrize("game", ["3", "4", "5", "6"])
def test_poignees_that_are_shown_win_more_often_than_not(game):
    rules = rules_of(game)
    estimates = estimates_of(game)
    samples = poignee_samples(rules, HeuristicAgent(), deals=500, seed=1_000_033)
    judged = []
    for role, (least, weights) in estimates.poignee.items():
        chance = logistic(weighed(samples.features, weights))
        shown = (chance > least) & (samples.role == ROLES.index(role))
        if shown.sum() >= 15:
            judged.append(role)
            assert samples.wins[shown].mean() > 0.5, role
    assert judged
