"""The row function of the rules for cards to play, on arrays."""

from typing import Any

import numpy as np

from tarot_env.core.compiling import loop
from tarot_env.phases.play import legal_plays


@loop
def _legal_all(hands: Any, led: Any, best_trump: Any, out: Any) -> None:
    for i in range(len(hands)):
        out[i, 0], out[i, 1] = legal_plays(hands[i, 0], hands[i, 1], led[i], best_trump[i])


def legal_cards(hands: np.ndarray, led: np.ndarray, best_trump: np.ndarray) -> np.ndarray:
    """What each hand, uint64 [n, 2], may play."""
    out = np.empty(hands.shape, np.int64)
    numbers = (np.asarray(array, np.int64) for array in (led, best_trump))
    _legal_all(np.ascontiguousarray(hands).view(np.int64), *numbers, out)
    return out.view(np.uint64)
