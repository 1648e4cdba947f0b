"""Exercise: which clauses a program puts to the test.

A program exercises a clause if an alternative that breaks the clause would have answered
differently from all that DSH may answer. Asking every alternative is dear, so the steps are looked
through first: an alternative can leave DSH's way only at a step that reads one of the decisions
that it takes otherwise, and until then it has answered as DSH does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

from conformance.compare import Judge, simulate
from conformance.protocol.message import Reply
from invariants.alternative import Alternative
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

    def __eq__(self, other: object) -> bool:
        """There is one of it: comparing two turns of a step looks at no decision."""
        return self is other

    def __hash__(self) -> int:
        """As it is equal to itself alone."""
        return id(self)


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


@dataclass(frozen=True, slots=True)
class Taken:
    """One step of DSH in a program: where it began, its first run, and the decisions it read."""

    world: World
    command: Command
    run: Run
    looked_at: frozenset[str]


class Exercise:
    """What DSH does in one program, to be held against alternatives."""

    def __init__(self, program: Sequence[Command], *, foretold: bool = False) -> None:
        """Run the program on DSH's design, and note what was looked at."""
        self._steps = tuple(_first_runs(program))
        self._looked_at = frozenset().union(*(step.looked_at for step in self._steps))
        self._judges = [Judge(foretold=foretold)]

    def puts_to_the_test(self, alternative: Alternative, decisions: frozenset[str]) -> bool:
        """Whether the alternative would have answered differently from all that DSH may answer."""
        if not decisions & self._looked_at:
            return False
        for index, step in enumerate(self._steps):
            if not decisions & step.looked_at:
                continue
            if next(runs(step.world, step.command, alternative.design)) != step.run:
                return self._told_apart_from(index, alternative.design)
        return False

    def _told_apart_from(self, index: int, design: Design) -> bool:
        """Whether what a design answers from a step on is told apart from DSH."""
        judge = self._judge_before(index).copy()
        program = [step.command for step in self._steps[index:]]
        replies = simulate(program, design, self._steps[index].world)
        pairs = zip(program, replies, strict=True)
        return any(judge.judge(command, reply) is not None for command, reply in pairs)

    def _judge_before(self, index: int) -> Judge:
        """A judge that has seen DSH's own answers up to a step."""
        while len(self._judges) <= index:
            judge = self._judges[-1].copy()
            step = self._steps[len(self._judges) - 1]
            judge.judge(step.command, Reply(step.run.outcome, step.run.seen, step.run.live))
            self._judges.append(judge)
        return self._judges[index]


def _first_runs(program: Sequence[Command]) -> Iterator[Taken]:
    design, looked_at = watched()
    world = initial()
    for command in program:
        looked_at.clear()
        run = next(runs(world, command, design))
        yield Taken(world, command, run, frozenset(looked_at))
        world = run.world
