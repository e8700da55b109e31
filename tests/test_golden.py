"""Golden deals: whole playthroughs as text under `golden/`, to be read as a diff.

`pytest --update-golden` writes them anew.
"""

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.lockstep import rules_of

from tarot_env import Bid, Deal, Phase, Rules, Tables
from tarot_env.cards import cardsets
from tarot_env.cards.actions import BID_TEXTS, PASS, action_text
from tarot_env.core.scoring import points_text
from tarot_env.rules.books import PRESETS
from tarot_env.score_sheet import score_lines
from tarot_env.tables import Match

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Playthrough:
    """A deal to play: its rules and name, and a contract that is given."""

    preset: str = "fft"
    game: str = "4"
    deal: tuple[int, int] = (7, 0)
    forced: tuple[int, Bid] | None = None
    options: dict[str, Any] = field(default_factory=dict)


PLAYTHROUGHS = {
    "fft_auction": Playthrough(deal=(7, 2)),
    "fft_petite": Playthrough(deal=(7, 3), forced=(0, Bid.PETITE)),
    "fft_garde": Playthrough(deal=(7, 31), forced=(1, Bid.GARDE)),
    "fft_garde_sans": Playthrough(deal=(7, 12), forced=(2, Bid.GARDE_SANS)),
    "fft_garde_contre": Playthrough(deal=(7, 5), forced=(3, Bid.GARDE_CONTRE)),
    "low_thresholds": Playthrough(
        deal=(7, 8), forced=(0, Bid.GARDE), options={"poignee_thresholds": (4, 6, 7)}
    ),
    "other_options": Playthrough(
        deal=(7, 21),
        forced=(2, Bid.GARDE_SANS),
        options={
            "first_lead": "taker",
            "excuse_last_trick": "owner_keeps",
            "half_point": "exact",
            "poignee_thresholds": (5, 6, 7),
            "multipliers": (1, 3, 5, 7),
        },
    ),
    "house_rules": Playthrough(
        game="5",
        deal=(7, 14),
        forced=(1, Bid.GARDE),
        options={
            "misere": True,
            "petit_chelem": True,
            "score_rounding": 10,
            "poignee_thresholds": (4, 5, 6),
            "poignee_window": "before_first_trick",
            "poignee_show": "at_least",
        },
    ),
    **{
        f"{preset}_{game}": Playthrough(preset, game, (8, number))
        for number, (preset, games) in enumerate(PRESETS.items())
        for game in games
        if (preset, game) != ("fft", "4")
    },
    **{
        f"{game}_garde": Playthrough("jeu-de-tarot", game, (8, 9), (0, Bid.GARDE))
        for game in ("3", "5", "6", "decouverte", "tirette", "dummy")
    },
}


def listed(words: np.ndarray) -> str:
    return " ".join(action_text(card) for card in cardsets.to_ids(words)) or "-"


def playthrough(wanted: Playthrough) -> str:
    """A deal played by a seeded chooser, every question with its legal answers."""
    rules = rules_of(wanted.preset, wanted.game, wanted.options)
    seed, deal_id = wanted.deal
    forced = wanted.forced
    deal = Deal.from_seed(seed, deal_id, rules)
    tables = Tables.from_deals(rules, [deal])
    rng = random.Random(deal_id)
    state = tables.columns
    lines = [f"rules {rules.to_dict()}", f"deal {seed} {deal_id}, dealer {deal.dealer}"]
    lines += [f"hand {hand}: {listed(state.hands[0, hand])}" for hand in range(rules.hands)]
    lines.append(f"chien: {listed(state.chien[0])}")
    if forced is not None:
        tables.force(np.array([0]), *forced)
        lines.append(f"contract: seat {forced[0]}, {BID_TEXTS[forced[1]]}")
    while not tables.is_over[0]:
        legal = tables.legal_sets()[0].copy()
        action = rng.choice(cardsets.to_ids(legal))
        phase, seat = Phase(tables.phase[0]), int(tables.hand_to_play[0])
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
    for seat in np.flatnonzero(state.poignee_level[0]):
        lines.append(f"poignée of {seat}: {listed(state.poignee_cards[0, seat])}")
    if state.called[0] >= 0:
        lines.append(f"called {action_text(int(state.called[0]))}, partner {state.partner[0]}")
    lines += score_lines(state, 0, rules)
    return "\n".join(lines) + "\n"


MATCHES = {
    "match_online": Rules.preset("online"),
    "match_to_a_target": Rules.preset(
        "fft", players=3, match_target=1000, first_dealer="drawn", shuffle="gather_and_cut"
    ),
    "match_of_five": Rules.preset("fft", game="mort", match_deals=4),
}


def match_text(rules: Rules) -> str:
    """A match played by a seeded chooser: who deals what to whom, and the totals."""
    match = Match(rules, seed=9, first_deal=2)
    tables = Tables(rules, 1, match.seed)
    rng = random.Random(9)
    lines = [f"rules {rules.to_dict()}"]
    if match.drawn:
        lines.append("drawn for the deal: " + " ".join(map(action_text, match.drawn)))
    while not match.is_over:
        deal = match.next_deal()
        match.deal_to(tables)
        name = "gathered and cut" if deal.deal_id is None else f"deal {deal.deal_id}"
        lines.append(f"{name}, dealer {deal.dealer}: {' '.join(map(action_text, deal.pack))}")
        while not tables.is_over[0]:
            legal = cardsets.to_ids(tables.legal_sets()[0])
            passes = PASS in legal and rng.random() < 0.7
            tables.step(np.array([PASS if passes else rng.choice(legal)]))
        counts = match.note(tables)
        contract = BID_TEXTS.get(Bid(int(tables.columns.contract[0])), "nobody plays")
        scores = " ".join(f"{score:+g}" for score in tables.scores[0])
        totals = " ".join(f"{total:+g}" for total in match.totals)
        lines.append(f"    {contract}: {scores}; {'totals' if counts else 'again'} {totals}")
    lines.append(f"{match.played} deals, won by {' '.join(map(str, match.winners))}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", [*PLAYTHROUGHS, *MATCHES])
def test_golden(name: str, request: pytest.FixtureRequest) -> None:
    text = match_text(MATCHES[name]) if name in MATCHES else playthrough(PLAYTHROUGHS[name])
    path = GOLDEN / f"{name}.txt"
    if request.config.getoption("--update-golden"):
        GOLDEN.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_no_golden_deal_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == {*PLAYTHROUGHS, *MATCHES}
