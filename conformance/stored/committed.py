"""The whole lines of a stored log once more, for what needs two looks: rewrites and lineage."""

from collections.abc import Iterator

from conformance.stored import frames, reading
from conformance.stored.frames import DamagedError, Frame
from conformance.stored.parse import read
from conformance.stored.reading import Lines, Stored
from conformance.stored.rows import is_packed, unpacked

PACKED = b"-chunks"


def whole_so_far(stored: Stored, frame: Frame) -> bool:
    """Whether what there is of a torn frame can be read: else nothing of it counts (STG-6)."""
    try:
        for _ in frames.text(stored, frame):
            pass
    except DamagedError:
        return False
    return True


def pieces(stored: Stored) -> Iterator[bytes]:
    """The text of a log, as far as it can be read at all (STG-6)."""
    if stored.encoding == "none":
        yield from reading.chunks(stored)
        return
    try:
        for frame in frames.frames(stored):
            if not frame.torn or whole_so_far(stored, frame):
                yield from frames.text(stored, frame)
    except DamagedError:
        return


def lines(stored: Stored, longest: int, count: int) -> Iterator[bytes]:
    """So many whole lines behind the header line."""
    parted = Lines(longest)
    header = True
    for piece in pieces(stored):
        for line in parted.feed(piece):
            if header:
                header = False
            elif count > 0:
                count -= 1
                yield line
            else:
                return


def numbered(stored: Stored, longest: int, count: int) -> Iterator[tuple[int, bytes, int]]:
    """The same, each with the seq of its first event and the number of its events (STG-4)."""
    seq = 0
    for line in lines(stored, longest, count):
        held = _held(line)
        yield seq, line, held
        seq += held


def _held(line: bytes) -> int:
    if PACKED not in line and b"\\u" not in line:
        return 1
    stored = read(line)
    run = unpacked(stored) if is_packed(stored) else None
    return 1 if run is None else run.count
