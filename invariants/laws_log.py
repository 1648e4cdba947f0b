"""The event log: what it holds, how it grows, who sees it grow (LOG)."""

from invariants.law import HOLDS, Always, AtEveryStep, Law, Taken, Violations
from invariants.reading import codes, doings, heard, plain, session_meant, session_name, subject_of
from model.observation import Appended, Heard, Snapshot
from model.session_command import Append, Tamper
from model.values import lossless
from model.world import World, session_entry_of


def seqs_off(world: World) -> Violations:
    """The sessions with an event whose seq is not its index (LOG-1)."""
    return tuple(
        f"{session_name(world, number)}: the event at {index} has seq {event.seq}"
        for number, row in enumerate(world.sessions.rows)
        for index, event in enumerate(row.log)
        if event.seq != index
    )


def _some_log_has_events(world: World) -> bool:
    return any(row.log for row in world.sessions.rows)


def rewritten(taken: Taken) -> Violations:
    """The sessions whose log before the step is not the start of their log after it (LOG-2)."""
    after = taken.after.sessions
    return tuple(
        f"{session_name(taken.before, number)}: its log lost or changed an event"
        for number, row in enumerate(taken.before.sessions.rows)
        if after[number] is not row and after[number].log[: len(row.log)] != row.log
    )


def _log_is_attacked(taken: Taken) -> bool:
    match plain(taken.command):
        case Tamper(handle, "seed" | "event" | "events" | "data"):
            number = session_meant(taken.before, handle)
            return number is not None and bool(taken.before.sessions[number].log)
        case _:
            return False


def lossy(world: World) -> Violations:
    """The logged events whose data JSON cannot carry (LOG-3)."""
    return tuple(
        f"{session_name(world, number)}: the data of event {event.seq} is not lossless JSON"
        for number, row in enumerate(world.sessions.rows)
        for event in row.log
        if not lossless(event.data)
    )


def _appended_to(taken: Taken) -> int | None:
    """The session to which the command appends, if that is what it does."""
    match plain(taken.command):
        case Append(session=handle):
            return session_meant(taken.before, handle)
        case _:
            return None


def _appends_live(taken: Taken) -> bool:
    number = _appended_to(taken)
    return number is not None and session_entry_of(taken.before, number) is not None


def _appends_detached(taken: Taken) -> bool:
    number = _appended_to(taken)
    return number is not None and session_entry_of(taken.before, number) is None


def append_fate(taken: Taken) -> Violations:
    """Whether an append was recorded and seen otherwise than the session's liveness asks for."""
    number = _appended_to(taken)
    command = plain(taken.command)
    if number is None or not isinstance(command, Append):
        return HOLDS
    seq = len(taken.before.sessions[number].log)
    seen = sum(
        event.session == number and event.seq == seq for event in heard(taken, "session/event")
    )
    name = session_name(taken.before, number)
    if not lossless(command.data):
        refused = "DATA_NOT_JSON" in codes(taken.run.outcome)
        return HOLDS if refused else (f"{name} took data that is not lossless JSON",)
    if taken.run.outcome != Appended(seq):
        return (f"{name}: the append is not recorded at {seq}",)
    wanted = 0 if session_entry_of(taken.before, number) is None else 1
    return HOLDS if seen == wanted else (f"{name}: event {seq} is seen {seen} times",)


def live_append_fate(taken: Taken) -> Violations:
    """What is wrong with an append to a live session (LOG-3, LOG-4)."""
    return append_fate(taken) if _appends_live(taken) else HOLDS


def detached_append_fate(taken: Taken) -> Violations:
    """What is wrong with an append to a session that is not live (LOG-3, LOG-6)."""
    return append_fate(taken) if _appends_detached(taken) else HOLDS


def seen_and_not_logged(taken: Taken) -> Violations:
    """The events that were seen and are not in the log (LOG-4)."""
    return tuple(
        f"event {event.seq} of {session_name(taken.after, event.session)} was seen and is not there"
        for event in heard(taken, "session/event")
        if event.session is not None and event.seq is not None
        if not _is_logged(taken, event)
    )


def _is_logged(taken: Taken, event: Heard) -> bool:
    if event.session is None:
        return False
    log = taken.after.sessions[event.session].log
    logged = (each for each in log if each.seq == event.seq)
    return any(each.type == event.type and each.data == event.data for each in logged)


def _event_is_seen(taken: Taken) -> bool:
    return bool(heard(taken, "session/event"))


def seen_too_early(taken: Taken) -> Violations:
    """The events that a listener was shown before they were in the log (LOG-4)."""
    return tuple(
        f"event {event.seq} is dispatched, and the log that its listener reads ends before it"
        for event, snapshot in _looked_up(taken)
        if all(each.seq != event.seq for each in snapshot.log)
    )


def _looked_up(taken: Taken) -> tuple[tuple[Heard, Snapshot], ...]:
    """The events whose listener read their own session, with what it read."""
    return tuple(
        (event, doing.outcome)
        for doing in doings(taken)
        if isinstance(doing.outcome, Snapshot)
        if (event := doing.inside[-1]).event == "session/event"
        if event.session == doing.outcome.session
    )


def _means_its_session(taken: Taken, handle: str, event: Heard) -> bool:
    return session_meant(taken.before, handle, subject_of(taken, event)) == event.session


def _listener_looks(taken: Taken) -> bool:
    return bool(_looked_up(taken))


def nested_appends(taken: Taken) -> Violations:
    """The appends inside an append of the same session that were not refused (LOG-5)."""
    return tuple(
        f"{session_name(taken.after, event.session)} takes an append inside an append"
        for event, refused in _nested(taken)
        if event.session is not None and not refused
    )


def _nested(taken: Taken) -> tuple[tuple[Heard, bool], ...]:
    return tuple(
        (event, doing.outcome is not None and "APPEND_REENTERED" in codes(doing.outcome))
        for doing in doings(taken)
        if isinstance(doing.action, Append) and lossless(doing.action.data)
        if (event := doing.inside[-1]).event == "session/event"
        if _means_its_session(taken, doing.action.session, event)
    )


def _append_nests(taken: Taken) -> bool:
    return bool(_nested(taken))


LOGS = (
    Law("the seq of an event is its index", ("LOG-1",), Always(seqs_off, _some_log_has_events)),
    Law("a log only grows", ("LOG-2",), AtEveryStep(rewritten, _log_is_attacked)),
    Law("a log holds only lossless JSON", ("LOG-3",), Always(lossy, _some_log_has_events)),
    Law(
        "an append to a live session is recorded and seen once",
        ("LOG-3", "LOG-4"),
        AtEveryStep(live_append_fate, _appends_live),
    ),
    Law(
        "an append to a session that is not live is recorded and not seen",
        ("LOG-3", "LOG-6"),
        AtEveryStep(detached_append_fate, _appends_detached),
    ),
    Law("a seen event is in the log", ("LOG-4",), AtEveryStep(seen_and_not_logged, _event_is_seen)),
    Law(
        "an event is committed before it is seen",
        ("LOG-4",),
        AtEveryStep(seen_too_early, _listener_looks),
    ),
    Law(
        "an append inside an append of the same session is refused",
        ("LOG-5",),
        AtEveryStep(nested_appends, _append_nests),
    ),
)
