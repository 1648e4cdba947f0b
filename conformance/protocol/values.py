"""Values on the wire: plain JSON, and tagged where JSON cannot carry them."""

import math
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
            return _number(wire, where)
        case str():
            return Text(wire)
        case list():
            return _array(wire, where)
        case dict():
            return _record(wire, where)
        case _:
            assert_never(wire)


def _number(wire: float, where: str) -> Value:
    """A number that some languages write with a point, or with the sign of a zero."""
    if not math.isfinite(wire):
        raise MalformedError(where, "a number that a double holds", str(wire))
    if wire == 0:
        return Hostile("negative-zero") if math.copysign(1, wire) < 0 else Integer(0)
    return Integer(int(wire)) if wire.is_integer() else Fractional(wire)


def _array(wire: list[Json], where: str) -> Value:
    items = (value_from_wire(item, f"{where}[{index}]") for index, item in enumerate(wire))
    return Array(tuple(items))


def _record(wire: dict[str, Json], where: str) -> Value:
    if HOSTILE in wire:
        return _hostile(wire, where)
    tagged = next((key for key in wire if key.startswith("$")), None)
    if tagged is not None:
        raise MalformedError(where, f"no key with a $ but {HOSTILE}", tagged)
    items = ((key, value_from_wire(item, f"{where}.{key}")) for key, item in wire.items())
    return Record(tuple(sorted(items)))


def _hostile(wire: dict[str, Json], where: str) -> Value:
    kind = wire[HOSTILE]
    if len(wire) > 1:
        raise MalformedError(where, f"no key beside {HOSTILE}", min(wire.keys() - {HOSTILE}))
    if isinstance(kind, str) and kind in KINDS:
        return Hostile(KINDS[kind])
    raise MalformedError(f"{where}.{HOSTILE}", f"one of {', '.join(KINDS)}", kind)
