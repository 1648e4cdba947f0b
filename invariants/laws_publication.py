"""Publication: in which order a transaction becomes visible, and to whom (TXN-1 to 5, TXN-8)."""

from invariants.creations import (
    began_as,
    commit_of,
    of_agent,
    of_session,
    owned,
    settlements,
    under_name,
)
from invariants.law import (
    HOLDS,
    AtEveryObservation,
    AtEveryStep,
    Law,
    Moment,
    Monitor,
    OverHistory,
    Taken,
    Violations,
    moments,
    watched,
)
from invariants.reading import agent_name
from model.observation import (
    Committed,
    Heard,
    Observation,
    Published,
    Settled,
    SetUp,
)
from model.world import World

PHASES = ("nothing", "set-up", "committed", "session", "agent", "started", "returned")

Phases = tuple[tuple[int, int], ...]
"""How far each transaction is known to have come, by its number."""


def _known_phases(world: World) -> Phases:
    known: list[tuple[int, int]] = []
    for number, row in enumerate(world.transactions.rows):
        if row.stage == "setting-up":
            known.append((number, 1 if row.watched else 0))
        elif row.stage == "live":
            known.append((number, PHASES.index("started" if row.configured else "returned")))
    return tuple(known)


def phase_of(taken: Taken, seen: Observation | None) -> tuple[int, int] | None:
    """The transaction that an observation is about, and the phase that it shows."""
    world = taken.after
    match seen:
        case SetUp(_, agent):
            found, phase = of_agent(world, agent), "set-up"
        case Committed(operation):
            found, phase = under_name(taken, operation), "committed"
        case Heard(listener="watch", event="session/created", session=session):
            found, phase = of_session(world, session), "session"
        case Heard(listener="watch", event="agent/created", agent=agent):
            found, phase = of_agent(world, agent), "agent"
        case Heard(listener="watch", event="agent/session-start", agent=agent):
            found, phase = of_agent(world, agent), "started"
        case Settled(operation, Published(agent)):
            found, phase = of_agent(world, agent), "returned"
        case _:
            return None
    if found is None or not owned(taken, found):
        return None
    return found, PHASES.index(phase)


def _next_phase(memory: Phases, moment: Moment) -> tuple[Phases, Violations]:
    shown = phase_of(moment.taken, moment.observation)
    if shown is None:
        return memory, HOLDS
    number, phase = shown
    reached_before = dict(memory).get(number, 0)
    moved = tuple(sorted({**dict(memory), number: phase}.items()))
    if phase > reached_before:
        return moved, HOLDS
    name = agent_name(moment.taken.after, moment.taken.after.transactions[number].agent)
    return moved, (f"{name}: {PHASES[phase]} comes after {PHASES[reached_before]}",)


def _other_phases(memory: Phases, world: Phases) -> Violations:
    come = dict(memory)
    return tuple(
        f"transaction {number} is {PHASES[phase]} and was seen only {PHASES[come.get(number, 0)]}"
        for number, phase in world
        if come.get(number, 0) < phase
    )


ORDER = Monitor(_known_phases, _next_phase, _other_phases)


def phases_out_of_order(taken: Taken) -> Violations:
    """The transactions whose phases come twice, in another order, or not at all (TXN-1, TXN-4)."""
    owners = [_is_owned_or_old(taken, number) for number in range(len(taken.after.transactions))]
    return watched(ORDER, taken) if all(owners) else HOLDS


def _is_owned_or_old(taken: Taken, number: int) -> bool:
    old = began_as(taken, number)
    over = old is not None and old.stage not in ("setting-up", "set-up")
    return over or owned(taken, number)


def _is_published(taken: Taken) -> bool:
    return any(isinstance(settled.outcome, Published) for _, settled in settlements(taken))


def listed_unannounced(taken: Taken) -> Violations:
    """The sessions and agents that are listed before their publication (TXN-2)."""
    world = taken.after
    announced = {
        taken.before.session_entries[entry].session
        for entry in taken.before.store
        if taken.before.session_entries[entry].announced
    }
    found: list[str] = []
    for moment in moments(taken):
        match moment.observation:
            case Heard(event="session/created", session=int(session)):
                announced.add(session)
            case _:
                pass
        found += (
            f"session {session} is listed before it is published"
            for session in moment.live.sessions
            if session not in announced and _is_hidden(taken, of_session(world, session))
        )
        found += (
            f"{agent_name(world, agent)} is listed before it is published"
            for agent in moment.live.agents
            if world.agents[agent].session not in announced
            if _is_hidden(taken, of_agent(world, agent))
        )
    return tuple(dict.fromkeys(found))


def _is_hidden(taken: Taken, transaction: int | None) -> bool:
    """Whether a transaction's objects may only be listed together, once they are announced.

    One whose agent was refused at the registry has its session listed until it is rolled back.
    """
    if transaction is None or not owned(taken, transaction):
        return False
    row = taken.after.transactions[transaction]
    return row.session_entry is None or row.agent_entry is not None


def _setup_is_under_way(taken: Taken) -> bool:
    before = any(row.stage == "setting-up" for row in taken.before.transactions.rows)
    return before or any(isinstance(each, SetUp) for each in taken.run.seen)


def commits_missing(taken: Taken) -> Violations:
    """The published transactions whose commit has not run (TXN-3)."""
    ran = [each.operation for each in taken.run.seen if isinstance(each, Committed)]
    return tuple(
        f"{settled.operation} is published, and its commit ran {ran.count(settled.operation)} times"
        for number, settled in settlements(taken)
        if isinstance(settled.outcome, Published) and commit_of(taken, number) is not None
        if ran.count(settled.operation) != 1
    )


def _commit_is_due(taken: Taken) -> bool:
    return any(
        isinstance(settled.outcome, Published) and commit_of(taken, number) is not None
        for number, settled in settlements(taken)
    )


def announced_alone(moment: Moment) -> Violations:
    """The session that is announced while its agent is not live (TXN-5)."""
    agent = _agent_of_announced(moment)
    if agent is None or agent in moment.live.agents:
        return HOLDS
    return (f"session/created is seen while {agent_name(moment.taken.after, agent)} is not live",)


def _agent_of_announced(moment: Moment) -> int | None:
    match moment.observation:
        case Heard(event="session/created", session=session):
            number = of_session(moment.taken.after, session)
        case _:
            return None
    if number is None or not owned(moment.taken, number):
        return None
    return moment.taken.after.transactions[number].agent


def _session_is_announced(moment: Moment) -> bool:
    return _agent_of_announced(moment) is not None


def returned_early(taken: Taken) -> Violations:
    """The handles that were returned before everything was seen (TXN-8)."""
    shown: dict[int, set[str]] = {}
    found: list[str] = []
    for each in taken.run.seen:
        phase = phase_of(taken, each)
        if phase is None:
            continue
        number, index = phase
        seen = shown.setdefault(number, set())
        missing = {"session", "agent", "started"} - seen
        if PHASES[index] == "returned" and missing:
            found.append(f"transaction {number} is returned before {', '.join(sorted(missing))}")
        seen.add(PHASES[index])
    return tuple(found)


PUBLICATION = (
    Law(
        "a transaction's phases come once and in order",
        ("TXN-1", "TXN-3", "TXN-4"),
        OverHistory(phases_out_of_order, _is_published),
    ),
    Law(
        "nothing of a transaction is listed before its publication",
        ("TXN-2",),
        AtEveryStep(listed_unannounced, _setup_is_under_way),
    ),
    Law(
        "the commit of a published transaction ran once",
        ("TXN-3",),
        AtEveryStep(commits_missing, _commit_is_due),
    ),
    Law(
        "both objects are live when session/created is seen",
        ("TXN-5",),
        AtEveryObservation(announced_alone, _session_is_announced),
    ),
    Law(
        "the handle is returned after all of the publication",
        ("TXN-8",),
        AtEveryStep(returned_early, _is_published),
    ),
)
