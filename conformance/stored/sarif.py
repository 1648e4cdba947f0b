"""Verdicts as SARIF 2.1.0, so that editors and CI annotate the line."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from conformance.clauses import clauses
from conformance.protocol.json import Json
from conformance.stored.reading import encoding_of
from conformance.stored.told import shown
from conformance.stored.verdict import Finding, Verdict

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
UNREADABLE = "unreadable"
"""The rule of what no clause is about: a file that cannot be read."""


def to_sarif(verdicts: Sequence[Verdict]) -> dict[str, Json]:
    """One run with a result for each thing that there is to say."""
    results = [result for verdict in verdicts for result in _results(verdict)]
    rules = sorted({str(result["ruleId"]) for result in results})
    shown_rules: list[Json] = [_rule(rule) for rule in rules]
    driver: Json = {
        "name": "dsh-spec check-log",
        "version": version("dsh-spec"),
        "rules": shown_rules,
    }
    run: Json = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "results": [*results],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: str) -> Json:
    clause = clauses().get(rule)
    if clause is None:
        return {"id": rule, "shortDescription": {"text": "the file cannot be read"}}
    return {
        "id": rule,
        "name": clause.name,
        "shortDescription": {"text": clause.name},
        "fullDescription": {"text": clause.statement},
        "help": {"text": clause.why},
    }


def _results(verdict: Verdict) -> Iterator[dict[str, Json]]:
    finding, diagnosis = verdict.finding, verdict.diagnosis
    if finding is not None:
        parts = [f"{verdict.outcome}: {finding.why}."]
        if diagnosis is not None:
            parts += [f"Most likely: {diagnosis.cause}.", diagnosis.advice]
        yield _result(verdict, finding, "error", " ".join(parts))
    elif verdict.tail is not None:
        text = f"loading cuts {verdict.cut} bytes from here on: {verdict.tail.why}"
        yield _result(verdict, verdict.tail, "warning", text)
    for note in verdict.notes:
        yield _result(verdict, note, "note", note.why)


def _result(verdict: Verdict, finding: Finding, level: str, text: str) -> dict[str, Json]:
    place: dict[str, Json] = {"artifactLocation": {"uri": _uri(verdict.path)}}
    at = finding.at
    if at is not None and at.line > 0 and encoding_of(Path(verdict.path)) == "none":
        place["region"] = {"startLine": at.line, "byteOffset": at.offset}
    return {
        "ruleId": finding.clause or UNREADABLE,
        "level": level,
        "message": {"text": shown(text)},
        "locations": [{"physicalLocation": place}],
    }


def _uri(path: str) -> str:
    """A path as a URI: relative as it was named, or absolute."""
    text = quote(path.encode("utf-8", "surrogateescape"))
    return f"file://{text}" if text.startswith("/") else text
