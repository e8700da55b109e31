"""Golden deals: whole playthroughs as text under `golden/`, to be read as a diff.

`pytest --update-golden` writes them anew.
"""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tarot_env import Bid, Deal, Phase, Rules, Tables, cardsets
from tarot_env.actions import BID_TEXTS, action_text
from tarot_env.scoring import points_text, score_lines

GOLDEN = Path(__file__).parent / "golden"

PLAYTHROUGHS: dict[str, tuple[int, int, tuple[int, Bid] | None, dict[str, Any]]] = {
    "fft_auction": (7, 2, None, {}),
    "fft_petite": (7, 3, (0, Bid.PETITE), {}),
    "fft_garde": (7, 31, (1, Bid.GARDE), {}),
    "fft_garde_sans": (7, 12, (2, Bid.GARDE_SANS), {}),
    "fft_garde_contre": (7, 5, (3, Bid.GARDE_CONTRE), {}),
    "low_thresholds": (7, 8, (0, Bid.GARDE), {"poignee_thresholds": (4, 6, 7)}),
    "other_options": (
        7,
        21,
        (2, Bid.GARDE_SANS),
        {
            "first_lead": "taker",
            "excuse_last_trick": "owner_keeps",
            "half_point": "exact",
            "poignee_thresholds": (5, 6, 7),
            "multipliers": (1, 3, 5, 7),
        },
    ),
}


def listed(words: np.ndarray) -> str:
    return " ".join(action_text(card) for card in cardsets.to_ids(words)) or "-"


def playthrough(
    seed: int, deal_id: int, forced: tuple[int, Bid] | None, options: dict[str, Any]
) -> str:
    """A deal played by a seeded chooser, every question with its legal answers."""
    rules = Rules.preset("fft", players=4, **options)
    deal = Deal.from_seed(seed, deal_id, rules)
    tables = Tables.from_deals(rules, [deal])
    rng = random.Random(deal_id)
    state = tables.state
    lines = [f"rules {rules.to_dict()}", f"deal {seed} {deal_id}, dealer {deal.dealer}"]
    lines += [f"hand {seat}: {listed(state.hands[0, seat])}" for seat in range(4)]
    lines.append(f"chien: {listed(state.chien[0])}")
    if forced is not None:
        tables.force(np.array([0]), *forced)
        lines.append(f"contract: seat {forced[0]}, {BID_TEXTS[forced[1]]}")
    while not tables.is_over[0]:
        legal = tables.legal_sets()[0].copy()
        action = rng.choice(cardsets.to_ids(legal))
        phase, seat = Phase(tables.phase[0]), int(tables.seat_to_act[0])
        tricks = int(state.trick_number[0])
        tables.step(np.array([action]))
        lines.append(f"{phase.name.lower()} {seat}: {action_text(action)}  of  {listed(legal)}")
        if state.trick_number[0] > tricks:
            won = ", ".join(points_text(int(half)) for half in state.trick_half_points[0])
            lines.append(f"    trick {tricks + 1} to seat {state.last_winner[0]}; in tricks {won}")
    public = [
        f"{seat} {'-' if action < 0 else action_text(action)}"
        for seat, action in state.history[0, : state.history_size[0]].tolist()
    ]
    lines.append("public: " + ", ".join(public))
    lines += [f"poignée of {s}: {listed(state.poignee_cards[0, s])}" for s in range(4)]
    lines += score_lines(state, 0, rules)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_golden(name: str, request: pytest.FixtureRequest) -> None:
    seed, deal_id, forced, options = PLAYTHROUGHS[name]
    text = playthrough(seed, deal_id, forced, options)
    path = GOLDEN / f"{name}.txt"
    if request.config.getoption("--update-golden"):
        GOLDEN.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_no_golden_deal_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(PLAYTHROUGHS)
