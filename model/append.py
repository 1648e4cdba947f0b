"""Appending to a session, flushing it, and reading it (LOG, STO-12)."""

from dataclasses import replace

from model.dispatch import Notice, call, containing, listeners, stopping
from model.header import Header
from model.log import Event, next_seq
from model.observation import Appended, Done, Found, Snapshot, Started
from model.referents import Pending
from model.refusal import Refusal
from model.rows import FlushSlot, ForFlush, PendingFlush, Session
from model.script import flush_over, with_slot
from model.session_command import Append, Flush, Inspect, Look, Tamper
from model.sessions import pay_detach
from model.turn import (
    UNBOUND,
    Answer,
    Settle,
    Turn,
    bind,
    handle_fault,
    refused,
    session_named,
    soon,
    with_world,
)
from model.values import Text, field, lossless
from model.world import (
    agent_entry_with_id,
    session_entry_of,
    session_entry_with_id,
    with_session,
    with_session_entry,
)

PRESET_SELECTED = "agent-preset/selected"


def append(turn: Turn, command: Append) -> Answer:
    """Append one event, and show it to listeners if the session is live (LOG-3 to 6)."""
    number = session_named(turn, command.session)
    if number is None:
        return refused(turn, UNBOUND)
    entry = session_entry_of(turn.world, number)
    fault = append_fault(turn, command, entry)
    if fault is not None:
        return refused(turn, fault)
    session = turn.world.sessions[number]
    seq = next_seq(session.log, turn.design)
    event = Event(seq, command.type, command.data)
    grown = replace(session, header=_header(turn, session, event), log=(*session.log, event))
    scope = None if entry is None else turn.world.session_entries[entry].scope
    notice = Notice(
        "session/event",
        session=number,
        scope=scope,
        seq=seq,
        type=command.type,
        data=command.data,
    )
    if entry is None:
        turn = with_world(turn, with_session(turn.world, number, grown))
        turn = containing(turn, notice) if turn.design.detached_append == "seen" else turn
        return Answer(turn, Appended(seq))
    return published(turn, number, entry, grown, notice)


def _header(turn: Turn, session: Session, event: Event) -> Header:
    """The header after an event: the same, except in a design that lets events change it."""
    preset = field(event.data, "preset")
    selects = event.type == PRESET_SELECTED and isinstance(preset, Text)
    if turn.design.header_change == "never" or not selects or not isinstance(preset, Text):
        return session.header
    return replace(session.header, agent_preset=preset.value)


def append_fault(turn: Turn, command: Append, entry: int | None) -> Refusal | None:
    """Why an event cannot be appended now (LOG-3, LOG-5)."""
    if not lossless(command.data) and "LOG-3" not in turn.design.unchecked:
        return Refusal("DATA_NOT_JSON", "LOG-3")
    if entry is None:
        refuses = turn.design.detached_append == "refused"
        return Refusal("NOT_LIVE", "LOG-6") if refuses else None
    nested = turn.design.append_in_append == "nested"
    if turn.world.session_entries[entry].appending and not nested:
        return Refusal("APPEND_REENTERED", "LOG-5")
    return None


def published(turn: Turn, number: int, entry: int, grown: Session, notice: Notice) -> Answer:
    """Commit an event to a live session's log and dispatch it (LOG-4, LOG-5, STO-7)."""
    before = turn.world.sessions[number]
    turn = _appending(turn, entry, appending=True)
    early = turn.design.append_seen == "before-commit"
    if not early:
        turn = with_world(turn, with_session(turn.world, number, grown))
    if turn.design.event_failure == "contained":
        turn, failure = containing(turn, notice), None
    else:
        dispatched = stopping(turn, notice)
        turn, failure = dispatched.turn, dispatched.failure
    undone = failure is not None and turn.design.event_failure == "undoes-append"
    if early or undone:
        turn = with_world(turn, with_session(turn.world, number, before if undone else grown))
    turn = pay_detach(_appending(turn, entry, appending=False), entry)
    if undone and failure is not None:
        return refused(turn, failure)
    return Answer(turn, Appended(grown.log[-1].seq))


def _appending(turn: Turn, entry: int, *, appending: bool) -> Turn:
    row = replace(turn.world.session_entries[entry], appending=appending)
    return with_world(turn, with_session_entry(turn.world, entry, row))


def flush(turn: Turn, command: Flush) -> Answer:
    """Ask every durability listener of the exact live entry, and wait for all (STO-12)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    number = session_named(turn, command.session)
    if number is None:
        return refused(turn, UNBOUND)
    turn = bind(turn, command.handle, Pending())
    entry = session_entry_of(turn.world, number)
    if entry is None:
        fault = Refusal("NOT_LIVE", "STO-12")
        return Answer(soon(turn, Settle(command.handle, fault)), Started())
    scope = turn.world.session_entries[entry].scope
    notice = Notice("session/flush", session=number, scope=scope)
    return Answer(_flushing(turn, command.handle, notice), Started())


def _flushing(turn: Turn, operation: str, notice: Notice) -> Turn:
    called = listeners(turn, notice)
    pending = PendingFlush(operation, tuple(FlushSlot(waiting=True) for _ in called))
    turn = with_world(turn, replace(turn.world, flushes=(*turn.world.flushes, pending)))
    for slot, listener in enumerate(called):
        ran = call(turn, listener, notice, ForFlush(operation, slot))
        row = FlushSlot(ran.waits, ran.thrown or ran.late)
        turn = with_slot(ran.turn, operation, slot, row)
    return flush_over(turn, operation)


def inspect(turn: Turn, command: Inspect) -> Answer:
    """Read what a session shows of itself (HDR-7, LOG-1, SEED-3)."""
    number = session_named(turn, command.session)
    if number is None:
        return refused(turn, UNBOUND)
    session = turn.world.sessions[number]
    return Answer(turn, Snapshot(number, session.header, session.log, session.first_live_seq))


def look(turn: Turn, command: Look) -> Answer:
    """Look an id up in both collections, and read who owns the agent (STO-11, REG-9)."""
    world = turn.world
    session = session_entry_with_id(world, command.id)
    agent = agent_entry_with_id(world, command.id)
    row = None if agent is None else world.agent_entries[agent]
    found = Found(
        session=None if session is None else world.session_entries[session].session,
        agent=None if row is None else row.agent,
        owner=None if row is None else row.owner,
        root=row is not None and row.owner is None,
    )
    return Answer(turn, found)


def tamper(turn: Turn, command: Tamper) -> Answer:
    """Try to write to what must not change: nothing comes of it (HDR-7, HDR-8, LOG-2)."""
    number = session_named(turn, command.session)
    if number is None:
        return refused(turn, UNBOUND)
    session = turn.world.sessions[number]
    if command.place in ("meta", "header") and turn.design.header_storage == "callers-object":
        session = replace(session, header=replace(session.header, cwd="/tampered"))
    if command.place in ("seed", "data") and turn.design.log_storage == "callers-object":
        log = tuple(replace(event, data=Text("tampered")) for event in session.log)
        session = replace(session, log=log)
    return Answer(with_world(turn, with_session(turn.world, number, session)), Done())
