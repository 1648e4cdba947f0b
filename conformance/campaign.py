"""The campaign: programs drawn, run, judged and counted; failures shrunk and explained."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

from conformance.choices import Limits
from conformance.clause_of import Attribution, at_first_sight, attribute
from conformance.compare import Disagreement, compare
from conformance.faults import AdapterFault, GarbageError
from conformance.generate import programs
from conformance.ledger import ENOUGH, Ledger
from conformance.programs import Program, shown
from conformance.protocol.message import Hello, Reply
from conformance.shrink import SHORT, Shrinker
from conformance.transport import Adapter
from model.command import Command

BATCH = 10
"""Programs that are drawn with one opening."""

Verdict = Literal["agrees", "disagrees", "errored"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a campaign is to do."""

    seed: int = 1
    programs: int = 200
    most_failures: int = 5
    enough: int = ENOUGH
    only: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """One way in which the implementation disagrees: the shrunk program, and what came of it."""

    fingerprint: str
    program: tuple[Command, ...]
    replies: tuple[Reply, ...]
    disagreement: Disagreement
    attribution: Attribution
    minimal: bool


@dataclass(slots=True)
class Result:
    """What a campaign has found so far; it can be reported at any time."""

    hello: Hello
    plan: Plan
    ledger: Ledger
    programs: int = 0
    steps: int = 0
    failures: list[Failure] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    interrupted: bool = False

    @property
    def verdict(self) -> Verdict:
        """Whether the implementation conforms, as far as was looked."""
        if self.errors or self.programs == 0:
            return "errored"
        return "disagrees" if self.failures else "agrees"


class EnoughFailuresError(Exception):
    """The campaign has found as many failures as it was to find."""


@dataclass(slots=True)
class Campaign:
    """Runs programs on an adapter and judges them."""

    adapter: Adapter
    plan: Plan
    progress: Callable[[Result], None] = lambda _result: None
    result: Result = field(init=False)
    _known: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Read what the implementation claims."""
        hello = self.adapter.hello
        groups = frozenset(each for each in hello.groups if each.startswith(self.plan.only[:3]))
        ledger = Ledger(groups or frozenset(hello.groups), self.plan.enough)
        self.result = Result(hello, self.plan, ledger)

    def run(self) -> Result:
        """Run the whole plan, or up to the caller's interruption; what was found stands."""
        try:
            self._something_to_do()
            self._shown()
            self._drawn()
        except EnoughFailuresError:
            pass
        except KeyboardInterrupt:
            self.result.interrupted = True
        except AdapterFault as fault:
            self.result.errors.append(str(fault))
        self.result.ledger.close()
        return self.result

    def _something_to_do(self) -> None:
        if not self._applicable():
            raise AdapterFault("the adapter's fault: it claims no group that could be tested")

    def _shown(self) -> None:
        """The programs of the spec come first: each shows a clause on its own."""
        for program in self._applicable():
            if self.result.programs < self.plan.programs:
                self.try_out(program.commands)

    def _applicable(self) -> tuple[Program, ...]:
        hello = self.result.hello
        by_length = sorted(shown(), key=lambda program: len(program.commands))
        return tuple(
            program
            for program in by_length
            if program.groups <= frozenset(hello.groups)
            and program.capabilities <= hello.capabilities
            and any(clause.startswith(self.plan.only) for clause in program.clauses)
        )

    def _drawn(self) -> None:
        batch = 0
        while self.result.programs < self.plan.programs:
            self._batch(batch)
            batch += 1

    def _batch(self, number: int) -> None:
        """Draw a few programs, two times out of three with an opening that a clause still wants."""
        opening = self._opening(number) if number % 3 else ()
        left = min(BATCH, self.plan.programs - self.result.programs)

        drawn: list[tuple[Command, ...]] = []

        @seeded(self.plan.seed * 1_000_003 + number)
        @settings(
            max_examples=left,
            database=None,
            phases=(Phase.generate,),
            deadline=None,
            suppress_health_check=tuple(HealthCheck),
        )
        @given(programs(self._limits(), opening))
        def draw(program: tuple[Command, ...]) -> None:
            drawn.append(program)

        draw()
        for program in drawn:
            self.try_out(program)

    def _limits(self) -> Limits:
        hello = self.result.hello
        hostile = (c.split(":", 1)[1] for c in hello.capabilities if c.startswith("hostile:"))
        mints = hello.mint == "session-{n}"
        return Limits(frozenset(hostile), mints, frozenset(hello.groups))

    def _opening(self, number: int) -> tuple[Command, ...]:
        wanted = self.result.ledger.wanted()
        if not wanted:
            return ()
        clause = wanted[number // 3 % len(wanted)]
        fitting = [each for each in self._applicable() if clause in each.clauses]
        return fitting[number % len(fitting)].commands if fitting else ()

    def try_out(self, program: tuple[Command, ...]) -> None:
        """Run one program, judge it, and count it."""
        replies = self.adapter.run(program)
        self._no_leftovers()
        self.result.programs += 1
        self.result.steps += len(replies)
        disagreement = compare(program, replies)
        if disagreement is None:
            self.result.ledger.passed(program)
        else:
            self._failed(program, replies, disagreement)
        self.progress(self.result)

    def _no_leftovers(self) -> None:
        if self.adapter.leftovers:
            message = "the adapter's fault: it was not quiescent when it replied; afterwards came"
            raise GarbageError(f"{message} {self.adapter.leftovers[0]}")

    def _failed(
        self,
        program: tuple[Command, ...],
        replies: tuple[Reply, ...],
        disagreement: Disagreement,
    ) -> None:
        """Shrink a failure that is not known yet, and keep it."""
        found = fingerprint(disagreement)
        if found in self._known:
            return
        shrinker = Shrinker(lambda candidate: self._fingerprint_of(candidate) == found)
        smallest = shrinker.shrink(program[: disagreement.index + 1])
        if len(smallest) > SHORT:
            shorter = shrinker.search(self._menu())
            smallest = smallest if shorter is None else shrinker.shrink(shorter)
        replies = self.adapter.run(smallest)
        disagreement = compare(smallest, replies) or disagreement
        self._known.add(found)
        attribution = attribute(smallest, replies, disagreement)
        self.result.ledger.failed(attribution.clause)
        self.result.failures.append(
            Failure(found, smallest, replies, disagreement, attribution, not shrinker.exhausted)
        )
        if len(self.result.failures) >= self.plan.most_failures:
            raise EnoughFailuresError

    def _menu(self) -> tuple[Command, ...]:
        """The commands of the shown programs, those of short programs first."""
        return tuple(dict.fromkeys(c for each in self._applicable() for c in each.commands))

    def _fingerprint_of(self, program: tuple[Command, ...]) -> str | None:
        replies = self.adapter.run(program)
        disagreement = compare(program, replies)
        return None if disagreement is None else fingerprint(disagreement)


def fingerprint(disagreement: Disagreement) -> str:
    """What makes two failures one: the clause at first sight, and the kind of divergence."""
    difference = disagreement.difference
    part = f":{difference.part}" if difference.part else ""
    return f"{at_first_sight(disagreement)}/{difference.kind}{part}"
