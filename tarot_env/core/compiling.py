"""How the rules are compiled: row functions, and the loops over rows that Python calls.

A function of one table is a `kernel`: it has no life of its own and is compiled as a part of the
loops that call it. A `loop` takes arrays alone, never a record of an array, and is kept in a cache
once it is compiled. numba looks at the file of a function alone to see whether its cache is stale;
so the folder of the cache is named by a digest of every file that may be compiled into it.

`NUMBA_DISABLE_JIT=1` runs everything interpreted, `NUMBA_BOUNDSCHECK=1` checks every index.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numba
import numpy as np
from numba import njit
from numba.core import event

F = TypeVar("F", bound=Callable[..., object])
config: Any = numba.config

_CORE = Path(__file__).parents[1]
_FOLDERS = ("cards", "rules", "core", "phases", "tables", "observation", "beliefs")
"""Folders of tarot_env of which code, or constants, become part of what is compiled."""
_CACHES_KEPT = 4
"""Of so many versions of the sources; those used longest ago go first."""


def kernel(function: F) -> F:
    """A function of one table, compiled as a part of the loops that call it."""
    if TYPE_CHECKING:
        return function
    return njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


def loop(function: Callable[..., Any]) -> Callable[..., Any]:
    """A loop over rows, which Python calls; it lets other threads run, and is cached."""
    if TYPE_CHECKING:
        return function
    function._is_loop = True
    before, config.CACHE_DIR = config.CACHE_DIR, config.CACHE_DIR or str(_cache_of(function))
    try:
        return njit(cache=True, nogil=True)(function)
    finally:
        config.CACHE_DIR = before


def as_compiled(array: Any, dtype: Any) -> np.ndarray:
    """An array as loops are compiled for: of one dtype, in one piece, writable; a copy if need be.

    Another kind of array would have them compiled anew.
    """
    array = np.ascontiguousarray(array, dtype)
    return array if array.flags.carray else array.copy()


def sources(package: Path) -> Iterator[Path]:
    """The files of a package of which anything may be compiled."""
    if package == _CORE:
        for folder in _FOLDERS:
            yield from sorted((package / folder).glob("*.py"))
    else:
        for path in sorted(package.rglob("*.py")):
            if "core.compiling import" in path.read_text("utf-8", "replace"):
                yield path


@cache
def digest(package: Path) -> str:
    """Names all that is compiled into the loops of a package: sources, numba, its switches."""
    found = hashlib.sha256(f"{numba.__version__} {config.BOUNDSCHECK}".encode())
    for root in dict.fromkeys((_CORE, package)):
        for path in sources(root):
            found.update(path.name.encode())
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def _package_of(function: Callable[..., object]) -> Path:
    """The folder of the outermost package that a function belongs to, or of its file."""
    path = Path(function.__code__.co_filename).resolve()
    inner = path.parents
    return next(
        (folder for folder in inner if not (folder.parent / "__init__.py").exists()), inner[0]
    )


@cache
def _cache_folder(package: Path) -> Path:
    """Where the loops of a package are kept: beside it, or in the user's cache folder."""
    beside = package / "__pycache__"
    try:
        beside.mkdir(exist_ok=True)
        writable = os.access(beside, os.W_OK)
    except OSError:
        writable = False
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    root = beside if writable else home / "tarot-env" / package.name
    folder = root / f"kernels-{digest(package)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:  # nothing can be kept: everything is compiled again in the next process
        return folder
    others = sorted(root.glob("kernels-*"), key=_last_used, reverse=True)
    for old in others[_CACHES_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def _last_used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # another process has just removed it
        return 0.0


def _cache_of(function: Callable[..., object]) -> Path:
    return _cache_folder(_package_of(function))


class _Progress(event.Listener):
    """Says that loops are being compiled: one line, kept up to date where there is a terminal."""

    def __init__(self) -> None:
        self.depth = self.compiled = 0

    def on_start(self, started: Any) -> None:
        """A loop, or a kernel within one, is being compiled."""
        self.depth += 1
        if self.depth > 1 or not _is_ours(started.data["dispatcher"].py_func):
            return
        self.compiled += 1
        line = "tarot-env compiles its rules, once for each version (about a minute in all)"
        if sys.stderr.isatty():
            print(f"\r{line} {'.' * self.compiled}", end="", file=sys.stderr, flush=True)
        elif self.compiled == 1:
            print(f"{line} ...", file=sys.stderr, flush=True)

    def on_end(self, ended: Any) -> None:
        """It has been compiled; the terminal's line is free again."""
        self.depth -= 1
        if self.depth == 0 and self.compiled and sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _is_ours(function: Callable[..., object]) -> bool:
    return function.__module__.partition(".")[0] in ("tarot_env", "agents")


event.register("numba:compile", _Progress())
