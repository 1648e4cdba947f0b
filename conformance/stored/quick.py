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
from conformance.stored.facts import RULED, Brief, Seen
from conformance.stored.rows import Packed, packed
from model.log import END_SEED
from model.recovery import KNOWN_EVENTS
from model.surface import Append

PLAIN = KNOWN_EVENTS - RULED
"""The types of whose events the model looks at the envelope alone."""

PLAIN_TOO = PLAIN | {END_SEED, "step/end"}
"""And those of which the judge remembers that they were there."""

AT_END = Append()

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
    if row.type not in PLAIN_TOO or row.ignorable is not UNSET:
        return None
    turn = Brief(row.type, row.seq) if row.type == "step/end" else None
    return row.seq, Seen(row.type, row.time, turn=turn)


def _turn_starts(row: shapes.TurnStarts) -> Found:
    if row.data.trigger is not UNSET:
        return None
    return row.seq, Seen(row.type, row.time, turn=Brief(row.type, row.seq, row.data.turn))


def _turn_ends(row: shapes.TurnEnds) -> Found:
    interrupted = row.data.reason.kind == "interrupted"
    turn = Brief(row.type, row.seq)
    return row.seq, Seen(row.type, row.time, turn=turn, interrupted=interrupted)


def _step_starts(row: shapes.StepStarts) -> Found:
    return row.seq, Seen(row.type, row.time, turn=Brief(row.type, row.seq, row.data.step))


def _call_starts(row: shapes.CallStarts) -> Found:
    turn = Brief(row.type, row.seq, calls=(row.data.callId,))
    return row.seq, Seen(row.type, row.time, turn=turn)


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
    return row.seq, Seen(row.type, row.time, place=AT_END)


def _assistant(row: shapes.AssistantSays) -> Found:
    if not _joins(row, may_cite_none=True):
        return None
    calls: tuple[str, ...] = ()
    for block in row.data.message.content:
        if block.type == "tool-call":
            if isinstance(block.id, UnsetType):
                return None
            calls = (*calls, block.id)
    number = row.data.step if calls and not isinstance(row.data.step, UnsetType) else None
    turn = Brief(row.type, row.seq, number, calls)
    return row.seq, Seen(row.type, row.time, turn=turn, place=AT_END)


def _result(row: shapes.ToolResult) -> Found:
    message = row.data.message
    block, call = message.content[0], message.source.callId
    if block.toolCallId != call or not _is_list(block.content):
        return None
    if not _joins(row, may_cite_none=False):
        return None
    turn = Brief(row.type, row.seq, calls=(call,))
    return row.seq, Seen(row.type, row.time, turn=turn, place=AT_END)


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
    **{kind.encode(): decoded(shapes.Plain, _plain) for kind in PLAIN_TOO},
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


def quick(line: bytes, kind: bytes) -> Found:
    """What the rules say of a line that seems to be of a kind, if nothing in it is remarkable."""
    way = WAYS.get(kind) or WAYS.get(_kind(line))
    return None if way is None else way(line)


def kind_of(line: bytes) -> bytes:
    """What the type of a line seems to be, if it is written where DSH writes it."""
    return line[START : line.find(QUOTE, START)]


def _kind(line: bytes) -> bytes:
    try:
        return decode_kind(line).type.encode()
    except (msgspec.DecodeError, RecursionError):
        return b""
