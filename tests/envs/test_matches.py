"""Matches as episodes: PettingZoo and Gymnasium, running totals, dealers, redeals."""

import warnings

import numpy as np
import pytest
from support.every_game import GAMES, rules_of

from tarot_env import Deal, InvalidRules, Phase, Rules, tarot_v0
from tarot_env.cards import cardsets
from tarot_env.cards.actions import GARDE, PASS
from tarot_env.envs.single import SingleSeatEnv
from tarot_env.envs.vector import SingleSeatVectorEnv

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # pettingzoo.test imports its own deprecated modules
    from pettingzoo.test import api_test, seed_test

each_game = pytest.mark.parametrize("name", GAMES)


class Highest:
    name = "highest"

    def act(self, turn, rng):
        return cardsets.highest(turn.legal).astype(np.int64)


def play(env, rng, passed=()):
    """Plays an episode, at random but for bids; the deals of the given numbers are passed out.

    Returns:
        The sum of what last() returned for each agent; the scores of each deal that counted; dealer
        and id of every deal.
    """
    returned, scores, deals = dict.fromkeys(env.agents, 0.0), [], []
    tables = env.unwrapped.tables
    for agent in env.agent_iter():
        if tables.columns.log_size[0] == 0:
            deals.append((int(tables.columns.dealer[0]), int(tables.deal_ids[0])))
        observation, reward, terminated, truncated, _ = env.last()
        assert not truncated
        returned[agent] += reward
        if terminated:
            env.step(None)
            continue
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        if tables.phase[0] == Phase.AUCTION and tables.taker[0] < 0:
            action = PASS if len(deals) - 1 in passed else GARDE
        env.step(action)
        info = env.infos["player_0"]
        if "scores" in info and (not scores or info["scores"] is not scores[-1]):
            scores.append(info["scores"])
        assert np.array_equal(info["totals"], sum(scores, np.zeros(len(returned))))
    return returned, scores, deals


# -- PettingZoo


@pytest.mark.slow
@pytest.mark.parametrize("name", ["4", "mort", "dummy"])
@pytest.mark.filterwarnings("ignore:^Observation is not a NumPy array$")
@pytest.mark.filterwarnings("ignore:^Observation space for each agent probably should be gymnas")
def test_pettingzoo_api_and_seeds(name):
    api_test(tarot_v0.env(**GAMES[name], deals=2), num_cycles=400)
    seed_test(lambda: tarot_v0.env(**GAMES[name], deals=2), num_cycles=200)


@pytest.mark.slow
@each_game
def test_an_episode_of_three_deals(name):
    env = tarot_v0.env(**GAMES[name], deals=3)
    players = env.unwrapped.rules.players
    env.reset(seed=9)
    assert not env.infos["player_0"]["totals"].any()
    returned, scores, deals = play(env, np.random.default_rng(0))
    assert len(scores) == 3
    assert list(returned.values()) == np.sum(scores, axis=0).tolist()
    assert not sum(returned.values())
    assert deals == [(n % players, n) for n in range(3)]
    env.reset()
    assert env.unwrapped.tables.deal_ids[0] == 3
    assert not env.infos["player_0"]["totals"].any()


def test_a_passed_out_deal_does_not_count_in_a_match():
    env = tarot_v0.env(deals=2)
    env.reset(seed=9)
    _, scores, deals = play(env, np.random.default_rng(0), passed=(0, 2))
    assert (len(scores), deals) == (2, [(n, n) for n in range(4)])
    env = tarot_v0.env(deals=2, redeal_dealer="same")
    env.reset(seed=9)
    _, scores, deals = play(env, np.random.default_rng(0), passed=(1,))
    assert (len(scores), deals) == (2, [(0, 0), (1, 1), (1, 5)])


def test_without_redeal_a_passed_out_deal_counts():
    env = tarot_v0.env(deals=2, redeal=False)
    env.reset(seed=9)
    returned, scores, deals = play(env, np.random.default_rng(0), passed=(0,))
    assert (len(scores), len(deals)) == (2, 2)
    assert not scores[0].any()
    assert list(returned.values()) == scores[1].tolist()


def test_the_rules_say_how_long_a_match_is():
    env = tarot_v0.env(rules="online")
    env.reset(seed=20260704)
    assert len(play(env, np.random.default_rng(0))[1]) == 8
    env = tarot_v0.env(match_target=300)
    env.reset(seed=1)
    returned, scores, _ = play(env, np.random.default_rng(0))
    assert max(returned.values()) >= 300 > np.sum(scores[:-1], axis=0).max()
    env = tarot_v0.env(rules="online", deals=1)
    env.reset(seed=1)
    assert len(play(env, np.random.default_rng(0))[1]) == 1


@pytest.mark.parametrize("name", ["4", "tirette"])
def test_cards_are_gathered_in_a_match_and_shuffled_in_single_deals(name):
    gathers = GAMES[name] | {"shuffle": "gather_and_cut", "first_dealer": "drawn"}
    env = tarot_v0.env(**gathers, deals=3)
    env.reset(seed=3)
    _, _, deals = play(env, np.random.default_rng(0))
    assert [deal_id for _, deal_id in deals[1:]] == [-1, -1]
    env = tarot_v0.env(**gathers)
    for seed in (3, None):
        env.reset(seed=seed)
        assert env.unwrapped.tables.deal_ids[0] == (seed is None)


def test_a_given_deal_is_an_episode_by_itself():
    env = tarot_v0.env(deals=3)
    deal = Deal.from_seed(99, 5, Rules.preset())
    env.reset(seed=7, options={"deal": deal})
    returned, scores, deals = play(env, np.random.default_rng(0))
    assert len(deals) == 1
    assert list(returned.values()) == scores[0].tolist()
    env.reset()
    assert len(play(env, np.random.default_rng(0))[2]) == 3


@pytest.mark.parametrize("make", [tarot_v0.env, SingleSeatEnv, SingleSeatVectorEnv])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"deals": 0}, "deals=0; give a whole number, 1 and up"),
        ({"deals": 2, "shuffle": "gather_and_cut", "packet": 99}, "packet=99; hands have 18"),
    ],
)
def test_matches_that_cannot_be(make, arguments, message):
    with pytest.raises(InvalidRules, match=message):
        make(**arguments)


def test_deals_of_the_wrong_type(wrong_type_error):
    for make in (tarot_v0.env, SingleSeatEnv, SingleSeatVectorEnv):
        with pytest.raises((InvalidRules, *wrong_type_error)):
            make(deals="two")


# -- Gymnasium


def play_seat(env, rng, info):
    """Plays an episode of a single seat; (rewards, scores of each deal, last info)."""
    rewards, scores, terminated = [], [], False
    while not terminated:
        mask = info["action_mask"]
        action = GARDE if mask[GARDE] else rng.choice(np.flatnonzero(mask))
        _, reward, terminated, _, info = env.step(action)
        rewards.append(reward)
        if "scores" in info:
            scores.append(info["scores"])
        assert np.array_equal(info["totals"], sum(scores, np.zeros(env.rules.players)))
    return rewards, scores, info


@pytest.mark.slow
@each_game
def test_an_episode_of_a_seat_of_three_deals(name):
    env = SingleSeatEnv(**GAMES[name], seat=1, opponents=Highest(), deals=3)
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=9)
    for _ in range(2):
        rewards, scores, info = play_seat(env, rng, info)
        assert sum(rewards) == info["totals"][1] == np.sum(scores, axis=0)[1]
        assert len(scores) == 3
        _, info = env.reset()
        assert not info["totals"].any()


def test_a_learner_never_sits_out_in_its_matches():
    env = SingleSeatEnv(**GAMES["mort"], seat=1, deals=4, shuffle="gather_and_cut")
    rng, dealers = np.random.default_rng(0), []
    _, info = env.reset(seed=9)
    terminated = False
    while not terminated:
        dealers.append(int(env.tables.columns.dealer[0]))
        _, _, terminated, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
    assert set(dealers) == {0, 2, 3, 4}


def test_a_vector_of_matches():
    size, deals = 6, 2
    envs = SingleSeatVectorEnv(size, seat=2, opponents=Highest(), deals=deals)
    single = SingleSeatEnv(seat=2, opponents=Highest(), deals=deals)
    observations, infos = envs.reset(seed=4)
    first, info = single.reset(seed=4)
    assert np.array_equal(observations[0], first)
    rng, ended = np.random.default_rng(0), np.zeros(size, bool)
    sums, ends, paid = np.zeros(size), 0, np.zeros(size, int)
    single_ended, played = False, [set() for _ in range(size)]
    for _ in range(140):
        for lane, deal_id in enumerate(envs.tables.deal_ids.tolist()):
            played[lane].add(deal_id)
        mask = infos["action_mask"]
        actions = (rng.random(mask.shape) * mask).argmax(1)
        observations, rewards, terminations, _, infos = envs.step(actions)
        sums = np.where(ended, 0, sums + rewards)
        paid = np.where(ended, 0, paid)
        if "scores" in infos:
            assert np.array_equal(rewards, infos["scores"][:, 2])
            paid += infos["_scores"]
        assert np.array_equal(infos["totals"][:, 2], sums)
        assert (paid[terminations] == deals).all()
        if not single_ended:
            observation, reward, single_ended, _, info = single.step(actions[0])
            assert np.array_equal(observations[0], observation)
            assert (rewards[0], terminations[0]) == (reward, single_ended)
            assert np.array_equal(infos["totals"][0], info["totals"])
        ends += terminations.sum()
        ended = terminations
    assert single_ended
    assert ends > size
    assert len(set().union(*played)) == sum(len(ids) for ids in played)
    assert len(set(envs.tables.columns.dealer.tolist())) > 1


def test_episodes_of_a_seat_are_one_deal_unless_asked_for():
    assert "totals" not in SingleSeatEnv("online").reset(seed=1)[1]
    env = SingleSeatEnv("online", deals=None, opponents=Highest())
    _, info = env.reset(seed=1)
    assert len(play_seat(env, np.random.default_rng(0), info)[1]) == 8
    assert rules_of("4").match_deals is None
