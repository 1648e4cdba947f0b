"""Dispatch: calling the listeners of an event, in the order of their registration."""

from dataclasses import dataclass, replace
from typing import Literal, assert_never

from model.command import EventName, Script
from model.design import CollectionDesign
from model.loads import drained
from model.observation import Heard
from model.refusal import Refusal
from model.rows import Awaiter, ForFlush, ForNobody, Subject
from model.script import Ran, run
from model.session_command import Name
from model.storage import flushing, noticed
from model.turn import Turn, alive, observe, with_world
from model.values import Value

WATCH: Name = "watch"
"""The listener that is there from the start, and that runs a command's reactions."""

Called = int | Literal["watch", "persistence"]
"""A registered listener's number, or one of those that are not the client's."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One event on its way to listeners.

    `scope` is the agent in whose scope the event happens: listeners that belong to another agent's
    scope do not hear it.
    """

    event: EventName
    session: int | None = None
    agent: int | None = None
    scope: int | None = None
    seq: int | None = None
    type: str | None = None
    data: Value | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Dispatched:
    """What a dispatch leaves: the turn, and the failure that stopped it, if one did."""

    turn: Turn
    failure: Refusal | None = None


def listeners(turn: Turn, notice: Notice) -> tuple[Called, ...]:
    """The listeners that a dispatch will call, fixed when it starts."""
    registered = (
        number
        for number, listener in enumerate(turn.world.listeners.rows)
        if listener.registered
        and listener.event == notice.event
        and listener.scope in (None, notice.scope)
    )
    watching: tuple[Called, ...] = () if notice.event == "session/flush" else ("watch",)
    stores = turn.world.storage is not None and notice.event.startswith("session/")
    storing: tuple[Called, ...] = ("persistence",) if stores else ()
    called = (*watching, *storing, *registered)
    return called if turn.design.dispatch_order == "registration" else called[::-1]


def propagating(turn: Turn, notice: Notice, policy: CollectionDesign) -> Dispatched:
    """Call listeners until one throws; its failure is the dispatch's (STO-5, REG-5)."""
    for called in listeners(turn, notice):
        ran = call(turn, called, notice, ForNobody())
        turn = ran.turn
        if ran.thrown is not None:
            return Dispatched(turn, ran.thrown)
        if ran.late is not None and policy.late_rejection == "vetoes":
            return Dispatched(turn, ran.late)
    return Dispatched(turn)


def containing(turn: Turn, notice: Notice) -> Turn:
    """Call every listener; failures are contained (LOG-4, STO-8, TXN-7)."""
    for called in listeners(turn, notice):
        turn = call(turn, called, notice, ForNobody()).turn
    return drained(turn) if notice.event in ("session/disposed", "agent/disposed") else turn


def stopping(turn: Turn, notice: Notice) -> Dispatched:
    """Call listeners until one throws: what a design without containment does."""
    for called in listeners(turn, notice):
        ran = call(turn, called, notice, ForNobody())
        turn = ran.turn
        if ran.thrown is not None:
            return Dispatched(turn, ran.thrown)
    return Dispatched(turn)


def call(turn: Turn, called: Called, notice: Notice, awaiter: Awaiter) -> Ran:
    """Call one listener: it observes, then it runs its script."""
    if called == "persistence":
        return persisted(turn, notice, awaiter)
    name = WATCH if called == "watch" else turn.world.listeners[called].name
    turn = observe(turn, heard(turn, name, notice))
    if called == "watch":
        turn, script = take_reaction(turn, notice)
    else:
        turn, script = take_run(turn, called)
    if script is None:
        return Ran(turn)
    return run(turn, name, script, Subject(notice.session, notice.agent), awaiter)


def persisted(turn: Turn, notice: Notice, awaiter: Awaiter) -> Ran:
    """Let the persistence hear an event: nothing of it is observed but what it vetoes (RES-8)."""
    if notice.session is None:
        return Ran(turn)
    if isinstance(awaiter, ForFlush):
        turn, part = flushing(turn, notice.session, awaiter)
        return Ran(turn, late=part.failure, waits=part.waiting)
    turn, fault = noticed(turn, notice.event, notice.session)
    return Ran(turn, thrown=fault)


def heard(turn: Turn, name: Name, notice: Notice) -> Heard:
    """What a listener observes when it is called."""
    match notice.event:
        case "session/created" | "session/event" | "session/disposed" | "session/flush":
            agent, session = None, notice.session
        case "agent/created" | "agent/disposed" | "agent/session-start":
            agent, session = notice.agent, None
        case _:
            assert_never(notice.event)
    return Heard(
        listener=name,
        event=notice.event,
        live=alive(turn),
        session=session,
        agent=agent,
        seq=notice.seq,
        type=notice.type,
        data=notice.data,
        source=notice.source,
    )


def take_reaction(turn: Turn, notice: Notice) -> tuple[Turn, Script | None]:
    """Take the first reaction of the command that waits for this event, if anybody hears it."""
    if turn.dies is not None:
        return turn, None
    for index, reaction in enumerate(turn.reactions):
        if reaction.event == notice.event:
            rest = (*turn.reactions[:index], *turn.reactions[index + 1 :])
            return replace(turn, reactions=rest), reaction.script
    return turn, None


def take_run(turn: Turn, called: int) -> tuple[Turn, Script | None]:
    """Take one of the runs that a registered listener's script has left."""
    listener = turn.world.listeners[called]
    if listener.times == 0:
        return turn, None
    spent = replace(listener, times=listener.times - 1)
    rows = turn.world.listeners.put(called, spent)
    return with_world(turn, replace(turn.world, listeners=rows)), listener.script
