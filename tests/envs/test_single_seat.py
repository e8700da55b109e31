"""The Gymnasium environment of one seat."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from support.cheaters import Highest as Cheat

from tarot_env import Deal, IllegalAction, InvalidDeal, InvalidRules, Rules, TarotError
from tarot_env.cards import cardsets
from tarot_env.cards.actions import PASS, Bid
from tarot_env.envs import GYMNASIUM_ID, register
from tarot_env.envs.single import SingleSeatEnv

register()


class Highest:
    """A deterministic agent: the highest legal action; notes what it was asked."""

    name = "highest"

    def __init__(self):
        self.seats = []

    def act(self, turn, rng):
        self.seats += turn.seat.tolist()
        return cardsets.highest(turn.legal).astype(np.int64)


class Passing:
    name = "passing"

    def act(self, turn, rng):
        may_pass = cardsets.contains(turn.legal, np.full(len(turn), PASS))
        return np.where(may_pass, PASS, cardsets.lowest(turn.legal)).astype(np.int64)


class MaskedSamples(SingleSeatEnv):
    """For Gymnasium's checker, which samples actions without their mask."""

    def step(self, action):
        legal = np.flatnonzero(self.action_masks())
        return super().step(action if action in legal else legal[action % len(legal)])


def play(env, rng):
    """Plays a deal at random; (sum of rewards, last info)."""
    total, info, terminated = 0.0, {"action_mask": env.unwrapped.action_masks()}, False
    while not terminated:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        total += reward
    return total, info


def test_gymnasium_checker(capsys):
    name = "tarot_env_tests/MaskedSamples-v0"
    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point=MaskedSamples)
    check_env(gymnasium.make(name).unwrapped)


def test_made_by_name():
    env = gymnasium.make(GYMNASIUM_ID, opponents=Highest(), seat=2, defence_slam=300)
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    assert env.unwrapped.rules == Rules.preset(defence_slam=300)
    assert np.array_equal(info["action_mask"], env.unwrapped.action_masks())
    assert info["action_mask"].dtype == np.int8
    assert env.unwrapped.tables.seat_to_act[0] == 2


@pytest.mark.parametrize("seat", range(4))
def test_the_reward_is_the_score_of_the_seat_at_the_end(seat):
    env = SingleSeatEnv(seat=seat)
    env.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(2):
        total, info = play(env, rng)
        assert total == info["scores"][seat]
        assert info["scores"].sum() == 0
        assert not info["action_mask"].any()
        env.reset()


def test_opponents_sit_to_the_right_in_order():
    agents = [Highest(), Highest(), Highest()]
    env = SingleSeatEnv(seat=1, opponents=agents)
    env.reset(seed=1)
    play(env, np.random.default_rng(0))
    assert [set(agent.seats) for agent in agents] == [{2}, {3}, {0}]


def test_a_seed_fixes_deals_and_opponents():
    def run(seeds):
        env, rng, seen = SingleSeatEnv(), np.random.default_rng(0), []
        for seed in seeds:
            observation, _ = env.reset(seed=seed)
            seen.append((observation.tobytes(), play(env, rng)[0]))
        return seen

    assert run([5, None, None]) == run([5, None, None])
    assert run([None]) != run([None])


def test_options_survive_every_reset():
    env = SingleSeatEnv(with_petite=False, opponents=Passing())
    for seed in (1, None, 2, None):
        _, info = env.reset(seed=seed)
        assert info["action_mask"][PASS]
        assert not info["action_mask"][79]


@pytest.mark.parametrize("action", [95, -1, np.int64(-7), 1.0, "pass", None, True, 10**25])
def test_illegal_actions_raise_and_change_nothing(action):
    env = SingleSeatEnv()
    env.reset(seed=1)
    log = env.tables.columns.log.copy()
    with pytest.raises(IllegalAction):
        env.step(action)
    assert np.array_equal(log, env.tables.columns.log)
    legal = np.flatnonzero(env.action_masks())
    env.step(np.int64(legal[0]))


def test_passed_out_deals():
    env = SingleSeatEnv(opponents=Passing())
    env.reset(seed=1)
    _, reward, terminated, _, _ = env.step(PASS)
    assert (reward, terminated) == (0.0, False)
    assert env.tables.deal_ids[0] == 1

    env = SingleSeatEnv(opponents=Passing(), redeal=False)
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(PASS)
    assert (reward, terminated) == (0.0, True)
    assert info["scores"].tolist() == [0, 0, 0, 0]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(PASS)


def test_given_deals():
    env = SingleSeatEnv(opponents=Passing())
    env.reset(seed=1, options={"deal": {"forced": (0, "garde")}})
    assert env.tables.contract[0] == Bid.GARDE
    assert len(cardsets.to_ids(env.tables.columns.hands[0, 0])) == 24
    env.reset()
    assert env.tables.deal_ids[0] == 0
    env.reset(options={"deal": Deal.from_seed(3, 3, env.rules)})
    env.step(PASS)
    assert env.tables.is_over[0]
    with pytest.raises(InvalidDeal, match="petit sec"):
        env.reset(options={"deal": Deal.from_seed(7, 434, env.rules)})


def test_petit_sec_is_left_behind_even_without_redeal():
    env = SingleSeatEnv(redeal=False)
    env.reset(seed=7)
    env.tables.next_ids[0] = 434
    env.reset()
    assert env.tables.deal_ids[0] == 435


class Floats(Highest):
    def act(self, turn, rng):
        return super().act(turn, rng).astype(float)


class Wrong(Highest):
    def act(self, turn, rng):
        return np.full(len(turn), 94)


@pytest.mark.parametrize("agent", [Floats(), Wrong()])
def test_opponents_must_play_by_the_rules(agent):
    env = SingleSeatEnv(opponents=agent)
    with pytest.raises(IllegalAction):
        env.reset(seed=0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponents": "random"}, r"such as agents.registry.make_agent\('random'\)"),
        ({"opponents": Highest}, r"Highest is a class; give an agent .* such as Highest\(\)"),
        ({"opponent": "random"}, "rule option 'opponent'; did you mean 'opponents'"),
        (
            {"opponents": Cheat()},
            "'highest' sees all hands; an environment takes agents that do not",
        ),
        ({"opponents": [Highest(), Cheat(), Highest()]}, "sees all hands"),
        ({"opponents": [Highest()]}, "1 opponent; give one agent, or 3"),
        ({"opponents": 5}, "no act"),
        ({"seat": 4}, "allowed: seats 0 to 3"),
        ({"render_mode": "rgb"}, "allowed: ansi"),
        ({"players": 8}, "allowed: players 3, 4, 5, game 'mort'"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(InvalidRules, match=message):
        SingleSeatEnv(**arguments)


def test_rendering(capsys):
    env = SingleSeatEnv(seat=1, render_mode="ansi")
    env.reset(seed=0)
    assert env.render().startswith("Seat 1 sees")
    env = SingleSeatEnv(seat=1, render_mode="human")
    env.reset(seed=0)
    assert "Seat 1 sees" in capsys.readouterr().out


class Breaks:
    """Plays at random, and fails when it is told to."""

    name = "breaks"
    error = None

    def act(self, turn, rng):
        if self.error is not None:
            raise self.error
        return cardsets.random_member(turn.legal, rng)


@pytest.mark.parametrize("error", [RuntimeError("no"), SystemExit(1)])
def test_after_an_opponent_failed_only_a_reset_helps(error):
    opponent = Breaks()
    env = SingleSeatEnv(opponents=opponent)
    _, info = env.reset(seed=3)
    opponent.error = error
    with pytest.raises(TarotError, match=f"opponent 'breaks' failed: {type(error).__name__}") as e:
        env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert e.value.__cause__ is error
    for call in (lambda: env.step(PASS), env.action_masks, env.render):
        with pytest.raises(TarotError, match=r"call reset\(\)"):
            call()
    opponent.error = None
    env.reset()
    play(env, np.random.default_rng(0))


def test_an_opponent_that_fails_in_a_reset_leaves_no_older_deal():
    opponent = Breaks()
    env = SingleSeatEnv(opponents=opponent, seat=2)
    env.reset(seed=3)
    opponent.error = RuntimeError("no")
    with pytest.raises(TarotError):
        env.reset(seed=4)
    with pytest.raises(TarotError, match=r"call reset\(\)"):
        env.action_masks()


def test_an_illegal_answer_names_its_opponent():
    class Wrong:
        name = "wrong"

        def act(self, turn, rng):
            return np.full(len(turn), 95)

    with pytest.raises(IllegalAction, match="opponent 'wrong' answered action 95 at table 0"):
        SingleSeatEnv(opponents=[Passing(), Wrong(), Passing()], seat=0).reset(seed=3)


@pytest.mark.parametrize("arguments", [{"seed": True}, {"seed": -1}, {"options": 3}])
def test_resets_that_are_refused(arguments, wrong_type_error):
    env = SingleSeatEnv()
    with pytest.raises((InvalidDeal, *wrong_type_error)):
        env.reset(**arguments)


def test_rendering_without_a_mode_warns_and_prints_nothing(capsys):
    env = SingleSeatEnv()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render_mode shows nothing"):
        assert env.render() is None
    assert capsys.readouterr().out == ""
