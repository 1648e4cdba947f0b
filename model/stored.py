"""What is stored, and what a process knows of it: the disk, and its persistence's memory (RES)."""

from dataclasses import dataclass
from typing import Literal

from model.command import Setup
from model.header import Header
from model.log import Log
from model.refusal import Refusal
from model.session_command import Name

OTHERWISE = Refusal("STORED_OTHERWISE", "RES-8")


@dataclass(frozen=True, slots=True)
class StoredLog:
    """One session as the disk holds it.

    `fault` is why its header cannot be read, `torn` says that half a line follows the events.
    `by` is the session object that was stored first.
    """

    header: Header
    log: Log = ()
    torn: bool = False
    fault: Refusal | None = None
    by: int = 0


Disk = tuple[tuple[str, StoredLog], ...]
"""The stored sessions by id, sorted."""


@dataclass(frozen=True, slots=True)
class Stream:
    """The storing of one session object, from its announcement to its retirement.

    `seed` events were there when it began, `target` is how many are to be stored; `begun` says that
    the disk has been asked, `failure` why this session is not the one that it holds, `written` that
    something of it is stored. After a `gap`, an event that was not seen, no more of it is stored.
    A session that is disposed of is `retiring` until it is stored.
    """

    session: int
    seed: int = 0
    target: int = 0
    begun: bool = False
    written: bool = False
    failure: Refusal | None = None
    gap: bool = False
    retiring: bool = False

    @property
    def fault(self) -> Refusal | None:
        """Why nothing more of this session is stored."""
        return self.failure or (OTHERWISE if self.gap else None)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A stored session that was loaded and is not published (RES-5).

    `length` is that of its log as it was loaded.
    """

    id: str
    phase: Literal["loading", "ready", "committing", "reserved"] = "loading"
    session: int | None = None
    length: int = 0


@dataclass(frozen=True, slots=True)
class Storage:
    """The memory of a process's persistence: what it stores, and what it has prepared.

    `prepared` are in the order in which they were used last.
    """

    streams: tuple[Stream, ...] = ()
    prepared: tuple[Prepared, ...] = ()


@dataclass(frozen=True, slots=True)
class Start:
    """The start of a configured agent whose session may be stored (IDN-7).

    To `restore` is to resume what is stored and to create what is not, with this cwd.
    """

    action: Literal["restore", "resume"]
    id: str
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class Loading:
    """A resume that has no session yet.

    `held` loads have one that arrives when the gate opens, `waiting` ones wait for another load's
    session to be published or given back, `draining` ones until their id is no longer live.
    `aborted` is why nobody waits for it any more. `start` says that it is no client's.
    """

    operation: Name
    id: str
    owner: int | None = None
    factory: int = 0
    setup: Setup | None = None
    gate: Name | None = None
    stage: Literal["draining", "loading", "waiting", "held", "over"] = "loading"
    aborted: Refusal | None = None
    start: Start | None = None
