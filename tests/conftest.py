"""Options of the test run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Compiles what tests run before several processes would, each for itself."""
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        here = Path(__file__).parent
        words = [sys.executable, "-m", "support.warm_up"]
        path = os.pathsep.join([str(here), str(here.parent)])
        subprocess.run(words, env={**os.environ, "PYTHONPATH": path}, check=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", type=int, default=0, metavar="N", help="referee N drawn deals instead of a few"
    )
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden deals anew, to be diffed"
    )


@pytest.fixture
def wrong_type_error(request: pytest.FixtureRequest) -> tuple[type[Exception], ...]:
    """What wrongly typed arguments raise; signatures refuse them first where they are checked."""
    from tarot_env import TarotError

    checked = request.config.getoption("--jaxtyping-packages", default=None)
    return (TypeError,) if checked else (TarotError,)


@pytest.fixture(autouse=True)
def core_plays_along(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the referee's tests on deals written by hand the core is held to the same answers."""
    name = request.module.__name__
    if name.startswith("test_reference_") and not name.endswith(("_random", "_match")):
        import reference.by_hand
        from support.lockstep import Both

        for module in (request.module, reference.by_hand):
            if hasattr(module, "Referee"):
                monkeypatch.setattr(module, "Referee", Both)
