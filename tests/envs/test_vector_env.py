"""The Gymnasium vector environment, against single tables."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tarot_env import Deal, IllegalAction, InvalidDeal, InvalidRules, Rules, TarotError
from tarot_env.cards import cardsets
from tarot_env.cards.actions import PASS
from tarot_env.envs import GYMNASIUM_ID, register
from tarot_env.envs.single import SingleSeatEnv
from tarot_env.envs.vector import SingleSeatVectorEnv

register()


class Highest:
    name = "highest"

    def act(self, turn, rng):
        return cardsets.highest(turn.legal).astype(np.int64)


class Passing:
    name = "passing"

    def act(self, turn, rng):
        may_pass = cardsets.contains(turn.legal, np.full(len(turn), PASS))
        return np.where(may_pass, PASS, cardsets.lowest(turn.legal)).astype(np.int64)


def masked(rng, mask):
    return (rng.random(mask.shape) * mask).argmax(1)


def test_made_by_name():
    envs = gymnasium.make_vec(
        GYMNASIUM_ID, num_envs=3, vectorization_mode="vector_entry_point", opponents=Highest()
    )
    assert isinstance(envs.unwrapped, SingleSeatVectorEnv)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    observations, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    assert infos["action_mask"].shape == (3, 95)
    assert envs.action_space.shape == (3,)


@pytest.mark.parametrize("opponents", [Highest(), [Highest(), Passing(), Highest()]])
def test_every_lane_equals_the_same_deals_on_a_single_table(opponents):
    size, seat = 4, 2
    envs = SingleSeatVectorEnv(size, seat=seat, opponents=opponents)
    observations, infos = envs.reset(seed=9)
    rng = np.random.default_rng(0)
    lanes = [[(observations[lane].copy(), None, 0.0)] for lane in range(size)]
    deals = [[int(envs.tables.deal_ids[lane])] for lane in range(size)]
    ended = np.zeros(size, bool)
    for _ in range(42):
        actions = masked(rng, infos["action_mask"])
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert not truncations.any()
        for lane in range(size):
            action = None if ended[lane] else int(actions[lane])
            lanes[lane].append((observations[lane].copy(), action, rewards[lane]))
            if ended[lane]:
                deals[lane].append(int(envs.tables.deal_ids[lane]))
        ended = terminations
    assert any(len(ids) > 1 for ids in deals)
    for lane in range(size):
        check_lane(lanes[lane], deals[lane], seat, opponents)
        assert all(deal_id % size == lane for deal_id in deals[lane])


def check_lane(steps, deals, seat, opponents):
    """Plays what a lane did on a table of its own; passed-out deals lie inside an episode."""
    env = SingleSeatEnv(seat=seat, opponents=opponents, redeal=False)
    ids = iter(deals)
    for observation, action, reward in steps:
        if action is None:
            deal = Deal.from_seed(9, next(ids), env.rules)
            expected, _ = env.reset(options={"deal": deal})
            paid = 0.0
        else:
            expected, paid, over, _, info = env.step(action)
            if over and not info["scores"].any():
                return  # passed out: the lane went on with a deal of its own
        assert np.array_equal(observation, expected)
        assert reward == paid


def test_autoreset_happens_in_the_next_step_and_final_scores_are_given():
    envs = SingleSeatVectorEnv(16, opponents=Highest())
    _, infos = envs.reset(seed=2)
    rng = np.random.default_rng(0)
    ended = np.zeros(16, bool)
    ends = 0
    for _ in range(45):
        actions = np.where(ended, 94, masked(rng, infos["action_mask"]))
        before = envs.tables.deal_ids.copy()
        observations, rewards, terminations, _, infos = envs.step(actions)
        assert not terminations[ended].any()
        assert not rewards[ended].any()
        assert (envs.tables.deal_ids[ended] != before[ended]).all()
        assert infos["action_mask"].any(1).tolist() == (~terminations).tolist()
        assert ("scores" in infos) == bool(terminations.any())
        if terminations.any():
            assert np.array_equal(infos["_scores"], terminations)
            assert np.array_equal(rewards, infos["scores"][:, 0])
            assert not infos["scores"].sum(1).any()
            assert envs.observation_space.contains(observations)
        ends += terminations.sum()
        ended = terminations
    assert ends > 16


def test_seeds_and_options():
    def first(seed, **options):
        envs = SingleSeatVectorEnv(5, **options)
        return [envs.reset(seed=s)[0].tobytes() for s in (seed, None)]

    assert first(3) == first(3)
    assert first(None) != first(None)
    envs = SingleSeatVectorEnv(5, with_petite=False, opponents=Passing())
    for seed in (1, None, 4):
        _, infos = envs.reset(seed=seed)
        assert not infos["action_mask"][:, 79].any()
        assert envs.rules == Rules.preset(with_petite=False)


def test_passed_out_deals():
    envs = SingleSeatVectorEnv(4, opponents=Passing())
    envs.reset(seed=1)
    _, _, terminations, _, _ = envs.step(np.full(4, PASS))
    assert not terminations.any()
    assert envs.tables.deal_ids.tolist() == [4, 5, 6, 7]
    envs = SingleSeatVectorEnv(4, opponents=Passing(), redeal=False)
    envs.reset(seed=1)
    _, rewards, terminations, _, infos = envs.step(np.full(4, PASS))
    assert terminations.all()
    assert not rewards.any()
    assert not infos["scores"].any()


@pytest.mark.parametrize(
    "actions", [[94, 78, 78], [-1, 78, 78], [78.0, 78.0, 78.0], [78, 78], 78, ["a", "b", "c"]]
)
def test_illegal_actions_raise_and_change_nothing(actions):
    envs = SingleSeatVectorEnv(3, opponents=Passing())
    envs.reset(seed=1)
    log = envs.tables.columns.log.copy()
    with pytest.raises(IllegalAction):
        envs.step(actions)
    assert np.array_equal(log, envs.tables.columns.log)


def test_what_a_vector_cannot_do():
    with pytest.raises(InvalidRules):
        SingleSeatVectorEnv(0)
    with pytest.raises(InvalidDeal, match="one table"):
        SingleSeatVectorEnv(2).reset(options={"deal": {"dealer": 1}})


def test_rendering():
    envs = SingleSeatVectorEnv(2, seat=3, render_mode="ansi")
    envs.reset(seed=0)
    assert [text.startswith("Seat 3 sees") for text in envs.render()] == [True, True]


def test_after_an_opponent_failed_only_a_reset_helps():
    class Breaks:
        name = "breaks"
        fails = False

        def act(self, turn, rng):
            if self.fails:
                raise RuntimeError("no")
            return cardsets.random_member(turn.legal, rng)

    opponent = Breaks()
    envs = SingleSeatVectorEnv(4, opponents=opponent)
    _, infos = envs.reset(seed=3)
    opponent.fails = True
    with pytest.raises(TarotError, match="opponent 'breaks' failed"):
        envs.step(infos["action_mask"].argmax(1))
    for call in (lambda: envs.step(np.full(4, 78)), envs.action_masks):
        with pytest.raises(TarotError, match=r"call reset\(\)"):
            call()
    opponent.fails = False
    envs.step(envs.reset()[1]["action_mask"].argmax(1))


def test_options_and_flags_of_the_wrong_type(wrong_type_error):
    with pytest.raises((InvalidDeal, *wrong_type_error)):
        SingleSeatVectorEnv(1).reset(options=3)
    with pytest.raises((InvalidRules, *wrong_type_error)):
        SingleSeatVectorEnv(1, redeal="no")
