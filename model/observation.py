"""What a client sees: outcomes, observations, and what is live at each.

Objects are numbers here: the position of a session or an agent in its table of the world. An
implementation names objects as it likes, and the comparison binds its names to these.
"""

from dataclasses import dataclass

from model.command import EventName
from model.header import Header
from model.log import Log
from model.refusal import Refusal
from model.session_command import Name
from model.values import Value


@dataclass(frozen=True, slots=True)
class Live:
    """The sessions and agents that both collections list, in entry order (STO-11, REG-9)."""

    sessions: tuple[int, ...] = ()
    agents: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """The command did what it does and has nothing to say."""


@dataclass(frozen=True, slots=True)
class Started:
    """The command started an operation that settles under its handle."""


@dataclass(frozen=True, slots=True)
class Made:
    """A session was made, with this id."""

    session: int
    id: str


@dataclass(frozen=True, slots=True)
class Published:
    """An agent was published with its session."""

    agent: int
    session: int


@dataclass(frozen=True, slots=True)
class Appended:
    """An event was committed at this seq."""

    seq: int


@dataclass(frozen=True, slots=True)
class Flushed:
    """A flush succeeded; `participated` says whether any listener took part (STO-12)."""

    participated: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a session shows of itself."""

    session: int
    header: Header
    log: Log
    first_live_seq: int


@dataclass(frozen=True, slots=True)
class Found:
    """What an id leads to in both collections.

    `root` says whether the agent is listed among the roots, `owner` who created it (REG-9).
    """

    session: int | None
    agent: int | None
    owner: int | None
    root: bool


@dataclass(frozen=True, slots=True)
class Stored:
    """What the disk holds of a session: no header where it holds nothing that can be read.

    `torn` says that something follows the last whole line.
    """

    header: Header | None = None
    log: Log = ()
    torn: bool = False


@dataclass(frozen=True, slots=True)
class Booted:
    """The process ended during the command, and another one has started."""


@dataclass(frozen=True, slots=True)
class All:
    """The outcomes of commands that were issued together, in their order."""

    outcomes: tuple["Outcome", ...]


Outcome = (
    Done
    | Started
    | Made
    | Published
    | Appended
    | Flushed
    | Snapshot
    | Found
    | Stored
    | Booted
    | All
    | Refusal
)


@dataclass(frozen=True, slots=True)
class Heard:
    """A listener was called for an event.

    `session` and `agent` are the objects that the event carries; `seq`, `type`, `data` and `time`
    are those of a `session/event`, whose time is None because the session stamps it; `source` is
    that of an `agent/session-start`.
    """

    listener: Name
    event: EventName
    live: Live
    session: int | None = None
    agent: int | None = None
    seq: int | None = None
    type: str | None = None
    data: Value | None = None
    source: str | None = None
    time: int | None = None


@dataclass(frozen=True, slots=True)
class Did:
    """A script ran one of its commands, with this outcome."""

    by: Name
    outcome: Outcome
    live: Live


@dataclass(frozen=True, slots=True)
class SetUp:
    """A transaction's setup was called with the unpublished agent (TXN-3)."""

    operation: Name
    agent: int
    session: int
    live: Live


@dataclass(frozen=True, slots=True)
class Committed:
    """The commit that a setup returned was called (TXN-3)."""

    operation: Name
    live: Live


@dataclass(frozen=True, slots=True)
class Unwound:
    """A transaction's scope was unwound (RBK-2)."""

    operation: Name
    live: Live


@dataclass(frozen=True, slots=True)
class Released:
    """A preparation's release was called (RBK-6)."""

    preparation: Name
    live: Live


@dataclass(frozen=True, slots=True)
class Settled:
    """An operation's promise settled (TXN-8, RBK-4)."""

    operation: Name
    outcome: Outcome
    live: Live


@dataclass(frozen=True, slots=True)
class StartFailed:
    """A configured agent could not be started, which nobody else is told (IDN-7)."""

    id: str
    outcome: Outcome
    live: Live


Observation = Heard | Did | SetUp | Committed | Unwound | Released | Settled | StartFailed
