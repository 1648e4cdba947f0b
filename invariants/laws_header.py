"""Headers: what may be asked for and what comes of it (HDR). Immutability is a named law."""

from invariants.construction import Construction, construction, flaws, shown
from invariants.law import HOLDS, AtEveryStep, Law, Taken, Violations
from invariants.reading import session_name
from model.header import META_FIELDS, Header
from model.values import UNDEFINED, Value, field


def bad_header_constructs(taken: Taken) -> Violations:
    """The flaws of a header from which a session was made all the same (HDR-2 to 6, HDR-10)."""
    made = construction(taken)
    if made is None or made.session is None:
        return HOLDS
    name = session_name(taken.after, made.session)
    return tuple(f"{name} was made although {flaw}" for flaw in flaws(made))


def _header_is_bad(taken: Taken) -> bool:
    made = construction(taken)
    return made is not None and bool(flaws(made))


def header_says_otherwise(taken: Taken) -> Violations:
    """Where a new header differs from what was asked for (HDR-1, HDR-3, HDR-9)."""
    made = construction(taken)
    if made is None or made.session is None or flaws(made):
        return HOLDS
    header = taken.after.sessions[made.session].header
    name = session_name(taken.after, made.session)
    differing = tuple(
        f"{name}: {key} is not what was asked for"
        for key, value in _fields(header).items()
        if value != field(made.given, key)
    )
    extra = tuple(f"{name}: unknown key {key} is in the header" for key, _ in header.extra)
    other = made.id is not None and header.id != made.id
    return (
        *differing,
        *(() if made.bare else extra),
        *((f"{name} was asked for as {made.id!r}",) if other else ()),
    )


def _fields(header: Header) -> dict[str, Value]:
    values = (
        header.cwd,
        header.parent_session,
        header.seed_length,
        header.origin,
        header.delegation_depth,
        header.agent_preset,
    )
    return {name: shown(value) for name, value in zip(META_FIELDS, values, strict=True)}


def _header_is_asked_for(taken: Taken) -> bool:
    made = construction(taken)
    return made is not None and made.session is not None and _asks_for_lineage(made)


def _asks_for_lineage(made: Construction) -> bool:
    return field(made.given, "parentSession") != UNDEFINED


HEADERS = (
    Law(
        "a bad header constructs nothing",
        ("HDR-2", "HDR-3", "HDR-4", "HDR-5", "HDR-6", "HDR-10"),
        AtEveryStep(bad_header_constructs, _header_is_bad),
    ),
    Law(
        "a header says what was asked for and nothing else",
        ("HDR-1", "HDR-3", "HDR-9"),
        AtEveryStep(header_says_otherwise, _header_is_asked_for),
    ),
)
