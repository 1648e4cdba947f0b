"""Who inherited what from whom, as far as the logs at hand tell (FORK-3, SEED-7).

None of it keeps a log from being loaded; what is odd is noted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from conformance.stored.inherited import first_difference
from conformance.stored.reading import UnreadableError
from conformance.stored.roots import root_of
from conformance.stored.verdict import Finding, Origin, Spot, Verdict

AT = Spot(1, 0)


@dataclass(frozen=True, slots=True)
class Branch:
    """One log in the picture of a lineage, and how deep it stands."""

    depth: int
    verdict: Verdict


def family(verdict: Verdict) -> str:
    """What ids are unique in: the root of a stored log, the folder of any other."""
    path = Path(verdict.path).absolute()
    return str(root_of(path) or path.parent)


ByName = dict[tuple[str, str], list[Verdict]]


def by_name(verdicts: Sequence[Verdict]) -> ByName:
    """The logs of each id, of each family."""
    found: ByName = {}
    for verdict in verdicts:
        if verdict.origin is not None:
            found.setdefault((family(verdict), verdict.origin.id), []).append(verdict)
    return found


def with_lineage(verdicts: Sequence[Verdict], longest: int) -> list[Verdict]:
    """The verdicts, with notes on what is odd about their lineage."""
    named = by_name(verdicts)
    return [
        replace(verdict, notes=(*verdict.notes, *noted(verdict, verdict.origin, named, longest)))
        if verdict.origin is not None
        else verdict
        for verdict in verdicts
    ]


def noted(verdict: Verdict, origin: Origin, named: ByName, longest: int) -> Iterator[Finding]:
    """What is odd about one log's lineage."""
    twins = [each for each in named[family(verdict), origin.id] if each is not verdict]
    if twins:
        yield Finding("STG-3", f"the id {origin.id!r} is also that of {twins[0].path}", AT)
    length = origin.seed_length
    if length is not None:
        yield from boundary_notes(verdict, length)
    if origin.parent is None:
        return
    parents = named.get((family(verdict), origin.parent), [])
    if not parents:
        yield Finding("FORK-3", f"its parent {origin.parent!r} is not among these logs", AT)
    elif length is not None and len(parents) == 1:
        yield from prefix_notes(verdict, parents[0], length, longest)


def boundary_notes(verdict: Verdict, length: int) -> Iterator[Finding]:
    """Whether a marker stands where what was inherited ends (SEED-2)."""
    if length > verdict.events:
        yield Finding(
            "FORK-3", f"seedLength is {length}, and there are {verdict.events} events", AT
        )
    elif length < verdict.events and not {length - 1, length} & set(verdict.markers):
        why = f"no marker stands at seq {length}, where what was inherited ends"
        yield Finding("SEED-2", why, AT)


def prefix_notes(verdict: Verdict, parent: Verdict, length: int, longest: int) -> Iterator[Finding]:
    """Whether a fork begins as its parent does (FORK-2)."""
    shared = min(length, verdict.events, parent.events)
    if length > parent.events:
        why = f"it inherits {length} events, and its parent has {parent.events}"
        yield Finding("FORK-2", why, AT)
    try:
        seq = first_difference(Path(verdict.path), Path(parent.path), shared, longest)
    except UnreadableError as error:
        yield Finding("", f"it cannot be compared with its parent: {error}")
        return
    if seq is not None:
        why = f"what it inherits differs from its parent {parent.path} from seq {seq} on"
        yield Finding("FORK-2", why, AT)


def branches(verdicts: Sequence[Verdict]) -> list[Branch]:
    """The lineage as a picture: each log below its parent, those without one first."""
    named = by_name(verdicts)
    children: dict[int, list[Verdict]] = {}
    tops: list[Verdict] = []
    for verdict in verdicts:
        origin = verdict.origin
        key = (family(verdict), "" if origin is None else origin.parent or "")
        parent = next((each for each in named.get(key, []) if each is not verdict), None)
        if parent is None:
            tops.append(verdict)
        else:
            children.setdefault(id(parent), []).append(verdict)
    return list(_drawn(tops, children))


def _drawn(tops: list[Verdict], children: dict[int, list[Verdict]]) -> Iterator[Branch]:
    """Depth first, without recursion: a lineage may be long, and a header may lie in a circle."""
    left = [Branch(0, verdict) for verdict in reversed(tops)]
    while left:
        branch = left.pop()
        yield branch
        below = children.pop(id(branch.verdict), [])
        left.extend(Branch(branch.depth + 1, each) for each in reversed(below))
    for circle in children.values():
        yield from (Branch(0, each) for each in circle)
