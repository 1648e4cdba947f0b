"""What logs below one root do to one another: some keep others from being loaded (STG-3)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from conformance.stored.causes import ADVICE
from conformance.stored.place import is_stored
from conformance.stored.reading import encoding_of
from conformance.stored.verdict import Diagnosis, Finding, Spot, Verdict


@dataclass(slots=True)
class Root:
    """A folder that has a folder for each project, and in that one for each session."""

    folders: dict[str, list[Path]] = field(default_factory=lambda: defaultdict(list))
    encodings: dict[str, Path] = field(default_factory=dict)
    flat: Path | None = None


Roots = dict[Path, Root]


def root_of(path: Path) -> Path | None:
    """The root below which a log lies, if it lies where DSH stores one (STG-3)."""
    return path.parent.parent.parent if is_stored(path) else None


def roots_of(paths: Sequence[Path]) -> Roots:
    """The roots of these logs, as far as these logs show them."""
    found: Roots = defaultdict(Root)
    for path in paths:
        root = root_of(path)
        if root is not None:
            found[root].folders[path.parent.name].append(path)
            found[root].encodings.setdefault(encoding_of(path), path)
    for path in paths:
        if not is_stored(path) and path.parent.parent in found:
            found[path.parent.parent].flat = path
    return found


def root_fault(path: Path, roots: Roots) -> str | None:
    """Why DSH cannot load a log for what else lies below its root (STG-3)."""
    folder = root_of(path)
    if folder is None:
        return None
    root = roots[folder]
    if root.flat is not None:
        return f"{root.flat} lies flat in a project's folder: DSH opens no such root"
    other = next((at for name, at in root.encodings.items() if name != encoding_of(path)), None)
    if other is not None:
        return f"{other} is encoded otherwise: DSH opens no root with both encodings"
    twin = next((at for at in root.folders[path.parent.name] if at != path), None)
    return None if twin is None else f"the id is also stored at {twin}"


def with_roots(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts, with what the logs below one root do to one another (STG-3)."""
    paths = [Path(verdict.path).absolute() for verdict in verdicts]
    roots = roots_of(paths)
    return [
        misplaced(verdict, root_fault(path, roots))
        for verdict, path in zip(verdicts, paths, strict=True)
    ]


def misplaced(verdict: Verdict, why: str | None) -> Verdict:
    """A log that cannot be loaded for what else lies there."""
    if why is None or verdict.outcome == "unreadable":
        return verdict
    diagnosis = Diagnosis("misplaced", (why,), ADVICE["misplaced"])
    finding = Finding("STG-3", why, Spot(1, 0))
    refused = replace(verdict, outcome="refused", finding=finding, diagnosis=diagnosis)
    return replace(refused, adds=(), cut=0, kept=0)
