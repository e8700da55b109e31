"""What the search player compares: equal cards once, and écarts that can be made."""

import numpy as np
import pytest
from support.constructed import ask_until, cards, position, say, table_of, written

from agents.heuristic import HeuristicAgent
from agents.heuristic.estimates import expected_scores
from agents.heuristic.play import card_merits
from agents.search.candidates import candidates_of, stakes
from agents.search.rollouts import Games, answer
from tarot_env import Deal, Phase
from tarot_env.cards import cardsets
from tarot_env.cards.actions import CONTRA, PASS, POIGNEE, Bid, action_text
from tarot_env.tables import Tables

MANY = 100


def tried(turn, most=MANY):
    answers = HeuristicAgent().act(turn, np.random.default_rng(0))
    return candidates_of(turn, answers, most)


def named(found):
    return [action_text(action) for action in found.action]


def groups(text):
    """Sets of cards, of each of which one is tried."""
    return [set(group.split()) for group in text.split("/")]


# -- equal cards


@pytest.mark.parametrize(
    ("hand", "unseen", "expected"),
    [
        pytest.param("S7 S8 S3", "S9 H2", "S7 S8 S3", id="neighbours, and what is between is gone"),
        pytest.param("S7 S9 S3", "S8 H2", "S3 S7/S9", id="a card is left between"),
        pytest.param("S7 S3", "S5 H2", "S7/S3", id="far apart"),
        pytest.param("SN SJ S10", "H2", "SN/SJ/S10", id="they count differently"),
        pytest.param("T5 T6 T8", "T7 H2", "T5 T6/T8", id="trumps"),
        pytest.param("T5 T6 T8", "T9 H2", "T5 T6 T8", id="trumps, one between is gone"),
        pytest.param("T21 T20 T19", "T3 H2", "T21/T20 T19", id="the 21 is an oudler"),
        pytest.param("T1 T2 T3", "T9 H2", "T1/T2 T3", id="so is the petit"),
        pytest.param("EX T21 T20", "T9 H2", "EX/T21/T20", id="and the Excuse"),
        pytest.param("S1 S2 H1 H2", "S9 H9", "S1 S2/H1 H2", id="suits are not alike"),
    ],
)
def test_equal_cards_are_tried_once(hand, unseen, expected):
    found = tried(position(hand, leader=0, taker=0, unseen=unseen))
    alike = [{action_text(card) for card in cardsets.to_ids(each)} for each in found.alike]
    assert sorted(map(sorted, alike)) == sorted(map(sorted, groups(expected)))
    assert all(name in group for name, group in zip(named(found), alike, strict=True))


@pytest.mark.parametrize(
    ("trick", "expected"),
    [("S8", "S7/S9"), ("SK S8", "S7 S9"), ("S8 T5", "S7 S9"), ("S5", "S7 S9")],
)
def test_cards_on_either_side_of_the_winning_card_are_not_equal(trick, expected):
    leader = 4 - len(trick.split())
    turn = position("S7 S9 H3", trick, leader=leader, taker=0, unseen="SJ H2 H4")
    found = named(tried(turn))
    assert len(found) == len(groups(expected)), found


def test_of_equal_cards_the_one_of_most_merit_is_tried():
    """The first of the cards tried has most merit of all that are legal: the heuristic's choice."""
    agent, rng = HeuristicAgent(), np.random.default_rng(0)
    tables = Tables(table_of("4").rules, 24, seed=1_000_001)
    while not tables.is_over.all():
        rows = np.flatnonzero(tables.phase == Phase.PLAY)
        if len(rows):
            turn = tables.turn(rows)
            found, most = tried(turn), card_merits(turn).max(1)
            first = np.flatnonzero(np.diff(found.row, prepend=-1))
            assert found.prior[first] == pytest.approx(most * stakes(turn) / 2)
            assert np.array_equal(found.action[first], agent.act(turn, rng))
        rows = np.flatnonzero(~tables.is_over)
        tables.step(agent.act(tables.turn(rows), rng), rows)


# -- how many, and in which order


def test_the_most_promising_are_tried():
    turn = position("S1 S7 H2 H8 D3 D9 C4 CJ", leader=0, taker=0, unseen="S5 H5 D6 C7 S9 H9")
    every, few = tried(turn), tried(turn, 3)
    assert len(every) == 8
    assert (np.diff(every.prior) <= 0).all()
    assert few.action.tolist() == every.action[:3].tolist()
    assert np.array_equal(every.action[:1], HeuristicAgent().act(turn, np.random.default_rng(0)))


def test_rows_of_other_phases_stand_side_by_side():
    """A bid, a poignée, and a trump to withhold from one, of which the player's own is enough."""
    trumps = {0: "T11 T10 T9 T8 T7 T6 T5 T4 T3 T2 T1 SK ..."}
    deals = [written(hands, dealer=3) for hands in ({}, trumps, trumps)]
    tables = Tables.from_deals(table_of("4").rules, [Deal.from_text(**deal) for deal in deals])
    tables.force(np.array([1, 2]), np.array([0, 0]), int(Bid.GARDE_SANS))
    while len(rows := np.flatnonzero(tables.phase == Phase.SLAM)):
        tables.step(np.full(len(rows), PASS), rows=rows)
    tables.step(np.array([POIGNEE]), rows=np.array([2]))
    assert tables.phase.tolist() == [Phase.AUCTION, Phase.POIGNEE, Phase.WITHHOLD]
    answers = HeuristicAgent().act(tables.turn(), np.random.default_rng(0))
    found = tried(tables.turn())
    assert found.action[found.row == 2].tolist() == answers[2:].tolist()
    for row in (0, 1):
        legal = np.flatnonzero(tables.legal_actions()[row])
        assert sorted(found.action[found.row == row].tolist()) == legal.tolist()
        assert found.action[found.row == row][0] == answers[row]


def test_a_call_without_an_estimate_is_taken_to_be_worth_a_pass():
    """Six players, nobody has bid a contract: a contra to a signal."""
    tables = say(table_of("6"), "petite")
    found, scores = tried(tables.turn()), expected_scores(tables.turn())[0]
    assert np.isnan(scores[CONTRA])
    assert found.prior[found.action == CONTRA] == scores[PASS] != 0


def test_rows_are_counted_anew():
    both = Tables(table_of("4").rules, 5, seed=1_000_001).turn()
    found = tried(both)
    part = found.of_rows(np.array([1, 4]))
    assert set(part.row.tolist()) == {0, 1}
    assert part.action.tolist() == found.action[np.isin(found.row, [1, 4])].tolist()


# -- écart

LONG = "SK S9 S8 HQ H4 H3 D9 D4 C9 C5 C3 T21 T20 T19 T9 T8 T7 T6"


def to_discard(game, hand, **options):
    tables = table_of(game, {0: hand}, forced=(0, "garde"), **options)
    return ask_until(tables, Phase.DISCARD)


@pytest.mark.parametrize(
    ("game", "size", "hand"),
    [
        ("4", 6, LONG),
        ("3", 6, f"{LONG} C2 C1 D3 D2 H2 S2"),
        ("5", 3, LONG[: -len(" T8 T7 T6")]),
        ("6", 3, "SK S9 S8 HQ H4 D9 C9 C3 T21 T20 T9 T8"),
    ],
)
def test_plans_are_different_whole_and_legal(game, size, hand):
    tables = to_discard(game, hand)
    found = tried(tables.turn())
    legal = tables.legal_sets()
    assert len(found) > 1
    assert len({tuple(plan) for plan in found.plan.tolist()}) == len(found)
    assert (cardsets.count(found.plan) == size).all()
    assert ((found.plan & ~legal) == 0).all()
    assert not (found.plan & (cardsets.KINGS | cardsets.OUDLERS)).any()
    assert cardsets.contains(found.plan, found.action).all()
    every = np.zeros(len(found), np.int64)
    played = tables.take(every)
    answer(Games(played, found.action, found.plan, every))
    assert not (played.phase == Phase.DISCARD).any() or game == "6"
    assert np.array_equal(played.columns.ecart[:, 0], found.plan)


def test_plans_hold_what_is_set_aside_already():
    tables, size = to_discard("4", LONG), 6
    plan = tried(tables.turn()).plan[1]
    for done in range(1, size):
        card = cardsets.lowest((plan & ~tables.columns.ecart[0, 0])[None]).astype(np.int64)
        tables.step(card)
        found = tried(tables.turn())
        assert (cardsets.count(found.plan) == size - done).all()
        assert not (found.plan & tables.columns.ecart[0, 0]).any()
        assert (plan & ~tables.columns.ecart[0, 0]).tolist() in found.plan.tolist()
        assert tables.legal_actions()[0, found.action].all()


def test_an_ecart_that_no_plan_would_have_begun_goes_on():
    tables = to_discard("4", LONG)
    say(tables, "S9 C9 HQ")
    assert not (tried(tables.turn()).plan & cards("S9 C9 HQ")).any()
    while tables.phase[0] == Phase.DISCARD:
        found = tried(tables.turn())
        assert tables.legal_actions()[0, found.action].all()
        tables.step(found.action[-1:])


def test_where_trumps_must_be_set_aside_one_answer_is_left():
    hand = "SK HK DK CK EX T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T10 T9"
    tables = to_discard("4", hand, chien="T8 T7 T6 T5 S1 S2")
    while tables.phase[0] == Phase.DISCARD:
        found = tried(tables.turn())
        assert tables.legal_actions()[0, found.action].all()
        tables.step(found.action[:1])
    assert (tables.columns.ecart[0, 0] == cards("S1 S2 T5 T6 T7 T8")).all()
