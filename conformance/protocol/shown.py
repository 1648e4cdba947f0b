"""What sessions show of themselves: headers and events, whatever is in them.

The shape of an answer is the adapter's to get right; what a header or an event holds is the
implementation's. So what fits no header and no event of the model is no malformed answer: it is
kept, in a place where it differs from everything that fits, and the comparison finds it.
"""

from dataclasses import replace

from conformance.protocol.json import Json, MalformedError, record_at
from conformance.protocol.values import value_from_wire, value_to_wire
from model.header import FORMAT_VERSION, KNOWN_FIELDS, Header, accepted
from model.log import Event
from model.values import UNDEFINED, Integer, Record, Text, Value, field, is_safe_count

STAMP = 1
"""What the model shows on the wire for a time that it does not state."""

SCALARS: dict[str, tuple[str, type[Text] | type[Integer]]] = {
    "cwd": ("cwd", Text),
    "parentSession": ("parent_session", Text),
    "seedLength": ("seed_length", Integer),
    "origin": ("origin", Text),
    "delegationDepth": ("delegation_depth", Integer),
    "agentPreset": ("agent_preset", Text),
}
"""The optional fields of a header on the wire: the model's name of each, and its type."""

EVENT_KEYS = frozenset(("type", "seq", "time", "data", "ignorable"))

NO_EVENT = -1
"""The seq under which something that is no event is kept, as data: no event has it."""


def header_to_wire(header: Header) -> Json:
    """Encode a header, with what it leaves out left out."""
    stamp = STAMP if header.created_at is None else header.created_at
    wire: dict[str, Json] = {"version": FORMAT_VERSION, "id": header.id, "createdAt": stamp}
    for name, (attribute, _) in SCALARS.items():
        value: str | int | None = getattr(header, attribute)
        if value is not None:
            wire[name] = value
    return wire | {key: value_to_wire(value) for key, value in header.extra}


def header_from_wire(wire: Json, where: str) -> Header:
    """Decode a header; known fields that hold what they cannot hold are kept as extra keys."""
    value = value_from_wire(record_at(wire, where), where)
    if not isinstance(value, Record):
        raise MalformedError(where, "a header", wire)
    name = field(value, "id")
    header = accepted(name.value if isinstance(name, Text) else "", value)
    extra = (*header.extra, *_misfits(value).items())
    return replace(header, extra=tuple(sorted(extra)))


def _misfits(value: Record) -> dict[str, Value]:
    given = dict(value.entries)
    return {
        name: given.get(name, UNDEFINED)
        for name in KNOWN_FIELDS
        if not _fits(name, given.get(name))
    }


def _fits(name: str, value: Value | None) -> bool:
    if value is None:
        return name in SCALARS
    match name:
        case "version":
            return value == Integer(FORMAT_VERSION)
        case "id":
            return isinstance(value, Text)
        case "createdAt":
            return is_safe_count(value)
        case _:
            return isinstance(value, SCALARS[name][1])


def event_to_wire(event: Event) -> Json:
    """Encode a logged event."""
    if event.seq == NO_EVENT:
        return value_to_wire(event.data)
    time = STAMP if event.time is None else event.time
    wire: dict[str, Json] = {"type": event.type, "seq": event.seq, "time": time}
    ignorable: dict[str, Json] = {"ignorable": True} if event.ignorable else {}
    return {**wire, "data": value_to_wire(event.data), **ignorable}


def event_from_wire(wire: Json, where: str) -> Event:
    """Decode what stands in a log; what is no event is kept whole."""
    event = _event(wire, where) if isinstance(wire, dict) else None
    return Event(NO_EVENT, "", value_from_wire(wire, where)) if event is None else event


def _event(wire: dict[str, Json], where: str) -> Event | None:
    match wire:
        case {"type": str(kind), "seq": int(seq), "time": int(time), "data": data}:
            known = wire.keys() <= EVENT_KEYS and wire.get("ignorable", True) is True
            if not known or seq < 0 or isinstance(seq, bool) or isinstance(time, bool):
                return None
            value = value_from_wire(data, f"{where}.data")
            return Event(seq, kind, value, time, ignorable="ignorable" in wire)
        case _:
            return None
