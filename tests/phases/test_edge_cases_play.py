"""Edge cases of the rules text, by their numbers there, on core and referee: play.

Every deal stands here in full and every expectation is worked out from the rules by hand, in
points. `pays` is what each defender pays. Seat 3 deals unless said otherwise, so seat 0 leads.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.edge_deals import LONE_PETIT, NO_TRUMP, OPEN
from support.legal_cards import legal_cards
from support.lockstep import Pair, as_set, cards, texts, written

from tarot_env import Rules, Tables
from tarot_env.cards import ANY, KIND, RANK, TRUMP
from tarot_env.cards.actions import parse_action

CASES = Path(__file__).parents[1] / "cases"


def examples(name: str) -> list[Any]:
    found = json.loads((CASES / name).read_text(encoding="utf-8"))
    return [pytest.param(case, id=str(case["id"])) for case in found]


@pytest.mark.parametrize("case", examples("legal_plays.json"))
def test_worked_legal_plays(case: dict[str, Any]) -> None:
    table = [parse_action(card) for card in case["table"].split()]
    kinds = [int(KIND[card]) for card in table if KIND[card] != ANY]
    best = max((int(RANK[card]) for card in table if KIND[card] == TRUMP), default=0)
    legal = legal_cards(
        as_set(case["hand"].split())[None],
        np.array([kinds[0] if kinds else ANY]),
        np.array([best]),
    )
    assert set(texts(legal[0])) == set(case["legal"].split())


@pytest.mark.parametrize("case", examples("discards_4p.json"))
def test_worked_discards(case: dict[str, Any]) -> None:
    """Some order of the cards must be legal one by one: plain cards first."""
    rules = Rules.preset()
    tables = Tables(rules, 1, seed=1)
    tables.force(np.array([0]), 0, 3)
    hand = as_set(case["hand"].split())
    chosen = sorted(case["ecart"].split(), key=lambda card: card[0] in "TE")
    refused = False
    for card in chosen:
        tables.state["hands"][0, 0] = hand
        legal = Tables.of_state(rules, tables.state).legal_sets()
        refused |= card not in texts(legal[0])
        hand &= ~as_set([card])
    assert refused != case["legal"]


ALL_OF_1 = cards("D1-5 C1-5 T2-9")


def test_01_second_hand_plays_anything_on_a_led_excuse() -> None:
    pair = Pair(OPEN, (0, "garde_sans")).say("pass EX")
    assert pair.legal == ALL_OF_1
    pair.say("D1")
    assert pair.legal == cards("D6-K")
    pair.say("D6")
    assert pair.legal == cards("T14-16")
    assert pair.say("T14").seat == 3


def test_02_trump_on_a_led_excuse_leads_trumps() -> None:
    pair = Pair(OPEN, (0, "garde_sans")).say("pass EX T9")
    assert pair.legal == cards("T10-13")
    pair.say("T13")
    assert pair.legal == cards("T14-16")
    assert pair.say("T16").seat == 3


def test_02_a_suit_under_trumps_never_wins() -> None:
    """The king of the suit led loses to the lowest trump."""
    pair = Pair(OPEN, (0, "garde_sans")).say("pass EX D1 DK T14")
    assert pair.winners == [3]


def test_04_only_the_second_card_can_find_the_excuse_alone() -> None:
    pair = Pair(OPEN, (0, "garde_sans")).say("pass")
    kinds = [(int(pair.turn(1).led[0]), int(pair.turn(1).best_seat[0]))]
    for card in ("EX", "D1", "D6"):
        pair.say(card)
        kinds.append((int(pair.turn(1).led[0]), int(pair.turn(1).best_seat[0])))
    assert kinds == [(ANY, -1), (ANY, -1), (2, 0), (2, 1)]


def test_05_a_partner_is_overtrumped_too() -> None:
    """Seats 1 and 2 defend; the 21 is the only trump over the partner's 20."""
    deal = written(
        "D1-K H1-4",
        "T20 T10-13 S1-10 H5-7",
        "T21 T5 T6 EX SJ-K H8-K C1-3",
        "C4-K T7-9 T14-17",
        "T1-4 T18 T19",
    )
    pair = Pair(deal, (3, "garde_sans")).say("pass D1")
    assert pair.legal == cards("T10-13 T20")
    pair.say("T20")
    assert pair.legal == cards("T21 EX")
    pair.say("EX")
    assert pair.legal == cards("T7-9 T14-17")


def test_06_undertrump_where_none_is_higher() -> None:
    deal = written(
        "D1-K H1-4",
        "T18 T10-13 S1-10 H5-7",
        "T5 T9 SJ-K H8-K C1-5",
        "C6-K T1-4 T6-8 T14 T15",
        "T16 T17 T19-21 EX",
    )
    pair = Pair(deal, (0, "garde_sans")).say("pass D1 T18")
    assert pair.legal == cards("T5 T9")


@pytest.mark.parametrize("low", ["T1", "T3"])
def test_07_a_higher_trump_must_go_over(low: str) -> None:
    """Not even the petit is slipped under while a higher one is held."""
    other = {"T1": "T3", "T3": "T1"}[low]
    deal = written(
        "D1-K H1-4",
        "T18 T10-13 S1-10 H5-7",
        f"{low} T19 EX SJ-K H8-K C1-4",
        f"C5-K {other} T2 T4-9",
        "T14-17 T20 T21",
    )
    pair = Pair(deal, (0, "garde_sans")).say("pass D1 T18")
    assert pair.legal == cards("T19 EX")
    assert sorted(pair.say("T19").legal) == sorted(cards(f"{other} T2 T4-9"))


def test_08_no_trump_while_the_suit_is_held() -> None:
    deal = written(
        "D1-7 S1-10 H1",
        "D8 D9 T21 T1-5 H2-J",
        "D10-K SJ-K T6-9 T18 C1-4",
        "HN-K C5-K T10-14",
        "T15-17 T19 T20 EX",
    )
    pair = Pair(deal, (0, "garde_sans")).say("pass D1")
    assert pair.legal == cards("D8 D9")
    assert pair.say("D8").legal == cards("D10-K")


def test_09_no_duty_to_beat_a_ruff_or_a_suit_card() -> None:
    deal = written(
        "D1-5 S1-10 H1-3",
        "T2 T18 H4-K C1-5",
        "D6 D7 DK T1 T21 SJ-K C6-10 T3-6",
        "D8-Q CJ-K T7-14",
        "T15-17 T19 T20 EX",
    )
    pair = Pair(deal, (0, "garde_sans")).say("pass D1 T18")
    assert pair.legal == cards("D6 D7 DK")
    assert pair.say("DK").legal == cards("D8-Q")
    assert pair.say("DQ").winners == [1]


def test_10_void_in_suit_and_trumps_with_the_excuse() -> None:
    pair = Pair(NO_TRUMP, (0, "garde_sans")).say("pass D1")
    assert sorted(pair.legal) == sorted(cards("EX S5-K H1-7"))


def test_11_the_petit_must_fall_under_higher_trumps() -> None:
    pair = Pair(written(*LONE_PETIT), (0, "garde_sans")).say("pass D1 T9")
    assert pair.legal == cards("T1 EX")
    assert pair.say("T1").legal == cards("T10-15")


def test_12_the_petit_may_be_led_and_loses_to_any_trump() -> None:
    deal = written(*LONE_PETIT, dealer=1)
    pair = Pair(deal, (0, "garde_sans")).say("pass")
    assert pair.seat == 2
    assert sorted(pair.legal) == sorted(cards("T1 EX H1-K C1 C2"))
    pair.say("T1")
    assert pair.legal == cards("T10-15")
    pair.say("T10")
    assert sorted(pair.legal) == sorted(cards("D1-K S1-4"))
    pair.say("D1")
    assert pair.legal == cards("T2-9")
    assert pair.say("T2").winners == [3]
