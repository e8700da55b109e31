"""Tournaments whose unit is a match: lengths, totals, winners, intervals over matches."""

import csv
import json

import numpy as np
import pytest

from tarot_env.rules import Rules
from training.report import report
from training.tournament import run_tournament
from training.tournament.simulate import simulate_matches

PASSES = "heuristic:bid=pass"


def totals(games):
    """Points of each seat at the end of each match, [s, m, p]."""
    matches = np.unique(games.units)
    return np.stack([games.half_scores[:, games.units == m].sum(1) / 2 for m in matches], 1)


def test_identical_deterministic_bots_draw_every_match():
    result = run_tournament(["heuristic", "heuristic"], matches=5, deals=3)
    (pair,) = result.pairs
    assert (pair.match.points, pair.match.ci95) == (0.0, (0.0, 0.0))
    assert (pair.ppd, pair.ci95) == (0.0, (0.0, 0.0))
    assert pair.match.wins == pytest.approx(0.25)
    assert (result.games["heuristic", "heuristic"].half_scores != 0).any()


@pytest.mark.parametrize(
    ("a", "rules"),
    [
        (PASSES, Rules.preset("fft", match_target=150)),
        (PASSES, Rules.preset("online")),
        ("heuristic", Rules.preset("fft", game="mort", match_deals=3)),
        (PASSES, Rules.preset("jeu-de-tarot", players=6, match_deals=2)),
    ],
    ids=["target", "online", "mort", "six"],
)
def test_every_seat_plays_the_matches_that_simulate_plays(tmp_path, a, rules):
    b = "heuristic"
    games = run_tournament([a, b], matches=2, seed=11, rules=rules, about=a).games
    found = totals(games[a, b])
    number = len(found)
    for seating in range(number):
        agents = [a if seat % number == seating else b for seat in range(rules.players)]
        file = tmp_path / f"{seating}.jsonl"
        played = simulate_matches(agents, matches=2, seed=11, rules=rules, out=file)
        assert found[seating].tolist() == [match.totals.tolist() for match in played]
        dealt = (games[a, b].dealer[seating] >= 0).sum()
        assert dealt == len(file.read_text().splitlines())


def test_points_and_wins_are_those_of_the_totals():
    rules = Rules.preset("fft", match_target=200)
    result = run_tournament(["heuristic", PASSES], matches=6, seed=12, rules=rules)
    pair, games = result.pair(PASSES, "heuristic"), result.games[PASSES, "heuristic"]
    final = totals(games)
    own = np.stack([final[seat, :, seat] for seat in range(4)])
    wins = own == final.max(2)
    shared = (final == final.max(2, keepdims=True)).sum(2)
    assert (final.max(2) >= 200).all()
    assert pair.match.points == pytest.approx(own.mean())
    assert pair.match.wins == pytest.approx((wins / shared).mean())
    dealt = (games.dealer >= 0).sum()
    assert pair.match.deals == pytest.approx(dealt / 24)
    assert pair.ppd == pytest.approx(own.sum() / dealt)
    low, high = pair.match.ci95
    half = 2.5706 * own.mean(0).std(ddof=1) / np.sqrt(6)  # Student's t, five degrees of freedom
    assert (high - low) / 2 == pytest.approx(half, rel=1e-4)
    assert pair.deals == result.matches == 6
    ends = [games.dealer[seat, games.units == 0] >= 0 for seat in range(4)]
    assert len({int(end.sum()) for end in ends}) > 1, "matches of one length show nothing"


def test_a_stopped_tournament_of_matches_goes_on_to_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr("training.tournament.tournament.BLOCK_UNITS", 2)
    options = {"agents": ["random", PASSES], "matches": 3, "deals": 2, "seed": 13}
    whole = run_tournament(**options, out=tmp_path / "a")
    run_tournament(**options, out=tmp_path / "b")
    (tmp_path / "b" / "blocks" / "000001.npz").unlink()
    run_tournament(**options, out=tmp_path / "b", jobs=2)
    for name in ("results.json", "deals.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    saved = json.loads((tmp_path / "a" / "results.json").read_text())
    assert (saved["matches"], saved["deals"]) == (3, 2)
    with (tmp_path / "a" / "deals.csv").open() as file:
        rows = list(csv.DictReader(file))
    for number, match in enumerate(totals(whole.games[PASSES, "random"]).swapaxes(0, 1)):
        for seating, by_seat in enumerate(match):
            of = (PASSES, "random", str(number), str(seating))
            mine = [r for r in rows if (r["a"], r["b"], r["match"], r["seating"]) == of]
            deals = {int(row["deal"]) for row in mine}
            assert deals == set(range(len(deals)))
            score = sum(float(row["score"]) for row in mine if row["seat"] == "0")
            assert score == by_seat[0]
    page = next(f for f in report(tmp_path / "a") if f.name == "report.html").read_text()
    assert "3 matches of seed 13" in page
    assert "clustered by match" in page
    assert "points per match" in page
