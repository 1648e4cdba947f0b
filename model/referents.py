"""What a handle of the client's can mean."""

from dataclasses import dataclass


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
