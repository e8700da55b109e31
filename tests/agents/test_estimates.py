"""What calls are expected to score: features, formula, the fitted table, the worked hands."""

import tomllib

import numpy as np
import pytest
from support.constructed import cards, say, table_of
from support.every_game import GAMES, rules_of

from agents.heuristic import HeuristicAgent
from agents.heuristic import estimates as estimates_module
from agents.heuristic.bidding import bid
from agents.heuristic.estimates import (
    FILE,
    OTHER_CALLS,
    SITUATION,
    Contract,
    Estimates,
    estimates_of,
    expected_scores,
    making_chances,
    payment,
    weights,
)
from agents.heuristic.features import (
    AUCTION,
    HAND,
    SLAM,
    auction_features,
    hand_features,
    slam_features,
)
from tarot_env import Phase, Rules, Tables
from tarot_env.cards.actions import (
    CONTRA,
    GARDE,
    GARDE_CONTRE,
    GARDE_SANS,
    NUM_ACTIONS,
    PASS,
    PETITE,
    POUSSE,
    RECONTRA,
    Bid,
)
from tarot_env.errors import TarotError
from tarot_env.rules.books import TWO_PLAYERS

WORKED_60 = "T21 T19 T12 T6 T1 EX SK SN S10 S8 S1 HJ H8 DQ DN D7 C6 C4"
WORKED_34 = "T20 T18 T14 T13 T9 T8 T6 SK S10 S5 S4 HK HQ D8 D7 C8 C7 C5"


def as_dict(names, row):
    return {name: float(value) for name, value in zip(names, row, strict=True) if value}


# -- features


def test_features_of_the_worked_hands():
    strong, weak = hand_features(np.stack([cards(WORKED_60), cards(WORKED_34)]))
    assert as_dict(HAND, strong) == {
        "one": 1, "trumps": 6, "trumps_squared": 36, "twenty_one": 1, "excuse": 1, "petit": 1,
        "petit_trumps": 6, "majors": 1, "kings": 1, "queens": 1, "knights": 2, "jacks": 1,
        "long_suits": 1,
    }  # fmt: skip
    assert as_dict(HAND, weak) == {
        "one": 1, "trumps": 7, "trumps_squared": 49, "majors": 2, "kings": 2, "marriages": 1,
    }  # fmt: skip


def test_features_of_short_suits():
    hand = cards("T21 T20 T19 T18 T17 T16 T15 T14 T3 T2 EX S1 S2 S3 S4 S5 S6 DK")[None]
    found = as_dict(HAND, hand_features(hand)[0])
    assert {key: found[key] for key in ("majors", "long_suits", "voids", "singletons")} == {
        "majors": 5, "long_suits": 2, "voids": 2, "singletons": 1,
    }  # fmt: skip
    assert as_dict(SLAM, slam_features(hand)[0]) == {
        "one": 1, "trumps": 11, "top_trumps": 8, "not_drawn": 2, "excuse": 1, "losers": 6,
        "losers_squared": 36, "voids": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("game", "said", "heard"),
    [
        ("4", "", {"to_speak": 3}),
        ("4", "pass petite", {"passed": 1, "to_speak": 1, "petite": 1}),
        ("4", "pass pass garde_sans", {"passed": 2, "garde": 1, "garde_sans": 1}),
        ("mort", "pass", {"passed": 1, "to_speak": 2}),
        ("tirette", "garde", {"garde": 1}),
        ("6", "", {"to_speak": 5}),
        ("6", "petite pass pousse", {"passed": 1, "to_speak": 4, "partner_signals": 1,
                                     "others_signal": 1}),
        ("6", "garde pass", {"passed": 1, "to_speak": 3, "garde": 1}),
        ("6", "garde pass pass", {"passed": 2, "to_speak": 2, "garde": 1, "own_side": 1}),
    ],
)  # fmt: skip
def test_features_of_the_auction(game, said, heard):
    turn = say(table_of(game), said).turn()
    assert as_dict(AUCTION, auction_features(turn)[0]) == heard


def test_who_may_speak_again():
    rules = Rules.preset("wikipedia", auction="until_passed")
    turn = say(table_of("4", rules=rules), "petite pass garde").turn()
    assert as_dict(AUCTION, auction_features(turn)[0]) == {"passed": 1, "to_speak": 1, "garde": 1}


# -- the formula


def test_what_defenders_pay_on_average():
    """At even chances the 25 points cancel out; made for sure, they are paid in full."""
    features = np.zeros((2, len(SITUATION)), np.float32)
    features[:, 0] = 1
    features[1, SITUATION.index("kings")] = 1
    margin = weights({"one": 4, "kings": 6}, SITUATION)
    even = Contract(margin, np.array([0.0, 0.0]), np.zeros(4))
    sure = Contract(margin, np.array([30.0, 0.0]), np.zeros(4))
    assert payment(features, even, 2).tolist() == [8, 20]
    assert payment(features, sure, 4) == pytest.approx([4 * 29, 4 * 35])


def test_who_may_still_speak_changes_the_score():
    worth = Contract(weights({"one": 10}, SITUATION), np.zeros(2), np.array([3, 0.5, 7, -2]))
    estimates = Estimates({Bid.GARDE: worth}, {})
    first, last = table_of("4").turn(), say(table_of("4"), "pass pass pass").turn()
    assert expected_scores(first, estimates)[0, GARDE] == (3 + 3 * 0.5) * 20 + 7 - 3 * 2
    assert expected_scores(last, estimates)[0, GARDE] == 3 * 20 + 7


def test_multipliers_of_the_rules_count():
    rules = Rules.preset(multipliers=(1, 4, 5, 7))
    usual, dear = (
        expected_scores(table_of("4", {0: WORKED_60}, rules=r).turn())[0]
        for r in (Rules.preset(), rules)
    )
    assert dear[GARDE] > 1.9 * usual[GARDE] > 0
    assert dear[PETITE] == usual[PETITE]


# -- the calls


@pytest.mark.parametrize("game", GAMES)
def test_scores_of_legal_calls_and_of_nothing_else(game):
    tables = Tables(rules_of(game), 40, seed=1_000_021)
    asked = 0
    for _ in range(6):
        rows = np.flatnonzero(tables.phase == Phase.AUCTION)
        if not len(rows):
            break
        turn = tables.turn(rows)
        scores = expected_scores(turn)
        assert scores.shape == (len(rows), NUM_ACTIONS)
        assert scores.dtype == np.float32
        calls = turn.legal_mask.copy()
        if game == "6":  # a signal is nothing to contra
            signal = turn.contract < Bid.GARDE
            calls[signal, CONTRA] = calls[signal, RECONTRA] = False
        assert (np.isfinite(scores) == calls).all()
        alone = np.concatenate([expected_scores(turn.take([row])) for row in range(len(rows))])
        assert np.array_equal(alone, scores, equal_nan=True)
        asked += len(rows)
        tables.step(bid(turn), rows)
    assert asked > 40


@pytest.mark.parametrize("game", GAMES)
def test_the_file_has_every_game(game):
    estimates = estimates_of(game)
    assert {Bid.GARDE, Bid.GARDE_SANS, Bid.GARDE_CONTRE} <= set(estimates.contracts)
    assert (Bid.PETITE in estimates.contracts) == (game != "6")
    known = OTHER_CALLS if game == "6" else OTHER_CALLS[:2]
    assert set(estimates.others) == set(known)
    for played, contract in estimates.contracts.items():
        if game in TWO_PLAYERS and played < Bid.GARDE_SANS:
            continue  # hardly ever played: the other bids more
        assert contract.chance[1] > 0, "a greater margin is made more often"
        features = dict(zip(SITUATION, contract.margin, strict=True))
        assert min(features["twenty_one"], features["excuse"], features["kings"]) > 1


def test_the_file_has_no_other_game():
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    assert set(table) == set(GAMES) - {"mort"}


def test_unknown_features_are_refused():
    assert weights({"kings": 6}, HAND).tolist() == [6.0 * (name == "kings") for name in HAND]
    with pytest.raises(TarotError, match=r"^estimates.toml: unknown feature 'aces'$"):
        weights({"one": 4, "kinks": 6, "aces": 1}, HAND)


@pytest.mark.parametrize("text", [None, "", "[4", "[4]\ngarde = 3"])
def test_a_damaged_file_is_told_in_a_sentence(text, tmp_path, monkeypatch):
    file = tmp_path / "estimates.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(estimates_module, "FILE", file)
    with pytest.raises(
        TarotError, match=r"^estimates.toml of the heuristic cannot be read .*again$"
    ):
        estimates_of.__wrapped__("4")


def test_a_dead_hand_changes_no_estimate():
    four, dead = estimates_of("4"), estimates_of("mort")
    assert all((four.contracts[b].margin == dead.contracts[b].margin).all() for b in dead.contracts)


@pytest.mark.parametrize(("hand", "said"), [(WORKED_60, GARDE), (WORKED_34, PASS)])
def test_the_worked_hands(hand, said):
    """RULES.md 17.1: 60 points are a garde, 34 a pass."""
    turn = table_of("4", {0: hand}).turn()
    assert bid(turn).tolist() == [said]
    chance = float(making_chances(turn, Bid.GARDE)[0])
    assert chance > 0.75 if said == GARDE else chance < 0.3


def test_nothing_is_lost_by_the_fourth_pass():
    tables = say(table_of("4", {3: WORKED_34}), "pass pass pass")
    assert expected_scores(tables.turn())[0, PASS] == 0
    assert expected_scores(table_of("4", {0: WORKED_34}).turn())[0, PASS] < 0


def test_a_garde_of_another_makes_a_garde_sans_harder():
    hand = "T21 T20 T15 T9 T8 T7 EX SK SQ S4 HK HQ H3 D7 D4 C5 C4 C2"
    chances = [
        float(making_chances(say(table_of("4", {1: hand}), said).turn(), Bid.GARDE_SANS)[0])
        for said in ("pass", "garde")
    ]
    assert chances[1] < chances[0] - 0.02


def test_a_signal_counts_as_a_pass_and_is_nothing_to_contra():
    scores = expected_scores(table_of("6").turn())[0]
    assert scores[PETITE] == scores[POUSSE] == scores[PASS]
    signalled = say(table_of("6"), "petite").turn()
    assert signalled.legal_mask[0, CONTRA]
    assert np.isnan(expected_scores(signalled)[0, CONTRA])
    assert np.isfinite(expected_scores(say(table_of("6"), "garde").turn())[0, CONTRA])


def test_what_is_no_auction_has_no_estimate():
    played = table_of("4", forced=(0, "garde_sans")).turn()
    assert played.phase[0] != Phase.AUCTION
    assert np.isnan(expected_scores(played)).all()


def test_the_call_with_the_highest_score_is_made():
    worth = {b: Contract(weights({}, SITUATION), np.zeros(2), np.zeros(4)) for b in (1, 3, 4, 5)}
    for best in (Bid.PETITE, Bid.GARDE_SANS):
        high = worth[best]._replace(score=np.array([0, 0, 5, 0]))
        estimates = Estimates({Bid(b): c for b, c in (worth | {best: high}).items()}, {})
        turn = table_of("4").turn()
        assert HeuristicAgent(estimates=estimates).act(turn, np.random.default_rng()) == PASS + best
    equal = Estimates({Bid(b): c for b, c in worth.items()}, {})
    assert bid(table_of("4").turn(), equal).tolist() == [PASS], "equal to a pass is a pass"


def test_bids_of_a_batch_are_those_of_its_rows():
    tables = Tables(Rules.preset(), 200, seed=1_000_023)
    turn = tables.turn(np.flatnonzero(~tables.is_over))
    together = bid(turn)
    assert len(np.unique(together)) >= 3
    assert (np.concatenate([bid(turn.take([row])) for row in range(len(turn))]) == together).all()


def test_higher_bids_are_heard():
    giant = "T21 T20 T19 T18 T17 T16 T10 T9 T8 T1 EX SK SQ SN SJ HK DK CK"
    tables = say(table_of("4", {1: giant}), "garde_sans")
    assert bid(tables.turn()).tolist() == [GARDE_CONTRE]
    middling = say(table_of("4", {1: WORKED_60}), "garde")
    scores = expected_scores(middling.turn())[0]
    assert np.isnan(scores[GARDE])
    assert scores[GARDE_SANS] < scores[PASS]


# -- six players


def without(game, *bids):
    """The estimates of a game with some contracts that are worth nothing."""
    estimates = estimates_of(game)
    nothing = np.array([0.0, 0.0, -1e4, 0.0])
    worthless = {bid: estimates.contracts[bid]._replace(score=nothing) for bid in bids}
    return estimates._replace(contracts={**estimates.contracts, **worthless})


def test_a_partners_signal_makes_the_hand_worth_more():
    hand = "T19 T15 T8 T7 T5 SK SQ S4 HK H4 D5 C4"
    garde = [
        expected_scores(say(table_of("6", {3: hand}), said).turn())[0, GARDE]
        for said in ("petite pass pass", "pass pass pass", "pass petite pass")
    ]
    assert garde[0] > garde[1] + 10 > garde[2] + 10


def test_contra_by_a_hand_that_beats_the_contract_and_by_no_other():
    strong = "T20 T19 T18 T17 T16 T3 SK SQ HK HQ DK D7"
    weak = "T2 T4 S4 S5 S6 H4 H5 H6 D4 D5 C4 C5"
    no_higher = without("6", Bid.GARDE_SANS, Bid.GARDE_CONTRE)
    tables = say(table_of("6", {0: weak, 1: strong}), "garde")
    assert bid(tables.turn(), no_higher).tolist() == [CONTRA]
    assert bid(say(tables, "contra pass").turn(), no_higher).tolist() == [PASS]
    other = say(table_of("6", {0: strong, 1: weak}), "garde")
    assert bid(other.turn(), no_higher).tolist() == [PASS]


def test_only_a_taker_that_is_all_but_sure_recontras():
    giant = "T21 T20 T19 T18 T17 T16 T15 EX T1 SK HK DK"
    good = "T21 T18 T9 T8 T7 SK SQ HQ H4 DK D4 C5"
    for hand, called in ((giant, RECONTRA), (good, PASS)):
        turn = say(table_of("6", {0: hand}), "garde contra pass pass pass pass").turn()
        scores = expected_scores(turn)[0]
        assert scores[RECONTRA] > scores[PASS], "it doubles a gain"
        assert bid(turn).tolist() == [called]
