"""Reading a stored log's bytes: never waiting, never more than was there when it was opened."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Literal

CHUNK = 1 << 20
LONGEST_LINE = 64 << 20
"""A line that is longer is not read; DSH would take up to half a gigabyte."""

LARGEST_FILE = 2**31 - 1
"""DSH's runtime reads no file that is larger (STG-1)."""

Encoding = Literal["none", "zstd"]


class UnreadableError(Exception):
    """A file cannot be judged; `io` says that it could not be read at all."""

    def __init__(self, why: str, *, io: bool = False) -> None:
        """Say why."""
        super().__init__(why)
        self.io = io


@dataclass(frozen=True, slots=True)
class Stored:
    """An open log; `size` is how much of it is read, and `state` tells whether it has changed."""

    file: "BufferedReader[FileIO]"
    size: int
    encoding: Encoding
    state: tuple[int, ...]

    def changed(self) -> bool:
        """Whether somebody has written to the file since it was opened."""
        return state_of(os.fstat(self.file.fileno())) != self.state


def state_of(found: os.stat_result) -> tuple[int, ...]:
    """What changes when somebody writes to a file."""
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def encoding_of(path: Path) -> Encoding:
    """How a log is encoded, by its name (STG-6)."""
    return "zstd" if path.name.endswith((".zstd", ".zst")) else "none"


@contextmanager
def opened(path: Path) -> Iterator[Stored]:
    """Open a log to read it; what is no regular file is not even waited for."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except (OSError, ValueError) as error:
        raise UnreadableError(f"it cannot be opened: {_said(error)}", io=True) from error
    found = os.fstat(number)
    if not stat.S_ISREG(found.st_mode):
        os.close(number)
        raise UnreadableError("it is not a regular file", io=True)
    with BufferedReader(FileIO(number), CHUNK) as file:
        yield Stored(file, found.st_size, encoding_of(path), state_of(found))


def _said(error: OSError | ValueError) -> str:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return reason or type(error).__name__


def chunks(stored: Stored) -> Iterator[bytes]:
    """The bytes of a plain log, as far as it reached when it was opened."""
    left = stored.size
    stored.file.seek(0)
    while left > 0:
        try:
            chunk = stored.file.read(min(CHUNK, left))
        except OSError as error:
            raise UnreadableError(f"it cannot be read: {_said(error)}", io=True) from error
        if not chunk:
            return
        left -= len(chunk)
        yield chunk


class Lines:
    """Parts bytes into lines; what has no newline yet is kept, and is never longer than a line."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        """Begin with nothing."""
        self.longest = longest
        self.fragments: list[bytes] = []
        self.rest = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that end in these bytes, each without its newline."""
        lines = chunk.split(b"\n")
        tail = lines.pop()
        if lines and self.fragments:
            lines[0] = b"".join((*self.fragments, lines[0]))
            self.fragments, self.rest = [], 0
        if tail:
            self.fragments.append(tail)
            self.rest += len(tail)
        if self.rest > self.longest:
            megabytes = self.longest >> 20
            raise UnreadableError(f"a line is longer than {megabytes} MB (--max-line)")
        return lines
