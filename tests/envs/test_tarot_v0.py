"""The PettingZoo environment: its own conformance tests, rewards, seeds, deals, mistakes."""

import random
import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from tarot_env import Deal, IllegalAction, InvalidDeal, InvalidRules, Rules, tarot_v0
from tarot_env.cards.actions import NUM_ACTIONS, PASS, Bid
from tarot_env.observation import observation_layout, state_layout

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # pettingzoo.test imports its own deprecated modules
    from pettingzoo.test import api_test, render_test, seed_test
    from pettingzoo.test.state_test import test_state_space as check_state_space

DICT_OBSERVATIONS = (
    "ignore:^Observation is not a NumPy array$",
    "ignore:^Observation space for each agent probably should be gymnasium.spaces.box or "
    "gymnasium.spaces.discrete$",
)


def play(env, rng, stop=None):
    """Plays at random; the sum of what last() returned for each agent."""
    totals = dict.fromkeys(env.agents, 0.0)
    for step, agent in enumerate(env.agent_iter()):
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        if step == stop:
            break
        mask = observation["action_mask"]
        done = terminated or truncated
        env.step(None if done else int(rng.choice(np.flatnonzero(mask))))
    return totals


def arrays(env):
    return {name: a.copy() for name, a in env.unwrapped.tables.arrays().items()}


def same(first, second):
    return all(np.array_equal(first[name], second[name]) for name in first)


# -- conformance


@pytest.mark.parametrize("history", [False, True])
@pytest.mark.filterwarnings(DICT_OBSERVATIONS[0], DICT_OBSERVATIONS[1])
def test_pettingzoo_api(history):
    api_test(tarot_v0.env(history=history), num_cycles=250)


def test_pettingzoo_seeds():
    seed_test(lambda: tarot_v0.env(history=True), num_cycles=200)


def test_pettingzoo_rendering(capsys):
    render_test(tarot_v0.env)
    assert "You may:" in capsys.readouterr().out


def test_state_space_and_masked_state():
    env = tarot_v0.env()
    check_state_space(env)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    layout = state_layout(env.unwrapped.rules)
    for _ in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        mask = observation["action_mask"]
        env.step(None if terminated else int(rng.choice(np.flatnonzero(mask))))
        state = env.state()
        assert env.state_space.contains(state)
        assert state.shape == (layout.size,)
        assert state.any()
    assert not env.agents


def test_declarations():
    env = tarot_v0.env(render_mode="rgb_array")
    assert type(env) is OrderEnforcingWrapper
    assert env.env is env.unwrapped
    assert env.metadata["name"] == "tarot_v0"
    assert env.metadata["is_parallelizable"] is False
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    assert env.action_space("player_2").n == NUM_ACTIONS
    assert env.observation_space("player_1")["observation"].dtype == np.uint8
    assert env.observation_space("player_1")["action_mask"].dtype == np.int8
    assert env.observation_space("player_1") is env.observation_space("player_1")


def test_registered_with_pettingzoo():
    env = pettingzoo.make("aec", "tarot_env/tarot_v0", poignee_bonus=(1, 2, 3))
    env.reset(seed=1)
    assert env.unwrapped.rules.poignee_bonus == (1, 2, 3)


# -- observations


def test_observe_is_what_each_seat_knows():
    env = tarot_v0.raw_env(history=True)
    env.reset(seed=3)
    play(env, np.random.default_rng(1), stop=40)
    layout = observation_layout(env.rules)
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        turn = env.tables.turn(np.array([0]), np.array([seat]))
        assert np.array_equal(seen["observation"], layout.encode(turn)[0])
        assert np.array_equal(seen["history"], turn.history[0])
        assert env.observation_space(agent).contains(seen)
        assert seen["action_mask"].any() == (agent == env.agent_selection)
    legal = env.tables.legal_actions()[0]
    assert np.array_equal(env.observe(env.agent_selection)["action_mask"], legal)


def test_after_the_end_the_final_view_without_actions():
    env = tarot_v0.raw_env()
    env.reset(seed=3)
    while not any(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(np.flatnonzero(mask)[-1]))
    for agent in env.possible_agents:
        seen = env.observe(agent)
        assert not seen["action_mask"].any()
        assert env.observation_space(agent).contains(seen)
        assert observation_layout(env.rules).view(seen["observation"], "phase")[10] == 1


# -- rewards


def test_what_last_returns_sums_to_the_scores_of_every_seat():
    env = tarot_v0.env()
    rng = np.random.default_rng(5)
    seen = set()
    for deal in range(5):
        env.reset(seed=11 if deal == 0 else None)
        totals = play(env, rng)
        scores = env.unwrapped.tables.scores[0]
        assert list(totals.values()) == list(scores)
        assert scores.sum() == 0
        seen.add(tuple(scores))
    assert len(seen) > 3


def test_scores_stand_in_the_infos_at_the_end():
    env = tarot_v0.env()
    env.reset(seed=2)
    rng = np.random.default_rng(0)
    for _ in env.agent_iter():
        observation, _, terminated, _, info = env.last()
        assert ("scores" in info) == terminated
        if terminated:
            assert np.array_equal(info["scores"], env.unwrapped.tables.scores[0])
        mask = observation["action_mask"]
        env.step(None if terminated else int(rng.choice(np.flatnonzero(mask))))


# -- mistakes

BAD_ACTIONS = [
    200,
    -1,
    10**30,
    np.int64(-3),
    np.uint8(255),
    78.0,
    "pass",
    None,
    True,
    [78],
    object(),
]


@pytest.mark.parametrize("action", BAD_ACTIONS)
def test_what_is_no_action_raises_and_changes_nothing(action):
    env = tarot_v0.env()
    env.reset(seed=4)
    before, agent = arrays(env), env.agent_selection
    with pytest.raises(IllegalAction):
        env.step(action)
    assert same(before, arrays(env))
    assert env.agent_selection == agent
    env.step(np.int64(PASS))
    assert env.agent_selection != agent


def test_illegal_actions_name_deal_seat_and_what_is_allowed():
    env = tarot_v0.env()
    env.reset(seed=4)
    play(env, np.random.default_rng(0), stop=30)
    mask = env.observe(env.agent_selection)["action_mask"]
    before = arrays(env)
    for action in np.flatnonzero(mask == 0):
        with pytest.raises(IllegalAction, match=r"seed=4 id=0.*seat \d.*allowed: "):
            env.step(action)
    assert same(before, arrays(env))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": "fff"}, "did you mean 'fft'"),
        ({"players": 9}, "allowed: players 3, 4, 5, game 'mort'"),
        ({"poignee_bonsu": (1, 2, 3)}, "did you mean 'poignee_bonus'"),
        ({"deals": 0}, "deals=0; give a whole number, 1 and up"),
        ({"render_mode": "ascii"}, "did you mean 'ansi'"),
        ({"render_seat": 4}, "allowed: seats 0 to 3"),
        ({"rules": 3}, "a preset's name"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(InvalidRules, match=message):
        tarot_v0.env(**arguments)


def test_a_rules_value_and_overrides():
    rules = Rules.preset(defence_slam=300)
    assert tarot_v0.raw_env(rules).rules is rules
    assert tarot_v0.raw_env(rules, half_point="exact").rules == Rules.preset(
        defence_slam=300, half_point="exact"
    )


def test_options_survive_every_reset():
    env = tarot_v0.env(with_petite=False)
    env.reset(seed=1)
    env.reset(seed=2)
    env.reset()
    assert not env.unwrapped.rules.with_petite
    assert not env.observe(env.agent_selection)["action_mask"][79]
    assert env.observe(env.agent_selection)["action_mask"][81]


# -- seeds and deals


def packs(env, resets):
    found = []
    for seed in resets:
        env.reset(seed=seed)
        found.append(env.unwrapped.tables.columns.pack[0].tolist())
    return found


def test_a_seed_names_a_series_of_deals():
    rules = Rules.preset()
    first = packs(tarot_v0.env(), [7, None, None])
    assert first == packs(tarot_v0.env(), [7, None, None])
    assert first == [Deal.from_seed(7, n, rules).pack for n in range(3)]
    assert packs(tarot_v0.env(), [7, 7]) == [first[0], first[0]]
    unseeded = packs(tarot_v0.env(), [None]) + packs(tarot_v0.env(), [None])
    assert unseeded[0] != unseeded[1]


def test_global_random_states_are_neither_read_nor_written():
    def run():
        env = tarot_v0.env()
        env.reset(seed=1)
        return play(env, np.random.default_rng(0)), packs(env, [None])

    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    first = run()
    assert before == np.random.get_state()[1].tolist()  # noqa: NPY002
    np.random.seed(2)  # noqa: NPY002
    random.seed(2)
    assert run() == first


def pass_out(env):
    for _ in range(4):
        env.step(PASS)


def test_a_passed_out_deal_is_dealt_again_within_the_step():
    env = tarot_v0.env()
    env.reset(seed=5)
    pass_out(env)
    assert not any(env.terminations.values())
    assert env.unwrapped.tables.deal_ids[0] == 1
    assert env.agent_selection == "player_2"
    env.reset()
    assert env.unwrapped.tables.deal_ids[0] == 2


def test_without_redeal_a_passed_out_deal_ends_with_zero_scores():
    env = tarot_v0.env(redeal=False)
    env.reset(seed=5)
    pass_out(env)
    assert all(env.terminations.values())
    assert play(env, np.random.default_rng(0)) == dict.fromkeys(env.possible_agents, 0.0)


PETIT_SEC = 434
"""A deal of seed 7 with a lone petit."""


@pytest.mark.parametrize("redeal", [True, False])
def test_petit_sec(redeal):
    env = tarot_v0.env(redeal=redeal)
    env.reset(seed=7)
    env.unwrapped.tables.next_ids[0] = PETIT_SEC
    env.reset()
    assert env.unwrapped.tables.deal_ids[0] == PETIT_SEC + redeal
    assert all(env.terminations.values()) != redeal


def test_a_given_deal_is_played_and_uses_up_no_deal_id():
    env = tarot_v0.env()
    deal = Deal.from_seed(99, 5, Rules.preset())
    env.reset(seed=7, options={"deal": deal})
    assert env.unwrapped.tables.columns.pack[0].tolist() == deal.pack
    assert env.agent_selection == "player_2"
    pass_out(env)
    assert all(env.terminations.values())
    env.reset()
    assert env.unwrapped.tables.deal_ids[0] == 0


def test_parts_of_a_deal():
    env = tarot_v0.env()
    tables = env.unwrapped
    env.reset(seed=7, options={"deal": {"forced": (2, "garde_sans")}})
    assert tables.tables.taker[0] == 2
    assert tables.tables.contract[0] == Bid.GARDE_SANS
    assert tables.tables.columns.pack[0].tolist() == Deal.from_seed(7, 0, Rules.preset()).pack

    env.reset(options={"deal": {"chien": ["T21", "T1", "EX", "SK", "HK", "DK"], "dealer": 2}})
    state = tables.tables.columns
    assert state.pack[0, -6:].tolist() == [76, 56, 77, 13, 27, 41]
    assert env.agent_selection == "player_3"
    assert sorted(state.pack[0]) == list(range(78))

    hand = [f"T{n}" for n in range(1, 19)]
    env.reset(options={"deal": {"hands": [None, hand, None, None]}})
    assert tables.tables.columns.pack[0, 18:36].tolist() == list(range(56, 74))


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ({"hand": []}, "did you mean 'hands'"),
        ({"hands": [["S1"]]}, "list of 4"),
        ({"hands": [["S1"], None, None, None]}, "hand of seat 0 has 1 card;"),
        ({"chien": ["S1"] * 6}, "has|twice"),
        ({"chien": ["S1", "S2", "S3", "S4", "S5", "X9"]}, "unknown card 'X9'"),
        ({"chien": [0, 1, 2, 3, 4, 99]}, "card 99"),
        ({"chien": "S1"}, "list of cards"),
        ({"dealer": 4}, "allowed: seats 0 to 3"),
        ({"dealer": "0"}, "deal: "),
        ({"forced": (0, "gard")}, "did you mean 'garde'"),
        ({"forced": (7, "garde")}, "allowed: seats 0 to 3"),
        ({"forced": 3}, "seat, bid"),
        (17, "Deal or an object"),
    ],
)
def test_what_is_no_deal_is_refused_and_changes_nothing(deal, message):
    env = tarot_v0.env()
    env.reset(seed=7)
    before = arrays(env)
    with pytest.raises(InvalidDeal, match=message):
        env.reset(seed=8, options={"deal": deal})
    assert same(before, arrays(env))


def test_rendering_for_a_seat_and_with_open_cards():
    texts = {}
    for seat in (None, 2, "all"):
        env = tarot_v0.env(render_mode="ansi", render_seat=seat)
        env.reset(seed=7)
        texts[seat] = env.render()
    assert texts[None].startswith("Seat 1 sees")
    assert texts[2].startswith("Seat 2 sees")
    assert texts["all"].startswith("Open table")
