"""Where the blocks of a tournament are kept: in memory, or in a folder that it can go on from.

A folder holds `tournament.json`, which says what is played, and one file per finished block. Files
appear whole or not at all.
"""

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Int64

from tarot_env.cards.actions import Bid
from tarot_env.errors import TarotError, count_noun
from training.files import json_bytes, write_atomically
from training.tournament.duplicate import ARRAYS, Counts, Games

MANIFEST = "tournament.json"


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

    def get(
        self, number: int, units: Int64[np.ndarray, " u"], *, seatings: int, players: int
    ) -> Games:
        """A finished block.

        Args:
            number: of the block.
            units: the deals of the block, some of which may have been skipped, or its matches.
            seatings: of A.
            players: at each table.

        Raises:
            TarotError: its file cannot be read, or holds something else.
        """
        if self.folder is None:
            return self._memory[number]
        path = self._path(number)
        try:
            with path.open("rb") as file, np.load(file) as saved:
                first, second = json.loads(str(saved["sides"]))
                sides = (_counts(first), _counts(second))
                arrays = {name: saved[name] for name in ARRAYS}
                skipped = int(saved["skipped"])
            _check_arrays(arrays, skipped, units, seatings, players)
            return Games(**arrays, skipped=skipped, sides=sides)
        except Exception as error:  # what a garbled archive raises is not bounded
            reason = str(error) or type(error).__name__
            raise TarotError(
                f"block {path} cannot be read ({reason}); delete it and start again to replay it"
            ) from error

    def stopped_text(self, numbers: Collection[int]) -> str:
        """What to tell somebody who stopped a tournament of the numbered blocks."""
        if self.folder is None:
            return "stopped; nothing is kept without --out DIR"
        done = sum(self.has(number) for number in numbers)
        return (
            f"stopped; {done} of {count_noun(len(numbers), 'block')} kept in {self.folder}: "
            "the same command goes on from there"
        )

    def _path(self, number: int) -> Path:
        assert self.folder is not None
        return self.folder / "blocks" / f"{number:06d}.npz"


def _counts(values: dict[str, Any]) -> Counts:
    counts = Counts(**{**values, "errors": tuple(values["errors"])})
    numbers = (counts.decisions, counts.illegal, counts.failed)
    if not all(type(number) is int and 0 <= number < 2**62 for number in numbers):
        raise ValueError("counts that are no whole numbers")
    if type(counts.seconds) not in (int, float) or not 0 <= counts.seconds < math.inf:
        raise ValueError("a time that is none")
    if not all(isinstance(error, str) for error in counts.errors):
        raise ValueError("errors that are no texts")
    return counts


_DTYPES = {
    "units": np.int64,
    "dealer": np.int8,
    "half_scores": np.int32,
    "taker": np.int8,
    "partner": np.int8,
    "contract": np.int8,
    "made": np.bool_,
    "half_points": np.int16,
    "oudlers": np.int8,
    "bids": np.int8,
}


def _check_arrays(
    arrays: dict[str, np.ndarray], skipped: int, units: np.ndarray, seatings: int, players: int
) -> None:
    """Checks that these are the arrays of `Games` for the given deals or matches."""
    deals = arrays["units"].size
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(ARRAYS, (seatings, deals))
    shapes |= {"units": (deals,)}
    shapes |= dict.fromkeys(("half_scores", "bids"), (seatings, deals, players))
    for name, array in arrays.items():
        if array.dtype != _DTYPES[name] or array.shape != shapes[name]:
            raise ValueError(f"{name} is {array.dtype} {array.shape}, not {shapes[name]}")
    kept = np.unique(arrays["units"])
    if (
        len(kept) + skipped != len(units)
        or (np.diff(arrays["units"]) < 0).any()
        or not np.isin(kept, units).all()
    ):
        raise ValueError("its deals are not those of this block")
    if arrays["half_scores"].sum(2).any():
        raise ValueError("its scores do not sum to zero")
    ranges = {
        "dealer": (-1, players - 1),
        "taker": (-1, players - 1),
        "partner": (-1, players - 1),
        "contract": (0, max(Bid)),
        "oudlers": (0, 3),
        "bids": (-1, max(Bid)),
    }
    for name, (least, most) in ranges.items():
        if ((arrays[name] < least) | (arrays[name] > most)).any():
            raise ValueError(f"{name} is out of range")


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
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
        agents = (item.get("agent", item) if isinstance(item, dict) else item for item in value)
        return " ".join(map(str, agents))
    return json.dumps(value)
