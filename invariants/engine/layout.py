"""The layout of packed states: which part of a state stands in which bits of one integer.

It is derived from the states themselves. A field that holds a table is parted into its length and
the fields of its rows, any other field is one part. A part holds the number of its value in the
order in which values were found; a field of a row that is not there, and the value that was found
first, are 0, so that what never varies takes no room.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache

from model.rows import Table

LENGTH = "len"

Key = tuple[str, int, str]
"""The field of the state, the row or -1, and the field of the row, `LENGTH` or nothing."""


@dataclass(slots=True)
class Domain:
    """The values that were found in one field, by number and by value."""

    values: list[object] = field(default_factory=list)
    numbers: dict[tuple[type, object], int] = field(default_factory=dict)

    def number(self, value: object) -> int:
        """Give a value its number; equal values of two types are two values."""
        return self.numbers.setdefault((type(value), value), self._next(value))

    def _next(self, value: object) -> int:
        if (type(value), value) not in self.numbers:
            self.values.append(value)
        return len(self.values) - 1

    @property
    def bits(self) -> int:
        """How many bits tell the values apart."""
        return (len(self.values) - 1).bit_length() if self.values else 0


@dataclass(slots=True)
class Part:
    """One part of the state and the bits where it stands."""

    key: Key
    domain: Domain
    shift: int
    width: int

    @property
    def mask(self) -> int:
        """The bits of this part."""
        return ((1 << self.width) - 1) << self.shift

    def of(self, state: int) -> int:
        """The number of this part's value in a state."""
        return (state >> self.shift) & ((1 << self.width) - 1)


@dataclass(slots=True)
class Layout:
    """All parts that were found, in the order of finding: a new one stands above the others."""

    parts: list[Part] = field(default_factory=list)
    places: dict[Key, int] = field(default_factory=dict)
    domains: dict[tuple[str, str], Domain] = field(default_factory=dict)
    kinds: dict[str, type] = field(default_factory=dict)
    """The class of the rows of each table."""

    def place(self, key: Key) -> int:
        """The number of a part; a new one is added."""
        found = self.places.get(key)
        if found is None:
            found = self.places[key] = len(self.parts)
            domain = self.domain(key)
            top = self.parts[-1] if self.parts else None
            shift = 0 if top is None else top.shift + top.width
            self.parts.append(Part(key, domain, shift, _room(domain)))
        return found

    def domain(self, key: Key) -> Domain:
        """The values of a part: all rows of a table share theirs."""
        return self.domains.setdefault((key[0], key[2]), Domain())

    def row_parts(self, table: str, row: int) -> tuple[int, ...]:
        """The parts of one row."""
        return tuple(self.place((table, row, name)) for name in columns(self.kinds[table]))

    @property
    def crowded(self) -> bool:
        """Whether some part holds more values than its bits can tell apart."""
        return any(part.domain.bits > part.width for part in self.parts)

    @property
    def width(self) -> int:
        """How many bits a state takes."""
        return self.parts[-1].shift + self.parts[-1].width if self.parts else 0

    def widen(self) -> "Moves":
        """Give every crowded part more bits; how states of the old layout move to the new one."""
        moves: list[tuple[int, int]] = []
        shift = 0
        for part in self.parts:
            if part.width:
                moves.append((part.mask, shift - part.shift))
            part.shift = shift
            part.width = _room(part.domain) if part.domain.bits > part.width else part.width
            shift += part.width
        return Moves(tuple(_joined(moves)))


def _room(domain: Domain) -> int:
    """The bits for a domain that may go on growing; none for what has never varied."""
    return domain.bits + 1 if domain.bits > 1 else domain.bits


def _joined(moves: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Join neighbours that move by the same distance."""
    mask, distance = 0, 0
    for each, by in moves:
        if mask and by != distance:
            yield mask, distance
            mask = 0
        mask, distance = mask | each, by
    if mask:
        yield mask, distance


@dataclass(frozen=True, slots=True)
class Moves:
    """How the bits of one state move: each mask by its distance, up or down."""

    by: tuple[tuple[int, int], ...]

    def __call__(self, state: int) -> int:
        """Move every part that is named; what is not is left out."""
        moved = 0
        for mask, distance in self.by:
            kept = state & mask
            moved |= kept << distance if distance >= 0 else kept >> -distance
        return moved


def pack(layout: Layout, state: object) -> int:
    """Pack a plain state; the layout grows by what it has not seen, and may be crowded after."""
    packed = 0
    for part, number in numbered(layout, state):
        packed |= number << layout.parts[part].shift
    return packed


@cache
def columns(kind: type) -> tuple[str, ...]:
    """The names of a dataclass's fields; none for a class that is no dataclass."""
    return tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()


def numbered(layout: Layout, state: object) -> Iterator[tuple[int, int]]:
    """The parts of a plain state, with the numbers of their values."""
    kind: type = type(state)
    for name in columns(kind):
        value: object = getattr(state, name)
        if not isinstance(value, Table):
            yield _numbered(layout, (name, -1, ""), value)
            continue
        yield _numbered(layout, (name, -1, LENGTH), len(value))
        for row, item in enumerate(value.rows):
            for column in columns(layout.kinds.setdefault(name, type(item))):
                yield _numbered(layout, (name, row, column), getattr(item, column))


def _numbered(layout: Layout, key: Key, value: object) -> tuple[int, int]:
    place = layout.place(key)
    return place, layout.parts[place].domain.number(value)
