"""Canonical worlds: what nobody can reach or tell apart any more is gone, the rest renumbered.

`purged` is part of every step and keeps numbers; `canonical` is for exploring, where two worlds
that no client can tell apart have to be equal.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from model.command import Script
from model.referents import (
    AgentEntryRef,
    AgentRef,
    ListenerRef,
    OwnerRef,
    PreparationRef,
    Referent,
    SessionEntryRef,
    SessionRef,
    TransactionRef,
)
from model.rows import (
    Agent,
    AgentEntry,
    DetachEffect,
    Effect,
    ForNobody,
    ForSetup,
    LifecycleEffect,
    Listener,
    Owner,
    OwnerEffect,
    Preparation,
    SessionEntry,
    Subject,
    Suspended,
    Table,
    Transaction,
    UnwindEffect,
)
from model.world import World

Row = TypeVar("Row")

SILENT = Script()


def purged(world: World) -> World:
    """Drop removed listeners at the end of a step: no dispatch can still call them."""
    kept = [number for number, each in enumerate(world.listeners.rows) if each.registered]
    if len(kept) == len(world.listeners):
        return world
    place = {number: index for index, number in enumerate(kept)}
    bindings = tuple(
        (name, ListenerRef(place[ref.number])) if isinstance(ref, ListenerRef) else (name, ref)
        for name, ref in world.bindings
    )
    rows = tuple(world.listeners[number] for number in kept)
    return replace(world, listeners=Table(rows), bindings=bindings)


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


def canonical(world: World) -> World:
    """The smallest world that no client can tell from this one."""
    world = settled(world)
    at = reachable(world)
    return World(
        sessions=_kept(world.sessions, at.sessions),
        session_entries=_moved(world.session_entries, at.session_entries, _session_entry, at),
        store=tuple(at.session_entries[entry] for entry in world.store),
        agents=_moved(world.agents, at.agents, _agent, at),
        agent_entries=_moved(world.agent_entries, at.agent_entries, _agent_entry, at),
        registry=tuple(at.agent_entries[entry] for entry in world.registry),
        transactions=_moved(world.transactions, at.transactions, _transaction, at),
        preparations=_moved(world.preparations, at.preparations, _preparation, at),
        listeners=Table(tuple(_listener(row, at) for row in world.listeners.rows)),
        flushes=world.flushes,
        suspended=tuple(_suspended(each, at) for each in world.suspended),
        gates=world.gates,
        bindings=tuple((name, _referent(ref, at)) for name, ref in world.bindings),
        minted=world.minted,
        owners=_moved(world.owners, at.owners, _owner, at),
        slot=None if world.slot is None else at.owners[world.slot],
        reserved=world.reserved,
    )


def settled(world: World) -> World:
    """Forget what is over: spent detaches, scripts that only wait, how a transaction went."""
    transactions = tuple(
        Transaction("", row.agent, row.scope, configured=row.configured, stage="gone")
        if row.stage == "gone"
        else row
        for row in world.transactions.rows
    )
    owners = tuple(_settled_owner(world, row) for row in world.owners.rows)
    bindings = tuple((name, _spent(world, ref)) for name, ref in world.bindings)
    return replace(
        world,
        transactions=Table(transactions),
        owners=Table(owners),
        suspended=tuple(each for each in world.suspended if _does_something(each)),
        bindings=bindings,
    )


def _does_something(script: Suspended) -> bool:
    """Whether anything comes of a script when its gate opens: it acts, or somebody waits for it."""
    return bool(script.actions) or not isinstance(script.awaiter, ForNobody)


def _settled_owner(world: World, row: Owner) -> Owner:
    """What is left of an owner: one that is gone owns nothing, and a spent detach is nothing."""
    if row.stage == "gone":
        return Owner(row.kind, agent=row.agent, stage="gone")
    effects = tuple(
        effect
        for effect in row.effects
        if not (isinstance(effect, DetachEffect) and effect.entry not in world.store)
    )
    return replace(row, effects=effects)


def _spent(world: World, ref: Referent) -> Referent:
    match ref:
        case SessionEntryRef(int(number)) if number not in world.store:
            return SessionEntryRef(None) if world.session_entries[number].detach_called else ref
        case AgentEntryRef(int(number)) if number not in world.registry:
            return AgentEntryRef(None) if world.agent_entries[number].detach_called else ref
        case _:
            return ref


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
    return found


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


def _kept(table: Table[Row], places: dict[int, int]) -> Table[Row]:
    return Table(tuple(table[number] for number in places))


def _moved(
    table: Table[Row],
    places: dict[int, int],
    move: Callable[[Row, Places], Row],
    at: Places,
) -> Table[Row]:
    return Table(tuple(move(table[number], at) for number in places))


def _session_entry(row: SessionEntry, at: Places) -> SessionEntry:
    scope = None if row.scope is None else at.agents.get(row.scope)
    return replace(row, session=at.sessions[row.session], scope=scope)


def _agent(row: Agent, at: Places) -> Agent:
    transaction = None if row.transaction is None else at.transactions[row.transaction]
    return replace(row, session=at.sessions[row.session], transaction=transaction)


def _agent_entry(row: AgentEntry, at: Places) -> AgentEntry:
    owner = None if row.owner is None else at.agents[row.owner]
    return replace(row, agent=at.agents[row.agent], owner=owner)


def _transaction(row: Transaction, at: Places) -> Transaction:
    session = None if row.session_entry is None else at.session_entries[row.session_entry]
    agent = None if row.agent_entry is None else at.agent_entries[row.agent_entry]
    return replace(
        row,
        agent=at.agents[row.agent],
        scope=at.owners[row.scope],
        factory=at.owners.get(row.factory, 0),
        owner=None if row.owner is None else at.owners[row.owner],
        session_entry=session,
        agent_entry=agent,
    )


def _owner(row: Owner, at: Places) -> Owner:
    return replace(
        row,
        parent=None if row.parent is None else at.owners[row.parent],
        agent=None if row.agent is None else at.agents[row.agent],
        effects=tuple(_effect(effect, at) for effect in row.effects),
        waits=tuple(_effect(effect, at) for effect in row.waits),
    )


def _effect(effect: Effect, at: Places) -> Effect:
    match effect:
        case DetachEffect(number):
            return DetachEffect(at.session_entries[number])
        case LifecycleEffect(number):
            return LifecycleEffect(at.transactions[number])
        case UnwindEffect(number):
            return UnwindEffect(at.transactions[number])
        case OwnerEffect(number):
            return OwnerEffect(at.owners[number])
        case _:
            return effect


def _preparation(row: Preparation, at: Places) -> Preparation:
    return replace(row, session=at.sessions[row.session])


def _listener(row: Listener, at: Places) -> Listener:
    """A listener in its new place; one that has nothing more to do only watches."""
    watches = row.times == 0 or row.script == SILENT
    row = replace(row, script=SILENT, times=0) if watches else row
    return row if row.scope is None else replace(row, scope=at.agents[row.scope])


def _suspended(row: Suspended, at: Places) -> Suspended:
    session = None if row.subject.session is None else at.sessions[row.subject.session]
    agent = None if row.subject.agent is None else at.agents[row.subject.agent]
    awaiter = row.awaiter
    if isinstance(awaiter, ForSetup):
        awaiter = ForSetup(at.transactions[awaiter.transaction])
    return replace(row, subject=Subject(session, agent), awaiter=awaiter)


def _referent(ref: Referent, at: Places) -> Referent:
    match ref:
        case SessionRef(number):
            return SessionRef(at.sessions[number])
        case SessionEntryRef(int(number)):
            return SessionEntryRef(at.session_entries[number])
        case AgentRef(number):
            return AgentRef(at.agents[number])
        case AgentEntryRef(int(number)):
            return AgentEntryRef(at.agent_entries[number])
        case TransactionRef(number):
            return TransactionRef(at.transactions[number])
        case OwnerRef(number):
            return OwnerRef(at.owners[number])
        case PreparationRef(number):
            return PreparationRef(at.preparations[number])
        case _:
            return ref
