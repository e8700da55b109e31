"""What a training run does: frozen dataclasses, read from TOML, overridden from the command line.

Every setting is declared once, with its default and its meaning; unknown keys and values of the
wrong kind are refused with the file and the key.
"""

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field, is_dataclass
from functools import partial
from io import StringIO
from operator import attrgetter, ge
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import tyro

from agents.registry import make_fair_agent
from tarot_env.errors import TarotError, short_repr, unknown_name
from tarot_env.rules import Rules, parse_override
from training.limits import (
    EVALUATION_SEEDS_FROM,
    MAX_DEALS,
    MAX_TABLES,
    MAX_THREADS,
    SELECTION_SEEDS,
    TRAINING_SEEDS,
)


@dataclass(frozen=True)
class GameConfig:
    """What is played."""

    preset: str = "fft"
    players: int | None = None
    """4 if neither this nor a game is named."""
    game: str | None = None
    """mort, decouverte, tirette or dummy."""
    options: tuple[str, ...] = ()
    """Overrides of rule options, each as option=value."""


@dataclass(frozen=True)
class CollectConfig:
    """How decisions are collected."""

    tables: int = 512
    """Tables played side by side; of each process, where several train together."""
    steps: int = 48
    """Actions at each table per update."""
    deal_seed: int = 1
    """Seed of the training deals; below 1,000,000."""
    given_first: float = 0.1
    """First part of the run, in which every contract is given: one seat must bid, no other may."""
    given_share: float = 0.5
    """Share of the deals with a given contract after that."""
    past_share: float = 0.25
    """Share of the deals where one seat learns and a past self plays the others."""
    pool_size: int = 4
    """Past selves kept."""
    pool_every: int = 20
    """Updates between two past selves."""


@dataclass(frozen=True)
class PPOConfig:
    """Proximal policy optimisation (Schulman et al., arXiv:1707.06347)."""

    learning_rate: float = 5e-4
    """At the start; falls linearly to a tenth over the run."""
    epochs: int = 2
    minibatch: int = 2048
    """Decisions in one step of the optimiser, about; of all processes together."""
    clip: float = 0.2
    gamma: float = 1.0
    gae_lambda: float = 0.98
    """Of the advantage estimate over each seat's own decisions (arXiv:1506.02438)."""
    bid_lambda: float = 0.5
    """The same for bids."""
    entropy: float = 0.01
    """Weight of the entropy bonus in card play, écart and announcements; falls to a tenth."""
    bid_entropy: float = 0.05
    """The same in the auction, where a policy that passes always is near at hand."""
    bid_weight: float = 8.0
    """Weight of a decision in the auction; there are four of them in a deal of eighty."""
    value_weight: float = 0.5
    max_grad_norm: float = 0.5
    points_per_reward: float = 100.0
    """Scores are divided by this for the critic."""


@dataclass(frozen=True)
class EvalConfig:
    """Evaluation during training, on fixed duplicate deals."""

    every: int = 10
    """Updates between two evaluations; 0 for none."""
    deals: int = 128
    seed: int = 1_000_000
    """Seed of the selection deals; 1,000,000 to 1,999,999."""
    opponents: tuple[str, ...] = ("random", "heuristic")
    select_by: str = "heuristic"
    """Opponent against whom the best checkpoint is chosen."""


@dataclass(frozen=True)
class FinalConfig:
    """The tournament after training, on evaluation deals."""

    deals: int = 0
    """Deals per pair of agents; 0 for no tournament."""
    seed: int = 3_000_000
    opponents: tuple[str, ...] = ("random", "heuristic")
    untrained: bool = True
    """The run's own network before training plays too."""


@dataclass(frozen=True)
class TrainConfig:
    """One training run."""

    name: str
    """The run lies in RUNS/NAME."""
    runs: str = "runs"
    seed: int = 0
    """Of the network and of everything drawn in training but the deals."""
    decisions: int = 4_000_000
    """Length of the run: decisions that enter the loss, of all processes."""
    threads: int = 2
    """Threads of torch in each process; the final tournament has a process for each of them."""
    hidden: tuple[int, ...] = (256, 256)
    """Widths of the hidden layers of actor and critic."""
    network: Literal["suits", "plain"] = "suits"
    """How they read their input: suits (all four alike) or plain."""
    checkpoint_every: int = 10
    """Updates between two checkpoints."""
    game: GameConfig = field(default_factory=GameConfig)
    collect: CollectConfig = field(default_factory=CollectConfig)
    ppo: PPOConfig = field(default_factory=PPOConfig)
    eval: EvalConfig = field(default_factory=EvalConfig)
    final: FinalConfig = field(default_factory=FinalConfig)

    @property
    def folder(self) -> Path:
        """Where the run lies."""
        return Path(self.runs) / self.name

    @property
    def rules(self) -> Rules:
        """The rules that the game section names."""
        overrides = dict(parse_override(text) for text in self.game.options)
        game = self.game
        return Rules.preset(game.preset, game.players, game.game, **overrides)

    def to_dict(self) -> dict[str, Any]:
        """Plain nested values, as a checkpoint holds them."""
        plain: dict[str, Any] = _plain(asdict(self))
        return plain


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


_Setting = tuple[str, list[str]]
"""A key such as `ppo.epochs` and its value as words of a command line."""


def load_config(path: Path, overrides: Sequence[str] = ()) -> TrainConfig:
    """The run that a TOML file describes, with overrides such as `--ppo.epochs 3`.

    Raises:
        TarotError: a missing or malformed file, an unknown key, a value of the wrong kind or out
            of range; the sentence names the file and the key.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        settings = [("name", [path.stem]), *_settings_of(values)]
    except OSError as error:
        raise TarotError(f"config {path} cannot be read: {error.strerror}") from error
    except RecursionError as error:
        raise TarotError(f"config {path} is nested too deeply") from error
    except ValueError as error:
        raise TarotError(f"config {path} is no TOML: {error}") from error
    _check_keys(settings, f"key in {path}:", "")
    config = _parse(settings, f"{path}: ")
    if overrides:
        typed = _settings_typed(overrides)
        _check_keys(typed, "setting", "--")
        config = _parse([*settings, *typed], "--")
    check(config)
    return config


def _settings_of(values: Mapping[str, Any], prefix: str = "") -> list[_Setting]:
    settings: list[_Setting] = []
    for key, value in values.items():
        if isinstance(value, Mapping):
            settings += _settings_of(value, f"{prefix}{key}.")
        else:
            items = value if isinstance(value, list) else [value]
            settings.append((prefix + key, [str(item) for item in items]))
    return settings


def _settings_typed(words: Sequence[str]) -> list[_Setting]:
    """`--key value ...` and `--key=value` as settings."""
    settings: list[_Setting] = []
    for word in words:
        if word.startswith("--"):
            key, equals, value = word.removeprefix("--").partition("=")
            settings.append((key.replace("-", "_"), [value] if equals else []))
        elif not settings:
            raise TarotError(f"{short_repr(word)} is no setting; write --key value")
        else:
            settings[-1][1].append(word)
    return settings


def _keys(kind: Any = TrainConfig, prefix: str = "") -> list[str]:
    keys = []
    for name, hint in get_type_hints(kind).items():
        keys += _keys(hint, f"{prefix}{name}.") if is_dataclass(hint) else [prefix + name]
    return keys


def _check_keys(settings: Sequence[_Setting], what: str, dashes: str) -> None:
    keys = _keys()
    for key, _ in settings:
        if key not in keys:
            raise unknown_name(what, dashes + key, [dashes + name for name in keys])


def _parse(settings: Sequence[_Setting], where: str) -> TrainConfig:
    try:
        return _through_tyro(settings)
    except SystemExit as error:
        for key, words in settings:
            try:
                _through_tyro([("name", ["name"]), (key, words)])
            except SystemExit:
                given = " ".join(words)
                kind = _type_text(key)
                raise TarotError(f"{where}{key} must be {kind}; got {short_repr(given)}") from error
        raise


def _through_tyro(settings: Sequence[_Setting]) -> TrainConfig:
    args = [word for key, words in settings for word in (f"--{key}", *words)]
    with redirect_stderr(StringIO()), redirect_stdout(StringIO()):
        return tyro.cli(TrainConfig, args=args, config=(tyro.conf.FlagConversionOff,))


def _type_text(key: str) -> str:
    hint: Any = TrainConfig
    for name in key.split("."):
        hint = get_type_hints(hint)[name]
    if get_origin(hint) is Literal:
        return " or ".join(get_args(hint))
    texts = {
        int: "a whole number",
        int | None: "a whole number",
        float: "a number",
        str: "one text",
        str | None: "one text",
        bool: "true or false",
        tuple[int, ...]: "whole numbers",
        tuple[str, ...]: "texts",
    }
    return texts[hint]


_NETWORKS = get_args(get_type_hints(TrainConfig)["network"])
_AT_LEAST_ONE = (
    "decisions threads hidden checkpoint_every collect.tables collect.steps collect.pool_every "
    "ppo.epochs ppo.minibatch eval.deals"
).split()
_AT_LEAST_NOTHING = (
    "seed collect.pool_size ppo.entropy ppo.bid_entropy ppo.value_weight eval.every final.deals"
).split()
_ABOVE_NOTHING = (
    "ppo.learning_rate ppo.clip ppo.bid_weight ppo.max_grad_norm ppo.points_per_reward"
).split()
_AT_MOST = {
    "seed": 2**63 - 1,
    "decisions": 10**15,
    "threads": MAX_THREADS,
    "hidden": 65_536,
    "checkpoint_every": 10**9,
    "collect.tables": MAX_TABLES,
    "collect.steps": 10**6,
    "collect.pool_size": 10_000,
    "collect.pool_every": 10**9,
    "ppo.epochs": 10_000,
    "ppo.minibatch": 10**9,
    "eval.every": 10**9,
    "eval.deals": 10**6,
    "final.deals": MAX_DEALS,
    "final.seed": 2**128 - 1,
}
_MAX_DECISIONS_HELD = 10**8
"""Tables times steps: what an update keeps in memory."""
_SHARES = (
    "collect.given_first collect.given_share collect.past_share "
    "ppo.gamma ppo.gae_lambda ppo.bid_lambda"
).split()


def check(config: TrainConfig) -> None:
    """Checks what types cannot say.

    Raises:
        TarotError: a value out of range, or a seed of another purpose.
    """
    _check_range(config, _AT_LEAST_ONE, lambda value: value >= 1, "1 or more")
    _check_range(config, _AT_LEAST_NOTHING, lambda value: 0 <= value < math.inf, "0 or more")
    _check_range(config, _ABOVE_NOTHING, lambda value: 0 < value < math.inf, "above 0")
    for key, most in _AT_MOST.items():
        _check_range(config, [key], partial(ge, most), f"{most} or less")
    if config.collect.tables * config.collect.steps > _MAX_DECISIONS_HELD:
        raise TarotError(
            f"collect.tables times collect.steps must be {_MAX_DECISIONS_HELD} or less; "
            f"got {config.collect.tables} times {config.collect.steps}"
        )
    _check_range(config, _SHARES, lambda value: 0 <= value <= 1, "between 0 and 1")
    if config.network not in _NETWORKS:
        raise unknown_name("network", config.network, _NETWORKS)
    if config.eval.every and config.eval.select_by not in config.eval.opponents:
        for text in config.eval.opponents:
            make_fair_agent(text, "training")  # an agent that there is not is to be named first
        raise TarotError(
            f"eval.select_by must be one of eval.opponents ({', '.join(config.eval.opponents)}); "
            f"got {config.eval.select_by!r}"
        )
    if not config.name or config.name in (".", "..") or set(config.name) & set("/,\0"):
        raise TarotError(f"name must be the name of a folder, without a comma; got {config.name!r}")
    if set(config.runs) & set(",\0"):
        raise TarotError(f"runs must be a folder without a comma; got {config.runs!r}")
    _check_seed("collect.deal_seed", config.collect.deal_seed, TRAINING_SEEDS, "training")
    _check_seed("eval.seed", config.eval.seed, SELECTION_SEEDS, "selection")
    if config.final.deals and config.final.seed < EVALUATION_SEEDS_FROM:
        raise TarotError(
            f"final.seed {config.final.seed} is no evaluation seed; allowed: 3000000 and up"
        )


def _check_range(
    config: TrainConfig, keys: Sequence[str], holds: Callable[[float], bool], what: str
) -> None:
    for key in keys:
        value = attrgetter(key)(config)
        numbers = value if isinstance(value, tuple) else (value,)
        if not numbers or not all(holds(number) for number in numbers):
            raise TarotError(f"{key} must be {what}; got {value}")


def _check_seed(key: str, seed: int, allowed: range, purpose: str) -> None:
    if seed not in allowed:
        raise TarotError(
            f"{key} {seed} is no {purpose} seed; allowed: {allowed.start} to {allowed.stop - 1}"
        )
