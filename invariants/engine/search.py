"""Breadth-first search over packed states.

A state is one integer. It is visited with what is remembered of its commands; a rule runs only
where nothing is remembered. The order is that of a plain search, and so are its counts.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from invariants.engine.asking import Asking
from invariants.engine.footprint import Remembered
from invariants.engine.layout import Layout, Moves, numbered, pack
from invariants.engine.leaf import Leaf
from invariants.engine.rules import Answer, Rules

S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Found:
    """A law that one way of a command broke.

    `path` are the packed states from the start to the one in which the command was given.
    """

    law: str
    path: tuple[int, ...]
    command: object
    way: int


@dataclass(slots=True)
class PackedSearch(Generic[S, T]):
    """A search under way. `origins` holds every state found, and where it was first found from."""

    rules: Rules[S, T]
    on_answer: Callable[[Answer[S, T]], None]
    on_found: Callable[[Found], None]
    layout: Layout = field(default_factory=Layout)
    origins: dict[int, int] = field(default_factory=dict)
    frontier: list[int] = field(default_factory=list)
    later: list[int] = field(default_factory=list)
    depth: int = 0
    explored: int = 0
    transitions: int = 0
    broken: set[str] = field(default_factory=set)
    unasked: set[int] = field(default_factory=set)
    asking: Asking[S, T] = field(init=False)
    candidates: Remembered[tuple[Remembered[Leaf], ...]] = field(init=False)

    def __post_init__(self) -> None:
        """Start with the one state to start from."""
        self.asking = Asking(self.rules, self.layout, self.on_answer)
        self.candidates = Remembered("candidates", self.asking.candidates, self.layout)
        start = self.rules.start()
        for _ in numbered(self.layout, start):
            pass
        self.layout.widen()
        packed = pack(self.layout, start)
        self.origins[packed] = packed
        self.frontier.append(packed)

    def visited(self) -> Iterator[int]:
        """Visit one state after the other; the depth of each."""
        while self.frontier:
            for place in range(len(self.frontier)):
                self.visit(place)
                self.explored += 1
                yield self.depth
            self.frontier, self.later = self.later, []
            self.depth += 1

    def visit(self, place: int) -> None:
        """Take every step from one state of the frontier."""
        for command in self.candidates(self.frontier[place]):
            waiting = [command]
            for each in waiting:
                leaf = each(self.frontier[place])
                if self.asking.fresh:
                    self.lay_out()
                self.take(place, each, leaf)
                waiting += [further for further in leaf.further if further not in waiting]

    def take(self, place: int, command: Remembered[Leaf], leaf: Leaf) -> None:
        """Note where the ways of one command lead, and what they break."""
        state = self.frontier[place]
        self.transitions += len(leaf.jumps)
        breaches = leaf.breaches
        if leaf.judged is not None:
            breaches = (*breaches, *leaf.judged(state))
        for way, jump in enumerate(leaf.jumps):
            after = jump(state)
            if after not in self.origins:
                self.origins[after] = state
                self.later.append(after)
                self.unasked.add(after)
            if self.unasked and leaf.asks[way] and after in self.unasked:
                self.unasked.remove(after)
                breaches = (*breaches, *((way, law) for law in self.asking.broken_by(after)))
        for way, law in breaches:
            if law not in self.broken:
                self.broken.add(law)
                self.on_found(Found(law, self.path_to(state), command.name, way))

    def path_to(self, state: int) -> tuple[int, ...]:
        """The states through which a state was first found, the start first."""
        path = [state]
        while self.origins[path[-1]] != path[-1]:
            path.append(self.origins[path[-1]])
        return tuple(reversed(path))

    def lay_out(self) -> None:
        """Lay out the leaves that are new; where some part has no room left, everything anew."""
        fresh = self.asking.fresh
        if self.layout.crowded:
            self.move(self.layout.widen())
            fresh = list(self.asking.leaves())
        for leaf in fresh:
            for jump in leaf.jumps:
                jump.lay(self.layout)
        self.asking.fresh.clear()

    def move(self, moves: Moves) -> None:
        """Take everything that is packed over to a wider layout."""
        self.origins = {moves(state): moves(origin) for state, origin in self.origins.items()}
        self.frontier = list(map(moves, self.frontier))
        self.later = list(map(moves, self.later))
        self.candidates.relaid(moves)
        self.unasked = set(map(moves, self.unasked))
        self.asking.relaid(moves)
