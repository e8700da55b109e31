"""The referee's scores from bare facts (RULES.md 11, 15.3)."""

from typing import Any

import pytest
from reference import score_deal
from reference.by_hand import cases


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


@pytest.mark.parametrize("case", cases("scoring_other_games"))
def test_worked_scores_of_other_games(case: dict[str, Any]) -> None:
    scores = score_deal(
        players=case["players"],
        bid=case["bid"],
        taker=case["taker"],
        partner=case["partner"],
        oudlers=case["oudlers"],
        attack_half=int(2 * case["points"]),
        poignees=[shown["level"] for shown in case["poignees"]],
        petit_au_bout=case["petit_au_bout"],
        slam_announced=case["slam_announced"],
        slam=case["slam"],
        miseres=case["miseres"],
        options={"misere": True},
    )
    assert scores == [2 * points for points in case["scores"]]


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
