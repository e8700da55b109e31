"""How far numbers go, and which seeds are for what."""

from tarot_env.errors import TarotError

TRAINING_SEEDS = range(0, 1_000_000)
SELECTION_SEEDS = range(1_000_000, 2_000_000)
EVALUATION_SEEDS_FROM = 3_000_000

MAX_DEALS = 10**9
MAX_MATCHES = 10**6
MAX_TABLES = 10**6
MAX_THREADS = 1024


def check_number(name: str, value: int, least: int, most: int) -> None:
    """Checks a whole number.

    Raises:
        TarotError: it is out of range.
    """
    if value < least:
        raise TarotError(f"{name} must be {least} or more; got {value}")
    if value > most:
        raise TarotError(f"{name} must be {most} or less; got {value}")
