"""What a run writes down: one row of `metrics.csv` and TensorBoard scalars per update.

Both can be cut back to where a checkpoint left them, so that a run that goes on leaves the files
that it would have left without a stop.
"""

import csv
from collections.abc import Mapping
from pathlib import Path

from torch.utils.tensorboard import SummaryWriter

from tarot_env.errors import TarotError

CSV_NAME = "metrics.csv"


class Metrics:
    """The metric files of a run.

    Args:
        folder: the run's folder.
        columns: keys that a row may have; a key without a value stays empty.
        positions: where to go on, as given by `positions()`; None begins anew.

    Raises:
        TarotError: a file is missing or ends before its position; nothing is touched.
    """

    def __init__(
        self, folder: Path, columns: list[str], positions: Mapping[str, int] | None = None
    ) -> None:
        self._path = folder / CSV_NAME
        self._folder = folder
        self._columns = columns
        if positions is None:
            with self._path.open("w", newline="") as file:
                csv.writer(file).writerow(columns)
        else:
            _check_lengths(folder, positions)
            _cut_back(folder, positions)
        self._writer = SummaryWriter(str(folder))

    def write(self, row: Mapping[str, float], step: int) -> None:
        """Appends one row, and each of its tags (names with a slash) as a scalar at `step`."""
        with self._path.open("a", newline="") as file:
            csv.DictWriter(file, self._columns).writerow(row)
        for name, value in row.items():
            if "/" in name:
                self._writer.add_scalar(name, value, step)
        self._writer.flush()

    def positions(self) -> dict[str, int]:
        """Length of each metric file now."""
        files = [self._path, *self._folder.glob("events.out.tfevents.*")]
        return {file.name: file.stat().st_size for file in files}

    def cut_back(self, positions: Mapping[str, int]) -> None:
        """Forgets what was written since `positions` was taken; nothing can be written after."""
        self.close()
        _cut_back(self._folder, positions)

    def close(self) -> None:
        """Closes the event file."""
        self._writer.close()


def _check_lengths(folder: Path, positions: Mapping[str, int]) -> None:
    for name, length in {CSV_NAME: 0, **positions}.items():
        file = folder / name
        found = file.stat().st_size if file.is_file() else None
        if found is None or found < length:
            state = "is missing" if found is None else f"has {found} bytes of {length}"
            raise TarotError(f"{file} {state}, so the run cannot go on; put the file back")


def _cut_back(folder: Path, positions: Mapping[str, int]) -> None:
    for file in [folder / CSV_NAME, *folder.glob("events.out.tfevents.*")]:
        length = positions.get(file.name)
        if length is None:
            file.unlink(missing_ok=True)
        elif file.exists():
            with file.open("r+b") as handle:
                handle.truncate(length)
