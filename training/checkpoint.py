"""Checkpoints: everything a run needs to go on exactly, in one file, replaced in one step."""

import contextlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tarot_env.errors import TarotError


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
    temporary = path.with_name(path.name + ".tmp")
    try:
        with temporary.open("wb") as file:
            torch.save(contents, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except (OSError, RuntimeError) as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        kept = "; the checkpoint before it is kept" if path.exists() else ""
        raise TarotError(f"checkpoint {path} could not be written: {reason}{kept}") from error


def generator_state(rng: np.random.Generator) -> dict[str, Any]:
    """The state of a PCG64 generator as plain values; its words are too long for a tensor."""
    state = rng.bit_generator.state
    return {**state, "state": {key: str(word) for key, word in state["state"].items()}}


def restore_generator(rng: np.random.Generator, saved: dict[str, Any]) -> None:
    """Puts a generator where `generator_state` found it."""
    words = {key: int(word) for key, word in saved["state"].items()}
    rng.bit_generator.state = {**saved, "state": words}
