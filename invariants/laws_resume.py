"""What a process makes again of what was stored (RES)."""

from collections.abc import Iterator

from invariants.law import HOLDS, Always, AtEveryStep, Law, Taken, Violations
from invariants.laws_storing import spared, streams
from invariants.reading import marks_itself, mentioned, session_name
from model.command import Resume
from model.log import END_SEED, Log
from model.recovery import KNOWN_EVENTS
from model.rows import Session
from model.storage import on_disk, shown_header
from model.stored import StoredLog
from model.world import World


def restored(taken: Taken) -> tuple[tuple[Session, StoredLog], ...]:
    """The sessions that were loaded in this step, each with what was then stored."""
    disk = spared(taken)
    added = taken.after.sessions.rows[len(taken.before.sessions) :]
    pairs = ((session, on_disk(disk, session.id)) for session in added if session.first is not None)
    return tuple((session, log) for session, log in pairs if log is not None)


def header_is_another(taken: Taken) -> Violations:
    """A loaded session that has not the header which was stored (RES-2, HDR-7, HDR-8)."""
    return tuple(
        f"{session.id!r} came back with another header"
        for session, stored in _loaded(taken)
        if session.header != shown_header(stored)
    )


def _loaded(taken: Taken) -> Iterator[tuple[Session, StoredLog]]:
    """The sessions that were made of what was stored, whether they know it or not."""
    disk = spared(taken)
    prepared = () if taken.after.storage is None else taken.after.storage.prepared
    numbers = [each.session for each in prepared if each.session is not None]
    numbers += [each.session for each in streams(taken.after) if each.session not in numbers]
    for number in numbers:
        session = taken.after.sessions[number]
        stored = on_disk(disk, session.id)
        if number >= len(taken.before.sessions) and stored is not None:
            yield session, stored


def _a_session_is_loaded(taken: Taken) -> bool:
    return bool(restored(taken))


def log_is_another(taken: Taken) -> Violations:
    """A loaded session that does not begin with the stored log (RES-3)."""
    return tuple(
        f"{session.id!r} came back with another log"
        for session, stored in restored(taken)
        if session.log[: len(stored.log)] != stored.log
    )


def marked_twice(taken: Taken) -> Violations:
    """A loaded session in which a marker was put behind a marker (RES-3, SEED-5, SEED-8)."""
    if marks_itself(taken):
        return HOLDS
    return tuple(
        f"{session.id!r} was marked behind a marker"
        for session, stored in restored(taken)
        if _ends_in_marker(stored.log) and len(session.log) > len(stored.log)
        if session.log[len(stored.log)].type == END_SEED
    )


def _ends_in_marker(log: Log) -> bool:
    return bool(log) and log[-1].type == END_SEED


def _a_marked_session_is_loaded(taken: Taken) -> bool:
    return any(_ends_in_marker(stored.log) for _, stored in restored(taken))


def turn_is_open(taken: Taken) -> Violations:
    """A session that was loaded with its last turn open (RES-4)."""
    return tuple(
        f"{session.id!r} was loaded within a turn"
        for session, stored in restored(taken)
        if _is_open(session.log[: session.first_live_seq])
    )


def _is_open(log: Log) -> bool:
    turns = [event.type for event in log if event.type in ("turn/start", "turn/end")]
    return bool(turns) and turns[-1] == "turn/start"


def _an_open_turn_is_loaded(taken: Taken) -> bool:
    return any(_is_open(stored.log) for _, stored in restored(taken))


def unknown_is_loaded(taken: Taken) -> Violations:
    """A session that was loaded with an event of a type that nobody knows (RES-1)."""
    return tuple(
        f"{session.id!r} was loaded with what nobody knows"
        for session, stored in restored(taken)
        if any(event.type not in KNOWN_EVENTS and not event.ignorable for event in stored.log)
        or stored.fault is not None
    )


def shared(world: World) -> Violations:
    """A loaded session around which two agents are being made (RES-5)."""
    made = [
        world.agents[row.agent].session
        for row in world.transactions.rows
        if row.resumes and row.stage != "gone"
    ]
    return tuple(
        f"{session_name(world, number)} is resumed twice"
        for number in sorted(set(made))
        if made.count(number) > 1
    )


def _a_resume_is_under_way(world: World) -> bool:
    return any(row.resumes and row.stage != "gone" for row in world.transactions.rows)


def rival_is_live(world: World) -> Violations:
    """A reserved session of whose id another one was announced (RES-5, RES-7)."""
    prepared = () if world.storage is None else world.storage.prepared
    return tuple(
        f"{each.id!r} is reserved, and another session of that id is announced"
        for each in prepared
        if each.phase == "reserved"
        and any(_is_rival(world, entry, each.id, each.session) for entry in world.store)
    )


def _is_rival(world: World, entry: int, name: str, session: int | None) -> bool:
    row = world.session_entries[entry]
    return row.announced and row.session != session and world.sessions[row.session].id == name


def _a_session_is_reserved(world: World) -> bool:
    prepared = () if world.storage is None else world.storage.prepared
    return any(each.phase == "reserved" for each in prepared)


def late_is_published(taken: Taken) -> Violations:
    """A load that was given up, and around whose session an agent is made all the same (RES-6)."""
    given_up = {row.operation for row in taken.before.loads.rows if row.aborted is not None}
    given_up -= {row.operation for row in taken.before.loads.rows if row.aborted is None}
    given_up -= {each.handle for each in mentioned(taken) if isinstance(each, Resume)}
    made = taken.after.transactions.rows[len(taken.before.transactions) :]
    return tuple(
        f"{row.operation} was given up, and an agent is made for it"
        for row in made
        if row.resumes and row.operation in given_up
    )


def _a_load_was_given_up(taken: Taken) -> bool:
    return any(row.aborted is not None for row in taken.before.loads.rows)


RESUMES = (
    Law(
        "a session comes back with the header that was stored",
        ("RES-2",),
        AtEveryStep(header_is_another, _a_session_is_loaded),
    ),
    Law(
        "a session comes back with the log that was stored",
        ("RES-3",),
        AtEveryStep(log_is_another, _a_session_is_loaded),
    ),
    Law(
        "a loaded marker gets no other",
        ("RES-3", "SEED-5"),
        AtEveryStep(marked_twice, _a_marked_session_is_loaded),
    ),
    Law(
        "no session is loaded within a turn",
        ("RES-4",),
        AtEveryStep(turn_is_open, _an_open_turn_is_loaded),
    ),
    Law(
        "what nobody knows is not loaded",
        ("RES-1",),
        AtEveryStep(unknown_is_loaded, _a_session_is_loaded),
    ),
    Law(
        "a loaded session is one resume's",
        ("RES-5",),
        Always(shared, _a_resume_is_under_way),
    ),
    Law(
        "a reserved session has no announced rival",
        ("RES-5", "RES-7"),
        Always(rival_is_live, _a_session_is_reserved),
    ),
    Law(
        "a load that was given up is not published",
        ("RES-6",),
        AtEveryStep(late_is_published, _a_load_was_given_up),
    ),
)
