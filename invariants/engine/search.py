"""Breadth-first search over packed states.

A state is one integer. It is visited with what is remembered of its commands, block by block; a
rule runs only where nothing is remembered. States, transitions and depth are those of a plain
search.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Generic, TypeVar

from invariants.engine.asking import Asking
from invariants.engine.blocks import Block, closure, grouped
from invariants.engine.layout import Layout, Moves, numbered, pack
from invariants.engine.leaf import Entry, Landing
from invariants.engine.rules import Answer, Rules

S = TypeVar("S")
T = TypeVar("T")

REGROUPED = 2_000
"""After so many states it is known what commands read, and blocks are joined; so at each double."""

UNBOUNDED = 1 << 63
"""More states than any search finds."""

Way = tuple[object, int]
"""A command, and which of its ways it went."""


@dataclass(frozen=True, slots=True)
class Found:
    """A law that is broken, and a shortest program that breaks it."""

    law: str
    program: tuple[Way, ...]


@dataclass(slots=True)
class PackedSearch(Generic[S, T]):
    """A search under way: the states by the number of commands that lead to them.

    The states of the level at `depth` that come before `place` have been visited. `unasked` are
    those that were found in no way that asks about them.
    """

    rules: Rules[S, T]
    on_answer: Callable[[Answer[S, T]], None]
    on_found: Callable[[Found], None]
    layout: Layout = field(default_factory=Layout)
    seen: set[int] = field(default_factory=set)
    levels: list[list[int]] = field(default_factory=list)
    depth: int = 0
    place: int = 0
    explored: int = 0
    transitions: int = 0
    broken: set[str] = field(default_factory=set)
    unasked: set[int] = field(default_factory=set)
    regrouped: int = REGROUPED
    asking: Asking[S, T] = field(init=False)

    def __post_init__(self) -> None:
        """Start with the one state to start from."""
        self.asking = Asking(self.rules, self.layout, self.on_answer)
        start = self.rules.start()
        for _ in numbered(self.layout, start):
            pass
        self.layout.widen()
        packed = pack(self.layout, start)
        self.seen.add(packed)
        self.levels += [[packed], []]
        self.asking.wary.update(self.asking.broken_by(packed))

    def visited(self, limit: int | None = None, at_once: int = 1_000) -> Iterator[int]:
        """Visit the states in order, up to so many between two words; the depth each time.

        It ends once there are more states than the limit, at the state at which a plain search
        ends.
        """
        while limit is None or len(self.seen) <= limit:
            if self.place == len(self.levels[self.depth]):
                if not self.levels[-1]:
                    return
                self.levels.append([])
                self.depth, self.place = self.depth + 1, 0
            end = min(self.place + at_once, len(self.levels[self.depth]))
            if not self.visit(end, UNBOUNDED if limit is None else limit):
                self.learn()
            yield self.depth

    @property
    def complete(self) -> bool:
        """Whether every state has been visited."""
        return self.place == len(self.levels[self.depth]) and not self.levels[-1]

    def visit(self, end: int, limit: int) -> bool:
        """Visit states up to one of which something is not known: the loop that takes the time."""
        level, later, seen = self.levels[self.depth], self.levels[-1], self.seen
        plans, needs = self.asking.plans.quick.answers, self.asking.plans.quick.mask
        while self.place < end and len(seen) <= limit:
            state = level[self.place]
            plan = plans.get(state & needs)
            if plan is None:
                return False
            taken = 0
            for block in plan.blocks:
                entry = block.entries.get(state & block.mask)
                if entry is None:
                    return False
                taken += entry.count
                for delta in entry.deltas:
                    after = state + delta
                    if after not in seen:
                        seen.add(after)
                        later.append(after)
                for delta, landing in entry.checked:
                    after = state + delta
                    if after not in seen:
                        self.landed(state, landing)
                if entry.rest:
                    self.rest(state, entry)
            self.transitions += taken
            self.place += 1
            self.explored += 1
        return True

    def rest(self, state: int, entry: Entry) -> None:
        """Do what is left to do about the commands of a block."""
        for rest in entry.rest:
            breaches = rest.leaf.breaches
            if rest.leaf.judged is not None:
                breaches = (*breaches, *rest.leaf.judged(state))
            for way, law in breaches:
                self.note(law, state, (rest.command.name, way))
            for landing in rest.landings:
                self.landed(state, landing)

    def landed(self, state: int, landing: Landing) -> None:
        """Note the state that a jump leads to, and ask its laws if nobody has."""
        after = landing.jump(state)
        if after not in self.seen:
            self.seen.add(after)
            self.levels[-1].append(after)
            self.unasked.add(after)
        if landing.asks and after in self.unasked:
            self.unasked.remove(after)
            for law in self.asking.broken_by(after, landing.laws):
                self.note(law, state, (landing.command.name, landing.way))

    def note(self, law: str, state: int, last: Way) -> None:
        """Tell of a broken law, the first time."""
        if law not in self.broken:
            self.broken.add(law)
            self.on_found(Found(law, (*self.program_to(state), last)))

    def learn(self) -> None:
        """Find out what the commands do in the state at hand, until there is nothing to add."""
        if self.explored >= self.regrouped:
            self.regrouped = 2 * self.explored
            for plan in self.asking.plans.answers():
                plan.blocks = grouped(plan.blocks)
        while not all(map(self.filled, self.asking.plans(self.state).blocks)):
            pass

    @property
    def state(self) -> int:
        """The state that is visited next."""
        return self.levels[self.depth][self.place]

    def filled(self, block: Block) -> bool:
        """Whether a block knows the state at hand; if not, it does now, or the layout is wider."""
        state = self.state
        if state & block.mask in block.entries:
            return True
        leaves = list(closure(block.commands, state))
        if not self.laid_out():
            return False
        block.note(state, leaves, self.asking.entry(state, leaves))
        return True

    def laid_out(self) -> bool:
        """Lay out the leaves that are new; whether no part had to be widened for them."""
        fresh = self.asking.fresh
        crowded = self.layout.crowded if fresh else False
        if crowded:
            self.move(self.layout.widen())
            fresh = list(self.asking.leaves())
        for leaf in fresh:
            for jump in leaf.jumps:
                jump.lay(self.layout)
        self.asking.fresh.clear()
        return not crowded

    def move(self, moves: Moves) -> None:
        """Take everything that is packed over to a wider layout."""
        self.levels = [list(map(moves, level)) for level in self.levels]
        self.seen = set(chain.from_iterable(self.levels))
        self.unasked = set(map(moves, self.unasked))
        self.asking.relaid(moves)

    def program_to(self, state: int) -> tuple[Way, ...]:
        """The program that first led to a state that has been or is being visited."""
        depth = next(n for n, level in enumerate(self.levels) if state in level)
        program: list[Way] = []
        for level in reversed(self.levels[:depth]):
            state, way = next(self.leading(level, state))
            program.append(way)
        return tuple(reversed(program))

    def leading(self, level: list[int], target: int) -> Iterator[tuple[int, Way]]:
        """The states of a level from which a state is found, and how."""
        for state in level:
            for block in self.asking.plans(state).blocks:
                for command, leaf in closure(block.commands, state):
                    for way, jump in enumerate(leaf.jumps):
                        if jump(state) == target:
                            yield state, (command.name, way)
