"""Tracked states: a rule runs on one as on a plain state, and what it reads is written down.

The classes are generated from the dataclasses themselves: a subclass whose fields are properties,
so that `match`, `isinstance` and `dataclasses.replace` work as ever. What `replace` only passes on
has not been read; comparing, hashing or printing a record reads all of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from types import MappingProxyType
from typing import Protocol, TypeVar, cast

from invariants.engine.layout import LENGTH, Layout, columns
from model.rows import Table

S = TypeVar("S")

NO_FIELDS: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Unread:
    """A part of the state that was only passed on."""

    part: int


@dataclass(slots=True)
class Reader:
    """One run of a rule on a packed state: what it has read so far, part by part."""

    layout: Layout
    packed: int
    reads: dict[int, int] = field(default_factory=dict)
    records: dict[tuple[str, int], object] = field(default_factory=dict)
    tables: dict[str, tuple[object, ...]] = field(default_factory=dict)

    def read(self, part: int) -> object:
        """The value of a part; from now on the run depends on it."""
        where = self.layout.parts[part]
        number = self.reads[part] = where.of(self.packed)
        return where.domain.values[number]

    def state(self, kind: type[S]) -> S:
        """The state as a rule sees it."""
        plain: type = kind
        cells = {name: self._field(name) for name in columns(plain)}
        return cast("S", tracked(_state_class(plain), self, cells))

    def _field(self, name: str) -> object:
        if (name, -1, LENGTH) in self.layout.places:
            return tracked(tracking(Table), self, {"rows": Rows(name)})
        return Unread(self.layout.place((name, -1, "")))

    def rows(self, table: str) -> tuple[object, ...]:
        """The rows of a table, none of which has been read."""
        place = self.layout.places[table, -1, LENGTH]
        length = cast("int", self.read(place))
        known = self.tables.get(table)
        if known is None:
            known = self.tables[table] = tuple(self._row(table, n) for n in range(length))
        return known

    def _row(self, table: str, number: int) -> object:
        """One row, the same object whenever it is asked for."""
        known = self.records.get((table, number))
        if known is None:
            kind = self.layout.kinds[table]
            parts = self.layout.row_parts(table, number)
            cells = {name: Unread(n) for name, n in zip(columns(kind), parts, strict=True)}
            known = self.records[table, number] = tracked(tracking(kind), self, cells)
        return known


class Tracked(Protocol):
    """What every tracked record has, whatever its class."""

    reader: Reader
    cells: dict[str, object]
    plain: object


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a table that was not looked at."""

    table: str


def tracked(kind: type, reader: Reader, cells: Mapping[str, object]) -> object:
    """A record of a tracked class."""
    record: object = object.__new__(kind)
    object.__setattr__(record, "reader", reader)
    object.__setattr__(record, "cells", dict(cells))
    return record


def cells_of(record: object) -> dict[str, object] | None:
    """What stands in the fields of a tracked record, read or not; None for any other value."""
    return cast("dict[str, object] | None", getattr(record, "cells", None))


@cache
def _state_class(kind: type) -> type:
    return type(
        f"{kind.__name__}State", (tracking(kind),), {"__slots__": (), "__hash__": _same_hash}
    )


@cache
def tracking(kind: type) -> type:
    """The tracked subclass of a dataclass."""
    names = columns(kind)
    namespace: dict[str, object] = {
        "__slots__": ("reader", "cells"),
        "__dataclass_fields__": property(_no_fields),
        "__class__": property(_deriving),
        "__eq__": _equal,
        "__hash__": _hash,
        "__repr__": _repr,
        "plain": property(_plain_as(kind, names)),
        **{name: property(_reading(name)) for name in names},
    }
    return type(f"Tracked{kind.__name__}", (kind,), namespace)


def _reading(name: str) -> Callable[[Tracked], object]:
    def read(record: Tracked) -> object:
        match record.cells[name]:
            case Unread(part):
                return record.reader.read(part)
            case Rows(table):
                return record.reader.rows(table)
            case value:
                return value

    return read


def _no_fields(record: Tracked) -> Mapping[str, object]:
    """What `replace` would read in order to pass it on: nothing."""
    del record
    return NO_FIELDS


def _deriving(record: Tracked) -> object:
    """What `replace` constructs with: the same record with some fields changed."""
    return partial(_derived, record)


def _derived(record: Tracked, **changes: object) -> object:
    return tracked(type(record), record.reader, {**record.cells, **changes})


def _plain_as(kind: type, names: tuple[str, ...]) -> Callable[[Tracked], object]:
    def plain(record: Tracked) -> object:
        return kind(**{name: getattr(record, name) for name in names})

    return plain


def _equal(record: Tracked, other: object) -> bool:
    """Whether two records are equal; fields that hold the same unread part are."""
    theirs = cells_of(other)
    if theirs is None:
        return bool(record.plain == other)
    mine = record.cells
    return all(
        mine[name] == theirs[name] or getattr(record, name) == getattr(other, name) for name in mine
    )


def _hash(record: Tracked) -> int:
    return hash(record.plain)


def _same_hash(record: Tracked) -> int:
    """The hash of every tracked state: states are told apart by what differs, not by reading."""
    del record
    return 0


def _repr(record: Tracked) -> str:
    return repr(record.plain)
