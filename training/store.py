"""Where the blocks of a tournament are kept: in memory, or in a folder that it can go on from.

A folder holds `tournament.json`, which says what is played, and one file per finished block. Files
appear whole or not at all.
"""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np

from tarot_env.errors import TarotError
from training.games import ARRAYS, Counts, Games

MANIFEST = "tournament.json"


def write_atomically(path: Path, content: bytes | Callable[[IO[bytes]], object]) -> None:
    """Writes a file under a temporary name and then puts it in place.

    Args:
        path: the file.
        content: what it holds, or a function that writes it to the open file.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            if callable(content):
                content(file)
            else:
                file.write(content)
        os.replace(temporary, path)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def json_bytes(value: object) -> bytes:
    """Readable JSON text of a value; nan is refused."""
    return (json.dumps(value, indent=1, allow_nan=False, ensure_ascii=False) + "\n").encode()


@dataclass
class BlockStore:
    """Finished blocks by number."""

    folder: Path | None
    _memory: dict[int, Games] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Path | None, identity: Mapping[str, Any]) -> "BlockStore":
        """The store in a folder, made if it is not there; in memory for None.

        Raises:
            TarotError: the folder holds another tournament, or other files.
        """
        if folder is None:
            return cls(None)
        manifest = folder / MANIFEST
        if manifest.exists():
            _check_same(folder, _read_manifest(manifest), dict(identity))
        elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise TarotError(f"{folder} exists and holds no tournament; name a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(manifest, json_bytes(dict(identity)))
        (folder / "blocks").mkdir(exist_ok=True)
        return cls(folder)

    def has(self, number: int) -> bool:
        """Whether a block is finished."""
        return number in self._memory or (self.folder is not None and self._path(number).exists())

    def put(self, number: int, games: Games) -> None:
        """Keeps a finished block."""
        if self.folder is None:
            self._memory[number] = games
            return
        sides = json.dumps([asdict(side) for side in games.sides])
        arrays: dict[str, Any] = {name: getattr(games, name) for name in ARRAYS}
        write_atomically(
            self._path(number),
            lambda file: np.savez(file, **arrays, skipped=games.skipped, sides=sides),
        )

    def get(self, number: int) -> Games:
        """A finished block.

        Raises:
            TarotError: its file cannot be read.
        """
        if self.folder is None:
            return self._memory[number]
        path = self._path(number)
        try:
            with np.load(path) as saved:
                first, second = json.loads(str(saved["sides"]))
                sides = (_counts(first), _counts(second))
                arrays = {name: saved[name] for name in ARRAYS}
                return Games(**arrays, skipped=int(saved["skipped"]), sides=sides)
        except (ValueError, KeyError, EOFError, OSError) as error:
            raise TarotError(
                f"block {path} cannot be read ({error}); remove it and start again to replay it"
            ) from error

    def stopped_text(self, total: int) -> str:
        """What to tell somebody who stopped a tournament of `total` blocks."""
        if self.folder is None:
            return "stopped; nothing is kept without --out DIR"
        done = sum(self.has(number) for number in range(total))
        return (
            f"stopped; {done} of {total} blocks are kept in {self.folder}: "
            "the same command goes on from there"
        )

    def _path(self, number: int) -> Path:
        assert self.folder is not None
        return self.folder / "blocks" / f"{number:06d}.npz"


def _counts(values: dict[str, Any]) -> Counts:
    return Counts(**{**values, "errors": tuple(values["errors"])})


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise TarotError(f"{path} is no tournament manifest: {error}") from error
    if not isinstance(found, dict):
        raise TarotError(f"{path} is no tournament manifest")
    return found


def _check_same(folder: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    for key, value in wanted.items():
        if found.get(key) != value:
            shown, given = _shown(found.get(key)), _shown(value)
            changed = "the file of an agent has changed"
            detail = changed if shown == given else f"{shown}, not {given}"
            raise TarotError(
                f"{folder} holds another tournament ({key}: {detail}); name another folder"
            )


def _shown(value: object) -> str:
    if isinstance(value, list):
        return " ".join(str(item.get("agent", item)) for item in value)
    return json.dumps(value)
