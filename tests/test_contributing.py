"""What CONTRIBUTING.md says a rule option needs is all that it needs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLAYS = """
import numpy as np
from tarot_env import Rules, Tables
from tarot_env.cards import cardsets

for may in (True, False):
    tables = Tables(Rules.preset(petit_may_be_led=may), 30, seed=1)
    rng, led, kept = np.random.default_rng(0), 0, 0
    while not tables.is_over.all():
        state = tables.columns
        opens = (tables.phase == 9) & (state.trick_size == 0)
        hands = state.hands[np.arange(30), np.maximum(tables.hand_to_play, 0)]
        holds = opens & (hands & cardsets.PETIT).any(1) & (cardsets.count(hands) > 1)
        allowed = cardsets.contains(tables.legal_sets(), np.full(30, 56))
        led += (holds & allowed).sum()
        kept += (holds & ~allowed).sum()
        tables.step(tables.random_actions(rng))
    print(led > 0, kept > 0)
"""


@pytest.mark.slow
def test_an_option_is_two_places(tmp_path: Path) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    option, rule = re.findall(r"```python\n(    .*?)```", text, re.DOTALL)
    package = tmp_path / "tarot_env"
    shutil.copytree(ROOT / "tarot_env", package, ignore=shutil.ignore_patterns("__pycache__"))
    put_before(package / "rules" / "options.py", "    with_petite: bool", option)
    legal = "suits, rest = t.hands[t.seat, 0], t.hands[t.seat, 1]"
    end = "    return suits, rest\n"
    play = package / "phases" / "play.py"
    before, after = play.read_text("utf-8").split(legal, 1)
    play.write_text(before + legal + after.replace(end, rule + end, 1), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PLAYS],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", "False", "False", "True"]


def put_before(path: Path, place: str, lines: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(place) == 1
    path.write_text(text.replace(place, lines + place), "utf-8")
