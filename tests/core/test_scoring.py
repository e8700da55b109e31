"""The score as a formula: contracts, bonuses and who pays whom, against literals."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from support.lockstep import Pair, written

from tarot_env import Bid, Rules
from tarot_env.cards.actions import BID_TEXTS, parse_action, parse_bid
from tarot_env.core import scoring
from tarot_env.core.scoring import Facts, Payment, Sides, deal_half_scores, half_scores, payment

FFT = Rules.preset("fft", players=4)


def facts(bid: str, half: int, oudlers: int, **others: Any) -> Facts:
    values: dict[str, int] = {
        "contract": int(parse_bid(bid)),
        "attack_half_points": half,
        "oudlers": oudlers,
        **dict.fromkeys([field.name for field in fields(Facts)[3:]], 0),
        **others,
    }
    return Facts(**{name: np.array([value], np.int64) for name, value in values.items()})


def paid(bid: str, half: int, oudlers: int, rules: Rules = FFT, **others: Any) -> float:
    """What each defender pays, in points."""
    return float(payment(facts(bid, half, oudlers, **others), rules).total[0]) / 2


def test_what_each_contract_multiplies() -> None:
    rules = Rules.preset("fft", players=4, multipliers=(1, 3, 5, 7))
    contracts = np.array([Bid.NONE, *BID_TEXTS], np.int8)
    none = np.zeros(6, np.int64)
    assert scoring.multipliers(contracts, none, rules).tolist() == [0, 1, 0, 3, 5, 7]


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


def test_scores_sum_to_zero_and_are_whole_points() -> None:
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
        petit_chelem=np.zeros(n, np.int64),
        petit_chelem_announced=np.zeros(n, np.int64),
        contra=np.zeros(n, np.int64),
    )
    for half_point in ("winner", "taker", "exact"):
        rules = Rules.preset(half_point=half_point)
        result = payment(drawn, rules)
        assert isinstance(result, Payment)
        taker = rng.integers(0, 4, n)
        sides = Sides(taker, np.full(n, -1), np.ones((n, 4), bool))
        scores = half_scores(result.total, np.zeros((n, 4), int), sides, rules)
        assert (scores.sum(1) == 0).all()
        assert (scores[sides.is_taker] == 3 * result.total).all()
        assert all(getattr(result, name).dtype == np.int64 for name in ("total", "contract"))
        if half_point != "exact":
            assert (result.total % 2 == 0).all()


# -- other games


def shared(
    rules: Rules,
    each: float,
    taker: int,
    partner: int = -1,
    dealer: int | None = None,
    misere: tuple[int, ...] = (),
) -> list[float]:
    """Scores where each defender pays `each` points."""
    plays = np.ones((1, rules.players), bool)
    if dealer is not None:
        plays[0, dealer] = False
    sides = Sides(np.array([taker]), np.array([partner]), plays)
    declared = np.isin(np.arange(rules.players), misere)[None].astype(int)
    scores = half_scores(np.array([round(2 * each)]), declared, sides, rules)[0]
    assert scores.sum() == 0
    return [half / 2 for half in scores.tolist()]


def test_65_who_pays_whom() -> None:
    six = Rules.preset("jeu-de-tarot", players=6)
    dummy = Rules.preset("jeu-de-tarot", game="dummy")
    assert shared(Rules.preset(players=3), 33, 2) == [-33, -33, 66]
    assert shared(FFT, 33, 1) == [-33, 99, -33, -33]
    assert shared(Rules.preset(players=5), 33, 1, 4) == [-33, 66, -33, -33, 33]
    assert shared(Rules.preset(players=5), -33, 1, 4) == [33, -66, 33, 33, -33]
    assert shared(Rules.preset(players=5), 33, 1) == [-33, 132, -33, -33, -33]
    assert shared(six, 33, 4, 1) == [-33, 66, -33, -33, 66, -33]
    assert shared(dummy, 33, 1) == [-33, 33]
    assert shared(Rules.preset(game="mort"), 33, 1, dealer=3) == [-33, 99, -33, 0, -33]


def test_partners_may_share_evenly() -> None:
    rules = Rules.preset(players=5, partner_share=(1, 1))
    assert shared(rules, 33, 1, 4) == [-33, 49.5, -33, -33, 49.5]
    assert shared(rules, 33, 1) == [-33, 132, -33, -33, -33]


def test_a_misere_is_paid_by_all_others_whatever_the_result() -> None:
    rules = Rules.preset(misere=True)
    assert shared(rules, 78, 0, misere=(0,)) == [264, -88, -88, -88]
    assert shared(rules, 78, 0, misere=(2,)) == [224, -88, -48, -88]
    assert shared(rules, -26, 1, misere=(0, 2)) == [46, -98, 46, 6]
    mort = Rules.preset(game="mort", misere=True)
    assert shared(mort, 0, 1, dealer=0, misere=(2,)) == [0, -10, 30, -10, -10]


@pytest.mark.parametrize(
    ("each", "scores"),
    [
        (168, [510, -170, -170, -170]),
        (164, [480, -160, -160, -160]),
        (165, [510, -170, -170, -170]),
        (-165, [-510, 170, 170, 170]),
        (-164.5, [-480, 160, 160, 160]),
        (4.5, [0, 0, 0, 0]),
    ],
)
def test_rounding_goes_away_from_zero_and_the_taker_makes_the_sum(
    each: float, scores: list[float]
) -> None:
    assert shared(Rules.preset(score_rounding=10), each, 0) == scores


def test_rounding_is_of_the_finished_deal() -> None:
    rules = Rules.preset(players=5, score_rounding=10, misere=True)
    assert shared(rules, 33, 1, 4) == [-30, 60, -30, -30, 30]
    assert shared(rules, 33, 1, 4, misere=(0,)) == [10, 50, -40, -40, 20]
    assert shared(Rules.preset(game="mort", score_rounding=10), 33, 1, dealer=3)[3] == 0


@pytest.mark.parametrize(
    ("slam", "announced", "small", "small_announced", "bonus"),
    [
        (0, 0, 1, 0, 150),
        (0, 0, 1, 1, 300),
        (0, 0, 0, 1, -150),
        (1, 0, 1, 0, 200),
        (1, 0, 1, 1, 300),
        (1, 1, 1, 0, 400),
        (0, 1, 1, 0, -200),
        (-1, 0, 0, 1, -350),
    ],
)
def test_petit_chelem_or_slam_never_both(
    slam: int, announced: int, small: int, small_announced: int, bonus: int
) -> None:
    rules = Rules.preset(petit_chelem=True)
    told = {"petit_chelem": small, "petit_chelem_announced": small_announced}
    with_bonus = paid("garde", 82, 2, rules, slam=slam, slam_announced=announced, **told)
    assert with_bonus - paid("garde", 82, 2) == bonus


def test_without_the_house_rule_a_petit_chelem_is_nothing() -> None:
    assert paid("garde", 82, 2, petit_chelem=1) == 50


def test_contra_multiplies_the_contract_only() -> None:
    six = Rules.preset("jeu-de-tarot", players=6)
    for contra, times in ((0, 1), (1, 2), (2, 4)):
        assert paid("garde", 98, 2, six, contra=contra) == 66 * times
        bonuses = {"poignee_points": 20, "slam": -1, "petit_au_bout": 1}
        assert paid("garde", 98, 2, six, contra=contra, **bonuses) == 86 * times + 20 - 200
    signal = Rules.preset("jeu-de-tarot", players=6, contra_effect="signal")
    assert paid("garde", 98, 2, signal, contra=2) == 66


def test_half_points_of_three_players() -> None:
    """35: 40.5 with two oudlers fails by 1, 41.5 is made by 1."""
    three = Rules.preset(players=3)
    assert paid("petite", 81, 2, three) == -26
    assert paid("petite", 83, 2, three) == 26
    sides = Sides(np.array([2]), np.array([-1]), np.ones((1, 3), bool))
    assert deal_half_scores(np.array([-52]), sides, three).tolist() == [[52, 52, -104]]


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
