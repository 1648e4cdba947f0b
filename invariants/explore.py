"""The explorer: breadth-first over canonical worlds, every law at every step.

Plain on purpose: it takes the model's own steps and asks the laws' own predicates, so that what
it says rests on nothing else. A search that was cut short says so and never says that a law holds.
"""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, get_args

from invariants.law import Eventually, Law, Question, Taken, Violations, question
from invariants.laws import LAWS
from invariants.reading import codes, outcomes, plain
from model.canonical import canonical
from model.command import Command
from model.design import DSH, Design
from model.enabled import offers
from model.refusal import Code
from model.scope import Kind, Scope
from model.step import Run
from model.world import World, initial

Status = Literal["holds", "violated", "unreached", "undecided"]
Progress = Callable[[int, int, int], None]
"""Told the states found, the states explored, and the depth."""


@dataclass(frozen=True, slots=True)
class Move:
    """One command of a program, and which of its runs happened."""

    command: Command
    run: int = 0


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A shortest program that breaks a law, and what it breaks."""

    program: tuple[Move, ...]
    violations: Violations


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a search says about one law.

    It holds if the search was complete and the law's premise was reached; it is undecided if the
    search was cut short before the law was broken.
    """

    law: Law
    status: Status
    counterexample: Counterexample | None = None


@dataclass(frozen=True, slots=True)
class Exploration:
    """What a search found.

    `transitions` counts states times commands times runs; `unreached` names the scope's kinds of
    commands that were never enabled, `codes` the refusals that were given.
    """

    scope: str
    states: int
    transitions: int
    depth: int
    complete: bool
    verdicts: tuple[Verdict, ...]
    unreached: tuple[str, ...]
    codes: tuple[Code, ...]

    @property
    def holds(self) -> bool:
        """Whether every law was reached and holds."""
        return all(verdict.status == "holds" for verdict in self.verdicts)

    @property
    def violated(self) -> tuple[Verdict, ...]:
        """The verdicts on laws that are broken."""
        return tuple(verdict for verdict in self.verdicts if verdict.status == "violated")


def explore(
    scope: Scope,
    design: Design = DSH,
    laws: tuple[Law, ...] = LAWS,
    *,
    max_states: int | None = None,
    until_broken: bool = False,
    progress: Progress | None = None,
) -> Exploration:
    """Visit every world that the scope leads to, and check the laws on the way.

    With `until_broken` the search ends at the first broken law, which is then broken by a shortest
    program.
    """
    search = Search(scope, design, laws)
    with _without_collector():
        for explored, number in enumerate(search.visited()):
            found = len(search.worlds)
            if progress is not None:
                progress(found, explored, search.depths[number])
            if max_states is not None and found > max_states:
                break
            if until_broken and search.counterexamples:
                break
        else:
            search.complete = True
    return search.result()


def joined(explorations: Iterable[Exploration]) -> tuple[Verdict, ...]:
    """One verdict on each law from several scopes.

    A law that no scope breaks holds if every search was complete and one of them reached it.
    """
    verdicts: dict[str, Verdict] = {}
    for exploration in explorations:
        for verdict in exploration.verdicts:
            other = verdicts.get(verdict.law.name, verdict)
            verdicts[verdict.law.name] = min(other, verdict, key=_weight)
    return tuple(verdicts.values())


def _weight(verdict: Verdict) -> int:
    """How much a verdict counts against others on its law: the first one decides."""
    return ("violated", "undecided", "holds", "unreached").index(verdict.status)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Keep the garbage collector away: a search makes no cycles, and frees nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@dataclass(slots=True)
class Search:
    """A search under way. `origins` leads from a world back to the one it was first found from."""

    scope: Scope
    design: Design
    laws: tuple[Law, ...]
    numbers: dict[World, int] = field(default_factory=dict)
    worlds: list[World] = field(default_factory=list)
    origins: list[tuple[int, Move] | None] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    transitions: int = 0
    complete: bool = False
    questions: list[Question] = field(default_factory=list)
    not_at_stake: list[Question] = field(default_factory=list)
    counterexamples: dict[str, Counterexample] = field(default_factory=dict)
    kinds: set[Kind] = field(default_factory=set)
    codes: set[Code] = field(default_factory=set)

    def visited(self) -> Iterator[int]:
        """Visit one world after the other, those that fewer commands lead to first."""
        self.questions = [question(law) for law in self.laws]
        self.not_at_stake = list(self.questions)
        self.find(canonical(initial()), None)
        number = 0
        while number < len(self.worlds):
            self.visit(number)
            yield number
            number += 1

    def find(self, world: World, origin: tuple[int, Move] | None) -> bool:
        """Note a world; whether it is a new one."""
        if world in self.numbers:
            return False
        self.numbers[world] = len(self.worlds)
        self.worlds.append(world)
        self.origins.append(origin)
        self.depths.append(0 if origin is None else self.depths[origin[0]] + 1)
        return True

    def visit(self, number: int) -> None:
        """Take every step from a world."""
        for offer in offers(self.worlds[number], self.scope, self.design):
            single = plain(offer.command)
            self.kinds.update(() if single is None else (type(single),))
            for index, run in enumerate(offer.runs):
                self.take(number, Move(offer.command, index), run)

    def take(self, number: int, move: Move, run: Run) -> None:
        """Check the laws in one run of one step, and note the world it leads to."""
        self.transitions += 1
        new = self.find(canonical(run.world), (number, move))
        taken = Taken(self.worlds[number], move.command, run, self.design)
        for outcome in outcomes(taken):
            self.codes |= codes(outcome)
        self.judge(taken, number, move, onwards=new)

    def judge(self, taken: Taken, number: int, move: Move, *, onwards: bool) -> None:
        """Check the laws in one step; keep the first program that breaks each.

        What can follow from a world that was found before has been checked before (`onwards`).
        """
        for asked in [each for each in self.not_at_stake if each.reached(taken)]:
            self.not_at_stake.remove(asked)
        for asked in self.questions:
            if not onwards and isinstance(asked.law.check, Eventually):
                continue
            violations = asked.broken(taken)
            if violations and asked.law.name not in self.counterexamples:
                program = (*self.program_to(number), move)
                self.counterexamples[asked.law.name] = Counterexample(program, violations)

    def program_to(self, number: int) -> tuple[Move, ...]:
        """The program that first led to a world."""
        moves: list[Move] = []
        origin = self.origins[number]
        while origin is not None:
            number, move = origin
            moves.append(move)
            origin = self.origins[number]
        return tuple(reversed(moves))

    def result(self) -> Exploration:
        """What the search says so far."""
        return Exploration(
            scope=self.scope.name,
            states=len(self.worlds),
            transitions=self.transitions,
            depth=max(self.depths),
            complete=self.complete,
            verdicts=tuple(self.verdict(law) for law in self.laws),
            unreached=tuple(kind.__name__ for kind in self.scope.kinds if kind not in self.kinds),
            codes=tuple(code for code in get_args(Code) if code in self.codes),
        )

    def verdict(self, law: Law) -> Verdict:
        """What the search says about one law."""
        counterexample = self.counterexamples.get(law.name)
        if counterexample is not None:
            return Verdict(law, "violated", counterexample)
        if not self.complete:
            return Verdict(law, "undecided")
        unreached = any(each.law == law for each in self.not_at_stake)
        return Verdict(law, "unreached" if unreached else "holds")
