"""Packed rows: one line that stands for a run of an answer's pieces (STG-4)."""

from collections.abc import Iterator
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
    record,
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


def expanded(row: Value) -> Iterator[Record]:
    """The events that a packed row stands for (STG-4)."""
    run = unpacked(row)
    if run is None:
        return
    data = field(row, "data")
    times = accumulate(_ints(field(data, "dt")), initial=_int(field(row, "time0")))
    pieces = field(data, "args" if field(row, "type") == Text(CALLS) else "texts")
    items = pieces.items if isinstance(pieces, Array) else ()
    for seq, (time, piece) in enumerate(zip(times, items, strict=True), run.seq):
        inner = {name: field(data, name) for name in ("turn", "step")}
        whole = record({**inner, "chunk": _piece(row, piece)})
        envelope: dict[str, Value] = {
            "type": Text(PIECE),
            "seq": Integer(seq),
            "time": Integer(time),
        }
        yield record({**envelope, "data": whole})


def _piece(row: Value, piece: Value) -> Record:
    """One piece of an answer, by the type of its row."""
    data, kind = field(row, "data"), field(row, "type")
    common: dict[str, Value] = {"index": field(data, "index")}
    if kind != Text(CALLS):
        text = "text-delta" if kind == Text("text-chunks") else "reasoning-delta"
        return record({**common, "type": Text(text), "text": piece})
    names = ("id", "name") if field(data, "name") != UNDEFINED else ("id",)
    ids = {name: field(data, name) for name in names}
    call = {"type": Text("tool-call-delta"), "argumentsDelta": piece}
    return record({**common, **ids, **call})


def _ints(value: Value) -> Iterator[int]:
    items = value.items if isinstance(value, Array) else ()
    return (_int(item) for item in items)


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
