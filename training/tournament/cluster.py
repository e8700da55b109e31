"""Work of this program on the machines of a Ray cluster, through Ray's own joblib backend.

Ray is loaded only where a cluster is named: `pip install -e '.[cluster]'`. Each machine needs the
same version of this program, and the files of agents under the same paths.
"""

import importlib.util
import logging
import os
import re
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tarot_env.errors import TarotError

_PATIENCE_SECONDS = 10
_LOCAL: dict[str, Any] = {"include_dashboard": False, "object_store_memory": 2**27}
"""How Ray is started on this machine alone; results wait in main memory and are small."""


def check_ray() -> None:
    """Checks that Ray is installed.

    Raises:
        TarotError: it is not.
    """
    if importlib.util.find_spec("ray") is None:
        raise TarotError(
            "a cluster needs Ray, which is not installed; pip install -e '.[cluster]' brings it"
        )


@contextmanager
def joblib_on_cluster(address: str) -> Iterator[None]:
    """Makes joblib hand its calls to the processors of a Ray cluster.

    A connection that the program has already is used and left open. Ray sends no usage statistics
    unless the environment asks for them.

    Args:
        address: as `ray.init` takes it: `auto` for the cluster that this machine belongs to,
            `local` for one of this machine alone, started for the time being, `ray://HOST:PORT`,
            or `HOST:PORT`; where the last two ask for a token, `RAY_AUTH_MODE=token` gives it.

    Raises:
        TarotError: no cluster there, or a machine of it failed.
    """
    check_ray()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray
    from joblib import parallel_config
    from ray.util.joblib.ray_backend import RayBackend

    connected = ray.is_initialized()
    if not connected:
        _connect(address)
    backend = RayBackend()
    backend.supports_return_generator = True  # it can: what it is derived from could not
    try:
        with parallel_config(backend=backend):
            yield
    except ray.exceptions.RayError as error:
        reason = str(error).partition("\n")[0]
        raise TarotError(f"the cluster at {address} failed: {reason}") from error
    finally:
        if not connected:
            _disconnect()


def _connect(address: str) -> None:
    import ray

    options = _LOCAL if address == "local" else {}
    on_sigterm = signal.getsignal(signal.SIGTERM)
    try:
        _check_somebody_listens(address)
        ray.init(address, logging_level=logging.ERROR, log_to_driver=False, **options)
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, on_sigterm)  # Ray's own would end the program at once
    except (OSError, OverflowError, ValueError, RuntimeError, ImportError) as error:
        reason = re.split(r"\.?(?:\n|\. )", getattr(error, "strerror", None) or str(error))[0]
        raise TarotError(f"no Ray cluster at {address!r}: {reason}") from error


def _disconnect() -> None:
    """Leaves the cluster once nobody waits for it: a thread that did would join another."""
    import ray
    from ray.util.multiprocessing.pool import ResultThread

    for thread in threading.enumerate():
        if isinstance(thread, ResultThread):
            thread.join(_PATIENCE_SECONDS)
    ray.shutdown()


def _check_somebody_listens(address: str) -> None:
    """Fails soon where no machine answers; Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").partition("/")[0].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE_SECONDS).close()
