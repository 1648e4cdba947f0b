"""The quick way: lines in which nothing is remarkable, by the model's rules, and nothing else.

A line is decoded straight into the shape that the rules ask for. Whatever does not fit, be it wrong
or merely unusual, gives None: then the model is asked. So nothing here decides that a line is bad.
`tests/test_check_log_quick.py` holds that what the quick way says of a line the model says too.
"""

from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from conformance.stored import shapes
from conformance.stored.facts import RULED, Seen, asking
from conformance.stored.rows import Packed, packed
from model.log import END_SEED, Event
from model.recovery import KNOWN_EVENTS
from model.surface import Append
from model.values import EMPTY, UNDEFINED, Integer, Text, Value, record

PLAIN = KNOWN_EVENTS - RULED
"""The types of whose events the model looks at the envelope alone."""

PREFIX = b'{"type":"'
START = len(PREFIX)
QUOTE = b'"'
ARRAY = ord("[")

Found = tuple[int, Seen] | Packed | None
"""A seq and what there is to say of its event; a packed run; or that the model has to say it."""

Shape = TypeVar("Shape", bound=Struct)
Way = Callable[[bytes], Found]


def decoded(shape: type[Shape], say: Callable[[Shape], Found]) -> Way:
    """The quick way of lines of one shape."""
    decode = msgspec.json.Decoder(shape).decode

    def way(line: bytes) -> Found:
        try:
            row = decode(line)
        except (msgspec.DecodeError, RecursionError):
            return None
        return say(row)

    return way


def _plain(row: shapes.Plain) -> Found:
    if row.type not in PLAIN | {END_SEED, "step/end"} or row.ignorable is False:
        return None
    turn = _followed(row.type, row.seq, row.time, EMPTY, ignorable=row.ignorable is True)
    return row.seq, Seen(row.type, row.time, turn=turn if row.type == "step/end" else None)


def _followed(kind: str, seq: int, time: int, data: Value, *, ignorable: bool = False) -> Event:
    return Event(seq, kind, data, time, ignorable)


def _turn_starts(row: shapes.TurnStarts) -> Found:
    if row.data.trigger is not UNSET:
        return None
    data = record({"turn": Integer(row.data.turn)})
    return row.seq, Seen(row.type, row.time, turn=_followed(row.type, row.seq, row.time, data))


def _turn_ends(row: shapes.TurnEnds) -> Found:
    turn = _followed(row.type, row.seq, row.time, EMPTY)
    interrupted = row.data.reason.kind == "interrupted"
    return row.seq, Seen(row.type, row.time, turn=turn, interrupted=interrupted)


def _step_starts(row: shapes.StepStarts) -> Found:
    data = record({"step": Integer(row.data.step)})
    return row.seq, Seen(row.type, row.time, turn=_followed(row.type, row.seq, row.time, data))


def _call_starts(row: shapes.CallStarts) -> Found:
    data = record({"callId": Text(row.data.callId)})
    return row.seq, Seen(row.type, row.time, turn=_followed(row.type, row.seq, row.time, data))


def _joins(row: shapes.Message, *, may_cite_none: bool) -> bool:
    """Whether the seqs that a message is made of are earlier ones, each once."""
    cited = row.sourceEventSeqs
    if isinstance(cited, UnsetType):
        return True
    if not cited:
        return may_cite_none
    return len(set(cited)) == len(cited) and max(cited) < row.seq


def _is_list(raw: Raw) -> bool:
    return memoryview(raw)[0] == ARRAY


def _user(row: shapes.UserMessage) -> Found:
    if not _joins(row, may_cite_none=False) or not _is_list(row.data.content):
        return None
    return row.seq, Seen(row.type, row.time, place=Append())


def _assistant(row: shapes.AssistantSays) -> Found:
    if not _joins(row, may_cite_none=True):
        return None
    asked = [block.id for block in row.data.message.content if block.type == "tool-call"]
    calls = tuple(Text(call) for call in asked if isinstance(call, str))
    if len(calls) != len(asked):
        return None
    step = row.data.step
    data = asking(UNDEFINED if isinstance(step, UnsetType) else Integer(step), calls)
    turn = _followed(row.type, row.seq, row.time, data)
    return row.seq, Seen(row.type, row.time, turn=turn, place=Append())


def _result(row: shapes.ToolResult) -> Found:
    message = row.data.message
    block, call = message.content[0], message.source.callId
    if block.toolCallId != call or not _is_list(block.content):
        return None
    if not _joins(row, may_cite_none=False):
        return None
    source = record({"callId": Text(call)})
    data = record({"message": record({"source": source})})
    turn = _followed(row.type, row.seq, row.time, data)
    return row.seq, Seen(row.type, row.time, turn=turn, place=Append())


def _texts(row: shapes.TextRow) -> Found:
    fits = len(row.data.texts) == len(row.data.dt) + 1
    return packed(row.seq0, row.time0, row.data.dt) if fits else None


def _calls(row: shapes.CallRow) -> Found:
    fits = len(row.data.args) == len(row.data.dt) + 1
    return packed(row.seq0, row.time0, row.data.dt) if fits else None


def _request(row: shapes.RequestHeader) -> Found:
    if row.data.header.adapterDefaults is not UNSET or row.data.reason == "fallback":
        return None
    return row.seq, Seen(row.type, row.time)


WAYS: dict[bytes, Way] = {
    **{kind.encode(): decoded(shapes.Plain, _plain) for kind in (*PLAIN, END_SEED, "step/end")},
    b"turn/start": decoded(shapes.TurnStarts, _turn_starts),
    b"turn/end": decoded(shapes.TurnEnds, _turn_ends),
    b"step/start": decoded(shapes.StepStarts, _step_starts),
    b"tool/call": decoded(shapes.CallStarts, _call_starts),
    b"user/message": decoded(shapes.UserMessage, _user),
    b"assistant/message": decoded(shapes.AssistantSays, _assistant),
    b"tool/result": decoded(shapes.ToolResult, _result),
    b"text-chunks": decoded(shapes.TextRow, _texts),
    b"reasoning-chunks": decoded(shapes.TextRow, _texts),
    b"tool-call-chunks": decoded(shapes.CallRow, _calls),
    b"request/header": decoded(shapes.RequestHeader, _request),
}

PLAIN_STARTS = frozenset(kind.encode() for kind in PLAIN)
decode_plain = msgspec.json.Decoder(shapes.Plain).decode
decode_kind = msgspec.json.Decoder(shapes.Kind).decode


def quick(line: bytes) -> Found:
    """What the rules say of a line in which nothing is remarkable."""
    kind = line[START : line.find(QUOTE, START)] if line.startswith(PREFIX) else _kind(line)
    way = WAYS.get(kind)
    return None if way is None else way(line)


def _kind(line: bytes) -> bytes:
    try:
        return decode_kind(line).type.encode()
    except (msgspec.DecodeError, RecursionError):
        return b""
