"""The referee against the rules text: worked examples, section C case by case, random deals.

Numbers in the names of the cases are those of the list of edge cases (rules.md C).
"""

import json
import random
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from reference import (
    ACTIONS,
    PACK,
    Referee,
    in_action_order,
    legal_cards,
    legal_discards,
    score_deal,
    trick_winner,
)
from reference.deals import KINDS, STYLES, Deal, choose, contract
from reference.options import read_options
from reference.scoring import Trick, petit_au_bout_side, settle_excuse

CASES = Path(__file__).parent / "cases"


def cases(name: str) -> list[Any]:
    found = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    return [pytest.param(case, id=str(case["id"])) for case in found]


# Writing deals down.


def trumps(high: int, low: int) -> str:
    """The trumps from `high` down to `low`, as text."""
    return " ".join(f"T{number}" for number in range(high, low - 1, -1))


def suit(letter: str, ranks: str) -> str:
    return " ".join(letter + rank for rank in ranks.split())


LOW = "1 2 3 4 5 6 7 8 9 10"


def written(hands: Mapping[int, str] | None = None, *, chien: str = "...", dealer: int = 3) -> Deal:
    """A deal from text; `...` stands for cards of no interest, dealt in pack order.

    The seats then get what is left in their order, and the chien the end of the pack.
    """
    piles = [(hands or {}).get(seat, "...").split() for seat in range(4)] + [chien.split()]
    mentioned = [card for pile in piles for card in pile]
    rest = [card for card in PACK if card not in mentioned]
    for pile, size in zip(piles, (18, 18, 18, 18, 6), strict=True):
        if "..." in pile:
            place, missing = pile.index("..."), size + 1 - len(pile)
            pile[place : place + 1] = rest[:missing]
            rest = rest[missing:]
        assert len(pile) == size
    assert not rest
    return piles[:4], piles[4], dealer


def play_out(referee: Referee, *, slam: bool = False, levels: Iterable[str] = ()) -> Referee:
    """Play to the end: each seat sets aside and plays the first legal card of its hand.

    Args:
        referee: a deal whose contract is known.
        slam: whether the taker announces one.
        levels: handfuls to show, in turn; then none.
    """
    to_show = list(levels)
    while referee.phase != "OVER":
        if referee.phase == "SLAM":
            referee.apply("chelem" if slam else "pass")
        elif referee.phase == "POIGNEE":
            referee.apply(to_show.pop(0) if to_show else "pass")
        elif referee.phase == "WITHHOLD":
            referee.apply(referee.legal()[0])
        else:
            legal = referee.legal()
            referee.apply(next(card for card in referee.hands[referee.seat] if card in legal))
    return referee


def contracted(deal: Deal, bid: str, options: dict[str, Any] | None = None) -> Referee:
    """Seat 0 has the contract, and a lone petit is no reason to stop."""
    return Referee(*deal, {"petit_sec": "off", **(options or {})}, forced=(0, bid))


def outcome(
    deal: Deal, bid: str, options: dict[str, Any] | None = None, *, slam: bool = False
) -> Referee:
    """The deal played out with the contract forced on seat 0."""
    return play_out(contracted(deal, bid, options), slam=slam)


def at_phase(referee: Referee, phase: str) -> Referee:
    """Answer `pass`, or the first legal card, until the phase comes."""
    while referee.phase != phase:
        assert referee.phase != "OVER"
        legal = referee.legal()
        referee.apply("pass" if "pass" in legal else legal[0])
    return referee


# Worked examples.


@pytest.mark.parametrize("case", cases("scoring_4p"))
def test_worked_scores(case: dict[str, Any]) -> None:
    scores = score_deal(
        bid=case["bid"],
        taker=case["taker"],
        oudlers=case["oudlers"],
        attack_half=int(2 * case["points"]),
        poignees=[shown["level"] for shown in case["poignees"]],
        petit_au_bout=case["petit_au_bout"],
        slam_announced=case["slam_announced"],
        slam=case["slam"],
    )
    assert scores == [2 * points for points in case["scores"]]


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


# Section C: legality.


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


# Section C: scores.


def per_defender(**facts: Any) -> float:
    """T: what the taker gets from each defender, in points."""
    points = facts.pop("points")
    scores = score_deal(taker=1, attack_half=int(2 * points), **facts)
    assert scores[1] == -3 * scores[0]
    assert scores[0] == scores[2] == scores[3]
    return -scores[0] / 2


@pytest.mark.parametrize(
    ("facts", "total"),
    [
        pytest.param({"points": 61, "bid": "garde_sans", "oudlers": 2}, 45 * 4, id="plain"),
        pytest.param(
            {"points": 61, "bid": "garde_sans", "oudlers": 2, "slam_announced": True},
            -20,
            id="31 made, slam missed",
        ),
        pytest.param(
            {
                "points": 61,
                "bid": "garde_sans",
                "oudlers": 2,
                "slam_announced": True,
                "poignees": ["poignee"],
            },
            0,
            id="31 poignee still to the taker",
        ),
        pytest.param(
            {"points": 6, "bid": "garde", "oudlers": 0, "slam_announced": True, "slam": -1},
            -(25 + 50) * 2 - 400,
            id="32 both penalties",
        ),
        pytest.param(
            {
                "points": 6,
                "bid": "garde",
                "oudlers": 0,
                "slam_announced": True,
                "slam": -1,
                "options": {"slam_bonus": (500, 300, -400), "defence_slam": 100},
            },
            -(25 + 50) * 2 - 500,
            id="32 other amounts",
        ),
        pytest.param(
            {
                "points": 91,
                "bid": "petite",
                "oudlers": 3,
                "slam": 1,
                "options": {"slam_bonus": (500, 300, -400)},
            },
            25 + 55 + 300,
            id="slam unannounced, other amount",
        ),
        pytest.param({"points": 51, "bid": "garde_contre", "oudlers": 1}, 150, id="34 just made"),
        pytest.param({"points": 56, "bid": "petite", "oudlers": 0}, 25, id="34 no oudler"),
        pytest.param({"points": 36, "bid": "petite", "oudlers": 3}, 25, id="34 three"),
        pytest.param({"points": 35, "bid": "petite", "oudlers": 3}, -26, id="one short"),
        pytest.param({"points": 40.5, "bid": "garde", "oudlers": 2}, -52, id="36 half short"),
        pytest.param({"points": 41.5, "bid": "garde", "oudlers": 2}, 52, id="35 half over"),
        pytest.param(
            {"points": 40.5, "bid": "garde", "oudlers": 2, "options": {"half_point": "taker"}},
            50,
            id="36 rounded for the taker, exactly made",
        ),
        pytest.param(
            {"points": 39.5, "bid": "garde", "oudlers": 2, "options": {"half_point": "taker"}},
            -52,
            id="36 rounded for the taker, still down",
        ),
        pytest.param(
            {"points": 41.5, "bid": "garde", "oudlers": 2, "options": {"half_point": "taker"}},
            52,
            id="36 rounded for the taker, made",
        ),
        pytest.param(
            {"points": 41.5, "bid": "petite", "oudlers": 2, "options": {"half_point": "exact"}},
            25.5,
            id="exact half, made",
        ),
        pytest.param(
            {"points": 40.5, "bid": "petite", "oudlers": 2, "options": {"half_point": "exact"}},
            -25.5,
            id="exact half, down",
        ),
        pytest.param(
            {"points": 40, "bid": "garde", "oudlers": 1, "petit_au_bout": 1},
            -(25 + 11) * 2 + 20,
            id="37 petit au bout lowers the loss",
        ),
        pytest.param(
            {"points": 53, "bid": "garde", "oudlers": 1, "petit_au_bout": -1},
            (25 + 2 - 10) * 2,
            id="38 petit au bout of the defence",
        ),
        pytest.param(
            {"points": 51, "bid": "garde", "oudlers": 1, "poignees": ["poignee", "double_poignee"]},
            50 + 20 + 30,
            id="40 two poignees, made",
        ),
        pytest.param(
            {"points": 50, "bid": "garde", "oudlers": 1, "poignees": ["poignee", "double_poignee"]},
            -52 - 20 - 30,
            id="40 two poignees, down",
        ),
        pytest.param(
            {
                "points": 50,
                "bid": "garde",
                "oudlers": 1,
                "poignees": ["triple_poignee"],
                "options": {"poignee_bonus": (20, 40, 60), "multipliers": (1, 3, 5, 7)},
            },
            -26 * 3 - 60,
            id="other bonuses and multipliers",
        ),
    ],
)
def test_scores(facts: dict[str, Any], total: float) -> None:
    assert per_defender(**facts) == total


def test_half_point_at_three_players() -> None:
    """Case 35."""
    facts = {"bid": "petite", "taker": 2, "oudlers": 2, "players": 3}
    assert score_deal(attack_half=81, **facts) == [52, 52, -104]  # type: ignore[arg-type]
    assert score_deal(attack_half=83, **facts) == [-52, -52, 104]  # type: ignore[arg-type]


# Section C: the auction and what is asked.


def bids(deal: Deal, *calls: str, options: dict[str, Any] | None = None) -> Referee:
    referee = Referee(*deal, options)
    for call in calls:
        referee.apply(call)
    return referee


def test_all_pass_ends_the_deal() -> None:
    """Case 55."""
    referee = bids(written(), "pass", "pass", "pass", "pass")
    assert (referee.phase, referee.seat, referee.taker, referee.bid) == ("OVER", -1, None, None)
    assert referee.scores_half == [0, 0, 0, 0]
    assert referee.legal() == []
    with pytest.raises(ValueError, match="illegal"):
        referee.apply("pass")


@pytest.mark.parametrize("dealer", range(4))
def test_first_hand_speaks_first_then_to_the_right(dealer: int) -> None:
    referee = Referee(*written(dealer=dealer))
    seats = []
    while referee.phase == "AUCTION":
        seats.append(referee.seat)
        referee.apply("pass")
    assert seats == [(dealer + place) % 4 for place in (1, 2, 3, 4)]


def test_garde_contre_ends_the_auction() -> None:
    """Case 56: the others could only pass, so they are not asked."""
    referee = bids(written(), "garde_contre")
    assert (referee.phase, referee.seat, referee.taker) == ("SLAM", 0, 0)


def test_bids_must_be_higher_and_each_speaks_once() -> None:
    """Cases 57 and 58."""
    referee = bids(written(), "petite")
    assert referee.legal() == ["pass", "garde", "garde_sans", "garde_contre"]
    referee.apply("garde")
    assert referee.legal() == ["pass", "garde_sans", "garde_contre"]
    with pytest.raises(ValueError, match="illegal 'garde'"):
        referee.apply("garde")
    assert referee.log == [(0, "petite"), (1, "garde")]
    referee.apply("pass")
    referee.apply("pass")
    assert (referee.phase, referee.seat, referee.taker, referee.bid) == ("DISCARD", 1, 1, "garde")


def test_without_petite() -> None:
    referee = Referee(*written(), {"with_petite": False})
    assert referee.legal() == ["pass", "garde", "garde_sans", "garde_contre"]


PETIT_ALONE = written({2: "... T1", 0: "T21 T20 T19 T18 T17 ..."}, chien="T16 T15 T14 T13 EX ...")
PETIT_AND_EXCUSE = written({2: "... T1 EX", 0: "T21 T20 T19 T18 T17 ..."})


@pytest.mark.parametrize(
    ("deal", "options", "void"),
    [
        pytest.param(PETIT_ALONE, {}, True, id="53 alone"),
        pytest.param(
            PETIT_ALONE, {"petit_sec_excuse_protects": False}, True, id="53 alone, strict"
        ),
        pytest.param(PETIT_ALONE, {"petit_sec": "off"}, False, id="53 off"),
        pytest.param(PETIT_AND_EXCUSE, {}, False, id="53 with the Excuse"),
        pytest.param(PETIT_AND_EXCUSE, {"petit_sec_excuse_protects": False}, True, id="53 strict"),
        pytest.param(written({0: trumps(21, 4)}), {}, False, id="54 no trump at all"),
    ],
)
def test_petit_sec(deal: Deal, options: dict[str, Any], void: bool) -> None:
    referee = Referee(*deal, options)
    assert referee.petit_sec == void
    assert (referee.phase, referee.seat) == (("OVER", -1) if void else ("AUCTION", 0))
    assert referee.scores_half == [0, 0, 0, 0]
    assert referee.log == []
    assert Referee(*deal, options, forced=(1, "garde")).petit_sec == void


@pytest.mark.parametrize("bid", ["petite", "garde", "garde_sans", "garde_contre"])
@pytest.mark.parametrize(
    ("options", "announced", "leader"),
    [
        ({}, False, 1),
        ({}, True, 3),
        ({"slam_announcer_leads": False}, True, 1),
        ({"first_lead": "taker"}, False, 3),
        ({"first_lead": "taker", "slam_announcer_leads": False}, True, 3),
    ],
)
def test_who_leads(bid: str, options: dict[str, Any], announced: bool, leader: int) -> None:
    """Case 64, and `first_lead`; the taker is asked about a slam on every contract."""
    referee = at_phase(Referee(*written(dealer=0), options, forced=(3, bid)), "SLAM")
    assert referee.seat == 3
    assert referee.legal() == ["pass", "chelem"]
    referee.apply("chelem" if announced else "pass")
    at_phase(referee, "PLAY")
    assert referee.seat == leader
    assert referee.slam_announced == announced
    play_out(referee)
    assert [seat for seat, _card in referee.tricks[0][1]] == [
        (leader + place) % 4 for place in range(4)
    ]


# Section C: the ecart.


FOUR_KINGS = written(
    {0: f"SK HK DK CK {trumps(20, 12)} S1 S2 S3 S4 S5"},
    chien=trumps(11, 6),
)


def test_discards_one_by_one() -> None:
    """Case 45: five plain cards go hidden, then one trump goes shown; the history tells both."""
    referee = Referee(*FOUR_KINGS, forced=(0, "garde"))
    for card in ("S3", "S1", "S2", "S5"):
        assert "T12" not in referee.legal()
        with pytest.raises(ValueError, match="illegal"):
            referee.apply("T12")
        referee.apply(card)
    assert referee.legal() == ["S4"]
    referee.apply("S4")
    assert referee.legal() == [f"T{number}" for number in range(6, 21)]
    referee.apply("T7")
    assert referee.ecart == ["S3", "S1", "S2", "S5", "S4", "T7"]
    assert referee.shown_discards == ["T7"]
    assert referee.history == [(0, None)] * 5 + [(0, "T7")]
    assert referee.phase == "SLAM"
    assert len(referee.hands[0]) == 18


# Section C: handfuls.


def levels(deal: Deal, bid: str = "garde_sans", options: dict[str, Any] | None = None) -> list[str]:
    """What seat 0, first to play, is asked about a handful; [] if it is not asked."""
    referee = contracted(deal, bid, options)
    while referee.phase in ("DISCARD", "SLAM"):
        referee.apply(referee.legal()[0])
    assert referee.seat == 0
    return referee.legal() if referee.phase == "POIGNEE" else []


@pytest.mark.parametrize(
    ("hand", "asked"),
    [
        (trumps(10, 2), []),
        (trumps(10, 3) + " EX", []),
        (trumps(10, 2) + " EX", ["pass", "poignee"]),
        (trumps(11, 2), ["pass", "poignee"]),
        (trumps(12, 2) + " EX", ["pass", "poignee"]),
        (trumps(13, 2) + " EX", ["pass", "poignee", "double_poignee"]),
        (trumps(15, 3), ["pass", "poignee", "double_poignee"]),
        (trumps(15, 2) + " EX", ["pass", "poignee", "double_poignee", "triple_poignee"]),
        (trumps(16, 2), ["pass", "poignee", "double_poignee", "triple_poignee"]),
    ],
)
def test_levels(hand: str, asked: list[str]) -> None:
    assert levels(written({0: hand + " ..."})) == asked


def test_own_thresholds() -> None:
    deal = written({0: trumps(9, 2) + " ..."}, chien="EX ...")
    assert levels(deal) == []
    assert levels(deal, options={"poignee_thresholds": (8, 9, 15)}) == ["pass", "poignee"]


def show(deal: Deal, level: str, withheld: Iterable[str], bid: str = "garde_sans") -> Referee:
    referee = at_phase(contracted(deal, bid), "POIGNEE")
    before = list(referee.history)
    referee.apply(level)
    for card in withheld:
        assert referee.phase == "WITHHOLD"
        assert referee.history == before
        assert card in referee.legal()
        referee.apply(card)
        assert card not in referee.legal() or referee.phase == "PLAY"
    assert referee.phase == "PLAY"
    assert referee.history == [*before, (0, level)]
    return referee


@pytest.mark.parametrize(
    ("hand", "level", "withheld", "shown"),
    [
        pytest.param(trumps(11, 2) + " EX", "poignee", [], trumps(11, 2), id="42 Excuse left out"),
        pytest.param(trumps(10, 2) + " EX", "poignee", [], trumps(10, 2) + " EX", id="43 needed"),
        pytest.param(
            trumps(13, 2) + " EX", "double_poignee", [], trumps(13, 2) + " EX", id="43 double"
        ),
        pytest.param(
            trumps(13, 2) + " EX", "poignee", ["T2", "T13"], trumps(12, 3), id="43 any ten"
        ),
        pytest.param(
            trumps(14, 1), "double_poignee", ["T1"], trumps(14, 2), id="44 hide the petit"
        ),
        pytest.param(trumps(21, 8), "double_poignee", ["T21"], trumps(20, 8), id="44 hide the 21"),
    ],
)
def test_cards_shown(hand: str, level: str, withheld: list[str], shown: str) -> None:
    referee = show(written({0: hand + " ..."}), level, withheld)
    assert referee.poignees == {0: (level, in_action_order(shown.split()))}


def test_excuse_cannot_be_withheld_or_swapped_in() -> None:
    """Case 42: with eleven trumps and the Excuse only trumps are asked about."""
    deal = written({0: trumps(12, 2) + " EX ..."})
    referee = at_phase(contracted(deal, "garde_contre"), "POIGNEE")
    referee.apply("poignee")
    assert referee.legal() == in_action_order(trumps(12, 2).split())


def test_shown_discard_counts() -> None:
    """Case 45: fourteen trumps in hand and one shown in the ecart make a triple handful."""
    assert levels(FOUR_KINGS, "garde")[-1] == "triple_poignee"
    off = {"poignee_counts_shown_discards": False}
    assert levels(FOUR_KINGS, "garde", off)[-1] == "double_poignee"
    referee = show(FOUR_KINGS, "triple_poignee", [], "garde")
    assert referee.ecart[-1] == "T6"
    assert referee.poignees[0][1] == in_action_order(trumps(20, 6).split())
    referee = show(FOUR_KINGS, "double_poignee", ["T6", "T20"], "garde")
    assert referee.poignees[0][1] == in_action_order(trumps(19, 7).split())


def test_shown_discard_and_excuse() -> None:
    """The Excuse is shown only where shown discards are too; switched off, they do not matter."""
    hand = {0: f"SK HK DK CK EX {trumps(20, 13)} S1 S2 S3 S4 S5"}
    six_plain = written(hand, chien=f"S6 {trumps(12, 8)}")
    assert levels(six_plain, "garde")[-1] == "double_poignee"

    five_plain = written(hand, chien=trumps(12, 7))
    assert levels(five_plain, "garde")[-1] == "triple_poignee"
    referee = show(five_plain, "triple_poignee", [], "garde")
    assert referee.ecart[-1] == "T7"
    assert referee.poignees[0][1] == [*in_action_order(trumps(20, 7).split()), "EX"]

    off = {"poignee_counts_shown_discards": False}
    assert levels(five_plain, "garde", off)[-1] == "double_poignee"
    off_at_14 = {**off, "poignee_thresholds": (10, 13, 14)}
    referee = at_phase(contracted(five_plain, "garde", off_at_14), "POIGNEE")
    referee.apply("triple_poignee")
    assert referee.poignees[0][1] == [*in_action_order(trumps(20, 8).split()), "EX"]


def test_chien_trumps_do_not_count_unseen() -> None:
    """Case 61."""
    deal = written({0: trumps(10, 2) + " ..."}, chien="T11 T12 T13 CK CQ CN")
    assert levels(deal, "garde_sans") == []
    assert levels(deal, "garde_contre") == []
    assert levels(deal, "garde") == ["pass", "poignee"]


def test_shown_discards_are_the_takers() -> None:
    """A defender with seven trumps cannot count one that the taker showed."""
    deal = written(
        {0: f"SK HK DK CK EX {trumps(21, 14)} S1 S2 S3 S4 S5", 1: f"{trumps(13, 5)} ..."},
        chien="T4 T3 T2 T1 S6 S7",
    )
    hands, chien, dealer = deal
    for plain, trump in (("S6", "T5"), ("S7", "T6")):
        chien[chien.index(plain)] = trump
        hands[1][hands[1].index(trump)] = plain
    thresholds = {"poignee_thresholds": (8, 13, 15)}
    referee = at_phase(contracted((hands, chien, dealer), "garde", thresholds), "PLAY")
    assert referee.shown_discards == ["T2"]
    referee.apply("SK")
    assert (referee.seat, referee.phase) == (1, "PLAY")


def test_each_seat_is_asked_before_its_own_first_card() -> None:
    deal = written({1: trumps(11, 1) + " ...", 3: trumps(21, 12) + " ..."})
    referee = at_phase(Referee(*deal, forced=(0, "garde_contre")), "PLAY")
    asked = []
    for answer in ("poignee", "pass"):
        at = [referee.seat]
        while referee.phase != "POIGNEE":
            referee.apply(referee.legal()[0])
            at.append(referee.seat)
        asked.append((referee.seat, len(referee.table)))
        referee.apply(answer)
    assert asked == [(1, 1), (3, 3)]
    referee.apply(referee.legal()[0]) if referee.phase == "WITHHOLD" else None
    play_out(referee)
    assert len([phase for phase in referee.log if phase[1] == "poignee"]) == 1
    rows = [row for row in referee.history if row[1] in ("pass", "poignee")]
    assert rows == [(0, "pass"), (1, "poignee")]


# Section C: the Excuse, slams and the petit in whole deals.

# The taker holds sixteen trumps, the petit and the Excuse; nobody else has a trump.
SWEEP = written({0: f"{trumps(21, 6)} T1 EX"})
PETIT_AT_16 = written({0: f"{trumps(21, 7)} T1 T6 EX"})


@pytest.mark.parametrize(
    ("deal", "options", "petit_au_bout", "total"),
    [
        pytest.param(SWEEP, {}, 1, 80 * 4 + 40 + 200, id="25 petit at 17"),
        pytest.param(SWEEP, {"excuse_wins_slam_trick": "led_only"}, 1, 560, id="24 led"),
        pytest.param(SWEEP, {"petit_au_bout_second_last": False}, 0, 520, id="25 option off"),
        pytest.param(PETIT_AT_16, {}, 0, 520, id="25 petit at 16"),
    ],
)
def test_slam_with_the_excuse(
    deal: Deal, options: dict[str, Any], petit_au_bout: int, total: int
) -> None:
    """Cases 24 and 25: everything is the taker's, the chien too."""
    referee = outcome(deal, "garde_sans", options)
    assert (referee.slam, referee.petit_au_bout) == (1, petit_au_bout)
    assert (referee.attack_half, referee.defence_half, referee.oudlers) == (182, 0, 3)
    assert referee.tricks[-1][2] == 0
    assert referee.scores_half == [6 * total] + [-2 * total] * 3


def test_slam_with_the_excuse_announced() -> None:
    referee = outcome(SWEEP, "garde_sans", slam=True)
    assert referee.scores_half[0] == 6 * (80 * 4 + 40 + 400)


@pytest.mark.parametrize("keeps", ["changes_side", "trick_winner", "owner_keeps"])
def test_excuse_never_wins(keeps: str) -> None:
    """Case 24, online: the last trick goes to the others and an announced slam fails."""
    options = {"excuse_wins_slam_trick": "never", "excuse_last_trick": keeps}
    referee = outcome(SWEEP, "garde_sans", options, slam=True)
    # The last cards of the others, in seat order: the first sets the suit and wins.
    lost = [card for _seat, card in referee.tricks[-1][1] if card != "EX"]
    assert lost == ["H4", "D8", "CN"]
    assert (referee.slam, referee.petit_au_bout, referee.tricks[-1][2]) == (0, 0, 1)
    kept = keeps == "owner_keeps"
    assert referee.attack_half == 182 - (1 + 1 + 5) - (1 if kept else 9)
    assert referee.oudlers == (3 if kept else 2)


@pytest.mark.parametrize(
    ("end", "petit_au_bout"), [("T1 T5", 0), ("T5 T1", 1)], ids=["27 at 17", "27 at 18"]
)
def test_slam_without_the_excuse(end: str, petit_au_bout: int) -> None:
    """Case 27: the petit counts in the real last trick only. The Excuse lies in the chien."""
    referee = outcome(written({0: f"{trumps(21, 6)} {end}"}, chien="EX ..."), "garde_sans")
    assert (referee.slam, referee.petit_au_bout) == (1, petit_au_bout)
    assert (referee.attack_half, referee.oudlers) == (182, 3)
    assert referee.scores_half[0] == 6 * (80 * 4 + 40 * petit_au_bout + 200)


ALL_TRUMPS = f"T21 T1 {trumps(20, 5)}"


def test_defender_keeps_the_excuse_in_a_slam() -> None:
    """Case 28."""
    referee = outcome(written({0: ALL_TRUMPS, 1: "... EX"}), "garde_sans")
    assert (referee.slam, referee.attack_half, referee.oudlers) == (1, 182, 3)
    assert referee.scores_half[0] == 6 * 520


def test_defender_plays_the_excuse_early_in_a_slam() -> None:
    """Case 15: 87 points, two oudlers, margin 46."""
    referee = outcome(written({0: ALL_TRUMPS, 1: "EX ..."}), "garde_sans")
    assert (referee.slam, referee.attack_half, referee.oudlers) == (1, 174, 2)
    assert referee.scores_half[0] == 6 * ((25 + 46) * 4 + 200)


@pytest.mark.parametrize(
    ("bid", "half", "oudlers", "total"),
    [
        pytest.param("garde_sans", 182, 3, (25 + 55) * 4 + 200, id="garde sans"),
        pytest.param("garde_contre", 182 - 28, 2, (25 + 36) * 6 + 200, id="garde contre"),
    ],
)
def test_excuse_in_the_chien(bid: str, half: int, oudlers: int, total: int) -> None:
    """Case 18: it was never played, so nothing is paid; this chien is worth 28 half points."""
    referee = outcome(written({0: ALL_TRUMPS}, chien="EX CQ CK T2 T3 T4"), bid)
    assert (referee.slam, referee.attack_half, referee.oudlers) == (1, half, oudlers)
    assert referee.defence_half == 182 - half
    assert referee.scores_half[0] == 6 * total


# The taker has the Excuse and low cards, seat 3 eighteen trumps.
POWERLESS = written(
    {0: f"EX {suit('S', LOW)} {suit('H', '1 2 3 4 5 6 7')}", 3: trumps(21, 4)},
    chien="H8 H9 H10 D1 D2 D3",
)


@pytest.mark.parametrize(("announced", "total"), [(False, -338), (True, -538)])
def test_defence_slam(announced: bool, total: int) -> None:
    """Cases 16, 17, 32 and 60: the ecart counts, pays nothing, and the Excuse is worth 4."""
    referee = at_phase(Referee(*POWERLESS, forced=(0, "garde")), "DISCARD")
    for card in POWERLESS[1]:
        referee.apply(card)
    play_out(referee, slam=announced)
    assert (referee.slam, referee.petit_au_bout) == (-1, 0)
    assert (referee.attack_half, referee.oudlers) == (6 + 8, 1)
    assert total == -(25 + 44) * 2 - (400 if announced else 200)
    assert referee.scores_half == [6 * total] + [-2 * total] * 3


# The taker wins trick 1 (T21, SJ, T1, T4), seat 3 all the others, seat 1 keeps the Excuse.
OWN_SIDE_WINS = written(
    {
        0: f"T21 {suit('S', LOW)} {suit('H', '1 2 3 4 5 6 7')}",
        1: "... EX",
        3: "DK T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 T20",
    },
    chien="H8 H9 H10 D1 D2 D3",
)
# Seat 1 wins trick 1 (S1, SK, H5, D9), the taker all the others, seat 1 keeps the Excuse.
# The chien: CQ CK T1 T2 T3 T4.
OTHERS_WIN = written({0: f"S1 {trumps(21, 5)}", 1: "SK ... EX"})


@pytest.mark.parametrize(
    ("deal", "options", "half", "oudlers"),
    [
        pytest.param(OWN_SIDE_WINS, {}, 22 + 8, 3, id="22 changes side, one back"),
        pytest.param(
            OWN_SIDE_WINS, {"excuse_last_trick_refund": False}, 22 + 9, 3, id="22 nothing back"
        ),
        pytest.param(
            OWN_SIDE_WINS, {"excuse_last_trick": "trick_winner"}, 22, 2, id="22 trick winner"
        ),
        pytest.param(OWN_SIDE_WINS, {"excuse_last_trick": "owner_keeps"}, 22, 2, id="22 owner"),
        pytest.param(OTHERS_WIN, {}, 142, 2, id="23 lost"),
        pytest.param(
            OTHERS_WIN, {"excuse_last_trick_refund": False}, 142, 2, id="23 no refund either way"
        ),
        pytest.param(OTHERS_WIN, {"excuse_last_trick": "trick_winner"}, 142, 2, id="23 winner"),
        pytest.param(OTHERS_WIN, {"excuse_last_trick": "owner_keeps"}, 134, 1, id="23 owner pays"),
    ],
)
def test_excuse_in_the_last_trick(
    deal: Deal, options: dict[str, Any], half: int, oudlers: int
) -> None:
    referee = outcome(deal, "garde_contre", options)
    assert "EX" in [card for _seat, card in referee.tricks[-1][1]]
    assert referee.slam == 0
    assert (referee.attack_half, referee.oudlers) == (half, oudlers)
    assert referee.defence_half == 182 - half


# Seat 1 wins tricks 1 to 17 and leads S2, seat 2 plays the Excuse, the taker keeps the SK.
LAST_LEAD = written(
    {
        0: f"{suit('H', LOW)} {suit('D', '1 2 3 4 5 6 7')} SK",
        1: f"{trumps(21, 5)} S2",
        2: "... EX",
    },
    dealer=0,
)


@pytest.mark.parametrize(
    ("options", "winner", "half", "oudlers", "slam", "total"),
    [
        pytest.param({}, 2, 0, 0, -1, -(25 + 56) * 6 - 200, id="29 any position"),
        pytest.param(
            {"excuse_wins_slam_trick": "led_only"}, 0, 24, 1, 0, -(25 + 39) * 6, id="29 led only"
        ),
        pytest.param(
            {"excuse_wins_slam_trick": "led_only", "excuse_last_trick": "trick_winner"},
            *(0, 24, 1, 0, -(25 + 39) * 6),
            id="29 led only, trick winner",
        ),
        pytest.param(
            {"excuse_wins_slam_trick": "never", "excuse_last_trick": "owner_keeps"},
            *(0, 16, 0, 0, -(25 + 48) * 6),
            id="29 never, owner keeps",
        ),
    ],
)
def test_excuse_in_a_defence_slam(
    options: dict[str, Any], winner: int, half: int, oudlers: int, slam: int, total: int
) -> None:
    referee = outcome(LAST_LEAD, "garde_contre", options)
    assert [card for _seat, card in referee.tricks[-1][1]] == ["S2", "EX", "CN", "SK"]
    assert referee.tricks[-1][2] == winner
    assert (referee.attack_half, referee.oudlers, referee.slam) == (half, oudlers, slam)
    assert referee.scores_half[0] == 6 * total


@pytest.mark.parametrize(
    ("wins", "winner", "half"), [("any_position", 2, 0), ("led_only", 1, 8), ("never", 1, 8)]
)
def test_excuse_under_a_partner_in_a_defence_slam(wins: str, winner: int, half: int) -> None:
    """The slam stands in any case; where the Excuse does not win, it changes sides for a refund."""
    hands, chien, dealer = LAST_LEAD
    hands = [list(hand) for hand in hands]
    hands[0][-1], hands[1][-1] = "S2", "SK"
    referee = outcome((hands, chien, dealer), "garde_contre", {"excuse_wins_slam_trick": wins})
    assert (referee.tricks[-1][2], referee.attack_half, referee.slam) == (winner, half, -1)


def test_excuse_played_too_early_breaks_a_slam() -> None:
    """It wins the last trick only; here it is led to trick 3, after two tricks of the taker's."""
    referee = outcome(written({0: f"T21 T20 EX T1 {trumps(19, 6)}"}), "garde_sans", slam=True)
    assert [winner for _leader, _plays, winner in referee.tricks[:3]] == [0, 0, 1]
    assert (referee.slam, referee.oudlers) == (0, 3)


def test_excuse_led_to_the_last_trick_without_a_sweep() -> None:
    """Case 3: the second card sets the suit; the Excuse goes over."""
    deal = written({0: f"S1 {trumps(21, 6)} EX", 1: "SK ... SQ"})
    referee = outcome(deal, "garde_contre")
    leader, plays, winner = referee.tricks[-1]
    assert (leader, plays[0], plays[1], winner) == (0, (0, "EX"), (1, "SQ"), 1)
    assert referee.oudlers == 1


@pytest.mark.parametrize("chien_card", ["T1", "T21"])
def test_oudler_in_the_chien(chien_card: str) -> None:
    """Cases 19 and 59: a bout for the defence on a garde contre, for the taker on a garde sans."""
    hand = f"{trumps(20, 3)}" if chien_card == "T21" else f"{trumps(21, 4)}"
    deal = written({0: hand, 1: "EX ..."}, chien=f"{chien_card} CK CQ CN CJ C10")
    assert outcome(deal, "garde_sans").oudlers - outcome(deal, "garde_contre").oudlers == 1


def test_petit_captured_from_the_taker() -> None:
    """Case 21: the bout goes with the card."""
    deal = written({0: f"T1 {suit('S', LOW)} {suit('H', '1 2 3 4 5 6 7')}", 1: "T2 ..."})
    referee = outcome(deal, "garde_contre")
    assert referee.tricks[0][2] != 0
    assert referee.oudlers == 0


# Section C: the petit and the Excuse, from bare facts (the attack is seat 0).


def trick(cards: str, winner: int, leader: int = 0) -> Trick:
    plays = [((leader + place) % 4, card) for place, card in enumerate(cards.split())]
    return leader, plays, winner


FILLER = trick("S1 S2 S3 SK", 3)


@pytest.mark.parametrize(
    ("tricks", "expected"),
    [
        pytest.param([trick("S2 S3 S4 SK", 0), trick("T5 T1 T2 T3", 0)], 1, id="39 captured"),
        pytest.param([FILLER, trick("T1 T9 T2 T3", 1)], -1, id="39 lost"),
        pytest.param([FILLER, trick("T1 H9 H2 H3", 0)], 1, id="won"),
        pytest.param([FILLER, trick("H1 T1 H2 H3", 1)], -1, id="defender's own"),
        pytest.param([trick("T1 H9 H2 H3", 0), trick("T9 S9 S2 S3", 0)], 0, id="27 at 17"),
        pytest.param([trick("T1 H9 H2 H3", 0), trick("EX S9 S2 S3", 0)], 1, id="25 own, at 17"),
        pytest.param([trick("T9 T1 H2 H3", 0), trick("EX S9 S2 S3", 0)], 0, id="25 captured at 17"),
        pytest.param(
            [trick("T9 H9 H2 H3", 0), trick("EX T1 S2 S3", 0)], 1, id="26 under the Excuse"
        ),
        pytest.param([trick("H9 T1 H2 H3", 1), trick("S9 EX S2 S3", 1)], -1, id="defence's, at 17"),
        pytest.param([trick("T1 T9 H2 H3", 1), trick("S9 EX S2 S3", 1)], 0, id="taker's, at 17"),
        pytest.param(
            [trick("H9 H2 T1 T8", 3), trick("S9 EX S2 S3", 1)], -1, id="a partner's, at 17"
        ),
        pytest.param([trick("T1 H9 H2 H3", 0), trick("EX S9 S2 S3", 1)], 0, id="Excuse lost"),
    ],
)
def test_petit_au_bout(tricks: list[Trick], expected: int) -> None:
    assert petit_au_bout_side(tricks, [0], read_options(4, None)) == expected


@pytest.mark.parametrize(
    ("tricks", "expected"),
    [
        pytest.param([trick("S1 EX S3 SK", 3), FILLER], (-1, 0), id="13 own side wins"),
        pytest.param([trick("SK EX S3 S4", 0), FILLER], (-1, 1), id="14 defence owes"),
        pytest.param([trick("EX S1 S3 S4", 3), FILLER], (1, 1), id="16 taker owes"),
        pytest.param([FILLER, trick("H1 EX H3 HK", 3)], (1, 1), id="22 changes side"),
        pytest.param([FILLER, trick("HK EX H3 H4", 0)], (1, 0), id="23 lost by the defence"),
        pytest.param([FILLER, trick("EX H1 H3 H4", 3)], (-1, 0), id="23 lost by the taker"),
        pytest.param([FILLER, trick("H1 EX H3 HK", 1)], (-1, 0), id="29 the Excuse wins"),
    ],
)
def test_settling_the_excuse(tricks: list[Trick], expected: tuple[int, int]) -> None:
    assert settle_excuse(tricks, [0], read_options(4, None)) == expected


@pytest.mark.parametrize("keeps", ["changes_side", "trick_winner", "owner_keeps"])
@pytest.mark.parametrize("refund", [True, False])
def test_option_for_the_last_trick_is_for_the_last_trick(keeps: str, refund: bool) -> None:
    options = read_options(4, {"excuse_last_trick": keeps, "excuse_last_trick_refund": refund})
    assert settle_excuse([trick("SK EX S3 S4", 0), FILLER], [0], options) == (-1, 1)
    assert settle_excuse([trick("S1 EX S3 SK", 3), FILLER], [0], options) == (-1, 0)


# Refusals.


def test_bad_deals_and_options_are_refused() -> None:
    hands, chien, dealer = written()
    with pytest.raises(ValueError, match="78 cards"):
        Referee([hands[0], hands[0], hands[2], hands[3]], chien, dealer)
    with pytest.raises(ValueError, match="hands of"):
        Referee([hands[0][:-1], *hands[1:]], [*chien, hands[0][-1]], dealer)
    with pytest.raises(ValueError, match="unknown option"):
        Referee(hands, chien, dealer, {"slam_bonuses": (1, 2, 3)})
    with pytest.raises(ValueError, match="cannot be"):
        Referee(hands, chien, dealer, {"half_point": "defence"})
    with pytest.raises(ValueError, match="no such contract"):
        Referee(hands, chien, dealer, forced=(0, "pousse"))


# Random deals.


OPTION_VALUES: dict[str, tuple[Any, ...]] = {
    "first_lead": ("first_hand", "taker"),
    "slam_announcer_leads": (True, False),
    "slam_bonus": ((400, 200, -200), (400, 200, -400)),
    "defence_slam": (200, 0),
    "excuse_last_trick": ("changes_side", "trick_winner", "owner_keeps"),
    "excuse_last_trick_refund": (True, False),
    "excuse_wins_slam_trick": ("any_position", "led_only", "never"),
    "petit_au_bout_second_last": (True, False),
    "poignee_thresholds": ((10, 13, 15), (8, 10, 12)),
    "poignee_bonus": ((20, 30, 40), (20, 40, 60)),
    "poignee_counts_shown_discards": (True, False),
    "half_point": ("winner", "taker", "exact"),
    "multipliers": ((1, 2, 4, 6), (1, 3, 5, 7)),
    "petit_sec": ("mandatory", "off"),
    "petit_sec_excuse_protects": (True, False),
    "with_petite": (True, False),
}


def random_deal(number: int) -> tuple[Referee, str, random.Random]:
    """The numbered deal: kinds, styles, options and forced contracts take turns and chances."""
    rng = random.Random(f"reference {number}")
    kind, style = rng.choice(list(KINDS)), rng.choice(STYLES)
    deal = KINDS[kind](rng)
    options = {}
    if rng.random() < 0.5:
        options = {name: rng.choice(values) for name, values in OPTION_VALUES.items()}
    forced = contract(rng, deal) if rng.random() < 0.5 else None
    if forced and forced[1] == "petite":
        options["with_petite"] = True
    return Referee(*deal, options, forced=forced), style, rng


def check_whole(referee: Referee) -> None:
    """Every card is in one place, and the public history no longer than the log."""
    on_table = [card for _seat, card in referee.table]
    played = [card for _leader, plays, _winner in referee.tricks for _seat, card in plays]
    in_hands = [card for hand in referee.hands for card in hand]
    has_chien = referee.bid in ("petite", "garde") and referee.phase != "AUCTION"
    places = in_hands + on_table + played + referee.ecart + ([] if has_chien else referee.chien)
    assert sorted(places) == sorted(PACK)
    assert len(referee.history) <= len(referee.log)


def events(referee: Referee) -> Iterable[str]:
    """What happened in a finished deal, by name."""
    if referee.petit_sec:
        yield "petit sec"
    if referee.bid is None:
        yield "nobody bid"
        return
    yield f"contract {referee.bid}"
    yield f"slam {referee.slam}{' announced' if referee.slam_announced else ''}"
    yield f"petit au bout {referee.petit_au_bout}"
    yield f"oudlers {referee.oudlers}"
    yield f"handfuls {len(referee.poignees)}"
    for level, cards in referee.poignees.values():
        yield level
        if "EX" in cards:
            yield "Excuse shown"
        if set(cards) & set(referee.ecart):
            yield "shown discard shown again"
    if referee.shown_discards:
        yield "trump discarded"
    if referee.attack_half % 2:
        yield "half point"
    if any(score % 2 for score in referee.scores_half):
        yield "half point in the score"
    _leader, plays, winner = referee.tricks[-1]
    for seat, card in plays:
        if card == "EX":
            own = (seat == referee.taker) == (winner == referee.taker)
            won = "wins" if winner == seat else "own side wins" if own else "lost"
            yield f"Excuse in the last trick {won}"
    if "T1" in [card for _seat, card in referee.tricks[-2][1]] and referee.petit_au_bout:
        yield "petit au bout at the second-last trick"


EXPECTED = (
    *("AUCTION", "DISCARD", "SLAM", "POIGNEE", "WITHHOLD", "PLAY"),
    *(f"contract {bid}" for bid in ("petite", "garde", "garde_sans", "garde_contre")),
    *(f"slam {side}{said}" for side in (-1, 0, 1) for said in ("", " announced")),
    *(f"petit au bout {side}" for side in (-1, 0, 1)),
    *(f"oudlers {number}" for number in range(4)),
    *("handfuls 0", "handfuls 1", "handfuls 2"),
    *("poignee", "double_poignee", "triple_poignee"),
    *("Excuse shown", "shown discard shown again", "trump discarded"),
    *("half point", "half point in the score"),
    *(f"Excuse in the last trick {how}" for how in ("wins", "own side wins", "lost")),
    "petit au bout at the second-last trick",
    *("petit sec", "nobody bid"),
)


@pytest.mark.slow
def test_random_deals_end_and_add_up() -> None:
    happened: Counter[str] = Counter()
    for number in range(4000):
        referee, style, rng = random_deal(number)
        for _step in range(4 + 6 + 1 + 4 * (1 + 18) + 72):
            if referee.phase == "OVER":
                break
            happened[referee.phase] += 1
            legal = referee.legal()
            assert legal
            assert legal == in_action_order(set(legal))
            if number % 20 == 0:
                check_whole(referee)
                refused = rng.choice([action for action in ACTIONS if action not in legal])
                with pytest.raises(ValueError, match="illegal"):
                    referee.apply(refused)
            referee.apply(choose(rng, referee, style))
        assert (referee.phase, referee.seat, referee.legal()) == ("OVER", -1, [])
        check_whole(referee)
        assert sum(referee.scores_half) == 0
        if referee.bid is not None:
            assert referee.attack_half + referee.defence_half == 182
            assert [len(hand) for hand in referee.hands] == [0, 0, 0, 0]
        if referee.options["excuse_last_trick_refund"]:
            assert referee.attack_half % 2 == 0
        happened.update(events(referee))
    for name in sorted(happened):
        print(f"{happened[name]:7} {name}")
    assert [name for name in EXPECTED if not happened[name]] == []


def test_history_holds_nothing_private() -> None:
    """Hidden discards are None; declined handfuls and withheld cards leave no row."""
    for number in range(200):
        referee, style, rng = random_deal(number)
        rows: list[tuple[int, str | None]] = []
        while referee.phase != "OVER":
            phase, seat, action = referee.phase, referee.seat, choose(rng, referee, style)
            referee.apply(action)
            if phase == "DISCARD" and not action.startswith("T"):
                rows.append((seat, None))
            elif phase in ("AUCTION", "DISCARD", "SLAM", "PLAY"):
                rows.append((seat, action))
            elif phase == "WITHHOLD" and referee.phase == "PLAY":
                rows.append((seat, referee.poignees[seat][0]))
            elif phase == "POIGNEE" and action != "pass" and referee.phase == "PLAY":
                rows.append((seat, action))
            assert referee.history == rows


def test_same_seed_same_deal() -> None:
    for kind, generate in KINDS.items():
        assert generate(random.Random(kind)) == generate(random.Random(kind))
        assert generate(random.Random(kind)) != generate(random.Random(kind + "!"))
