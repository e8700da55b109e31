"""Checkpoints: everything a run needs to go on exactly, in one file, replaced in one step."""

import os
from pathlib import Path
from typing import IO, Any

import numpy as np
import torch

from tarot_env.errors import TarotError
from training.files import write_atomically


def pack(value: Any) -> Any:
    """The value with numpy arrays as tensors, as `torch.load(weights_only=True)` accepts it.

    Tensors are copied, so that later training does not change what was packed.
    """
    if isinstance(value, dict):
        return {key: pack(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [pack(item) for item in value]
    if isinstance(value, np.ndarray):
        return torch.from_numpy(value.copy())
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, np.generic):
        return value.item()
    return value


def unpack_arrays(saved: dict[str, dict[str, torch.Tensor]]) -> dict[str, dict[str, np.ndarray]]:
    """Tables of tensors as tables of arrays."""
    return {
        group: {name: tensor.numpy() for name, tensor in tensors.items()}
        for group, tensors in saved.items()
    }


def save(path: Path, contents: dict[str, Any]) -> None:
    """Writes a checkpoint under a temporary name and moves it into place.

    Raises:
        TarotError: the disk is full or the folder not writable; an older file stays as it was.
    """

    def write(file: IO[bytes]) -> None:
        torch.save(contents, file)
        file.flush()
        os.fsync(file.fileno())

    try:
        write_atomically(path, write)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        kept = "; the checkpoint before it is kept" if path.exists() else ""
        raise TarotError(f"checkpoint {path} could not be written: {reason}{kept}") from error


def check_like(saved: Any, own: Any, where: str) -> None:
    """Checks that a value has the keys, types and shapes of another one.

    The first axis of a tensor may differ where it counts entries: below `collector.buffer`.

    Raises:
        ValueError: it has not, or a weight is no finite number.
    """
    if isinstance(own, dict):
        if not isinstance(saved, dict) or saved.keys() != own.keys():
            raise ValueError(f"{where} has other entries")
        for key, value in own.items():
            check_like(saved[key], value, f"{where}.{key}")
    elif isinstance(own, torch.Tensor):
        first = 1 if where.startswith("collector.buffer.") else 0
        if (
            not isinstance(saved, torch.Tensor)
            or saved.dtype != own.dtype
            or saved.ndim != own.ndim
            or saved.shape[first:] != own.shape[first:]
        ):
            raise ValueError(f"{where} has another shape or type")
    elif type(saved) is not type(own):
        raise ValueError(f"{where} is no {type(own).__name__}")


def check_finite(value: Any, where: str) -> None:
    """Checks that all numbers in nested tables and lists are finite.

    Raises:
        ValueError: one is not.
    """
    if isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            check_finite(item, where)
    elif (
        isinstance(value, torch.Tensor | float) and not torch.isfinite(torch.as_tensor(value)).all()
    ):
        raise ValueError(f"{where} holds numbers that are not finite")


def generator_state(rng: np.random.Generator) -> dict[str, Any]:
    """The state of a PCG64 generator as plain values; its words are too long for a tensor."""
    state = rng.bit_generator.state
    return {**state, "state": {key: str(word) for key, word in state["state"].items()}}


def restore_generator(rng: np.random.Generator, saved: dict[str, Any]) -> None:
    """Puts a generator where `generator_state` found it."""
    words = {key: int(word) for key, word in saved["state"].items()}
    rng.bit_generator.state = {**saved, "state": words}
