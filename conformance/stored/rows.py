"""Packed rows: one line that stands for a run of an answer's pieces (STG-4)."""

from dataclasses import dataclass
from itertools import accumulate

from model.stored_turn import has_only
from model.values import (
    MAX_SAFE_INTEGER,
    UNDEFINED,
    Array,
    Fractional,
    Hostile,
    Integer,
    Record,
    Text,
    Value,
    field,
    is_safe_count,
    is_safe_integer,
)

PIECE = "assistant/chunk"
TEXTS = frozenset(("text-chunks", "reasoning-chunks"))
CALLS = "tool-call-chunks"


@dataclass(frozen=True, slots=True)
class Packed:
    """So many events, the first with this seq; `time` is that of the last."""

    seq: int
    count: int
    time: int


def is_packed(stored: Value) -> bool:
    """Whether a line is a packed row, well made or not (STG-4)."""
    kind = field(stored, "type")
    return isinstance(kind, Text) and (kind.value in TEXTS or kind.value == CALLS)


def unpacked(row: Value) -> Packed | None:
    """What a packed row stands for, if it is well made (STG-4)."""
    seq, time, data = field(row, "seq0"), field(row, "time0"), field(row, "data")
    calls = field(row, "type") == Text(CALLS)
    payload = field(data, "args" if calls else "texts")
    gaps = field(data, "dt")
    if not (
        has_only(row, "type", "seq0", "time0", "data")
        and _data_fits(data, calls=calls)
        and is_safe_count(seq)
        and is_safe_integer(time)
        and isinstance(payload, Array)
        and isinstance(gaps, Array)
        and all(isinstance(each, Text) for each in payload.items)
        and all(is_safe_integer(each) for each in gaps.items)
        and len(payload.items) == len(gaps.items) + 1
    ):
        return None
    return packed(_int(seq), _int(time), [_int(each) for each in gaps.items])


def packed(seq: int, time: int, gaps: list[int]) -> Packed | None:
    """A run of events, if all their seqs and times are exact (STG-4)."""
    last = time + sum(gaps)
    grows = not gaps or min(gaps) >= 0
    times = (time, last) if grows else tuple(accumulate(gaps, initial=time))
    safe = min(times) >= -MAX_SAFE_INTEGER and max(times) <= MAX_SAFE_INTEGER
    if not safe or seq + len(gaps) > MAX_SAFE_INTEGER:
        return None
    return Packed(seq, len(gaps) + 1, last)


def _data_fits(data: Value, *, calls: bool) -> bool:
    names = ("turn", "step", "index", "dt", "args", "id") if calls else ("turn", "step", "index")
    named = calls and isinstance(field(data, "name"), Text)
    wanted = (*names, *(("name",) if named else ())) if calls else (*names, "dt", "texts")
    return (
        isinstance(data, Record)
        and has_only(data, *wanted)
        and all(_is_number(field(data, name)) for name in ("turn", "step", "index"))
        and (not calls or isinstance(field(data, "id"), Text))
    )


def _is_number(value: Value) -> bool:
    match value:
        case Integer() | Fractional():
            return True
        case Hostile():
            return value != UNDEFINED
        case _:
            return False


def _int(value: Value) -> int:
    return value.value if isinstance(value, Integer) else 0
