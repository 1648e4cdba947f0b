"""Comparing the beginnings of two logs, event by event, however their lines pack them (FORK-2)."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from conformance.stored import committed, reading
from conformance.stored.parse import read
from conformance.stored.reading import Stored, UnreadableError
from conformance.stored.rewrites import EVERYTHING
from conformance.stored.rows import expanded, is_packed
from model.values import Value

ALL_LINES = 1 << 60


def first_difference(one: Path, other: Path, count: int, longest: int) -> int | None:
    """The first seq below `count` at which two logs differ."""
    with reading.opened(one) as first, reading.opened(other) as second:
        pairs = zip(events(first, longest), events(second, longest), strict=False)
        for seq, (ours, theirs) in enumerate(islice(pairs, count)):
            if ours != theirs and not _same(ours, theirs):
                return seq
    return None


def events(stored: Stored, longest: int) -> Iterator[bytes | Value]:
    """The events of a log: a line that holds one as it is, one of a packed run as a value."""
    for line in committed.lines(stored, longest, ALL_LINES):
        if committed.PACKED in line and is_packed(row := read(line, EVERYTHING)):
            yield from expanded(row)
        else:
            yield line


def _same(one: bytes | Value, other: bytes | Value) -> bool:
    try:
        return _value(one) == _value(other)
    except RecursionError as error:
        raise UnreadableError("an event is nested too deeply") from error


def _value(event: bytes | Value) -> Value:
    return read(event, EVERYTHING) if isinstance(event, bytes) else event
