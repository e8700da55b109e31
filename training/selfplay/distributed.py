"""Several processes that train one network together, as torchrun starts them.

    torchrun --nproc-per-node 4 -m training train CONFIG

Every process plays deals of its own and holds its own rows of each minibatch. What is divided by a
number of rows is divided by that of all processes, so the sum over processes is the loss, gradient
or statistic of one process with all the rows. Gradients are summed by hand: the networks also play,
are copied and saved, and torch's DistributedDataParallel around them would average means that have
different weights.

Networks live in main memory, and gloo carries their sums; tensors on a GPU would go through nccl.
Nothing here knows of networks, deals or files.
"""

import os
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from io import BytesIO
from typing import Any, Protocol, TypeVar

import numpy as np
import torch
import torch.distributed as dist
from torch.distributed.rendezvous import rendezvous

from tarot_env.errors import TarotError

_T = TypeVar("_T")

_PATIENCE = timedelta(days=1)
"""How long a process waits for another, which may be playing a tournament; one that ends is noticed
at once, since its connections close."""


class ProcessGroup(Protocol):
    """The processes of a run. All of them call each method, in the same order."""

    @property
    def rank(self) -> int:
        """Number of this process, from 0."""
        ...

    @property
    def size(self) -> int:
        """How many there are, on all machines."""
        ...

    @property
    def on_machine(self) -> int:
        """How many there are on this machine."""
        ...

    def sum(self, values: np.ndarray) -> np.ndarray:
        """The sums of all processes' numbers, entry by entry."""
        ...

    def sum_gradients(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Replaces the gradient of each parameter by the sum of all processes' gradients."""
        ...

    def from_first(self, value: _T) -> _T:
        """What process 0 gave."""
        ...

    def gather(self, value: _T) -> list[_T]:
        """At process 0 what each process gave, by rank; elsewhere nothing."""
        ...

    def scatter(self, values: Sequence[Any]) -> Any:
        """To each process its own of the values given by process 0."""
        ...


class SingleProcess:
    """One process: all sums are its own."""

    rank, size, on_machine = 0, 1, 1

    def sum(self, values: np.ndarray) -> np.ndarray:
        """The numbers themselves."""
        return values

    def sum_gradients(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Leaves gradients as they are."""

    def from_first(self, value: _T) -> _T:
        """The value itself."""
        return value

    def gather(self, value: _T) -> list[_T]:
        """The value alone."""
        return [value]

    def scatter(self, values: Sequence[Any]) -> Any:
        """The only value."""
        (value,) = values
        return value


SINGLE_PROCESS = SingleProcess()


class TorchProcesses:
    """The processes of torch's default group.

    A process that has ended is a `TarotError` for all that wait for it.
    """

    def __init__(self, *, on_machine: int) -> None:
        self.rank, self.size, self.on_machine = dist.get_rank(), dist.get_world_size(), on_machine

    def sum(self, values: np.ndarray) -> np.ndarray:
        """The sums of all processes' numbers, the same bits everywhere."""
        total = torch.from_numpy(np.array(values))
        with _lost_ones_named():
            dist.all_reduce(total)
        return total.numpy()

    def sum_gradients(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Sums all gradients as one vector; a parameter without one counts as 0."""
        parameters = list(parameters)
        parts = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
        vector = torch.cat([part.reshape(-1) for part in parts])
        with _lost_ones_named():
            dist.all_reduce(vector)
        sizes = [part.numel() for part in parts]
        for parameter, summed in zip(parameters, vector.split(sizes), strict=True):
            parameter.grad = summed.view_as(parameter)

    def from_first(self, value: _T) -> _T:
        """What process 0 gave."""
        box = [_packed(value)]
        with _lost_ones_named():
            dist.broadcast_object_list(box)
        return _unpacked(box[0])

    def gather(self, value: _T) -> list[_T]:
        """At process 0 what each process gave, by rank; elsewhere nothing."""
        boxes = None if self.rank else [b""] * self.size
        with _lost_ones_named():
            dist.gather_object(_packed(value), boxes)
        return [_unpacked(box) for box in boxes or []]

    def scatter(self, values: Sequence[Any]) -> Any:
        """To each process its own of the values given by process 0."""
        box = [b""]
        boxes = None if self.rank else [_packed(value) for value in values]
        with _lost_ones_named():
            dist.scatter_object_list(box, boxes)
        return _unpacked(box[0])


def _packed(value: object) -> bytes:
    """Plain values and tensors as a checkpoint would hold them; pickle knows no uint64 tensor."""
    file = BytesIO()
    torch.save(value, file)
    return file.getvalue()


def _unpacked(content: bytes) -> Any:
    return torch.load(BytesIO(content), weights_only=True)


@contextmanager
def started_processes() -> Iterator[ProcessGroup]:
    """The processes that torchrun started, or this one alone.

    At the end all wait for each other. Where one fails all end, and only the first to fail says
    why: it raises what happened, the others `SystemExit`.

    Raises:
        TarotError: the processes cannot find each other, or one has ended.
    """
    if os.environ.get("WORLD_SIZE", "1") == "1":
        yield SINGLE_PROCESS
        return
    store = _joined()
    try:
        yield TorchProcesses(on_machine=int(os.environ.get("LOCAL_WORLD_SIZE", "1")))
        with _lost_ones_named():
            dist.barrier()
    except BaseException as error:
        _ignore_signals()
        if not _is_first_to_fail(store):
            raise SystemExit(130 if isinstance(error, KeyboardInterrupt) else 2) from None
        raise
    finally:
        dist.destroy_process_group()


def _joined() -> dist.Store:
    """Joins the group that the environment describes; the store is where all meet."""
    with_gpu = torch.cuda.is_available()
    try:
        store, rank, size = next(rendezvous("env://"))
        if with_gpu:
            torch.cuda.set_device(
                int(os.environ.get("LOCAL_RANK", "0")) % torch.cuda.device_count()
            )
        dist.init_process_group(
            "cpu:gloo,cuda:nccl" if with_gpu else "gloo",
            store=store,
            rank=rank,
            world_size=size,
            timeout=_PATIENCE,
        )
    except (ValueError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise TarotError(f"the processes of this run cannot find each other: {reason}") from error
    return store


@contextmanager
def _lost_ones_named() -> Iterator[None]:
    """What torch says of a closed connection, in our words."""
    try:
        yield
    except RuntimeError as error:
        raise TarotError(
            "another process of the run has ended; --resume goes on from the last checkpoint"
        ) from error


def _is_first_to_fail(store: dist.Store) -> bool:
    """Whether no other process has failed before; true where nobody can say."""
    with suppress(RuntimeError):
        store.set_timeout(timedelta(seconds=5))
        return bool(store.add("failed", 1) == 1)
    return True


def _ignore_signals() -> None:
    """Lets a process that is ending already end in its own words."""
    with suppress(ValueError):  # not the main thread, which signals do not reach
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
