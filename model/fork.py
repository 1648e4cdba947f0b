"""Fork: a live child from a prefix of a live source (FORK)."""

from dataclasses import replace

from model import log as logs
from model.design import Design
from model.header import Header
from model.log import Event, Log
from model.prepare import minted
from model.refusal import Code, Refusal
from model.rows import Session
from model.session_command import Fork
from model.sessions import created
from model.turn import UNBOUND, Answer, Turn, handle_fault, refused, session_named, with_world
from model.values import Hostile, Integer, Value
from model.world import session_entry_of, session_entry_with_id, with_session

TURN_START = "turn/start"
TURN_END = "turn/end"


def fork(turn: Turn, command: Fork) -> Answer:
    """Make a child from a source's prefix, with the source's lineage and cwd (FORK-1 to 4)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    named = None if command.source is None else session_named(turn, command.source)
    if command.source is not None and named is None:
        return refused(turn, UNBOUND)
    source = source_of(turn, command, named)
    if isinstance(source, Refusal):
        return refused(turn, source)
    parent = turn.world.sessions[source]
    prefix = prefix_through(parent.log, command.boundary, turn.design)
    if isinstance(prefix, Refusal):
        return refused(turn, prefix)
    turn, child_id = (turn, command.id) if command.id is not None else minted(turn)
    child = child_of(parent, child_id, prefix, turn)
    number = len(turn.world.sessions)
    world = replace(turn.world, sessions=turn.world.sessions.add(child))
    if turn.design.fork_source == "marked":
        marker = Event(len(parent.log), logs.END_SEED)
        world = with_session(world, source, replace(parent, log=(*parent.log, marker)))
    return created(with_world(turn, world), command.handle, number, owner=None)


def source_of(turn: Turn, command: Fork, named: int | None) -> int | Refusal:
    """The live session to fork, or why there is none, in the order of the refusals (FORK-1)."""
    world = turn.world
    taken = command.id is not None and session_entry_with_id(world, command.id) is not None
    if taken and turn.design.fork_refusals == "id-first":
        return _refusal("SESSION_ALREADY_EXISTS")
    source_id = (command.source_id or "") if named is None else world.sessions[named].id
    entry = session_entry_with_id(world, source_id)
    if entry is None:
        return _refusal("SESSION_NOT_FOUND")
    if named is not None and session_entry_of(world, named) is None:
        return _refusal("SESSION_NOT_LIVE")
    if taken:
        return _refusal("SESSION_ALREADY_EXISTS")
    return world.session_entries[entry].session


def prefix_through(log: Log, boundary: Value | None, design: Design) -> Log | Refusal:
    """The part of a log that a child inherits, or what is wrong with the boundary (FORK-2)."""
    end = boundary_seq(log, boundary)
    if end is None:
        return _refusal("INVALID_BOUNDARY")
    prefix = log[: end + 1 if design.fork_boundary == "inclusive" else max(end, 0)]
    turns = [event for event in prefix if event.type in (TURN_START, TURN_END)]
    if turns and turns[-1].type == TURN_START and design.fork_open_turn == "refused":
        return _refusal("OPEN_TURN")
    return prefix


def boundary_seq(log: Log, boundary: Value | None) -> int | None:
    """The seq that a boundary means, -1 for nothing of an empty log, None if it means none."""
    match boundary:
        case None | Hostile("undefined"):
            return len(log) - 1
        case Hostile("negative-zero"):
            return 0 if log else None
        case Integer(seq) if 0 <= seq < len(log):
            return seq
        case _:
            return None


def child_of(parent: Session, child_id: str, prefix: Log, turn: Turn) -> Session:
    """The child: its lineage and cwd are the parent's, nothing else of the header (FORK-3)."""
    header = Header(
        id=child_id,
        cwd=parent.header.cwd,
        parent_session=parent.id,
        seed_length=len(prefix),
    )
    if turn.design.fork_inherits == "cwd-preset-depth":
        depth = parent.header.delegation_depth
        preset = parent.header.agent_preset
        header = replace(header, agent_preset=preset, delegation_depth=depth)
    return Session(
        header=header,
        log=logs.forked(prefix, turn.design),
        first_live_seq=logs.first_live_seq(prefix, turn.design),
    )


def _refusal(code: Code) -> Refusal:
    clause = "FORK-2" if code == "INVALID_BOUNDARY" else "FORK-1"
    return Refusal(code, clause)
