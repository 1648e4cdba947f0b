"""What one stored event says by itself, as the model's rules see it.

These are the only things that the judge of a log looks at. `seen` asks the model for them; the
quick way of `quick.py` finds them faster, and is tested to find the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum

from msgspec import Struct

from model.log import Event, envelope_fits
from model.messages import (
    MESSAGES,
    REQUEST_HEADER,
    is_former_request,
    message_fits,
    request_fits,
    upgraded,
)
from model.recovery import FORMER_EVENTS, can_be_followed, is_known
from model.stored_turn import turn_fits
from model.surface import Misplaced, Place, place
from model.values import (
    EMPTY,
    UNDEFINED,
    Array,
    Bool,
    Integer,
    Record,
    Text,
    Value,
    field,
    record,
)


class Phase(IntEnum):
    """What DSH looks for, in that order: a fault of an earlier phase hides those of later ones."""

    HEADER_LINE = 0
    COMMITTED = 1
    PLACE = 2
    FORMER = 3
    FORM = 4
    UNKNOWN = 5
    FOLLOWED = 6
    HEADER = 7
    EVENT = 8
    CLOSED = 9


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an event keeps its log from being loaded."""

    phase: Phase
    clause: str
    why: str


class Brief(Struct, frozen=True, gc=False):
    """What the closing of turns looks at in an event, where that is as simple as it mostly is.

    `number` is that of the turn or the step, `calls` are ids of calls of tools.
    """

    kind: str
    seq: int
    number: int | None = None
    calls: tuple[str, ...] = ()

    def event(self) -> Event:
        """The same as the model has it."""
        number = UNDEFINED if self.number is None else Integer(self.number)
        calls = tuple(Text(call) for call in self.calls)
        first = calls[0] if calls else UNDEFINED
        match self.kind:
            case "turn/start":
                return Event(self.seq, self.kind, _some(turn=number))
            case "step/start":
                return Event(self.seq, self.kind, _some(step=number))
            case "tool/call":
                return Event(self.seq, self.kind, _some(callId=first))
            case "tool/result":
                source = record({"source": _some(callId=first)})
                return Event(self.seq, self.kind, record({"message": source}))
            case "assistant/message":
                return Event(self.seq, self.kind, asking(number, calls))
            case _:
                return Event(self.seq, self.kind)


class Seen(Struct, frozen=True, gc=False):
    """What there is to say of one event.

    `turn` is the event with what the closing of turns looks at, and nothing else, where it looks.
    """

    kind: str
    time: int
    faults: tuple[Fault, ...] = ()
    turn: Event | Brief | None = None
    place: Place = None
    interrupted: bool = False


FOLLOWED = frozenset(
    ("turn/start", "turn/end", "step/start", "step/end", "tool/call", "tool/result"),
) | {"assistant/message"}
"""The types from which it is read off what was under way (RES-4)."""

RULED = FOLLOWED | MESSAGES | FORMER_EVENTS | {REQUEST_HEADER, "session/end-seed"}
"""The types whose events have rules of their own; of any other the envelope alone is looked at."""

INTERRUPTED = Text("interrupted")


def seen(stored: Record, seq: int, session_id: str, is_result: Callable[[int], bool]) -> Seen:
    """Ask the model about one event of a log at its place."""
    event = event_of(stored, seq)
    found: list[Fault] = []
    if event.type in FORMER_EVENTS or is_former_request(event.type, event.data):
        found.append(Fault(Phase.FORMER, "STG-9", f"no log may hold {event.type} of this form"))
    if not turn_fits(event):
        found.append(Fault(Phase.FORM, "RES-1", f"a {event.type} has another form"))
    current = upgraded(stored, session_id, is_result)
    if current is None:
        found.append(Fault(Phase.FORM, "STG-9", f"a {event.type} has no form that can be read"))
        current = stored
    event = event_of(current, seq)
    if not message_fits(event.type, event.data):
        found.append(Fault(Phase.FORM, "STG-7", f"a {event.type} has to hold a message"))
    if not is_known(event):
        found.append(
            Fault(Phase.UNKNOWN, "RES-1", f"type {event.type!r} is unknown and not ignorable")
        )
    if not can_be_followed(event):
        found.append(Fault(Phase.FOLLOWED, "RES-4", f"the data of a {event.type} is no record"))
    joins = place(current, event.type, seq)
    found.extend(_of_the_event(current, event, joins))
    reason = field(field(event.data, "reason"), "kind")
    return Seen(
        event.type,
        event.time or 0,
        tuple(found),
        replace(event, data=looked_at(event), time=None) if event.type in FOLLOWED else None,
        joins,
        interrupted=event.type == "turn/end" and reason == INTERRUPTED,
    )


def _of_the_event(stored: Record, event: Event, joins: Place) -> tuple[Fault, ...]:
    if not envelope_fits(stored):
        return (Fault(Phase.EVENT, "SEED-1", envelope_fault(stored)),)
    if event.type == REQUEST_HEADER and not request_fits(event.data):
        return (Fault(Phase.EVENT, "STG-7", "a request/header has to name a provider and a model"),)
    if isinstance(joins, Misplaced):
        return (Fault(Phase.EVENT, "STG-8", joins.why),)
    return ()


def envelope_fault(stored: Record) -> str:
    """What is wrong with an envelope, in words (SEED-1)."""
    wants: dict[str, Value] = {
        "type": Text(""),
        "seq": Integer(0),
        "time": Integer(0),
        "data": EMPTY,
    }
    for name, value in stored.entries:
        if name not in wants and not envelope_fits(record({**wants, name: value})):
            return f"the envelope has {name!r}, which it must not have or not with this value"
    for name in wants:
        if not envelope_fits(record({**wants, name: field(stored, name)})):
            return f"the envelope's {name!r} is missing or of the wrong kind"
    return "the envelope is malformed"


def event_of(stored: Record, seq: int) -> Event:
    """A stored event as the model has it; what does not fit is left out."""
    kind, time = field(stored, "type"), field(stored, "time")
    return Event(
        seq,
        kind.value if isinstance(kind, Text) else "",
        field(stored, "data"),
        time.value if isinstance(time, Integer) else 0,
        ignorable=field(stored, "ignorable") == Bool(value=True),
    )


def looked_at(event: Event) -> Value:
    """What the closing of turns looks at in an event's data (RES-4)."""
    match event.type:
        case "turn/start":
            return _some(turn=field(event.data, "turn"))
        case "step/start":
            return _some(step=field(event.data, "step"))
        case "tool/call":
            return _some(callId=field(event.data, "callId"))
        case "tool/result":
            source = field(field(event.data, "message"), "source")
            call = _some(callId=field(source, "callId"))
            return record({"message": record({"source": call})})
        case "assistant/message":
            return asking(field(event.data, "step"), calls_in(event.data))
        case _:
            return EMPTY


def calls_in(data: Value) -> tuple[Value, ...]:
    """The ids of the calls of tools that an assistant's message asks for."""
    match field(field(data, "message"), "content"):
        case Array(blocks):
            asked = (block for block in blocks if field(block, "type") == Text("tool-call"))
            return tuple(field(block, "id") for block in asked)
        case _:
            return ()


def asking(step: Value, calls: tuple[Value, ...]) -> Value:
    """The data of an assistant's message that says no more than which calls it asks for."""
    blocks = tuple(_some(type=Text("tool-call"), id=call) for call in calls)
    message = record({"content": Array(blocks)})
    return _some(message=message, step=step if calls else UNDEFINED)


def _some(**entries: Value) -> Record:
    return record({name: value for name, value in entries.items() if value != UNDEFINED})
