"""A picture of logs: what each inherited, what is its own, closers, markers, and where it broke."""

from collections.abc import Iterator, Sequence
from html import escape

from conformance.stored.lineage import branches
from conformance.stored.told import shown
from conformance.stored.verdict import Verdict

MOST = 2000
"""So many logs are drawn."""

STYLE = """
body { font: 14px/1.4 system-ui, sans-serif; margin: 2em; color: #222; background: #fff }
.log { margin: 0 0 1em }
.bar { position: relative; height: 18px; background: #eee; max-width: 60em }
.bar i { position: absolute; top: 0; bottom: 0; display: block }
.inherited { background: #9db7d5 } .own { background: #5a8f5a } .closers { background: #d9a441 }
.added { background: repeating-linear-gradient(45deg, #d9a441 0 4px, #fff 4px 8px) }
.bar i.marker { width: 2px; background: #222 } .bar i.broken { width: 4px; background: #c0392b }
.refused b, .unreadable b { color: #c0392b } code { background: #f4f4f4 }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #111 }
.bar { background: #333 } code { background: #222 } .bar i.marker { background: #fff } }
"""
LEGEND = (
    ("inherited", "inherited"),
    ("own", "its own"),
    ("closers", "closed an interrupted turn"),
    ("added", "what loading would add"),
)


def to_html(verdicts: Sequence[Verdict]) -> str:
    """One page, which needs nothing else."""
    return "\n".join(_page(verdicts)) + "\n"


def _page(verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield "<!doctype html><html lang=en><head><meta charset=utf-8>"
    yield "<meta name=viewport content='width=device-width'>"
    yield f"<title>Stored logs</title><style>{STYLE}</style></head><body>"
    yield "<h1>Stored logs</h1><p>"
    for name, text in LEGEND:
        yield f"<span class={name}>&emsp;</span> {escape(text)} &ensp;"
    yield "▏ marker &ensp;<b style='color:#c0392b'>▌</b> where it broke</p>"
    drawn = branches(verdicts)
    for branch in drawn[:MOST]:
        yield from _log(branch.verdict, branch.depth)
    if len(drawn) > MOST:
        yield f"<p>{len(drawn) - MOST} more are not drawn.</p>"
    yield "</body></html>"


def _log(verdict: Verdict, depth: int) -> Iterator[str]:
    origin = verdict.origin
    name = verdict.path if origin is None else f"{origin.id} · {verdict.path}"
    yield f"<div class='log {verdict.outcome}' style='margin-left:{min(depth, 30) * 2}em'>"
    yield f"<b>{verdict.outcome}</b> <code>{_text(name)}</code> {verdict.events} events"
    if verdict.outcome == "loads":
        yield f", {_text(verdict.manner)}"
    if verdict.events or verdict.adds:
        yield f"<div class=bar role=img aria-label='{_text(_said(verdict))}'>"
        yield from _bar(verdict)
        yield "</div>"
    if verdict.finding is not None:
        yield f"<div>{_text(verdict.finding.clause)} {_text(verdict.finding.why)}</div>"
    if verdict.diagnosis is not None:
        cause = f"most likely {verdict.diagnosis.cause}: {'; '.join(verdict.diagnosis.evidence)}"
        yield f"<div>{_text(cause)}</div><div>{_text(verdict.diagnosis.advice)}</div>"
    for note in verdict.notes:
        yield f"<div>note: {_text(note.why)}</div>"
    yield "</div>"


def _bar(verdict: Verdict) -> Iterator[str]:
    """The pieces of a bar, each over what is below it."""
    whole = verdict.events + len(verdict.adds)
    origin = verdict.origin
    inherited = min((origin.seed_length if origin is not None else None) or 0, verdict.events)
    yield _piece("inherited", 0, inherited, whole)
    yield _piece("own", inherited, verdict.events, whole)
    for first, end in verdict.closers:
        yield _piece("closers", first, end + 1, whole)
    yield _piece("added", verdict.events, whole, whole)
    for seq in verdict.markers:
        yield f"<i class=marker style='left:{_share(seq, whole)}' title='marker at seq {seq}'></i>"
    if verdict.outcome == "refused":
        at = verdict.finding.at if verdict.finding is not None else None
        seq = verdict.events if at is None or at.seq is None else min(at.seq, verdict.events)
        where = verdict.events if verdict.tail is not None else seq
        yield f"<i class=broken style='left:{_share(where, whole)}' title='it broke here'></i>"


def _piece(name: str, first: int, end: int, whole: int) -> str:
    if end <= first:
        return ""
    place = f"left:{_share(first, whole)};width:{_share(end - first, whole)}"
    return f"<i class={name} style='{place}' title='{name}: seq {first} to {end - 1}'></i>"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / max(whole, 1):.3f}%"


def _said(verdict: Verdict) -> str:
    marked = ", ".join(map(str, verdict.markers[-10:])) or "nowhere"
    return f"{verdict.events} events, marked at {marked}, {verdict.outcome}"


def _text(text: str) -> str:
    return escape(shown(text))
