"""What the judge of a log holds on to while it reads."""

from array import array
from bisect import bisect_left
from dataclasses import dataclass

from conformance.stored.verdict import Finding
from model.surface import Replace
from model.values import Value


@dataclass(frozen=True, slots=True)
class Heard:
    """One event as a diagnosis looks at it."""

    line: int
    seq: Value
    kind: str
    time: int


@dataclass(frozen=True, slots=True)
class Break:
    """Where a log stops being one: what is behind it is a tail, cut or refused (STG-5)."""

    finding: Finding
    expected: int
    got: int | None = None
    damaged: bool = False


class Surface:
    """The messages on the surface: a list of them that can be cut in the middle.

    Of each message it holds its seq, its neighbours and whether it is a tool's result, in 25 bytes;
    a message that was replaced has itself for a neighbour.
    """

    def __init__(self) -> None:
        """Begin with one that is none, before the first and behind the last."""
        self.seqs = array("q", (-1,))
        self.following = array("q", (0,))
        self.preceding = array("q", (0,))
        self.results = bytearray(1)

    def append(self, seq: int, *, result: bool) -> None:
        """Put a message at the end."""
        self._link(self.preceding[0], 0, seq, result=result)

    def between(self, start: int, end: int, most: int) -> tuple[int, ...]:
        """Those from one to another; none where that cannot be, or there are more than so many."""
        at, last = self._on_surface(start), self._on_surface(end)
        found: list[int] = []
        while at and last and len(found) < most:
            found.append(self.seqs[at])
            if at == last:
                return tuple(found)
            at = self.following[at]
        return ()

    def is_result(self, seq: int) -> bool:
        """Whether there is a tool's result with this seq on the surface."""
        return bool(self.results[self._on_surface(seq)])

    def replace(self, op: Replace, seq: int, *, result: bool) -> None:
        """Put a message in the place of those that it replaces."""
        at, last = self._on_surface(op.start), self._on_surface(op.end)
        before, behind = self.preceding[at], self.following[last]
        while at != behind:
            gone, at = at, self.following[at]
            self.following[gone] = self.preceding[gone] = gone
        self._link(before, behind, seq, result=result)

    def _link(self, before: int, behind: int, seq: int, *, result: bool) -> None:
        new = len(self.seqs)
        self.seqs.append(seq)
        self.preceding.append(before)
        self.following.append(behind)
        self.results.append(result)
        self.following[before] = self.preceding[behind] = new

    def _on_surface(self, seq: int) -> int:
        """Where a message stands, or nowhere: 0."""
        at = bisect_left(self.seqs, seq)
        there = at < len(self.seqs) and self.seqs[at] == seq
        return at if there and self.following[at] != at else 0
