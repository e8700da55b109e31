"""The network agent: loading, refusing what it cannot play, choosing."""

import numpy as np
import pytest
import torch

from agents.neural.agent import NeuralAgent, draw, policy_of
from agents.neural.policy import Actor
from agents.registry import make_agent
from tarot_env import Rules, Tables, TarotError
from tarot_env.cards import cardsets
from tarot_env.envs.single import SingleSeatEnv
from tarot_env.observation import observation_layout
from training.cli.play import play_at_table
from training.selfplay.checkpoint import save
from training.tournament import run_tournament
from training.tournament.simulate import simulate

LAYOUT = observation_layout(Rules.preset())


def contents(actor, **changes):
    saved = {
        "format": "tarot-checkpoint/1",
        "rules": Rules.preset().to_dict(),
        "hidden": [8],
        "network": "suits",
        "actor": actor.state_dict(),
    }
    return {**saved, **changes}


@pytest.fixture
def actor():
    with torch.random.fork_rng():
        torch.manual_seed(3)
        return Actor(LAYOUT, [8])


def test_a_saved_agent_plays_as_before(tmp_path, actor):
    save(tmp_path / "a.pt", contents(actor))
    agent = make_agent(f"ppo:{tmp_path / 'a.pt'}")
    turn = Tables(Rules.preset(), 64, seed=2).turn()
    rng = np.random.default_rng(0)
    chosen = agent.act(turn, rng)
    expected = policy_of(actor, LAYOUT, turn).argmax(1)
    assert chosen.tolist() == expected.tolist()
    assert cardsets.contains(turn.legal, chosen).all()


def test_sampling_follows_the_policy_and_the_generator(tmp_path, actor):
    save(tmp_path / "a.pt", contents(actor))
    agent = make_agent(f"ppo:{tmp_path / 'a.pt'},sample=true")
    assert agent.name.endswith(",sample=true")
    turn = Tables(Rules.preset(), 1, seed=2).turn(np.zeros(4000, np.int64))
    chosen = agent.act(turn, np.random.default_rng(7))
    assert chosen.tolist() == agent.act(turn, np.random.default_rng(7)).tolist()
    shares = np.bincount(chosen, minlength=95) / 4000
    wanted = policy_of(actor, LAYOUT, turn)[0]
    assert np.abs(shares - wanted).max() < 0.04
    assert set(np.flatnonzero(shares)) <= set(np.flatnonzero(wanted))


def test_draw_never_takes_an_action_of_probability_zero():
    chances = np.zeros((10_000, 95), np.float32)
    chances[:, [4, 90]] = 0.5
    assert set(draw(chances, np.random.default_rng(1)).tolist()) == {4, 90}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path, actor: None, "does not exist"),
        (lambda path, actor: path.write_bytes(b"no checkpoint"), "is no checkpoint"),
        (lambda path, actor: torch.save({"a": 1}, path), "is no checkpoint of format"),
        (lambda path, actor: torch.save([1], path), "is no checkpoint of format"),
        (
            lambda path, actor: torch.save(contents(Actor(LAYOUT, [9])), path),
            "holds another network: body.reader.from_suits.weight is .9, .*this version needs .8, ",
        ),
        *(
            (
                lambda path, actor, c=changes: torch.save({**contents(actor), **c}, path),
                "no checkpoint",
            )
            for changes in (
                {"rules": 3},
                {"rules": {"preset": "none"}},
                {"hidden": "x"},
                {"hidden": [10**12]},
                {"hidden": []},
                {"network": 5},
                {"network": []},
                {"actor": None},
                {"actor": {"a": 1}},
                {"actor": {"a": torch.tensor([float("nan")])}},
                {"actor": {"a": torch.tensor([1])}},
            )
        ),
        (
            lambda path, actor: torch.save({"format": "tarot-checkpoint/1"}, path),
            "is no checkpoint",
        ),
    ],
)
def test_files_that_are_no_agent(tmp_path, actor, make, words):
    path = tmp_path / "a.pt"
    make(path, actor)
    with pytest.raises(TarotError, match=words):
        NeuralAgent.load(path)


@pytest.mark.parametrize("name", ["a" * 5000, "a\0b", "folder"])
def test_what_is_no_file_does_not_exist(tmp_path, name):
    (tmp_path / "folder").mkdir()
    with pytest.raises(TarotError, match=r"does not exist$") as caught:
        NeuralAgent.load(tmp_path / name)
    assert len(str(caught.value)) < 500


def test_a_truncated_checkpoint_is_refused(tmp_path, actor):
    save(tmp_path / "a.pt", contents(actor))
    data = (tmp_path / "a.pt").read_bytes()
    (tmp_path / "a.pt").write_bytes(data[: len(data) // 2])
    with pytest.raises(TarotError, match="is no checkpoint"):
        NeuralAgent.load(tmp_path / "a.pt")


def test_another_game_is_refused_before_a_card_is_played(tmp_path, actor):
    """By whatever seats agents, and where a search plays by the network too."""
    save(tmp_path / "a.pt", contents(actor))
    three, text = Rules.preset(players=3), f"ppo:{tmp_path / 'a.pt'}"
    words = "was trained for four players, not for three players"
    starts = (
        lambda: make_agent(text, three),
        lambda: make_agent(f"pimc:worlds=2,endings=0,policy={text}", three),
        lambda: run_tournament([text, "random"], deals=1, rules=three, out=tmp_path / "out"),
        lambda: simulate([text], deals=1, seed=1, rules=three, out=tmp_path / "out"),
        lambda: play_at_table(three, agents=[text], seed=1, seat=0),
        lambda: SingleSeatEnv(players=3, opponents=NeuralAgent.load(tmp_path / "a.pt")),
    )
    for start in starts:
        with pytest.raises(TarotError, match=words):
            start()
    assert not (tmp_path / "out").exists()
    assert make_agent(text, Rules.preset()).name == text
