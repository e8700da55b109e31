"""Tournaments on a Ray cluster: the same results, and one sentence where there is none."""

import importlib.util
import os
import signal
import subprocess
import time

import pytest
from support.processes import started

from tarot_env import TarotError
from training.tournament import run_tournament, tournament
from training.tournament.cluster import joblib_on_cluster

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None,
    reason="Ray is not installed: pip install -e '.[cluster]'",
)

BOT = """
import numpy as np
from tarot_env import cardsets


class Lowest:
    name = "lowest"
    def act(self, turn, rng):
        return cardsets.lowest(turn.legal).astype(np.int64)
"""


def started_in(folder, argv):
    """Ray keeps the token of a cluster in the home folder."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return started(argv, home=folder, cwd=folder, start_new_session=True, **pipes)


@needs_ray
@pytest.mark.slow
def test_a_cluster_stops_as_one_machine_does_and_plays_the_same_bytes(tmp_path, monkeypatch):
    """Two processors of this machine; an agent of a module in the folder plays along."""
    (tmp_path / "lowbots.py").write_text(BOT)
    agents, deals = ["random", "lowbots:Lowest"], 2700
    argv = ["tournament", *agents, "--deals", str(deals), "--force", "garde", "--cluster", "local"]
    argv += ["--jobs", "2", "--out", "cup"]
    process = started_in(tmp_path, argv)
    patience = time.monotonic() + 60
    while not list(tmp_path.glob("cup/blocks/*.npz")) and time.monotonic() < patience:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert (out, err.count("\n")) == ("", 1)
    assert "the same command goes on from there" in err
    assert not (tmp_path / "cup" / "results.json").exists()

    process = started_in(tmp_path, argv)
    out, err = process.communicate(timeout=240)
    assert (process.returncode, err) == (0, "")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    run_tournament(agents, deals=deals, force="garde", out="alone")
    for name in ("results.json", "deals.csv"):
        assert (tmp_path / "cup" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()


@needs_ray
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1:1", "no Ray cluster at '127.0.0.1:1': Connection refused"),
        ("ray://127.0.0.1:1", "no Ray cluster at 'ray://127.0.0.1:1': Connection refused"),
        ("nonsense", "no Ray cluster at 'nonsense': Invalid address format: nonsense"),
        ("127.0.0.1:123456", "no Ray cluster at '127.0.0.1:123456': "),
    ],
)
def test_an_address_where_nobody_listens_is_a_sentence(address, words):
    with pytest.raises(TarotError) as caught:
        run_tournament(["random", "random"], deals=2, cluster=address)
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)


def test_without_ray_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(TarotError, match=r"a cluster needs Ray.*pip install -e '\.\[cluster\]'"):
        run_tournament(["random", "random"], deals=2, cluster="local", out=tmp_path / "t")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(TarotError, match="a cluster needs Ray"), joblib_on_cluster("local"):
        pass


def test_a_machine_with_another_file_of_an_agent_is_refused(tmp_path, monkeypatch):
    (tmp_path / "lowbots.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    agents = ("lowbots:Lowest", "random")
    schedule = tournament.Schedule(agents, 2, None, 0, tournament.Rules.preset(), None, 256)
    files = {"lowbots:Lowest": "0" * 64, "random": None}
    with pytest.raises(
        TarotError, match=r"lowbots:Lowest: .* has not the same file as this machine"
    ):
        tournament._work_elsewhere(schedule, schedule.blocks[0], str(tmp_path), files)
