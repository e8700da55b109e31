"""The environments in every game: conformance, rewards, given deals, who is asked."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from support.every_game import GAMES, pass_out, rules_of

from tarot_env import Deal, InvalidDeal, Phase, tarot_v0
from tarot_env.cards import cardsets
from tarot_env.cards.actions import NUM_ACTIONS, PETITE, action_text
from tarot_env.envs.single import SingleSeatEnv
from tarot_env.envs.vector import SingleSeatVectorEnv
from tarot_env.observation import observation_layout

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # pettingzoo.test imports its own deprecated modules
    from pettingzoo.test import api_test, render_test, seed_test
    from pettingzoo.test.state_test import test_state_space as check_state_space

DICT_OBSERVATIONS = (
    "ignore:^Observation is not a NumPy array$",
    "ignore:^Observation space for each agent probably should be gymnasium.spaces.box or "
    "gymnasium.spaces.discrete$",
)
each_game = pytest.mark.parametrize("name", GAMES)


class Highest:
    """The highest legal action; notes the seats that it was asked for, and the hands."""

    name = "highest"

    def __init__(self):
        self.seats, self.hands = set(), set()

    def act(self, turn, rng):
        self.seats |= set(turn.seat.tolist())
        self.hands |= set(turn.to_act.tolist())
        return cardsets.highest(turn.legal).astype(np.int64)


class MaskedSamples(SingleSeatEnv):
    """For Gymnasium's checker, which samples actions without their mask."""

    def step(self, action):
        legal = np.flatnonzero(self.action_masks())
        return super().step(action if action in legal else legal[action % len(legal)])


def play(env, rng):
    """Plays an episode at random; what last() returned for each agent, and who was asked."""
    totals, asked = dict.fromkeys(env.agents, 0.0), set()
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert not truncated
        totals[agent] += reward
        if not terminated:
            asked.add(agent)
        action = None if terminated else int(rng.choice(np.flatnonzero(observation["action_mask"])))
        env.step(action)
    return totals, asked


def play_seat(env, rng, info):
    """Plays an episode of a single seat at random; (sum of rewards, last info)."""
    total, terminated = 0.0, False
    while not terminated:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, _, info = env.step(action)
        assert env.observation_space.contains(observation)
        total += reward
    return total, info


# -- conformance


@each_game
@pytest.mark.filterwarnings(DICT_OBSERVATIONS[0], DICT_OBSERVATIONS[1])
def test_pettingzoo_api(name):
    api_test(tarot_v0.env(**GAMES[name], history=True), num_cycles=150)


@each_game
def test_pettingzoo_seeds(name):
    seed_test(lambda: tarot_v0.env(**GAMES[name], history=True), num_cycles=120)


@pytest.mark.slow
@each_game
def test_pettingzoo_rendering(name, capsys):
    render_test(lambda render_mode: tarot_v0.env(**GAMES[name], render_mode=render_mode))
    assert "You may:" in capsys.readouterr().out


@each_game
def test_pettingzoo_state_space(name):
    check_state_space(tarot_v0.env(**GAMES[name]))


@each_game
def test_gymnasium_checker(name):
    env_id = "tarot_env_tests/EveryGame-v0"
    if env_id not in gymnasium.registry:
        gymnasium.register(env_id, entry_point=MaskedSamples)
    check_env(gymnasium.make(env_id, **GAMES[name], render_mode="ansi").unwrapped)


# -- PettingZoo


@each_game
def test_rewards_of_every_seat_sum_to_its_scores(name):
    env = tarot_v0.env(**GAMES[name], history=True)
    rng = np.random.default_rng(5)
    players = env.unwrapped.rules.players
    for deal in range(4):
        env.reset(seed=11 if deal == 0 else None)
        totals, _ = play(env, rng)
        tables = env.unwrapped.tables
        assert list(totals) == [f"player_{seat}" for seat in range(players)]
        assert list(totals.values()) == tables.scores[0].tolist()
        assert tables.scores[0].any()
        assert not tables.scores[0].sum()


@pytest.mark.slow
@each_game
def test_every_seat_observes_in_its_space_at_every_step(name):
    env = tarot_v0.env(**GAMES[name], history=True)
    env.reset(seed=4)
    rng, layout = np.random.default_rng(1), observation_layout(env.unwrapped.rules)
    for agent in env.agent_iter():
        for seat, other in enumerate(env.possible_agents):
            seen = env.observe(other)
            assert env.observation_space(other).contains(seen)
            turn = env.unwrapped.tables.turn(np.array([0]), np.array([seat]))
            assert np.array_equal(seen["observation"], layout.encode(turn)[0])
            acts = other == agent and not env.terminations.get(agent, True)
            assert seen["action_mask"].any() == acts
        assert env.state_space.contains(env.state())
        _, _, terminated, _, _ = env.last()
        mask = env.observe(agent)["action_mask"]
        env.step(None if terminated else int(rng.choice(np.flatnonzero(mask))))


def test_a_dealer_who_sits_out_is_never_asked_and_gets_its_reward():
    env = tarot_v0.env(**GAMES["mort"])
    rng = np.random.default_rng(5)
    for deal in range(5):
        env.reset(seed=11 if deal == 0 else None)
        dealer = f"player_{env.unwrapped.tables.columns.dealer[0]}"
        totals, asked = play(env, rng)
        assert asked == set(env.possible_agents) - {dealer}
        assert totals[dealer] == 0
        assert totals != dict.fromkeys(env.possible_agents, 0)


def test_the_defender_acts_at_the_dummys_turn():
    env = tarot_v0.env(**GAMES["dummy"])
    env.reset(seed=3)
    rng, turns = np.random.default_rng(2), 0
    for agent in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        mask = observation["action_mask"]
        tables = env.unwrapped.tables
        if tables.hand_to_play[0] == 2:
            turns += 1
            assert agent == f"player_{1 - tables.taker[0]}"
            held = cardsets.to_ids(tables.columns.hands[0, 2])
            assert set(np.flatnonzero(mask)) <= set(held)
        env.step(None if terminated else int(rng.choice(np.flatnonzero(mask))))
    assert turns == 24


@pytest.mark.parametrize(
    ("name", "following"), [("3", 1), ("5", 1), ("6", 1), ("mort", 5), ("dummy", 1)]
)
def test_a_passed_out_deal_is_dealt_again_by_the_rules(name, following):
    env = tarot_v0.env(**GAMES[name])
    env.reset(seed=6)
    speaking = len({"mort": "1234"}.get(name, range(env.unwrapped.rules.players)))
    for _ in range(speaking):
        env.step(78)
    assert env.unwrapped.tables.deal_ids[0] == following
    env.reset()
    assert env.unwrapped.tables.deal_ids[0] == following + 1


def test_after_a_dummy_bid_the_same_dealer_deals_again():
    env = tarot_v0.env(**GAMES["6"])
    env.reset(seed=6)
    env.step(PETITE)
    for _ in range(5):
        env.step(78)
    assert env.unwrapped.tables.deal_ids[0] == 6
    assert env.agent_selection == "player_1"


# -- given deals


@each_game
def test_a_given_deal_of_every_game(name):
    rules = rules_of(name)
    deal = Deal.from_seed(99, 2, rules)
    text = {
        "hands": [[action_text(card) for card in hand] for hand in deal.hands],
        "chien": list(deal.chien),
        "dealer": deal.dealer,
        "stock": [action_text(card) for card in deal.stock] or None,
        "piles": [[[*pile] for pile in seat] for seat in deal.piles] or None,
    }
    env = tarot_v0.env(**GAMES[name])
    for given in (deal, text):
        env.reset(seed=7, options={"deal": given})
        assert env.unwrapped.tables.columns.pack[0].tolist() == deal.pack
        assert env.unwrapped.tables.columns.dealer[0] == deal.dealer
    pass_out(env.unwrapped.tables)
    env.reset()
    assert env.unwrapped.tables.deal_ids[0] == 0


@each_game
def test_parts_of_a_deal_are_completed(name):
    env = tarot_v0.env(**GAMES[name])
    rules = env.unwrapped.rules
    chien = [76, 56, 77, 13, 27, 41][: rules.chien_size]
    dealer = rules.players - 1
    env.reset(seed=7, options={"deal": {"chien": chien, "dealer": dealer}})
    pack = env.unwrapped.tables.columns.pack[0].tolist()
    start = rules.hand_size * (rules.hands - rules.dead_hand)
    assert pack[start:][: len(chien)] == chien
    assert sorted(pack) == list(range(78))
    base = [card for card in Deal.from_seed(7, 0, rules).pack if card not in chien]
    assert pack[:start] + pack[start + len(chien) :] == base
    assert env.unwrapped.tables.columns.dealer[0] == dealer

    hand = list(range(rules.hand_size))
    hands = [None] * (rules.hands - 1) + [hand]
    env.reset(options={"deal": {"hands": hands, "dealer": 0}})
    assert env.unwrapped.tables.columns.pack[0].tolist()[start - len(hand) : start] == hand


def test_parts_that_only_some_games_have():
    env = tarot_v0.env(**GAMES["tirette"])
    stock = list(range(24))
    env.reset(seed=7, options={"deal": {"stock": stock}})
    assert env.unwrapped.tables.columns.pack[0, 54:].tolist() == stock
    env = tarot_v0.env(**GAMES["decouverte"])
    piles = [[[2 * n + 24 * seat, 2 * n + 24 * seat + 1] for n in range(12)] for seat in range(2)]
    env.reset(seed=7, options={"deal": {"piles": piles, "forced": (1, "garde")}})
    assert env.unwrapped.tables.columns.pack[0, 30:].tolist() == list(range(48))
    assert env.unwrapped.tables.taker[0] == 1


@pytest.mark.parametrize(
    ("name", "deal", "message"),
    [
        ("dummy", {"hands": [None, None]}, "list of 3, one for each seat, and the dummy's"),
        ("mort", {"hands": [[0], None, None, None, None], "dealer": 0}, "the dealer sits out"),
        ("mort", {"forced": (0, "garde"), "dealer": 0}, "the dealer sits out"),
        ("tirette", {"stock": ["S1"]}, "the stock has 1 card; it must have 24"),
        ("4", {"stock": ["S1"]}, "has"),
        ("decouverte", {"piles": [[["S1"]]]}, "pairs"),
        ("decouverte", {"piles": "S1"}, "a list for each seat"),
        ("decouverte", {"piles": [[["S1", "S2"]], []]}, "piles: .*wanted: 12"),
        ("6", {"forced": (0, "petite")}, "unknown contract 'petite'"),
    ],
)
def test_what_is_no_deal_of_a_game_is_refused(name, deal, message):
    env = tarot_v0.env(**GAMES[name])
    env.reset(seed=7)
    before = env.unwrapped.tables.columns.pack.copy()
    with pytest.raises(InvalidDeal, match=message):
        env.reset(options={"deal": deal})
    assert np.array_equal(before, env.unwrapped.tables.columns.pack)


# -- Gymnasium


@each_game
def test_the_reward_is_the_score_of_the_learners_seat(name):
    players = rules_of(name).players
    rng = np.random.default_rng(0)
    for seat in range(players):
        env = SingleSeatEnv(**GAMES[name], seat=seat)
        _, info = env.reset(seed=1)
        for _ in range(2):
            total, info = play_seat(env, rng, info)
            assert total == info["scores"][seat]
            assert "totals" not in info
            assert not info["scores"].sum()
            _, info = env.reset()


@each_game
def test_every_other_seat_is_an_opponent(name):
    players = rules_of(name).players
    agents = [Highest() for _ in range(players - 1)]
    env = SingleSeatEnv(**GAMES[name], seat=1, opponents=agents)
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=1)
    for _ in range(3):
        play_seat(env, rng, info)
        _, info = env.reset()
    assert [agent.seats for agent in agents] == [{(2 + n) % players} for n in range(players - 1)]


@pytest.mark.parametrize("taker", [0, 1])
def test_whoever_defends_plays_the_dummy(taker):
    opponent = Highest()
    env = SingleSeatEnv(**GAMES["dummy"], opponents=opponent)
    _, info = env.reset(seed=1, options={"deal": {"forced": (taker, "garde_sans")}})
    own, terminated = 0, False
    while not terminated:
        own += env.tables.hand_to_play[0] == 2
        _, _, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert own == (0 if taker == 0 else 24)
    assert (2 in opponent.hands) == (taker == 0)


@pytest.mark.parametrize("seat", range(5))
def test_deals_that_the_learner_would_sit_out_are_left_out(seat):
    env = SingleSeatEnv(**GAMES["mort"], seat=seat, opponents=Highest())
    rng, ids = np.random.default_rng(0), []
    _, info = env.reset(seed=1)
    for _ in range(6):
        ids.append(int(env.tables.deal_ids[0]))
        play_seat(env, rng, info)
        _, info = env.reset()
    assert ids == [n for n in range(10) if n % 5 != seat][:6]
    env.reset(seed=1, options={"deal": {"forced": (seat, "garde")}})
    assert env.tables.columns.dealer[0] == (1 if seat == 0 else 0)
    with pytest.raises(InvalidDeal, match=f"seat {seat} deals and sits out"):
        env.reset(options={"deal": {"dealer": seat}})


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), [*((name, 4) for name in GAMES), ("mort", 5)])
def test_every_lane_equals_the_same_deals_on_a_single_table(name, size):
    seat = 1
    envs = SingleSeatVectorEnv(size, **GAMES[name], seat=seat, opponents=Highest())
    single = SingleSeatEnv(**GAMES[name], seat=seat, opponents=Highest(), redeal=False)
    observations, infos = envs.reset(seed=9)
    assert envs.observation_space.contains(observations)
    rng, ended, deals = np.random.default_rng(0), np.zeros(size, bool), []
    lanes = [[] for _ in range(size)]
    for _ in range(60):
        for lane in np.flatnonzero([not steps for steps in lanes]):
            deal = Deal.from_seed(9, int(envs.tables.deal_ids[lane]), envs.rules)
            deals.append(deal.deal_id)
            lanes[lane] = [(observations[lane].copy(), deal)]
        mask = infos["action_mask"]
        actions = (rng.random(mask.shape) * mask).argmax(1)
        observations, rewards, terminations, _, infos = envs.step(actions)
        for lane in range(size):
            if ended[lane]:
                lanes[lane] = []
            else:
                lanes[lane].append((observations[lane].copy(), actions[lane], rewards[lane]))
            if terminations[lane]:
                check_lane(single, lanes[lane])
        ended = terminations
    assert len(deals) > size
    assert len(set(deals)) == len(deals)


def check_lane(env, steps):
    (first, deal), *rest = steps
    observation, _ = env.reset(options={"deal": deal})
    assert np.array_equal(observation, first)
    for expected, action, paid in rest:
        observation, reward, terminated, _, _ = env.step(action)
        assert np.array_equal(observation, expected)
        assert reward == paid
    assert terminated


def test_every_seat_deals_in_every_lane_where_the_dealer_sits_out():
    size, seat = 5, 2
    envs = SingleSeatVectorEnv(size, **GAMES["mort"], seat=seat, opponents=Highest())
    _, infos = envs.reset(seed=3)
    dealers = [set() for _ in range(size)]
    rng = np.random.default_rng(0)
    for _ in range(150):
        for lane in range(size):
            dealers[lane].add(int(envs.tables.columns.dealer[lane]))
        mask = infos["action_mask"]
        *_, infos = envs.step((rng.random(mask.shape) * mask).argmax(1))
    assert dealers == [{0, 1, 3, 4}] * size


def test_spaces_have_the_sizes_of_the_game():
    for name in GAMES:
        env = SingleSeatEnv(**GAMES[name])
        layout = observation_layout(rules_of(name))
        assert env.observation_space.shape == (layout.size,)
        assert env.action_space.n == NUM_ACTIONS
        env.reset(seed=0)
        assert env.tables.phase[0] in (Phase.AUCTION, Phase.PLAY, Phase.PETIT_SEC, Phase.POIGNEE)
