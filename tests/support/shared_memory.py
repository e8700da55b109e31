"""Things as another process hands them on."""

import pickle
from typing import Any


def through_shared_memory(thing: Any) -> Any:
    """Arrays lie in memory that cannot be written to, as where Ray hands them out."""
    buffers: list[pickle.PickleBuffer] = []
    told = pickle.dumps(thing, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(told, buffers=[bytes(buffer.raw()) for buffer in buffers])
