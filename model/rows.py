"""The rows of the world's tables: every kind of object, what scripts wait for, what handles mean.

An object is named by its place in its table; a row that mentions another holds that number.
"""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from model.command import Commit, EventName, Returns, Script, Single, Throws
from model.header import Header
from model.log import Log
from model.refusal import Refusal
from model.session_command import Name
from model.stored import Start

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
    """One session object, entered or not.

    `first` is the session object that was stored under this id first, where this one was loaded.
    """

    header: Header
    log: Log = ()
    first_live_seq: int = 0
    first: int | None = None

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
    one that the agent's context is, and the one that the creation was asked for through. `resumes`
    says that its session was stored, `start` that
    it is a configured agent's.
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
    resumes: bool = False
    start: Start | None = None
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


@dataclass(frozen=True, slots=True)
class LoadEffect:
    """An owner's load of a stored session: disposing of it gives the load up (RES-6)."""

    load: int


Effect = (
    DetachEffect
    | LoadEffect
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
    derives from, `disposes` are the operations that await its unloading, `failure` is why a factory
    is unloaded that could not be loaded.
    """

    kind: Literal["plugin", "scope", "factory"] = "plugin"
    parent: int | None = None
    agent: int | None = None
    stage: Literal["active", "unloading", "gone"] = "active"
    effects: tuple[Effect, ...] = ()
    waits: tuple[Effect, ...] = ()
    disposes: tuple[Name, ...] = ()
    failure: Refusal | None = None


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
