"""Options of the test run."""

import pytest


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
