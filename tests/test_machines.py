"""Hypothesis walks the model far, with every law at every step.

One machine stays with the sessions, one adds agents, one does everything. Each can fail: run with
another design, it finds the law that the design breaks.
"""

from itertools import islice
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from conformance.choices import Drawn, Limits
from conformance.commands import Drawer
from conformance.compare import MOST_RUNS
from conformance.protocol.values import KINDS
from invariants.alternatives import ALTERNATIVES
from invariants.law import Taken, question
from invariants.laws import LAWS
from model.canonical import canonical
from model.command import Command
from model.design import DSH, Design
from model.referents import SessionRef
from model.refusal import Refusal
from model.session_command import Inspect, Look
from model.step import runs
from model.world import World, initial

SESSIONS = frozenset(("HDR", "LOG", "SEED", "STO"))
AGENTS = SESSIONS | {"REG", "TXN", "RBK"}
EVERYTHING = AGENTS | {"OWN", "FORK", "RES", "IDN"}


class Machine(RuleBasedStateMachine):
    """A client of the model. After each of its commands every law is asked."""

    groups: ClassVar[frozenset[str]] = SESSIONS
    design: ClassVar[Design] = DSH

    def __init__(self) -> None:
        """Begin with the empty world."""
        super().__init__()
        self.world: World = initial()
        self.drawer: Drawer | None = None

    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        """Do anything: one command, with reactions, or several together."""
        if self.drawer is None:
            limits = Limits(frozenset(KINDS), mints=True, groups=self.groups)
            self.drawer = Drawer(Drawn(data.draw), limits)
        self.drawer.choices = Drawn(data.draw)
        self.take(self.drawer.command(self.world), data)

    @rule(data=st.data(), wanted=st.sampled_from(("a", "b", "session-1")))
    def look(self, data: st.DataObject, wanted: str) -> None:
        """Read both collections: what is only read does not change."""
        before = self.world
        self.take(Look(wanted), data)
        assert self.world == before

    @precondition(lambda self: bool(self.sessions()))
    @rule(data=st.data())
    def inspect(self, data: st.DataObject) -> None:
        """Read a session: what is only read does not change."""
        before = self.world
        self.take(Inspect(data.draw(st.sampled_from(self.sessions()))), data)
        assert self.world == before

    def sessions(self) -> list[str]:
        """The handles that are sessions."""
        return [name for name, ref in self.world.bindings if isinstance(ref, SessionRef)]

    def take(self, command: Command, data: st.DataObject) -> None:
        """Take a step into one of its runs, and ask every law."""
        possible = tuple(islice(runs(self.world, command, self.design), MOST_RUNS))
        run = data.draw(st.sampled_from(possible)) if len(possible) > 1 else possible[0]
        taken = Taken(self.world, command, run, self.design)
        for law in LAWS:
            assert not question(law).broken(taken), law.name
        if isinstance(run.outcome, Refusal) and run.outcome.code in ("UNBOUND", "HANDLE_IN_USE"):
            assert run.world == self.world
        smallest = canonical(run.world)
        assert canonical(smallest) == smallest
        self.world = run.world


class AgentMachine(Machine):
    """The same with agents, their creation and their teardown."""

    groups = AGENTS


class EverythingMachine(Machine):
    """The same with owners, the factory, forks, and processes that end."""

    groups = EVERYTHING


TestSessions = Machine.TestCase
TestAgents = AgentMachine.TestCase
TestEverything = EverythingMachine.TestCase
for case in (TestSessions, TestAgents, TestEverything):
    case.settings = settings(
        max_examples=25,
        stateful_step_count=20,
        deadline=None,
        suppress_health_check=tuple(HealthCheck),
    )

KILLED = {
    "header-follows-events": "headers are immutable",
    "unchecked-hdr-5": "a bad header constructs nothing",
    "seq-from-one": "the seq of an event is its index",
    "detached-append-seen": "an append to a session that is not live is recorded and not seen",
    "append-nests": "an append inside an append of the same session is refused",
    "marker-always": "seed markers are never duplicated on resume",
    "marker-without-seed": "without a seed there is no marker",
    "first-live-is-marker": "firstLiveSeq is the length of the seed",
    "last-enter-wins": "a session's entry leaves only by its own detach",
    "announce-before-detach-recorded": "a create that is vetoed leaves nothing live",
    "disposal-always-seen": "session/disposed is seen only of what was announced",
    "agent-id-free": "an agent's id is its session's",
    "agent-announced-first": "a transaction's phases come once and in order",
    "session-announced-alone": "both objects are live when session/created is seen",
    "session-detached-first": "an agent is detached before its session",
    "scope-unwound-last": "a scope is unwound while both objects are live",
}
"""For alternatives of every group, a law that the machine finds broken."""


@pytest.mark.parametrize("name", KILLED)
def test_the_machine_finds_what_an_alternative_breaks(name: str) -> None:
    """The machine can fail, at the law that the alternative is about."""

    class Wrong(AgentMachine):
        design = ALTERNATIVES[name].design

        def take(self, command: Command, data: st.DataObject) -> None:
            run = next(runs(self.world, command, self.design))
            taken = Taken(self.world, command, run, self.design)
            law = next(law for law in LAWS if law.name == KILLED[name])
            assert not question(law).broken(taken), law.name
            self.world = run.world
            del data

    quick = settings(
        max_examples=400,
        stateful_step_count=25,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.generate,),
        suppress_health_check=tuple(HealthCheck),
    )
    with pytest.raises(AssertionError, match=KILLED[name][:20]):
        run_state_machine_as_test(Wrong, settings=quick)
