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
    """The messages on the surface, by seq."""

    def __init__(self) -> None:
        """Begin with none."""
        self.nodes = array("q")
        self.results = array("q")

    def between(self, start: int, end: int) -> tuple[int, ...]:
        """Those from one to another, none where one is not there or comes behind the other."""
        try:
            first, last = self.nodes.index(start), self.nodes.index(end)
        except ValueError:
            return ()
        return tuple(self.nodes[first : last + 1])

    def is_result(self, seq: int) -> bool:
        """Whether an earlier event is a tool's result."""
        at = bisect_left(self.results, seq)
        return at < len(self.results) and self.results[at] == seq

    def replace(self, op: Replace, seq: int) -> None:
        """Put a message in the place of those that it replaces."""
        first, last = self.nodes.index(op.start), self.nodes.index(op.end)
        self.nodes[first : last + 1] = array("q", (seq,))
