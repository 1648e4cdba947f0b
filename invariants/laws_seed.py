"""The seed boundary (SEED). That markers never pile up on resume is a named law."""

from invariants.construction import Construction, constructed_log, construction
from invariants.law import HOLDS, AtEveryStep, Law, Taken, Violations
from invariants.reading import heard, marks_itself, session_name
from model.log import END_SEED, Log, adopted, boundary, event_faults


def bad_seed_constructs(taken: Taken) -> Violations:
    """A session that was made from a seed no log may hold (SEED-1, LOG-1, LOG-3)."""
    made = construction(taken)
    if made is None or made.session is None or not _seed_is_bad(made):
        return HOLDS
    return (f"{session_name(taken.after, made.session)} was made from a bad seed",)


def _seed_is_bad(made: Construction) -> bool:
    return any(event_faults(event, index) for index, event in enumerate(made.seed or ()))


def _bad_seed_is_given(taken: Taken) -> bool:
    made = construction(taken)
    return made is not None and _seed_is_bad(made)


def _good_seed(taken: Taken) -> tuple[Construction, Log] | None:
    """A construction from a good seed that made a session, with the seed as a log."""
    made = construction(taken)
    if made is None or made.session is None or made.seed is None or _seed_is_bad(made):
        return None
    if marks_itself(taken):
        return None
    return made, adopted(made.seed)


def seed_ends_otherwise(taken: Taken) -> Violations:
    """Where a seed is not taken over as it is, and closed by one marker (SEED-2, 5, 7, 8)."""
    seeded = _good_seed(taken)
    if seeded is None:
        return HOLDS
    made, seed = seeded
    log = constructed_log(taken, made)
    closed = bool(seed) and seed[-1].type == END_SEED
    wanted = (*(event.type for event in seed), *(() if closed else (END_SEED,)))
    wrong = (
        (log[: len(seed)] != seed, "its seed is not taken over as it was given"),
        (tuple(each.type for each in log)[: len(wanted)] != wanted, "no marker ends its seed"),
        (
            log[len(seed) :] != () and closed and log[-1].type == END_SEED,
            "a marker was put behind a marker",
        ),
        (boundary(log[: len(wanted)]) != len(wanted) - 1, "the last marker is not its boundary"),
    )
    name = "the session" if made.session is None else session_name(taken.after, made.session)
    return tuple(f"{name}: {text}" for is_wrong, text in wrong if is_wrong)


def _seed_is_given(taken: Taken) -> bool:
    return _good_seed(taken) is not None


def marked_without_seed(taken: Taken) -> Violations:
    """A session that was given no seed and starts with a marker (SEED-6)."""
    if not _no_seed_is_given(taken):
        return HOLDS
    made = construction(taken)
    if made is None or made.session is None:
        return HOLDS
    first = taken.after.sessions[made.session].log[:1]
    marked = any(event.type == END_SEED for event in first)
    return (
        (f"{session_name(taken.after, made.session)} has a marker and no seed",)
        if marked
        else HOLDS
    )


def _no_seed_is_given(taken: Taken) -> bool:
    made = construction(taken)
    if made is None or made.session is None or marks_itself(taken):
        return False
    return made.seed is None


def boundary_counts_otherwise(taken: Taken) -> Violations:
    """A session whose firstLiveSeq is not the length of the seed that it was given (SEED-3)."""
    made = construction(taken)
    if made is None or made.session is None:
        return HOLDS
    row = taken.after.sessions[made.session]
    length = len(made.seed or ())
    if row.first_live_seq == length:
        return HOLDS
    name = session_name(taken.after, made.session)
    return (f"{name}: firstLiveSeq is {row.first_live_seq}, its seed had {length} events",)


def _marked_seed_is_given(taken: Taken) -> bool:
    seeded = _good_seed(taken)
    return seeded is not None and any(event.type == END_SEED for event in seeded[1])


def inherited_and_seen(taken: Taken) -> Violations:
    """The events that were in a log from its construction on and are seen now (SEED-4)."""
    made = construction(taken)
    own = None if made is None else made.session
    made_with = 0 if made is None or own is None else _inherited_length(taken, made)
    return tuple(
        f"event {event.seq} of session {event.session} was there before, and is seen"
        for event in heard(taken, "session/event")
        if event.session is not None and event.seq is not None
        if event.seq < (made_with if event.session == own else _length(taken, event.session))
    )


def _length(taken: Taken, session: int) -> int:
    """How many events the log of a session held before the step."""
    rows = taken.before.sessions.rows
    return len(rows[session].log) if session < len(rows) else 0


def _inherited_length(taken: Taken, made: Construction) -> int:
    length = len(made.seed or ())
    if made.seed is None or marks_itself(taken):
        return length
    marker = constructed_log(taken, made)[length:]
    return length + sum(event.type == END_SEED for event in marker)


def _something_inherited_enters(taken: Taken) -> bool:
    """Whether a session that was not live before, and that holds events, is live now."""
    return any(
        taken.after.sessions[taken.after.session_entries[entry].session].log
        for entry in taken.after.store
        if entry >= len(taken.before.session_entries)
    )


SEEDS = (
    Law(
        "a bad seed constructs nothing",
        ("SEED-1", "LOG-1", "LOG-3"),
        AtEveryStep(bad_seed_constructs, _bad_seed_is_given),
    ),
    Law(
        "a seed is taken over as it is and ends in one marker",
        ("SEED-2", "SEED-5", "SEED-7", "SEED-8"),
        AtEveryStep(seed_ends_otherwise, _seed_is_given),
    ),
    Law(
        "without a seed there is no marker",
        ("SEED-6",),
        AtEveryStep(marked_without_seed, _no_seed_is_given),
    ),
    Law(
        "firstLiveSeq is the length of the seed",
        ("SEED-3",),
        AtEveryStep(boundary_counts_otherwise, _marked_seed_is_given),
    ),
    Law(
        "inherited events and the marker are never seen",
        ("SEED-4",),
        AtEveryStep(inherited_and_seen, _something_inherited_enters),
    ),
)
