"""Canonical worlds: what nobody can reach or tell apart any more is gone, the rest renumbered.

`purged` is part of every step and keeps numbers; `canonical` is for exploring, where two worlds
that no client can tell apart have to be equal.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from model.command import Script
from model.reachable import Places, reachable
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
    LoadEffect,
    Owner,
    OwnerEffect,
    Preparation,
    Session,
    SessionEntry,
    Subject,
    Suspended,
    Table,
    Transaction,
    UnwindEffect,
)
from model.stored import Loading, Storage, Stream
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


def canonical(world: World) -> World:
    """The smallest world that no client can tell from this one."""
    world = settled(world)
    at = reachable(world)
    return World(
        sessions=_moved(world.sessions, at.sessions, _session, at),
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
        disk=tuple((name, replace(log, by=0)) for name, log in world.disk),
        storage=None if world.storage is None else _storage(world.storage, at),
        loads=_moved(world.loads, at.loads, _load, at),
        launcher=world.launcher,
        configured=world.configured,
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
        leads = row.kind == "scope" and row.parent is not None
        parent = row.parent if leads and world.owners[row.parent or 0].stage != "gone" else None
        return Owner(row.kind, parent=parent, agent=row.agent, stage="gone")
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


def _moved(
    table: Table[Row],
    places: dict[int, int],
    move: Callable[[Row, Places], Row],
    at: Places,
) -> Table[Row]:
    return Table(tuple(move(table[number], at) for number in places))


def _session(row: Session, at: Places) -> Session:
    """A session; of one that was loaded it is forgotten which object was stored first."""
    del at
    return row if row.first is None else replace(row, first=0)


def _storage(storage: Storage, at: Places) -> Storage:
    """What the persistence remembers; in which order it began to store makes no difference."""
    streams = (replace(each, session=at.sessions[each.session]) for each in storage.streams)
    prepared = tuple(
        each if each.session is None else replace(each, session=at.sessions[each.session])
        for each in storage.prepared
    )
    return Storage(tuple(sorted(streams, key=_number)), prepared)


def _number(stream: Stream) -> int:
    return stream.session


def _load(row: Loading, at: Places) -> Loading:
    owner = None if row.owner is None else at.owners[row.owner]
    return replace(row, owner=owner, factory=at.owners.get(row.factory, 0))


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
        case LoadEffect(number):
            return LoadEffect(at.loads[number])
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
