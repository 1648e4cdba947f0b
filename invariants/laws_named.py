"""The four laws that were asked for by name."""

from functools import cache
from itertools import pairwise

from invariants.law import (
    HOLDS,
    AtEveryObservation,
    AtEveryStep,
    Eventually,
    Law,
    Moment,
    Taken,
    Violations,
)
from invariants.reading import agent_name, ended, is_new, plain, session_name, snapshots
from model.design import Design
from model.log import END_SEED, Event, Log, ends_in_marker
from model.observation import Made
from model.refusal import Refusal
from model.rows import ForSetup
from model.session_command import Append, Construct, Tamper
from model.step import step
from model.values import Bool, Integer, Text, Value, field, record
from model.world import World, initial

REOPENINGS = 3
MARKER = Text(END_SEED)


def published(taken: Taken, agent: int) -> bool:
    """Whether an agent can only be listed because its transaction published it.

    A client may also enter it directly, before or after; the registry then proves nothing (REG-10).
    """
    world = taken.after
    transaction = world.agents[agent].transaction
    if transaction is None or world.transactions[transaction].agent_entry is None:
        return False
    own = world.transactions[transaction].agent_entry
    first_new = len(taken.before.agent_entries)
    return all(
        entry == own
        for entry, row in enumerate(world.agent_entries.rows)
        if row.agent == agent and (entry >= first_new or entry in taken.before.registry)
    )


def agents_without_session(moment: Moment) -> Violations:
    """The published agents whose session is not listed (TXN-9, REG-1)."""
    world = moment.taken.after
    return tuple(
        f"{agent_name(world, agent)} is live and its session is not"
        for agent in moment.live.agents
        if world.agents[agent].session not in moment.live.sessions
        if published(moment.taken, agent)
    )


def _agent_is_published(moment: Moment) -> bool:
    return any(published(moment.taken, agent) for agent in moment.live.agents)


def orphans(taken: Taken) -> Violations:
    """What transactions that ended in the step left behind (RBK-1)."""
    return tuple(text for number in ended(taken) for text in left_behind(taken.after, number))


def left_behind(world: World, number: int) -> Violations:
    """What is left of a transaction that is gone."""
    row = world.transactions[number]
    agent = agent_name(world, row.agent)
    listeners = [each.name for each in world.listeners.rows if each.scope == row.agent]
    leftovers = (
        (row.session_entry in world.store, "its session is still live"),
        (row.agent_entry in world.registry, "it is still live"),
        (world.owners[row.scope].stage != "gone", "its scope is still there"),
        (bool(listeners), f"its scope still has listeners: {', '.join(listeners)}"),
        (any(each.awaiter == ForSetup(number) for each in world.suspended), "its setup is awaited"),
        (world.agents[row.agent].id in world.reserved, "its id is still reserved"),
    )
    return tuple(f"{agent} is gone, and {text}" for left, text in leftovers if left)


def _rolled_back_after_entering(taken: Taken) -> bool:
    return any(
        taken.after.transactions[number].session_entry is not None
        and (is_new(taken, number) or taken.before.transactions[number].session_entry is None)
        for number in ended(taken)
    )


def changed_headers(taken: Taken) -> Violations:
    """The sessions whose header is another one after the step, or shows as one (HDR-7, HDR-8)."""
    before, after = taken.before.sessions, taken.after.sessions
    changed = tuple(
        f"{session_name(taken.before, number)} has another header than before"
        for number, row in enumerate(before.rows)
        if after[number] is not row and after[number].header != row.header
    )
    return (*changed, *_shown_otherwise(taken))


def _shown_otherwise(taken: Taken) -> Violations:
    sessions = taken.after.sessions
    return tuple(
        f"{session_name(taken.after, each.session)} shows another header than it has"
        for each in snapshots(taken)
        if each.header != sessions[each.session].header
    )


def _header_attacked(taken: Taken) -> bool:
    match plain(taken.command):
        case Tamper(_, "header" | "meta"):
            return not isinstance(taken.run.outcome, Refusal)
        case Append(type="agent-preset/selected"):
            return not isinstance(taken.run.outcome, Refusal)
        case _:
            return False


def duplicated_markers(world: World, design: Design) -> Violations:
    """The sessions that gain markers when they are resumed again and again (SEED-5, SEED-8)."""
    return tuple(
        f"{session_name(world, number)}: {text}"
        for number, row in enumerate(world.sessions.rows)
        for text in reopened(row.log, design)
    )


@cache
def reopened(log: Log, design: Design) -> Violations:
    """What goes wrong when sessions are constructed from this log, each from the last one's."""
    given, again = wire(log), wire(log)
    opened: list[tuple[Value, ...]] = []
    for _ in range(REOPENINGS):
        made = step(initial(), Construct("again", "again", seed=again), design).runs[0]
        if not isinstance(made.outcome, Made):
            return HOLDS
        again = wire(made.world.sessions[0].log)
        opened.append(again)
    first, *later = opened
    added = _types(first[max(len(given) - 1, 0) :])
    wrong = (
        (ends_in_marker(log) and first != given, "resuming it untouched changes its log"),
        (any(each != first for each in later), "resuming it again changes its log again"),
        ((MARKER, MARKER) in pairwise(added), "resuming it puts a marker behind a marker"),
    )
    return tuple(text for is_wrong, text in wrong if is_wrong)


def _types(events: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple(field(event, "type") for event in events)


def wire(log: Log) -> tuple[Value, ...]:
    """A log as the seed that a client would hand in; a stamped time is any time."""
    return tuple(_event(event) for event in log)


def _event(event: Event) -> Value:
    entries: dict[str, Value] = {
        "type": Text(event.type),
        "seq": Integer(event.seq),
        "time": Integer(event.time or 0),
        "data": event.data,
    }
    if event.ignorable:
        entries["ignorable"] = Bool(value=True)
    return record(entries)


def _some_log_has_a_marker(world: World) -> bool:
    return any(event.type == END_SEED for row in world.sessions.rows for event in row.log)


NAMED = (
    Law(
        "no agent exists without a session",
        ("TXN-9", "REG-1"),
        AtEveryObservation(agents_without_session, _agent_is_published),
    ),
    Law(
        "rollback leaves no orphans",
        ("RBK-1", "RBK-5"),
        AtEveryStep(orphans, _rolled_back_after_entering),
    ),
    Law(
        "headers are immutable",
        ("HDR-7", "HDR-8"),
        AtEveryStep(changed_headers, _header_attacked),
    ),
    Law(
        "seed markers are never duplicated on resume",
        ("SEED-5", "SEED-8"),
        Eventually(duplicated_markers, _some_log_has_a_marker),
    ),
)
