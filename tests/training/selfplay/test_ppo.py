"""The trainer: what it collects, that it goes on exactly, that it learns."""

import copy
import csv
from dataclasses import replace

import numpy as np
import pytest
import torch

from agents.baselines.uniform import UniformAgent
from agents.neural.agent import NeuralAgent, policy_of
from agents.neural.policy import log_policy
from tarot_env import Bid, Phase, Rules, Tables, TarotError
from tarot_env.cards import cardsets
from tarot_env.cards.actions import PASS, parse_action
from tarot_env.observation import observation_layout, side_half_points, state_layout
from tarot_env.observation.layouts import ObservationLayout, StateLayout
from tarot_env.tables.turn import unpermute_actions
from training.selfplay import checkpoint
from training.selfplay.config import CollectConfig, EvalConfig, FinalConfig, PPOConfig, TrainConfig
from training.selfplay.policy_pool import Pool
from training.selfplay.ppo import Targets, Trainer, _bid_rates
from training.selfplay.rollout import Collected, Collector, interim_scores
from training.selfplay.run import train
from training.tournament import evaluate

SMALL = TrainConfig(
    name="small",
    seed=5,
    decisions=1_000_000,
    threads=1,
    hidden=(16,),
    collect=CollectConfig(tables=16, steps=60, pool_every=1, pool_size=2, past_share=0.5),
    ppo=PPOConfig(minibatch=256),
    eval=EvalConfig(every=0),
)
TIMES = ("seconds", "charts/SPS", "charts/environment_share")


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def collect(trainer, given_share=0.5):
    batch = trainer.collector.collect(given_share)
    return batch.buffer.take(batch.rows)


def collector(trainer=None, pool=None, **changes):
    config = replace(SMALL.collect, **changes)
    trainer = trainer or Trainer(SMALL)
    return Collector(
        Rules.preset(),
        config,
        np.random.default_rng(0),
        actor=trainer.actor,
        critic=trainer.critic,
        pool=pool or Pool(0),
    )


def test_forced_moves_stay_out_of_the_batch_and_every_choice_is_legal():
    trainer = Trainer(SMALL)
    for _ in range(3):
        data = collect(trainer)
        assert (cardsets.count(data.legal) >= 2).all()
        assert cardsets.contains(data.legal, data.action).all()


def test_each_seat_gets_its_score_once_at_its_last_decision_of_each_deal():
    trainer = Trainer(replace(SMALL, collect=replace(SMALL.collect, past_share=0.0, steps=200)))
    trainer.collector.collect(1.0)  # ends what the warm-up began
    batch = trainer.collector.collect(1.0)
    data = batch.buffer.take(batch.rows)
    assert (data.reward[~data.last] == 0).all()
    assert data.last.sum() == 4 * batch.deals
    for table in range(16):
        ends = np.flatnonzero(data.last & (data.lane // 4 == table))
        rewards = data.reward[ends]
        assert rewards.sum() == pytest.approx(0.0)
        assert (rewards != 0).any()


def test_given_share_one_gives_every_deal_a_contract_and_none_leaves_them_free():
    given, free = collector(), collector()
    given.collect(1.0)
    free.collect(0.0)
    assert (given.bidder >= 0).all()
    assert (free.bidder < 0).all()


def test_in_a_given_auction_one_seat_bids_and_the_others_pass_without_a_decision():
    trainer = Trainer(replace(SMALL, collect=replace(SMALL.collect, past_share=0.0, steps=200)))
    with torch.no_grad():
        trainer.actor.body.others.bias[PASS - 56] = 50.0  # always passes where it may choose
    trainer.collector.collect(1.0)  # ends what the warm-up began
    batch = trainer.collector.collect(1.0)
    data = batch.buffer.take(batch.rows)
    auction = data.phase == Phase.AUCTION
    assert (data.given == auction).all()
    assert auction.sum() == batch.deals
    assert (data.action[auction] > PASS).all()
    state = trainer.collector.tables.columns
    in_play = state.phase == Phase.PLAY
    assert in_play.any()
    assert (state.taker == trainer.collector.bidder)[in_play].all()


def test_the_critic_does_not_learn_from_bids_that_were_given():
    """They say what bidding brings, not what the policy makes of the hand."""
    trainer = Trainer(replace(SMALL, collect=replace(SMALL.collect, steps=200)))
    data = collect(trainer)
    assert data.given.any()
    assert not data.given.all()
    gradients = []
    for remaining in (0.0, 1.0):
        n = len(data.lane)
        even = np.ones(n, np.float32)
        targets = Targets(
            advantages=even,
            remaining=np.where(data.given, remaining, 0.5).astype(np.float32),
            weights=even,
            entropy_weights=even,
        )
        before = copy.deepcopy(trainer.state())
        trainer._minibatch(data, targets, np.arange(n))
        gradients.append([weight.grad.clone() for weight in trainer.critic.parameters()])
        trainer.load(before)
    for one, other in zip(*gradients, strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("network", ["plain", "suits"])
def test_the_environment_has_the_time_of_tables_turns_and_observations(monkeypatch, network):
    now, inside = 0.0, False

    def takes_a_second(function):
        def timed(*args, **kwargs):
            nonlocal now, inside
            outermost, inside = not inside, True
            result = function(*args, **kwargs)
            if outermost:
                now, inside = now + 1.0, False
            return result

        return timed

    trainer = Trainer(replace(SMALL, network=network))
    collect(trainer)
    work = {
        Tables: ("legal_sets", "turn", "hidden", "step", "reset"),
        ObservationLayout: ("encode",),
    }
    work[StateLayout] = ("encode",)
    for kind, names in work.items():
        for name in names:
            monkeypatch.setattr(kind, name, takes_a_second(getattr(kind, name)))
    monkeypatch.setattr("training.selfplay.rollout.time.perf_counter", lambda: now)
    collect(trainer)
    assert trainer.collector.environment_seconds == now > 100


def test_past_selves_decide_outside_the_batch():
    trainer = Trainer(SMALL)
    pool = Pool(2)
    pool.add(trainer.actor, np.random.default_rng(0))
    mixed = collector(trainer, pool, past_share=1.0, steps=200)
    mixed.collect(1.0)  # ends what the warm-up began
    batch = mixed.collect(1.0)
    assert (mixed.learns.sum(1) == 1).all()
    alone = batch.buffer.take(batch.rows)
    assert alone.last.sum() == batch.deals


def test_decisions_of_unfinished_deals_wait_until_the_deal_is_scored():
    """Over many short batches every deal comes out whole, once, with its rewards."""
    trainer = Trainer(replace(SMALL, collect=replace(SMALL.collect, past_share=0.0, steps=25)))
    for _ in range(4):  # ends what the warm-up began
        trainer.collector.collect(1.0)
    collected, deals = [], 0
    for _ in range(12):
        batch = trainer.collector.collect(1.0)
        collected.append(batch.buffer.take(batch.rows))
        deals += batch.deals
    assert deals > 32
    assert sum(int(data.last.sum()) for data in collected) == 4 * deals
    for data in collected:
        for lane in np.unique(data.lane):
            mine = data.last[data.lane == lane]
            assert mine[-1]
        assert (np.diff(data.step) >= 0).all()


def test_tables_are_spread_over_a_deal():
    lanes = collector(tables=64, steps=1)
    lanes.collect(1.0)
    assert len(np.unique(lanes.tables.columns.trick_number)) > 12


@pytest.mark.parametrize("network", ["suits", "plain"])
def test_acting_and_learning_see_the_same_policy(network):
    """The log-probability noted when acting is that of the stored input, suits renamed or not."""
    trainer = Trainer(replace(SMALL, network=network))
    data = collect(trainer)
    with torch.no_grad():
        logits = trainer.actor(torch.from_numpy(data.observation))
    policy = log_policy(logits, torch.from_numpy(cardsets.to_mask(data.legal)))
    again = policy.gather(1, torch.from_numpy(data.action.astype(np.int64))[:, None])[:, 0]
    assert torch.allclose(again, torch.from_numpy(data.logprob), atol=1e-5)


def test_suit_permutation_is_drawn_per_deal_and_seat_and_undone_for_the_table():
    plain = collector(Trainer(replace(SMALL, network="plain")))
    plain.collect(1.0)
    permutations = {tuple(row) for row in plain.permutation.reshape(-1, 4)}
    assert len(permutations) > 12
    tables = Tables(Rules.preset(), 64, seed=9)
    permutation = np.array([[2, 0, 3, 1]] * 64)
    while not tables.is_over.all():
        rows = np.flatnonzero(~tables.is_over)
        turn = tables.turn(rows)
        turned = turn.permute_suits(permutation[rows])
        chosen = cardsets.lowest(turned.legal)
        actions = np.full(64, -1)
        actions[rows] = unpermute_actions(chosen, permutation[rows])
        assert cardsets.contains(turn.legal, actions[rows]).all()
        tables.step(actions)


def test_the_actor_never_sees_what_the_critic_sees():
    layout = observation_layout(Rules.preset())
    names = {field.name for field in layout.fields}
    assert names.isdisjoint({"hands", "all_chien", "all_ecart", "all_withheld", "true_phase"})
    trainer = Trainer(SMALL)

    assert sorted(trainer.actor.body.reader.order) == list(range(layout.size))
    assert len(trainer.critic.body.reader.order) == state_layout(Rules.preset()).size
    actor = {id(parameter) for parameter in trainer.actor.parameters()}
    assert actor.isdisjoint(id(parameter) for parameter in trainer.critic.parameters())


def test_a_critic_of_any_opinion_leaves_the_choice_alone():
    trainer = Trainer(SMALL)
    turn = Tables(Rules.preset(), 32, seed=4).turn()
    before = policy_of(trainer.actor, observation_layout(Rules.preset()), turn)
    for parameter in trainer.critic.parameters():
        torch.nn.init.normal_(parameter)
    after = policy_of(trainer.actor, observation_layout(Rules.preset()), turn)
    assert np.array_equal(before, after)


def rows_of(folder):
    with (folder / "metrics.csv").open() as file:
        return [{k: v for k, v in row.items() if k not in TIMES} for row in csv.DictReader(file)]


def assert_same(first, second):
    if isinstance(first, dict):
        assert first.keys() == second.keys()
        for key in first:
            if key not in ("seconds", "positions", "config"):
                assert_same(first[key], second[key])
    elif isinstance(first, list):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            assert_same(one, other)
    elif isinstance(first, torch.Tensor):
        assert torch.equal(first, second)
    else:
        assert first == second


COUNTS = {
    name: Collected(None, np.arange(0), deals=4, made=made, taken=np.array(taken))
    for name, made, taken in (
        ("no auction", 0, [0] * 6),
        ("nobody took", 0, [4, 0, 0, 0, 0, 0]),
        ("one of two made", 1, [2, 0, 0, 2, 0, 0]),
    )
}


def run_config(tmp_path, name, updates):
    """A run that stops after about so many updates of 16 tables by 40 steps."""
    evaluation = EvalConfig(every=2, deals=4, opponents=("random",), select_by="random")
    return replace(SMALL, name=name, runs=str(tmp_path), eval=evaluation, checkpoint_every=100)


def stop_after(updates):
    def on_update(row):
        if row["update"] == updates:
            raise KeyboardInterrupt

    return on_update


def test_four_updates_equal_two_and_two_more_bit_for_bit(tmp_path):
    whole = run_config(tmp_path, "whole", 4)
    with pytest.raises(KeyboardInterrupt, match="update 4"):
        train(whole, on_update=stop_after(4))
    halves = replace(whole, name="halves")
    with pytest.raises(KeyboardInterrupt, match="update 2"):
        train(halves, on_update=stop_after(2))
    with pytest.raises(KeyboardInterrupt, match="update 4"):
        train(halves, resume=True, on_update=stop_after(4))
    first = torch.load(whole.folder / "latest.pt", weights_only=True)
    second = torch.load(halves.folder / "latest.pt", weights_only=True)
    assert first["updates"] == 4
    assert_same(first, second)
    assert rows_of(whole.folder) == rows_of(halves.folder)
    assert [row["update"] for row in rows_of(whole.folder)] == ["0", "1", "2", "3", "4"]


def test_what_was_not_counted_is_no_zero_in_the_files_of_a_run(tmp_path):
    """While all contracts are given there is no auction: blank cells, no scalars."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    config = run_config(tmp_path, "given", 2)
    with pytest.raises(KeyboardInterrupt):
        train(config, on_update=stop_after(1))
    first = rows_of(config.folder)[1]
    assert float(first["charts/given_share"]) == 1
    assert {value for name, value in first.items() if name.startswith("bids/")} == {""}
    events = EventAccumulator(str(config.folder)).Reload()
    assert not [tag for tag in events.Tags()["scalars"] if tag.startswith("bids/")]


def test_bid_rates_are_shares_of_what_was_counted():
    rates = {name: _bid_rates(counts) for name, counts in COUNTS.items()}
    assert rates["no auction"] == {}
    assert "bids/made" not in rates["nobody took"]
    assert rates["nobody took"]["bids/passed_out"] == 1
    assert rates["nobody took"]["bids/garde"] == 0
    assert rates["one of two made"]["bids/made"] == 0.5
    assert rates["one of two made"]["bids/garde"] == 0.5


def test_explained_variance_is_absent_where_there_is_nothing_to_explain(monkeypatch):
    trainer = Trainer(SMALL)
    monkeypatch.setattr("training.selfplay.ppo.variance", lambda values, processes: 0.0)
    row = trainer.update()
    assert "losses/policy_loss" in row
    assert "losses/explained_variance" not in row


def test_a_run_stopped_before_its_first_update_goes_on_like_any_other(tmp_path, monkeypatch):
    config = run_config(tmp_path, "early", 2)
    monkeypatch.setattr(Trainer, "update", lambda self: stop_after(0)({"update": 0}))
    with pytest.raises(KeyboardInterrupt, match="update 0"):
        train(config)
    monkeypatch.undo()
    whole = replace(config, name="whole")
    for settings, resume in ((config, True), (whole, False)):
        with pytest.raises(KeyboardInterrupt, match="update 2"):
            train(settings, resume=resume, on_update=stop_after(2))
    first = torch.load(config.folder / "latest.pt", weights_only=True)
    assert_same(first, torch.load(whole.folder / "latest.pt", weights_only=True))
    assert rows_of(config.folder) == rows_of(whole.folder)


def test_a_run_stopped_in_its_first_evaluation_can_be_resumed(tmp_path, monkeypatch):
    config = run_config(tmp_path, "early", 2)

    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("training.selfplay.run.evaluate", interrupted)
    with pytest.raises(KeyboardInterrupt, match="update 0"):
        train(config)
    monkeypatch.undo()
    with pytest.raises(KeyboardInterrupt, match="update 1"):
        train(config, resume=True, on_update=stop_after(1))
    assert [row["update"] for row in rows_of(config.folder)] == ["0", "1"]


def test_an_unknown_opponent_of_the_final_is_found_before_training(tmp_path):
    config = run_config(tmp_path, "typo", 2)
    with pytest.raises(TarotError, match="did you mean 'random'"):
        train(replace(config, final=FinalConfig(deals=1, opponents=("randm",))))
    assert not config.folder.exists()


class WithFive(UniformAgent):
    """An agent that plays with five players alone."""

    def check_rules(self, rules):
        if rules.players != 5:
            raise TarotError("five players, or I am off")


@pytest.mark.parametrize("part", ["eval", "final"])
@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("support.cheaters:Highest", "'support.cheaters:Highest' sees all hands; training takes"),
        ("test_ppo:WithFive", "five players, or I am off"),
    ],
)
def test_opponents_that_cannot_play_are_refused_before_training(tmp_path, part, agent, words):
    config = run_config(tmp_path, "refused", 2)
    changes = {
        "eval": EvalConfig(every=2, deals=4, opponents=(agent,), select_by=agent),
        "final": FinalConfig(deals=1, opponents=(agent,)),
    }
    with pytest.raises(TarotError, match=words):
        train(
            replace(config, **{part: changes[part]}), on_update=lambda _: pytest.fail("it trains")
        )
    assert not config.folder.exists()


def test_a_batch_holds_a_finished_deal_however_few_the_steps():
    lanes = collector(tables=1, steps=1)
    for _ in range(3):
        assert len(lanes.collect(1.0).rows)


def test_ctrl_c_in_the_middle_of_an_update_goes_back_to_the_last_finished_one(
    tmp_path, monkeypatch
):
    config = run_config(tmp_path, "stopped", 4)
    original = Trainer._minibatch
    calls = []

    def interrupted(self, *arguments):
        calls.append(1)
        if self.updates == 2:
            raise KeyboardInterrupt
        return original(self, *arguments)

    monkeypatch.setattr(Trainer, "_minibatch", interrupted)
    with pytest.raises(KeyboardInterrupt, match="update 2"):
        train(config)
    monkeypatch.undo()
    whole = replace(config, name="whole")
    for settings, resume in ((config, True), (whole, False)):
        with pytest.raises(KeyboardInterrupt, match="update 3"):
            train(settings, resume=resume, on_update=stop_after(3))
    first = torch.load(config.folder / "latest.pt", weights_only=True)
    assert_same(first, torch.load(whole.folder / "latest.pt", weights_only=True))
    assert rows_of(config.folder) == rows_of(whole.folder)


def test_event_files_are_cut_back_too(tmp_path):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    config = run_config(tmp_path, "events", 4)
    with pytest.raises(KeyboardInterrupt):
        train(config, on_update=stop_after(2))
    saved = torch.load(config.folder / "latest.pt", weights_only=True)
    with pytest.raises(KeyboardInterrupt):
        train(config, resume=True, on_update=stop_after(4))
    checkpoint.save(config.folder / "latest.pt", saved)  # as if killed behind update 2
    with pytest.raises(KeyboardInterrupt):
        train(config, resume=True, on_update=stop_after(3))
    events = EventAccumulator(str(config.folder)).Reload()
    assert len(events.Scalars("losses/policy_loss")) == 3
    assert [row["update"] for row in rows_of(config.folder)] == ["0", "1", "2", "3"]


def test_a_run_whose_files_are_not_its_own_is_refused_and_nothing_touched(tmp_path):
    config = run_config(tmp_path, "odd", 2)
    with pytest.raises(KeyboardInterrupt):
        train(config, on_update=stop_after(1))
    (events,) = config.folder.glob("events.*")
    files = [config.folder / "metrics.csv", events]
    whole = {file: file.read_bytes() for file in files}

    def refused(words):
        before = {file: file.read_bytes() for file in config.folder.iterdir()}
        with pytest.raises(TarotError, match=words) as caught:
            train(config, resume=True)
        assert "\n" not in str(caught.value)
        assert {file: file.read_bytes() for file in config.folder.iterdir()} == before

    for file in files:
        file.write_bytes(whole[file][:-1])
        refused("cannot go on")
        file.unlink()
        refused("is missing")
        file.write_bytes(whole[file])

    latest = config.folder / "latest.pt"
    saved = torch.load(latest, weights_only=True)
    for key in saved:
        for odd in ({k: v for k, v in saved.items() if k != key}, {**saved, key: None}):
            checkpoint.save(latest, odd)
            refused("no checkpoint|was made with")
    name, weight = next(iter(saved["critic"].items()))
    for odd in (weight * torch.nan, weight[:1]):
        checkpoint.save(latest, {**saved, "critic": {**saved["critic"], name: odd}})
        refused("no checkpoint to go on from: critic")


def test_a_full_disk_keeps_the_checkpoint_before(tmp_path, monkeypatch):
    path = tmp_path / "latest.pt"
    checkpoint.save(path, {"updates": 1})

    def no_space(contents, file):
        file.write(b"half a checkpoint")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(torch, "save", no_space)
    with pytest.raises(
        Exception, match="No space left on device; the checkpoint before it is kept"
    ):
        checkpoint.save(path, {"updates": 2})
    monkeypatch.undo()
    assert torch.load(path, weights_only=True) == {"updates": 1}
    assert [file.name for file in tmp_path.iterdir()] == ["latest.pt"]


def test_training_neither_reads_nor_writes_global_random_state(tmp_path):
    results = []
    for seed in (1, 2):
        np.random.seed(seed)  # noqa: NPY002
        torch.manual_seed(seed)
        before = np.random.get_state()[1].copy(), torch.get_rng_state().clone()  # noqa: NPY002
        trainer = Trainer(SMALL)
        trainer.update()
        assert np.array_equal(before[0], np.random.get_state()[1])  # noqa: NPY002
        assert torch.equal(before[1], torch.get_rng_state())
        results.append(trainer.state())
    assert_same(results[0], results[1])


@pytest.mark.slow
def test_it_learns_to_beat_its_untrained_self():
    config = replace(
        SMALL,
        decisions=60_000,
        hidden=(64,),
        collect=CollectConfig(tables=64, steps=48),
        ppo=PPOConfig(learning_rate=2e-3, minibatch=512, epochs=3),
    )
    trainer = Trainer(config)
    untrained = NeuralAgent(copy.deepcopy(trainer.actor), Rules.preset(), name="untrained")
    while not trainer.is_done:
        trainer.update()
    result = evaluate(trainer.agent(), untrained, deals=100, seed=1_000_001, force="garde")
    assert result.low > 0


def test_phases_other_than_play_are_collected_too():
    trainer = Trainer(replace(SMALL, collect=replace(SMALL.collect, steps=100)))
    phases = set(collect(trainer).phase.tolist())
    assert {Phase.AUCTION, Phase.DISCARD, Phase.SLAM, Phase.PLAY} <= phases


def test_interim_scores_are_what_the_margin_would_be_if_the_rest_were_shared():
    """Points of the attack less those of the defence, halved, by contract and role."""
    tables = Tables(Rules.preset(), 32, seed=6)
    live = np.flatnonzero(~tables.is_over)
    tables.force(live, 1, Bid.GARDE_SANS)
    rng = np.random.default_rng(0)
    for _ in range(40):
        tables.step(tables.random_actions(rng))
    turn = tables.turn(live)
    attack, defence = side_half_points(turn).T / 2
    assert (attack + defence > 15).all()
    margin = (attack - defence) / 2
    expected = np.where(turn.seat == 1, 3 * 4 * margin, -4 * margin)
    assert interim_scores(turn) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rules", "parts"),
    [
        (Rules.preset("fft", players=3), {2, -1}),
        (Rules.preset("fft", players=5), {4, 2, 1, -1}),
        (Rules.preset("fft", players=5, partner_share=(1, 1)), {4, 1.5, -1}),
        (Rules.preset("fft", game="mort"), {3, -1, 0}),
        (Rules.preset("jeu-de-tarot", players=6), {2, -1}),
        (Rules.preset("jeu-de-tarot", game="dummy"), {1, -1}),
    ],
)
def test_interim_scores_share_as_the_deal_is_paid(rules, parts):
    """A lead of 4 points on a garde sans is 4 * 4 / 2 to each, times its part."""
    tables = Tables(rules, 64, seed=6)
    live = np.flatnonzero(~tables.is_over)
    tables.force(live, (tables.columns.dealer[live] + 1) % rules.players, Bid.GARDE_SANS)
    rng = np.random.default_rng(0)
    for _ in range(5 * rules.cards_per_trick):
        tables.step(tables.random_actions(rng))
    seen = set()
    for seat in range(rules.players):
        turn = tables.turn(live, np.full(len(live), seat))
        attack, defence = side_half_points(turn).T / 2
        margin = 4 * (attack - defence) / 2
        there = margin != 0
        seen |= set(np.unique(interim_scores(turn)[there] / margin[there]).tolist())
    assert seen == parts


def test_a_contra_that_only_signals_does_not_multiply():
    for effect, factor in (("double", 2), ("signal", 1)):
        rules = Rules.preset("jeu-de-tarot", players=6, contra_effect=effect)
        tables = Tables(rules, 1, seed=6)
        for action in ("garde", "contra"):
            tables.step(np.array([parse_action(action)]))
        rng = np.random.default_rng(1)
        while tables.phase[0] != Phase.PLAY or tables.columns.trick_number[0] < 3:
            auction = tables.phase[0] == Phase.AUCTION
            tables.step(np.array([PASS]) if auction else tables.random_actions(rng))
        turn = tables.turn(np.array([0]), tables.taker.copy())
        attack, defence = side_half_points(turn).T / 2
        expected = 2 * factor * 2 * (attack - defence) / 2
        assert interim_scores(turn) == pytest.approx(expected)
        assert expected != 0
