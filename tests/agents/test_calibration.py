"""The fit of the estimates: regressions, samples, the file."""

import tomllib

import numpy as np
import pytest
from support.every_game import rules_of

from agents.hand_strength import trump_length
from agents.heuristic import HeuristicAgent
from agents.heuristic import calibration as calibration_module
from agents.heuristic.announcement_fits import (
    deals_with_trumps,
    fit_poignee,
    poignee_samples,
    slam_samples,
)
from agents.heuristic.calibration import (
    FITTED,
    auction_samples,
    auction_tables,
    calibrate,
    main,
    with_game,
)
from agents.heuristic.estimates import OTHER_CALLS, SITUATION, parse
from agents.heuristic.fitting import FEWEST, least_squares, logistic_regression, without_rare
from tarot_env.cards import cardsets
from tarot_env.cards.actions import GARDE, GARDE_CONTRE, PASS, Bid
from tarot_env.errors import UnknownName

FOUR = rules_of("4")


def test_least_squares_finds_planted_weights():
    rng = np.random.default_rng(0)
    x = np.concatenate([np.ones((4000, 1)), rng.normal(3, 2, (4000, 3))], 1)
    y = x @ [5.0, -2.0, 0.0, 1.5] + rng.normal(0, 1, 4000)
    assert least_squares(x, y) == pytest.approx([5, -2, 0, 1.5], abs=0.15)


def test_a_feature_that_is_hardly_ever_there_has_no_weight():
    rng = np.random.default_rng(3)
    x = np.ones((2000, 3))
    x[:, 1] = rng.normal(size=2000)
    for number, is_told in ((FEWEST - 1, False), (FEWEST, True)):
        x[:, 2] = np.arange(2000) < number
        found = least_squares(without_rare(x), 5 + 2 * x[:, 1] + 40 * x[:, 2])
        assert (found[2] > 20) == is_told
        assert found[2] == 0 or is_told


def test_least_squares_shares_between_equal_columns_and_drops_empty_ones():
    rng = np.random.default_rng(1)
    column = rng.normal(0, 1, 500)
    x = np.stack([np.ones(500), column, column, np.zeros(500)], 1)
    assert least_squares(x, 4 * column) == pytest.approx([0, 2, 2, 0], abs=0.05)


def test_logistic_regression_finds_planted_log_odds():
    rng = np.random.default_rng(2)
    x = np.stack([np.ones(20000), rng.normal(1, 2, 20000)], 1)
    y = rng.random(20000) < 1 / (1 + np.exp(-(x @ [-1.0, 0.8])))
    assert logistic_regression(x, y) == pytest.approx([-1, 0.8], abs=0.08)


def test_logistic_regression_of_what_never_fails_stays_finite():
    x = np.stack([np.ones(50), np.arange(50.0)], 1)
    assert np.isfinite(logistic_regression(x, np.ones(50, bool))).all()
    assert np.isfinite(logistic_regression(x, np.arange(50) > 25)).all()


# -- samples


def test_every_call_is_tried_on_the_same_deals():
    samples = auction_samples(FOUR, HeuristicAgent(bid="pass"), deals=120, seed=5)
    passes, gardes, contres = (samples[a] for a in (PASS, GARDE, GARDE_CONTRE))
    assert (passes.features == gardes.features).all()
    assert gardes.plays.all(), "nobody bids over it"
    assert (passes.score == 0).all(), "nobody takes"
    assert not passes.plays.any()
    assert len(contres.score) < len(gardes.score)
    speaking = gardes.features[:, SITUATION.index("to_speak")]
    assert np.bincount(speaking.astype(int)).tolist() == pytest.approx([30] * 4, abs=2)
    made = gardes.margin >= 0
    assert (np.sign(gardes.score) == np.where(made, 1, -1)).mean() > 0.95


def test_the_others_answer_a_bid():
    samples = auction_samples(FOUR, HeuristicAgent(bid="scale"), deals=200, seed=6)
    passes = samples[PASS]
    assert set(passes.kind.tolist()) == {0, 1}
    assert (passes.times[passes.kind == 1] > 0).all()
    assert (passes.score != 0).mean() > 0.15
    assert 0 < samples[GARDE].plays.mean() <= 1


@pytest.mark.slow
def test_a_small_fit_makes_sense(monkeypatch):
    """Three defenders pay; a king is worth some points; more margin, more made."""
    monkeypatch.setattr(calibration_module, "FEWEST", 10)
    estimates = calibrate(FOUR, deals=300, seed=7)
    garde = estimates.contracts[Bid.GARDE]
    named = dict(zip(SITUATION, garde.margin, strict=True))
    assert garde.score[0] == pytest.approx(3, abs=0.5)
    assert 2 < named["kings"] < 8
    assert garde.chance[1] > 0.05
    assert set(estimates.others) == set(OTHER_CALLS[:2])
    text = auction_tables("4", estimates)
    read = parse(tomllib.loads(text)["4"])
    assert read.contracts[Bid.GARDE].margin == pytest.approx(garde.margin, abs=6e-4, rel=1e-3)
    assert read.contracts[Bid.PETITE].margin is read.contracts[Bid.GARDE].margin
    assert read.others["open"].worth == pytest.approx(
        estimates.others["open"].worth, abs=6e-4, rel=1e-3
    )


# -- deals made for announcements


@pytest.mark.parametrize("game", ["3", "5", "6"])
def test_deals_with_trumps(game):
    rules = rules_of(game)
    rng = np.random.default_rng(3)
    tables, rows = deals_with_trumps(rules, 400, (8, 10), rng)
    trumps = trump_length(tables.columns.hands[:, 0])
    assert np.bincount(trumps, minlength=12)[8:11].tolist() == pytest.approx([133] * 3, abs=35)
    assert len(rows) > 350
    packs = np.sort(tables.columns.pack, axis=1)
    assert (packs == np.arange(78)).all()
    kings = tables.columns.hands[:, 0]
    forward, _ = deals_with_trumps(rules, 400, (8, 10), np.random.default_rng(3), honours=0.4)
    many = cardsets.count(forward.columns.hands[:, 0] & cardsets.KINGS).mean()
    assert many > cardsets.count(kings & cardsets.KINGS).mean() + 0.1


@pytest.mark.slow
def test_slams_come_with_trumps_and_without_losers():
    features, made = slam_samples(FOUR, HeuristicAgent(), deals=500, seed=8)
    assert len(features) > 480
    assert 0.01 < made.mean() < 0.4
    losers = features[:, 5]
    assert losers[made].mean() < losers[~made].mean() - 2


@pytest.mark.slow
def test_poignees_of_takers_and_of_defenders():
    samples = poignee_samples(FOUR, HeuristicAgent(), deals=150, seed=9)
    taker = samples.role == 0
    assert 50 < taker.sum() <= 75
    assert (samples.role[~taker] == 2).all()
    assert samples.wins[taker].mean() > 0.6
    assert set(samples.bonus.tolist()) <= {20, 30, 40}
    won = taker & samples.wins
    assert np.median(samples.gain[won] / samples.bonus[won]) == 3, "three pay, in each case"
    fitted = fit_poignee(FOUR, HeuristicAgent().estimates, deals=60, seed=9)
    assert fitted == {}, "too few"


# -- the file


def test_tables_of_a_game_take_the_place_of_those_it_had():
    four, three = "[4.garde]\nchance = [1, 2]\n\n[4.garde.margin]\none = 3\n", "[3.slam]\none = 1\n"
    text = with_game(with_game("", "4", four), "3", three)
    assert tomllib.loads(text) == {
        "3": {"slam": {"one": 1}},
        "4": {"garde": {"chance": [1, 2], "margin": {"one": 3}}},
    }
    assert text.startswith("# What bids")
    again = with_game(text, "4", "[4.open]\none = 5\n")
    assert tomllib.loads(again) == {"3": {"slam": {"one": 1}}, "4": {"open": {"one": 5}}}
    assert text.index("[3.slam]") < text.index("[4.garde]")


def test_one_command_writes_the_file(tmp_path, monkeypatch, capsys):
    file = tmp_path / "estimates.toml"
    monkeypatch.setattr(calibration_module, "FILE", file)
    monkeypatch.setattr(calibration_module, "DEALS", 200)
    monkeypatch.setattr(calibration_module, "RARE_DEALS", 60)
    main(["dummy"])
    assert "dummy" in capsys.readouterr().out
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    assert set(table) == {"dummy"}
    assert Bid.GARDE in parse(table["dummy"]).contracts


def test_unknown_games_are_refused():
    with pytest.raises(UnknownName, match="did you mean 'tirette'"):
        main(["tiret"])
    assert "mort" not in FITTED
