"""The command `tarot`: parses, calls one function per command, and turns mistakes into a sentence.

Exit codes: 0 done, 1 `check` found records that disagree, 2 a mistake in what was asked for, 130
stopped by Ctrl-C, 143 by SIGTERM. Whatever a command needs is imported when it runs.
"""

import contextlib
import importlib.util
import io
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, runtime_checkable

import tyro

from tarot_env.errors import TarotError, unknown_name
from tarot_env.rules import PRESETS, Rules, parse_override


def _option(metavar: str | None, hint: str | None = None) -> Any:
    """How an option is shown in help: its placeholder, and a hint instead of the default."""
    return tyro.conf.arg(metavar=metavar, help_behavior_hint=hint)


@runtime_checkable
class Command(Protocol):
    """A parsed command line."""

    def run(self) -> int:
        """Does it; returns the exit code."""
        ...


@dataclass(frozen=True, kw_only=True)
class Quiet:
    """What commands that work long have in common."""

    quiet: Annotated[bool, _option(None, "")] = False
    """Show no progress; none is shown either where standard error is no terminal."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """Options that name the rules."""

    rules: Annotated[str, _option("PRESET")] = "fft"
    """Rule book to start from; `tarot variants` lists them."""
    players: Annotated[int, _option("P")] = 4
    """Players at the table."""
    set: Annotated[tyro.conf.UseAppendAction[tuple[str, ...]], _option("OPTION=VALUE")] = ()
    """Rule option to change, such as half_point=exact or poignee_bonus=10,20,30."""

    def make_rules(self) -> Rules:
        """The rules that the options name."""
        overrides = dict(parse_override(text) for text in self.set)
        return Rules.preset(self.rules, self.players, **overrides)


@dataclass(frozen=True, kw_only=True)
class Train(Quiet):
    """Train by self-play into RUNS/NAME."""

    config: Annotated[tyro.conf.Positional[Path], _option("CONFIG [--key value ...]")]
    """Settings of the run, TOML; each is changed by --key value, such as --name NAME."""
    resume: Annotated[bool, _option(None, "")] = False
    """Go on with a stopped run, exactly as if it had not stopped."""
    overrides: tyro.conf.Suppress[tuple[str, ...]] = ()

    def run(self) -> int:
        """Trains."""
        from training.config import load_config
        from training.experiment import run_experiment

        config = load_config(self.config, self.overrides)
        run_experiment(config, resume=self.resume, progress=not self.quiet)
        return 0


@dataclass(frozen=True, kw_only=True)
class Tournament(Quiet, Game):
    """Play agents against each other on the same deals, once in each seat, with intervals."""

    agents: Annotated[
        tyro.conf.Positional[tuple[str, ...]], _option("AGENT AGENT ...", "(two or more)")
    ] = ()
    """random, heuristic, ppo:PATH, or my_pkg.bots:MyBot."""
    deals: Annotated[int, _option("N")]
    """Deals for each ordered pair; ids 0 to N-1 of the seed."""
    seed: Annotated[int, _option("S")] = 3_000_000
    """Seed of the deals; agents are trained and selected on seeds below 3000000."""
    jobs: Annotated[int, _option("J")] = 1
    """Processes; the result is the same for any number."""
    out: Annotated[Path | None, _option("DIR", "")] = None
    """Folder for results; the same command goes on with a stopped tournament."""
    force: Annotated[str | None, _option("CONTRACT", "")] = None
    """No auction: the best hand plays this contract, such as garde; petit-sec deals are skipped."""
    about: Annotated[str | None, _option("AGENT", "")] = None
    """Play only the pairs with this agent, without a rating."""

    def run(self) -> int:
        """Plays, then prints the tables."""
        from training.console import print_tournament
        from training.tournament import run_tournament

        result = run_tournament(
            self.agents,
            deals=self.deals,
            seed=self.seed,
            rules=self.make_rules(),
            jobs=self.jobs,
            out=self.out,
            force=self.force,
            about=self.about,
            progress=not self.quiet,
        )
        print_tournament(result)
        return 0


@dataclass(frozen=True, kw_only=True)
class Simulate(Quiet, Game):
    """Play deals and write them down as records, one line each."""

    agents: Annotated[tuple[str, ...], _option("AGENT [AGENT ...]")]
    """One agent for all seats, or one for each seat."""
    deals: Annotated[int, _option("N")]
    """Records to write; deal ids 0 to N-1 of the seed."""
    seed: Annotated[int, _option("S")] = 0
    """Seed of the deals."""
    out: Annotated[Path, _option("FILE")]
    """File to write, JSON Lines."""
    legal: Annotated[bool, _option(None, "")] = False
    """Write the legal actions beside each action."""

    def run(self) -> int:
        """Plays and writes."""
        from training.simulate import simulate

        simulate(
            self.agents,
            deals=self.deals,
            seed=self.seed,
            out=self.out,
            rules=self.make_rules(),
            legal=self.legal,
            progress=not self.quiet,
        )
        return 0


@dataclass(frozen=True, kw_only=True)
class Check:
    """Replay records: exit code 1 where one disagrees with the rules, 2 for a file without any."""

    files: Annotated[
        tyro.conf.Positional[tuple[Path, ...]], _option("FILE ...", "(one or more)")
    ] = ()
    """Files of records, JSON Lines."""

    def run(self) -> int:
        """Checks; prints each problem with line, action and reason."""
        from tarot_env.records import check_files

        if not self.files:
            raise TarotError("name a file of records to check")
        checked = check_files(self.files)
        for problem in checked.problems:
            print(problem)
        number, wrong = checked.num_records, sum(p.is_record for p in checked.problems)
        strays = len(checked.problems) - wrong
        counted = f"{number} record{'s' if number != 1 else ''}, {wrong or 'none'} wrong"
        print(counted + (f"; lines that are no record: {strays}" if strays else ""))
        return 1 if checked.problems else 0


@dataclass(frozen=True, kw_only=True)
class Replay:
    """Show records step by step, as text."""

    file: Annotated[tyro.conf.Positional[Path], _option("FILE")]
    """File of records, JSON Lines."""
    french: Annotated[bool, _option(None, "")] = False
    """Court cards with French letters: V C D R instead of J N Q K."""

    def run(self) -> int:
        """Prints each record of the file."""
        from tarot_env.records import read_records
        from tarot_env.render import replay_text

        letters: Literal["english", "french"] = "french" if self.french else "english"
        shown = 0
        for _, record in read_records(self.file):
            print("\n" * (shown > 0) + replay_text(record, letters=letters))
            shown += 1
        if not shown:
            raise TarotError(f"{self.file}: holds no records")
        return 0


@dataclass(frozen=True, kw_only=True)
class Bench(Quiet, Game):
    """Measure tables, observations, environments, agents and training on this machine."""

    sizes: Annotated[tuple[int, ...], _option("B [B ...]")] = (1, 256, 4096)
    """Numbers of tables played side by side."""
    repeats: Annotated[int, _option("R")] = 3
    """Times that each is measured; the median counts."""
    json: Annotated[bool, _option(None, "")] = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Measures and prints."""
        from training.bench import bench, print_bench

        result = bench(
            self.sizes,
            repeats=self.repeats,
            rules=self.make_rules(),
            progress=not self.quiet,
        )
        print_bench(result, as_json=self.json)
        return 0


@dataclass(frozen=True, kw_only=True)
class Report:
    """Draw learning curves or tournament tables: pictures and one HTML page."""

    folder: Annotated[tyro.conf.Positional[Path], _option("DIR")]
    """Folder of a training run or of a tournament."""

    def run(self) -> int:
        """Draws; prints the files written."""
        from training.report import report

        for file in report(self.folder):
            print(file)
        return 0


@dataclass(frozen=True, kw_only=True)
class Variants:
    """List every preset and rule option with its values."""

    def run(self) -> int:
        """Prints the list."""
        from training.console import option_text

        for name, players in PRESETS.items():
            print(f"{name}: players {', '.join(map(str, players))}")
        for option in Rules.options():
            allowed = option.metadata["allowed"]
            values = (
                " | ".join(map(option_text, allowed)) if allowed else option_text(option.default)
            )
            default = f" (default {option_text(option.default)})" if allowed else ""
            print(f"\n{option.name} = {values}{default}\n    {option.metadata['doc']}")
        return 0


COMMANDS: dict[str, type[Command]] = {
    "train": Train,
    "tournament": Tournament,
    "simulate": Simulate,
    "check": Check,
    "replay": Replay,
    "bench": Bench,
    "report": Report,
    "variants": Variants,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command line; returns the exit code."""
    args = list(sys.argv[1:] if argv is None else argv)
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    with _open_streams(), _sigterm_unwinds():
        return _run(args)


def _run(args: Sequence[str]) -> int:
    """Runs one command line; whatever goes wrong is a sentence and an exit code."""
    try:
        _check_own_packages()
        code = parse(args).run()
        sys.stdout.flush()
        return code
    except SystemExit as end:
        return int(end.code or 0)
    except KeyboardInterrupt as stop:
        return _say(str(stop) or "stopped", 130)
    except BrokenPipeError:
        _discard(sys.stdout)
        return 141
    except TarotError as error:
        return _say(str(error), 2)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _say(f"{where}{error.strerror or error}", 2)
    except MemoryError as error:
        return _say(f"not enough memory for what was asked for: {error}".rstrip(": "), 2)
    except OverflowError as error:
        return _say(f"a number is too large: {error}", 2)
    except RecursionError:
        return _say("what was given is nested too deeply", 2)
    except RuntimeError as error:
        if "allocate memory" not in str(error):  # torch has no error of its own for it
            raise
        return _say("not enough memory for what was asked for", 2)


def _say(sentence: str, code: int) -> int:
    """Says why a command ends, if anybody can be told; the code comes back in any case."""
    for stream, text in ((sys.stdout, ""), (sys.stderr, f"tarot: {' '.join(sentence.split())}\n")):
        try:
            stream.write(text)
            stream.flush()
        except (OSError, ValueError):
            _discard(stream)
    return code


def _discard(stream: Any) -> None:
    """Sends what a stream still holds nowhere, so that the end of the program does not fail."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextlib.contextmanager
def _open_streams() -> Iterator[None]:
    """Puts something that takes text where standard output or error was closed at the start."""
    with contextlib.ExitStack() as stack:
        if sys.stdout is None:
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        if sys.stderr is None:
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        yield


@contextlib.contextmanager
def _sigterm_unwinds() -> Iterator[None]:
    """SIGTERM ends a command as an exception does, so that unfinished files are removed."""

    def end(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _check_own_packages() -> None:
    """Makes sure that `agents` is ours: openai-agents installs a package of that name too."""
    try:
        found = importlib.util.find_spec("agents.registry")
    except Exception:
        found = None
    if found is None:
        where = getattr(sys.modules.get("agents"), "__file__", None) or "somewhere else"
        raise TarotError(
            f"the package 'agents' comes from {where} and is not that of tarot-env; openai-agents "
            "installs one of this name, so use an environment without it"
        )


def parse(args: Sequence[str]) -> Command:
    """The command that the words of a command line mean.

    Raises:
        TarotError: an unknown command or option, or a value missing or of the wrong kind.
        SystemExit: help was asked for and printed.
    """
    if not args or args[0] in ("-h", "--help"):
        _tyro(COMMANDS, "tarot", ["--help"])
    name, rest = args[0], list(args[1:])
    if name not in COMMANDS:
        raise unknown_name("command", name, COMMANDS)
    overrides: list[str] = []
    if name == "train":
        rest, overrides = _split_overrides(rest)
    kind = COMMANDS[name]
    options = ["--help", *(f"--{f.name}" for f in fields(kind))]  # type: ignore[arg-type]
    for word in rest:
        flag = word.partition("=")[0]
        if flag.startswith("--") and flag not in options:
            raise unknown_name(f"option of tarot {name}:", flag, options)
    command: Command = _tyro(kind, f"tarot {name}", rest)
    return replace(command, overrides=tuple(overrides)) if isinstance(command, Train) else command


def _split_overrides(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """What `train` itself reads, and the settings behind CONFIG for the config."""
    own = [word for word in words if word in ("--resume", "--quiet", "-h", "--help")]
    others = [word for word in words if word not in own]
    if others and others[0].startswith("-"):
        raise TarotError("name CONFIG before its settings: tarot train CONFIG --key value")
    return [*others[:1], *own], others[1:]


def _tyro(kind: Any, prog: str, args: Sequence[str]) -> Any:
    """What tyro makes of the words, with its boxed errors turned into a sentence."""
    config = (tyro.conf.FlagCreatePairsOff,)
    errors = io.StringIO()
    try:
        with contextlib.redirect_stderr(errors):
            if isinstance(kind, dict):
                return tyro.extras.subcommand_cli_from_dict(
                    kind, prog=prog, description=_ABOUT, args=args, config=config
                )
            return tyro.cli(kind, prog=prog, args=args, config=config)
    except SystemExit as end:
        if end.code in (0, None):
            raise
        raise TarotError(f"{_sentence(errors.getvalue())}; see {prog} --help") from None


_ABOUT = "French Tarot: train agents, let them play, and look at what they did."


def _sentence(box: str) -> str:
    """The first part of an error box as one sentence.

    A box has a title line, then parts between rules; its border is one character wide, a space
    where standard output cannot show lines.
    """
    inside: list[str] = []
    for line in re.sub(r"\x1b\[[0-9;]*m", "", box).splitlines()[1:]:
        content = line[1:].rstrip("│ ")
        if not re.fullmatch(r"\s*[─-]+", content):
            inside.append(content)
        elif inside:
            break
    if inside and inside[0].strip().startswith("Missing from"):
        missing = [line.strip() for line in inside if re.match(r" {5}\S", line)]
        return "missing " + ", ".join(missing)
    text = " ".join(" ".join(inside).split()).rstrip(".").removeprefix("Error parsing ")
    number = re.fullmatch(r"(\S+): invalid literal for int\(\) with base 10: ('.*')", text)
    return f"{number[1]} must be a whole number; got {number[2]}" if number else text
