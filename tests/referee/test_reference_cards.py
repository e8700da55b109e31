"""The referee's rules of single cards: what may be played and set aside, and who wins a trick.

Numbers in the names of the cases are those of the list of edge cases (RULES.md 15).
"""

from typing import Any

import pytest
from reference import legal_cards, legal_discards, trick_winner
from reference.by_hand import cases


@pytest.mark.parametrize("case", cases("legal_plays"))
def test_worked_legal_plays(case: dict[str, Any]) -> None:
    legal = legal_cards(case["hand"].split(), case["table"].split())
    assert sorted(legal) == sorted(case["legal"].split())


@pytest.mark.parametrize("case", cases("discards_4p"))
def test_worked_discards(case: dict[str, Any]) -> None:
    """A set may go if its cards can go one by one, in some order: plain cards before trumps."""
    hand = case["hand"].split()
    possible = True
    for card in sorted(case["ecart"].split(), key=lambda card: card.startswith("T")):
        possible = possible and card in legal_discards(hand)
        hand.remove(card)
    assert possible == case["legal"]


@pytest.mark.parametrize(
    ("hand", "table", "legal"),
    [
        pytest.param("S1 HK T3", "EX", "S1 HK T3", id="1 after a led Excuse anything"),
        pytest.param("S1 T3 T9", "EX T5", "T9", id="2 Excuse, then a trump: over"),
        pytest.param("S1 S2", "EX T5", "S1 S2", id="2 Excuse, then a trump: void"),
        pytest.param("H1 T21 T3", "S4 T20", "T21", id="5 over a partner's 20"),
        pytest.param("H1 T5 T9", "S4 T18", "T5 T9", id="6 under if not over"),
        pytest.param("T3 T19 EX", "S4 T18", "T19 EX", id="7 over if possible"),
        pytest.param("T1 T19", "S4 T18", "T19", id="7 petit cannot slip under"),
        pytest.param("S9 T21", "S4", "S9", id="8 no ruff with the suit in hand"),
        pytest.param("S9 S2 T21", "S4 T3", "S9 S2", id="9 follow a ruffed suit, no duty to beat"),
        pytest.param("H1 C3 EX", "S4", "H1 C3 EX", id="10 the Excuse is no trump"),
        pytest.param("H1 T1 EX", "S4 T18", "T1 EX", id="11 the petit must go"),
        pytest.param("H1 T1 T4", "", "H1 T1 T4", id="12 petit may be led"),
        pytest.param("T7 H2", "T1", "T7", id="12 and is a trump lead"),
        pytest.param("EX", "T7", "EX", id="the Excuse as last card"),
        pytest.param("T4 T9 H2", "H1 T3 H9", "H2", id="suit asked for, not trumps"),
        pytest.param("T4 T9 H2", "S1 T3 T8", "T9", id="highest trump of several"),
    ],
)
def test_legal_plays(hand: str, table: str, legal: str) -> None:
    assert sorted(legal_cards(hand.split(), table.split())) == sorted(legal.split())


@pytest.mark.parametrize(
    ("table", "winner"),
    [
        ("S1 SK S9 S10", 1),
        ("S9 S10 SJ SN", 3),
        ("EX H1 HK H3", 2),
        ("H1 T1 T3 HK", 2),
        ("T1 EX SK H1", 0),
        ("H2 SK DK CK", 0),
        ("EX T9 T10 T2", 2),
    ],
)
def test_trick_winner(table: str, winner: int) -> None:
    assert trick_winner(table.split()) == winner


@pytest.mark.parametrize(
    ("hand", "legal"),
    [
        pytest.param("S2 SK T4 T1", "S2", id="46 plain cards first"),
        pytest.param("SQ HJ T4", "SQ HJ", id="court cards below the king are plain"),
        pytest.param("SK HK T4 T1 T21 EX", "T4", id="47 then trumps, no king, no oudler"),
    ],
)
def test_legal_discards(hand: str, legal: str) -> None:
    assert legal_discards(hand.split()) == legal.split()
