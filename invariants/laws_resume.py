"""What outlives a process: what is stored, and what is made of it again (RES)."""

from collections.abc import Iterator
from itertools import pairwise

from invariants.law import HOLDS, Always, AtEveryStep, Law, Taken, Violations
from invariants.reading import marks_itself, mentioned, session_name
from model.command import Boot, Resume
from model.log import END_SEED, Event, Log
from model.observation import Flushed, Settled
from model.recovery import INTERRUPTED, KNOWN_EVENTS
from model.rows import Session
from model.storage import on_disk, shown_header
from model.stored import Disk, StoredLog, Stream
from model.values import field
from model.world import World, session_entry_of


def streams(world: World) -> tuple[Stream, ...]:
    """What the persistence stores now: the sessions that are the ones on the disk."""
    kept = () if world.storage is None else world.storage.streams
    return tuple(each for each in kept if each.begun and each.failure is None)


def restored(taken: Taken) -> tuple[tuple[Session, StoredLog], ...]:
    """The sessions that were loaded in this step, each with what was then stored."""
    disk = _spared(taken)
    added = taken.after.sessions.rows[len(taken.before.sessions) :]
    pairs = ((session, on_disk(disk, session.id)) for session in added if session.first is not None)
    return tuple((session, log) for session, log in pairs if log is not None)


def _spared(taken: Taken) -> Disk:
    """The disk before the step, without the logs to which something may have been done."""
    boots = (each for each in mentioned(taken) if isinstance(each, Boot))
    damaged = {damage.id for boot in boots for damage in boot.damage}
    return tuple(row for row in taken.before.disk if row[0] not in damaged)


def stored_is_no_log(world: World) -> Violations:
    """A stored log whose seqs do not count from 0 (LOG-1, RES-8)."""
    return tuple(
        f"what is stored of {name!r} has a gap or a repeat"
        for name, stored in world.disk
        if any(event.seq != place for place, event in enumerate(stored.log))
    )


def _something_is_stored(world: World) -> bool:
    return bool(world.disk)


def lost(taken: Taken) -> Violations:
    """A log that was stored, and is not the beginning of what is stored now (RES-8, LOG-2)."""
    return tuple(
        f"what was stored of {name!r} is not what it was"
        for name, stored in _spared(taken)
        if not _goes_on(stored, on_disk(taken.after.disk, name))
    )


def _goes_on(stored: StoredLog, after: StoredLog | None) -> bool:
    return after is not None and after.log[: len(stored.log)] == stored.log


def _something_was_stored(taken: Taken) -> bool:
    return bool(_spared(taken))


def header_is_another(taken: Taken) -> Violations:
    """A loaded session that has not the header which was stored (RES-2, HDR-7, HDR-8)."""
    return tuple(
        f"{session.id!r} came back with another header"
        for session, stored in _loaded(taken)
        if session.header != shown_header(stored)
    )


def _loaded(taken: Taken) -> Iterator[tuple[Session, StoredLog]]:
    """The sessions that were made of what was stored, whether they know it or not."""
    disk = _spared(taken)
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


def closed_twice(world: World) -> Violations:
    """A stored log in which one turn was closed as interrupted twice (RES-4)."""
    return tuple(
        f"what is stored of {name!r} closes a turn that is closed"
        for name, stored in world.disk
        if _closes_twice(stored.log)
    )


def _closes_twice(log: Log) -> bool:
    turns = [each for each in log if each.type == "turn/start" or _interrupts(each)]
    return any(_interrupts(one) and _interrupts(other) for one, other in pairwise(turns))


def _interrupts(event: Event) -> bool:
    return event.type == "turn/end" and field(event.data, "reason") == INTERRUPTED


def _an_interruption_is_stored(world: World) -> bool:
    return any(_interrupts(event) for _, stored in world.disk for event in stored.log)


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


def behind(world: World) -> Violations:
    """A live session that is stored, and not as far as it has got (RES-8)."""
    return tuple(
        f"of {session_name(world, each.session)} not all is stored"
        for each in streams(world)
        if session_entry_of(world, each.session) is not None
        and _stored_length(world, each.session) < len(world.sessions[each.session].log)
    )


def _stored_length(world: World, session: int) -> int:
    found = on_disk(world.disk, world.sessions[session].id)
    return 0 if found is None else len(found.log)


def _a_session_is_stored(world: World) -> bool:
    return bool(streams(world))


def two_are_stored(world: World) -> Violations:
    """Two sessions that are stored under one id (RES-7, RES-8)."""
    names = [world.sessions[each.session].id for each in streams(world)]
    return tuple(
        f"two sessions are stored as {name!r}"
        for name in sorted(set(names))
        if names.count(name) > 1 and on_disk(world.disk, name) is not None
    )


def flush_lies(taken: Taken) -> Violations:
    """A flush that succeeded though not all that its session had is stored (RES-8, STO-12)."""
    if not _a_flush_succeeds(taken):
        return HOLDS
    return behind(taken.after)


def _a_flush_succeeds(taken: Taken) -> bool:
    succeeded = any(
        isinstance(each, Settled) and isinstance(each.outcome, Flushed) for each in taken.run.seen
    )
    return succeeded and _a_session_is_stored(taken.after)


def something_is_left(taken: Taken) -> Violations:
    """Something of a process that has ended (RES-3)."""
    after = taken.after
    left = {
        "a handle": after.bindings,
        "a gate": after.gates,
        "a script": after.suspended,
        "a listener": after.listeners.rows,
    }
    return tuple(f"{what} of the old process is left" for what, rows in left.items() if rows)


def _only_a_boot(taken: Taken) -> bool:
    """Whether the process ended and the next one was asked for nothing."""
    return isinstance(taken.command, Boot)


def left_by_boot(taken: Taken) -> Violations:
    """The same, of a boot that nothing reacts to."""
    return something_is_left(taken) if _only_a_boot(taken) else HOLDS


RESUMES = (
    Law(
        "a stored log counts from 0",
        ("LOG-1", "RES-8"),
        Always(stored_is_no_log, _something_is_stored),
        across=True,
    ),
    Law(
        "what is stored stays stored",
        ("RES-8",),
        AtEveryStep(lost, _something_was_stored),
        across=True,
    ),
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
        "an interrupted turn is closed once",
        ("RES-4",),
        Always(closed_twice, _an_interruption_is_stored),
        across=True,
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
    Law(
        "a session at rest is stored as far as it has got",
        ("RES-8",),
        Always(behind, _a_session_is_stored),
        across=True,
    ),
    Law(
        "one session is stored under an id",
        ("RES-7", "RES-8"),
        Always(two_are_stored, _a_session_is_stored),
        across=True,
    ),
    Law(
        "a flush that succeeds has stored everything",
        ("RES-8", "STO-12"),
        AtEveryStep(flush_lies, _a_flush_succeeds),
    ),
    Law(
        "nothing of an ended process is left",
        ("RES-3",),
        AtEveryStep(left_by_boot, _only_a_boot),
        across=True,
    ),
)
