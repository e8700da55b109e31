"""Duplicate tournaments: fairness, counting, stopping, and what decides a result."""

import csv
import hashlib
import json
import os
import subprocess
import sys

import pytest

from agents.baselines.uniform import UniformAgent
from agents.heuristic import HeuristicAgent
from agents.registry import make_agent
from tarot_env import TarotError
from training.tournament import evaluate, run_tournament, tournament
from training.tournament.duplicate import generator
from training.tournament.results import notes

BOTS = '''
"""Bots that do wrong, each in its way."""
import numpy as np
from tarot_env import cardsets
from tarot_env.cards.actions import PASS, Phase


class Lowest:
    """The lowest legal action; as a bidder it passes."""
    name = "lowest"
    def act(self, turn, rng):
        lowest = cardsets.lowest(turn.legal).astype(np.int64)
        return np.where(turn.phase == Phase.AUCTION, PASS, lowest)


class Raises(Lowest):
    """Fails whenever it is asked in the first trick."""
    def act(self, turn, rng):
        if (turn.trick_number[turn.phase == Phase.PLAY] == 0).any():
            raise RuntimeError("no idea")
        return super().act(turn, rng)


class Illegal(Lowest):
    """Bids as it should and plays the Excuse all the time."""
    def act(self, turn, rng):
        return np.where(turn.phase == Phase.PLAY, 77, super().act(turn, rng))


class Shapeless(Lowest):
    """Answers with one number too many."""
    def act(self, turn, rng):
        return np.append(super().act(turn, rng), 0)
'''


@pytest.fixture
def bots(tmp_path, monkeypatch):
    """The module above, importable by name."""
    (tmp_path / "wrongbots.py").write_text(BOTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path / "wrongbots.py"
    sys.modules.pop("wrongbots", None)


def contents(folder):
    return [(folder / name).read_bytes() for name in ("results.json", "deals.csv")]


def test_identical_deterministic_bots_give_exactly_zero():
    result = run_tournament(["heuristic", "heuristic"], deals=40)
    (pair,) = result.pairs
    assert (pair.ppd, pair.ci95) == (0.0, (0.0, 0.0))
    assert (result.games["heuristic", "heuristic"].half_scores != 0).any()


def test_each_game_sums_to_zero_and_every_seat_is_played():
    games = run_tournament(["random", "heuristic"], deals=20).games["random", "heuristic"]
    assert games.half_scores.shape == (4, 20, 4)
    assert (games.half_scores.sum(2) == 0).all()
    assert list(games.units) == list(range(20))


def test_planted_advantage_is_found():
    """A bidder with a scale against one that bids at random: the scale must win."""
    result = run_tournament(["heuristic:play=random", "random"], deals=200)
    for a, b, sign in (
        ("heuristic:play=random", "random", 1),
        ("random", "heuristic:play=random", -1),
    ):
        pair = result.pair(a, b)
        assert pair.ppd * sign > 0
        assert min(end * sign for end in pair.ci95) > 0
    assert result.evaluation_seed


def test_heuristic_beats_random_without_the_auction():
    result = evaluate(HeuristicAgent(), UniformAgent(), deals=60, seed=1_000_000, force="garde")
    assert result.low > 0
    assert result.points.shape == (60,)
    assert (result.games.contract == 3).all()


def test_evaluate_is_repeatable_and_equals_nothing_against_itself():
    first, again = (
        evaluate(UniformAgent(), UniformAgent(), deals=30, seed=1_000_000) for _ in range(2)
    )
    assert (first.points == again.points).all()
    same = evaluate(HeuristicAgent(), HeuristicAgent(), deals=30, seed=1_000_000)
    assert (same.points == 0).all()


def test_evaluate_raises_what_an_agent_does_wrong(bots):
    with pytest.raises(TarotError, match="not legal"):
        evaluate(make_agent("wrongbots:Illegal"), HeuristicAgent(), deals=4, seed=0)


def test_evaluate_wants_agents_themselves():
    with pytest.raises(TarotError, match="UniformAgent is a class; give an agent"):
        evaluate(HeuristicAgent(), UniformAgent, deals=4, seed=0)


def test_roles_add_up():
    pair = run_tournament(["heuristic", "heuristic:bid=pass"], deals=100).pair(
        "heuristic", "heuristic:bid=pass"
    )
    assert pair.as_taker.ppd + pair.as_defender.ppd == pytest.approx(pair.ppd)
    assert pair.as_defender.games == 0
    assert pair.as_defender.per_game is None
    assert pair.as_taker.games == round(pair.taken * 400)
    assert pair.as_taker.per_game == pytest.approx(pair.ppd / pair.taken)
    assert pair.taken + pair.passed_out + pair.petit_sec == pytest.approx(1.0)
    assert sum(pair.bids.values()) == pytest.approx(1.0)


@pytest.mark.slow
def test_jobs_and_order_change_nothing(tmp_path, bots, monkeypatch):
    monkeypatch.setattr(tournament, "BLOCK_UNITS", 16)
    agents = ["random", "wrongbots:Raises", "wrongbots:Lowest"]
    run_tournament(agents, deals=40, out=tmp_path / "one")
    run_tournament(agents[::-1], deals=40, out=tmp_path / "two", jobs=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    results = json.loads((tmp_path / "one" / "results.json").read_text())
    ratings = [agent["rating"] for agent in results["agents"]]
    assert sum(ratings) == pytest.approx(0.0)


def test_a_tournament_about_one_agent_plays_its_pairs_alone_with_the_same_results(tmp_path):
    agents = ["heuristic", "random", "heuristic:play=random"]
    whole = run_tournament(agents, deals=6)
    about = run_tournament(agents, deals=6, about="random")
    assert about.pairs == tuple(pair for pair in whole.pairs if "random" in (pair.a, pair.b))
    assert len(about.pairs) == 4
    assert all(agent.rating is None for agent in about.agents)
    assert all(agent.rating is not None for agent in whole.agents)


def test_one_agent_alone_among_the_others_has_the_same_results():
    agents = ["heuristic", "random", "naive"]
    options = {"deals": 6, "seed": 1_000_033}
    whole = run_tournament(agents, **options)
    alone = run_tournament(agents, first_alone=True, **options)
    assert alone.pairs == tuple(pair for pair in whole.pairs if pair.a == "heuristic")
    assert len(alone.pairs) == 2
    assert all(agent.rating is None for agent in alone.agents)
    assert alone.unrated == (
        "no ratings: they need all pairs both ways; of the 6 ordered pairs, 2 were played"
    )
    assert alone.unrated in notes(alone)
    assert whole.unrated is None
    two = run_tournament(agents[:2], first_alone=True, **options)
    assert two.unrated is not None
    assert "of the 2 ordered pairs, 1 was played" in two.unrated
    assert run_tournament(["random", "random"], first_alone=True, **options).unrated is None


def test_tournaments_of_some_pairs_and_of_all_go_on_from_each_other(tmp_path, monkeypatch):
    """One direction, then about one agent, then all: each block is played once."""
    monkeypatch.setattr(tournament, "BLOCK_UNITS", 4)
    played = []
    play_block = tournament.play_block

    def notes_block(schedule, block):
        played.append((block.a, block.b, block.number))
        return play_block(schedule, block)

    monkeypatch.setattr(tournament, "play_block", notes_block)
    agents = ["naive", "random", "heuristic"]
    options = {"deals": 6, "seed": 1_000_033}
    out = tmp_path / "cup"
    run_tournament(agents, first_alone=True, out=out, **options)
    assert [block[:2] for block in played[::2]] == [("naive", "heuristic"), ("naive", "random")]
    run_tournament(agents, about="naive", out=out, **options)
    assert len(played) == 8
    assert json.loads((out / "results.json").read_text())["agents"][0]["rating"] is None
    run_tournament(agents[::-1], out=out, **options)
    assert len(played) == len(set(played)) == 12
    run_tournament(agents, first_alone=True, out=out, **options)
    run_tournament(agents, out=out, **options)
    assert len(played) == 12
    run_tournament(agents, out=tmp_path / "at once", **options)
    assert contents(out) == contents(tmp_path / "at once")


def test_a_stopped_tournament_of_some_pairs_counts_its_own_blocks(tmp_path, monkeypatch):
    agents, options = ["naive", "random", "heuristic"], {"deals": 2, "seed": 1_000_033}
    run_tournament(agents, out=tmp_path / "cup", first_alone=True, **options)

    def stops(schedule, block):
        raise KeyboardInterrupt

    monkeypatch.setattr(tournament, "play_block", stops)
    with pytest.raises(KeyboardInterrupt, match="2 of 4 blocks kept in"):
        run_tournament(agents[::-1], out=tmp_path / "cup", about="naive", **options)


CHEAT = "support.cheaters:Highest"
MARKED = "support.cheaters:Highest (sees all hands)"


def test_an_agent_that_sees_all_hands_is_refused_unless_allowed(tmp_path):
    words = (
        r"cheaters:Highest' sees all hands; --allow-cheating \(from Python: allow_cheating=True\)"
    )
    with pytest.raises(TarotError, match=words):
        run_tournament(["random", CHEAT], deals=2, out=tmp_path / "t")
    assert not (tmp_path / "t").exists()


def test_an_agent_that_sees_all_hands_is_marked_everywhere(tmp_path):
    options = {"deals": 3, "seed": 1_000_033, "allow_cheating": True}
    result = run_tournament(["random", CHEAT], out=tmp_path / "t", **options)
    assert {(pair.a, pair.b) for pair in result.pairs} == set(result.games)
    assert set(result.games) == {("random", MARKED), (MARKED, "random")}
    assert (
        [agent.agent for agent in result.agents]
        == sorted(result.microseconds)
        == ["random", MARKED]
    )
    assert result.pair(CHEAT, "random") is result.pair(MARKED, "random")
    assert result.pair("random", CHEAT).a == "random"
    assert all(agent.failed == agent.illegal == 0 for agent in result.agents)
    for file, name in (("results.json", CHEAT), ("timing.json", CHEAT), ("deals.csv", CHEAT)):
        text = (tmp_path / "t" / file).read_text()
        assert 0 < text.count(name) == text.count(MARKED), file
    for file in ("tournament.json", "results.json"):
        assert json.loads((tmp_path / "t" / file).read_text())["allow_cheating"] is True


def test_generators_are_named():
    assert generator(1, "a", 2).random() == generator(1, "a", 2).random()
    draws = [generator(*names).random() for names in ((1, "a", 2), (1, "a", 3), (2, "a", 2))]
    assert len(set(draws)) == 3
    assert generator(1, 0).random() == 0.005348877923222584


def test_an_agent_that_raises_is_counted_and_the_deal_goes_on(bots):
    result = run_tournament(["wrongbots:Raises", "random"], deals=10)
    pair = result.pair("wrongbots:Raises", "random")
    assert pair.failed > 0
    assert pair.illegal == 0
    assert pair.errors == ("RuntimeError: no idea",)
    assert result.pair("random", "wrongbots:Raises").opponent_failed > 0
    assert result.pair("random", "wrongbots:Raises").failed == 0


@pytest.mark.parametrize(("bot", "field"), [("Illegal", "illegal"), ("Shapeless", "failed")])
def test_illegal_and_malformed_answers_are_counted(bots, bot, field):
    result = run_tournament([f"wrongbots:{bot}", "heuristic"], deals=6)
    pair = result.pair(f"wrongbots:{bot}", "heuristic")
    assert 0 < getattr(pair, field) < pair.decisions + 1
    assert bot in ("Illegal",) or "whole number" in pair.errors[0]


def test_a_stopped_tournament_goes_on_to_the_same_bytes(tmp_path, monkeypatch, bots):
    monkeypatch.setattr(tournament, "BLOCK_UNITS", 16)
    agents = ["random", "wrongbots:Lowest"]
    run_tournament(agents, deals=40, out=tmp_path / "whole", seed=3_000_001)
    played = []
    play_block = tournament.play_block

    def stops(schedule, block):
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(block)
        return play_block(schedule, block)

    out = tmp_path / "stopped"
    monkeypatch.setattr(tournament, "play_block", stops)
    with pytest.raises(KeyboardInterrupt, match="2 of 6 blocks kept in"):
        run_tournament(agents, deals=40, out=out, seed=3_000_001)
    assert not (out / "results.json").exists()
    played.append(None)
    run_tournament(agents[::-1], deals=40, out=out, seed=3_000_001)
    assert len(played) == 3 + 4
    assert contents(out) == contents(tmp_path / "whole")
    run_tournament(agents[::-1], deals=40, out=out, seed=3_000_001)
    assert len(played) == 7


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 3_000_002},
        {"deals": 5},
        {"force": "garde"},
        {"allow_cheating": True},
        {"agents": ["random", "heuristic:bid=pass"]},
    ],
)
def test_another_tournament_in_the_same_folder_is_refused(tmp_path, changed):
    wanted = {"agents": ["random", "random"], "deals": 4, "seed": 3_000_000, "out": tmp_path / "t"}
    run_tournament(**wanted)
    with pytest.raises(TarotError, match="holds another tournament"):
        run_tournament(**(wanted | changed))


def test_a_changed_agent_file_is_refused(tmp_path, bots):
    wanted = {"agents": ["wrongbots:Lowest", "random"], "deals": 2, "out": tmp_path / "t"}
    run_tournament(**wanted)
    bots.write_text(BOTS + "\n")
    with pytest.raises(TarotError, match="the file of an agent has changed"):
        run_tournament(**wanted)


def test_foreign_folders_and_broken_blocks_are_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(TarotError, match="holds no tournament"):
        run_tournament(["random", "random"], deals=2, out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    run_tournament(["random", "random"], deals=2, out=tmp_path / "t")
    (tmp_path / "t" / "blocks" / "000000.npz").write_bytes(b"not a block")
    with pytest.raises(TarotError, match="cannot be read"):
        run_tournament(["random", "random"], deals=2, out=tmp_path / "t")


PETIT_SEC = 3_000_034
"""Seed whose deal 2 has a petit sec."""


def test_forced_contracts_go_to_the_best_hand_and_petit_sec_is_skipped():
    result = run_tournament(["random", "random"], deals=12, force="garde", seed=PETIT_SEC)
    games = result.games["random", "random"]
    assert result.skipped == 1
    assert result.pairs[0].deals == 11
    assert list(games.units) == [0, 1, *range(3, 12)]
    assert (games.contract == 3).all()
    assert (games.bids == -1).all()
    assert (games.taker == games.taker[0]).all()
    assert result.pairs[0].bids == {}


def test_petit_sec_counts_as_nothing_where_there_is_an_auction():
    result = run_tournament(["random", "random"], deals=12, seed=PETIT_SEC)
    games = result.games["random", "random"]
    assert (result.skipped, result.pairs[0].deals) == (0, 12)
    assert result.pairs[0].petit_sec == pytest.approx(1 / 12)
    assert (games.half_scores[:, 2] == 0).all()


def test_made_comes_from_points_and_oudlers(tmp_path):
    run_tournament(["heuristic", "random"], deals=60, out=tmp_path / "t")
    targets = (56, 51, 41, 36)
    with (tmp_path / "t" / "deals.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 60 * 4 * 4
    taken = [row for row in rows if row["contract"] != "none"]
    assert {row["made"] for row in taken} == {"0", "1"}
    for row in taken:
        assert int(row["made"]) == (float(row["points"]) >= targets[int(row["oudlers"])])
    assert all(row["agent"] == row["a" if row["seat"] == row["seating"] else "b"] for row in rows)


def test_low_seeds_are_marked(tmp_path):
    result = run_tournament(["random", "random"], deals=2, seed=2_999_999, out=tmp_path / "t")
    assert not result.evaluation_seed
    assert json.loads((tmp_path / "t" / "results.json").read_text())["evaluation_seed"] is False


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"agents": ["random"]}, "two agents"),
        ({"agents": ["random", "randum"]}, "did you mean 'random'"),
        ({"deals": 0}, "deals must be 1"),
        ({"deals": None}, "deals or matches"),
        ({"matches": 0}, "matches must be 1"),
        ({"matches": 10**6 + 1}, "matches must be 1000000 or less"),
        ({"matches": 1, "deals": 0}, "deals must be 1"),
        ({"matches": 1, "force": "garde"}, "not both"),
        ({"jobs": 0}, "jobs must be 1"),
        ({"seed": -1}, "seed -1"),
        ({"seed": 2**128}, "to 2..128 - 1"),
        ({"deals": 10**9 + 1}, "deals must be 1000000000 or less"),
        ({"jobs": 1025}, "jobs must be 1024 or less"),
        ({"force": "grade"}, "did you mean 'garde'"),
        ({"force": "pousse"}, "allowed: petite"),
        ({"about": "rando"}, "did you mean 'random'"),
        ({"about": "random", "first_alone": True}, "about or first_alone, not both"),
    ],
)
def test_mistakes_are_refused_before_anything_is_written(tmp_path, changed, words):
    wanted = {"agents": ["random", "random"], "deals": 2, "out": tmp_path / "t"} | changed
    with pytest.raises(TarotError, match=words):
        run_tournament(**wanted)
    assert not (tmp_path / "t").exists()


@pytest.mark.slow
def test_rule_agents_do_not_load_torch():
    code = (
        "import sys; from training.tournament.tournament import run_tournament; "
        "run_tournament(['heuristic', 'random'], deals=1); print('torch' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.strip() == "False"


def test_an_agent_of_the_running_script_has_no_file(monkeypatch):
    import __main__

    monkeypatch.setattr(__main__, "__spec__", None)
    assert tournament.file_hash("__main__:Bot") is None


def test_a_search_is_told_apart_by_the_file_of_its_policy(tmp_path):
    checkpoint = tmp_path / "latest.pt"
    checkpoint.write_bytes(b"weights")
    alone = tournament.file_hash(f"ppo:{checkpoint}")
    assert alone == hashlib.sha256(b"weights").hexdigest()
    for options in ("", ",sample=true"):
        searching = f"pimc:worlds=4,policy=ppo:{checkpoint}{options}"
        assert tournament.file_hash(searching) == alone
    assert tournament.file_hash("pimc:worlds=4") is tournament.file_hash("pimc16@1") is None
