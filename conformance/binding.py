"""Bindings: which of the implementation's names stand for which of the model's.

Objects, minted ids and stamped times are the implementation's to choose. What it showed first is
what it has to show from then on, and two different things never share a name.
"""

from dataclasses import dataclass, field, fields
from typing import Literal

from model.header import Header
from model.log import Event, Log
from model.observation import (
    All,
    Appended,
    Flushed,
    Found,
    Heard,
    Live,
    Made,
    Observation,
    Outcome,
    Published,
    Snapshot,
    Stored,
)
from model.refusal import Refusal
from model.rows import Session
from model.values import MAX_SAFE_INTEGER

MINTED = "session-"
"""How the ids begin that the model mints."""


FRESH = f"-{MINTED}#"
"""What parts the label from the number in the id that the model makes up for a configured agent."""


def can_be_foretold(session_id: str, *, mints: bool) -> bool:
    """Whether a client can know an id before the implementation has shown it."""
    return FRESH not in session_id and (mints or not session_id.startswith(MINTED))


@dataclass(slots=True)
class Pairing:
    """A one-to-one pairing of the model's names with the implementation's."""

    there: dict[int | str, int | str] = field(default_factory=dict)
    back: dict[int | str, int | str] = field(default_factory=dict)

    def fits(self, ours: int | str | None, theirs: int | str | None) -> bool:
        """Whether these two are, or from now on can be, the same."""
        if ours is None or theirs is None:
            return ours is theirs
        return (
            self.there.setdefault(ours, theirs) == theirs
            and self.back.setdefault(theirs, ours) == ours
        )

    def copy(self) -> "Pairing":
        """A pairing that can go on by itself."""
        return Pairing(dict(self.there), dict(self.back))


@dataclass(slots=True)
class Binding:
    """What has been bound so far in one program.

    `foretold` says that the implementation mints the very ids that the model mints. `made` are the
    sessions of the run that is compared, in which an event that a child inherits is its parent's;
    `stored` are the sessions that were stored first, by id.
    """

    foretold: bool = False
    sessions: Pairing = field(default_factory=Pairing)
    agents: Pairing = field(default_factory=Pairing)
    ids: Pairing = field(default_factory=Pairing)
    times: dict[tuple[int, str | int], int] = field(default_factory=dict)
    made: tuple[Session, ...] = ()
    stored: dict[str, int] = field(default_factory=dict)

    def copy(self) -> "Binding":
        """A binding that can go on by itself."""
        pairings = self.sessions.copy(), self.agents.copy(), self.ids.copy()
        return Binding(self.foretold, *pairings, dict(self.times))

    def same_live(self, ours: Live, theirs: Live) -> bool:
        """Whether the same objects are live, in the same order."""
        return (
            len(ours.sessions) == len(theirs.sessions)
            and len(ours.agents) == len(theirs.agents)
            and all(map(self.sessions.fits, ours.sessions, theirs.sessions))
            and all(map(self.agents.fits, ours.agents, theirs.agents))
        )

    def same_id(self, ours: str | None, theirs: str | None) -> bool:
        """Whether two ids are the same: literally, or as minted ids are."""
        if ours is None or theirs is None:
            return ours is theirs
        label, fresh, _ = ours.rpartition(FRESH)
        if fresh:
            return theirs.startswith(f"{label}-{MINTED}") and self.ids.fits(ours, theirs)
        if ours.startswith(MINTED) and not self.foretold:
            return self.ids.fits(ours, theirs)
        return ours == theirs

    def same_time(self, key: tuple[int, str | int], ours: int | None, theirs: int | None) -> bool:
        """Whether a time is the one stated, or a stamp: a time, and the one shown before."""
        if ours is not None or theirs is None:
            return ours == theirs
        return 0 <= theirs <= MAX_SAFE_INTEGER and self.times.setdefault(key, theirs) == theirs

    def first(self, session: int) -> int:
        """The session that was given a resumed one's header when it was made."""
        first = self.made[session].first if 0 <= session < len(self.made) else None
        return session if first is None else first

    def stamped(self, session: int, event: Event) -> tuple[int, int]:
        """Where an event was stamped: in the first session that has this very event."""
        for number, other in enumerate(self.made[:session]):
            if event.seq < len(other.log) and other.log[event.seq] is event:
                return number, event.seq
        return session, event.seq


Part = Literal["outcome", "code", "tag", "kind", "object", "field", "header", "log", "first-live"]


def outcome_difference(binding: Binding, ours: Outcome, theirs: Outcome) -> Part | None:
    """Where two outcomes differ, if they do."""
    if isinstance(ours, Refusal) and isinstance(theirs, Refusal):
        if theirs.code != ours.code and theirs.code not in ours.also:
            return "code"
        return None if ours.tag == theirs.tag or theirs.code != "THROWN" else "tag"
    match ours, theirs:
        case Made(session, made_id), Made(other, other_id):
            same = binding.sessions.fits(session, other) and binding.same_id(made_id, other_id)
            return None if same else "object"
        case Published(agent, session), Published(other_agent, other):
            same = binding.agents.fits(agent, other_agent) and binding.sessions.fits(session, other)
            return None if same else "object"
        case Found(), Found():
            return _found(binding, ours, theirs)
        case All(outcomes), All(others) if len(outcomes) == len(others):
            pairs = zip(outcomes, others, strict=True)
            return next(
                (part for a, b in pairs if (part := outcome_difference(binding, a, b))), None
            )
        case Snapshot(), Snapshot():
            return _snapshot(binding, ours, theirs)
        case Stored(), Stored():
            return _stored(binding, ours, theirs)
        case ((Appended() | Flushed()), _) if type(ours) is type(theirs):
            return None if ours == theirs else "field"
        case _:
            return None if ours == theirs else "outcome"


def _found(binding: Binding, ours: Found, theirs: Found) -> Part | None:
    same = (
        binding.sessions.fits(ours.session, theirs.session)
        and binding.agents.fits(ours.agent, theirs.agent)
        and binding.agents.fits(ours.owner, theirs.owner)
    )
    if not same:
        return "object"
    return None if ours.root == theirs.root else "field"


def _snapshot(binding: Binding, ours: Snapshot, theirs: Snapshot) -> Part | None:
    session = ours.session
    if not binding.sessions.fits(session, theirs.session):
        return "object"
    if not _same_header(binding, session, ours.header, theirs.header):
        return "header"
    if not _same_log(binding, session, ours.log, theirs.log):
        return "log"
    return None if ours.first_live_seq == theirs.first_live_seq else "first-live"


def _stored(binding: Binding, ours: Stored, theirs: Stored) -> Part | None:
    if ours.header is None or theirs.header is None:
        return None if ours.header is theirs.header else "object"
    if not _same_header(
        binding, binding.stored.get(ours.header.id, -1), ours.header, theirs.header
    ):
        return "header"
    same = _same_log(binding, len(binding.made), ours.log, theirs.log)
    return None if same and ours.torn == theirs.torn else "log"


HEADER_FIELDS = tuple(
    each.name for each in fields(Header) if each.name not in ("id", "created_at", "parent_session")
)


def _same_header(binding: Binding, session: int, ours: Header, theirs: Header) -> bool:
    return (
        binding.same_id(ours.id, theirs.id)
        and binding.same_id(ours.parent_session, theirs.parent_session)
        and binding.same_time(
            (binding.first(session), "createdAt"), ours.created_at, theirs.created_at
        )
        and all(getattr(ours, name) == getattr(theirs, name) for name in HEADER_FIELDS)
    )


def _same_log(binding: Binding, session: int, ours: Log, theirs: Log) -> bool:
    return len(ours) == len(theirs) and all(
        _same_event(binding, session, a, b) for a, b in zip(ours, theirs, strict=True)
    )


def _same_event(binding: Binding, session: int, ours: Event, theirs: Event) -> bool:
    return (
        (ours.seq, ours.type, ours.data, ours.ignorable)
        == (theirs.seq, theirs.type, theirs.data, theirs.ignorable)
    ) and binding.same_time(binding.stamped(session, ours), ours.time, theirs.time)


def observation_difference(binding: Binding, ours: Observation, theirs: Observation) -> Part | None:
    """Where two observations differ, what is live apart."""
    if type(ours) is not type(theirs):
        return "kind"
    for each in fields(ours):
        part = _field_difference(
            binding, each.name, getattr(ours, each.name), getattr(theirs, each.name)
        )
        if part is not None:
            return part
    if isinstance(ours, Heard) and isinstance(theirs, Heard) and ours.seq is not None:
        same = binding.same_time((ours.session or 0, ours.seq), ours.time, theirs.time)
        return None if same else "field"
    return None


def _field_difference(binding: Binding, name: str, ours: object, theirs: object) -> Part | None:
    match name:
        case "live" | "time":
            return None
        case "session" | "agent":
            pairing = binding.sessions if name == "session" else binding.agents
            fits = pairing.fits(_number(ours), _number(theirs))
            return None if fits else "object"
        case "outcome" if isinstance(ours, Outcome) and isinstance(theirs, Outcome):
            return outcome_difference(binding, ours, theirs)
        case "listener" | "event":
            return None if ours == theirs else "kind"
        case _:
            return None if ours == theirs else "field"


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None
