"""What `tarot train` does: train with a live display, final tournament, report, what to look at."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from training.config import MAX_THREADS, TrainConfig
from training.console import plain_console, print_tournament
from training.distributed import ALONE, Processes
from training.report import report
from training.run import FINAL, Report, eval_tags, final_tournament, train


def run_experiment(
    config: TrainConfig,
    *,
    resume: bool = False,
    progress: bool = False,
    processes: Processes = ALONE,
) -> Path:
    """Trains, plays the final tournament, writes the report, and says where everything lies.

    Of several processes the first alone shows and does what comes after training.

    Args:
        config: the run.
        resume: go on with a stopped run; a finished one plays its tournament again.
        progress: show how it goes, where standard error is a terminal.
        processes: all that train together, each of which calls this function.
    """
    shown = progress and sys.stderr.isatty() and not processes.rank
    with _display(config, shown=shown) as on_update:
        folder = train(config, resume=resume, on_update=on_update, processes=processes)
    if processes.rank:
        return folder
    if config.final.deals:
        jobs = min(config.threads * processes.on_machine, MAX_THREADS)
        try:
            print_tournament(final_tournament(config, jobs=jobs, progress=progress))
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
    """A bar over the run's decisions, and a line for each evaluation above it."""
    if not shown:
        yield None
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
        if opponents and eval_tags(opponents[0])[0] in row:
            bar.console.print(_evaluation_line(row, opponents))

    with bar:
        yield on_update


_LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""What opponents are called in the lines of the display."""


def _evaluation_line(row: dict[str, float], opponents: tuple[str, ...]) -> str:
    parts = []
    for letter, opponent in zip(_LETTERS, opponents, strict=False):
        mean, low, high = (row[tag] for tag in eval_tags(opponent))
        parts.append(f"{letter} {mean:+.1f} ± {(high - low) / 2:.1f}")
    return f"{row['decisions']:>10,} decisions  " + "  ".join(parts)
