"""Compressed logs: frames behind one another, the last of which may be torn (STG-6).

Where a frame ends is read off its structure without decompressing anything, as DSH does: only so
can a torn frame be told from a damaged one.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import zstandard

from conformance.stored.reading import CHUNK, Stored

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAGIC = b"\x28\xb5\x2f\xfd"
RESERVED_BITS = 0x18
SINGLE_SEGMENT = 0x20
CHECKSUM = 0x04
RESERVED_BLOCK = 3
REPEATED_BLOCK = 1


class DamagedError(Exception):
    """A frame is not one, or its content does not fit its checksum."""

    def __init__(self, why: str, at: int) -> None:
        """Say what is wrong, and at which byte of the file."""
        super().__init__(why)
        self.at = at


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a frame stands in the file; a torn one reaches to the file's end."""

    start: int
    end: int
    torn: bool = False


class _Torn(Exception):  # noqa: N818 - it is caught where it is raised
    """The file ends within a frame."""


def frames(stored: Stored) -> Iterator[Frame]:
    """The frames of a compressed log, one after the other (STG-6)."""
    at = 0
    while at < stored.size:
        try:
            end = _end(stored, at)
        except _Torn:
            yield Frame(at, stored.size, torn=True)
            return
        yield Frame(at, end)
        at = end


def _take(stored: Stored, at: int, count: int) -> bytes:
    if at + count > stored.size:
        raise _Torn
    stored.file.seek(at)
    found = stored.file.read(count)
    if len(found) < count:
        raise _Torn
    return found


def _end(stored: Stored, start: int) -> int:
    """Where the frame that begins here ends, by its header and those of its blocks."""
    first = _take(stored, start, 4)
    if first != MAGIC:
        plain = start == 0 and first.startswith(b"{")
        why = "the file is not compressed, though its name says so" if plain else "no frame is here"
        raise DamagedError(why, start)
    descriptor = _take(stored, start + 4, 1)[0]
    if descriptor & RESERVED_BITS:
        raise DamagedError("a reserved bit is set in the frame's header", start + 4)
    at = start + 5 + _header_rest(descriptor)
    last = False
    while not last:
        block = int.from_bytes(_take(stored, at, 3), "little")
        last, kind, size = bool(block & 1), block >> 1 & 3, block >> 3
        if kind == RESERVED_BLOCK:
            raise DamagedError("a block is of a kind that there is not", at)
        at += 3 + (1 if kind == REPEATED_BLOCK else size)
    end = at + (4 if descriptor & CHECKSUM else 0)
    if end > stored.size:
        raise _Torn
    return end


def _header_rest(descriptor: int) -> int:
    """How many bytes of a frame's header follow its descriptor."""
    single = bool(descriptor & SINGLE_SEGMENT)
    dictionary = (0, 1, 2, 4)[descriptor & 3]
    size_flag = descriptor >> 6
    content = 1 << size_flag if size_flag else int(single)
    return (0 if single else 1) + dictionary + content


class _Part(io.RawIOBase):
    """A part of a file, to be read from its beginning."""

    def __init__(self, stored: Stored, frame: Frame) -> None:
        super().__init__()
        self._stored = stored
        self._at = frame.start
        self._end = frame.end

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        self._stored.file.seek(self._at)
        found = self._stored.file.read(min(len(view), self._end - self._at))
        view[: len(found)] = found
        self._at += len(found)
        return len(found)


def text(stored: Stored, frame: Frame) -> Iterator[bytes]:
    """What a frame holds, a piece at a time, however much it is; of a torn one what there is."""
    decompressor = zstandard.ZstdDecompressor()
    part = io.BufferedReader(_Part(stored, frame), CHUNK >> 4)
    with decompressor.stream_reader(part, read_size=CHUNK >> 4) as reader:
        while True:
            try:
                piece = reader.read(CHUNK)
            except zstandard.ZstdError as error:
                why = f"the frame cannot be decompressed: {error}"
                raise DamagedError(why, frame.start) from error
            if not piece:
                return
            yield piece
