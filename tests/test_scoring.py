"""The score: worked examples of the sources, the formula against literals, the explanation."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lockstep import Pair, written

from tarot_env import Bid, Rules, Tables, scoring
from tarot_env.actions import BID_TEXTS, parse_action, parse_bid
from tarot_env.scoring import Facts, Payment, half_scores, payment

CASES = Path(__file__).parent / "cases"
FFT = Rules.preset("fft", players=4)


def examples(name: str) -> list[Any]:
    found = json.loads((CASES / name).read_text(encoding="utf-8"))
    return [pytest.param(case, id=str(case["id"])) for case in found]


def facts(bid: str, half: int, oudlers: int, **others: Any) -> Facts:
    values: dict[str, int] = {
        "contract": int(parse_bid(bid)),
        "attack_half_points": half,
        "oudlers": oudlers,
        **dict.fromkeys(("poignee_points", "petit_au_bout", "slam", "slam_announced"), 0),
        **others,
    }
    return Facts(**{name: np.array([value], np.int64) for name, value in values.items()})


def paid(bid: str, half: int, oudlers: int, rules: Rules = FFT, **others: Any) -> float:
    """What each defender pays, in points."""
    return float(payment(facts(bid, half, oudlers, **others), rules).total[0]) / 2


@pytest.mark.parametrize("case", examples("scoring_4p.json"))
def test_worked_examples(case: dict[str, Any]) -> None:
    """Also those with facts that no deal can have: the formula alone."""
    bonus = dict(zip(("poignee", "double_poignee", "triple_poignee"), (20, 30, 40), strict=True))
    total = payment(
        facts(
            case["bid"],
            round(2 * case["points"]),
            case["oudlers"],
            poignee_points=sum(bonus[poignee["level"]] for poignee in case["poignees"]),
            petit_au_bout=case["petit_au_bout"],
            slam=case["slam"],
            slam_announced=int(case["slam_announced"]),
        ),
        FFT,
    ).total
    attack = np.arange(4)[None] == case["taker"]
    assert (half_scores(total, attack)[0] / 2).tolist() == case["scores"]


def test_what_each_contract_multiplies() -> None:
    rules = Rules.preset("fft", players=4, multipliers=(1, 3, 5, 7))
    contracts = np.array([Bid.NONE, *BID_TEXTS], np.int8)
    assert scoring.multipliers(contracts, rules).tolist() == [0, 1, 0, 3, 5, 7]


@pytest.mark.parametrize(("oudlers", "target"), [(0, 56), (1, 51), (2, 41), (3, 36)])
def test_targets(oudlers: int, target: int) -> None:
    """34: exactly the target is made with margin 0."""
    assert paid("petite", 2 * target, oudlers) == 25
    assert paid("petite", 2 * target - 2, oudlers) == -26
    assert paid("petite", 2 * target + 2, oudlers) == 26
    assert payment(facts("petite", 2 * target, oudlers), FFT).target[0] == 2 * target


@pytest.mark.parametrize(
    ("bid", "made", "failed"),
    [
        ("petite", 33, -32),
        ("garde", 66, -64),
        ("garde_sans", 132, -128),
        ("garde_contre", 198, -192),
    ],
)
def test_multipliers(bid: str, made: int, failed: int) -> None:
    assert paid(bid, 98, 2) == made
    assert paid(bid, 68, 2) == failed
    assert paid(bid, 98, 2, petit_au_bout=1) == made + made // 33 * 10
    assert paid(bid, 68, 2, petit_au_bout=1) == failed + made // 33 * 10
    assert paid(bid, 98, 2, petit_au_bout=-1) == made - made // 33 * 10


def test_own_multipliers() -> None:
    rules = Rules.preset(multipliers=(2, 3, 5, 7))
    bids = ("petite", "garde", "garde_sans", "garde_contre")
    assert [paid(bid, 82, 2, rules=rules) for bid in bids] == [50, 75, 125, 175]


@pytest.mark.parametrize(
    ("half", "half_point", "made", "total"),
    [
        (81, "winner", False, -26),
        (81, "taker", True, 25),
        (81, "exact", False, -25.5),
        (83, "winner", True, 26),
        (83, "taker", True, 26),
        (83, "exact", True, 25.5),
        (79, "winner", False, -27),
        (79, "taker", False, -26),
        (79, "exact", False, -26.5),
        (80, "taker", False, -26),
        (84, "taker", True, 26),
    ],
)
def test_36_half_points(half: int, half_point: str, made: bool, total: float) -> None:
    """41 points are needed."""
    rules = Rules.preset(half_point=half_point)
    assert paid("petite", half, 2, rules=rules) == total
    assert payment(facts("petite", half, 2), rules).made[0] == made


@pytest.mark.parametrize("half", [82, 80])
def test_40_poignees_follow_the_contract(half: int) -> None:
    """Whoever showed them, several together, and never multiplied."""
    alone = paid("garde_contre", half, 2)
    shown = paid("garde_contre", half, 2, poignee_points=50)
    assert shown - alone == (50 if half >= 82 else -50)


@pytest.mark.parametrize(
    ("slam", "announced", "bonus"),
    [(1, 1, 400), (1, 0, 200), (0, 1, -200), (0, 0, 0), (-1, 0, -200), (-1, 1, -400)],
)
@pytest.mark.parametrize("bid", ["petite", "garde_contre"])
def test_slam_bonus(slam: int, announced: int, bonus: int, bid: str) -> None:
    """Per defender, never multiplied; 32: both penalties together."""
    alone = paid(bid, 82, 2)
    assert paid(bid, 82, 2, slam=slam, slam_announced=announced) - alone == bonus


def test_slam_bonus_of_other_rules() -> None:
    rules = Rules.preset(slam_bonus=(500, 250, -300), defence_slam=100)
    amounts = [
        paid("petite", 82, 2, rules=rules, slam=slam, slam_announced=announced) - 25
        for slam, announced in ((1, 1), (1, 0), (0, 1), (-1, 0), (-1, 1))
    ]
    assert amounts == [500, 250, -300, -100, -400]


def test_31_announced_slam_missed_on_a_contract_made_by_20() -> None:
    assert paid("garde_sans", 122, 2, slam_announced=1) == -20
    assert paid("garde_sans", 122, 2, slam_announced=1, poignee_points=20) == 0


def test_38_petit_au_bout_never_decides_the_contract() -> None:
    result = payment(facts("garde", 82, 2, petit_au_bout=-1), FFT)
    assert result.made[0]
    assert result.total[0] == 2 * (25 - 10) * 2


def test_parts_add_up() -> None:
    rng = np.random.default_rng(1)
    n = 1000
    drawn = Facts(
        contract=rng.choice([1, 3, 4, 5], n),
        attack_half_points=rng.integers(0, 183, n),
        oudlers=rng.integers(0, 4, n),
        poignee_points=rng.choice([0, 20, 30, 50], n),
        petit_au_bout=rng.integers(-1, 2, n),
        slam=rng.integers(-1, 2, n),
        slam_announced=rng.integers(0, 2, n),
    )
    for half_point in ("winner", "taker", "exact"):
        result = payment(drawn, Rules.preset(half_point=half_point))
        assert isinstance(result, Payment)
        parts = result.contract + result.petit_au_bout + result.poignees + result.slam
        assert (result.total == parts).all()
        attack = np.arange(4) == rng.integers(0, 4, n)[:, None]
        scores = half_scores(result.total, attack)
        assert (scores.sum(1) == 0).all()
        assert (scores[attack] == 3 * result.total).all()
        assert all(getattr(result, name).dtype == np.int64 for name in ("total", "contract"))
        if half_point != "exact":
            assert (result.total % 2 == 0).all()


SLAM_DEAL = written("T1 T13-21 S8-K HK", "T2-11 S1-7 H1", "H2-Q D1-6", "D7-K C1-10", "T12 EX CJ-K")


def lines_of(pair: Pair) -> list[str]:
    return scoring.score_lines(pair.tables.state, 0, pair.rules)


def test_score_lines() -> None:
    pair = Pair(SLAM_DEAL, (0, "garde_sans")).say("chelem poignee S8 poignee").finish("T1")
    assert lines_of(pair) == [
        "garde sans by seat 0: 85 points with 2 oudlers, 41 needed: made by 44",
        "what each defender pays the attack (+) or receives from it (-):",
        "contract (25 + 44) x 4 = +276",
        "poignée shown by seat 0 +20",
        "poignée shown by seat 1 +20",
        "petit au bout of the defence -10 x 4 = -40",
        "slam announced and failed -200",
        "each defender pays 76",
        "scores: seat 0 228, seat 1 -76, seat 2 -76, seat 3 -76",
    ]


def test_both_slam_penalties_are_named_apart() -> None:
    """An announced slam where the defence takes every trick; one oudler; the attack is paid."""
    deal = written("S1-10 H1-8", "T2-19", "T20-21 SJ-K H9-K C1-6", "D1-K C7-10", "T1 EX CJ-K")
    pair = Pair(deal, (0, "garde_contre")).say("chelem").finish()
    assert lines_of(pair) == [
        "garde contre by seat 0: 0 points with 0 oudlers, 56 needed: failed by 56",
        "what each defender pays the attack (+) or receives from it (-):",
        "contract -(25 + 56) x 6 = -486",
        "slam announced and failed -200",
        "slam by the defence -200",
        "each defender receives 886",
        "scores: seat 0 -2658, seat 1 886, seat 2 886, seat 3 886",
    ]


@pytest.mark.parametrize(
    ("announced", "line"),
    [("chelem", "slam made, announced +400"), ("pass", "slam made, not announced +200")],
)
def test_a_slam_made_says_whether_it_was_announced(announced: str, line: str) -> None:
    deal = written("T4-21", "S1-K H1-4", "H5-K D1-8", "D9-K C1-N", "CQ CK T1-3 EX")
    pair = Pair(deal, (0, "garde_sans")).say(announced)
    assert line in lines_of(pair.finish())


def test_thrown_in_deals_say_why() -> None:
    assert lines_of(Pair(SLAM_DEAL).say("pass pass pass pass")) == [
        "everybody passed: the deal is thrown in, nobody scores"
    ]
    hands = ("T1 S1-K H1-3", "H4-K D1-7", "D8-K C1-J", "T2-19", "CQ CN CK T20 T21 EX")
    assert lines_of(Pair(written(*hands))) == [
        "petit sec: seat 0 holds the petit as only trump, without the Excuse; the deal is void"
    ]
    guarded = ("T1 EX S1-K H1-2", "H3-K D1-6", "D7-K C1-10", "T2-19", "CJ-K T20 T21")
    tables = Pair(written(*guarded), petit_sec_excuse_protects=False).tables
    assert scoring.score_lines(tables.state, 0, tables.rules) == [
        "petit sec: seat 0 holds the petit as only trump; the deal is void"
    ]
    passed = Pair(written(*hands), petit_sec="off").say("pass pass pass pass")
    assert lines_of(passed)[0].startswith("everybody passed")


@pytest.mark.parametrize(
    ("half_point", "end"),
    [
        ("winner", "failed by 1, the half point rounded"),
        ("taker", "made by 0, the half point rounded"),
        ("exact", "failed by 0.5"),
    ],
)
def test_a_half_point_is_explained(half_point: str, end: str) -> None:
    tables = Tables(Rules.preset(half_point=half_point), 1, seed=1)
    tables.force(np.array([0]), 0, 3)
    rng = np.random.default_rng(1)
    while not tables.is_over[0]:
        tables.step(tables.random_actions(rng))
    target = 2 * (56, 51, 41, 36)[tables.oudlers[0]]
    state = tables.state
    state.trick_half_points[0, 0] += target - 1 - state.attack_half_points[0]
    assert scoring.score_lines(state, 0, tables.rules)[0].endswith(end)


@pytest.mark.parametrize(("half", "text"), [(98, "49"), (81, "40.5"), (0, "0"), (-51, "-25.5")])
def test_points_text(half: int, text: str) -> None:
    assert scoring.points_text(half) == text


def test_nothing_is_scored_before_the_end() -> None:
    deal = written("T1 T5-21", "EX S1-K H1-3", "H4-K D1-7", "D8-K C1-J", "CN-K T2-4")
    pair = Pair(deal, (0, "garde_sans")).say("pass")
    while pair.phase != "OVER":
        assert pair.tables.scores.tolist() == [[0, 0, 0, 0]]
        assert pair.outcome == (0, 0)
        pair.default()
    assert pair.tables.scores.dtype == np.float64
    assert pair.tables.scores.sum() == 0
    assert parse_action("garde_sans") - 78 == pair.tables.contract[0]
