"""A training run from start to end: folder, metrics, evaluation, checkpoints, final tournament.

Of several processes that train together the first has the folder and does all of this; the others
learn along and hand their tables over for checkpoints.
"""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.base import Agent
from agents.neural.agent import NeuralAgent, read_checkpoint
from agents.registry import make_fair_agent
from tarot_env.errors import TarotError
from training.limits import MAX_THREADS
from training.progress import Progress, silent
from training.selfplay import checkpoint
from training.selfplay.config import TrainConfig, check
from training.selfplay.distributed import SINGLE_PROCESS, ProcessGroup
from training.selfplay.metrics import CSV_NAME, Metrics
from training.selfplay.ppo import BIDS, Trainer, bid_tag
from training.tournament import evaluate, run_tournament

LATEST, BEST, UNTRAINED = "latest.pt", "best.pt", "untrained.pt"
FINAL = "final"
"""Folder of the final tournament in a run's folder."""

_COLUMNS = (
    "update decisions deals seconds "
    "charts/learning_rate charts/SPS charts/environment_share charts/given_share "
    "losses/policy_loss losses/value_loss losses/entropy losses/approx_kl losses/clipfrac "
    "losses/explained_variance bids/passed_out bids/made"
).split()

Report = Callable[[dict[str, float]], None]
"""Called with the metrics of each update."""


def train(
    config: TrainConfig,
    *,
    resume: bool = False,
    on_update: Report | None = None,
    processes: ProcessGroup = SINGLE_PROCESS,
) -> Path:
    """Trains by self-play and returns the run's folder.

    A stopped run goes on with `resume` exactly as if it had not stopped, but for times and rates.
    Ctrl-C raises `KeyboardInterrupt`; one process goes back to the last finished update and saves
    it, several leave the last checkpoint.

    Args:
        config: the run.
        resume: go on with a stopped run.
        on_update: called after each update.
        processes: all that train this run, each of which calls this function.

    Raises:
        TarotError: the run exists and `resume` is off; there is nothing to resume, or it had other
            settings or another number of processes; or a checkpoint cannot be written.
    """
    check(config)
    _check_alike(config, resume, processes)
    run = (_Helper if processes.rank else _Run)(config, processes, resume=resume)
    try:
        run.start()
        was_done = run.trainer.is_done
        while not run.trainer.is_done:
            row = run.update()
            if on_update is not None:
                on_update(row)
        if not was_done:  # a tournament names the file that it was played with
            run.save()
    except KeyboardInterrupt:
        raise KeyboardInterrupt(run.stop()) from None
    finally:
        run.close()
    return config.folder


def _check_alike(config: TrainConfig, resume: bool, processes: ProcessGroup) -> None:
    """Checks that all processes were started with the same settings, which machines may hold."""
    own = {**config.to_dict(), "resume": resume}
    for key, value in processes.from_first(own).items():
        if own[key] != value:
            raise TarotError(
                f"process {processes.rank} was started with {key} = {own[key]}, process 0 with "
                f"{value}; start all with the same settings"
            )


def final_tournament(
    config: TrainConfig, *, jobs: int | None = None, progress: Progress = silent
) -> Any:
    """Plays the run's agent against its opponents and its untrained self on evaluation deals.

    Args:
        config: the run.
        jobs: processes; default: as many as the run has threads.
        progress: shows how far it is.
    """
    agents = [f"ppo:{config.folder / LATEST}"]
    if config.final.untrained:
        agents.append(f"ppo:{config.folder / UNTRAINED}")
    return run_tournament(
        [*agents, *config.final.opponents],
        deals=config.final.deals,
        seed=config.final.seed,
        rules=config.rules,
        jobs=config.threads if jobs is None else jobs,
        out=config.folder / FINAL,
        about=agents[0],
        progress=progress,
    )


class _Run:
    """The files of a run around the trainer of the first process."""

    def __init__(self, config: TrainConfig, processes: ProcessGroup, *, resume: bool) -> None:
        self.config, self.folder, self.processes = config, config.folder, processes
        made = {
            text: make_fair_agent(text, "training", config.rules)
            for text in (*config.eval.opponents, *config.final.opponents)
        }
        self.opponents = {text: made[text] for text in config.eval.opponents}
        saved = self._saved() if resume else None
        self.trainer = Trainer(config, processes)
        self.best = -math.inf
        self.rows = 0
        columns = [*_COLUMNS, *(bid_tag(bid) for bid in BIDS)]
        columns += [tag for text in self.opponents for tag in eval_tags(text)]
        if saved is None:
            self._begin()
            self.metrics = Metrics(self.folder, columns)
            self.finished = self._state()
            checkpoint.save(self.folder / UNTRAINED, self.finished)
            saved = self.save()
        else:
            self._load(saved)
            self.metrics = Metrics(self.folder, columns, saved["positions"])
            self.finished = self._state()
            self.saved = self.trainer.updates
        processes.scatter([{}, *({**saved, **own, "others": []} for own in saved["others"])])

    def start(self) -> None:
        """Measures the untrained network, as the first row of the metrics."""
        if not self.rows and self.config.eval.every:
            self._note({"update": 0, "decisions": 0, **self._evaluate()})

    def _note(self, row: dict[str, float]) -> None:
        self.metrics.write(row, self.trainer.decisions)
        self.rows += 1
        self.finished = self._state()

    def _saved(self) -> dict[str, Any]:
        path = self.folder / LATEST
        if not path.is_file():
            raise TarotError(f"run {self.folder} has no {LATEST}, so there is nothing to resume")
        saved = read_checkpoint(path)
        if not isinstance(saved.get("config"), dict):
            raise TarotError(f"{path} is no checkpoint of a run: it has no config")
        others = saved.get("others")
        if isinstance(others, list) and len(others) != self.processes.size - 1:
            raise TarotError(
                f"run {self.folder} was made with {_number_text(len(others) + 1)}, not "
                f"{self.processes.size}; go on with as many, since each has tables of its own"
            )
        own = self.config.to_dict()
        for key in own:
            if saved["config"].get(key) != own[key]:
                raise TarotError(
                    f"run {self.folder} was made with {key} = {saved['config'].get(key)}, not "
                    f"{own[key]}; go on with the same settings, or give a new run another --name"
                )
        return saved

    def _load(self, saved: dict[str, Any]) -> None:
        """Goes on from a checkpoint."""
        try:
            _check_state(saved, self.trainer.state())
            self.trainer.load(saved)
        except (LookupError, TypeError, ValueError, RuntimeError, AttributeError) as error:
            reason = str(error).partition("\n")[0]
            raise TarotError(
                f"{self.folder / LATEST} is no checkpoint to go on from: {reason}"
            ) from error
        self.best, self.rows = saved["best"], saved["rows"]

    def _begin(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if any(self.folder.iterdir()):
                raise TarotError(
                    f"run {self.folder} exists; go on with --resume, or choose another --name"
                )
            settings = json.dumps(self.config.to_dict(), indent=1)
            (self.folder / "config.json").write_text(settings + "\n")
        except OSError as error:
            raise TarotError(f"run {self.folder} cannot be written: {error.strerror}") from error

    def update(self) -> dict[str, float]:
        """One update with its evaluation, metrics and checkpoint."""
        trainer, every = self.trainer, self.config.eval.every
        row = trainer.update()
        if every and (trainer.updates % every == 0 or trainer.is_done):
            row |= self._evaluate()
        selected = row.get(eval_tags(self.config.eval.select_by)[0], -math.inf)
        improved = selected > self.best
        self.best = max(selected, self.best)
        self._note(row)
        if improved:
            checkpoint.save(self.folder / BEST, self.finished)
        if trainer.updates % self.config.checkpoint_every == 0:
            self.save()
        return row

    def _state(self) -> dict[str, Any]:
        positions = self.metrics.positions()
        return {
            **self.trainer.state(),
            "best": self.best,
            "rows": self.rows,
            "positions": positions,
            "others": [],
        }

    def _evaluate(self) -> dict[str, float]:
        """Points per deal on the selection deals, alone among each opponent, with intervals."""
        row: dict[str, float] = {}
        agent = self.trainer.agent()
        for text, opponent in self.opponents.items():
            result = self._against(agent, opponent)
            values = (result.mean, result.low, result.high)
            row |= dict(zip(eval_tags(text), values, strict=True))
        return row

    def _against(self, agent: NeuralAgent, opponent: Agent) -> Any:
        config = self.config.eval
        return evaluate(
            agent, opponent, deals=config.deals, seed=config.seed, rules=self.config.rules
        )

    def save(self) -> dict[str, Any]:
        """Writes the last finished update as the latest checkpoint, and returns it."""
        nothing: dict[str, Any] = {}  # its own state stands in `finished`
        others = self.processes.gather(nothing)[1:]
        saved = {**self.finished, "others": others}
        checkpoint.save(self.folder / LATEST, saved)
        self.saved = saved["updates"]
        return saved

    def stop(self) -> str:
        """Keeps what can be kept of a stopped run; says how it goes on.

        One process forgets an unfinished update and saves the one before it. Several are not
        stopped at the same point, so none can ask the others for their tables.
        """
        if self.processes.size == 1:
            self.metrics.cut_back(self.finished["positions"])
            self.save()
        return _stopped_text(self.finished["updates"], self.saved)

    def close(self) -> None:
        """Closes the files."""
        self.metrics.close()


class _Helper:
    """A process beside the first of a run: no files, the same steps where all must take part."""

    def __init__(self, config: TrainConfig, processes: ProcessGroup, *, resume: bool) -> None:
        self.config, self.processes = config, processes
        self.trainer = Trainer(config, processes)
        if not resume:
            self.save()
        self.trainer.load(processes.scatter([]))
        self.saved = self.trainer.updates

    def start(self) -> None:
        """Leaves measuring to the first process."""

    def update(self) -> dict[str, float]:
        """One update, and its part of a checkpoint."""
        row = self.trainer.update()
        if self.trainer.updates % self.config.checkpoint_every == 0:
            self.save()
        return row

    def save(self) -> None:
        """Gives the first process its part of a checkpoint."""
        self.processes.gather(self.trainer.own_state())
        self.saved = self.trainer.updates

    def stop(self) -> str:
        """Says how a stopped run goes on."""
        return _stopped_text(self.trainer.updates, self.saved)

    def close(self) -> None:
        """Has no files."""


def _stopped_text(finished: int, saved: int) -> str:
    """What to tell somebody who stopped a run."""
    text = f"stopped after update {finished}; the same command with --resume goes on"
    return text if saved == finished else f"{text} from update {saved}"


def _number_text(number: int) -> str:
    return f"{number} process{'es' if number > 1 else ''}"


def _check_state(saved: dict[str, Any], own: dict[str, Any]) -> None:
    """Checks the parts of a checkpoint against those of a run that has not begun."""
    missing = [key for key in (*own, "best", "rows", "positions", "others") if key not in saved]
    if missing:
        raise ValueError(f"it lacks {', '.join(missing)}")
    for key in own:
        if key not in ("optimizer", "pool"):  # empty at the start
            checkpoint.check_like(saved[key], own[key], key)
    if not isinstance(saved["others"], list):
        raise ValueError("others is no list")
    for other in saved["others"]:
        for key in ("rng", "collector"):
            checkpoint.check_like(other[key], own[key], key)
    for key in ("actor", "critic", "optimizer", "pool", "seconds"):
        checkpoint.check_finite(saved[key], key)
    for key in ("updates", "decisions", "deals", "rows"):
        if type(saved[key]) is not int or saved[key] < 0:
            raise ValueError(f"{key} is no number of things")
    if type(saved["best"]) is not float or math.isnan(saved["best"]):
        raise ValueError("best is no number")
    if not 1 <= saved["threads"] <= MAX_THREADS:
        raise ValueError(f"threads is {saved['threads']}")
    positions = saved["positions"]
    if (
        not isinstance(positions, dict)
        or CSV_NAME not in positions
        or not all(
            isinstance(name, str) and type(length) is int and length >= 0 and "\0" not in name
            for name, length in positions.items()
        )
    ):
        raise ValueError("positions are no lengths of files")
    shapes = [value.shape for network in ("actor", "critic") for value in saved[network].values()]
    for index, moments in saved["optimizer"]["state"].items():
        if any(moments[name].shape != shapes[index] for name in ("exp_avg", "exp_avg_sq")):
            raise ValueError("optimizer has another shape")


def eval_tags(opponent: str) -> tuple[str, str, str]:
    """Names of the mean points per deal against an opponent and of its interval's ends."""
    name = "eval/points_per_deal"
    return f"{name}/{opponent}", f"{name}_low/{opponent}", f"{name}_high/{opponent}"
