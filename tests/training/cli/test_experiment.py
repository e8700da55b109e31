"""`tarot train` from start to end, in a small setting."""

import io
import json
import sys

import pytest

from training.cli.train import _display, _evaluation_line, run_experiment, tensorboard_command
from training.selfplay.config import CollectConfig, EvalConfig, FinalConfig, TrainConfig
from training.selfplay.run import eval_tags


@pytest.mark.slow
def test_a_run_ends_with_its_tournament_and_a_report(tmp_path, capsys):
    config = TrainConfig(
        name="tiny",
        runs=str(tmp_path),
        decisions=1500,
        threads=1,
        hidden=(8,),
        collect=CollectConfig(tables=16, steps=80),
        eval=EvalConfig(every=1, deals=2, opponents=("random",), select_by="random"),
        final=FinalConfig(deals=2, opponents=("heuristic",)),
    )
    folder = run_experiment(config)
    result = json.loads((folder / "final" / "results.json").read_text())
    names = {pair["a"] for pair in result["pairs"]}
    assert names == {f"ppo:{folder}/latest.pt", f"ppo:{folder}/untrained.pt", "heuristic"}
    assert result["evaluation_seed"]
    assert all(pair["illegal"] == 0 and pair["failed"] == 0 for pair in result["pairs"])
    printed = capsys.readouterr().out
    assert f"tensorboard --logdir {tmp_path}" in printed
    assert str(folder / "report.html") in printed

    latest = (folder / "latest.pt").read_bytes()
    (folder / "final" / "results.json").unlink()
    run_experiment(config, resume=True)
    assert json.loads((folder / "final" / "results.json").read_text()) == result
    assert (folder / "latest.pt").read_bytes() == latest


def test_the_program_beside_python_shows_the_curves(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "own env" / "bin"
    folder.mkdir(parents=True)
    monkeypatch.setattr("sys.executable", str(folder / "python"))
    assert tensorboard_command("runs") == "tensorboard --logdir runs"
    (folder / "tensorboard").touch()
    assert tensorboard_command("runs") == "'own env/bin/tensorboard' --logdir runs"
    monkeypatch.chdir(folder.parent)
    assert tensorboard_command("/r") == "bin/tensorboard --logdir /r"
    (folder.parent / "other").mkdir()
    monkeypatch.chdir(folder.parent / "other")
    assert tensorboard_command("runs") == f"'{folder}/tensorboard' --logdir runs"


def test_an_evaluation_is_one_short_line():
    opponents = ("random", "heuristic:bid=pass,play=random", "heuristic")
    row = {"decisions": 1_186_811}
    for opponent, mean in zip(opponents, (386.4, 9.62, -12.62), strict=True):
        row |= dict(zip(eval_tags(opponent), (mean, mean - 4, mean + 4), strict=True))
    line = _evaluation_line(row, opponents)
    assert line == " 1,186,811 decisions  a +386.4 ± 4.0  b +9.6 ± 4.0  c -12.6 ± 4.0"
    assert len(line) < 80


def an_evaluation(decisions):
    row = {"update": 20, "decisions": decisions, "charts/SPS": 4000.0}
    for opponent, mean in (("random", 386.4), ("heuristic", -12.62)):
        row |= dict(zip(eval_tags(opponent), (mean, mean - 4, mean + 4), strict=True))
    return row


@pytest.mark.parametrize("shown", [True, False])
def test_without_a_terminal_each_evaluation_is_a_plain_line(monkeypatch, shown):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    config = TrainConfig(name="x", eval=EvalConfig(opponents=("random", "heuristic")))
    rows = ({"update": 19, "decisions": 290_000}, an_evaluation(301_234), an_evaluation(600_000))
    with _display(config, shown=shown) as on_update:
        for row in rows if on_update else ():
            on_update(row)
    points = "points per deal (95 %): +386.4 ± 4.0 among random; -12.6 ± 4.0 among heuristic"
    lines = [f"301,234 decisions, {points}", f"600,000 decisions, {points}"]
    assert stream.getvalue().splitlines() == (lines if shown else [])
