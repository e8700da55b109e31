"""Agents by name: `random`, `naive`, `heuristic:bid=pass`, `ppo:runs/a/latest.pt`, `bots:MyBot`."""

import importlib
import inspect
from collections.abc import Callable

from agents.base import Agent
from tarot_env.errors import TarotError, UnknownName, unknown_name


def _random() -> Agent:
    from agents.uniform import UniformAgent

    return UniformAgent()


def _naive() -> Agent:
    from agents.naive import NaiveAgent

    return NaiveAgent()


def _heuristic(*, bid: str = "score", play: str = "rules") -> Agent:
    from agents.heuristic import HeuristicAgent

    return HeuristicAgent(bid=bid, play=play)


def _ppo(path: str, *, sample: str = "false") -> Agent:
    from agents.neural import NeuralAgent

    if sample not in ("true", "false"):
        raise unknown_name("value of sample", sample, ("true", "false"))
    return NeuralAgent.load(path, sample=sample == "true")


BUILDERS: dict[str, Callable[..., Agent]] = {
    "random": _random,
    "naive": _naive,
    "heuristic": _heuristic,
    "ppo": _ppo,
}
"""Builders by name; `name:a,b=c` calls `builder("a", b="c")`."""


def make_agent(text: str) -> Agent:
    """The agent that a text names.

    Args:
        text: a registered name with options, `heuristic:bid=pass,play=random`; `ppo:PATH`, with
            `,sample=true` to sample instead of playing the best action; or `module:Class` for an
            agent of your own, made without arguments.

    Raises:
        UnknownName: no such agent, option or value; near names are suggested.
        TarotError: an agent of your own that cannot be imported or is no agent.
    """
    name, _, arguments = text.partition(":")
    parts = [part for part in arguments.split(",") if part]
    if name not in BUILDERS:
        if "." in name or arguments.isidentifier():
            return _import_agent(text, name, arguments)
        raise unknown_name("agent", text, [*BUILDERS, "my_pkg.bots:MyBot"])
    builder = BUILDERS[name]
    parameters = inspect.signature(builder).parameters.values()
    needed = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    allowed = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    positional, rest = parts[: len(needed)], parts[len(needed) :]
    if len(positional) < len(needed) or not all("=" in part for part in rest):
        wanted = ":" + ",".join(part.upper() for part in needed) if needed else ""
        raise UnknownName(f"agent {text!r} must be written {name}{wanted}")
    options = dict(part.split("=", 1) for part in rest)
    for option in options:
        if option not in allowed:
            raise unknown_name(f"option of agent {name!r}:", option, allowed or ["none"])
    return builder(*positional, **options)


def _import_agent(text: str, module: str, attribute: str) -> Agent:
    try:
        made = getattr(importlib.import_module(module), attribute)()
        is_agent = isinstance(made, Agent)
    except (Exception, SystemExit) as error:  # whatever a stranger's code does when it is loaded
        raise TarotError(
            f"agent {text!r} is no registered name ({', '.join(BUILDERS)}) and cannot be "
            f"imported as MODULE:CLASS: {type(error).__name__}: {error}"
        ) from error
    if not is_agent:
        raise TarotError(f"agent {text!r} must have a name and act(turn, rng)")
    return made
