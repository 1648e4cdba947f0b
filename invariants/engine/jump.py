"""Jumps: what one run of a rule changes in a state, as integer arithmetic on the packed state."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from invariants.engine.layout import LENGTH, Layout, columns
from invariants.engine.tracking import Reader, Rows, Unread, cells_of
from model.rows import Table

Written = dict[int, int | Unread]
"""What is written to each part that changes: a value by its number, or another part."""


@dataclass(slots=True)
class Jump:
    """A change of a packed state: to clear the bits that it writes, set some, and move some."""

    written: Written
    cleared: int = 0
    constant: int = 0
    moves: tuple[tuple[int, int], ...] = ()

    def __call__(self, state: int) -> int:
        """The state after the jump."""
        after = state & ~self.cleared | self.constant
        for mask, distance in self.moves:
            part = state & mask
            after |= part << distance if distance >= 0 else part >> -distance
        return after

    def lay(self, layout: Layout) -> None:
        """Compute the integers for a layout."""
        parts = layout.parts
        self.constant, self.cleared, moves = 0, 0, dict[int, int]()
        for target, what in self.written.items():
            self.cleared |= parts[target].mask
            if isinstance(what, Unread):
                distance = parts[target].shift - parts[what.part].shift
                moves[distance] = moves.get(distance, 0) | parts[what.part].mask
            else:
                self.constant |= what << parts[target].shift
        self.moves = tuple((mask, distance) for distance, mask in moves.items())

    def delta(self, state: int) -> int | None:
        """What to add to every state that has the same in the parts written, if nothing moves."""
        return None if self.moves else self.constant - (state & self.cleared)


def jump(reader: Reader, kind: type, after: object) -> Jump:
    """The jump from the state that a rule ran on to one that it made."""
    written: Written = {}
    cells = cells_of(after)
    for name in columns(kind):
        value = getattr(after, name) if cells is None else cells[name]
        written.update(_written(reader, name, value))
    changed = {part: what for part, what in written.items() if reader.reads.get(part) != what}
    return Jump(changed)


def _written(reader: Reader, name: str, value: object) -> Iterator[tuple[int, int | Unread]]:
    """What stands in the parts of one field, where that may be something else than before."""
    if not isinstance(value, Table):
        part = reader.layout.place((name, -1, ""))
        if value != Unread(part):
            yield part, _number(reader.layout, part, value)
        return
    cells = cells_of(value)
    if cells is None or cells["rows"] != Rows(name):
        yield from _rows(reader, name, value)


def _rows(reader: Reader, name: str, table: Table[object]) -> Iterator[tuple[int, int | Unread]]:
    layout = reader.layout
    length = layout.place((name, -1, LENGTH))
    before = cast("int", reader.read(length))
    yield length, _number(layout, length, len(table))
    for number, row in enumerate(table.rows):
        yield from _row(reader, (name, number), row)
    for number in range(len(table), before):
        yield from ((part, 0) for part in layout.row_parts(name, number))


def _row(reader: Reader, place: tuple[str, int], row: object) -> Iterator[tuple[int, int | Unread]]:
    layout = reader.layout
    cells = cells_of(row)
    if cells is None:
        layout.kinds.setdefault(place[0], type(row))
    kind = layout.kinds[place[0]]
    for name, part in zip(columns(kind), layout.row_parts(*place), strict=True):
        value = getattr(row, name) if cells is None else cells[name]
        if value != Unread(part):
            yield part, _number(layout, part, value)


def _number(layout: Layout, part: int, value: object) -> int | Unread:
    if isinstance(value, Unread):
        return value
    return layout.parts[part].domain.number(value)
