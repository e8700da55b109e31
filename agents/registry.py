"""Agents by name: `random`, `naive`, `heuristic:bid=pass`, `ppo:runs/a/latest.pt`, `bots:MyBot`.

`heuristic@1` is a frozen agent, see `agents.frozen`.
"""

import importlib
import inspect
from collections.abc import Callable
from typing import cast

from agents.base import Agent, AnyAgent, CheatingAgent, cheats, check_fair, check_game
from agents.frozen import FROZEN, is_frozen, resolve_alias
from tarot_env.errors import TarotError, UnknownName, short_repr, unknown_name
from tarot_env.rules import Rules


def _random() -> Agent:
    from agents.baselines.uniform import UniformAgent

    return UniformAgent()


def _naive() -> Agent:
    from agents.baselines.naive import NaiveAgent

    return NaiveAgent()


def _heuristic(*, bid: str = "table", play: str = "rules") -> Agent:
    from agents.heuristic import HeuristicAgent

    return HeuristicAgent(bid=bid, play=play)


def _pimc(*, worlds: str = "", ms: str = "", endings: str = "", policy: str = "") -> Agent:
    from agents.search.pimc import ENDINGS, PimcAgent

    return PimcAgent(
        None if worlds == "" else _number("worlds", worlds),
        ms=None if ms == "" else _number("ms", ms),
        endings=ENDINGS if endings == "" else _number("endings", endings),
        policy=make_fair_agent(policy, "a search") if policy else None,
    )


def _number(option: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise TarotError(f"pimc: {option}={short_repr(text)}; give a number") from None
    return int(number) if number.is_integer() else number


def _oracle() -> CheatingAgent:
    from agents.baselines.oracle import OracleAgent

    return OracleAgent()


def _ppo(path: str, *, sample: str = "false") -> Agent:
    from agents.neural.agent import NeuralAgent

    if sample not in ("true", "false"):
        raise unknown_name("value of sample", sample, ("true", "false"))
    return NeuralAgent.load(path, sample=sample == "true")


BUILDERS: dict[str, Callable[..., AnyAgent]] = {
    "random": _random,
    "naive": _naive,
    "heuristic": _heuristic,
    "oracle": _oracle,
    "pimc": _pimc,
    "ppo": _ppo,
}
"""Builders by name; `name:a,b=c` calls `builder("a", b="c")`."""


def make_agent(text: str, rules: Rules | None = None) -> AnyAgent:
    """The agent that a text names.

    Args:
        text: a registered name with options, `heuristic:bid=pass,play=random`; `ppo:PATH`, with
            `,sample=true` to sample instead of playing the best action; `pimc:worlds=W`, with
            `,policy=` and an agent, whose options go to the end of the text; a frozen name,
            `heuristic@1`; or `module:Class` for an agent of your own, made without arguments.
        rules: what it is to play; it is asked whether it can, see `check_game`.

    Raises:
        UnknownName: no such agent, version, option or value; near names are suggested.
        TarotError: an agent of your own that cannot be imported or is no agent, or one that does
            not play the game.
    """
    agent = _made(resolve_alias(text))
    if is_frozen(text):
        agent.name = text
    if rules is not None:
        check_game(agent, rules)
    return agent


def _made(text: str) -> AnyAgent:
    name, _, arguments = text.partition(":")
    parts = _parts(arguments)
    if name not in BUILDERS:
        if "." in name or arguments.isidentifier():
            return _import_agent(text, name, arguments)
        raise unknown_name("agent", text, [*BUILDERS, *FROZEN, "my_pkg.bots:MyBot"])
    builder = BUILDERS[name]
    parameters = inspect.signature(builder).parameters.values()
    needed = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    allowed = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    positional, rest = parts[: len(needed)], parts[len(needed) :]
    if len(positional) < len(needed) or not all("=" in part for part in rest):
        wanted = ":" + ",".join(part.upper() for part in needed) if needed else ""
        raise UnknownName(f"agent {short_repr(text)} must be written {name}{wanted}")
    options: dict[str, str] = {}
    for option, _, value in (part.partition("=") for part in rest):
        if option not in allowed:
            raise unknown_name(f"option of agent {name!r}:", option, allowed or ["none"])
        if option in options:
            raise TarotError(f"agent {short_repr(text)}: {option} is given twice")
        options[option] = value
    return builder(*positional, **options)


def _parts(arguments: str) -> list[str]:
    """The options of a text; `policy=`, an agent with options of its own, has all the rest."""
    before, policy, rest = arguments.partition("policy=")
    return [part for part in before.split(",") if part] + [policy + rest] * bool(policy)


def make_fair_agent(text: str, taker: str, rules: Rules | None = None) -> Agent:
    """The agent that a text names, as `make_agent`, refused if it sees all hands.

    Args:
        text: see `make_agent`.
        taker: what refuses it, for the error, such as `training`.
        rules: see `make_agent`.

    Raises:
        TarotError: it cheats; and whatever `make_agent` raises.
    """
    agent = make_agent(text, rules)
    check_fair(text, agent, taker)
    return cast(Agent, agent)


def _import_agent(text: str, module: str, attribute: str) -> AnyAgent:
    try:
        made = getattr(importlib.import_module(module), attribute)()
        cheating = cheats(made)
        is_agent = isinstance(made, CheatingAgent if cheating else Agent)
    except (Exception, SystemExit) as error:  # whatever a stranger's code does when it is loaded
        raise TarotError(
            f"agent {short_repr(text)} is no registered name ({', '.join(BUILDERS)}) and cannot be "
            f"imported as MODULE:CLASS: {type(error).__name__}: {error}"
        ) from error
    if not is_agent:
        method = "act_on(tables, rows, rng), since it cheats" if cheating else "act(turn, rng)"
        raise TarotError(f"agent {short_repr(text)} must have a name and {method}")
    return cast(AnyAgent, made)
