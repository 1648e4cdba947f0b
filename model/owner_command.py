"""Commands about owners, the factory, and the process that they run in."""

from dataclasses import dataclass
from typing import Literal

from model.session_command import Name


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
