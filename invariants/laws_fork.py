"""Fork: for which reasons it is refused, what a child inherits, what its source keeps (FORK)."""

from dataclasses import dataclass

from invariants.law import HOLDS, AtEveryStep, Law, Taken, Violations, moments, reading
from invariants.reading import codes, mentioned, plain, session_meant, session_name
from model.fork import TURN_END, TURN_START
from model.header import Header
from model.log import END_SEED, Log
from model.refusal import Code
from model.rows import Session
from model.session_command import Append, Fork
from model.values import Hostile, Integer, Value
from model.world import World, session_entry_of, session_entry_with_id

REASONS: frozenset[Code] = frozenset(
    (
        "SESSION_ALREADY_EXISTS",
        "SESSION_NOT_FOUND",
        "SESSION_NOT_LIVE",
        "INVALID_BOUNDARY",
        "OPEN_TURN",
    ),
)
"""What a fork of its own is refused for."""


@dataclass(frozen=True, slots=True)
class Forking:
    """A fork that was asked for: the first reason against it, and the child, if it was made.

    `source` is the live session that it means, and `end` how many of its events are inherited.
    """

    against: Code | None
    source: int | None
    end: int | None
    child: int | None


@reading
def forking(taken: Taken) -> Forking | None:
    """The fork that the command asks for, if it names things that are there."""
    command = plain(taken.command)
    if not isinstance(command, Fork) or codes(taken.run.outcome) & {"UNBOUND", "HANDLE_IN_USE"}:
        return None
    world = taken.before
    first = len(world.sessions)
    child = first if len(taken.after.sessions) > first else None
    named = None if command.source is None else session_meant(world, command.source)
    source_id = (command.source_id or "") if named is None else world.sessions[named].id
    entry = session_entry_with_id(world, source_id)
    source = None if entry is None else world.session_entries[entry].session
    end = None if source is None else inherited(world.sessions[source].log, command.boundary)
    return Forking(_against(world, command, named, source, end), source, end, child)


def _against(
    world: World, command: Fork, named: int | None, source: int | None, end: int | None
) -> Code | None:
    """The first reason against a fork, in the order of the clause (FORK-1)."""
    if command.id is not None and session_entry_with_id(world, command.id) is not None:
        return "SESSION_ALREADY_EXISTS"
    if source is None:
        return "SESSION_NOT_FOUND"
    if named is not None and session_entry_of(world, named) is None:
        return "SESSION_NOT_LIVE"
    if end is None:
        return "INVALID_BOUNDARY"
    return "OPEN_TURN" if in_turn(world.sessions[source].log[:end]) else None


def inherited(log: Log, boundary: Value | None) -> int | None:
    """How many events lie through a boundary; None where it is no seq of the log (FORK-2)."""
    match boundary:
        case None | Hostile("undefined"):
            return len(log)
        case Hostile("negative-zero"):
            seq = 0
        case Integer(value):
            seq = value
        case _:
            return None
    return seq + 1 if seq in {event.seq for event in log} else None


def in_turn(log: Log) -> bool:
    """Whether a log ends while a turn is open (FORK-1)."""
    is_open = False
    for event in log:
        is_open = event.type == TURN_START or (is_open and event.type != TURN_END)
    return is_open


def refused_otherwise(taken: Taken) -> Violations:
    """A fork that is not refused for the first reason, or changes something then (FORK-1)."""
    fork = forking(taken)
    if fork is None or fork.against is None:
        return HOLDS
    wrong = (
        (fork.against not in codes(taken.run.outcome), f"the caller got {taken.run.outcome}"),
        (taken.after != taken.before, "something changed"),
        (taken.run.seen != (), "something is seen"),
    )
    return tuple(
        f"{fork.against} speaks against the fork, and {text}" for bad, text in wrong if bad
    )


def _several_reasons(taken: Taken) -> bool:
    """Whether a child's id is live and there is no source either."""
    fork = forking(taken)
    return fork is not None and fork.against == "SESSION_ALREADY_EXISTS" and fork.source is None


def refused_for_nothing(taken: Taken) -> Violations:
    """A fork that is refused for a reason that is not there (FORK-1, FORK-4)."""
    fork = forking(taken)
    if fork is None or fork.against is not None or not codes(taken.run.outcome) & REASONS:
        return HOLDS
    return (f"nothing speaks against the fork, and the caller got {taken.run.outcome}",)


def _ends_before_open_turn(taken: Taken) -> bool:
    fork = forking(taken)
    if fork is None or fork.against is not None or fork.source is None:
        return False
    return in_turn(taken.before.sessions[fork.source].log)


def begins_in_turn(taken: Taken) -> Violations:
    """A child that begins inside a turn that its parent has open (FORK-1)."""
    child = _child(taken)
    if child is None or not in_turn(child.log[: child.header.seed_length]):
        return HOLDS
    return ("the child begins inside an open turn",)


def _child(taken: Taken) -> Session | None:
    """The child that a fork made, if it made one."""
    fork = forking(taken)
    return None if fork is None or fork.child is None else taken.after.sessions[fork.child]


def _turns_are_inherited(taken: Taken) -> bool:
    child = _child(taken)
    return child is not None and any(event.type == TURN_START for event in child.log)


def inherits_otherwise(taken: Taken) -> Violations:
    """A child whose log is not the source's through the boundary, and a marker (FORK-2)."""
    fork, child = forking(taken), _child(taken)
    if fork is None or fork.source is None or child is None:
        return HOLDS
    prefix = taken.before.sessions[fork.source].log[: fork.end]
    closed = prefix != () and prefix[-1].type == END_SEED
    wanted = (*(event.type for event in prefix), *(() if closed else (END_SEED,)))
    wrong = (
        (child.log[: len(prefix)] != prefix, "is not its source's through the boundary"),
        (tuple(event.type for event in child.log)[: len(wanted)] != wanted, "has no marker"),
        (child.first_live_seq != len(prefix), "does not count what it inherited"),
    )
    return tuple(f"the child's log {text}" for is_wrong, text in wrong if is_wrong)


def _part_is_inherited(taken: Taken) -> bool:
    fork = forking(taken)
    if fork is None or fork.source is None or fork.child is None:
        return False
    return fork.end != len(taken.before.sessions[fork.source].log)


def other_lineage(taken: Taken) -> Violations:
    """A child whose header is not the one that its source and its seed make (FORK-3)."""
    fork, child = forking(taken), _child(taken)
    if fork is None or fork.source is None or child is None:
        return HOLDS
    source = taken.before.sessions[fork.source]
    wanted = Header(
        id=child.id,
        cwd=source.header.cwd,
        parent_session=source.id,
        seed_length=fork.end,
    )
    return HOLDS if child.header == wanted else (f"the child's header is {child.header}",)


def _grandchild_is_made(taken: Taken) -> bool:
    """Whether the source of a fork is a child itself."""
    fork = forking(taken)
    if fork is None or fork.source is None or fork.child is None:
        return False
    return taken.before.sessions[fork.source].header.parent_session is not None


def source_changed(taken: Taken) -> Violations:
    """What a fork changed of its source (FORK-4)."""
    fork = forking(taken)
    if fork is None or fork.source is None or fork.child is None:
        return HOLDS
    old, new = taken.before.sessions[fork.source], taken.after.sessions[fork.source]
    grows = any(isinstance(each, Append) for each in mentioned(taken))
    log = new.log[: len(old.log)] if grows else new.log
    wrong = (
        (log != old.log, "has another log"),
        (new.header != old.header, "has another header"),
        (fork.source not in moments(taken)[0].live.sessions, "is not live"),
    )
    name = session_name(taken.after, fork.source)
    return tuple(f"{name} {text} after a fork" for is_wrong, text in wrong if is_wrong)


def _child_is_made(taken: Taken) -> bool:
    return _child(taken) is not None


FORKS = (
    Law(
        "a fork is refused for the first reason against it and changes nothing then",
        ("FORK-1",),
        AtEveryStep(refused_otherwise, _several_reasons),
    ),
    Law(
        "a fork is refused for no reason that is not there",
        ("FORK-1", "FORK-4"),
        AtEveryStep(refused_for_nothing, _ends_before_open_turn),
    ),
    Law(
        "no child begins inside an open turn",
        ("FORK-1",),
        AtEveryStep(begins_in_turn, _turns_are_inherited),
    ),
    Law(
        "a child inherits its source's log through the boundary",
        ("FORK-2",),
        AtEveryStep(inherits_otherwise, _part_is_inherited),
    ),
    Law(
        "a child's header names its source and takes over only its folder",
        ("FORK-3",),
        AtEveryStep(other_lineage, _grandchild_is_made),
    ),
    Law(
        "a fork leaves its source as it was",
        ("FORK-4",),
        AtEveryStep(source_changed, _child_is_made),
    ),
)
