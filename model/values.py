"""JSON values as typed leaves, and the values that JSON cannot carry.

Python's own values will not do: `True == 1` and `-0.0 == 0.0` hold there, and a log that
confuses them is not the log that was written.
"""

from dataclasses import dataclass
from typing import Literal, assert_never

HostileKind = Literal[
    "undefined",
    "nan",
    "infinity",
    "negative-zero",
    "bigint",
    "function",
    "symbol",
    "sparse-array",
    "cycle",
    "date",
    "map",
    "class-instance",
    "symbol-key",
    "hidden-key",
]
"""The kinds of value that do not survive a round trip through JSON (LOG-3)."""

MAX_SAFE_INTEGER = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Null:
    """JSON's null."""


@dataclass(frozen=True, slots=True)
class Bool:
    """A JSON boolean."""

    value: bool


@dataclass(frozen=True, slots=True)
class Integer:
    """A JSON number without a fraction, of any size."""

    value: int


@dataclass(frozen=True, slots=True)
class Fractional:
    """A finite JSON number with a fraction."""

    value: float


@dataclass(frozen=True, slots=True)
class Text:
    """A JSON string."""

    value: str


@dataclass(frozen=True, slots=True)
class Array:
    """A dense JSON array."""

    items: tuple["Value", ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON object, its entries sorted by key."""

    entries: tuple[tuple[str, "Value"], ...] = ()


@dataclass(frozen=True, slots=True)
class Hostile:
    """A value that JSON cannot carry without loss."""

    kind: HostileKind


Value = Null | Bool | Integer | Fractional | Text | Array | Record | Hostile

UNDEFINED = Hostile("undefined")
EMPTY = Record()


def record(entries: dict[str, Value]) -> Record:
    """Build a record from entries in any order."""
    return Record(tuple(sorted(entries.items())))


def lossless(value: Value) -> bool:
    """Whether the value is the same after a round trip through JSON (LOG-3, HDR-10)."""
    match value:
        case Null() | Bool() | Integer() | Fractional() | Text():
            return True
        case Array(items):
            return all(lossless(item) for item in items)
        case Record(entries):
            return all(lossless(item) for _, item in entries)
        case Hostile():
            return False
        case _:
            assert_never(value)


def field(value: Value | None, key: str) -> Value:
    """Read a property as a caller's optional object gives it; what is not there is undefined."""
    match value:
        case Record(entries):
            return next((item for name, item in entries if name == key), UNDEFINED)
        case _:
            return UNDEFINED


def is_safe_count(value: Value) -> bool:
    """Whether the value is a non-negative integer that a double holds exactly (HDR-4, HDR-6)."""
    match value:
        case Integer(number):
            return 0 <= number <= MAX_SAFE_INTEGER
        case _:
            return False


def is_safe_integer(value: Value) -> bool:
    """Whether the value is an integer that a double holds exactly."""
    match value:
        case Integer(number):
            return -MAX_SAFE_INTEGER <= number <= MAX_SAFE_INTEGER
        case _:
            return False
