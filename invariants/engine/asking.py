"""Asking the rules on tracked states: each command and each question once per footprint."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

from invariants.engine.footprint import Remembered
from invariants.engine.jump import jump
from invariants.engine.layout import Layout, Moves
from invariants.engine.leaf import Breach, Leaf
from invariants.engine.rules import Answer, Question, Rules, Way
from invariants.engine.tracking import Reader

S = TypeVar("S")
T = TypeVar("T")

Reads = Mapping[int, int]


@dataclass(slots=True)
class Asking(Generic[S, T]):
    """What is remembered of the rules, and what was found on the way.

    `unreached` are the laws that were never at stake. `wide` are those that once read more of a
    state than the command in question did: they are asked apart from the others. `fresh` are the
    leaves since the last look, which are not laid out yet.
    """

    rules: Rules[S, T]
    layout: Layout
    on_answer: Callable[[Answer[S, T]], None]
    commands: dict[object, Remembered[Leaf]] = field(default_factory=dict)
    of_states: dict[str, Remembered[bool]] = field(default_factory=dict)
    kind: type[S] = field(init=False)
    of_ways: dict[str, Question[T]] = field(init=False)
    unreached: set[str] = field(default_factory=set)
    wide: set[str] = field(default_factory=set)
    fresh: list[Leaf] = field(default_factory=list)
    runs: int = 0
    """How often a rule was run."""

    def __post_init__(self) -> None:
        """Every law is yet to be reached."""
        self.kind = type(self.rules.start())
        self.of_ways = dict(self.rules.of_ways())
        self.unreached.update(self.of_ways)
        for name, question in self.rules.of_states().items():
            ask = partial(self.state_breaks, name, question)
            self.of_states[name] = Remembered(name, ask, self.layout)

    def reader(self, packed: int) -> tuple[Reader, S]:
        """A state to read."""
        reader = Reader(self.layout, packed)
        return reader, reader.state(self.kind)

    def candidates(self, packed: int) -> tuple[Reads, "tuple[Remembered[Leaf], ...]"]:
        """The commands to try in a state."""
        reader, state = self.reader(packed)
        return reader.reads, tuple(map(self.command, self.rules.candidates(state)))

    def command(self, command: object) -> Remembered[Leaf]:
        """What is remembered of a command."""
        known = self.commands.get(command)
        if known is None:
            known = Remembered(command, partial(self.answer, command), self.layout)
            self.commands[command] = known
        return known

    def answer(self, command: object, packed: int) -> tuple[Reads, Leaf]:
        """Try a command in a state, and ask every question about what comes of it."""
        self.runs += 1
        reader, state = self.reader(packed)
        answer = self.rules.answer(state, command)
        self.on_answer(answer)
        leaf = Leaf(
            jumps=tuple(jump(reader, self.kind, way.next) for way in answer.ways),
            asks=tuple(way.asks for way in answer.ways),
            breaches=(),
            further=tuple(map(self.command, answer.further)),
        )
        leaf.breaches = tuple(self.narrowly(reader, answer))
        for each in leaf.jumps:
            each.reads = reader.reads
        reads, reader.reads = reader.reads, dict(reader.reads)
        if answer.ways and self.wide:
            leaf.judged = Remembered(command, partial(self.judge, command), self.layout)
            leaf.judged.remember(packed, reader.reads, self.widely(answer))
        self.fresh.append(leaf)
        return reads, leaf

    def narrowly(self, reader: Reader, answer: Answer[S, T]) -> Iterator[Breach]:
        """Ask what can be answered by what the command read, which settles it for the footprint."""
        for number, way in enumerate(answer.ways):
            known = dict(reader.reads)
            found = self.ask(way, [name for name in self.of_ways if name not in self.wide])
            if self.read_more(reader, known):
                self.wide.update(self.read_wide(reader, known, way))
                reader.reads = known
                found = self.ask(way, [n for n in self.of_ways if n not in self.wide])
            yield from ((number, name) for name in found)

    def read_wide(self, reader: Reader, known: dict[int, int], way: Way[S, T]) -> Iterator[str]:
        """The laws that read more than the command did."""
        for name in self.of_ways:
            reader.reads = dict(known)
            self.ask(way, [name])
            if self.read_more(reader, known):
                yield name

    def read_more(self, reader: Reader, known: Reads) -> bool:
        """Whether parts were read that vary, beside those that were read before."""
        new = (part for part in reader.reads if part not in known)
        return any(self.layout.parts[part].width for part in new)

    def judge(self, command: object, packed: int) -> tuple[Reads, tuple[Breach, ...]]:
        """Try a command once more, for the laws that need more of the state than it does."""
        reader, state = self.reader(packed)
        return reader.reads, self.widely(self.rules.answer(state, command))

    def widely(self, answer: Answer[S, T]) -> tuple[Breach, ...]:
        """Ask the laws that once read more than the command in question."""
        names = [name for name in self.of_ways if name in self.wide]
        ways = enumerate(answer.ways)
        return tuple((number, name) for number, way in ways for name in self.ask(way, names))

    def ask(self, way: Way[S, T], names: list[str]) -> list[str]:
        """Ask some laws about one way; those that it breaks."""
        taken = way.taken()
        for name in self.unreached.intersection(names):
            if self.of_ways[name].reached(taken):
                self.unreached.remove(name)
        return [name for name in names if self.of_ways[name].broken(taken)]

    def state_breaks(self, name: str, question: Question[S], packed: int) -> tuple[Reads, bool]:
        """Ask one law about a state."""
        reader, state = self.reader(packed)
        if name in self.unreached and question.reached(state):
            self.unreached.remove(name)
        return reader.reads, bool(question.broken(state))

    def broken_by(self, packed: int) -> Iterator[str]:
        """The laws that a state breaks."""
        return (name for name, breaks in self.of_states.items() if breaks(packed))

    def leaves(self) -> Iterator[Leaf]:
        """Every leaf that is remembered."""
        return (leaf for command in self.commands.values() for leaf in command.answers())

    def relaid(self, moves: Moves) -> None:
        """Take over a wider layout."""
        for state in self.of_states.values():
            state.relaid(moves)
        for command in self.commands.values():
            command.relaid(moves)
        for leaf in self.leaves():
            if leaf.judged is not None:
                leaf.judged.relaid(moves)
