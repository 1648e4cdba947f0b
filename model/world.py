"""The world: everything about DSH and its client that can still be observed.

Objects live in tables and are named by their place there. A table only grows during a step;
`model.canonical` drops what nobody can reach any more and renumbers the rest.
"""

from dataclasses import dataclass, field, replace

from model.design import DSH, Design
from model.observation import Live
from model.owner_command import Identity
from model.referents import Referent
from model.rows import (
    FACTORY,
    Agent,
    AgentEntry,
    Listener,
    Owner,
    PendingFlush,
    Preparation,
    Session,
    SessionEntry,
    Suspended,
    Table,
    Transaction,
)
from model.session_command import Name
from model.stored import Disk, Loading, Storage


def _one_factory() -> Table[Owner]:
    return Table((FACTORY,))


@dataclass(frozen=True, slots=True)
class World:
    """One state of the model. Equal worlds compare and hash equal.

    `store` and `registry` hold the numbers of the live entries, in entry order (STO-11, REG-9).
    `minted` counts the ids that the store has minted. `bindings` are sorted by handle, `gates`
    are those that are open, sorted. `slot` is the owner whose factory is registered, if any; owner
    0 is the one that a reset loads. `reserved` are ids that only other designs hold back. `disk` is
    what outlives the process, `storage` the memory of its persistence, where it has one. `launcher`
    are the identities that the process was started with, `configured` counts those it made up.
    """

    sessions: Table[Session] = field(default_factory=Table)
    session_entries: Table[SessionEntry] = field(default_factory=Table)
    store: tuple[int, ...] = ()
    agents: Table[Agent] = field(default_factory=Table)
    agent_entries: Table[AgentEntry] = field(default_factory=Table)
    registry: tuple[int, ...] = ()
    transactions: Table[Transaction] = field(default_factory=Table)
    preparations: Table[Preparation] = field(default_factory=Table)
    listeners: Table[Listener] = field(default_factory=Table)
    flushes: tuple[PendingFlush, ...] = ()
    suspended: tuple[Suspended, ...] = ()
    gates: tuple[Name, ...] = ()
    bindings: tuple[tuple[Name, Referent], ...] = ()
    minted: int = 0
    owners: Table[Owner] = field(default_factory=_one_factory)
    slot: int | None = 0
    reserved: tuple[str, ...] = ()
    disk: Disk = ()
    storage: Storage | None = None
    loads: Table[Loading] = field(default_factory=Table)
    launcher: tuple[Identity, ...] = ()
    configured: int = 0


def initial() -> World:
    """The empty world after a reset: two empty collections and the listener `watch`."""
    return World()


def live(world: World, design: Design = DSH) -> Live:
    """What both collections list at this moment (STO-11, REG-9)."""
    sessions = tuple(world.session_entries[entry].session for entry in world.store)
    agents = tuple(world.agent_entries[entry].agent for entry in world.registry)
    return Live(
        sessions=sessions if design.sessions.listing == "entry-order" else sessions[::-1],
        agents=agents if design.agents.listing == "entry-order" else agents[::-1],
    )


def session_entry_with_id(world: World, session_id: str) -> int | None:
    """The live session entry that holds an id, if any (STO-11)."""
    for entry in world.store:
        if world.sessions[world.session_entries[entry].session].id == session_id:
            return entry
    return None


def session_entry_of(world: World, session: int) -> int | None:
    """The live entry of this very session, if any (STO-4)."""
    entries = (entry for entry in world.store if world.session_entries[entry].session == session)
    return next(entries, None)


def agent_entry_with_id(world: World, agent_id: str) -> int | None:
    """The live agent entry that holds an id, if any (REG-9)."""
    for entry in world.registry:
        if world.agents[world.agent_entries[entry].agent].id == agent_id:
            return entry
    return None


def agent_entry_of(world: World, agent: int) -> int | None:
    """The live entry of this very agent, if any (REG-4)."""
    entries = (entry for entry in world.registry if world.agent_entries[entry].agent == agent)
    return next(entries, None)


def referent(world: World, handle: Name) -> Referent | None:
    """What a handle means, or None where it is not bound."""
    return next((ref for name, ref in world.bindings if name == handle), None)


def bound(world: World, handle: Name, ref: Referent) -> World:
    """The world in which the handle means this."""
    others = (binding for binding in world.bindings if binding[0] != handle)
    return replace(world, bindings=tuple(sorted((*others, (handle, ref)), key=_handle)))


def unbound(world: World, handle: Name) -> World:
    """The world in which the handle means nothing."""
    return replace(world, bindings=tuple(b for b in world.bindings if b[0] != handle))


def _handle(binding: tuple[Name, Referent]) -> Name:
    return binding[0]


def with_session(world: World, number: int, session: Session) -> World:
    """The world with one session replaced."""
    return replace(world, sessions=world.sessions.put(number, session))


def with_session_entry(world: World, number: int, entry: SessionEntry) -> World:
    """The world with one session entry replaced."""
    return replace(world, session_entries=world.session_entries.put(number, entry))


def with_agent(world: World, number: int, agent: Agent) -> World:
    """The world with one agent replaced."""
    return replace(world, agents=world.agents.put(number, agent))


def with_agent_entry(world: World, number: int, entry: AgentEntry) -> World:
    """The world with one agent entry replaced."""
    return replace(world, agent_entries=world.agent_entries.put(number, entry))


def with_transaction(world: World, number: int, transaction: Transaction) -> World:
    """The world with one transaction replaced."""
    return replace(world, transactions=world.transactions.put(number, transaction))


def with_owner(world: World, number: int, owner: Owner) -> World:
    """The world with one owner replaced."""
    return replace(world, owners=world.owners.put(number, owner))
