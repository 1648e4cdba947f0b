"""Commands about sessions, their store, and what is stored of them."""

from dataclasses import dataclass
from typing import Literal

from model.values import Value

Name = str


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
class ReadStored:
    """Read what the disk holds of a session (RES-8)."""

    id: str
