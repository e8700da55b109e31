"""Files that appear whole, what is never replaced, and blocks that are not what they should be."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from tarot_env import TarotError
from training.files import write_atomically
from training.tournament import run_tournament


def test_only_files_are_replaced(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "round").symlink_to(tmp_path / "round")
    (tmp_path / "to_pipe").symlink_to(tmp_path / "pipe")
    before = sorted(tmp_path.iterdir())
    for name in ("pipe", "folder", "round", "to_pipe", "", "a\0b"):
        with pytest.raises(TarotError) as caught:
            write_atomically(Path(name), b"new")
        assert "\n" not in str(caught.value)
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "pipe").is_fifo()


def test_a_link_is_written_through(tmp_path):
    for name in ("there", "new"):
        link = tmp_path / f"to_{name}"
        link.symlink_to(tmp_path / name)
        if name == "there":
            (tmp_path / name).write_bytes(b"old")
        write_atomically(link, b"new")
        assert link.is_symlink()
        assert (tmp_path / name).read_bytes() == b"new"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A tournament's options, its block's file and what that held."""
    out = tmp_path_factory.mktemp("cup") / "t"
    options = {"agents": ["random", "random"], "deals": 2, "out": out}
    run_tournament(**options)
    file = out / "blocks" / "000000.npz"
    with np.load(file) as saved:
        return options, file, dict(saved), file.read_bytes()


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("half_scores", lambda a: a + 1, "do not sum to zero"),
        ("half_scores", lambda a: a[:2], "half_scores is"),
        ("taker", lambda a: a.astype(float), "taker is float64"),
        ("contract", lambda a: a + 100, "contract is out of range"),
        ("units", lambda a: a + 5, "not those of this block"),
        ("units", lambda a: a[::-1], "not those of this block"),
        ("skipped", lambda a: np.array(1), "not those of this block"),
        ("skipped", lambda a: np.array("x"), "cannot be read"),
        ("sides", lambda a: np.array("[1, 2]"), "cannot be read"),
        ("sides", lambda a: np.array("[" * 100_000), "cannot be read"),
        ("sides", lambda a: np.array(str(a).replace('"failed": 0', '"failed": "x"')), "counts"),
    ],
)
def test_blocks_that_hold_something_else_are_refused(played, name, change, words):
    options, file, arrays, _ = played
    np.savez(file, **(arrays | {name: change(arrays[name])}))
    with pytest.raises(TarotError, match=words) as caught:
        run_tournament(**options)
    assert str(file) in str(caught.value)
    assert "delete it and start again" in str(caught.value)


def test_garbled_blocks_are_refused(played):
    options, file, _, content = played
    middle = len(content) // 3
    for garbled in (b"", b"PK\3\4", content[:middle], content[:middle] + b"xx" + content[middle:]):
        file.write_bytes(garbled)
        with pytest.raises(TarotError, match="delete it and start again"):
            run_tournament(**options)
    file.write_bytes(content)
    run_tournament(**options)


@pytest.mark.parametrize("content", ["[" * 100_000, "{", "[]", json.dumps({"agents": [3]})])
def test_garbled_manifests_are_refused(tmp_path, content):
    (tmp_path / "tournament.json").write_text(content)
    with pytest.raises(TarotError, match=r"no tournament manifest|another tournament"):
        run_tournament(["random", "random"], deals=1, out=tmp_path)
