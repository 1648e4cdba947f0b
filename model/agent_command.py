"""Commands about agents: their registry, their end, and what keeps them."""

from dataclasses import dataclass
from typing import Literal

from model.session_command import Name
from model.values import Value


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
