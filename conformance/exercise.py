"""Exercise: which clauses a program puts to the test.

A program exercises a clause if an alternative that breaks the clause would have answered
differently from all that DSH may answer. Asking every alternative is dear, so two things are
found out first: which design decisions the model looked at while it ran the program (no other can
make a difference), and whether the alternative's own first run ever leaves DSH's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import islice

from conformance.compare import tells_apart
from invariants.alternatives import Alternative
from model.command import Command
from model.design import DSH, CollectionDesign, Design
from model.step import Run, runs
from model.world import World, initial

COLLECTIONS = ("sessions", "agents")


class WatchedCollection(CollectionDesign):
    """A collection's decisions, which notes those that are looked at."""

    __slots__ = ("looked_at", "prefix")

    def __getattribute__(self, name: str) -> object:
        """Note the decision, and say what it is."""
        if name in COLLECTION_DECISIONS:
            looked_at: set[str] = object.__getattribute__(self, "looked_at")
            prefix: str = object.__getattribute__(self, "prefix")
            looked_at.add(f"{prefix}.{name}")
        return object.__getattribute__(self, name)


class WatchedDesign(Design):
    """DSH's decisions, which notes those that are looked at."""

    __slots__ = ("looked_at",)

    def __getattribute__(self, name: str) -> object:
        """Note the decision, and say what it is."""
        if name in DECISIONS:
            looked_at: set[str] = object.__getattribute__(self, "looked_at")
            looked_at.add(name)
        return object.__getattribute__(self, name)


COLLECTION_DECISIONS = frozenset(each.name for each in fields(CollectionDesign))
DECISIONS = frozenset(each.name for each in fields(Design)) - frozenset(COLLECTIONS)


def watched() -> tuple[WatchedDesign, set[str]]:
    """DSH's design, and the set in which it notes what is looked at."""
    looked_at: set[str] = set()
    parts: dict[str, WatchedCollection] = {}
    for prefix in COLLECTIONS:
        part = WatchedCollection()
        object.__setattr__(part, "looked_at", looked_at)
        object.__setattr__(part, "prefix", prefix)
        parts[prefix] = part
    design = WatchedDesign(sessions=parts["sessions"], agents=parts["agents"])
    object.__setattr__(design, "looked_at", looked_at)
    looked_at.clear()
    return design, looked_at


def decisions_of(alternative: Alternative) -> frozenset[str]:
    """The decisions that an alternative takes otherwise."""
    design = alternative.design
    plain = {name for name in DECISIONS if getattr(design, name) != getattr(DSH, name)}
    nested = {
        f"{prefix}.{name}"
        for prefix in COLLECTIONS
        for name in COLLECTION_DECISIONS
        if getattr(getattr(design, prefix), name) != getattr(getattr(DSH, prefix), name)
    }
    return frozenset(plain | nested)


class Exercise:
    """What DSH does in one program, to be held against alternatives."""

    def __init__(self, program: Sequence[Command]) -> None:
        """Run the program on DSH's design, and note what was looked at."""
        design, self._looked_at = watched()
        self._program = program
        self._steps = tuple(_first_runs(program, design))

    def puts_to_the_test(self, alternative: Alternative, decisions: frozenset[str]) -> bool:
        """Whether the alternative would have answered differently from all that DSH may answer."""
        if not decisions & self._looked_at:
            return False
        pairs = zip(self._program, self._steps, strict=True)
        leaves = any(_first(before, c, alternative.design) != run for c, (before, run) in pairs)
        return leaves and tells_apart(self._program, alternative.design)


def _first_runs(program: Sequence[Command], design: Design) -> Iterator[tuple[World, Run]]:
    world = initial()
    for command in program:
        run = _first(world, command, design)
        yield world, run
        world = run.world


def _first(world: World, command: Command, design: Design) -> Run:
    return next(islice(runs(world, command, design), 1))
