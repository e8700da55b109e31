"""What `tarot train` does: train with a live display, final tournament, report, what to look at."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from training.cli.terminal import plain_console, print_tournament, progress_if
from training.limits import MAX_THREADS
from training.report import report
from training.selfplay.config import TrainConfig
from training.selfplay.distributed import SINGLE_PROCESS, ProcessGroup
from training.selfplay.run import FINAL, Report, eval_tags, final_tournament, train


def run_experiment(
    config: TrainConfig,
    *,
    resume: bool = False,
    progress: bool = False,
    processes: ProcessGroup = SINGLE_PROCESS,
) -> Path:
    """Trains, plays the final tournament, writes the report, and says where everything lies.

    Of several processes the first alone shows and does what comes after training.

    Args:
        config: the run.
        resume: go on with a stopped run; a finished one plays its tournament again.
        progress: show how it goes on standard error: a live display on a terminal, elsewhere a
            line for each evaluation.
        processes: all that train together, each of which calls this function.
    """
    shown = progress and not processes.rank
    with _display(config, shown=shown) as on_update:
        folder = train(config, resume=resume, on_update=on_update, processes=processes)
    if processes.rank:
        return folder
    if config.final.deals:
        jobs = min(config.threads * processes.on_machine, MAX_THREADS)
        try:
            print_tournament(final_tournament(config, jobs=jobs, progress=progress_if(progress)))
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                "stopped in the final tournament; the same command with --resume goes on"
            ) from None
        report(folder / FINAL)
    pages = [path for path in report(folder) if path.suffix == ".html"]
    console = plain_console(soft_wrap=True)
    console.print(f"run        {folder}")
    console.print(f"report     {pages[0]}")
    console.print(f"curves     {tensorboard_command(config.runs)}")
    return folder


def tensorboard_command(runs: str) -> str:
    """What to type in the working directory to see the curves.

    The program beside the Python that runs, whose environment may not be active.
    """
    program = Path(sys.executable or "python").with_name("tensorboard")
    if not program.is_file():
        return shlex.join(["tensorboard", "--logdir", runs])
    if program.is_relative_to(Path.cwd()):
        program = program.relative_to(Path.cwd())
    return shlex.join([str(program), "--logdir", runs])


@contextmanager
def _display(config: TrainConfig, *, shown: bool) -> Iterator[Report | None]:
    """A bar over the run's decisions, and a line for each evaluation above it.

    Where standard error is no terminal, only a line for each evaluation that needs no other.
    """
    if not shown or not sys.stderr.isatty():
        yield partial(_print_evaluation, config.eval.opponents) if shown else None
        return
    console = plain_console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
    )
    task = bar.add_task("warming up", total=config.decisions)
    opponents = config.eval.opponents
    console.print("points per deal on selection deals, alone among three of each (95 % intervals):")
    for letter, opponent in zip(_LETTERS, opponents, strict=False):
        console.print(f"  {letter}  {opponent}")

    def on_update(row: dict[str, float]) -> None:
        text = f"update {row['update']:,}  {row['charts/SPS']:,.0f} decisions/s"
        bar.update(task, completed=row["decisions"], description=text)
        if _has_evaluation(row, opponents):
            bar.console.print(_evaluation_line(row, opponents))

    with bar:
        yield on_update


_LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""What opponents are called in the lines of the display."""


def _has_evaluation(row: dict[str, float], opponents: tuple[str, ...]) -> bool:
    return bool(opponents) and eval_tags(opponents[0])[0] in row


def _points(row: dict[str, float], opponent: str) -> str:
    """Points per deal against an opponent with half the width of their interval."""
    mean, low, high = (row[tag] for tag in eval_tags(opponent))
    return f"{mean:+.1f} ± {(high - low) / 2:.1f}"


def _evaluation_line(row: dict[str, float], opponents: tuple[str, ...]) -> str:
    named = zip(_LETTERS, opponents, strict=False)
    parts = [f"{letter} {_points(row, opponent)}" for letter, opponent in named]
    return f"{row['decisions']:>10,} decisions  " + "  ".join(parts)


def _print_evaluation(opponents: tuple[str, ...], row: dict[str, float]) -> None:
    """Prints the evaluation of an update, if it has one, as one plain line on standard error."""
    if _has_evaluation(row, opponents):
        parts = [f"{_points(row, opponent)} among {opponent}" for opponent in opponents]
        line = f"{row['decisions']:,} decisions, points per deal (95 %): {'; '.join(parts)}"
        print(line, file=sys.stderr, flush=True)
