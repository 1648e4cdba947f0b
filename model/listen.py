"""Listeners, scoped preparations, gates and handles: what the client itself does."""

from dataclasses import replace

from model.command import Forget, Listen, Open, Unlisten
from model.effect import Scoped, leave
from model.observation import Done, Released
from model.owner import disowns, owner_fault, owns
from model.referents import ListenerRef, PreparationRef
from model.rows import Listener, ListenerEffect, Preparation
from model.session_command import Acquire, Release
from model.turn import (
    UNBOUND,
    Answer,
    Arrive,
    GateOpened,
    Turn,
    WorkOver,
    alive,
    bind,
    handle_fault,
    observe,
    refused,
    session_named,
    soon,
    transaction_of,
    with_world,
)
from model.world import referent, unbound


def listen(turn: Turn, command: Listen) -> Answer:
    """Register a listener behind the others, in the given agent's scope or in none."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    scope = None
    if command.agent is not None:
        transaction = transaction_of(turn, command.agent)
        if transaction is None:
            return refused(turn, UNBOUND)
        owner = turn.world.transactions[transaction].scope
        inactive = owner_fault(turn, owner)
        if inactive is not None:
            return refused(turn, inactive)
        turn = owns(turn, owner, ListenerEffect(command.handle))
        scope = turn.world.transactions[transaction].agent
    row = Listener(command.handle, command.event, command.script, command.times, scope)
    number = len(turn.world.listeners)
    world = replace(turn.world, listeners=turn.world.listeners.add(row))
    return Answer(bind(with_world(turn, world), command.handle, ListenerRef(number)), Done())


def unlisten(turn: Turn, command: Unlisten) -> Answer:
    """Remove a listener; a dispatch that has begun still calls it."""
    ref = referent(turn.world, command.listener)
    if not isinstance(ref, ListenerRef):
        return refused(turn, UNBOUND)
    turn = silenced(turn, ref.number)
    return Answer(turn, Done())


def silenced(turn: Turn, number: int) -> Turn:
    """The turn in which a listener is no longer registered."""
    row = turn.world.listeners[number]
    if row.scope is not None and (made_by := turn.world.agents[row.scope].transaction) is not None:
        scope = turn.world.transactions[made_by].scope
        turn = disowns(turn, scope, ListenerEffect(row.name))
    listeners = turn.world.listeners.put(number, replace(row, registered=False))
    return with_world(turn, unbound(replace(turn.world, listeners=listeners), row.name))


def acquire(turn: Turn, command: Acquire) -> Answer:
    """Bind a session to a release that is observed (RBK-6)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    session = session_named(turn, command.session)
    if session is None:
        return refused(turn, UNBOUND)
    preparations = turn.world.preparations
    number = len(preparations)
    turn = with_world(
        turn, replace(turn.world, preparations=preparations.add(Preparation(session)))
    )
    return Answer(bind(turn, command.handle, PreparationRef(number)), Done())


def release(turn: Turn, command: Release) -> Answer:
    """Dispose of a preparation: the release runs the first time (RBK-6)."""
    ref = referent(turn.world, command.preparation)
    if not isinstance(ref, PreparationRef):
        return refused(turn, UNBOUND)
    row = turn.world.preparations[ref.number]
    left = leave(Scoped(released=row.released))
    released = replace(row, released=left.scoped.released)
    preparations = turn.world.preparations.put(ref.number, released)
    turn = with_world(turn, replace(turn.world, preparations=preparations))
    runs = left.runs or turn.design.release == "every-time"
    if runs and turn.design.release != "never":
        turn = observe(turn, Released(command.preparation, alive(turn)))
    return Answer(turn, Done())


def open_gate(turn: Turn, command: Open) -> Answer:
    """Open a gate for good; whatever waits at it becomes ready."""
    world = turn.world
    waiting = tuple(each for each in world.suspended if each.gate == command.gate)
    rest = tuple(each for each in world.suspended if each.gate != command.gate)
    gates = tuple(sorted({*world.gates, command.gate}))
    turn = with_world(turn, replace(world, suspended=rest, gates=gates))
    for script in waiting:
        turn = soon(turn, GateOpened(script))
    for number, load in enumerate(world.loads.rows):
        if load.stage == "held" and load.gate == command.gate:
            turn = soon(turn, Arrive(number))
    for number, agent in enumerate(world.agents.rows):
        if agent.work is not None and agent.work.gate == command.gate:
            turn = soon(turn, WorkOver(number))
    return Answer(turn, Done())


def forget(turn: Turn, command: Forget) -> Answer:
    """Drop a handle; what it names is not touched."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    if referent(turn.world, command.handle) is None:
        return refused(turn, UNBOUND)
    return Answer(with_world(turn, unbound(turn.world, command.handle)), Done())
