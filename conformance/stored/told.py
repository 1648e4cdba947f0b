"""Verdicts as data, for machines; `spec/check-log.schema.json` describes them."""

from collections import Counter
from collections.abc import Sequence

from conformance.protocol.json import Json
from conformance.stored.lineage import branches
from conformance.stored.verdict import Finding, Spot, Verdict


def to_json(verdicts: Sequence[Verdict]) -> dict[str, Json]:
    """Everything that was found."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    summary: dict[str, Json] = {
        "files": len(verdicts),
        "loads": counts["loads"],
        "refused": counts["refused"],
        "unreadable": counts["unreadable"],
        "bytes": sum(verdict.size for verdict in verdicts),
        "events": sum(verdict.events for verdict in verdicts),
    }
    files: list[Json] = [one(verdict) for verdict in verdicts]
    lineage: list[Json] = [
        {"id": shown(origin.id), "path": shown(branch.verdict.path), "depth": branch.depth}
        for branch in branches(verdicts)
        if (origin := branch.verdict.origin) is not None
    ]
    return {"files": files, "lineage": lineage, "summary": summary}


def one(verdict: Verdict) -> dict[str, Json]:
    """One file."""
    finding, diagnosis, origin = verdict.finding, verdict.diagnosis, verdict.origin
    return {
        "path": shown(verdict.path),
        "verdict": verdict.outcome,
        **where(finding),
        "why": None if finding is None else finding.why,
        "adds": list(verdict.adds),
        "cut": verdict.cut,
        "kept": verdict.kept,
        "clauses": list(verdict.clauses),
        "tail": _noted(verdict.tail),
        "manner": verdict.manner if verdict.outcome == "loads" else None,
        "cause": None if diagnosis is None else diagnosis.cause,
        "evidence": [] if diagnosis is None else list(diagnosis.evidence),
        "advice": None if diagnosis is None else diagnosis.advice,
        "prefix": _prefix(verdict),
        "id": None if origin is None else shown(origin.id),
        "parent": None if origin is None or origin.parent is None else shown(origin.parent),
        "seedLength": None if origin is None else origin.seed_length,
        "events": verdict.events,
        "size": verdict.size,
        "markers": list(verdict.markers),
        "closers": [[first, end] for first, end in verdict.closers],
        "notes": [_noted(note) for note in verdict.notes],
    }


def where(finding: Finding | None) -> dict[str, Json]:
    """The clause of a finding, and its place."""
    at = None if finding is None else finding.at
    spot = at or Spot(0, 0)
    return {
        "clause": None if finding is None else finding.clause or None,
        "line": spot.line if at is not None else None,
        "offset": spot.offset if at is not None else None,
        "seq": spot.seq,
        "frame": spot.frame,
    }


def _noted(finding: Finding | None) -> Json:
    return None if finding is None else {**where(finding), "why": finding.why}


def _prefix(verdict: Verdict) -> dict[str, Json] | None:
    prefix = verdict.prefix
    if prefix is None:
        return None
    return {"lines": prefix.lines, "bytes": prefix.bytes, "events": prefix.events}


def shown(text: str) -> str:
    """A text that can be written: what no encoding has is spelt out."""
    return text.encode("utf-8", "backslashreplace").decode()
