"""Agents by name: options, paths, agents of one's own, and mistakes explained."""

import numpy as np
import pytest

from agents import registry
from agents.base import Agent, CheatingAgent, cheats
from agents.baselines.naive import NaiveAgent
from agents.baselines.uniform import UniformAgent
from agents.heuristic import HeuristicAgent
from agents.registry import make_agent, make_fair_agent
from tarot_env import TarotError, UnknownName


def test_names_and_options():
    assert isinstance(make_agent("random"), UniformAgent)
    assert isinstance(make_agent("naive"), NaiveAgent)
    assert isinstance(make_agent("agents.baselines.uniform:UniformAgent"), UniformAgent)
    agent = make_agent("heuristic:bid=pass,play=random")
    assert isinstance(agent, HeuristicAgent)
    assert (agent.bid, agent.play) == ("pass", "random")
    assert isinstance(agent, Agent)


def test_a_path_may_hold_an_equals_sign(monkeypatch):
    """`ppo:runs/lr=1e-3/latest.pt` once was an unknown option."""
    made = []

    def build(path, *, sample="false"):
        made.append(path)
        return UniformAgent()

    monkeypatch.setitem(registry.BUILDERS, "ppo", build)
    make_agent("ppo:runs/lr=1e-3/latest.pt")
    make_agent("ppo:runs/lr=1e-3/latest.pt,sample=true")
    make_agent("ppo:sample=true/latest.pt,sample=false")
    assert made == ["runs/lr=1e-3/latest.pt"] * 2 + ["sample=true/latest.pt"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ppo", "must be written ppo:PATH"),
        ("ppo:a.pt,b.pt", "must be written ppo:PATH"),
        ("ppo:a.pt,samples=true", "unknown option of agent 'ppo': 'samples'; did you mean"),
        ("ppo:a.pt,sample=maybe", "unknown value of sample 'maybe'; .*true"),
        ("random:fast", "'random:fast' must be written random"),
        ("naive:play=random", "unknown option of agent 'naive': 'play'; allowed: none"),
        ("random:fast=1", "unknown option of agent 'random': 'fast'; allowed: none"),
        ("heuristics", "unknown agent 'heuristics'; did you mean 'heuristic'"),
        ("heuristic:bid=no", "unknown value of bid 'no'; allowed: table, scale, pass"),
    ],
)
def test_mistakes_are_explained(text, message):
    with pytest.raises(UnknownName, match=message):
        make_agent(text)


def test_an_option_that_is_given_twice_is_refused():
    with pytest.raises(TarotError, match="'heuristic:bid=pass,bid=scale': bid is given twice"):
        make_agent("heuristic:bid=pass,bid=scale")


@pytest.mark.parametrize("text", [":", "m:", "heuristic:", "random:", "heuristic@1:", "pimc@9"])
def test_a_text_of_thousands_of_letters_is_cut_in_the_message(text):
    with pytest.raises(TarotError) as caught:
        make_agent(text + "a" * 3000)
    assert len(str(caught.value)) < 600


def test_a_policy_has_the_rest_of_the_text():
    text = "pimc:worlds=2,endings=0,policy=heuristic:bid=pass,play=random"
    assert make_agent(text).name == text
    nested = "pimc:worlds=2,endings=0,policy=pimc:worlds=1,endings=0,policy=heuristic:bid=scale"
    assert make_agent(nested).name == nested


@pytest.mark.parametrize(
    "text", ["agents.none:Bot", "agents.baselines.uniform:Nobody", "numpy:array"]
)
def test_agents_that_cannot_be_imported(text):
    with pytest.raises(TarotError, match="cannot be imported as MODULE:CLASS"):
        make_agent(text)


def test_what_is_no_agent():
    with pytest.raises(TarotError, match="must have a name and act"):
        make_agent("collections:Counter")
    assert not isinstance(np.zeros(3), Agent)


@pytest.mark.parametrize(
    "body", ["raise SystemExit(3)", "1 / 0", "def C(): raise OSError('no file')", "def x(: pass"]
)
def test_whatever_an_agent_raises_when_it_is_made_is_one_sentence(body, tmp_path, monkeypatch):
    name = f"bad_{abs(hash(body))}"
    (tmp_path / f"{name}.py").write_text(body + "\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(TarotError, match="cannot be imported as MODULE:CLASS"):
        make_agent(f"{name}:C")


def test_a_module_without_a_name():
    with pytest.raises(TarotError, match="cannot be imported as MODULE:CLASS"):
        make_agent(":C")


def test_agents_that_cheat():
    agent = make_agent("support.cheaters:Highest")
    assert isinstance(agent, CheatingAgent)
    assert cheats(agent)
    assert not isinstance(agent, Agent)
    assert not cheats(make_agent("support.cheaters:Honest"))
    assert make_fair_agent("support.cheaters:Honest", "training").name == "honest"
    with pytest.raises(TarotError, match="cheaters:Highest' sees all hands; training takes"):
        make_fair_agent("support.cheaters:Highest", "training")
    with pytest.raises(TarotError, match=r"must have a name and act_on\(tables, rows, rng\)"):
        make_agent("support.cheaters:Blind")
