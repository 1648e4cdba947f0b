"""The campaign: programs drawn, run, judged and counted; failures shrunk and explained."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import randoms

from conformance import generate
from conformance.choices import Chances, Limits
from conformance.clauses import clauses
from conformance.compare import compare
from conformance.conversation import Conversation, Program, ProgramFault
from conformance.failures import Found, Shrinking, fingerprint
from conformance.faults import AdapterFault, CallerFault
from conformance.ledger import Ledger
from conformance.programs import Program as Shown
from conformance.programs import shown
from conformance.protocol.message import Reply
from conformance.results import Failure, Fault, Plan, Result
from conformance.transport import Adapter
from model.command import Command

BATCH = 10
"""Programs that are drawn with one opening, and run while the next ones are drawn."""

SELDOMEST = 6
"""Clauses that openings are taken from, one after the other: the least exercised ones."""


class EnoughFailuresError(Exception):
    """The campaign has found as many failures as it was to find."""


@dataclass(slots=True)
class Campaign:
    """Runs programs on an adapter and judges them."""

    adapter: Adapter
    plan: Plan
    progress: Callable[[Result], None] = lambda _result: None
    result: Result = field(init=False)
    _limits: Limits = field(init=False)
    _shown: tuple[Shown, ...] = field(init=False)
    _conversation: Conversation = field(init=False)
    _known: dict[str, str] = field(default_factory=dict)
    _drawn: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Read what the implementation claims, and find the programs of the spec that it can run.

        A plan about nothing that there is, is the caller's fault.
        """
        hello = self.adapter.hello
        if not any(map(self.plan.about, clauses())):
            message = f"there is no clause or group {self.plan.only}"
            raise CallerFault(f"{message}; `dsh-spec explain clauses` lists all")
        self._limits = Limits.of(hello)
        ledger = Ledger(self._limits.groups, self.plan.enough, self.plan.about, self._limits.mints)
        self.result = Result(hello, self.plan, ledger)
        self._shown = tuple(self._applicable())

    def run(self) -> Result:
        """Run the whole plan, or up to the caller's interruption; what was found stands."""
        try:
            with Conversation(self.adapter) as self._conversation:
                self._everything()
        except EnoughFailuresError:
            pass
        except KeyboardInterrupt:
            self.result.interrupted = True
        except ProgramFault as fault:
            self.result.errors.append(Fault(str(fault), fault.program))
        except AdapterFault as fault:
            self.result.errors.append(Fault(str(fault)))
        self.result.ledger.close()
        return self.result

    def _everything(self) -> None:
        if not self._shown:
            raise AdapterFault("the adapter's fault: it claims no group that could be tested")
        for each in self._shown[: self.plan.programs]:
            self._conversation.send(each.commands)
        batch = 0
        while self._judge_all() < self.plan.programs:
            self._draw(batch)
            batch += 1
        self._conversation.ask(())

    def _applicable(self) -> Iterator[Shown]:
        """The programs of the spec that ask for no more than is claimed, short ones first."""
        hello = self.result.hello
        for program in sorted(shown(), key=lambda program: len(program.commands)):
            claimed = program.groups <= self._limits.groups
            able = program.capabilities <= hello.capabilities
            foretold = self._limits.mints or not program.mints
            if claimed and able and foretold and any(map(self.plan.about, program.clauses)):
                yield program

    def _draw(self, number: int) -> None:
        """Send a few programs, two times out of three with an opening that a clause still wants."""
        opening = self._opening(number) if number % 3 else ()
        left = min(BATCH, self.plan.programs - self.result.programs)

        @seeded(self.plan.seed * 1_000_003 + number)
        @settings(
            max_examples=left,
            database=None,
            phases=(Phase.generate,),
            deadline=None,
            suppress_health_check=tuple(HealthCheck),
        )
        @given(randoms(use_true_random=True))
        def draw(random: Random) -> None:
            key = random.getrandbits(64)
            assume(key not in self._drawn)
            self._drawn.add(key)
            self._conversation.send(generate.program(Chances(random), self._limits, opening))

        draw()

    def _opening(self, number: int) -> Program:
        """A shown program of one of the clauses that were exercised least."""
        wanted = self.result.ledger.wanted()[:SELDOMEST]
        clause = wanted[number // 3 % len(wanted)] if wanted else ""
        fitting = [each for each in self._shown if clause in each.clauses]
        return fitting[number % len(fitting)].commands if fitting else ()

    def _judge_all(self) -> int:
        """Judge every program that was sent; how many there have been."""
        while self._conversation.waiting:
            self._judge(*self._conversation.received())
        return self.result.programs

    def _judge(self, program: Program, replies: tuple[Reply, ...]) -> None:
        """Judge what came of one program, and count it."""
        self.result.programs += 1
        self.result.steps += len(replies)
        disagreement = compare(program, replies, foretold=self._limits.mints)
        if disagreement is None:
            self.result.ledger.passed(program)
        else:
            self._failed(program, (replies, disagreement))
        self.progress(self.result)

    def _failed(self, program: Program, found: Found) -> None:
        """Shrink a failure that is not known yet, and keep it even if the caller interrupts."""
        key = fingerprint(found[1])
        if key in self._known:
            self.result.ledger.failed(self._known[key])
            return
        shrinking = Shrinking(self._conversation, self._limits, program, found)
        steady = True
        try:
            shrinking.shrink(self._menu())
            steady = shrinking.again()
        finally:
            self._keep(shrinking.failure(steady=steady))

    def _keep(self, failure: Failure) -> None:
        clause = failure.attribution.clause
        self._known[failure.fingerprint] = clause
        if not self.plan.about(clause):
            self.result.aside.append(failure.fingerprint)
            return
        self.result.ledger.failed(clause)
        self.result.failures.append(failure)
        if len(self.result.failures) >= self.plan.most_failures:
            raise EnoughFailuresError

    def _menu(self) -> tuple[Command, ...]:
        """The commands of the shown programs, those of short programs first."""
        return tuple(dict.fromkeys(c for each in self._shown for c in each.commands))
