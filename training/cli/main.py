"""The command `tarot`: parses, runs a command, and turns mistakes into a sentence.

Exit codes: 0 done, 1 `check` found records that disagree, 2 a mistake in what was asked for, 130
stopped by Ctrl-C, 143 by SIGTERM. The commands themselves are in `training.cli.commands`.
"""

import contextlib
import importlib.util
import io
import os
import re
import signal
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, get_type_hints

import tyro

from tarot_env.errors import TarotError, short_repr, unknown_name
from training.cli.commands import COMMANDS, Command, Train


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command line; returns the exit code."""
    args = list(sys.argv[1:] if argv is None else argv)
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    with _open_streams(), _sigterm_unwinds() as ended_by:
        code = _run(args)
        return 128 + ended_by[0] if ended_by else code


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
        if sys.stdin is None:
            before, sys.stdin = sys.stdin, io.StringIO()
            stack.callback(setattr, sys, "stdin", before)
        if sys.stderr is None:
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        yield


@contextlib.contextmanager
def _sigterm_unwinds() -> Iterator[list[int]]:
    """SIGTERM ends a command as Ctrl-C does; yields what has ended it.

    No agent can be blamed for a KeyboardInterrupt, and whatever keeps its work then keeps it.
    """
    ended_by: list[int] = []

    def end(number: int, frame: object) -> None:
        ended_by.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield ended_by
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield ended_by
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
    names = [f.name.replace("_", "-") for f in fields(kind)]  # type: ignore[arg-type]
    options = ["--help", *(f"--{name}" for name in names)]
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
        text = _sentence(errors.getvalue())
        text = (
            _missing_value(text, kind)
            or _wrong_number(text, kind, args)
            or textwrap.shorten(text, 300)
        )
        raise TarotError(f"{text}; see {prog} --help") from None


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
    return " ".join(" ".join(inside).split()).rstrip(".").removeprefix("Error parsing ")


_NUMBERS: dict[Any, tuple[Callable[[str], object], str]] = {
    int: (int, "a whole number"),
    int | None: (int, "a whole number"),
    tuple[int, ...]: (int, "a whole number"),
    float: (float, "a number"),
}
"""By the type of an option: how a word is read, and what it must be."""


def _missing_value(text: str, kind: Any) -> str | None:
    """What to say of an option without its value, where `text` complains of it; None otherwise."""
    found = re.match(r"Missing value for argument '(--[\w-]+)'", text)
    if found is None:
        return None
    flag = found[1]
    name = flag.removeprefix("--").replace("-", "_")
    metadata = get_type_hints(kind, include_extras=True)[name].__metadata__
    metavar = next(part.metavar for part in metadata if hasattr(part, "metavar"))
    hint = get_type_hints(kind)[name]
    wanted = f", {_NUMBERS[hint][1]}" if hint in _NUMBERS else ""
    return f"{flag} has no value; write {flag} {metavar}{wanted}"


def _wrong_number(text: str, kind: Any, args: Sequence[str]) -> str | None:
    """What to say of an option that wants a number, where `text` complains of it; None otherwise.

    Tyro speaks of types there, and shows the word at any length.
    """
    flag = text.partition(":")[0]
    hints = {} if isinstance(kind, dict) else get_type_hints(kind)
    hint = hints.get(flag.removeprefix("--").replace("-", "_"))
    if hint not in _NUMBERS:
        return None
    read, wanted = _NUMBERS[hint]
    current = ""
    for word in args:
        if word.startswith("--"):
            current, _, word = word.partition("=")
        if current == flag and word:
            try:
                read(word)
            except ValueError:
                smaller = "a number of fewer digits" if word.isdecimal() else wanted
                return f"{flag} must be {smaller}; got {short_repr(word)}"
    return None
