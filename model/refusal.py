"""Refusals: what the implementation declines to do, as values.

A refusal is compared by its code alone, never by its wording. Where the clauses do not order
two faults of one request, each of their codes is a right answer: `Refusal.also` holds the
others.
"""

from dataclasses import dataclass
from typing import Literal

Code = Literal[
    "ID_TAKEN",
    "ALREADY_ATTACHED",
    "NOT_LIVE",
    "ALREADY_ANNOUNCED",
    "HEADER_NOT_JSON",
    "HEADER_VERSION",
    "HEADER_ID",
    "HEADER_CREATED_AT",
    "HEADER_CWD",
    "HEADER_FIELD",
    "SEED_NOT_JSON",
    "SEED_ENVELOPE",
    "SEED_SEQ",
    "DATA_NOT_JSON",
    "APPEND_REENTERED",
    "AGENT_ID_TAKEN",
    "AGENT_ID_MISMATCH",
    "AGENT_NOT_LIVE",
    "AGENT_ALREADY_ANNOUNCED",
    "BUSY",
    "INACTIVE",
    "ABORTED",
    "OWNER_DISPOSED",
    "NO_FACTORY",
    "FACTORY_TAKEN",
    "SESSION_ALREADY_EXISTS",
    "SESSION_NOT_FOUND",
    "SESSION_NOT_LIVE",
    "INVALID_BOUNDARY",
    "OPEN_TURN",
    "NO_PERSISTENCE",
    "NOT_STORED",
    "UNREADABLE",
    "UNSUPPORTED",
    "STILL_LIVE",
    "STILL_OWNED",
    "RESERVED",
    "STORED_OTHERWISE",
    "UNSTORABLE",
    "CONFIG_INVALID",
    "IDENTITY_TWICE",
    "IDENTITY_SHARED",
    "THROWN",
    "UNBOUND",
    "HANDLE_IN_USE",
    "UNKNOWN",
]
"""What a refusal is called. `UNKNOWN` is an error that an adapter could not map: no step of the
model gives it."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command was refused.

    `clause` is the clause that refuses it. `tag` names the thrower where the code is `THROWN`:
    the caller gets the original error (RBK-1), so the tag has to come back unchanged.
    """

    code: Code
    clause: str
    tag: str = ""
    also: frozenset[Code] = frozenset()


def unordered(faults: tuple[Refusal, ...]) -> Refusal:
    """Fold faults that no clause orders into one refusal: the first, and the codes it may be."""
    first = faults[0]
    also = frozenset(fault.code for fault in faults) - {first.code}
    return Refusal(first.code, first.clause, first.tag, also)
