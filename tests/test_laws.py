"""The laws: every one is registered, every clause has one, and every one can be broken."""

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import replace

import pytest

import invariants
from invariants.alternatives import ALTERNATIVES
from invariants.explore import explore
from invariants.law import Law, Taken, question
from invariants.laws import LAWS
from invariants.laws_named import NAMED
from invariants.scopes import SCOPES
from model.command import (
    Command,
    Create,
    CreateAgent,
    Detach,
    DetachAgent,
    DisposeFactory,
    DisposeOwner,
    Enter,
    EnterAgent,
    Flush,
    Fork,
    Listen,
    LoadFactory,
    NewAgent,
    NewOwner,
    Prepare,
    Together,
)
from model.design import DSH, CollectionDesign, Design
from model.observation import Heard, Published, Settled
from model.refusal import Refusal
from model.step import step
from model.world import World, initial, with_session_entry, with_transaction

CLAUSES = {
    "HDR": 10,
    "LOG": 6,
    "SEED": 8,
    "STO": 12,
    "REG": 10,
    "TXN": 11,
    "RBK": 8,
    "OWN": 6,
    "FORK": 4,
    "RES": 8,
    "IDN": 7,
}

EVICTING = CollectionDesign(collision="last-wins", detach_removes="whoever-has-the-id")
"""An entry can be evicted before its detach is called, and the detach then goes by the id."""

UNSETTLED = replace(
    DSH,
    teardown=("stop-machine", "unwind-scope", "detach-agent", "detach-session"),
)
"""Nobody is told when a teardown is over."""

KILLERS: dict[str, tuple[str | Design, str]] = {
    "no agent exists without a session": ("session-detached-first", "tiny"),
    "rollback leaves no orphans": ("rollback-leaves-entries", "tiny"),
    "headers are immutable": ("header-follows-events", "headers"),
    "seed markers are never duplicated on resume": ("marker-always", "seeds"),
    "a bad header constructs nothing": ("unchecked-hdr-5", "headers"),
    "a header says what was asked for and nothing else": ("header-keeps-every-key", "headers"),
    "the seq of an event is its index": ("seq-from-one", "seeds"),
    "a log only grows": ("log-shared-with-caller", "seeds"),
    "a log holds only lossless JSON": ("unchecked-log-3", "seeds"),
    "an append to a live session is recorded and seen once": (
        "event-failure-undoes-append",
        "tiny",
    ),
    "an append to a session that is not live is recorded and not seen": (
        "detached-append-refused",
        "tiny",
    ),
    "a seen event is in the log": ("event-failure-undoes-append", "tiny"),
    "an event is committed before it is seen": ("event-seen-before-commit", "seeds"),
    "an append inside an append of the same session is refused": ("append-nests", "seeds"),
    "a bad seed constructs nothing": ("unchecked-seed-1", "seeds"),
    "a seed is taken over as it is and ends in one marker": ("marker-once-ever", "seeds"),
    "without a seed there is no marker": ("marker-without-seed", "seeds"),
    "firstLiveSeq is the length of the seed": ("first-live-is-marker", "seeds"),
    "inherited events and the marker are never seen": ("marker-seen", "seeds"),
    "prepare refuses the ids that are live and no others": ("prepare-takes-live-id", "stores"),
    "prepare publishes nothing and reserves nothing": ("prepare-reserves", "stores"),
    "a create that is vetoed leaves nothing live": ("announce-before-detach-recorded", "stores"),
    "minted ids skip live ones": ("mint-takes-live-id", "ids"),
    "a flush waits for every listener": ("flush-fails-early", "flushes"),
    "no two live sessions share an id": ("attached-twice", "stores"),
    "a session is listed at most once": ("attached-twice", "stores"),
    "the first session to enter an id keeps it": ("last-enter-wins", "stores"),
    "a session's entry leaves only by its own detach": ("last-enter-wins", "stores"),
    "a stale detach never removes a successor among the sessions": (
        replace(DSH, sessions=EVICTING),
        "stores",
    ),
    "sessions are listed in entry order": ("sessions-newest-first", "ids"),
    "no two live agents share an id": ("agent-attached-twice", "registry"),
    "an agent is listed at most once": ("agent-attached-twice", "registry"),
    "the first agent to enter an id keeps it": ("last-agent-wins", "registry"),
    "an agent's entry leaves only by its own detach": ("last-agent-wins", "registry"),
    "a stale detach never removes a successor among the agents": (
        replace(DSH, agents=EVICTING),
        "registry",
    ),
    "agents are listed in entry order": ("agents-newest-first", "registry"),
    "session/created is seen at most once for an entry": ("announced-twice", "stores"),
    "session/disposed is seen only of what was announced": ("disposal-always-seen", "stores"),
    "what was announced and has left is seen disposed among the sessions": (
        "announced-after-dispatch",
        "stores",
    ),
    "a session is announced once, also from inside its announcement": (
        "announced-twice",
        "stores",
    ),
    "a failure at session/created vetoes if it is synchronous, and only then": (
        "late-rejection-vetoes",
        "stores",
    ),
    "events of a session are seen while it is live": ("detach-at-once", "listeners"),
    "session/disposed is seen once the entry has left": ("attached-twice", "stores"),
    "a session stays live while its own dispatch runs": ("detach-at-once", "stores"),
    "agent/created is seen at most once for an entry": ("agent-announced-twice", "registry"),
    "agent/disposed is seen only of what was announced": (
        "agent-disposal-always-seen",
        "registry",
    ),
    "what was announced and has left is seen disposed among the agents": (
        "agent-announced-after-dispatch",
        "registry",
    ),
    "an agent is announced once, also from inside its announcement": (
        "agent-announced-twice",
        "registry",
    ),
    "a failure at agent/created vetoes if it is synchronous, and only then": (
        "agent-created-veto-contained",
        "registry",
    ),
    "events of an agent are seen while it is live": ("agent-detach-at-once", "agent-listeners"),
    "agent/disposed is seen once the entry has left": ("agent-attached-twice", "registry"),
    "an agent stays live while its own dispatch runs": ("agent-detach-at-once", "registry"),
    "listeners hear in the order of their registration": ("listeners-newest-first", "listeners"),
    "a listener's failure starves no other where failures are contained": (
        "event-failure-starves",
        "listeners",
    ),
    "an agent's id is its session's": ("agent-id-free", "registry"),
    "an agent with another id than its session's is not entered": ("agent-id-free", "registry"),
    "the registry does not ask whether a session is live": (
        "registry-asks-for-session",
        "registry",
    ),
    "an agent belongs to its creator": ("owner-forgotten", "registry"),
    "a transaction's phases come once and in order": ("commit-last", "tiny"),
    "nothing of a transaction is listed before its publication": ("visible-during-setup", "tiny"),
    "the commit of a published transaction ran once": ("commit-never", "tiny"),
    "both objects are live when session/created is seen": ("session-announced-alone", "tiny"),
    "the handle is returned after all of the publication": ("handle-returned-early", "tiny"),
    "an abort before the handle is returned keeps the agent from being published": (
        "no-check-after-announcements",
        "tiny",
    ),
    "a failure at agent/session-start vetoes nothing": ("start-failure-vetoes", "tiny"),
    "a live transaction keeps both of its entries": ("loser-detaches-by-id", "rivals"),
    "a synchronous creation returns its error before it rolls back": (
        "configured-rolled-back-first",
        "rivals",
    ),
    "a scope is unwound while both objects are live": ("scope-unwound-last", "tiny"),
    "an agent is detached before its session": ("session-detached-first", "tiny"),
    "a scope is unwound once": ("teardown-runs-again", "rivals"),
    "a promise settles once the rollback is complete": ("settled-before-rollback", "tiny"),
    "a preparation is released at its first disposal and never again": (
        "released-every-time",
        "ids",
    ),
    "no agent is torn down at work": ("busy-torn-down", "rivals"),
    "no listener outlives its scope": ("scope-listeners-kept", "rivals"),
    "every operation settles once every gate is open": (UNSETTLED, "tiny"),
    "the caller of a failed creation gets the original error": (
        "setup-failure-ignored",
        "rivals",
    ),
    "an abort after the handle is returned changes nothing": ("abort-after-return", "aborts"),
    "an abort during the setup ends the creation at once and with its reason": (
        "abort-awaits-setup",
        "aborts",
    ),
    "the commit of an aborted setup never runs": ("abort-awaits-setup", "aborts"),
    "nothing of an owner that is gone remains once every gate is open": (
        "owner-leaves-agents",
        "busy",
    ),
    "an owner that goes takes along what was made through it": ("owner-leaves-agents", "families"),
    "the disposal of an owner waits for the agents that it takes back": (
        "owner-leaves-agents",
        "busy",
    ),
    "an owner disposed of inside a publication lets it finish and then takes the agent back": (
        "owner-leaves-agents",
        "owners",
    ),
    "nothing is made through an owner that is not active": ("inactive-owner-accepted", "busy"),
    "every agent goes with its factory": ("factory-leaves-agents", "busy"),
    "the disposal of a factory waits for every agent that it made": (
        "factory-leaves-agents",
        "busy",
    ),
    "a factory disposed of inside a publication lets it finish and then takes the agent back": (
        "factory-leaves-agents",
        "owners",
    ),
    "a second factory is refused and changes nothing": ("second-factory-replaces", "busy"),
    "a fork is refused for the first reason against it and changes nothing then": (
        "fork-asks-for-source-first",
        "forks",
    ),
    "no child begins inside an open turn": ("fork-in-open-turn", "forks"),
    "a child inherits its source's log through the boundary": (
        "fork-boundary-exclusive",
        "forks",
    ),
    "a child's header names its source and takes over only its folder": (
        "fork-inherits-preset",
        "forks",
    ),
    "a fork leaves its source as it was": ("fork-marks-source", "forks"),
    "a stored log counts from 0": ("seq-from-one", "resume"),
    "what is stored stays stored": ("storing-overwrites", "storing"),
    "a session comes back with the header that was stored": ("resume-makes-header-anew", "resume"),
    "a session comes back with the log that was stored": ("resume-forgets-own-work", "resume"),
    "a loaded marker gets no other": ("resume-always-marks", "resume"),
    "no session is loaded within a turn": ("resume-leaves-turns-open", "resume"),
    "an interrupted turn is closed once": ("resume-closes-each-time", "resume"),
    "what nobody knows is not loaded": ("resume-of-unknown-events", "storing"),
    "a loaded session is one resume's": ("resume-shares-reservation", "resume"),
    "a reserved session has no announced rival": ("resume-of-live-session", "resume"),
    "a load that was given up is not published": ("resume-publishes-late-load", "resume"),
    "a session at rest is stored as far as it has got": ("storing-forgets-marker", "resume"),
    "one session is stored under an id": ("resume-of-live-session", "storing"),
    "a flush that succeeds has stored everything": ("storing-forgets-marker", "storing"),
    "nothing of an ended process is left": ("gates-outlive-process", "resume"),
    "agents that cannot be told apart are not started": ("identity-shared", "identity"),
    "a configured agent is who it was to be": ("overlay-drops-launcher", "identity"),
    "a stored session is not made anew": ("unreadable-identity-created", "identity"),
    "a fresh identity is known from nowhere": ("identity-from-label", "identity"),
    "who could not be started is not there": ("identity-shared", "identity"),
}
"""For each law a design that breaks it, and a scope in which it does."""


def _forging(*commands: Command) -> Taken:
    """The last of these commands as DSH takes it, to be forged."""
    world = initial()
    for command in commands[:-1]:
        world = step(world, command).runs[0].world
    return Taken(world, commands[-1], step(world, commands[-1]).runs[0], DSH)


def _unheard(taken: Taken) -> Taken:
    silent = tuple(each for each in taken.run.seen if not isinstance(each, Heard))
    return Taken(taken.before, taken.command, replace(taken.run, seen=silent), DSH)


def _resumed(taken: Taken) -> Taken:
    seen = tuple(
        replace(each, source="resume") if isinstance(each, Heard) and each.source else each
        for each in taken.run.seen
    )
    return Taken(taken.before, taken.command, replace(taken.run, seen=seen), DSH)


def _leaving(taken: Taken, world: World) -> Taken:
    return Taken(taken.before, taken.command, replace(taken.run, world=world), DSH)


def _half_announced(taken: Taken) -> Taken:
    row = replace(taken.after.session_entries[0], announcing=True)
    return _leaving(taken, with_session_entry(taken.after, 0, row))


def _refused(taken: Taken) -> Taken:
    outcome = Refusal("OPEN_TURN", "FORK-1")
    return Taken(taken.before, taken.command, replace(taken.run, outcome=outcome), DSH)


def _backwards(taken: Taken) -> Taken:
    seen = taken.run.seen[::-1]
    return Taken(taken.before, taken.command, replace(taken.run, seen=seen), DSH)


def _made_by_first(taken: Taken) -> Taken:
    row = replace(taken.after.transactions[0], factory=0)
    return _leaving(taken, with_transaction(taken.after, 0, row))


def _settled_otherwise(taken: Taken) -> Taken:
    """A creation that is published although no factory takes it."""
    seen = tuple(
        replace(each, outcome=Published(0, 0)) if isinstance(each, Settled) else each
        for each in taken.run.seen
    )
    return Taken(taken.before, taken.command, replace(taken.run, seen=seen), DSH)


LEFT = (Prepare("s", "a"), Enter("e", "s"), Detach("e"))
AGENT_LEFT = (
    Prepare("s", "a"),
    NewAgent("g", "a", "s"),
    EnterAgent("x", "g"),
    DetachAgent("x"),
)
AGENT = CreateAgent("t", "a")
FLUSHED = (Create("s", "a"), Listen("l", "session/flush"), Flush("o", "s"))

FORGED: dict[str, Taken] = {
    "a flush asks every listener of a live session": _unheard(_forging(*FLUSHED)),
    "a session's entry that has left never comes back": _leaving(
        _forging(*LEFT, Prepare("r", "b")),
        replace(_forging(*LEFT, Prepare("r", "b")).after, store=(0,)),
    ),
    "an agent's entry that has left never comes back": _leaving(
        _forging(*AGENT_LEFT, Prepare("r", "b")),
        replace(_forging(*AGENT_LEFT, Prepare("r", "b")).after, registry=(0,)),
    ),
    "an agent starts as what it is": _resumed(_forging(AGENT)),
    "nothing is half done between commands": _half_announced(_forging(AGENT)),
    "the sessions of an owner leave newest first": _backwards(
        _forging(
            NewOwner("w"),
            Create("s", "a", owner="w"),
            Create("r", "b", owner="w"),
            DisposeOwner("o", "w"),
        )
    ),
    "without a factory no agent is made": _settled_otherwise(_forging(DisposeFactory("o"), AGENT)),
    "no agent is made by a factory that goes": _settled_otherwise(
        _forging(Together((DisposeFactory("o"), AGENT)))
    ),
    "an agent is made by the factory that is registered": _made_by_first(
        _forging(DisposeFactory("o"), LoadFactory("o"), AGENT)
    ),
    "the slot is empty once its factory's owner is gone": _leaving(
        _forging(DisposeFactory("o")), replace(_forging(DisposeFactory("o")).after, slot=0)
    ),
    "a fork is refused for no reason that is not there": _refused(
        _forging(Create("s", "a"), Fork("r", source="s", id="b"))
    ),
}
"""For each law that no design decision is about, a step of DSH forged so that it is broken."""


def _law(name: str) -> Law:
    return next(law for law in LAWS if law.name == name)


def _declared() -> Iterator[Law]:
    """Every law that a module of the package holds, alone or in a tuple."""
    for module in pkgutil.iter_modules(invariants.__path__):
        for value in vars(importlib.import_module(f"invariants.{module.name}")).values():
            for each in value if isinstance(value, tuple) else (value,):
                if isinstance(each, Law):
                    yield each


def test_every_law_is_registered() -> None:
    """A law that a module declares and the registry lacks would be checked by nobody."""
    assert set(_declared()) == set(LAWS)


def test_the_named_laws_come_first() -> None:
    """The four laws that were asked for by name stand first, in every report."""
    assert LAWS[:4] == NAMED
    assert len({law.name for law in LAWS}) == len(LAWS)


def test_laws_and_clauses_cover_each_other() -> None:
    """Every law is about clauses that exist, and every clause of these groups has a law."""
    known = {f"{group}-{n}" for group, count in CLAUSES.items() for n in range(1, count + 1)}
    covered = {clause for law in LAWS for clause in law.clauses}
    assert all(law.clauses for law in LAWS)
    assert covered == known


def test_every_law_has_something_that_breaks_it() -> None:
    """No law is beyond breaking: each has a design or a forged step against it."""
    assert {*KILLERS, *FORGED} == {law.name for law in LAWS}


@pytest.mark.parametrize("name", KILLERS)
def test_a_design_breaks_the_law(name: str) -> None:
    """The explorer finds a program under which another design breaks the law."""
    killer, scope = KILLERS[name]
    design = ALTERNATIVES[killer].design if isinstance(killer, str) else killer
    found = explore(SCOPES[scope], design, (_law(name),), until_broken=True)
    assert [verdict.status for verdict in found.verdicts] == ["violated"]


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_step_breaks_the_law(name: str) -> None:
    """A step that DSH would not take breaks the law."""
    violations = question(_law(name)).broken(FORGED[name])
    assert violations
    assert all(len(text.split()) > 2 for text in violations)
