"""The event log of a session and its seed boundary (LOG, SEED)."""

from dataclasses import dataclass
from typing import assert_never

from model.design import Design, MarkerRule
from model.refusal import Refusal
from model.values import (
    EMPTY,
    UNDEFINED,
    Bool,
    Integer,
    Record,
    Text,
    Value,
    field,
    is_safe_count,
    is_safe_integer,
    lossless,
)

END_SEED = "session/end-seed"
LEGACY_HEADER_DELTA = "request/header-delta"
ENVELOPE = frozenset(
    ("type", "seq", "time", "data", "surfaceOp", "sourceEventSeqs", "ignorable"),
)


@dataclass(frozen=True, slots=True)
class Event:
    """One committed entry.

    `seq` is its index in the log (LOG-1). `time` is in milliseconds, or None where the session
    stamps it.
    """

    seq: int
    type: str
    data: Value = EMPTY
    time: int | None = None
    ignorable: bool = False


Log = tuple[Event, ...]


def seed_faults(seed: tuple[Value, ...], design: Design) -> tuple[Refusal, ...]:
    """Every reason to refuse a seed, event by event (SEED-1)."""
    every = (fault for index, event in enumerate(seed) for fault in event_faults(event, index))
    return tuple(fault for fault in every if fault.clause not in design.unchecked)


def event_faults(event: Value, index: int) -> tuple[Refusal, ...]:
    """The reasons to refuse one seed event at its place, in the order in which DSH looks."""
    if not lossless(event):
        return (Refusal("SEED_NOT_JSON", "LOG-3"),)
    found: list[Refusal] = []
    if not envelope_fits(event):
        found.append(Refusal("SEED_ENVELOPE", "SEED-1"))
    if field(event, "seq") != Integer(index):
        found.append(Refusal("SEED_SEQ", "LOG-1"))
    return tuple(found)


def envelope_fits(event: Value) -> bool:
    """Whether an event carries the envelope's keys, each of its type, and nothing else."""
    if not isinstance(event, Record):
        return False
    kind = field(event, "type")
    return (
        all(name in ENVELOPE for name, _ in event.entries)
        and isinstance(kind, Text)
        and kind.value != LEGACY_HEADER_DELTA
        and is_safe_count(field(event, "seq"))
        and is_safe_integer(field(event, "time"))
        and field(event, "data") != UNDEFINED
        and field(event, "ignorable") in (UNDEFINED, Bool(value=True))
    )


def adopted(seed: tuple[Value, ...]) -> Log:
    """Take over a seed that has no faults as the start of a log (SEED-1)."""
    return tuple(
        Event(
            seq=index,
            type=kind.value,
            data=field(event, "data"),
            time=time.value,
            ignorable=field(event, "ignorable") != UNDEFINED,
        )
        for index, event in enumerate(seed)
        if isinstance(kind := field(event, "type"), Text)
        and isinstance(time := field(event, "time"), Integer)
    )


def marks(seed: Log | None, rule: MarkerRule) -> bool:
    """Whether construction appends an end-of-seed marker (SEED-2, SEED-5, SEED-6, SEED-8)."""
    match rule:
        case "unless-last":
            return seed is not None and not ends_in_marker(seed)
        case "always":
            return seed is not None
        case "never":
            return False
        case "unless-anywhere":
            return seed is not None and all(event.type != END_SEED for event in seed)
        case "even-unseeded":
            return not ends_in_marker(seed or ())
        case _:
            assert_never(rule)


def ends_in_marker(log: Log) -> bool:
    """Whether the last event is an end-of-seed marker."""
    return bool(log) and log[-1].type == END_SEED


def constructed(seed: Log | None, design: Design) -> Log:
    """The log of a session just constructed from a seed (SEED-2)."""
    log = seed or ()
    if not marks(seed, design.marker):
        return log
    return (*log, Event(next_seq(log, design), END_SEED))


def forked(prefix: Log, design: Design) -> Log:
    """The log of a child just made from its source's prefix: as from a seed (FORK-2)."""
    log = constructed(prefix, design)
    if design.fork_marker == "as-of-seeds" or not ends_in_marker(prefix):
        return log
    return (*log, Event(next_seq(log, design), END_SEED))


def reconstructed(stored: Log, design: Design) -> Log:
    """The log of a session just made from a stored one: as from a seed (RES-3)."""
    log = constructed(stored, design)
    if design.restored_marker == "as-of-seeds" or not ends_in_marker(stored):
        return log
    return (*log, Event(next_seq(log, design), END_SEED))


def next_seq(log: Log, design: Design) -> int:
    """The seq of the next event (LOG-1)."""
    return len(log) if design.seq == "index" else len(log) + 1


def first_live_seq(seed: Log | None, design: Design) -> int:
    """The first seq that this process may write: the length of the seed given (SEED-3)."""
    log = seed or ()
    match design.first_live_seq:
        case "seed-length":
            return len(log)
        case "marker-seq":
            return boundary(constructed(seed, design)) or 0
        case _:
            assert_never(design.first_live_seq)


def boundary(log: Log) -> int | None:
    """The seq of the last marker, which parts inherited from own work (SEED-7)."""
    seqs = (seq for seq in reversed(range(len(log))) if log[seq].type == END_SEED)
    return next(seqs, None)
