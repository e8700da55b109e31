"""Files that appear whole or not at all."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from tarot_env.errors import TarotError


def write_atomically(path: Path, content: bytes | Callable[[IO[bytes]], object]) -> None:
    """Writes a file under a temporary name and then puts it in place.

    Args:
        path: the file; of a symbolic link, the file that it points to.
        content: what it holds, or a function that writes it to the open file.

    Raises:
        TarotError: there is something else than a file at the path; nothing is touched.
    """
    target = _file_behind(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            if callable(content):
                content(file)
            else:
                file.write(content)
        os.replace(temporary, target)
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _file_behind(path: Path) -> Path:
    """Where a file can be put so that it is found at `path`."""
    if "\0" in str(path):
        raise TarotError(f"{str(path)!r} is no name of a file")
    target = Path(os.path.realpath(path))
    # a link that leads nowhere else, such as one to itself, is still a link
    if target.is_symlink() or (path.exists() and not path.is_file()):
        what = "a folder" if path.is_dir() else "no regular file"
        raise TarotError(f"{path} is {what}, so it cannot be written; name a file")
    return target


def json_bytes(value: object) -> bytes:
    """Readable JSON text of a value; nan is refused."""
    return (json.dumps(value, indent=1, allow_nan=False, ensure_ascii=False) + "\n").encode()
