"""Owners: what was made through one goes with it, and nothing more is made through it (OWN)."""

from collections.abc import Iterator

from invariants.collection import AGENTS
from invariants.creations import came_of, is_under_way, own_entries_only, publishes
from invariants.law import (
    HOLDS,
    AtEveryStep,
    Eventually,
    Law,
    Taken,
    Violations,
)
from invariants.laws_rollback import waited_for
from invariants.reading import (
    agent_name,
    codes,
    doings,
    heard,
    is_new,
    mentioned,
    outcome_of,
    owner_meant,
    plain,
)
from model.agent_command import Abort, Dispose
from model.command import CreateAgent, Open
from model.design import Design
from model.observation import Done, Heard, Settled, Started
from model.owner_command import DisposeFactory, DisposeOwner, NewOwner
from model.referents import OwnerRef
from model.refusal import Refusal
from model.rows import DetachEffect, LifecycleEffect, OwnerEffect
from model.session_command import Create
from model.step import runs
from model.teardown import BEFORE_TEARDOWN
from model.world import World, referent


def outlives_owner(world: World, design: Design) -> Violations:
    """What is left of an owner that is gone, once every gate has been opened (OWN-3)."""
    while (gates := waited_for(world)) and gates[0] not in world.gates:
        world = next(runs(world, Open(gates[0]), design)).world
    agents = tuple(
        f"{agent_name(world, row.agent)} is {row.stage}, and its owner is gone"
        for row in world.transactions.rows
        if row.owner is not None and row.stage != "gone"
        if world.owners[row.owner].stage == "gone"
    )
    sessions = tuple(
        f"session {row.session} is live, and the scope that it was made in is gone"
        for row in (world.session_entries[entry] for entry in world.store)
        if row.scope is not None and _scope_is_gone(world, row.scope)
    )
    return (*agents, *sessions)


def _scope_is_gone(world: World, agent: int) -> bool:
    made_by = world.agents[agent].transaction
    return made_by is not None and world.transactions[made_by].stage == "gone"


def _some_owner_went(world: World) -> bool:
    return any(
        row.owner is not None and world.owners[row.owner].stage == "gone"
        for row in world.transactions.rows
    )


def left_by_owner(taken: Taken) -> Violations:
    """What goes on although the owner that it was made through does not (OWN-3)."""
    world = taken.after
    agents = (
        f"{agent_name(world, row.agent)} is {row.stage}"
        for row in world.transactions.rows
        if row.owner is not None and world.owners[row.owner].stage != "active"
        if row.stage in BEFORE_TEARDOWN
    )
    owners = (
        f"owner {number} is active"
        for number, row in enumerate(world.owners.rows)
        if row.parent is not None and world.owners[row.parent].stage != "active"
        if row.stage == "active"
    )
    sessions = (
        f"entry {entry} of a session is live"
        for owner in _going(taken)
        for entry in _sessions_of(taken.before, owner)
        if entry in world.store
    )
    return tuple(f"{text}, and its owner goes" for text in (*agents, *owners, *sessions))


def _going(taken: Taken) -> Iterator[int]:
    """The owners that were active before the step and are not any more."""
    for number, row in enumerate(taken.before.owners.rows):
        if row.stage == "active" and taken.after.owners[number].stage != "active":
            yield number


def _sessions_of(world: World, owner: int) -> tuple[int, ...]:
    effects = world.owners[owner].effects
    return tuple(each.entry for each in effects if isinstance(each, DetachEffect))


def _agents_of(world: World, owner: int) -> tuple[int, ...]:
    """The transactions that an owner began to take back, or would take back now."""
    row = world.owners[owner]
    if row.stage == "unloading":
        return tuple(each.transaction for each in row.waits if isinstance(each, LifecycleEffect))
    return tuple(
        each.transaction
        for each in row.effects
        if isinstance(each, LifecycleEffect)
        if world.transactions[each.transaction].stage in BEFORE_TEARDOWN
    )


def _owned_goes(taken: Taken) -> bool:
    """Whether an owner goes that owns a session, or an agent, and another owner."""
    owned = ({type(each) for each in taken.before.owners[n].effects} for n in _going(taken))
    return any(
        OwnerEffect in kinds and not kinds.isdisjoint((DetachEffect, LifecycleEffect))
        for kinds in owned
    )


def oldest_first(taken: Taken) -> Violations:
    """The sessions of an owner that left in another order than newest first (OWN-3)."""
    if not _several_go(taken):
        return HOLDS
    gone = [each.session for each in heard(taken, "session/disposed")]
    for owner in _going(taken):
        entries = _sessions_of(taken.before, owner)
        sessions = [taken.before.session_entries[entry].session for entry in reversed(entries)]
        if [each for each in gone if each in sessions] != [s for s in sessions if s in gone]:
            return (f"the sessions of owner {owner} left in the order {gone}",)
    return HOLDS


def _several_go(taken: Taken) -> bool:
    """Whether an owner with several sessions is disposed of, and nobody else does anything."""
    alone = isinstance(taken.command, DisposeOwner) and len(mentioned(taken)) == 1
    return alone and any(len(_sessions_of(taken.before, n)) > 1 for n in _going(taken))


def settled_before_over(taken: Taken) -> Violations:
    """The disposals of owners that settled while what they had begun was not over (OWN-3)."""
    return tuple(
        f"{each.operation} settles while {agent_name(taken.after, agent)} is live"
        for each, owner in _disposals(taken)
        for number in _begun_by(taken, owner)
        if (agent := taken.after.transactions[number].agent) in each.live.agents
        if own_entries_only(AGENTS, taken, agent)
    )


def _disposals(taken: Taken) -> Iterator[tuple[Settled, int]]:
    """The disposals of owners that settled in the step, each with its owner."""
    awaited = {
        operation: number
        for number, row in enumerate(taken.before.owners.rows)
        if row.kind == "plugin"
        for operation in row.disposes
    }
    match plain(taken.command):
        case DisposeOwner(handle, name) if _is_only_one(taken):
            ref = referent(taken.before, name)
            if isinstance(ref, OwnerRef) and taken.before.owners[ref.number].stage == "active":
                awaited[handle] = ref.number
        case _:
            pass
    for each in taken.run.seen:
        if isinstance(each, Settled) and each.outcome == Done() and each.operation in awaited:
            yield each, awaited[each.operation]


def _is_only_one(taken: Taken) -> bool:
    """Whether nothing else in the step can end an agent: what others began is not waited for."""
    ends = (Abort, Dispose, DisposeFactory, DisposeOwner)
    return sum(isinstance(each, ends) for each in mentioned(taken)) == 1


def _begun_by(taken: Taken, owner: int) -> Iterator[int]:
    """The transactions whose teardown an owner, or an owner below it, began to wait for."""
    yield from _agents_of(taken.before, owner)
    row = taken.before.owners[owner]
    for each in row.waits if row.stage == "unloading" else row.effects:
        if isinstance(each, OwnerEffect):
            yield from _begun_by(taken, each.owner)


def _busy_was_waited_for(taken: Taken) -> bool:
    return any(
        True
        for _, owner in _disposals(taken)
        if taken.before.owners[owner].stage == "unloading"
        for _ in _begun_by(taken, owner)
    )


def publication_cut_short(taken: Taken) -> Violations:
    """The publications that the disposal of their owner cut short, or outlived (OWN-3)."""
    return tuple(
        f"{taken.after.transactions[number].operation} {text}"
        for number in _owner_disposed_in_publication(taken)
        for text in cut_short(taken, number, "OWNER_DISPOSED")
    )


def cut_short(taken: Taken, number: int, code: str) -> Violations:
    """What is wrong with a creation that was to be published and then taken back."""
    outcome, row = came_of(taken, number), taken.after.transactions[number]
    wrong = (
        (outcome is not None and code in codes(outcome), "is not published to its end"),
        (row.stage in BEFORE_TEARDOWN, f"is {row.stage} after all"),
    )
    return tuple(text for is_wrong, text in wrong if is_wrong)


def _owner_disposed_in_publication(taken: Taken) -> Iterator[int]:
    """The transactions whose owner was disposed of inside an event of their publication."""
    for doing in doings(taken):
        match doing.action:
            case DisposeOwner(_, name) if doing.outcome == Started():
                ref = referent(taken.before, name)
            case _:
                continue
        for number in published_in(taken, doing.inside):
            owner = taken.after.transactions[number].owner
            if isinstance(ref, OwnerRef) and ref.number == owner:
                yield number


def published_in(taken: Taken, inside: tuple[Heard, ...]) -> Iterator[int]:
    """The transactions of which one of these events is part of the publication."""
    for number in range(len(taken.after.transactions)):
        begins = is_new(taken, number) or is_under_way(taken, number)
        if begins and any(publishes(taken, number, event) for event in inside):
            yield number


def _disposed_in_publication(taken: Taken) -> bool:
    return any(True for _ in _owner_disposed_in_publication(taken))


def made_through_inactive(taken: Taken) -> Violations:
    """What was made, or seen, although whoever was to own it goes or is gone (OWN-5)."""
    handle = _through_inactive(taken)
    if handle is None:
        return HOLDS
    before, after = taken.before, taken.after
    outcome = outcome_of(taken, handle) or taken.run.outcome
    wrong = (
        (len(after.sessions) > len(before.sessions), "a session is made"),
        (len(after.transactions) > len(before.transactions), "an agent is made"),
        (len(after.owners) > len(before.owners), "an owner is made"),
        (not all(isinstance(each, Settled) for each in taken.run.seen), "something is seen"),
        (not isinstance(outcome, Refusal), "it is not refused"),
    )
    return tuple(f"through an inactive owner: {text}" for is_wrong, text in wrong if is_wrong)


def _through_inactive(taken: Taken) -> str | None:
    """The handle of what the command asks for through an owner that is not active, if it does."""
    match plain(taken.command):
        case (
            Create(handle, owner=str(name))
            | CreateAgent(handle, owner=str(name))
            | NewOwner(handle, owner=str(name))
        ):
            owner = owner_meant(taken.before, name)
            inactive = owner is not None and taken.before.owners[owner].stage != "active"
            return handle if inactive else None
        case _:
            return None


def _is_made_through_inactive(taken: Taken) -> bool:
    return _through_inactive(taken) is not None


OWNERS = (
    Law(
        "nothing of an owner that is gone remains once every gate is open",
        ("OWN-3",),
        Eventually(outlives_owner, _some_owner_went),
    ),
    Law(
        "an owner that goes takes along what was made through it",
        ("OWN-3",),
        AtEveryStep(left_by_owner, _owned_goes),
    ),
    Law(
        "the sessions of an owner leave newest first",
        ("OWN-3",),
        AtEveryStep(oldest_first, _several_go),
    ),
    Law(
        "the disposal of an owner waits for the agents that it takes back",
        ("OWN-3",),
        AtEveryStep(settled_before_over, _busy_was_waited_for),
    ),
    Law(
        "an owner disposed of inside a publication lets it finish and then takes the agent back",
        ("OWN-3",),
        AtEveryStep(publication_cut_short, _disposed_in_publication),
    ),
    Law(
        "nothing is made through an owner that is not active",
        ("OWN-5",),
        AtEveryStep(made_through_inactive, _is_made_through_inactive),
    ),
)
