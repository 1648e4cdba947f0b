"""Storing what sessions do: what the persistence hears, and what the disk does for it (RES-8).

The persistence is the first of DSH's own listeners, behind `watch` and before the client's. What it
asks of the disk is done once nothing else is ready, for each id in the order of asking.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar, assert_never

from model.command import EventName
from model.design import Design
from model.header import Header
from model.log import Event, Log
from model.recovery import load_fault
from model.refusal import Refusal
from model.rows import FlushSlot, ForFlush, Session
from model.script import flush_slot_over
from model.stored import OTHERWISE, Disk, Prepared, Storage, StoredLog, Stream
from model.turn import Find, Flushing, Retire, Store, Turn, soon, with_world

Row = TypeVar("Row")

UNSTORABLE = Refusal("UNSTORABLE", "RES-8")
"""The empty id names no place on the disk."""

KEPT_READY = 5
"""Loaded sessions that are kept for the next resume; the one unused for longest goes first."""


def memory(turn: Turn) -> Storage:
    """The memory of the process's persistence."""
    return turn.world.storage or Storage()


def with_memory(turn: Turn, storage: Storage) -> Turn:
    """The turn with another memory of the persistence."""
    return with_world(turn, replace(turn.world, storage=storage))


def stream_of(turn: Turn, session: int) -> Stream | None:
    """The storing of a session, if it has begun and is not over."""
    return next((each for each in memory(turn).streams if each.session == session), None)


def with_stream(turn: Turn, stream: Stream) -> Turn:
    """The turn with one session's storing replaced, or begun."""
    storage = memory(turn)
    return with_memory(turn, replace(storage, streams=placed(storage.streams, stream, _session)))


def prepared_with(turn: Turn, session_id: str) -> Prepared | None:
    """The loaded session of an id that is not published, if there is one."""
    return next((each for each in memory(turn).prepared if each.id == session_id), None)


def with_prepared(turn: Turn, entry: Prepared) -> Turn:
    """The turn with an id's loaded session replaced, or noted."""
    storage = memory(turn)
    return with_memory(turn, replace(storage, prepared=placed(storage.prepared, entry, _name)))


def placed(rows: tuple[Row, ...], row: Row, key: Callable[[Row], int | str]) -> tuple[Row, ...]:
    """The rows with the one of the same key replaced, or with this one at the end."""
    known = any(key(each) == key(row) for each in rows)
    rest = tuple(row if key(each) == key(row) else each for each in rows)
    return rest if known else (*rest, row)


def _session(stream: Stream) -> int:
    return stream.session


def _name(entry: Prepared) -> str:
    return entry.id


def forgotten(turn: Turn, session_id: str) -> Turn:
    """The turn in which an id has no loaded session; who waits for one looks again (RES-5)."""
    storage = memory(turn)
    rows = tuple(each for each in storage.prepared if each.id != session_id)
    return woken(with_memory(turn, replace(storage, prepared=rows)), session_id)


def made_ready(turn: Turn, entry: Prepared) -> Turn:
    """Keep a loaded session for the next resume; of too many the one unused for longest goes."""
    storage = memory(turn)
    others = tuple(each for each in storage.prepared if each.id != entry.id)
    rows = (*others, replace(entry, phase="ready"))
    ready = tuple(each for each in rows if each.phase == "ready")
    if len(ready) > KEPT_READY:
        rows = tuple(each for each in rows if each is not ready[0])
    return woken(with_memory(turn, replace(storage, prepared=rows)), entry.id)


def woken(turn: Turn, session_id: str) -> Turn:
    """Let the loads that wait for an id look again."""
    for number, load in enumerate(turn.world.loads.rows):
        if load.id == session_id and load.stage == "waiting":
            loads = turn.world.loads.put(number, replace(load, stage="loading"))
            turn = soon(with_world(turn, replace(turn.world, loads=loads)), Find(number))
    return turn


def given_back(turn: Turn, session_id: str, session: int) -> Turn:
    """Give back a loaded session: the next resume gets it, unless it has grown (RES-5)."""
    entry = prepared_with(turn, session_id)
    if entry is None or entry.phase != "reserved" or entry.session != session:
        return turn
    grew = len(turn.world.sessions[session].log) != entry.length
    return forgotten(turn, session_id) if grew else made_ready(turn, entry)


def noticed(turn: Turn, event: EventName, session: int) -> tuple[Turn, Refusal | None]:
    """Let the persistence hear an event; it vetoes the rival of a loaded session (RES-5)."""
    match event:
        case "session/created":
            return followed(turn, session)
        case "session/event":
            turn, fault = followed(turn, session)
            return (turn, fault) if fault is not None else (grown(turn, session), None)
        case "session/disposed":
            return retiring(turn, session), None
        case _:
            return turn, None


def followed(turn: Turn, session: int) -> tuple[Turn, Refusal | None]:
    """Begin to store a session; a loaded one goes on where its stored log ends (RES-5, RES-8)."""
    if stream_of(turn, session) is not None:
        return turn, None
    row = turn.world.sessions[session]
    entry = prepared_with(turn, row.id)
    length = len(row.log)
    if entry is None:
        turn = with_stream(turn, Stream(session, seed=length, target=length))
        return soon(turn, Store(row.id, session, "begin")), None
    if entry.phase != "reserved" or entry.session != session:
        return turn, Refusal("RESERVED", "RES-5")
    stream = Stream(session, target=length, begun=True, written=True)
    turn = forgotten(with_stream(turn, stream), row.id)
    if turn.design.publication_stores == "nothing":
        return turn, None
    return soon(turn, Store(row.id, session, "write")), None


def grown(turn: Turn, session: int) -> Turn:
    """Have a session's new event stored, unless one before it went by unseen (RES-8)."""
    stream = stream_of(turn, session)
    if stream is None:
        return turn
    row = turn.world.sessions[session]
    gap = stream.gap or len(row.log) > stream.target + 1
    target = stream.target if gap else len(row.log)
    turn = with_stream(turn, replace(stream, target=target, gap=gap))
    task = Store(row.id, session, "write")
    return turn if task in turn.ready else soon(turn, task)


def retiring(turn: Turn, session: int) -> Turn:
    """Have the rest of a disposed session stored; resumes of its id wait for it (RES-7)."""
    stream = stream_of(turn, session)
    if stream is None:
        return turn
    return soon(with_stream(turn, replace(stream, retiring=True)), Retire(session))


def retire(turn: Turn, session: int) -> Turn:
    """Ask the disk for a retirement, behind what it was asked in the turn of the disposal."""
    return soon(turn, Store(turn.world.sessions[session].id, session, "retire"))


def store(turn: Turn, task: Store) -> Turn:
    """Do what the disk was asked for a session (RES-8)."""
    stream = stream_of(turn, task.session)
    if stream is None:
        return turn
    match task.does:
        case "begin":
            return begun(turn, stream)
        case "write":
            return written(turn, stream)
        case "flush":
            turn = written(turn, stream)
            stored = stream_of(turn, task.session) or stream
            return flush_slot_over(turn, task.operation, task.slot, stored.fault)
        case "retire":
            return retired(turn, stream)
        case _:
            assert_never(task.does)


def retired(turn: Turn, stream: Stream) -> Turn:
    """Store the rest of a disposed session; one that cannot be stored is never let go (RES-7)."""
    turn = written(turn, stream)
    stream = stream_of(turn, stream.session) or stream
    if stream.fault is not None:
        return with_stream(turn, replace(stream, retiring=False))
    storage = memory(turn)
    rest = tuple(each for each in storage.streams if each.session != stream.session)
    return with_memory(turn, replace(storage, streams=rest))


def begun(turn: Turn, stream: Stream) -> Turn:
    """Ask whether a session is the one on the disk, and store what it began with (RES-8)."""
    failure = begin_fault(turn, stream)
    if failure == OTHERWISE and turn.design.stored_otherwise == "overwritten":
        name = turn.world.sessions[stream.session].id
        others = tuple(row for row in turn.world.disk if row[0] != name)
        turn, failure = with_world(turn, replace(turn.world, disk=others)), None
    stream = replace(stream, begun=True, failure=failure)
    turn = with_stream(turn, stream)
    if failure is not None:
        return turn
    found = on_disk(turn.world.disk, turn.world.sessions[stream.session].id)
    if found is not None:
        stream = replace(stream, written=True)
        turn = on_disk_now(with_stream(turn, stream), replace(found, torn=False))
    return upto(turn, stream, stream.seed)


def begin_fault(turn: Turn, stream: Stream) -> Refusal | None:
    """Why the disk does not take a session: its id is another's (RES-8)."""
    row = turn.world.sessions[stream.session]
    if row.id == "" and (turn.world.disk or stream.seed):
        return UNSTORABLE
    for other in memory(turn).streams:
        if other.session == stream.session or turn.world.sessions[other.session].id != row.id:
            continue
        busy = other.written or other.target > 0 or other.gap
        if other.begun and other.failure is None and busy:
            return OTHERWISE
    found = on_disk(turn.world.disk, row.id)
    if found is None:
        return None if prepared_with(turn, row.id) is None else OTHERWISE
    return prefix_fault(found, row, row.log[: stream.seed], turn.design)


def prefix_fault(found: StoredLog, row: Session, seed: Log, design: Design) -> Refusal | None:
    """Why a stored log is not the beginning of a session's."""
    if found.fault is not None and found.fault.code == "UNREADABLE":
        return found.fault
    if found.header.cwd != row.header.cwd:
        return OTHERWISE
    fault = found.fault or load_fault(found.log, design)
    if fault is not None:
        return fault
    begins = len(found.log) <= len(seed) and all(map(_same, found.log, seed))
    return None if begins else OTHERWISE


def _same(stored: Event, given: Event) -> bool:
    """Whether two events are the same; two stamped ones are only where they are one."""
    return stored is given or (stored == given and stored.time is not None)


def written(turn: Turn, stream: Stream) -> Turn:
    """Store a session's events as far as they have been seen."""
    return turn if stream.fault is not None else upto(turn, stream, stream.target)


def upto(turn: Turn, stream: Stream, length: int) -> Turn:
    """Store a session's first events; a log without events is not stored at all (RES-8)."""
    row = turn.world.sessions[stream.session]
    found = on_disk(turn.world.disk, row.id)
    if length <= (0 if found is None else len(found.log)):
        return turn
    if row.id == "":
        return with_stream(turn, replace(stream, failure=UNSTORABLE))
    header = row.header if found is None else found.header
    by = row.first if row.first is not None else stream.session
    turn = with_stream(turn, replace(stream, written=True))
    turn = on_disk_now(turn, StoredLog(header, row.log[:length], by=by))
    return forgotten(turn, row.id)


def on_disk(disk: Disk, session_id: str) -> StoredLog | None:
    """What is stored under an id."""
    return next((log for name, log in disk if name == session_id), None)


def on_disk_now(turn: Turn, log: StoredLog) -> Turn:
    """The turn in which this is stored."""
    others = (row for row in turn.world.disk if row[0] != log.header.id)
    disk = tuple(sorted((*others, (log.header.id, log)), key=_id))
    return with_world(turn, replace(turn.world, disk=disk))


def _id(row: tuple[str, StoredLog]) -> str:
    return row[0]


def shown_header(log: StoredLog) -> Header:
    """The header as it is stored: a depth of 0 for none, no unknown keys (RES-2)."""
    depth = log.header.delegation_depth
    return replace(log.header, delegation_depth=0 if depth is None else depth, extra=())


def flushing(turn: Turn, session: int, slot: ForFlush) -> tuple[Turn, FlushSlot]:
    """Let the persistence take part in a flush: over once the session is stored (STO-12, RES-8)."""
    turn, fault = followed(turn, session)
    if fault is not None:
        return turn, FlushSlot(failure=fault)
    return soon(turn, Flushing(session, slot.operation, slot.slot)), FlushSlot(waiting=True)


def flush(turn: Turn, task: Flushing) -> Turn:
    """Ask the disk on behalf of a flush, if a session has anything that is not stored (RES-8)."""
    stream = stream_of(turn, task.session)
    asked = any(isinstance(each, Store) and each.session == task.session for each in turn.ready)
    if stream is None or (stream.begun and not asked):
        failure = None if stream is None else stream.fault
        return flush_slot_over(turn, task.operation, task.slot, failure)
    name = turn.world.sessions[task.session].id
    return soon(turn, Store(name, task.session, "flush", task.operation, task.slot))
