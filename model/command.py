"""Commands: everything that a client can ask for, one per operation of the protocol.

A *handle* is the name that the client gives to what it got back; a later command uses it to
mean that very object. Inside a listener `@session` and `@agent` mean the objects of the event
being dispatched, inside a setup those of the transaction.
"""

from dataclasses import dataclass
from typing import Literal

from model.agent_command import (
    Abort,
    AnnounceAgent,
    Configure,
    DetachAgent,
    Dispose,
    EnterAgent,
    NewAgent,
    Work,
)
from model.owner_command import (
    Boot,
    DisposeFactory,
    DisposeOwner,
    LoadFactory,
    NewOwner,
    SetFactory,
)
from model.session_command import (
    Acquire,
    Announce,
    Append,
    Construct,
    Create,
    Detach,
    Enter,
    Flush,
    Fork,
    Inspect,
    Look,
    Name,
    Prepare,
    ReadStored,
    Release,
    Tamper,
)
from model.values import Value

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


@dataclass(frozen=True, slots=True)
class Open:
    """Open a gate for good: whatever waits at it goes on."""

    gate: Name


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
