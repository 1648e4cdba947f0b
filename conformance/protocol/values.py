"""Values on the wire: plain JSON, and tagged where JSON cannot carry them."""

from typing import assert_never, get_args

from conformance.protocol.json import Json, MalformedError
from model.values import (
    Array,
    Bool,
    Fractional,
    Hostile,
    HostileKind,
    Integer,
    Null,
    Record,
    Text,
    Value,
)

HOSTILE = "$hostile"
KINDS: dict[str, HostileKind] = {kind: kind for kind in get_args(HostileKind)}


def value_to_wire(value: Value) -> Json:
    """Encode a value of the model."""
    match value:
        case Null():
            return None
        case Bool(flag):
            return flag
        case Integer(number):
            return number
        case Fractional(number):
            return number
        case Text(text):
            return text
        case Array(items):
            return [value_to_wire(item) for item in items]
        case Record(entries):
            return {key: value_to_wire(item) for key, item in entries}
        case Hostile(kind):
            return {HOSTILE: kind}
        case _:
            assert_never(value)


def value_from_wire(wire: Json, where: str) -> Value:
    """Decode a value of the model."""
    match wire:
        case None:
            return Null()
        case bool():
            return Bool(wire)
        case int():
            return Integer(wire)
        case float():
            return Integer(int(wire)) if wire.is_integer() else Fractional(wire)
        case str():
            return Text(wire)
        case list():
            return Array(tuple(value_from_wire(item, f"{where}[]") for item in wire))
        case dict():
            return _record(wire, where)
        case _:
            assert_never(wire)


def _record(wire: dict[str, Json], where: str) -> Value:
    if HOSTILE in wire:
        kind = wire[HOSTILE]
        if isinstance(kind, str) and kind in KINDS and len(wire) == 1:
            return Hostile(KINDS[kind])
        raise MalformedError(f"{where}.{HOSTILE}", f"one of {', '.join(KINDS)}", kind)
    items = ((key, value_from_wire(item, f"{where}.{key}")) for key, item in wire.items())
    return Record(tuple(sorted(items)))
