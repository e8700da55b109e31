"""What a person at a table sees and types: lines through two text streams."""

from contextlib import suppress
from typing import TextIO

from rich.text import Text

from training.cli.terminal import plain_console


class Left(Exception):
    """The person leaves the table."""


class Screen:
    """What is shown and what is typed."""

    def __init__(self, stream_in: TextIO, stream_out: TextIO) -> None:
        self._in = stream_in
        self._out = stream_out
        with suppress(AttributeError, OSError, ValueError):  # any bytes may be typed
            stream_in.reconfigure(errors="replace")  # type: ignore[attr-defined]
        self._console = plain_console(file=stream_out)
        self.is_terminal = self._console.is_terminal
        self.waits = stream_in.isatty()
        """Whether a person sits there, who wants to read before the next deal begins."""
        self._ascii = not _takes_symbols(stream_out)

    def show(self, line: str | Text = "") -> None:
        """One line; red suits are red where there are colours."""
        text = Text(line) if isinstance(line, str) else line
        text.highlight_regex(r"[♥♦]\w+", "red")
        if self._ascii:
            text = Text(text.plain.translate(_ASCII).encode("ascii", "replace").decode())
        with self._console.capture() as shown:
            self._console.print(text, soft_wrap=not self.is_terminal)
        self._out.write(shown.get())

    def read(self, prompt: str) -> str:
        """A line that the person types.

        Raises:
            Left: there are no more.
        """
        self._out.write(prompt)
        self._out.flush()
        line = self._in.readline()
        if not self.waits or not line:
            self.show(line.strip())
        if not line:
            raise Left
        return line.strip()


_ASCII = str.maketrans("♠♥♦♣éèêàôîÉ–", "SHDCeeeaoiE-")


def _takes_symbols(stream: TextIO) -> bool:
    try:
        "♠é".encode(stream.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
