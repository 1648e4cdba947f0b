"""Asking the rules on tracked states: each command and each question once per footprint."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

from invariants.engine.blocks import Block, Command, Leaves, Plan
from invariants.engine.footprint import Remembered
from invariants.engine.jump import jump
from invariants.engine.layout import Layout, Moves
from invariants.engine.leaf import Breach, Entry, Landing, Leaf, Rest
from invariants.engine.rules import Answer, Question, Rules, Way
from invariants.engine.tracking import Reader

S = TypeVar("S")
T = TypeVar("T")

Reads = Mapping[int, int]


@dataclass(slots=True)
class Asking(Generic[S, T]):
    """What is remembered of the rules, and what was found on the way.

    `unreached` are the laws that were never at stake. `wide` are those that once read more of a
    state than the command in question did: they are asked apart from the others. `wary` are the
    laws of states that the start itself breaks. `fresh` are the leaves since the last look, which
    are not laid out yet. A search is `careful` once a state may be found about which nothing is
    asked.
    """

    rules: Rules[S, T]
    layout: Layout
    on_answer: Callable[[Answer[S, T]], None]
    commands: dict[object, Remembered[Leaf]] = field(default_factory=dict)
    of_states: dict[str, Remembered[bool]] = field(default_factory=dict)
    kind: type[S] = field(init=False)
    of_ways: dict[str, Question[T]] = field(init=False)
    plans: Remembered[Plan] = field(init=False)
    plan_of: dict[tuple[Command, ...], Plan] = field(default_factory=dict)
    unreached: set[str] = field(default_factory=set)
    wary: set[str] = field(default_factory=set)
    careful: bool = False
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
        self.plans = Remembered("candidates", self.plan, self.layout)

    def reader(self, packed: int) -> tuple[Reader, S]:
        """A state to read."""
        reader = Reader(self.layout, packed)
        return reader, reader.state(self.kind)

    def plan(self, packed: int) -> tuple[Reads, Plan]:
        """The commands to try in a state, each in a block of its own."""
        reader, state = self.reader(packed)
        commands = tuple(map(self.command, self.rules.candidates(state)))
        plan = self.plan_of.get(commands)
        if plan is None:
            plan = Plan(tuple(Block((command,)) for command in commands))
            self.plan_of[commands] = plan
        return reader.reads, plan

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
        reads, reader.reads = reader.reads, dict(reader.reads)
        if answer.ways and self.wide:
            leaf.judged = Remembered(command, partial(self.judge, command), self.layout)
            leaf.judged.remember(packed, reader.reads, self.widely(answer))
        if not all(leaf.asks) and not self.careful:
            self.careful = True
            self.forget_entries()
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

    def broken_by(self, packed: int, names: Iterable[str] | None = None) -> tuple[str, ...]:
        """The laws that a state breaks, of all or of some."""
        masks = [law.quick.mask for law in self.of_states.values()]
        asked = self.of_states if names is None else names
        found = tuple(name for name in asked if self.of_states[name](packed))
        if masks != [law.quick.mask for law in self.of_states.values()]:
            self.forget_entries()
        return found

    def forget_entries(self) -> None:
        """Have every entry made anew: what can break which law is not what it was."""
        for plan in self.plan_of.values():
            for block in plan.blocks:
                block.forget()

    def entry(self, state: int, leaves: Leaves) -> Entry:
        """What these leaves do in a state, and in all that look the same.

        A law of states need not be asked after a jump that writes nothing of what the law ever
        read: what held before holds after. In a careful search nobody may have asked before.
        """
        deltas: list[int] = []
        checked: list[tuple[int, Landing]] = []
        rest: list[Rest] = []
        for command, leaf in leaves:
            others: list[Landing] = []
            for landing in self.landings(command, leaf):
                delta = landing.jump.delta(state)
                if delta is None or self.careful:
                    others.append(landing)
                elif landing.laws:
                    checked.append((delta, landing))
                else:
                    deltas.append(delta)
            if others or leaf.breaches or leaf.judged is not None:
                rest.append(Rest(command, leaf, tuple(others)))
        count = sum(len(leaf.jumps) for _, leaf in leaves)
        return Entry(count, tuple(deltas), tuple(checked), tuple(rest))

    def landings(self, command: Command, leaf: Leaf) -> Iterator[Landing]:
        """The jumps of a leaf with what has to be asked after each."""
        for way, (where, asks) in enumerate(zip(leaf.jumps, leaf.asks, strict=True)):
            yield Landing(command, way, where, asks, self.at_stake(where.cleared))

    def at_stake(self, written: int) -> tuple[str, ...]:
        """The laws of states that a change of these bits may break."""
        if self.careful:
            return tuple(self.of_states)
        return tuple(
            name
            for name, law in self.of_states.items()
            if name in self.wary or law.quick.mask & written
        )

    def leaves(self) -> Iterator[Leaf]:
        """Every leaf that is remembered."""
        return (leaf for command in self.commands.values() for leaf in command.answers())

    def relaid(self, moves: Moves) -> None:
        """Take over a wider layout."""
        self.forget_entries()
        self.plans.relaid(moves)
        for state in self.of_states.values():
            state.relaid(moves)
        for command in self.commands.values():
            command.relaid(moves)
        for leaf in self.leaves():
            if leaf.judged is not None:
                leaf.judged.relaid(moves)
