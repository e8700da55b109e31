"""What the environments refuse: nothing is lost, and a refused call has changed nothing."""

import numpy as np
import pytest

from tarot_env import Deal, InvalidDeal, InvalidRules, Rules, UnknownName, tarot_v0
from tarot_env.envs.single import SingleSeatEnv
from tarot_env.envs.vector import SingleSeatVectorEnv

ENVS = {
    "aec": tarot_v0.raw_env,
    "single": SingleSeatEnv,
    "vector": lambda **given: SingleSeatVectorEnv(2, **given),
}
each_env = pytest.mark.parametrize("make", ENVS.values(), ids=ENVS)
FFT = Rules.preset("fft", players=4)
SHORT = Deal((), (), 0)


def state(env):
    """Everything that a reset changes."""
    arrays = [array.tobytes() for array in env.tables.arrays().values()]
    generator = getattr(env, "_np_random", None)
    drawn = generator.bit_generator.state if generator else None
    return env.tables, arrays, env.tables.next_ids.tolist(), drawn


@each_env
@pytest.mark.parametrize(
    "options",
    [
        {"deal": SHORT},
        {"deal": {"hands": 5}},
        {"deal": {"chien": np.array(3)}},
        {"deal": {"piles": [[5]]}},
        {"deal": {"dealer": "0"}},
        {"deal": {"forced": (None, "garde")}},
        {"deal": 5},
        {"deals": SHORT},
        {"dealer": 1},
    ],
)
def test_a_refused_reset_changes_nothing(make, options):
    env = make()
    env.reset(seed=7)
    before = state(env)
    with pytest.raises(InvalidDeal):
        env.reset(seed=8, options=options)
    assert state(env) == before


@each_env
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"deals": SHORT}, "unknown option of reset 'deals'; did you mean 'deal'?"),
        ({"Deal": SHORT}, "unknown option of reset 'Deal'; did you mean 'deal'?"),
        ({"hands": []}, "'hands' is a part of a deal; write {'deal': {'hands': ..}}"),
    ],
)
def test_a_deal_under_another_name_is_not_lost(make, options, sentence):
    with pytest.raises(InvalidDeal) as refused:
        make().reset(options=options)
    assert str(refused.value) == sentence


@each_env
def test_options_of_others_are_left_to_them(make):
    make().reset(seed=1, options={"options": 1, "deal": None, 3: 4})


@each_env
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"rules": FFT, "players": 5}, "players=5, but the rules are those of four players"),
        ({"rules": FFT, "game": "mort"}, "game='mort', but the rules are those of four players"),
        ({"rules": FFT, "deal": 1}, "unknown argument or rule option 'deal'; did you mean 'deals'"),
        ({"players": 4, "game": "mort"}, "game 'mort' with players=4; it has 5"),
    ],
)
def test_a_game_that_contradicts_the_rules_is_refused(make, arguments, words):
    with pytest.raises(InvalidRules, match=words):
        make(**arguments)


@each_env
@pytest.mark.parametrize(
    ("argument", "hint"),
    [
        ("redeals", "did you mean 'redeal' or "),
        ("rende_mode", "did you mean 'render_mode' or "),
        ("chien_exclusions", "did you mean 'chien_exclusion'?"),
        ("zzz", "allowed: "),
    ],
)
def test_arguments_and_rule_options_are_suggested(make, argument, hint):
    with pytest.raises(InvalidRules) as refused:
        make(**{argument: 1})
    told = f"unknown argument or rule option '{argument}'; {hint}"
    assert str(refused.value).startswith(told)


@each_env
def test_a_game_that_is_said_twice(make):
    assert make(rules=FFT, players=4).rules is FFT
    mort = Rules.preset("fft", game="mort")
    assert make(rules=mort, players=5, game="mort").rules is mort
    assert make(players=5, game="mort").rules == mort
    assert make(game="mort").rules == mort


@pytest.mark.parametrize("kind", [np.int8, np.uint64])
def test_numpy_numbers_are_numbers(kind, wrong_type_error):
    if TypeError in wrong_type_error:
        pytest.skip("annotated as int")
    envs = SingleSeatVectorEnv(kind(2), seat=kind(1))
    observations, _ = envs.reset(seed=1)
    assert (len(observations), envs.num_envs, envs.seat) == (2, 2, 1)
    assert tarot_v0.raw_env(render_seat=kind(2)).render_seat == 2


def test_an_agent_that_does_not_sit_at_the_table():
    env = tarot_v0.raw_env()
    env.reset(seed=1)
    for look in (env.observe, env.action_space, env.observation_space):
        with pytest.raises(UnknownName, match="unknown agent 'player_7'; did you mean 'player_"):
            look("player_7")
