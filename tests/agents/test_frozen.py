"""Frozen agents play as they did when they were frozen.

`pytest tests/agents/test_frozen.py --update-golden` writes the deals of all of them anew: only for
a version against which nothing has been published yet.
"""

import inspect
from pathlib import Path

import pytest
from support.every_game import GAMES, rules_of
from support.golden_deals import golden_text

from agents.frozen import FROZEN, resolve_alias
from agents.registry import BUILDERS, make_agent
from tarot_env import TarotError, UnknownName

DEALS = {"heuristic@1": (200, 25), "oracle@1": (20, 2), "pimc16@1": (4, 1), "pimc64@1": (3, 0)}
"""Deals with four players, and of each other game: fewer where an agent takes its time."""

CHANGED = (
    "{name} plays otherwise than when it was frozen, and published results are against what it "
    "was. Leave the old play to {name} behind an option, or take {name} out of agents/frozen.py; "
    "the new play becomes {kind}@{next}, with a golden file of its own (pytest "
    "tests/agents/test_frozen.py --update-golden)"
)


def golden_file(name: str) -> Path:
    return Path(__file__).parent / f"{name.replace('@', '_')}_deals.txt"


def deals_of(name: str) -> dict[str, int]:
    four, others = DEALS[name]
    numbers = {game: four if game == "4" else others for game in GAMES}
    return {game: number for game, number in numbers.items() if number}


def all_games(name: str) -> str:
    """The deals of every game, each under its name."""
    return "".join(
        f"# {game}\n{golden_text(make_agent(name), rules_of(game), deals)}"
        for game, deals in deals_of(name).items()
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", FROZEN)
def test_frozen_agents_play_as_they_did(name: str, request: pytest.FixtureRequest) -> None:
    text = all_games(name)
    if request.config.getoption("--update-golden"):
        golden_file(name).write_text(text, encoding="utf-8")
    kind, _, version = name.partition("@")
    message = CHANGED.format(name=name, kind=kind, next=int(version) + 1)
    assert golden_file(name).is_file(), f"{name} has no golden file yet: --update-golden writes it"
    if text != golden_file(name).read_text(encoding="utf-8"):
        pytest.fail(message)


@pytest.mark.parametrize("name", FROZEN)
def test_golden_deals_are_all_there_and_hold_contracts(name: str) -> None:
    text = golden_file(name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) == sum(deals_of(name).values())
    assert sum("not played" not in line for line in lines) > len(lines) / 4


@pytest.mark.parametrize("name", FROZEN)
def test_every_option_of_a_frozen_agent_is_written_out(name: str) -> None:
    """So that another default changes nothing."""
    kind, _, rest = FROZEN[name].partition(":")
    parameters = inspect.signature(BUILDERS[kind]).parameters.values()
    options = {each.name for each in parameters if each.kind is each.KEYWORD_ONLY}
    assert {part.partition("=")[0] for part in rest.split(",") if "=" in part} == options
    assert make_agent(name).name == name
    assert name in DEALS


def test_other_texts_are_as_they_are() -> None:
    for text in ("heuristic:bid=pass", "ppo:runs/a@b/latest.pt,sample=true", "bots:MyBot"):
        assert resolve_alias(text) == text
    assert resolve_alias("heuristic@1") == "heuristic:bid=table,play=rules"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("heuristic@2", "unknown frozen agent 'heuristic@2'; did you mean 'heuristic@1'"),
        ("heuristic@fast", "'heuristic@fast'; did you mean 'heuristic@1'"),
        ("random@1", "unknown frozen agent 'random@1'; .*heuristic@1"),
        ("heuristic@", "unknown frozen agent 'heuristic@'; did you mean 'heuristic@1'"),
        ("@1", "unknown frozen agent '@1'; .*heuristic@1"),
    ],
)
def test_unknown_versions_name_those_that_there_are(text: str, words: str) -> None:
    with pytest.raises(UnknownName, match=words):
        make_agent(text)


def test_a_frozen_agent_has_no_options() -> None:
    with pytest.raises(TarotError, match="heuristic@1 is frozen and has no options"):
        make_agent("heuristic@1:bid=pass")
