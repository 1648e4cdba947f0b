"""Resuming: a transaction whose session is a stored one (RES)."""

from dataclasses import replace

from model.command import Resume
from model.loads import ended, over, with_load
from model.log import boundary
from model.observation import Made, Started
from model.owner import asked_through, factory_fault, owner_fault, owns
from model.prepare import restored
from model.recovery import closers, load_fault
from model.referents import Pending
from model.refusal import Refusal
from model.rows import LoadEffect
from model.script import error
from model.storage import (
    UNSTORABLE,
    forgotten,
    given_back,
    made_ready,
    memory,
    on_disk,
    on_disk_now,
    prepared_with,
    shown_header,
    with_prepared,
)
from model.stored import Loading, Prepared, StoredLog
from model.transaction import begun, no_factory, set_up
from model.turn import (
    Answer,
    Arrive,
    Await,
    Fetch,
    Find,
    Settle,
    Turn,
    bind,
    refused,
    soon,
    with_world,
)
from model.world import session_entry_with_id, with_transaction


def resume(turn: Turn, command: Resume) -> Answer:
    """Start to load a stored session for an agent around it (RES-1)."""
    owner = asked_through(turn, command.handle, command.owner)
    if isinstance(owner, Refusal):
        return refused(turn, owner)
    turn = bind(turn, command.handle, Pending(creation=True))
    fault = resume_fault(turn, owner)
    if fault is not None:
        return Answer(soon(turn, Settle(command.handle, fault)), Started())
    if command.aborted is not None:
        return Answer(soon(turn, Settle(command.handle, error(command.aborted))), Started())
    number = len(turn.world.loads)
    factory = turn.world.slot or 0
    row = Loading(command.handle, command.id, owner, factory, command.setup, command.gate)
    turn = with_world(turn, replace(turn.world, loads=turn.world.loads.add(row)))
    turn = owns(turn, owner, LoadEffect(number))
    return Answer(soon(turn, Find(number)), Started())


def resume_fault(turn: Turn, owner: int | None) -> Refusal | None:
    """Why nothing can be loaded: no factory, no persistence, no owner (RES-1, OWN-5)."""
    missing = no_factory(turn, owner)
    if missing is not None:
        return missing
    if turn.world.storage is None:
        inactive = owner_fault(turn, owner)
        also = frozenset() if inactive is None else frozenset((inactive.code,))
        return Refusal("NO_PERSISTENCE", "RES-1", also=also)
    return owner_fault(turn, owner) or factory_fault(turn)


def find(turn: Turn, number: int) -> Turn:
    """Look for a load's session among those prepared, and else on the disk (RES-5, RES-7)."""
    load = turn.world.loads[number]
    if load.aborted is not None:
        return turn
    retiring = any(
        stream.retiring and turn.world.sessions[stream.session].id == load.id
        for stream in memory(turn).streams
    )
    if retiring:
        return soon(turn, Await(load.id, number))
    if refused_as_live(turn, load.id):
        return failed(turn, number, Refusal("STILL_LIVE", "RES-7"))
    entry = prepared_with(turn, load.id)
    match entry:
        case None:
            turn = with_prepared(turn, Prepared(load.id))
        case Prepared(phase="ready"):
            turn = with_prepared(turn, replace(entry, phase="committing"))
        case Prepared(phase="reserved") if turn.design.reservation == "shared":
            return soon(turn, Arrive(number))
        case Prepared(phase="committing" | "reserved"):
            return with_load(turn, number, replace(load, stage="waiting"))
        case _:
            pass
    return soon(turn, Fetch(load.id, number))


def fetch(turn: Turn, task: Fetch) -> Turn:
    """Load a session, and reserve it for the load that asked first (RES-1, RES-4, RES-5)."""
    load = turn.world.loads[task.load]
    entry = prepared_with(turn, task.id)
    if entry is None:
        return find(turn, task.load)
    if entry.phase == "loading":
        return fetched(turn, task, entry)
    if load.aborted is not None:
        return forgotten(turn, task.id) if entry.phase == "committing" else turn
    if entry.phase == "reserved" and turn.design.reservation == "exclusive":
        return with_load(turn, task.load, replace(load, stage="waiting"))
    return reserved(turn, task.load, entry)


def fetched(turn: Turn, task: Fetch, entry: Prepared) -> Turn:
    """Read the disk, and prepare the session that it holds (RES-4)."""
    found = on_disk(turn.world.disk, task.id)
    fault = stored_fault(turn, task.id, found)
    if found is None or fault is not None:
        return failed(forgotten(turn, task.id), task.load, fault or NOT_STORED)
    added = closers(found.log, turn.design)
    balanced = (*found.log, *added)
    cut = turn.design.restored_log == "up-to-boundary" and boundary(balanced) is not None
    loaded = balanced[: (boundary(balanced) or 0) + 1] if cut else balanced
    turn, session = restored(turn, shown_header(found), loaded, found.by)
    length = len(turn.world.sessions[session].log)
    entry = replace(entry, session=session, length=length)
    if turn.world.loads[task.load].aborted is not None:
        return made_ready(turn, entry)
    turn = reserved(turn, task.load, entry)
    mended = replace(found, log=balanced, torn=False)
    owned = still_owned(turn, task.id)
    return turn if owned or mended == found else on_disk_now(turn, mended)


NOT_STORED = Refusal("NOT_STORED", "RES-1")
NEWER = Refusal("UNSUPPORTED", "RES-1")


def stored_fault(turn: Turn, session_id: str, found: StoredLog | None) -> Refusal | None:
    """Why what is stored cannot be loaded (RES-1)."""
    if session_id == "" and turn.world.disk:
        return UNSTORABLE
    if found is None:
        return NOT_STORED
    spoilt = found.fault
    if turn.design.other_versions == "accepted" and spoilt == NEWER:
        spoilt = None
    fault = spoilt or load_fault(found.log, turn.design)
    if fault is None and refused_as_live(turn, session_id):
        return Refusal("UNREADABLE", "RES-7")
    return fault


def reserved(turn: Turn, number: int, entry: Prepared) -> Turn:
    """Give a load its session, which is nobody else's until it is given back (RES-5, RES-7)."""
    load = turn.world.loads[number]
    if still_owned(turn, entry.id):
        return failed(forgotten(turn, entry.id), number, Refusal("STILL_OWNED", "RES-7"))
    if refused_as_live(turn, entry.id):
        return failed(forgotten(turn, entry.id), number, Refusal("STILL_LIVE", "RES-7"))
    turn = with_prepared(turn, replace(entry, phase="reserved"))
    if load.gate is not None and load.gate not in turn.world.gates:
        return with_load(turn, number, replace(load, stage="held"))
    return soon(turn, Arrive(number))


def refused_as_live(turn: Turn, session_id: str) -> bool:
    """Whether an id cannot be loaded because it is live (RES-7)."""
    live = session_entry_with_id(turn.world, session_id) is not None
    return live and turn.design.resume_of_live == "refused"


def still_owned(turn: Turn, session_id: str) -> bool:
    """Whether the persistence still stores a session of that id, live or not (RES-7)."""
    if turn.design.resume_of_live == "loaded":
        return False
    return any(
        stream.begun and stream.failure is None
        for stream in memory(turn).streams
        if turn.world.sessions[stream.session].id == session_id
    )


def arrive(turn: Turn, number: int) -> Turn:
    """Make an agent around a loaded session, or give it back where nobody waits for it (RES-6)."""
    load = turn.world.loads[number]
    entry = prepared_with(turn, load.id)
    session = None if entry is None else entry.session
    if session is None:
        return turn
    setup, turn = load.setup, over(turn, number)
    if load.aborted is not None and turn.design.late_load == "given-back":
        return given_back(turn, load.id, session)
    turn, transaction = begun(turn, Made(session, load.id), load.operation, load.owner)
    row = replace(turn.world.transactions[transaction], resumes=True, start=load.start)
    turn = with_world(turn, with_transaction(turn.world, transaction, row))
    return set_up(turn, transaction, setup)


def failed(turn: Turn, number: int, fault: Refusal) -> Turn:
    """Settle a load that found nothing, unless it has been given up before."""
    load = turn.world.loads[number]
    if load.aborted is not None:
        return turn
    return ended(over(turn, number), load, fault)
