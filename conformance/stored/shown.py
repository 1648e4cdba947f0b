"""Verdicts for people, on a terminal."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console

from conformance.stored.lineage import branches
from conformance.stored.told import shown
from conformance.stored.verdict import Finding, Verdict

FEW = 30
"""So many logs that load are listed; of more, the counts are told."""


def show(out: Console, verdicts: Sequence[Verdict], *, everything: bool = False) -> None:
    """Tell everything that was found."""
    every = everything or len(verdicts) <= FEW
    for verdict in verdicts:
        if every or verdict.outcome != "loads" or verdict.notes:
            for line in about(verdict):
                out.print(line, markup=False, soft_wrap=True)
    for text in lineage(verdicts, everything=every):
        out.print(text, markup=False, soft_wrap=True)
    out.print(total(verdicts), markup=False, soft_wrap=True)


def about(verdict: Verdict) -> Iterator[str]:
    """What there is to say of one log."""
    path = shown(verdict.path)
    if verdict.outcome == "loads":
        yield f"loads       {path}: {verdict.manner}{_done(verdict)}"
    else:
        yield f"{verdict.outcome:<11} {path}{_at(verdict.finding)}"
    if verdict.finding is not None:
        yield f"  {_by(verdict.finding)}"
    if verdict.diagnosis is not None and verdict.outcome == "refused":
        yield f"  most likely: {verdict.diagnosis.cause}"
        yield from (f"    {shown(line)}" for line in verdict.diagnosis.evidence)
    if verdict.prefix is not None:
        prefix = verdict.prefix
        yield f"  would load: the first {prefix.lines} lines ({prefix.events} events)"
    if verdict.diagnosis is not None:
        yield f"  {verdict.diagnosis.advice}"
    for note in verdict.notes:
        where = "" if note.at is None else f" on line {note.at.line}, byte {note.at.offset}"
        yield f"  note{where}: {_by(note)}"


def _by(finding: Finding) -> str:
    clause = f" ({finding.clause})" if finding.clause else ""
    return f"{shown(finding.why)}{clause}"


def _at(finding: Finding | None) -> str:
    if finding is None or finding.at is None:
        return ""
    at = finding.at
    seq = "" if at.seq is None else f", seq {at.seq}"
    frame = "" if at.frame is None else f" of the text, frame at byte {at.frame}"
    return f":{at.line}: byte {at.offset}{frame}{seq}"


def _done(verdict: Verdict) -> str:
    """What loading does to a log."""
    parts: list[str] = []
    if verdict.cut:
        where = "" if verdict.tail is None else f" from line {_line(verdict.tail)} on"
        parts.append(f"cuts {verdict.cut} bytes{where}")
    if verdict.kept:
        parts.append(f"keeps {verdict.kept} events of a torn frame")
    if verdict.adds:
        parts.append(f"adds {', '.join(verdict.adds)}")
    by = f", by {', '.join(verdict.clauses)}"
    return f" ({'; '.join(parts)}{by})" if parts else ""


def _line(finding: Finding) -> int:
    return 0 if finding.at is None else finding.at.line


def lineage(verdicts: Sequence[Verdict], *, everything: bool) -> Iterator[str]:
    """Who inherited from whom, where anybody did."""
    parented = [each for each in verdicts if each.origin is not None and each.origin.parent]
    if parented and not everything:
        yield f"{len(parented)} logs have a parent: --all and --html show the lineage"
    if not parented or not everything:
        return
    yield "lineage"
    for branch in branches(verdicts):
        yield f"  {'  ' * branch.depth}{_branch(branch.verdict)}"


def _branch(verdict: Verdict) -> str:
    origin = verdict.origin
    if origin is None:
        return shown(verdict.path)
    inherited = origin.seed_length or 0
    parts = [f"{verdict.events} events"]
    if origin.parent is not None:
        parts.append(f"{min(inherited, verdict.events)} of them from {shown(origin.parent)}")
    if verdict.markers:
        parts.append(f"marked at {', '.join(map(str, verdict.markers[-FEW:]))}")
    return f"{shown(origin.id)}: {', '.join(parts)}"


def total(verdicts: Sequence[Verdict]) -> str:
    """The counts."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    manners = Counter(each.manner for each in verdicts if each.outcome == "loads")
    how = ", ".join(f"{count} {manner}" for manner, count in manners.most_common())
    loads = f"{counts['loads']} load" + (f" ({how})" if how else "")
    return (
        f"{len(verdicts)} logs: {loads}, {counts['refused']} refused, "
        f"{counts['unreadable']} unreadable"
    )
