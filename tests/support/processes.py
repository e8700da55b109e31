"""Starts the command line in a process of its own."""

import os
import signal
import subprocess
import sys


def started(argv, *, home=None, **options):
    """`tarot` with some arguments, which hears of Ctrl-C even where these tests do not.

    Args:
        argv: the arguments.
        home: folder in place of the user's.
        options: of `subprocess.Popen`.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    if home is not None:
        environment["HOME"] = str(home)
    command = [sys.executable, "-m", "training", *argv]
    # a shell starts what runs in the background with Ctrl-C ignored, and children inherit it
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(command, text=True, env=environment, **options)
    finally:
        signal.signal(signal.SIGINT, before)
