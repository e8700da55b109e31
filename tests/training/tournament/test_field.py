"""The benchmark's field: every pair, resumed, as one table."""

import json
from itertools import permutations

import pytest

from tarot_env import TarotError
from training.cli.main import main
from training.tournament import field, run_tournament, tournament
from training.tournament.field import FIELD, deals_of, play_field

SEED = 1_000_041
CHEAT = "support.cheaters:Highest"


@pytest.fixture
def small(monkeypatch):
    """A field of three, one slow and one that sees all hands."""
    agents = {"random": 8, "naive": 8, CHEAT: 3}
    monkeypatch.setattr(field, "FIELD", agents)
    return agents


def test_a_pair_plays_the_deals_that_its_slower_agent_has_time_for(small):
    assert deals_of("random", "naive") == deals_of("naive", "random") == 8
    assert deals_of("random", CHEAT) == 3
    assert deals_of("random", "naive", 0.25) == 2
    assert deals_of("random", CHEAT, 0.01) == 1


def test_all_pairs_are_those_of_tournaments(small):
    result = play_field(seed=SEED)
    for a, b in permutations(small, 2):
        deals = deals_of(a, b)
        alone = run_tournament([a, b], deals=deals, seed=SEED, allow_cheating=True)
        assert result.result(a, b).pair(a, b) == alone.pair(a, b)
        assert alone.pair(a, b).deals == deals


def test_the_table(small):
    result = play_field(seed=SEED)
    head, rule, *rest = result.markdown().splitlines()
    mark = f"{CHEAT} (sees all hands)"
    assert head == f"| alone | among random | among naive | among {mark} | ms per decision |"
    assert rule == "| --- | --- | --- | --- | --- |"
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in rest[:3]]
    assert [row[0] for row in rows] == ["random", "naive", mark]
    assert [row[1 + index] for index, row in enumerate(rows)] == ["–"] * 3
    pair = result.result("naive", "random").pair("naive", "random")
    assert rows[1][1].startswith(f"{pair.ppd:+.2f} ± ")
    times = [float(row[-1].replace(",", "")) for row in rows]
    assert times == pytest.approx([result.microseconds(name) / 1000 for name in small], abs=0.06)
    notes = "\n".join(rest[3:])
    assert f"deals of seed {SEED}" in notes
    assert "8 deals: random with naive" in notes
    assert f"3 deals: random with {CHEAT}, naive with {CHEAT}" in notes
    assert notes.count("not an evaluation seed") == 1


def test_one_deal_is_no_deals(small):
    notes = play_field(seed=SEED, scale=0.1).markdown()
    assert "1 deal: each pair" in notes


def test_times_are_of_all_games_of_an_agent(small):
    result = play_field(seed=SEED)
    seconds = decisions = 0
    for other in ("random", CHEAT):
        for (a, _), games in result.result("naive", other).games.items():
            counts = games.sides[0 if a == "naive" else 1]
            seconds, decisions = seconds + counts.seconds, decisions + counts.decisions
    assert result.microseconds("naive") == pytest.approx(1e6 * seconds / decisions)


def test_a_stopped_field_goes_on_and_a_newcomer_leaves_the_others_as_they_are(
    small, tmp_path, monkeypatch
):
    played = []
    play_block = tournament.play_block

    def stops(schedule, block):
        if len(played) == 3:
            raise KeyboardInterrupt
        played.append(block)
        return play_block(schedule, block)

    monkeypatch.setattr(tournament, "play_block", stops)
    with pytest.raises(KeyboardInterrupt, match="1 of 2 blocks kept in"):
        play_field(seed=SEED, out=tmp_path / "f")
    assert not (tmp_path / "f" / "field.md").exists()
    played.append(None)
    play_field(seed=SEED, out=tmp_path / "f")
    assert len(played) == 4 + 3
    monkeypatch.setattr(field, "FIELD", small | {"heuristic@1": 2})
    result = play_field(seed=SEED, out=tmp_path / "f")
    assert len(played) == 7 + 6
    assert (tmp_path / "f" / "field.md").read_text() == result.markdown() + "\n"
    found = json.loads((tmp_path / "f" / "field.json").read_text())
    assert len(found["pairs"]) == 12
    assert found["agents"][2]["agent"] == f"{CHEAT} (sees all hands)"
    assert (found["seed"], found["rules"]["players"]) == (SEED, 4)


def test_the_report_of_a_field_is_one_of_its_pairs(small, tmp_path, capsys):
    play_field(seed=SEED, scale=0.5, out=tmp_path / "f")
    assert main(["report", str(tmp_path / "f")]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "is the folder of a field" in told
    command = told.partition("such as: tarot ")[2].split()
    assert command == ["report", str(tmp_path / "f" / "random-naive")]
    assert main(command) == 0


@pytest.mark.parametrize("scale", [0, -1, float("nan"), 1e9])
def test_scales_out_of_range_are_refused(scale):
    with pytest.raises(TarotError, match="scale must be more than 0 and at most 50000"):
        play_field(scale=scale)


def test_the_field_is_of_agents_that_never_change():
    assert all(name in ("random", "naive") or "@" in name for name in FIELD)


def test_the_command(small, capsys, tmp_path):
    argv = ["tournament", "--field", "--scale", "0.5", "--seed", str(SEED)]
    assert main([*argv, "--out", str(tmp_path / "f")]) == 0
    shown = capsys.readouterr().out
    assert shown == (tmp_path / "f" / "field.md").read_text()
    assert "4 deals: random with naive" in shown


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--field random naive", "leave AGENT out"),
        ("--field --deals 3", "leave --deals out"),
        ("--field --matches 3", "leave --matches out"),
        ("--field --force garde", "leave --force out"),
        ("--field --about random", "leave --about out"),
        ("--field --first-alone", "leave --first-alone out"),
        ("--field --scale x", "--scale must be a number; got 'x'"),
        ("--field --scale 0", "scale must be more than 0"),
        ("random naive --deals 2 --scale 0.5", "--scale is for --field"),
        ("random naive", "say how much to play"),
    ],
)
def test_mistakes_are_sentences(line, words, capsys):
    assert main(["tournament", *line.split()]) == 2
    assert words in capsys.readouterr().err
