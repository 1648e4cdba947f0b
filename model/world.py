"""The world: everything about DSH and its client that can still be observed.

Objects live in tables and are named by their place there. A table only grows during a step;
`model.canonical` drops what nobody can reach any more and renumbers the rest.
"""

from dataclasses import dataclass, field, replace
from typing import Generic, Literal, TypeVar

from model.command import Commit, EventName, Name, Returns, Script, Single, Throws
from model.design import DSH, Design
from model.header import Header
from model.log import Log
from model.observation import Live
from model.refusal import Refusal

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Table(Generic[Row]):
    """Rows of one kind of object, named by their place."""

    rows: tuple[Row, ...] = ()

    def __getitem__(self, number: int) -> Row:
        """Read one row."""
        return self.rows[number]

    def __len__(self) -> int:
        """Count the rows; the next row that is added gets this number."""
        return len(self.rows)

    def put(self, number: int, row: Row) -> "Table[Row]":
        """Replace one row."""
        return Table((*self.rows[:number], row, *self.rows[number + 1 :]))

    def add(self, row: Row) -> "Table[Row]":
        """Add one row at the end."""
        return Table((*self.rows, row))


@dataclass(frozen=True, slots=True)
class Session:
    """One session object, entered or not."""

    header: Header
    log: Log = ()
    first_live_seq: int = 0

    @property
    def id(self) -> str:
        """The session's id: the header's single copy (HDR-3)."""
        return self.header.id


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """One entering of a session into the store, from enter to detach.

    `scope` is the agent through whose context it was entered, if any. `detach_called` is the
    single shot of the detach capability (STO-6), `detach_owed` a detach that waits for the
    entry's own dispatch to unwind (STO-7).
    """

    session: int
    scope: int | None = None
    announced: bool = False
    announcing: bool = False
    appending: bool = False
    detach_called: bool = False
    detach_owed: bool = False


@dataclass(frozen=True, slots=True)
class Occupation:
    """Work that keeps an agent busy until a gate opens (RBK-8)."""

    operation: Name
    gate: Name


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent object, entered or not; `transaction` is the one that made it."""

    id: str
    session: int
    transaction: int | None = None
    work: Occupation | None = None


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """One entering of an agent into the registry, from enter to detach."""

    agent: int
    owner: int | None = None
    announced: bool = False
    announcing: bool = False
    detach_called: bool = False
    detach_owed: bool = False


Stage = Literal[
    "setting-up",
    "set-up",
    "publishing",
    "live",
    "draining",
    "tearing-down",
    "unwinding",
    "gone",
]


@dataclass(frozen=True, slots=True)
class Transaction:
    """One creation of an agent with its session, from prepare to the end of its teardown.

    `commit` is what its setup returned, until it has run. `watched` says that a setup made the
    unwinding of the scope observable, `calling` that it has been called and has not returned.
    `aborted` is what the next liveness check fails with. `position` is the next step of the
    teardown program, `disposes` are the operations that await the teardown, `failure` is what the
    creation itself settles with once it is rolled back. `returned` says that the caller has a
    handle before the publication, which only other designs do. `scope` and `owner` are owners: the
    one that the agent's context is, and the one that the creation was asked for through.
    `acts_on` is how the setup ended, as long as the creation has not acted on it.
    """

    operation: Name
    agent: int
    scope: int
    factory: int = 0
    owner: int | None = None
    configured: bool = False
    stage: Stage = "setting-up"
    commit: Commit | None = None
    watched: bool = False
    aborted: Refusal | None = None
    session_entry: int | None = None
    agent_entry: int | None = None
    position: int = 0
    disposes: tuple[Name, ...] = ()
    failure: Refusal | None = None
    returned: bool = False
    calling: bool = False
    acts_on: Literal["nothing", "success", "failure"] = "nothing"


@dataclass(frozen=True, slots=True)
class DetachEffect:
    """An owner's session creation: disposing of it detaches the entry (STO-9)."""

    entry: int


@dataclass(frozen=True, slots=True)
class LifecycleEffect:
    """An owner's agent: disposing of it tears the agent down (OWN-3)."""

    transaction: int


@dataclass(frozen=True, slots=True)
class ListenerEffect:
    """A scope's listener: disposing of it removes the listener (RBK-1)."""

    name: Name


@dataclass(frozen=True, slots=True)
class UnwindEffect:
    """What a setup registered to see its scope unwound (RBK-2)."""

    transaction: int


@dataclass(frozen=True, slots=True)
class OwnerEffect:
    """An owner loaded under another: disposing of it unloads the owner (OWN-3)."""

    owner: int


@dataclass(frozen=True, slots=True)
class AgentsEffect:
    """The factory's agents: disposing of it tears all of them down (OWN-4)."""


@dataclass(frozen=True, slots=True)
class SlotEffect:
    """A registered factory: disposing of it clears the registry's slot (OWN-6)."""


Effect = (
    DetachEffect
    | LifecycleEffect
    | ListenerEffect
    | UnwindEffect
    | OwnerEffect
    | AgentsEffect
    | SlotEffect
)


@dataclass(frozen=True, slots=True)
class Owner:
    """Something that owns what is made through it: a plugin, an agent's scope, or the factory.

    `effects` are what it owns, in order of registration; `waits` are those whose disposal is not
    over. `parent` is the owner that it was loaded under, `agent` the agent whose context it is or
    derives from, `disposes` are the operations that await its unloading.
    """

    kind: Literal["plugin", "scope", "factory"] = "plugin"
    parent: int | None = None
    agent: int | None = None
    stage: Literal["active", "unloading", "gone"] = "active"
    effects: tuple[Effect, ...] = ()
    waits: tuple[Effect, ...] = ()
    disposes: tuple[Name, ...] = ()


FACTORY = Owner("factory", effects=(AgentsEffect(), SlotEffect()))
"""An agent factory as it is loaded."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """A session bound to a release that runs once (RBK-6)."""

    session: int
    released: bool = False


@dataclass(frozen=True, slots=True)
class Listener:
    """A registered listener and what is left of its script's runs.

    One that is removed during a dispatch stays until the step ends: the dispatch may still call
    it.
    """

    name: Name
    event: EventName
    script: Script
    times: int
    scope: int | None = None
    registered: bool = True


@dataclass(frozen=True, slots=True)
class FlushSlot:
    """One listener's part in a flush: waiting, or over with a failure or without."""

    waiting: bool = False
    failure: Refusal | None = None


@dataclass(frozen=True, slots=True)
class PendingFlush:
    """A flush that has not settled."""

    operation: Name
    slots: tuple[FlushSlot, ...]


@dataclass(frozen=True, slots=True)
class ForNobody:
    """Nobody waits for the script: its late failure is ignored (STO-5)."""


@dataclass(frozen=True, slots=True)
class ForSetup:
    """A transaction waits for its setup."""

    transaction: int


@dataclass(frozen=True, slots=True)
class ForFlush:
    """A flush waits for the listener in this slot."""

    operation: Name
    slot: int


Awaiter = ForNobody | ForSetup | ForFlush


@dataclass(frozen=True, slots=True)
class Subject:
    """What `@session` and `@agent` mean in a script."""

    session: int | None = None
    agent: int | None = None


NO_SUBJECT = Subject()


@dataclass(frozen=True, slots=True)
class Suspended:
    """A script that waits at a gate; the rest of it runs when the gate opens."""

    by: Name
    gate: Name
    actions: tuple[Single, ...]
    then: Returns | Throws
    awaiter: Awaiter
    subject: Subject


@dataclass(frozen=True, slots=True)
class Pending:
    """The handle is the name of an operation that has not settled."""

    creation: bool = False


@dataclass(frozen=True, slots=True)
class SessionRef:
    """The handle is a session."""

    number: int


@dataclass(frozen=True, slots=True)
class SessionEntryRef:
    """The handle is the detach of a session entry, or of one that is spent and gone."""

    number: int | None


@dataclass(frozen=True, slots=True)
class AgentRef:
    """The handle is a bare agent, and stands for its session."""

    number: int


@dataclass(frozen=True, slots=True)
class AgentEntryRef:
    """The handle is the detach of an agent entry, or of one that is spent and gone."""

    number: int | None


@dataclass(frozen=True, slots=True)
class TransactionRef:
    """The handle is a published transaction; it stands for its agent and its session."""

    number: int


@dataclass(frozen=True, slots=True)
class PreparationRef:
    """The handle is a scoped preparation."""

    number: int


@dataclass(frozen=True, slots=True)
class OwnerRef:
    """The handle is an owner that the client loaded."""

    number: int


@dataclass(frozen=True, slots=True)
class ListenerRef:
    """The handle is a registered listener."""

    number: int


Referent = (
    Pending
    | SessionRef
    | SessionEntryRef
    | AgentRef
    | AgentEntryRef
    | TransactionRef
    | PreparationRef
    | OwnerRef
    | ListenerRef
)


def _one_factory() -> Table[Owner]:
    return Table((FACTORY,))


@dataclass(frozen=True, slots=True)
class World:
    """One state of the model. Equal worlds compare and hash equal.

    `store` and `registry` hold the numbers of the live entries, in entry order (STO-11, REG-9).
    `minted` counts the ids that the store has minted. `bindings` are sorted by handle, `gates`
    are those that are open, sorted. `slot` is the owner whose factory is registered, if any; owner
    0 is the one that a reset loads. `reserved` are ids that only other designs hold back.
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
