"""Rollback and teardown: order, completeness, once only (RBK). No orphans is a named law."""

from collections import Counter

from invariants.collection import AGENTS, SESSIONS
from invariants.creations import (
    began_as,
    disposed_by,
    of_session,
    own_entries_only,
    owned,
    session_of,
    settlements,
    unwindings,
)
from invariants.law import (
    HOLDS,
    Always,
    AtEveryObservation,
    AtEveryStep,
    Eventually,
    Law,
    Moment,
    Taken,
    Violations,
)
from invariants.reading import agent_name, ended
from model.canonical import canonical
from model.command import Open
from model.design import Design
from model.observation import Done, Heard, Released, Settled
from model.referents import Pending, PreparationRef
from model.refusal import Refusal
from model.session_command import Release
from model.step import runs
from model.world import World, referent


def detached_before_unwound(taken: Taken) -> Violations:
    """The objects that were gone when their scope was unwound (RBK-2)."""
    world = taken.after
    found: list[str] = []
    for number, seen in unwindings(taken):
        row = world.transactions[number]
        session = session_of(world, number)
        if row.agent_entry is not None and row.agent not in seen.live.agents:
            found.append(f"{agent_name(world, row.agent)} is gone when its scope is unwound")
        if row.session_entry is not None and session not in seen.live.sessions:
            found.append(f"session {session} is gone when its scope is unwound")
    return tuple(found)


def _entered_is_unwound(taken: Taken) -> bool:
    rows = taken.after.transactions
    return any(rows[number].agent_entry is not None for number, _ in unwindings(taken))


def session_before_agent(moment: Moment) -> Violations:
    """The session whose disposal is seen while its agent is live (RBK-2)."""
    agent = _agent_of_disposed(moment)
    if agent is None or agent not in moment.live.agents:
        return HOLDS
    return (f"session/disposed is seen while {agent_name(moment.taken.after, agent)} is live",)


def _agent_of_disposed(moment: Moment) -> int | None:
    match moment.observation:
        case Heard(listener="watch", event="session/disposed", session=session):
            number = of_session(moment.taken.after, session)
        case _:
            return None
    if number is None or not owned(moment.taken, number):
        return None
    return moment.taken.after.transactions[number].agent


def _created_session_is_disposed(moment: Moment) -> bool:
    return _agent_of_disposed(moment) is not None


def unwound_again(taken: Taken) -> Violations:
    """The scopes that were unwound more than once (RBK-3)."""
    counts = Counter(number for number, _ in unwindings(taken))
    return tuple(
        f"the scope of {taken.after.transactions[number].operation} is unwound again"
        for number, times in counts.items()
        if times > 1 or _was_unwound(taken, number)
    )


def _was_unwound(taken: Taken, number: int) -> bool:
    old = began_as(taken, number)
    return old is not None and taken.before.owners[old.scope].stage == "gone"


def _is_disposed_again(taken: Taken) -> bool:
    counts = Counter(
        disposed_by(taken, each.operation) for each in taken.run.seen if isinstance(each, Settled)
    )
    return any(number is not None and times > 1 for number, times in counts.items())


def settled_before_gone(taken: Taken) -> Violations:
    """The promises that settled while what they waited for was still live (RBK-3, RBK-4)."""
    failed = tuple(
        (number, each) for number, each in settlements(taken) if isinstance(each.outcome, Refusal)
    )
    awaited = tuple(
        (number, each)
        for each in taken.run.seen
        if isinstance(each, Settled) and each.outcome == Done()
        if (number := disposed_by(taken, each.operation)) is not None
    )
    return tuple(
        f"{each.operation} settles while {text} is live"
        for number, each in (*failed, *awaited)
        for text in _still_live(taken, number, each)
    )


def _still_live(taken: Taken, number: int, moment: Settled) -> Violations:
    agent = taken.after.transactions[number].agent
    session = session_of(taken.after, number)
    own_agent = own_entries_only(AGENTS, taken, agent)
    own_session = own_entries_only(SESSIONS, taken, session)
    wrong = (
        (own_agent and agent in moment.live.agents, f"agent {agent}"),
        (own_session and session in moment.live.sessions, f"session {session}"),
    )
    return tuple(text for is_wrong, text in wrong if is_wrong)


def _rollback_is_awaited(taken: Taken) -> bool:
    return any(
        isinstance(each.outcome, Refusal)
        and taken.after.transactions[number].session_entry is not None
        for number, each in settlements(taken)
    )


def released_otherwise(taken: Taken) -> Violations:
    """A preparation whose release did not run exactly at its first disposal (RBK-6)."""
    match taken.command:
        case Release(handle):
            ref = referent(taken.before, handle)
        case _:
            return HOLDS
    if not isinstance(ref, PreparationRef):
        return HOLDS
    wanted = 0 if taken.before.preparations[ref.number].released else 1
    times = sum(isinstance(each, Released) for each in taken.run.seen)
    return HOLDS if times == wanted else (f"{handle} is released {times} times, not {wanted}",)


def _released_again(taken: Taken) -> bool:
    match taken.command:
        case Release(handle):
            ref = referent(taken.before, handle)
            return (
                isinstance(ref, PreparationRef) and taken.before.preparations[ref.number].released
            )
        case _:
            return False


def gone_at_work(taken: Taken) -> Violations:
    """The agents whose teardown ended in the step although their work has not (RBK-8)."""
    agents = (taken.after.transactions[number].agent for number in ended(taken))
    return tuple(
        f"{agent_name(taken.after, agent)} is torn down while it is at work"
        for agent in agents
        if _works_on(taken, agent)
    )


def _works_on(taken: Taken, agent: int) -> bool:
    """Whether an agent was at work before the step, and is at the same work after it."""
    if agent >= len(taken.before.agents) or taken.before.agents[agent].work is None:
        return False
    return taken.after.agents[agent].work == taken.before.agents[agent].work


def _busy_is_torn_down(taken: Taken) -> bool:
    return any(row.stage == "draining" for row in taken.after.transactions.rows)


def scope_outlived(world: World) -> Violations:
    """The listeners that are still registered though their scope is gone (RBK-1)."""
    return tuple(
        f"the listener {row.name} outlives its scope"
        for row in world.listeners.rows
        if row.scope is not None
        if (made_by := world.agents[row.scope].transaction) is not None
        if world.transactions[made_by].stage == "gone"
    )


def _scope_has_listeners(world: World) -> bool:
    return any(row.scope is not None for row in world.listeners.rows)


def restless(world: World) -> Violations:
    """What is half done although nothing runs (STO-7, REG-7, TXN-1)."""
    dispatching = tuple(
        f"entry {entry} of a {side.noun} is still being dispatched"
        for side in (SESSIONS, AGENTS)
        for entry, row in enumerate(side.entries(world))
        if row.announcing or row.detach_owed
    )
    moving = tuple(
        f"transaction {number} is {row.stage}"
        for number, row in enumerate(world.transactions.rows)
        if row.stage in ("set-up", "publishing", "tearing-down")
    )
    return (*dispatching, *moving)


def _anything_was_made(world: World) -> bool:
    return bool(world.session_entries.rows and world.transactions.rows)


def never_settles(world: World, design: Design) -> Violations:
    """What is still pending once every gate has been opened (RBK-4).

    Scripts are finite and a gate stays open, so there is a last gate to open.
    """
    while gates := waited_for(world):
        if gates[0] in world.gates:
            return (f"something waits at {gates[0]}, which is open",)
        world = canonical(next(runs(world, Open(gates[0]), design)).world)
    return pending(world)


def waited_for(world: World) -> tuple[str, ...]:
    """The gates at which something waits."""
    working = {row.work.gate for row in world.agents.rows if row.work is not None}
    held = {row.gate for row in world.loads.rows if row.stage == "held" and row.gate is not None}
    return tuple(sorted({each.gate for each in world.suspended} | working | held))


def pending(world: World) -> Violations:
    """The operations that have not settled, and the transactions that have not ended."""
    operations = tuple(
        f"{name} never settles" for name, ref in world.bindings if isinstance(ref, Pending)
    )
    transactions = tuple(
        f"transaction {number} stays {row.stage}"
        for number, row in enumerate(world.transactions.rows)
        if row.stage not in ("live", "gone")
    )
    return (*operations, *transactions)


def _something_is_pending(world: World) -> bool:
    return any(isinstance(ref, Pending) for _, ref in world.bindings)


ROLLBACK = (
    Law(
        "a scope is unwound while both objects are live",
        ("RBK-2",),
        AtEveryStep(detached_before_unwound, _entered_is_unwound),
    ),
    Law(
        "an agent is detached before its session",
        ("RBK-2", "TXN-9"),
        AtEveryObservation(session_before_agent, _created_session_is_disposed),
    ),
    Law("a scope is unwound once", ("RBK-3",), AtEveryStep(unwound_again, _is_disposed_again)),
    Law(
        "a promise settles once the rollback is complete",
        ("RBK-3", "RBK-4"),
        AtEveryStep(settled_before_gone, _rollback_is_awaited),
    ),
    Law(
        "a preparation is released at its first disposal and never again",
        ("RBK-6",),
        AtEveryStep(released_otherwise, _released_again),
    ),
    Law("no agent is torn down at work", ("RBK-8",), AtEveryStep(gone_at_work, _busy_is_torn_down)),
    Law("no listener outlives its scope", ("RBK-1",), Always(scope_outlived, _scope_has_listeners)),
    Law(
        "nothing is half done between commands",
        ("STO-7", "REG-7", "TXN-1"),
        Always(restless, _anything_was_made),
    ),
    Law(
        "every operation settles once every gate is open",
        ("RBK-4", "TXN-8"),
        Eventually(never_settles, _something_is_pending),
    ),
)
