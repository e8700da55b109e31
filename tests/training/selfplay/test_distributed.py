"""Two processes that torchrun starts learn what one with all their decisions would."""

import csv
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
import torch
from support import two_processes
from support.two_processes import CONFIG, UPDATES, gradients

from tarot_env import TarotError
from training.selfplay.distributed import SINGLE_PROCESS, SingleProcess, started_processes
from training.selfplay.ppo import Targets, Trainer
from training.selfplay.rollout import Buffer, Collected
from training.selfplay.run import train

pytestmark = pytest.mark.slow
TIMES = ("seconds", "charts/SPS", "charts/environment_share")


def torchrun(*words, **options):
    """Two processes on this machine, without the test run's warnings as errors."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    environment.pop("PYTHONWARNINGS", None)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    return subprocess.Popen(
        [*command, *map(str, words)],
        text=True,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        **options,
    )


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What the two processes of `two_processes.py` have written."""
    folder = tmp_path_factory.mktemp("two")
    process = torchrun(two_processes.__file__, folder)
    _, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    return folder


@pytest.fixture(scope="module")
def seen(folder):
    return [torch.load(folder / f"rank{rank}.pt", weights_only=True) for rank in range(2)]


def arrays(tensors):
    return {name: tensor.numpy() for name, tensor in tensors.items()}


def joined(parts):
    """The decisions of both processes in one buffer, those of the second behind the others."""
    first, second = map(arrays, parts)
    second["lane"] = second["lane"] + first["lane"].max() + 1
    second["step"] = second["step"] + first["step"].max() + 1
    return Buffer(**{name: np.concatenate([first[name], second[name]]) for name in first})


def steps_of(seen):
    return [one["steps"] for one in seen]


def test_each_step_has_the_gradient_of_one_process_with_both_minibatches(seen):
    """To a millionth of the largest entry; float32 sums depend on the order of their rows."""
    trainer = Trainer(CONFIG)
    trainer.load(seen[0]["before"] | {"collector": trainer.state()["collector"]})
    first, second = steps_of(seen)
    assert len(first) == len(second) > CONFIG.ppo.epochs  # minibatches in each
    data = joined([first[0]["data"], second[0]["data"]])
    pairs = [
        (first[0]["targets"][name], second[0]["targets"][name]) for name in first[0]["targets"]
    ]
    targets = Targets(*(torch.cat(pair).numpy() for pair in pairs))
    behind = len(first[0]["data"]["lane"])
    for group in trainer.optimizer.param_groups:
        group["lr"] = seen[0]["row"]["charts/learning_rate"]
    for one, other in zip(first, second, strict=True):
        assert len(one["rows"]) != len(other["rows"])
        rows = np.concatenate([one["rows"], other["rows"] + behind])
        measured = trainer._minibatch(data, targets, rows)
        assert torch.equal(one["gradients"], other["gradients"])
        joint = gradients(trainer)
        largest = float(joint.abs().max())
        assert largest > 1e-3
        assert torch.allclose(one["gradients"], joint, rtol=0, atol=1e-6 * largest)
        for name, value in measured.items():
            assert one["measured"][name] + other["measured"][name] == pytest.approx(value, abs=1e-6)


def test_what_is_computed_over_a_batch_is_computed_over_both(seen):
    """Advantages, targets, weights and metrics of an update, from the decisions alone."""
    first, second = steps_of(seen)
    trainer = Trainer(CONFIG)
    trainer.load(seen[0]["before"] | {"collector": trainer.state()["collector"]})
    data = joined([first[0]["data"], second[0]["data"]])
    noted = []
    trainer._minibatch = lambda data, targets, rows: noted.append((targets, rows)) or {"none": 0.0}
    everything = Collected(data, np.arange(len(data.lane)), 0, 0, np.zeros(6, np.int64))
    row, used = trainer._learn(everything, 1.0, CONFIG.ppo.bid_weight)
    targets = noted[0][0]
    assert len(noted) == len(first)
    for name in ("advantages", "remaining", "weights"):
        both = torch.cat([one[0]["targets"][name] for one in (first, second)])
        assert both.numpy() == pytest.approx(getattr(targets, name), abs=1e-5)
    metrics = seen[0]["row"]
    key = "losses/explained_variance"
    assert metrics[key] == pytest.approx(row[key], abs=1e-6)
    assert metrics["decisions"] - seen[0]["before"]["decisions"] == used
    for name in set(metrics) - set(TIMES):
        assert metrics[name] == seen[1]["row"][name]


def test_a_joint_update_is_more_than_either_alone(seen):
    """The check above can fail: either half of a minibatch has quite another gradient."""
    trainer = Trainer(CONFIG)
    trainer.load(seen[0]["before"] | {"collector": trainer.state()["collector"]})
    step = seen[0]["steps"][0]
    data, targets = Buffer(**arrays(step["data"])), Targets(**arrays(step["targets"]))
    trainer._minibatch(data, targets, step["rows"].numpy())
    assert (gradients(trainer) - step["gradients"]).abs().max() > 1e-3


def test_networks_optimiser_and_past_selves_stay_alike(seen):
    first, second = (one["after"] for one in seen)
    assert first["updates"] == second["updates"] == UPDATES
    assert len(first["pool"]) == CONFIG.collect.pool_size
    for name in ("actor", "critic", "optimizer", "pool", "decisions", "deals"):
        assert_same(first[name], second[name])
    assert first["rng"] != second["rng"]
    assert seen[0]["gathered"] == [0, 1]
    assert seen[1]["gathered"] == []


def test_the_deals_of_both_are_those_of_one_with_all_the_tables(seen):
    """Table b of process r plays as table 8 r + b of 16."""
    first, second = (one["deals"].numpy() for one in seen)
    tables = CONFIG.collect.tables
    assert set(first.tolist()).isdisjoint(second.tolist())
    assert (first % (2 * tables) < tables).all()
    assert (second % (2 * tables) >= tables).all()
    assert len(first) > tables
    assert (seen[0]["before"]["collector"]["tables"]["next_ids"] % 16).tolist() == list(range(8))
    assert (seen[1]["before"]["collector"]["tables"]["next_ids"] % 16).tolist() == list(
        range(8, 16)
    )


def assert_same(first, second):
    if isinstance(first, dict):
        assert first.keys() == second.keys()
        for key in first.keys() - {"seconds", "positions", "config"}:
            assert_same(first[key], second[key])
    elif isinstance(first, list):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            assert_same(one, other)
    elif isinstance(first, torch.Tensor):
        assert torch.equal(first, second)
    else:
        assert first == second


def rows_of(folder):
    with (folder / "metrics.csv").open() as file:
        return [{k: v for k, v in row.items() if k not in TIMES} for row in csv.DictReader(file)]


def test_a_run_of_two_goes_on_as_if_it_had_not_stopped(folder):
    whole, halves = folder / "whole", folder / "halves"
    first, second = (torch.load(run / "latest.pt", weights_only=True) for run in (whole, halves))
    assert first["updates"] == 4
    (other,) = first["others"]
    assert other["rng"] != first["rng"]
    own_ids, other_ids = (part["collector"]["tables"]["deal_ids"] for part in (first, other))
    assert set(own_ids.tolist()).isdisjoint(other_ids.tolist())
    assert_same(first, second)
    assert rows_of(whole) == rows_of(halves)
    assert [row["update"] for row in rows_of(whole)] == ["0", "1", "2", "3", "4"]


def test_a_run_of_two_does_not_go_on_alone(folder):
    config = replace(CONFIG, name="whole", runs=str(folder))
    before = (folder / "whole" / "latest.pt").read_bytes()
    with pytest.raises(TarotError, match="made with 2 processes, not 1; go on with as many"):
        train(config, resume=True)
    assert (folder / "whole" / "latest.pt").read_bytes() == before


class Second(SingleProcess):
    """The second of two, the first of which was started with other settings."""

    rank, size = 1, 2

    def from_first(self, value):
        return {**value, "decisions": 7}


def test_processes_with_different_settings_are_refused(tmp_path):
    with pytest.raises(TarotError, match="process 1 was started with decisions = 1000000, process"):
        train(replace(CONFIG, runs=str(tmp_path)), processes=Second())
    assert list(tmp_path.iterdir()) == []


def test_half_an_environment_is_a_sentence(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.delenv("RANK", raising=False)
    with (
        pytest.raises(TarotError, match=r"cannot find each other: .* RANK expected"),
        started_processes(),
    ):
        pass


def test_one_process_alone_changes_nothing():
    values = np.arange(3)
    assert SINGLE_PROCESS.sum(values) is values
    assert (
        SINGLE_PROCESS.from_first("x") == SINGLE_PROCESS.scatter(SINGLE_PROCESS.gather("x")) == "x"
    )


def test_where_one_fails_all_end_and_it_alone_says_why(folder):
    first, second = ((folder / f"end{rank}.txt").read_text() for rank in range(2))
    assert first == "TarotError('the first has had enough')"
    assert second == "SystemExit(2)"


SHORT = """
decisions = 6000
threads = 1
hidden = [8]
collect = {tables = 8, steps = 60}
eval = {every = 0}
final = {deals = 2, opponents = ["random"], untrained = false}
"""


def test_train_by_torchrun_stops_with_one_sentence_and_goes_on_in_one_folder(tmp_path):
    (tmp_path / "short.toml").write_text(SHORT)
    run = tmp_path / "runs" / "short"
    argv = ["-m", "training", "train", "short.toml"]
    process = torchrun(*argv, cwd=tmp_path)
    patience = time.monotonic() + 60
    while time.monotonic() < patience and not ((run / "metrics.csv").exists() and rows_of(run)):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    (sentence,) = [line for line in err.splitlines() if line.startswith("tarot: ")]
    assert sentence.startswith("tarot: stopped after update ")
    assert "--resume goes on" in sentence
    assert out == ""
    assert "KeyboardInterrupt" not in err

    process = torchrun(*argv, "--resume", cwd=tmp_path)
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    assert out.count("tensorboard --logdir runs") == 1
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["short"]
    assert (run / "final" / "results.json").exists()
    updates = [int(row["update"]) for row in rows_of(run)]
    assert updates == list(range(1, len(updates) + 1))
