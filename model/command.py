"""Commands: everything that a client can ask for, one per operation of the protocol.

A *handle* is the name that the client gives to what it got back; a later command uses it to
mean that very object. Inside a listener `@session` and `@agent` mean the objects of the event
being dispatched, inside a setup those of the transaction.
"""

from dataclasses import dataclass
from typing import Literal

from model.values import Value

Name = str

EventName = Literal[
    "session/created",
    "session/event",
    "session/disposed",
    "session/flush",
    "agent/created",
    "agent/disposed",
    "agent/session-start",
]


@dataclass(frozen=True, slots=True)
class Returns:
    """The script ends without a failure."""


@dataclass(frozen=True, slots=True)
class Throws:
    """The script throws an error that carries the tag."""

    tag: str


@dataclass(frozen=True, slots=True)
class Rejects:
    """The script returns a promise that rejects with an error that carries the tag."""

    tag: str


@dataclass(frozen=True, slots=True)
class Holds:
    """The script returns a promise that waits for the gate, then returns or throws.

    In a setup `actions` run between the gate and the end.
    """

    gate: Name
    actions: tuple["Single", ...] = ()
    then: Returns | Throws = Returns()


Ending = Returns | Throws | Rejects | Holds


@dataclass(frozen=True, slots=True)
class Script:
    """What a listener or a setup does when it is called: commands in order, then an end.

    A refused command does not end the script: the script catches it, and it is observed.
    """

    actions: tuple["Single", ...] = ()
    ending: Ending = Returns()


@dataclass(frozen=True, slots=True)
class Commit:
    """What a commit does: it is synchronous, so it cannot wait or reject later (TXN-3)."""

    actions: tuple["Single", ...] = ()
    ending: Returns | Throws = Returns()


@dataclass(frozen=True, slots=True)
class Setup:
    """A setup callback: its script, and the commit that it returns, if any (TXN-3)."""

    script: Script = Script()
    commit: Commit | None = None


@dataclass(frozen=True, slots=True)
class Reaction:
    """What the watching listener does, once, at the first dispatch of the event."""

    event: EventName
    script: Script


@dataclass(frozen=True, slots=True)
class Construct:
    """Construct a session outside any store (SEED-1 to 6, HDR)."""

    handle: Name
    id: str
    seed: tuple[Value, ...] | None = None
    header: Value | None = None


@dataclass(frozen=True, slots=True)
class Prepare:
    """Validate and construct a session for the store without entering it (STO-1)."""

    handle: Name
    id: str | None = None
    seed: tuple[Value, ...] | None = None
    meta: Value | None = None


@dataclass(frozen=True, slots=True)
class Enter:
    """Enter a session into the store; the handle is its detach (STO-2, STO-3)."""

    handle: Name
    session: Name


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce a live session once (STO-4, STO-5)."""

    session: Name


@dataclass(frozen=True, slots=True)
class Detach:
    """Call the detach of one session entry (STO-6, STO-7, STO-8)."""

    entry: Name


@dataclass(frozen=True, slots=True)
class Create:
    """Prepare, enter and announce a session as one effect of its owner (STO-9, OWN-3)."""

    handle: Name
    id: str | None = None
    seed: tuple[Value, ...] | None = None
    meta: Value | None = None
    owner: Name | None = None


@dataclass(frozen=True, slots=True)
class Fork:
    """Make a child of a live session from a prefix of its log (FORK).

    The source is given as an object or by its id. `boundary` is the seq of the last event that the
    child inherits.
    """

    handle: Name
    source: Name | None = None
    source_id: str | None = None
    boundary: Value | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Append:
    """Append one event to a session's log (LOG-1 to 6)."""

    session: Name
    type: str
    data: Value


@dataclass(frozen=True, slots=True)
class Flush:
    """Ask a live session's durability listeners to flush; settles under the handle (STO-12)."""

    handle: Name
    session: Name


@dataclass(frozen=True, slots=True)
class Acquire:
    """Bind a session to a release as a scoped preparation (RBK-6)."""

    handle: Name
    session: Name


@dataclass(frozen=True, slots=True)
class Release:
    """Dispose of a scoped preparation (RBK-6)."""

    preparation: Name


@dataclass(frozen=True, slots=True)
class Inspect:
    """Read a session's header, log and first live seq (HDR-7, LOG-1, SEED-3)."""

    session: Name


@dataclass(frozen=True, slots=True)
class Look:
    """Look an id up in both collections, and read who owns the agent (STO-11, REG-9)."""

    id: str


TamperPlace = Literal["meta", "seed", "header", "events", "event", "data"]


@dataclass(frozen=True, slots=True)
class Tamper:
    """Try to change from outside what must not change (HDR-7, LOG-2).

    `meta` and `seed` write to what the caller passed when it made the session; `header`, `events`,
    `event` and `data` write to what the session shows. Whether the write throws is not compared;
    what the session shows afterwards is.
    """

    session: Name
    place: TamperPlace


@dataclass(frozen=True, slots=True)
class Listen:
    """Register a listener, which watches, and runs its script the first `times` times.

    With an `agent`, the listener belongs to that agent's scope: it hears only that agent and its
    session, and goes with the scope.
    """

    handle: Name
    event: EventName
    script: Script = Script()
    times: int = 1
    agent: Name | None = None


@dataclass(frozen=True, slots=True)
class Unlisten:
    """Remove a listener."""

    listener: Name


@dataclass(frozen=True, slots=True)
class NewAgent:
    """Make a bare agent object around a session, outside any transaction (REG-10)."""

    handle: Name
    id: str
    session: Name


@dataclass(frozen=True, slots=True)
class EnterAgent:
    """Enter an agent into the registry; the handle is its detach (REG-1, REG-2)."""

    handle: Name
    agent: Name
    owner: Name | None = None


@dataclass(frozen=True, slots=True)
class AnnounceAgent:
    """Announce a live agent once (REG-4, REG-5)."""

    agent: Name


@dataclass(frozen=True, slots=True)
class DetachAgent:
    """Call the detach of one agent entry (REG-6, REG-7, REG-8)."""

    entry: Name


@dataclass(frozen=True, slots=True)
class CreateAgent:
    """Start a creation transaction; settles under the handle with agent and session (TXN).

    With `aborted`, its signal was aborted before, with an error that carries this tag (OWN-1).
    """

    handle: Name
    id: str
    seed: tuple[Value, ...] | None = None
    meta: Value | None = None
    setup: Setup | None = None
    owner: Name | None = None
    aborted: str | None = None


Reason = Literal["error", "text"]


@dataclass(frozen=True, slots=True)
class Abort:
    """Abort a creation through the signal that its caller gave it (TXN-6, OWN-1).

    The reason is an error that carries the tag, or the tag itself, which is no error: the creation
    then fails with one of its own.
    """

    operation: Name
    tag: str
    reason: Reason = "error"


@dataclass(frozen=True, slots=True)
class Configure:
    """Create an agent synchronously, as configuration does (TXN-11)."""

    handle: Name
    id: str
    meta: Value | None = None


@dataclass(frozen=True, slots=True)
class Dispose:
    """Tear an agent down; settles under the handle (RBK-2, RBK-3)."""

    handle: Name
    agent: Name


@dataclass(frozen=True, slots=True)
class Work:
    """Keep an agent busy until the gate opens; settles under the handle (RBK-8)."""

    handle: Name
    agent: Name
    gate: Name


@dataclass(frozen=True, slots=True)
class Open:
    """Open a gate for good: whatever waits at it goes on."""

    gate: Name


@dataclass(frozen=True, slots=True)
class ConfiguredAgent:
    """An agent that a configuration names: made when its factory is loaded (IDN).

    `id` is its label. `session_id` is an exact id, to be resumed or else created,
    `resume_session_id` one to be resumed; the empty one counts as none.
    """

    id: str
    session_id: str | None = None
    resume_session_id: str | None = None
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class Identity:
    """The id that a launcher gives to a configured agent, fresh or to be resumed (IDN-1)."""

    agent: str
    id: str
    resume: bool = False


@dataclass(frozen=True, slots=True)
class NewOwner:
    """Load a plugin that can own sessions, agents and other owners (OWN-3).

    An owner is given as the handle of another owner, or as that of an agent, whose context then
    owns.
    """

    handle: Name
    owner: Name | None = None


@dataclass(frozen=True, slots=True)
class DisposeOwner:
    """Unload an owner, with all that it owns; settles under the handle (OWN-3)."""

    handle: Name
    owner: Name


@dataclass(frozen=True, slots=True)
class DisposeFactory:
    """Unload the agent factory, with every agent that it made; settles under the handle (OWN-4)."""

    handle: Name


@dataclass(frozen=True, slots=True)
class LoadFactory:
    """Load an agent factory with these agents; settles under the handle (OWN-6, IDN)."""

    handle: Name
    agents: tuple[ConfiguredAgent, ...] = ()


@dataclass(frozen=True, slots=True)
class SetFactory:
    """Register a factory of the owner's own: one that fails every creation (OWN-6)."""

    owner: Name


@dataclass(frozen=True, slots=True)
class Resume:
    """Start a transaction around a stored session; settles under the handle (RES).

    With a `gate`, what the load brings arrives only when the gate is open; `aborted` is as in a
    creation.
    """

    handle: Name
    id: str
    setup: Setup | None = None
    owner: Name | None = None
    gate: Name | None = None
    aborted: str | None = None


@dataclass(frozen=True, slots=True)
class ReadStored:
    """Read what the disk holds of a session (RES-8)."""

    id: str


DamageKind = Literal["torn", "garbled", "newer", "foreign", "removed"]


@dataclass(frozen=True, slots=True)
class Damage:
    """What happens to a stored log while no process runs; nothing, where none is stored (RES-1).

    `torn` leaves half a line at its end, `garbled` spoils its header, `newer` makes it one of the
    next format version, `foreign` adds an event of a type that nobody knows, `removed` removes it.
    """

    id: str
    how: DamageKind


@dataclass(frozen=True, slots=True)
class Boot:
    """End the process where it stands, and start another on what the disk then holds (RES-3).

    Nothing of the old process is left: no object, no handle, no gate. The new one stores sessions
    if it `persists`, and begins with these agents, of which each row that the `overlay` has is
    replaced by it as a whole (IDN-6). Reactions that are left go to the new process.
    """

    damage: tuple[Damage, ...] = ()
    agents: tuple[ConfiguredAgent, ...] = ()
    overlay: tuple[ConfiguredAgent, ...] = ()
    identities: tuple[Identity, ...] = ()
    persists: bool = True


@dataclass(frozen=True, slots=True)
class Forget:
    """Drop the client's handle; DSH is not involved."""

    handle: Name


Single = (
    Construct
    | Prepare
    | Enter
    | Announce
    | Detach
    | Create
    | Fork
    | Append
    | Flush
    | Acquire
    | Release
    | Inspect
    | Look
    | Tamper
    | Listen
    | Unlisten
    | NewAgent
    | EnterAgent
    | AnnounceAgent
    | DetachAgent
    | CreateAgent
    | Abort
    | Configure
    | Dispose
    | Work
    | Open
    | NewOwner
    | DisposeOwner
    | DisposeFactory
    | LoadFactory
    | SetFactory
    | Resume
    | ReadStored
    | Boot
    | Forget
)


@dataclass(frozen=True, slots=True)
class React:
    """One command during which the watching listener reacts."""

    command: Single
    reactions: tuple[Reaction, ...]


@dataclass(frozen=True, slots=True)
class Together:
    """Several commands in one synchronous turn: nothing awaited runs between them."""

    commands: tuple[Single, ...]


Command = Single | React | Together
