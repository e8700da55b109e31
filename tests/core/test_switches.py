"""The kernels are right however they are run: compiled, with every index checked, interpreted.

An index out of range would overwrite another field of a record without a word.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


def digest(**switches: str) -> str:
    path = os.pathsep.join([str(TESTS), str(TESTS.parent)])
    done = subprocess.run(
        [sys.executable, "-m", "support.switches"],
        env={**os.environ, "PYTHONPATH": path, **switches},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("switch", ["NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"])
def test_the_same_deals_under_each_switch(switch: str) -> None:
    found = digest()
    assert len(found) == 65
    assert digest(**{switch: "1"}) == found
