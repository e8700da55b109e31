"""The checks for users, and the shuffle of hidden cards: they pass what is right, and can fail."""

from dataclasses import replace

import numpy as np
import pytest

from tarot_env import Deal, Phase, Rules, Tables, TarotError, cardsets, turn
from tarot_env.agent import UniformAgent
from tarot_env.phases import trick
from tarot_env.records import check_batch, record
from tarot_env.testing import (
    CheckFailed,
    check_agent,
    check_rules,
    shuffle_hidden,
    turn_differences,
)

RULES = Rules.preset()
LONG_TRUMPS = Rules.preset(poignee_thresholds=(5, 6, 7))


class Highest:
    name = "highest"

    def act(self, turn, rng):
        return cardsets.highest(turn.legal).astype(np.int64)


class Uniform:
    name = "uniform"

    def act(self, turn, rng):
        return cardsets.random_member(turn.legal, rng)


@pytest.mark.parametrize("agent", [Highest(), Uniform()])
def test_good_agents_pass(agent):
    check_agent(agent, LONG_TRUMPS, deals=12)


class Illegal(Highest):
    def act(self, turn, rng):
        return np.where(turn.trick_number > 3, 77, super().act(turn, rng))


class OutOfRange(Highest):
    def act(self, turn, rng):
        return super().act(turn, rng) + 100


class Floats(Highest):
    def act(self, turn, rng):
        return super().act(turn, rng).astype(float)


class Short(Highest):
    def act(self, turn, rng):
        return super().act(turn, rng)[1:]


class FailsOnNothing(Highest):
    def act(self, turn, rng):
        return np.array([int(cardsets.highest(turn.legal)[0])] * len(turn))


class Writes(Highest):
    def act(self, turn, rng):
        actions = super().act(turn, rng)
        turn.history[:, 0, 1] = 3
        return actions


class OwnRandomness(Uniform):
    def __init__(self):
        self.rng = np.random.default_rng(0)

    def act(self, turn, rng):
        return super().act(turn, self.rng)


class SeesTheBatch(Highest):
    def act(self, turn, rng):
        rank = np.arange(len(turn)) % cardsets.count(turn.legal)
        return cardsets.kth(turn.legal, rank).astype(np.int64)


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (Illegal(), "legal:"),
        (OutOfRange(), "legal:"),
        (Floats(), "whole numbers"),
        (Short(), "whole numbers"),
        (Writes(), "writes to the turn"),
        (OwnRandomness(), "same generator"),
        (SeesTheBatch(), "beside other rows"),
    ],
)
def test_bad_agents_are_caught(agent, message):
    with pytest.raises(CheckFailed, match=message):
        check_agent(agent, RULES, deals=8)


def test_an_agent_that_fails_on_an_empty_batch_is_caught():
    with pytest.raises(CheckFailed, match=r"raised IndexError.*an empty batch"):
        check_agent(FailsOnNothing(), RULES, deals=4)


def test_an_agent_that_sees_hidden_cards_is_caught(monkeypatch):
    def leaky(state, rows, viewers, legal, rules):
        seen = turn_of(state, rows, viewers, legal, rules)
        return replace(seen, played=state.hands[rows])

    class Peeks(Highest):
        def act(self, turn, rng):
            hidden = cardsets.half_points(turn.played).sum(1) + turn.played[:, 0, 0] % np.uint64(7)
            rank = hidden.astype(np.int64) % cardsets.count(turn.legal)
            return cardsets.kth(turn.legal, rank).astype(np.int64)

    turn_of = turn.make_turn
    monkeypatch.setattr(turn, "make_turn", leaky)
    with pytest.raises(CheckFailed, match="cannot see"):
        check_agent(Peeks(), RULES, deals=8)


@pytest.mark.parametrize(
    "rules", [RULES, LONG_TRUMPS, Rules.preset(excuse_last_trick="owner_keeps", with_petite=False)]
)
def test_rules_pass(rules):
    check_rules(rules, deals=32)


def test_broken_play_is_caught(monkeypatch):
    worth = trick._COUNTS_IN_TRICK.copy()
    worth[13] = 8
    monkeypatch.setattr(trick, "_COUNTS_IN_TRICK", worth)
    with pytest.raises(CheckFailed, match=r"91 points.*seed=0 id="):
        check_rules(RULES, deals=8)


def test_a_lost_card_is_caught(monkeypatch):
    def forgetful(state, rows, seat, kind, rank):
        state.played[rows, seat] &= ~cardsets.PETIT

    monkeypatch.setattr(trick, "_reveal", forgetful)
    with pytest.raises(CheckFailed, match="two places or none"):
        check_rules(RULES, deals=8)


# -- the shuffle


def sampled(rules, seed, *, num_tables=24, every=11, early=16):
    """Tables at many points of random deals, with all viewers."""
    tables, rng = Tables(rules, num_tables, seed=seed), np.random.default_rng(seed)
    rows, step = np.arange(num_tables), 0
    while True:
        if step % every == 0 or step < early:
            for seat in range(rules.players):
                viewers = np.full(num_tables, seat)
                yield tables, rows, viewers, shuffle_hidden(tables, rows, viewers, rng)
        if tables.is_over.all():
            return
        tables.step(tables.random_actions(rng))
        step += 1


def test_the_viewer_sees_no_difference_in_any_phase():
    pairs = set()
    for tables, rows, viewers, other in sampled(LONG_TRUMPS, 3):
        differences = turn_differences(tables.turn(rows, viewers), other.turn(rows, viewers))
        assert not differences, differences
        pairs |= set(zip(tables.phase.tolist(), other.phase.tolist(), strict=True))
    phases = {first for first, _ in pairs}
    assert phases == {1, 4, 5, 7, 8, 9, 10}
    secret = {Phase.POIGNEE, Phase.WITHHOLD, Phase.PLAY}
    assert {(a, b) for a in secret for b in secret} <= pairs


def test_shuffled_tables_are_true_tables():
    rng = np.random.default_rng(0)
    moved = total = 0
    for tables, rows, _, other in sampled(LONG_TRUMPS, 5, num_tables=12, every=13, early=0):
        live = ~tables.is_over
        moved += (tables.state.hands != other.state.hands).any((1, 2))[live].sum()
        total += live.sum()
        while not other.is_over.all():
            other.step(other.random_actions(rng))
        problems = check_batch([record(other, row) for row in rows])
        assert problems == [None] * len(rows)
    assert moved > 0.9 * total


def test_original_tables_are_untouched():
    tables = Tables(RULES, 5, seed=1)
    before = {name: array.copy() for name, array in tables.state.arrays().items()}
    shuffle_hidden(tables, np.arange(5), np.zeros(5, int), np.random.default_rng(0))
    assert all(np.array_equal(before[name], a) for name, a in tables.state.arrays().items())


def test_every_hidden_card_can_go_everywhere_in_the_auction():
    tables = Tables(RULES, 1, seed=1)
    rows = np.zeros(400, int)
    other = shuffle_hidden(tables, rows, np.full(400, 2), np.random.default_rng(0))
    places = [other.state.hands[:, seat] for seat in (0, 1, 3)] + [other.state.chien]
    own = cardsets.to_ids(tables.state.hands[0, 2])
    shares = np.array([cardsets.to_mask(place)[:, :78].mean(0) for place in places])
    hidden = np.setdiff1d(np.arange(78), own)
    assert np.allclose(shares[:3, hidden], 18 / 60, atol=0.12)
    assert np.allclose(shares[3, hidden], 6 / 60, atol=0.08)
    assert (other.state.hands[:, 2] == tables.state.hands[0, 2]).all()


def test_a_lone_petit_stays_what_it_was():
    tables = Tables(RULES, 1, seed=7, first_deal=434)
    rows = np.zeros(20, int)
    other = shuffle_hidden(tables, rows, np.full(20, 1), np.random.default_rng(0))
    assert other.is_over.all()
    assert not (other.state.hands == tables.state.hands).all()


def test_the_chien_of_a_garde_stays_and_its_kings_stay_with_the_taker():
    rules = RULES
    base = Deal.from_seed(5, 0, rules)
    chien = (13, 27, 76, 0, 1, 2)
    rest = [card for card in base.pack if card not in chien]
    hands = tuple(tuple(rest[18 * n : 18 * n + 18]) for n in range(4))
    tables = Tables.from_deals(rules, [Deal(hands, chien, 0)])
    tables.force(np.array([0]), 3, 3)
    for card in (0, 1, 2):
        tables.step(np.array([card]))
    rows = np.zeros(200, int)
    other = shuffle_hidden(tables, rows, np.zeros(200, int), np.random.default_rng(0))
    assert (other.state.chien == tables.state.chien[0]).all()
    for card in (13, 27, 76):
        assert cardsets.contains(other.state.hands[:, 3], np.full(200, card)).all()
    for card in (0, 1, 2):
        held = cardsets.contains(other.state.hands[:, 3], np.full(200, card))
        aside = cardsets.contains(other.state.ecart[:, 0], np.full(200, card))
        assert (held ^ aside).all()
        assert 0 < held.sum() < 200


def test_voids_and_bounds_are_kept():
    for tables, _, viewers, other in sampled(RULES, 8, num_tables=20, every=12, early=0):
        for seat in range(4):
            for suit in range(5):
                void = tables.state.void[:, seat, suit]
                held = other.state.hands[:, seat] & cardsets.SUIT[suit]
                hidden = void & (viewers != seat)
                assert cardsets.is_empty(held)[hidden].all()


@pytest.mark.parametrize("answer", [[[1], [1, 2]], "pass", None, 1.0])
def test_answers_of_any_kind_are_caught(answer):
    class Answers:
        name = "odd"

        def act(self, turn, rng):
            return answer

    with pytest.raises(CheckFailed, match="'odd' must answer 0 whole numbers"):
        check_agent(Answers(), RULES, deals=2)


def test_what_is_no_agent_and_no_deals(wrong_type_error):
    with pytest.raises((CheckFailed, *wrong_type_error)):
        check_agent(object(), RULES)
    for deals in (0, -1):
        with pytest.raises(TarotError, match="give a whole number, 1 and up"):
            check_rules(RULES, deals=deals)
        with pytest.raises(TarotError, match="give a whole number, 1 and up"):
            check_agent(UniformAgent(), RULES, deals=deals)
