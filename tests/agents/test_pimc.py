"""The search player: legal everywhere, reproducible, finds the obvious, keeps to its budget."""

import numpy as np
import pytest
from support.constructed import answer, ending, say, table_of
from support.every_game import GAMES, rules_of
from support.leak_checks import positions

from agents.base import Agent, ExplainingAgent
from agents.baselines.oracle import OracleAgent
from agents.baselines.uniform import UniformAgent
from agents.heuristic import HeuristicAgent
from agents.registry import make_agent
from agents.search import pimc
from agents.search.candidates import Candidates, candidates_of
from agents.search.pimc import PimcAgent, Search, half_width
from tarot_env import Phase, Tables, TarotError
from tarot_env.cards.actions import GARDE, PASS, action_text

POIGNEES = {"3": (6, 7, 8), "4": (5, 6, 7), "5": (4, 5, 6), "mort": (5, 6, 7), "6": (3, 4, 5)}
"""Thresholds of poignées that come often."""
MISERE = {"3": {"misere": True}, "5": {"misere": True}}


def some_questions(game):
    """Tables before some of their steps, and a few rows: each phase is there, if it comes."""
    options = dict(MISERE.get(game, {}))
    if game in POIGNEES:
        options["poignee_thresholds"] = POIGNEES[game]
    seen = set()
    for step, tables in enumerate(positions("pimc", 12, rules_of(game).preset_name, game, options)):
        phases = np.where(tables.is_over, -1, tables.phase)
        new = np.flatnonzero(~np.isin(phases, [-1, *seen]))
        rows = new if len(new) else np.flatnonzero(phases >= 0)
        if len(rows) and (len(new) or step % 16 == 0):
            seen |= set(phases[rows[:3]].tolist())
            yield tables, rows[:3]


def explained(tables, agent, seed=0):
    """What an agent expects of each answer, in words, at table 0."""
    (found,) = agent.explain(tables.turn(), np.random.default_rng(seed))
    return {action_text(one.action): one for one in found}


# -- legal and reproducible


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_answer_is_legal_in_every_game_and_phase(game):
    agent, rng = PimcAgent(2, endings=0), np.random.default_rng(1)
    phases = set()
    for tables, rows in some_questions(game):
        phases |= set(tables.phase[rows].tolist())
        chosen = agent.act(tables.turn(rows), rng)
        assert chosen.dtype == np.int64
        assert tables.legal_actions()[rows, chosen].all()
    assert {Phase.AUCTION, Phase.SLAM, Phase.PLAY} <= phases
    if game in POIGNEES:
        assert {Phase.POIGNEE, Phase.WITHHOLD} <= phases


@pytest.mark.slow
@pytest.mark.parametrize("game", ["3", "4", "5", "6", "dummy"])
def test_the_last_tricks_are_legal_where_they_are_played_exactly(game):
    agent, rng = PimcAgent(4), np.random.default_rng(1)
    asked = 0
    for step, tables in enumerate(positions("pimc ends", 4, rules_of(game).preset_name, game, {})):
        late = tables.columns.trick_number >= tables.rules.tricks - 5
        rows = np.flatnonzero((tables.phase == Phase.PLAY) & late)
        if len(rows) and step % 4 == 0:
            chosen = agent.act(tables.turn(rows), rng)
            assert tables.legal_actions()[rows, chosen].all()
            asked += 1
    assert asked > 3


@pytest.mark.slow
def test_the_same_generator_gives_the_same_answers():
    agent = PimcAgent(2, endings=0)
    differ = 0
    for tables, rows in some_questions("4"):
        turn = tables.turn(rows[:1])
        first, again, other = (agent.explain(turn, np.random.default_rng(s)) for s in (1, 1, 2))
        assert str(first) == str(again)
        differ += str(first) != str(other)
        assert np.array_equal(
            agent.act(turn, np.random.default_rng(1)), [row[0].action for row in first]
        )
    assert differ


def test_no_rows_and_a_forced_answer_cost_nothing(monkeypatch):
    agent = PimcAgent(2)
    monkeypatch.setattr(agent, "_play", None)
    turn = Tables(table_of("4").rules, 1, seed=1_000_001).turn()
    assert agent.act(turn.take(np.array([], np.int64)), np.random.default_rng(0)).shape == (0,)
    assert agent.explain(turn.take(np.array([], np.int64)), np.random.default_rng(0)) == []
    last = ending({0: "HK", 1: "H2", 2: "H3", 3: "H4"}, leader=0, taker=0)
    assert answer(last, agent) == "HK"


def test_a_batch_in_parts_is_answered_row_by_row(monkeypatch):
    turn = Tables(table_of("4").rules, 5, seed=1_000_001).turn()
    agent, parts = PimcAgent(2, endings=0), []

    def search(part, candidates, rng):
        parts.append(part.seat.tolist())
        wanted = np.where(part.seat % 2, GARDE, PASS)[candidates.row]
        return Search(candidates, 1e6 * (candidates.action == wanted)[:, None])

    monkeypatch.setattr(agent, "search", search)
    monkeypatch.setattr(pimc, "MOST_GAMES", 2 * 2 * pimc.MOST_CANDIDATES)
    answers, seats = agent.act(turn, np.random.default_rng(0)), turn.seat.tolist()
    assert parts == [seats[:2], seats[2:4], seats[4:]]
    assert answers.tolist() == [GARDE if seat % 2 else PASS for seat in seats]


def test_protocols():
    agent = PimcAgent(2)
    assert isinstance(agent, Agent)
    assert isinstance(agent, ExplainingAgent)
    assert not isinstance(HeuristicAgent(), ExplainingAgent)


# -- finds what is obvious

MASTER = {0: "HK D2", 1: "S3 D5", 2: "S4 D6", 3: "S5 D7"}
UNDER_THE_PARTNER = {0: "T1 T5", 1: "D5 D8", 2: "T21 D6", 3: "T20 T19"}
AU_BOUT = {0: "T20 T12", 1: "D5 T1", 2: "D6 T15", 3: "D7 C3"}


@pytest.mark.parametrize("endings", [0, 5])
@pytest.mark.parametrize(
    ("hands", "leader", "taker", "before", "best", "gain"),
    [
        pytest.param(MASTER, 0, 0, "", "HK", 20, id="cash the master"),
        pytest.param(UNDER_THE_PARTNER, 2, 3, "T21 T20", "T1", 30, id="save the petit"),
        pytest.param(AU_BOUT, 1, 0, "D5 D6 D7", "T12", 100, id="keep 20 for the petit au bout"),
    ],
)
def test_the_obvious_card_wins_by_far(hands, leader, taker, before, best, gain, endings):
    tables = say(ending(hands, leader=leader, taker=taker), before)
    found = explained(tables, PimcAgent(16, endings=endings))
    assert next(iter(found)) == best
    (other,) = (one for name, one in found.items() if name != best)
    assert found[best].mean - other.mean > gain
    assert found[best].low > other.high


@pytest.mark.parametrize(("players", "high"), [("3", 24), ("4", 18), ("5", 15)])
def test_a_laydown_hand_bids_a_garde_or_more(players, high):
    trumps = [f"T{number}" for number in range(21, 21 - (high - 6), -1)]
    hand = " ".join([*trumps[: high - 6], "EX", "SK", "SQ", "HK", "DK", "CK"][:high])
    tables = table_of(players, {0: hand})
    found = explained(tables, PimcAgent(8, endings=0))
    assert next(iter(found)) in ("garde", "garde_sans", "garde_contre")
    assert found["garde"].low > found["pass"].high


def test_a_poor_hand_passes():
    poor = "S2 S3 S4 S5 S6 H2 H3 H4 H5 D2 D3 D4 D5 C2 C3 C4 T2 T3"
    assert answer(table_of("4", {0: poor}), PimcAgent(8, endings=0)) == "pass"


# -- what it expects


def test_the_interval_is_that_of_student():
    """Scores 0 and 2: standard error 1, and 12.706 of it with one degree of freedom."""
    assert half_width(np.array([[0.0, 2.0], [3.0, 3.0]])) == pytest.approx([12.7062, 0], abs=1e-4)
    assert np.isnan(half_width(np.array([[1.0]]))).all()


def test_expectations_are_means_over_the_same_worlds():
    tables = say(table_of("4", forced=(0, "garde_sans")), "pass")
    turn, agent = tables.turn(), PimcAgent(4, endings=0)
    candidates = candidates_of(turn, agent.policy.act(turn, np.random.default_rng(3)), 6)
    search = agent.search(turn, candidates, np.random.default_rng(3))
    found = explained(tables, agent, seed=3)
    worlds = np.isfinite(search.scores).sum(1)
    assert sorted(worlds) == [4, 4, 4, 8, 12, 12]
    order = np.lexsort((-np.nanmean(search.scores, axis=1), -worlds, -search.worth))
    assert [action_text(a) for a in candidates.action[order]] == list(found)
    assert worlds[order[:2]].tolist() == [12, 12]
    means = np.nanmean(search.scores, axis=1)
    by_action = dict(zip(candidates.action.tolist(), means, strict=True))
    for one in found.values():
        assert one.mean == by_action[one.action]
        assert one.low < one.mean < one.high
    assert [one.deals for one in found.values()] == worlds[order].tolist() == [12, 12, 8, 4, 4, 4]
    single = explained(tables, PimcAgent(1, endings=0))
    assert np.isnan([[one.low, one.high] for one in single.values()][3:]).all()


def test_the_better_half_goes_on_two_at_least():
    row = np.array([0, 0, 0, 0, 0, 1, 1, 2])
    nothing, prior = np.zeros((8, 2), np.uint64), np.array([0.0, 0, 0, 0, 4, 0, 0, 0])
    candidates = Candidates(row, np.arange(8), nothing, nothing, prior)
    first = np.array([[5.0], [1], [3], [4], [2], [0], [-1], [7]])
    search = Search(candidates, first)
    assert np.flatnonzero(search.stays).tolist() == [0, 3, 4, 5, 6, 7]
    with_second = np.where(search.stays, [0, 0, 0, 2, 5, 0, 0, 0], np.nan)[:, None]
    search = Search(candidates, np.concatenate([first, with_second], 1))
    assert np.isneginf(search.worth).nonzero()[0].tolist() == [1, 2]
    assert np.flatnonzero(search.stays).tolist() == [3, 4, 5, 6, 7]


# -- budget and options


@pytest.mark.parametrize(
    ("options", "worlds"), [({}, 48), ({"worlds": 16}, 48), ({"worlds": 10}, 30)]
)
def test_a_budget_of_time_is_shared_by_the_heats(options, worlds, monkeypatch):
    """A clock that goes on by a second at each look; 7.5 for three heats: 3 + 1 + 2 rounds of 8."""
    clock = iter(range(100))
    monkeypatch.setattr(pimc.time, "perf_counter", lambda: float(next(clock)))
    turn = say(table_of("4", forced=(0, "garde_sans")), "pass").turn()
    agent = PimcAgent(ms=7500, endings=0, **options)
    candidates = candidates_of(turn, agent.policy.act(turn, np.random.default_rng(0)), 2)
    assert agent.search(turn, candidates, np.random.default_rng(0)).scores.shape == (2, worlds)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pimc", "worlds or ms, such as pimc:worlds=16"),
        ("pimc:worlds=0", "worlds=0; allowed: whole numbers from 1 to 4096"),
        ("pimc:worlds=4097", "worlds=4097; allowed: whole numbers from 1 to 4096"),
        ("pimc:worlds=2.5", "worlds=2.5"),
        ("pimc:worlds=many", "worlds='many'; give a number"),
        ("pimc:worlds=inf", "worlds=inf"),
        ("pimc:worlds=nan", "worlds=nan"),
        ("pimc:ms=0", "ms=0; allowed: above 0"),
        ("pimc:ms=-1", "ms=-1"),
        ("pimc:ms=nan", "ms=nan"),
        ("pimc:ms=soon", "ms='soon'; give a number"),
        ("pimc:worlds=2,endings=99", "endings=99; allowed: whole numbers from 0 to 8"),
        ("pimc:worlds=2,endings=x", "endings='x'; give a number"),
        ("pimc:worlds=2,policy=oracle", "'oracle' sees all hands"),
        ("pimc:worlds=2,policy=heuristics", "did you mean 'heuristic'"),
        ("pimc:words=2", "did you mean 'worlds'"),
        ("pimc:16", "must be written pimc"),
    ],
)
def test_wrong_options_are_one_sentence(text, words):
    with pytest.raises(TarotError) as caught:
        make_agent(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_many_worlds_are_played_in_rounds(monkeypatch):
    monkeypatch.setattr(pimc, "MOST_GAMES", 4 * pimc.MOST_CANDIDATES)
    sizes = []

    def play(turn, candidates, size, rng):
        sizes.append(size)
        return np.zeros((len(candidates), size))

    agent = PimcAgent(10, endings=0)
    monkeypatch.setattr(agent, "_play", play)
    turn = say(table_of("4", forced=(0, "garde_sans")), "pass").turn()
    candidates = candidates_of(turn, agent.policy.act(turn, np.random.default_rng(0)), 6)
    search = agent.search(turn, candidates, np.random.default_rng(0))
    assert sizes == [4, 4, 2] * pimc.HEATS
    assert np.isfinite(search.scores).sum(1).max() == 30


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ms": "1"}, "ms='1'; allowed: above 0"),
        ({"ms": True}, "ms=True; allowed: above 0"),
        ({"policy": OracleAgent()}, "'oracle' sees all hands"),
        ({"policy": "heuristic"}, "policy='heuristic'; give an agent"),
        ({"policy": UniformAgent}, "give an agent, which has name and act"),
    ],
)
def test_wrong_arguments_are_one_sentence(options, words):
    with pytest.raises(TarotError) as caught:
        PimcAgent(2, **options)
    assert words in str(caught.value)


def test_numbers_of_numpy_are_numbers():
    agent = PimcAgent(np.int64(2), ms=np.float32(2), endings=np.int8(3))
    assert agent.name == "pimc:worlds=2,ms=2,endings=3"


@pytest.mark.parametrize(
    "text", ["pimc:worlds=2", "pimc:ms=20", "pimc:worlds=4,ms=20", "pimc:worlds=2,endings=0"]
)
def test_a_name_makes_the_same_agent_again(text):
    assert make_agent(text).name == text
