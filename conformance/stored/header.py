"""The header line of a stored log (STG-2)."""

from dataclasses import dataclass

from conformance.stored.facts import Phase
from conformance.stored.frames import MAGIC
from conformance.stored.parse import NotJsonError, read
from conformance.stored.verdict import Finding, Origin, Spot
from model import header as headers
from model.values import (
    UNDEFINED,
    Fractional,
    Hostile,
    Integer,
    Null,
    Text,
    Value,
    field,
    is_safe_count,
    record,
)

AT = Spot(1, 0)
RETIRED = ("sandboxMode", "approvalPolicy")


@dataclass(frozen=True, slots=True)
class Head:
    """What a header line says, and what is wrong with it, by what DSH looks for when."""

    origin: Origin | None
    faults: tuple[tuple[Phase, Finding], ...] = ()


def head_of(line: bytes) -> Head:
    """Read a header line (STG-2); one of another version is refused before its form (HDR-2)."""
    try:
        stored = read(line, signed_zero=True)
    except NotJsonError as error:
        packed = line.startswith(MAGIC)
        why = "the file is compressed, and its name does not say so"
        return _refused("STG-2", why if packed else f"the header line is {error}")
    version = field(stored, "version")
    if isinstance(version, Integer | Fractional) and version != Integer(0):
        return _refused("HDR-2", f"the log is of format version {version.value}, not 0", stored)
    if _is_number(version) and not isinstance(version, Integer) and not _zero(version):
        return _refused("HDR-2", "the log is of another format version", stored)
    if not header_fits(stored):
        return _refused("STG-2", "the first line is no session header", stored)
    if any(field(stored, name) != UNDEFINED for name in RETIRED):
        return _refused("STG-2", "the header holds a policy, as none does any more", stored)
    return Head(_origin(stored), tuple(_later_faults(stored)))


def header_fits(line: Value) -> bool:
    """Whether a first line is a header as storing writes one (STG-2)."""
    origin, preset = field(line, "origin"), field(line, "agentPreset")
    return (
        field(line, "type") == Text("session")
        and _zero(field(line, "version"))
        and isinstance(field(line, "id"), Text)
        and is_safe_count(field(line, "createdAt"))
        and is_safe_count(field(line, "delegationDepth"))
        and origin in (UNDEFINED, Text("subagent"))
        and (preset == UNDEFINED or isinstance(preset, Text))
    )


def _zero(value: Value) -> bool:
    return value in (Integer(0), Hostile("negative-zero"))


def _is_number(value: Value) -> bool:
    return isinstance(value, Integer | Fractional) or value in (
        Hostile("infinity"),
        Hostile("negative-zero"),
    )


def _refused(clause: str, why: str, stored: Value | None = None) -> Head:
    origin = _origin(stored) if isinstance(field(stored, "id"), Text) else None
    return Head(origin, ((Phase.HEADER_LINE, Finding(clause, why, AT)),))


def _later_faults(stored: Value) -> list[tuple[Phase, Finding]]:
    """What the session that is made of it finds wrong, behind everything that storing looks at."""
    found: list[tuple[Phase, Finding]] = []
    if field(stored, "id") == Text(""):
        found.append((Phase.PLACE, Finding("STG-3", "an empty id names no place", AT)))
    names = ("version", "id", "createdAt", *headers.META_FIELDS)
    entries = {name: field(stored, name) for name in names}
    given = record({name: _settled(item) for name, item in entries.items() if item != UNDEFINED})
    for fault in headers.every_fault(_text(stored, "id") or "", given, stamped=False):
        what = {"HDR-5": "cwd is no absolute path", "HDR-6": "a field is of another kind"}
        why = f"the header's {what.get(fault.clause, 'content cannot be used')}"
        found.append((Phase.HEADER, Finding(fault.clause, why, AT)))
    return found


def _settled(value: Value) -> Value:
    """A negative zero is zero where storing has let it pass; infinity is no length."""
    match value:
        case Hostile("negative-zero"):
            return Integer(0)
        case Hostile():
            return Null()
        case _:
            return value


def _origin(stored: Value | None) -> Origin:
    length = field(stored, "seedLength")
    return Origin(
        id=_text(stored, "id") or "",
        cwd=_text(stored, "cwd"),
        parent=_text(stored, "parentSession"),
        seed_length=length.value if isinstance(length, Integer) else None,
    )


def _text(stored: Value | None, name: str) -> str | None:
    value = field(stored, name)
    return value.value if isinstance(value, Text) else None
