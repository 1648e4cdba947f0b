"""Reachability: the rows of a world that can still make a difference."""

from dataclasses import dataclass, field

from model.referents import (
    AgentEntryRef,
    AgentRef,
    OwnerRef,
    PreparationRef,
    Referent,
    SessionEntryRef,
    SessionRef,
    TransactionRef,
)
from model.rows import (
    DetachEffect,
    LifecycleEffect,
    Owner,
    OwnerEffect,
    Suspended,
    Transaction,
    UnwindEffect,
)
from model.world import World


@dataclass(frozen=True, slots=True)
class Places:
    """The rows that are kept, in their new order, per table: old number to new number."""

    sessions: dict[int, int] = field(default_factory=dict)
    session_entries: dict[int, int] = field(default_factory=dict)
    agents: dict[int, int] = field(default_factory=dict)
    agent_entries: dict[int, int] = field(default_factory=dict)
    transactions: dict[int, int] = field(default_factory=dict)
    preparations: dict[int, int] = field(default_factory=dict)
    owners: dict[int, int] = field(default_factory=dict)
    loads: dict[int, int] = field(default_factory=dict)


def reachable(world: World) -> Places:
    """Find the rows that can still make a difference, in the order in which roots lead to them."""
    found = Places()
    for number in kept_factories(world):
        _reach(world, found, OwnerRef(number))
    if world.slot is not None:
        _reach(world, found, OwnerRef(world.slot))
    for _, ref in world.bindings:
        _reach(world, found, ref)
    for entry in world.store:
        _reach(world, found, SessionEntryRef(entry))
    for entry in world.registry:
        _reach(world, found, AgentEntryRef(entry))
    for listener in world.listeners.rows:
        if listener.scope is not None:
            _reach(world, found, AgentRef(listener.scope))
    for each in world.suspended:
        _reach_subject(world, found, each)
    rows = enumerate(world.agents.rows)
    for _, number in sorted((row.work.operation, n) for n, row in rows if row.work is not None):
        _reach(world, found, AgentRef(number))
    under_way = (n for n, row in enumerate(world.transactions.rows) if row.stage != "gone")
    for number in sorted(under_way, key=lambda n: world.transactions[n].operation):
        _reach(world, found, TransactionRef(number))
    _reach_storage(world, found)
    return found


def _reach_storage(world: World, found: Places) -> None:
    """Keep the loads under way, and the sessions that the persistence remembers."""
    loads = (n for n, row in enumerate(world.loads.rows) if row.stage != "over")
    for number in sorted(loads, key=lambda n: world.loads[n].operation):
        _new(found.loads, number)
        owner = world.loads[number].owner
        if owner is not None:
            _reach(world, found, OwnerRef(owner))
    if world.storage is None:
        return
    for entry in world.storage.prepared:
        if entry.session is not None:
            _reach(world, found, SessionRef(entry.session))
    for stream in sorted(world.storage.streams, key=lambda s: world.sessions[s.session].id):
        _reach(world, found, SessionRef(stream.session))


def kept_factories(world: World) -> tuple[int, ...]:
    """The factories that still matter: those that are not gone, and the one loaded last."""
    factories = [number for number, row in enumerate(world.owners.rows) if row.kind == "factory"]
    return tuple(
        number
        for number in factories
        if world.owners[number].stage != "gone" or number == factories[-1]
    )


def _reach_subject(world: World, found: Places, script: Suspended) -> None:
    if script.subject.session is not None:
        _reach(world, found, SessionRef(script.subject.session))
    if script.subject.agent is not None:
        _reach(world, found, AgentRef(script.subject.agent))


def _reach(world: World, found: Places, ref: Referent) -> None:
    """Keep a row and the rows that it leads to."""
    match ref:
        case SessionRef(number):
            _new(found.sessions, number)
        case SessionEntryRef(int(number)):
            if _new(found.session_entries, number):
                _reach(world, found, SessionRef(world.session_entries[number].session))
        case AgentRef(number):
            if _new(found.agents, number):
                agent = world.agents[number]
                _reach(world, found, SessionRef(agent.session))
                if agent.transaction is not None:
                    _reach(world, found, TransactionRef(agent.transaction))
        case AgentEntryRef(int(number)):
            if _new(found.agent_entries, number):
                entry = world.agent_entries[number]
                _reach(world, found, AgentRef(entry.agent))
                if entry.owner is not None:
                    _reach(world, found, AgentRef(entry.owner))
        case TransactionRef(number):
            if _new(found.transactions, number):
                _reach_transaction(world, found, world.transactions[number])
        case OwnerRef(number):
            if _new(found.owners, number):
                _reach_owner(world, found, world.owners[number])
        case PreparationRef(number):
            if _new(found.preparations, number):
                _reach(world, found, SessionRef(world.preparations[number].session))
        case _:
            return


def _reach_owner(world: World, found: Places, row: Owner) -> None:
    for effect in (*row.effects, *row.waits):
        match effect:
            case DetachEffect(number):
                _reach(world, found, SessionEntryRef(number))
            case LifecycleEffect(number) | UnwindEffect(number):
                _reach(world, found, TransactionRef(number))
            case OwnerEffect(number):
                _reach(world, found, OwnerRef(number))
            case _:
                continue
    if row.parent is not None:
        _reach(world, found, OwnerRef(row.parent))
    if row.agent is not None:
        _reach(world, found, AgentRef(row.agent))


def _reach_transaction(world: World, found: Places, row: Transaction) -> None:
    _reach(world, found, AgentRef(row.agent))
    _reach(world, found, OwnerRef(row.scope))
    if row.owner is not None and row.stage != "gone":
        _reach(world, found, OwnerRef(row.owner))
    _reach(world, found, SessionEntryRef(row.session_entry))
    _reach(world, found, AgentEntryRef(row.agent_entry))


def _new(places: dict[int, int], number: int) -> bool:
    if number in places:
        return False
    places[number] = len(places)
    return True
