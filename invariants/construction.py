"""Sessions that a command constructs, and what their headers and seeds may be (HDR, SEED)."""

from collections.abc import Iterator
from dataclasses import dataclass

from invariants.law import Taken, Violations
from invariants.reading import plain
from model.agent_command import Configure
from model.command import CreateAgent
from model.header import META_FIELDS
from model.log import Log
from model.session_command import Construct, Create, Prepare
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

Seed = tuple[Value, ...] | None


@dataclass(frozen=True, slots=True)
class Construction:
    """What a command asked a constructor for, and the session that came of it, if one did.

    `bare` says that the header was given whole, to the session's own constructor.
    """

    id: str | None
    seed: Seed
    given: Value | None
    bare: bool
    session: int | None


def construction(taken: Taken) -> Construction | None:
    """The construction that a command asks for, if it asks for one.

    Nothing that a client can see happens before the session is made, so it is the step's first.
    """
    first = len(taken.before.sessions)
    made = first if len(taken.after.sessions) > first else None
    match plain(taken.command):
        case Construct(_, session_id, seed, header):
            given = None if header == UNDEFINED else header
            return Construction(session_id, seed, given, bare=given is not None, session=made)
        case Prepare(_, asked, seed, meta) | Create(_, asked, seed, meta):
            return Construction(asked, seed, meta, bare=False, session=made)
        case CreateAgent(_, session_id, seed, meta):
            return Construction(session_id, seed, meta, bare=False, session=made)
        case Configure(_, session_id, meta):
            return Construction(session_id, None, meta, bare=False, session=made)
        case _:
            return None


def constructed_log(taken: Taken, made: Construction) -> Log:
    """The log as construction left it: the seed and what was appended to it before anything else.

    A session that is live may have grown since, by what was seen as it happened.
    """
    log = () if made.session is None else taken.after.sessions[made.session].log
    return log[: len(made.seed or ()) + 1]


def flaws(made: Construction) -> Violations:
    """What is wrong with a header that a client gave (HDR-2 to 6, HDR-10)."""
    return tuple(_flaws(made))


def _flaws(made: Construction) -> Iterator[str]:
    given = made.given
    if made.bare and not isinstance(given, Record):
        yield "the header is not a record"
    if made.bare and field(given, "version") != Integer(0):
        yield "the version is not 0"
    if made.bare and field(given, "id") != Text(made.id or ""):
        yield "the id is not the session's"
    stamped = not made.bare and field(given, "createdAt") in (UNDEFINED, Null())
    if given is not None and not stamped and not is_safe_count(field(given, "createdAt")):
        yield "createdAt is not a non-negative safe integer"
    if any(not _fits(name, field(given, name)) for name in META_FIELDS):
        yield "a field is not of its type"
    if made.bare and given is not None and not lossless(given):
        yield "the header is not lossless JSON"


def _fits(name: str, value: Value) -> bool:
    if value == UNDEFINED:
        return True
    match name, value:
        case "cwd", Text(path):
            return path[:1] == "/"
        case (("parentSession" | "agentPreset"), Text()):
            return True
        case "origin", Text(origin):
            return origin == "subagent"
        case (("seedLength" | "delegationDepth"), Integer(count)):
            return 0 <= count < 2**53
        case _:
            return False


def shown(header_field: str | int | None) -> Value:
    """A header's field as the value that a client would have given for it."""
    match header_field:
        case None:
            return UNDEFINED
        case int(number):
            return Integer(number)
        case str(text):
            return Text(text)
