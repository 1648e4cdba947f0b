"""What is stored of sessions, and what is left of a process that has ended (RES)."""

from itertools import pairwise

from invariants.law import HOLDS, Always, AtEveryStep, Law, Taken, Violations
from invariants.reading import mentioned, session_name
from model.log import Event, Log
from model.observation import Flushed, Settled
from model.owner_command import Boot
from model.recovery import INTERRUPTED
from model.storage import on_disk
from model.stored import Disk, StoredLog, Stream
from model.values import field
from model.world import World, session_entry_of


def streams(world: World) -> tuple[Stream, ...]:
    """What the persistence stores now: the sessions that are the ones on the disk."""
    kept = () if world.storage is None else world.storage.streams
    return tuple(each for each in kept if each.begun and each.failure is None)


def spared(taken: Taken) -> Disk:
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
        for name, stored in spared(taken)
        if not _goes_on(stored, on_disk(taken.after.disk, name))
    )


def _goes_on(stored: StoredLog, after: StoredLog | None) -> bool:
    return after is not None and after.log[: len(stored.log)] == stored.log


def _something_was_stored(taken: Taken) -> bool:
    return bool(spared(taken))


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


def behind(world: World) -> Violations:
    """A live session that is stored, and not as far as it has been seen (RES-8)."""
    return tuple(
        f"of {session_name(world, each.session)} not all is stored"
        for each in streams(world)
        if session_entry_of(world, each.session) is not None
        and not each.gap
        and _stored_length(world, each.session) < each.target
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


STORING = (
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
        "an interrupted turn is closed once",
        ("RES-4",),
        Always(closed_twice, _an_interruption_is_stored),
        across=True,
    ),
    Law(
        "a session at rest is stored as far as it was seen",
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
