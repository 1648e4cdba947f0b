"""Scripts: what a listener, a setup or a commit does when it is called."""

from dataclasses import dataclass, replace
from typing import assert_never

from model.command import Commit, Holds, Rejects, Returns, Script, Single, Throws
from model.observation import Did, Flushed
from model.refusal import Refusal
from model.rows import Awaiter, FlushSlot, ForFlush, ForNobody, ForSetup, Subject, Suspended
from model.session_command import Name
from model.turn import (
    GateOpened,
    Settle,
    SetupOver,
    Turn,
    alive,
    observe,
    soon,
    with_world,
)


@dataclass(frozen=True, slots=True)
class Ran:
    """What a script leaves: the turn, and how it ended.

    `thrown` is a synchronous failure, `late` a failure that arrives with its promise; `waits` says
    that the promise has not settled.
    """

    turn: Turn
    thrown: Refusal | None = None
    late: Refusal | None = None
    waits: bool = False


def error(tag: str) -> Refusal:
    """The error that a script throws, as its receiver gets it."""
    return Refusal("THROWN", "RBK-1", tag)


def run(turn: Turn, by: Name, script: Script, subject: Subject, awaiter: Awaiter) -> Ran:
    """Run a script to its end or to its gate."""
    turn = act(turn, by, script.actions, subject)
    match script.ending:
        case Returns():
            return Ran(turn)
        case Throws(tag):
            return Ran(turn, thrown=error(tag))
        case Rejects(tag):
            return Ran(turn, late=error(tag))
        case Holds(gate, actions, then):
            rest = Suspended(by, gate, actions, then, awaiter, subject)
            return Ran(wait_at_gate(turn, rest), waits=True)
        case _:
            assert_never(script.ending)


def commit(turn: Turn, by: Name, script: Commit, subject: Subject) -> Ran:
    """Run a commit: it ends in the turn in which it starts (TXN-3)."""
    turn = act(turn, by, script.actions, subject)
    match script.ending:
        case Returns():
            return Ran(turn)
        case Throws(tag):
            return Ran(turn, thrown=error(tag))
        case _:
            assert_never(script.ending)


def act(turn: Turn, by: Name, actions: tuple[Single, ...], subject: Subject) -> Turn:
    """Run a script's commands in order; a refused one does not end it."""
    outer = turn.subject
    for action in actions:
        answer = turn.perform(replace(turn, subject=subject), action)
        turn = observe(answer.turn, Did(by, answer.outcome, alive(answer.turn)))
    return replace(turn, subject=outer)


def wait_at_gate(turn: Turn, rest: Suspended) -> Turn:
    """Suspend a script, unless its gate is open already."""
    if rest.gate in turn.world.gates:
        return soon(turn, GateOpened(rest))
    world = replace(turn.world, suspended=(*turn.world.suspended, rest))
    return with_world(turn, world)


def resume(turn: Turn, rest: Suspended) -> Turn:
    """Run what a script had left when it reached its gate, and tell who waits for it."""
    turn = act(turn, rest.by, rest.actions, rest.subject)
    match rest.then:
        case Returns():
            failure = None
        case Throws(tag):
            failure = error(tag)
        case _:
            assert_never(rest.then)
    match rest.awaiter:
        case ForNobody():
            return turn
        case ForSetup(transaction):
            return soon(turn, SetupOver(transaction, failure))
        case ForFlush(operation, slot):
            return flush_slot_over(turn, operation, slot, failure)
        case _:
            assert_never(rest.awaiter)


def flush_slot_over(turn: Turn, operation: Name, slot: int, failure: Refusal | None) -> Turn:
    """Record how one listener of a flush has settled (STO-12)."""
    turn = with_slot(turn, operation, slot, FlushSlot(waiting=False, failure=failure))
    return flush_over(turn, operation)


def with_slot(turn: Turn, operation: Name, slot: int, row: FlushSlot) -> Turn:
    """The turn with one listener's part in a flush replaced."""
    flushes = tuple(
        replace(each, slots=(*each.slots[:slot], row, *each.slots[slot + 1 :]))
        if each.operation == operation
        else each
        for each in turn.world.flushes
    )
    return with_world(turn, replace(turn.world, flushes=flushes))


def flush_over(turn: Turn, operation: Name) -> Turn:
    """Settle a flush that waits for nobody: the first registered failure, or success (STO-12)."""
    pending = next((each for each in turn.world.flushes if each.operation == operation), None)
    if pending is None:
        return turn
    failures = (slot.failure for slot in pending.slots if slot.failure is not None)
    failure = next(failures, None)
    impatient = turn.design.flush == "first-failure" and failure is not None
    if any(slot.waiting for slot in pending.slots) and not impatient:
        return turn
    rest = tuple(each for each in turn.world.flushes if each.operation != operation)
    turn = with_world(turn, replace(turn.world, flushes=rest))
    return soon(turn, Settle(operation, failure or Flushed(participated=bool(pending.slots))))
