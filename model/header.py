"""The immutable session header (HDR)."""

from dataclasses import dataclass, replace

from model.refusal import Refusal
from model.values import (
    UNDEFINED,
    Integer,
    Null,
    Record,
    Text,
    Value,
    field,
    is_safe_count,
    lossless,
)

FORMAT_VERSION = 0


@dataclass(frozen=True, slots=True)
class Header:
    """The durable identity of a session (HDR-1); nothing changes it (HDR-7, HDR-8).

    `created_at` is in milliseconds, or None where the store stamps it (HDR-4): a stamp is bound
    to what the implementation shows first, and has to stay that. `extra` holds keys that a caller
    of the bare constructor put in the header; creation through the store never has any (HDR-9).
    """

    id: str
    created_at: int | None = None
    cwd: str | None = None
    parent_session: str | None = None
    seed_length: int | None = None
    origin: str | None = None
    delegation_depth: int | None = None
    agent_preset: str | None = None
    extra: tuple[tuple[str, Value], ...] = ()


META_FIELDS = (
    "cwd",
    "parentSession",
    "seedLength",
    "origin",
    "delegationDepth",
    "agentPreset",
)
KNOWN_FIELDS = frozenset(("version", "id", "createdAt", *META_FIELDS))


def candidate(session_id: str, meta: Value | None) -> Record:
    """Build the header that the store asks for from a caller's metadata (HDR-9).

    Unknown keys stay behind, an undefined field is an absent field, and an absent or null
    `createdAt` is stamped: the candidate then has no such key.
    """
    entries: dict[str, Value] = {"version": Integer(FORMAT_VERSION), "id": Text(session_id)}
    created_at = field(meta, "createdAt")
    if created_at not in (UNDEFINED, Null()):
        entries["createdAt"] = created_at
    for name in META_FIELDS:
        given = field(meta, name)
        if given != UNDEFINED:
            entries[name] = given
    return Record(tuple(sorted(entries.items())))


def with_every_key(session_id: str, meta: Record) -> Record:
    """The candidate of a design that lets every metadata key through."""
    entries = dict(meta.entries) | dict(candidate(session_id, meta).entries)
    return Record(tuple(sorted(entries.items())))


def is_absolute(path: str) -> bool:
    """Whether a POSIX path starts at the root (HDR-5)."""
    return path.startswith("/")


def faults(
    session_id: str,
    header: Value,
    *,
    stamped: bool,
    unchecked: frozenset[str] = frozenset(),
) -> tuple[Refusal, ...]:
    """Every reason to refuse a header candidate, in the order in which DSH looks (HDR-2 to 6, 10).

    `stamped` says that an absent `createdAt` will be filled in, `unchecked` names the clauses that
    a design does not check.
    """
    found = every_fault(session_id, header, stamped=stamped)
    return tuple(fault for fault in found if fault.clause not in unchecked)


def every_fault(session_id: str, header: Value, *, stamped: bool) -> tuple[Refusal, ...]:
    """The faults of a candidate, each with the clause that it breaks."""
    if not isinstance(header, Record) or not lossless(header):
        return (Refusal("HEADER_NOT_JSON", "HDR-10"),)
    found: list[Refusal] = []
    if field(header, "version") != Integer(FORMAT_VERSION):
        found.append(Refusal("HEADER_VERSION", "HDR-2"))
    if field(header, "id") != Text(session_id):
        found.append(Refusal("HEADER_ID", "HDR-3"))
    created_at = field(header, "createdAt")
    if not is_safe_count(created_at) and not (stamped and created_at == UNDEFINED):
        found.append(Refusal("HEADER_CREATED_AT", "HDR-4"))
    cwd = field(header, "cwd")
    if cwd != UNDEFINED and not (isinstance(cwd, Text) and is_absolute(cwd.value)):
        found.append(Refusal("HEADER_CWD", "HDR-5"))
    if any(not scalar_fits(name, field(header, name)) for name in META_FIELDS[1:]):
        found.append(Refusal("HEADER_FIELD", "HDR-6"))
    return tuple(found)


def scalar_fits(name: str, value: Value) -> bool:
    """Whether a scalar other than the five named by their own clauses fits its type (HDR-6)."""
    if value == UNDEFINED:
        return True
    match name:
        case "seedLength" | "delegationDepth":
            return is_safe_count(value)
        case "origin":
            return value == Text("subagent")
        case _:
            return isinstance(value, Text)


def accepted(session_id: str, header: Value) -> Header:
    """Freeze a candidate that has no faults into a header of its own (HDR-7)."""
    entries = header.entries if isinstance(header, Record) else ()
    return Header(
        id=session_id,
        created_at=_integer(header, "createdAt"),
        cwd=_text(header, "cwd"),
        parent_session=_text(header, "parentSession"),
        seed_length=_integer(header, "seedLength"),
        origin=_text(header, "origin"),
        delegation_depth=_integer(header, "delegationDepth"),
        agent_preset=_text(header, "agentPreset"),
        extra=tuple(entry for entry in entries if entry[0] not in KNOWN_FIELDS),
    )


def without_lineage(header: Header) -> Header:
    """The header of a design that keeps no lineage (HDR-1)."""
    return replace(header, parent_session=None, seed_length=None)


def _integer(header: Value, name: str) -> int | None:
    value = field(header, name)
    return value.value if isinstance(value, Integer) else None


def _text(header: Value, name: str) -> str | None:
    value = field(header, name)
    return value.value if isinstance(value, Text) else None
