"""Every command through `main(argv)`, with good and bad input: exit codes and single sentences."""

import importlib.util
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from support.every_game import GAMES, play, rules_of
from support.processes import started

import training
from tarot_env import Bid, Tables
from tarot_env.records import record, to_line
from training.cli import main as cli
from training.cli import train
from training.cli.main import COMMANDS, main
from training.cli.terminal import plain_console


def failed(capsys, argv, words, code=2):
    """The command ends with the code and one sentence on standard error that holds the words."""
    assert main([str(word) for word in argv]) == code
    out, err = capsys.readouterr()
    assert err.startswith("tarot: ")
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert "Traceback" not in out + err
    assert "│" not in err
    for part in [words] if isinstance(words, str) else words:
        assert part in err


def test_help(capsys):
    assert main([]) == 0
    first = capsys.readouterr().out
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == first
    assert all(name in first for name in COMMANDS)


@pytest.mark.parametrize("name", list(COMMANDS))
def test_help_of_each_command(capsys, name):
    assert main([name, "--help"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"usage: tarot {name}")
    assert err == ""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("tornament", "did you mean 'tournament'"),
        ("--version", "unknown command"),
        ("tournament random random --dealz 3", "did you mean '--deals'"),
        ("tournament random random", "say how much to play: --deals N or --matches M"),
        ("tournament random random --deals x", "--deals must be a whole number; got 'x'"),
        (
            "tournament random random --deals",
            "--deals has no value; write --deals N, a whole number;",
        ),
        ("score --bid", "--bid has no value; write --bid B; see tarot score --help"),
        ("score --petit-au-bout", "write --petit-au-bout attack|defence; see"),
        ("score --misere", "write --misere SEAT, a whole number; see"),
        ("tournament random --deals 2", "two agents or more"),
        ("tournament random randum --deals 2", "did you mean 'random'"),
        ("tournament random random --deals 2 --force grade", "did you mean 'garde'"),
        ("tournament random random --deals 2 --players 7", "allowed: players 3, 4, 5, game 'mort'"),
        ("tournament random random --deals 2 --game morte", "did you mean 'mort'"),
        ("tournament random random --deals 2 --game mort --players 4", "it has 5"),
        ("tournament random random --deals 2 --rules fftt", "did you mean 'fft'"),
        ("tournament random random --deals 2 --set half_pint=1", "did you mean 'half_point'"),
        ("tournament random random --deals 2 --set half_point", "write option=value"),
        ("tournament random random --deals 2 --set half_point=no", "allowed: winner, taker, exact"),
        ("tournament random ppo:nowhere.pt --deals 2", "nowhere.pt"),
        ("tournament random support.cheaters:Highest --deals 2", "--allow-cheating"),
        ("tournament random oracle --deals 2", "--allow-cheating"),
        ("tournament random heuristic@7 --deals 2", "did you mean 'heuristic@1'"),
        ("simulate --agents random --deals 2", "missing --out FILE"),
        ("simulate --agents random random --deals 2 --out x", "2 agents; name one for all seats"),
        ("simulate --agents random --deals 0 --out x", "deals must be 1"),
        ("simulate --agents random --deals 1 --out nowhere/x", ("nowhere/x", "No such file")),
        ("simulate --agents random --deals 1 --out .", "is a folder"),
        ("simulate --agents random --deals 1000000001 --out x", "deals must be 1000000000 or less"),
        (f"simulate --agents random --deals 1 --out x --seed {2**128}", "seed"),
        ("simulate --agents random --deals 1 --out x --game dummy", "allowed: players 3, 4, 5"),
        (
            "simulate --agents random random --deals 1 --out x --players 5",
            "2 agents; name one for all seats or 5",
        ),
        (
            "simulate --agents random --deals 1 --out x --set call_own_king=false",
            "no use with four",
        ),
        ("bench --players 6", "allowed: players 3, 4, 5"),
        ("score --oudlers 2", "missing --bid B, --points X; see tarot score --help"),
        (
            "score --bid garde --oudlers two --points 49",
            "--oudlers must be a whole number; got 'two'",
        ),
        ("score --bid garde --oudlers 2 --points x", "--points must be a number; got 'x'"),
        ("simulate --agents random --deals x --out x", "--deals must be a whole number; got 'x'"),
        ("simulate --agents random --players=4.0 --out x", "--players must be a whole number"),
        ("play --seed x", "--seed must be a whole number; got 'x'"),
        ("bench --sizes 1 x", "--sizes must be a whole number; got 'x'"),
        ("simulate --agents random --deals 1 --out x --players", "--players P, a whole number"),
        ("score --bid garde --oudlers 2 --points 49 --misere x", "--misere must be a whole number"),
        ("score --bid grade --oudlers 2 --points 49", "did you mean 'garde'"),
        ("score --bid garde --oudlers 4 --points 49", "oudlers 4; there are three"),
        ("score --bid garde --oudlers 2 --points nan", "points nan; give a number"),
        ("score --bid garde --oudlers 2 --points 49 --players 5", "name the taker's partner"),
        ("score --bid garde --oudlers 2 --points 49 --players 5 --partner x", "a seat or 'alone'"),
        (
            "score --bid garde --oudlers 2 --points 49 --game mort",
            "name the dealer, a seat, which sits out in the game mort",
        ),
        ("score --bid garde --oudlers 1 --points 95", "points 95; the cards of a deal"),
        ("score --bid garde --oudlers 1 --points 95.5", "points 95.5; the cards of a deal"),
        ("score --bid garde --oudlers 1 --points 49.3", "points 49.3; card points are whole"),
        ("play --deals 0", "deals=0; give a whole number, 1 and up\n"),
        ("score --bid garde --oudlers 2 --points 49 --petit-au-but attack", "'--petit-au-bout'"),
        ("score --bid garde --oudlers 2 --points 62 --chelem unannounced", "all cards make 87"),
        (
            "score --bid garde --oudlers 0 --points 49 --petit-au-bout attack",
            "0 oudlers: the petit",
        ),
        ("bench --sizes 10000000", "sizes must be 1000000 or less"),
        ("play --daily 2026-07-04 --seed 3", "is the seed of its deals; leave --seed out"),
        ("simulate --agents random --daily 2026-07-04 --seed 0 --out x", "leave --seed out"),
        ("check", "name a file"),
        ("check nowhere", ("nowhere", "No such file")),
        ("replay", "missing FILE"),
        ("replay nowhere", ("nowhere", "No such file")),
        ("replay x --explain heuristic", "'heuristic' cannot explain; those that can are pimc"),
        ("replay x --explain support.cheaters:Highest", "cannot explain; those that can are pimc"),
        ("replay x --explain pimc:worlds=0", "worlds=0; allowed: whole numbers from 1 to"),
        ("replay x --seat 1", "add --explain AGENT"),
        ("replay x --explain oracle --seat one", "--seat must be a whole number; got 'one'"),
        ("solve", "missing FILE"),
        ("solve nowhere", ("nowhere", "No such file")),
        ("report nowhere", "is no folder"),
        ("bench --repeats 0", "must be 1 or more"),
        ("bench --sizes 0", "must be 1 or more"),
        ("bench --seconds 0", "seconds must be above 0"),
        ("bench --only corr", "did you mean 'core'"),
        ("train", "missing CONFIG"),
        ("train --ppo.epochs 3 x.toml", "name CONFIG before its settings"),
        ("train nowhere.toml", "nowhere.toml"),
        ("variants fft", "fft"),
    ],
)
def test_mistakes_end_in_one_sentence(capsys, tmp_path, monkeypatch, line, words):
    monkeypatch.chdir(tmp_path)
    failed(capsys, line.split(), words)
    monkeypatch.setattr("tyro._fmtlib._FORCE_UTF8_BOXES", True)
    failed(capsys, line.split(), words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "line",
    [
        "simulate --agents random --out x --deals",
        "simulate --agents random --out x --deals 1 --set match_deals=",
        "simulate --agents random --out x --deals 1 --rules",
        "score --bid garde --points 49 --oudlers",
    ],
)
def test_a_very_long_word_is_cut(capsys, line):
    *words, last = line.split()
    long = [last + "9" * 5000] if last.endswith("=") else [last, "9" * 5000]
    assert main([*words, *long]) == 2
    told = capsys.readouterr().err
    assert len(told) < 400
    assert ("of fewer digits" in told) == (last in ("--deals", "--oudlers"))


def test_variants_lists_every_option(capsys):
    assert main(["variants"]) == 0
    out = capsys.readouterr().out
    assert "fft: 3, 4, 5, game mort" in out
    assert "half_point = winner | taker | exact" in out
    assert "fft winner; wikipedia exact (our choice)" in out


SCORE = ["score", "--bid", "garde", "--oudlers", "2", "--points", "49"]


def test_score_explains_line_by_line(capsys):
    told = ["--players", "4", "--poignee", "attack:poignee", "--petit-au-bout", "attack"]
    assert main([*SCORE, *told]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "garde by seat 0: 49 points with 2 oudlers, 41 needed: made by 8",
        "what each defender pays the attack (+) or receives from it (-):",
        "contract (25 + 8) x 2 = +66",
        "poignée shown by the attack +20",
        "petit au bout of the attack 10 x 2 = +20",
        "each defender pays 106",
        "scores: seat 0 318, seat 1 -106, seat 2 -106, seat 3 -106",
    ]


@pytest.mark.parametrize(
    ("told", "scores", "made"),
    [
        ("", [198, -66, -66, -66], True),
        ("--taker 2", [-66, -66, 198, -66], True),
        ("--players 3", [132, -66, -66], True),
        ("--players 3 --points 40.5 --bid petite", [-52, 26, 26], False),
        (
            "--set half_point=exact --players 3 --points 40.5 --bid petite",
            [-51, 25.5, 25.5],
            False,
        ),
        ("--players 5 --partner 3", [132, -66, -66, 66, -66], True),
        ("--players 5 --partner alone", [264, -66, -66, -66, -66], True),
        ("--game mort --dealer 4", [198, -66, -66, -66, 0], True),
        ("--rules jeu-de-tarot --players 6 --contra 2", [264, -132, -132, 264, -132, -132], True),
        ("--rules jeu-de-tarot --game tirette --taker 1", [-66, 66], True),
        (
            "--poignee attack:poignee --poignee defence:double_poignee",
            [348, -116, -116, -116],
            True,
        ),
        ("--set misere=true --misere 1 --misere 0", [218, -46, -86, -86], True),
        ("--points 87 --chelem announced", [1626, -542, -542, -542], True),
        ("--chelem failed", [-402, 134, 134, 134], True),
        (
            "--points 5 --oudlers 0 --chelem failed --chelem-by defence",
            [-1656, 552, 552, 552],
            False,
        ),
        ("--set petit_chelem=true --points 62 --petit-chelem announced", [1176] + [-392] * 3, True),
    ],
)
def test_score_as_json(capsys, told, scores, made):
    """Beside a garde with two oudlers and 49 points, or instead of them."""
    words, base = told.split(), list(SCORE)
    for option in ("--points", "--oudlers", "--bid"):
        if option in words:
            place = base.index(option)
            del base[place : place + 2]
    assert main([*base, *words, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result) == ["scores", "made", "lines"]
    assert (result["scores"], result["made"]) == (scores, made)
    assert result["lines"][-1].startswith("scores: seat 0")


@pytest.mark.parametrize("bid", ["garde sans", "garde-sans", "Garde_sans"])
def test_names_are_read_as_screens_show_them(capsys, bid):
    told = ["score", "--oudlers", "2", "--points", "49", "--bid", bid]
    assert main([*told, "--poignee", "attack:double poignée"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("garde sans by seat 0")
    assert "double poignée shown by the attack" in told
    played = ["tournament", "random", "naive", "--deals", "2", "--seed", "1000000", "--force", bid]
    assert main(played) == 0
    assert "the best hand plays garde sans" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["simulate", "tournament", "score", "bench"])
def test_commands_that_play_take_the_same_rules(capsys, name):
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    for option in ("--rules PRESET", "--players P", "--game G", "--set OPTION=VALUE"):
        assert option in out


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_simulated_checked_and_replayed(capsys, tmp_path, game):
    file = tmp_path / "deals.jsonl"
    words = [f"--{name}={value}" for name, value in GAMES[game].items()]
    argv = ["simulate", "--agents", "random", "--deals", "8", "--seed", "7", "--out", str(file)]
    assert main([*argv, *words, "--legal", "--set", "multipliers=1,3,5,7"]) == 0
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert [record["deal_id"] for record in records] == list(range(8))
    assert all(record["rules"]["multipliers"] == [1, 3, 5, 7] for record in records)
    assert all(len(record["legal"]) == len(record["actions"]) for record in records)
    assert main(["check", str(file)]) == 0
    assert "8 records, none wrong" in capsys.readouterr().out
    assert main(["replay", str(file)]) == 0
    assert capsys.readouterr().out.count("Deal ") == 8
    records[5]["scores"][0] += 1
    file.write_text("\n".join(map(json.dumps, records)))
    assert main(["check", str(file)]) == 1
    assert f"{file}:6: scores" in capsys.readouterr().out


def test_check_takes_contracts_that_were_given(capsys, tmp_path):
    file = tmp_path / "deals.jsonl"
    lines = []
    for game in GAMES:
        tables = Tables(rules_of(game), 1, seed=7)
        tables.force(np.array([0]), 1, Bid.GARDE)
        play(tables, np.random.default_rng(1))
        lines.append(to_line(record(tables, 0)))
    file.write_text("\n".join(lines))
    assert all('"forced": [1, "garde"]' in line for line in lines)
    assert main(["check", str(file)]) == 0
    assert "8 records, none wrong" in capsys.readouterr().out


def test_simulate_check_replay(capsys, tmp_path):
    file = tmp_path / "deals.jsonl"
    argv = ["simulate", "--agents", "random", "--deals", "5", "--seed", "7", "--out", str(file)]
    assert main([*argv, "--legal", "--set", "poignee_bonus=1,2,3"]) == 0
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert [record["deal_id"] for record in records] == [0, 1, 2, 3, 4]
    assert {record["seed"] for record in records} == {7}
    assert all(len(record["legal"]) == len(record["actions"]) for record in records)
    assert records[0]["rules"] == {"preset": "fft", "players": 4, "poignee_bonus": [1, 2, 3]}
    assert main(["check", str(file)]) == 0
    assert "5 records, none wrong" in capsys.readouterr().out
    assert main(["replay", str(file)]) == 0
    assert capsys.readouterr().out.count("Deal ") == 5
    assert [path.name for path in tmp_path.iterdir()] == ["deals.jsonl"]


def test_matches_are_simulated_with_totals_and_checked(capsys, tmp_path):
    file = tmp_path / "matches.jsonl"
    argv = ["simulate", "--agents", "heuristic", "--rules", "wikipedia", "--matches", "2"]
    assert main([*argv, "--deals", "3", "--out", str(file)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.split(",")[0] for line in told] == ["match 0: 3 deals", "match 1: 3 deals"]
    found = [json.loads(line) for line in file.read_text().splitlines()]
    sums = np.cumsum([record["scores"] for record in found], axis=0)
    totals = [
        [float(text) for text in line.split("totals ")[1].split(",")[0].split()] for line in told
    ]
    assert sums[-1].tolist() == np.sum(totals, axis=0).tolist()
    assert totals[0] in sums.tolist()
    assert [record["deal_id"] for record in found].count(None) == len(found) - 2  # gathered and cut
    assert main(["check", str(file)]) == 0


def test_one_of_a_thing_is_told_as_one(capsys, tmp_path):
    file = tmp_path / "one.jsonl"
    simulate = ["simulate", "--agents", "heuristic", "--out", str(file)]
    assert main([*simulate, "--matches", "1", "--deals", "1"]) == 0
    assert "match 0: 1 deal, totals" in capsys.readouterr().out
    tournament = ["tournament", "random", "naive", "--seed", "1000000", "--deals", "1"]
    assert main(tournament) == 0
    assert "\n1 deal of seed 1000000" in capsys.readouterr().out
    assert main([*tournament, "--matches", "1"]) == 0
    assert "\n1 match of seed 1000000" in capsys.readouterr().out
    assert main(["score", "--bid", "garde", "--oudlers", "1", "--points", "1"]) == 2
    assert "1 point with 1 oudler" in capsys.readouterr().err


def test_the_daily_match_is_named_by_its_date(capsys, tmp_path):
    file = tmp_path / "daily.jsonl"
    argv = ["simulate", "--agents", "random", "--rules", "online", "--out", str(file)]
    assert main([*argv, "--daily", "2026-07-04"]) == 0
    assert "match 0: 8 deals" in capsys.readouterr().out
    found = [json.loads(line) for line in file.read_text().splitlines()]
    assert {record["seed"] for record in found} == {20260704}
    assert [record["deal_id"] for record in found] == list(range(len(found)))
    assert main([*argv, "--daily", "4 July"]) == 2
    assert "YYYY-MM-DD" in capsys.readouterr().err
    assert main(argv) == 2
    assert "--deals N, --matches M, or --daily DATE" in capsys.readouterr().err


def test_a_person_plays_through_a_pipe(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("help\nquit\n"))
    argv = ["play", "--agents", "random", "--seed", "3", "--rules", "jeu-de-tarot"]
    assert main([*argv, "--game", "tirette"]) == 0
    assert "quit" in capsys.readouterr().out


def test_the_length_of_the_daily_match_is_told(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["play", "--agents", "random", "--daily", "2026-07-04"]) == 0
    assert "\nThe match has 8 deals\n" in capsys.readouterr().out


def test_simulate_one_agent_per_seat_is_repeatable(tmp_path):
    agents = ["random", "heuristic:bid=pass", "random", "random"]
    files = [tmp_path / name for name in "ab"]
    for file in files:
        argv = ["simulate", "--agents", *agents, "--deals", "3", "--out", str(file)]
        assert main([*argv, "--quiet"]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    for line in files[0].read_text().splitlines():
        record = json.loads(line)
        assert record["taker"] != 1
        assert "legal" not in record


def test_check_names_line_action_and_reason(capsys, tmp_path):
    file = tmp_path / "deals.jsonl"
    argv = ["simulate", "--agents", "heuristic:play=random", "--deals", "6", "--out", str(file)]
    assert main(argv) == 0
    lines = file.read_text().splitlines()
    record = json.loads(lines[2])
    record["scores"] = [1, 1, 1, -3]
    lines[2] = json.dumps(record)
    file.write_text("\n".join(lines) + "\n")
    capsys.readouterr()
    assert main(["check", str(file)]) == 1
    out = capsys.readouterr().out
    assert f"{file}:3: scores" in out
    assert "6 records, 1 wrong" in out
    failed(capsys, ["replay", file], f"{file}:3: scores")


def test_check_tells_wrong_records_from_lines_that_are_none(capsys, tmp_path):
    file = tmp_path / "deals.jsonl"
    argv = ["simulate", "--agents", "random", "--deals", "3", "--out", str(file)]
    assert main(argv) == 0
    lines = file.read_text().splitlines()
    wrong = json.loads(lines[1]) | {"scores": [1, 1, 1, -3]}
    file.write_text("\n".join(["[]", "hello", lines[0], json.dumps(wrong), lines[2], "3"]))
    capsys.readouterr()
    assert main(["check", str(file)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == (
        "3 records, 1 wrong; lines that are no record: 3"
    )
    file.write_text(lines[0] + "\nhello\n")
    assert main(["check", str(file)]) == 1
    assert "1 record, none wrong; lines that are no record: 1" in capsys.readouterr().out


def test_replay_with_french_letters(capsys, tmp_path):
    file = tmp_path / "deals.jsonl"
    assert main(["simulate", "--agents", "random", "--deals", "1", "--out", str(file)]) == 0
    capsys.readouterr()
    assert main(["replay", str(file)]) == 0
    english = capsys.readouterr().out
    assert main(["replay", str(file), "--french"]) == 0
    french = capsys.readouterr().out
    assert ("♠K" in english, "♠R" in english) == (True, False)
    assert ("♠K" in french, "♠R" in french) == (False, True)


def test_check_and_replay_of_no_records(capsys, tmp_path):
    file = tmp_path / "empty"
    file.write_text("\n")
    failed(capsys, ["check", file], "holds no records")
    failed(capsys, ["replay", file], "holds no records")


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OverflowError("int too large"),
        RecursionError(),
        RuntimeError("DefaultCPUAllocator: can't allocate memory"),
    ],
)
def test_what_no_machine_can_do_is_a_sentence(capsys, monkeypatch, error):
    def fails(args):
        raise error

    monkeypatch.setattr(cli, "parse", fails)
    failed(capsys, ["variants"], "tarot: ")


def test_closed_streams_change_no_exit_code(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["variants"]) == 0
    assert main(["check", "nowhere"]) == 2
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["check", "nowhere"]) == 2


class Full(io.StringIO):
    """A stream that nothing can be written to."""

    def flush(self):
        raise OSError(28, "No space left on device")


def test_a_sentence_that_cannot_be_written_changes_no_exit_code(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Full())
    assert main(["check", "nowhere"]) == 2
    monkeypatch.setattr(sys, "stdout", Full())
    assert main(["variants"]) == 2


def test_sigterm_leaves_no_file(tmp_path, monkeypatch):
    def ended(*arguments, **options):
        assert len(list(tmp_path.iterdir())) == 1
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(10)

    monkeypatch.setattr("training.tournament.simulate.play_out", ended)
    before = signal.getsignal(signal.SIGTERM)
    argv = ["simulate", "--agents", "random", "--deals", "1", "--out", str(tmp_path / "x")]
    assert main(argv) == 143
    assert signal.getsignal(signal.SIGTERM) == before
    assert list(tmp_path.iterdir()) == []


def test_sigterm_is_nobodys_fault_while_an_agent_thinks(capsys, tmp_path, monkeypatch):
    def thinks(self, turn, rng):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(10)

    monkeypatch.setattr("tarot_env.tables.agent.UniformAgent.act", thinks)
    argv = ["simulate", "--agents", "random", "--deals", "1", "--out", str(tmp_path / "x")]
    assert main(argv) == 143
    assert "failed" not in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ("simulate --agents random --daily 2026-07-04 --deals 0 --out x", "deals=0; give a whole"),
        ("simulate --agents random --daily 2026-07-04 --matches 0 --out x", "matches must be 1"),
        ("simulate --agents random --matches 100000000 --out x", "matches must be 1000000 or less"),
        (
            f"score --bid garde --oudlers 2 --points 49 --players 5 --partner {'9' * 5000}",
            "partner",
        ),
    ],
)
def test_odd_numbers_are_refused_at_once(capsys, tmp_path, monkeypatch, argv, words):
    monkeypatch.chdir(tmp_path)
    failed(capsys, argv.split(), words)
    assert list(tmp_path.iterdir()) == []


def test_a_closed_standard_input_is_an_empty_one(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    assert main(["play", "--agents", "random", "--deals", "1"]) == 0
    assert sys.stdin is None


def test_tournament_and_report(capsys, tmp_path):
    out = tmp_path / "cup"
    argv = ["tournament", "random", "heuristic:bid=pass", "--deals", "3", "--out", str(out)]
    argv += ["--seed", "2000000", "--force", "garde"]
    assert main(argv) == 0
    shown = capsys.readouterr().out
    assert "not an evaluation seed" in shown
    assert "heuristic:bid=pass" in shown
    results = json.loads((out / "results.json").read_text())
    assert (results["seed"], results["deals"], results["force"]) == (2_000_000, 3, "garde")
    assert {(p["a"], p["b"]) for p in results["pairs"]} == {
        ("random", "heuristic:bid=pass"),
        ("heuristic:bid=pass", "random"),
    }
    failed(capsys, [*argv, "--set", "half_point=exact"], "holds another tournament")
    assert main(["report", str(out)]) == 0
    assert f"{out / 'report.html'}" in capsys.readouterr().out


def test_an_agent_that_sees_all_hands_is_marked_in_tables_and_reports(capsys, tmp_path):
    out, mark = tmp_path / "cup", "support.cheaters:Highest (sees all hands)"
    argv = ["tournament", "support.cheaters:Highest", "random", "naive", "--first-alone"]
    argv += ["--deals", "3", "--seed", "1000047", "--out", str(out), "--allow-cheating"]
    assert main(argv) == 0
    shown = capsys.readouterr().out
    assert 0 < shown.count("support.cheaters:Highest") == shown.count(mark)
    assert "ms per decision" in shown
    assert "no ratings: they need all pairs both ways" in shown
    assert main(["report", str(out)]) == 0
    page = re.sub(r"data:image/png;base64,[^\"]*", "", (out / "report.html").read_text())
    assert 0 < page.count("support.cheaters:Highest") == page.count(mark)
    assert "ms per decision" in page
    assert "No ratings: they need all pairs both ways" in page


def test_an_agent_that_sees_all_hands_plays_in_simulations(tmp_path, capsys):
    argv = ["simulate", "--deals", "2", "--seed", "1000047", "--out", str(tmp_path / "x")]
    assert main([*argv, "--agents", "support.cheaters:Highest", "random", "naive", "random"]) == 0
    assert main(["check", str(tmp_path / "x")]) == 0
    capsys.readouterr()
    words = "agent 'liar (sees all hands)' failed"
    failed(capsys, [*argv, "--agents", "support.cheaters:Liar"], words)


def test_names_and_messages_are_shown_as_they_are(capsys, tmp_path, monkeypatch):
    """What rich takes for emoji and styles elsewhere are letters of a name here."""
    bot = (
        "class Zero:\n    name = 'zero'\n    def act(self, turn, rng):\n"
        "        raise OSError(':smile: [b]red[/b]')\n"
    )
    (tmp_path / "plain_bot.py").write_text(bot)
    monkeypatch.syspath_prepend(str(tmp_path))
    argv = ["tournament", "plain_bot:Zero", "random", "--deals", "2", "--seed", "1000000"]
    assert main(argv) == 0
    told = capsys.readouterr().out
    assert "plain_bot:Zero: OSError: :smile: [b]red[/b]" in told
    assert "\n  plain_bot:Zero " in told


def test_every_console_is_a_plain_one():
    folder = Path(training.__file__).parent
    texts = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}
    made = {path.name: len(re.findall(r"\bConsole\(", text)) for path, text in texts.items()}
    assert {name: times for name, times in made.items() if times} == {"terminal.py": 1}
    assert plain_console(file=io.StringIO()).render_str(":smile: [b]x[/b]").plain == (
        ":smile: [b]x[/b]"
    )


def test_long_names_are_shown_whole(capsys, tmp_path, monkeypatch):
    package = tmp_path / "a_rather_long_package_name"
    package.mkdir()
    (package / "bots.py").write_text("from agents.baselines.uniform import UniformAgent as MyBot\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    agent = "a_rather_long_package_name.bots:MyBot"
    assert main(["tournament", agent, "random", "--deals", "1"]) == 0
    assert agent in capsys.readouterr().out


def test_train_hands_settings_on(capsys, tmp_path, monkeypatch):
    seen = []

    def run_experiment(config, *, resume, progress, processes):
        seen.append((config, resume, progress, processes.size))

    monkeypatch.setattr(train, "run_experiment", run_experiment)
    file = tmp_path / "small.toml"
    file.write_text("decisions = 10\n")
    argv = ["train", str(file), "--resume", "--name", "other", "--ppo.epochs", "3", "--quiet"]
    assert main(argv) == 0
    ((config, *others),) = seen
    assert (config.name, config.ppo.epochs, config.decisions) == ("other", 3, 10)
    assert others == [True, False, 1]
    failed(capsys, ["train", file, "--ppo.epoch", "3"], "did you mean")


def test_ctrl_c_is_a_sentence(capsys, tmp_path, monkeypatch):
    file = tmp_path / "small.toml"
    file.write_text("decisions = 10\n")

    def stopped(config, **options):
        raise KeyboardInterrupt("stopped after update 3")

    monkeypatch.setattr(train, "run_experiment", stopped)
    failed(capsys, ["train", file], "stopped after update 3", code=130)
    monkeypatch.setattr(cli, "parse", stopped)
    failed(capsys, ["variants"], "stopped", code=130)


def test_a_full_disk_is_a_sentence(capsys, tmp_path, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    argv = ["simulate", "--agents", "random", "--deals", "1", "--out", tmp_path / "x"]
    failed(capsys, argv, (str(tmp_path / "x"), "No space left on device"))
    assert list(tmp_path.iterdir()) == []


def test_an_agent_that_fails_in_simulate_is_a_sentence(capsys, tmp_path, monkeypatch):
    (tmp_path / "brokenbots.py").write_text(
        "class Bot:\n    name = 'bot'\n    def act(self, turn, rng):\n        return 1 / 0\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    argv = ["simulate", "--agents", "brokenbots:Bot", "--deals", "1", "--out", tmp_path / "x"]
    failed(capsys, argv, ("agent 'bot' failed", "ZeroDivisionError"))
    assert not (tmp_path / "x").exists()


def test_a_foreign_agents_package_is_named(capsys, monkeypatch):
    find_spec = importlib.util.find_spec

    def foreign(name, *rest):
        return None if name == "agents.registry" else find_spec(name, *rest)

    monkeypatch.setattr(importlib.util, "find_spec", foreign)
    failed(capsys, ["variants"], "openai-agents")


@pytest.mark.slow
def test_a_closed_pipe_ends_quietly():
    read, write = os.pipe()
    os.close(read)
    process = started(["variants"], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 141


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_blocks_and_says_how_to_go_on(tmp_path, jobs):
    argv = ["tournament", "random", "random", "heuristic", "--deals", "20000", "--jobs", jobs]
    process = started(
        [*argv, "--out", str(tmp_path / "cup")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    patience = time.monotonic() + 60
    while not list(tmp_path.glob("cup/blocks/*.npz")) and time.monotonic() < patience:
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert err.count("\n") == 1
    assert "the same command goes on from there" in err
