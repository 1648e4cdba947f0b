"""Making sessions: construct, and the store's prepare (STO-1, STO-10, SEED, HDR)."""

from dataclasses import replace

from model import header as headers
from model import log as logs
from model.observation import Made
from model.referents import SessionRef
from model.refusal import Refusal, unordered
from model.rows import Session
from model.session_command import Construct, Prepare
from model.turn import Answer, Turn, bind, handle_fault, refused, with_world
from model.values import UNDEFINED, Record, Value
from model.world import session_entry_with_id

Seed = tuple[Value, ...] | None


def construct(turn: Turn, command: Construct) -> Answer:
    """Construct a session outside any store (SEED-1 to 6, HDR-2 to 7)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    absent = command.header in (None, UNDEFINED)
    given = headers.candidate(command.id, None) if absent else command.header or UNDEFINED
    faults = session_faults(turn, command.id, command.seed, given, stamped=absent)
    if faults:
        return refused(turn, unordered(faults))
    turn, number = built(turn, command.id, command.seed, given)
    return made(turn, command.handle, number)


def prepare(turn: Turn, command: Prepare) -> Answer:
    """Validate and construct a session; publish nothing, reserve nothing (STO-1)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    answer = prepared(turn, command.id, command.seed, command.meta)
    if isinstance(answer.outcome, Made):
        return made(answer.turn, command.handle, answer.outcome.session)
    return answer


def prepared(
    turn: Turn,
    given_id: str | None,
    seed: Seed,
    meta: Value | None,
    inactive: Refusal | None = None,
) -> Answer:
    """The store's prepare: mint an id if none is given, check it, construct (STO-1, STO-10).

    `inactive` is a fault of the owner for whom it is done: no clause orders it among the others.
    """
    turn, session_id = (turn, given_id) if given_id is not None else minted(turn)
    if turn.design.header_on_create == "every-key" and isinstance(meta, Record):
        candidate = headers.with_every_key(session_id, meta)
    else:
        candidate = headers.candidate(session_id, meta)
    faults = session_faults(turn, session_id, seed, candidate, stamped=True)
    if id_taken(turn, session_id) and turn.design.prepare_checks == "live-id":
        faults = (Refusal("ID_TAKEN", "STO-1"), *faults)
    if inactive is not None:
        faults = (*faults, inactive)
    if faults:
        return refused(turn, unordered(faults))
    turn, number = built(turn, session_id, seed, candidate)
    if turn.design.sessions.collision == "at-prepare":
        turn = reserve(turn, session_id)
    return Answer(turn, Made(number, session_id))


def id_taken(turn: Turn, session_id: str) -> bool:
    """Whether the store refuses to prepare an id: it is live now, or held back (STO-1)."""
    live = session_entry_with_id(turn.world, session_id) is not None
    return live or session_id in turn.world.reserved


def reserve(turn: Turn, session_id: str) -> Turn:
    """Hold an id back, as only other designs do (STO-1, RBK-5)."""
    reserved = tuple(sorted({*turn.world.reserved, session_id}))
    return with_world(turn, replace(turn.world, reserved=reserved))


def minted(turn: Turn) -> tuple[Turn, str]:
    """Mint the next id that is not live (STO-10)."""
    count = turn.world.minted + 1
    while turn.design.mint == "skips-live" and id_taken(turn, f"session-{count}"):
        count += 1
    return with_world(turn, replace(turn.world, minted=count)), f"session-{count}"


def session_faults(
    turn: Turn,
    session_id: str,
    seed: Seed,
    header: Value,
    *,
    stamped: bool,
) -> tuple[Refusal, ...]:
    """Every reason not to construct a session (SEED-1, HDR-2 to 6, HDR-10).

    `stamped` says that the store fills in a `createdAt` that is not there.
    """
    unchecked = turn.design.unchecked
    return (
        *logs.seed_faults(seed or (), turn.design),
        *headers.faults(session_id, header, stamped=stamped, unchecked=unchecked),
    )


def built(turn: Turn, session_id: str, seed: Seed, header: Value) -> tuple[Turn, int]:
    """Add the session that a seed and a header without faults make (SEED-2, SEED-3)."""
    log = None if seed is None else logs.adopted(seed)
    accepted = headers.accepted(session_id, header)
    if turn.design.header_fields == "without-lineage":
        accepted = headers.without_lineage(accepted)
    session = Session(
        header=accepted,
        log=logs.constructed(log, turn.design),
        first_live_seq=logs.first_live_seq(log, turn.design),
    )
    sessions = turn.world.sessions
    return with_world(turn, replace(turn.world, sessions=sessions.add(session))), len(sessions)


def restored(turn: Turn, header: headers.Header, log: logs.Log, first: int) -> tuple[Turn, int]:
    """Add the session that a stored header and log make (RES-2, RES-3)."""
    anew = turn.design.restored_header == "made-anew"
    session = Session(
        header=headers.Header(header.id) if anew else header,
        log=logs.reconstructed(log, turn.design),
        first_live_seq=logs.first_live_seq(log, turn.design),
        first=None if anew else first,
    )
    sessions = turn.world.sessions
    return with_world(turn, replace(turn.world, sessions=sessions.add(session))), len(sessions)


def made(turn: Turn, handle: str, number: int) -> Answer:
    """Give the caller a session that was made for it."""
    session = turn.world.sessions[number]
    return Answer(bind(turn, handle, SessionRef(number)), Made(number, session.id))
