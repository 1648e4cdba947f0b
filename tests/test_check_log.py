"""`check-log` beside the real persistence: the same verdicts, events and untouched bytes."""

import base64
import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.protocol.json import Json
from conformance.stored import reading
from conformance.stored.check import Reading, check
from conformance.stored.verdict import Verdict
from tests.stored_faults import made
from tests.stored_logs import Line, dumped
from tests.stored_oracle import Oracle
from tests.test_recovery import shown_event, to_value, without_words

H: Line = {"type": "session", "version": 0, "id": "a", "createdAt": 1, "delegationDepth": 0}


def line(kind: str, seq: int, data: Json = None, **more: Json) -> bytes:
    """One event."""
    shown: Json = {} if data is None else data
    return dumped({"type": kind, "seq": seq, "time": 5, "data": shown, **more})


def built(text: str) -> bytes:
    """A file of the notation: `S0 E1 M2 X2`, each a line."""
    whole = text.removesuffix("…")
    lines = b"".join(_word(word) + b"\n" for word in whole.split())
    return lines + (b'{"type":"turn/e' if whole != text else b"")


def _word(word: str) -> bytes:
    if word in WORDS:
        return WORDS[word]
    kind = word.rstrip("0123456789")
    seq = int(word[len(kind) :] or 0)
    datas: dict[str, tuple[str, Json]] = {
        "S": ("turn/start", {"turn": 1}),
        "E": ("turn/end", {"turn": 1, "reason": {"kind": "completed"}}),
        "Ei": ("turn/end", {"turn": 1, "reason": {"kind": "interrupted"}}),
        "s": ("step/start", {"turn": 1, "step": 1}),
        "e": ("step/end", {"turn": 1, "step": 1}),
        "M": ("session/end-seed", {}),
        "X": ("todo/write", {}),
    }
    return line(datas[kind][0], seq, datas[kind][1])


WORDS = {
    "H": dumped(H),
    "H1": dumped({**H, "version": 1}),
    "H99": dumped({**H, "seedLength": 99}),
    "bad": b"{bad",
    "empty": b"",
    "own": line("plugin/own", 0),
    "ownIgnorable": line("plugin/own", 0, ignorable=True),
    "S0of5": line("turn/start", 0, {"turn": 5}),
}
MARKER, STEP_END, TURN_END = "session/end-seed", "step/end", "turn/end"

SMALL: dict[str, str | tuple[str, ...]] = {
    "H S0 E1 M2 X2 S3 E4": "LOG-1",
    "H S0 E1 M2 S2": (),
    "H S0 E1 S2 E3 S0 E1": "LOG-1",
    "H S0 E1 S3 s4": (MARKER,),
    "H S0 s1…": (STEP_END, TURN_END, MARKER),
    "H S0 bad E1": "STG-5",
    "H": (MARKER,),
    "H S0 E1 M2": (),
    "H S0 E1 M2 M3": (),
    "H S0 M1": (TURN_END, MARKER),
    "H own": "RES-1",
    "H ownIgnorable": (MARKER,),
    "H1": "HDR-2",
    "H99 S0 E1": (MARKER,),
    "H S0of5 E1": (MARKER,),
    "H S0 empty E1": "STG-5",
    "H E0": (MARKER,),
    "H S0 E1 M2 S3 s4 e5 Ei6 M7 s5 e6 E7": "LOG-1",
    "H S0 E1 X2 X3 X4 X5 X2 X3 E4": "LOG-1",
    "H S0 E1 X9 E10": "LOG-1",
    "": "STG-2",
    "H H": (MARKER,),
    "bad": "STG-2",
}
"""The logs of the issue and some more: what refuses them, or what loading them adds."""

CAUSES = {
    "H S0 E1 M2 X2 S3 E4": "stale-writer",
    "H S0 E1 S2 E3 S0 E1": "restart-at-small-seq",
    "H S0 bad E1": "damaged-line",
    "H own": "plugin-event",
    "H1": "newer-harness",
    "H S0 E1 M2 S3 s4 e5 Ei6 M7 s5 e6 E7": "closers-under-live-owner",
    "H S0 E1 X2 X3 X4 X5 X2 X3 E4": "two-writers",
    "H S0 E1 X9 E10": "lines-lost",
    "bad": "not-a-log",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the logs are written."""
    return tmp_path_factory.mktemp("logs")


def written(folder: Path, content: bytes, encoding: str = "none") -> Path:
    """A log as a file."""
    path = folder / ("log.jsonl.zstd" if encoding == "zstd" else "log.jsonl")
    path.write_bytes(content)
    return path


def agrees(oracle: Oracle, path: Path, encoding: str = "none") -> Verdict:
    """Hold a verdict beside what the real persistence does with a copy of the file."""
    before = path.read_bytes()
    verdict = check(path)
    assert path.read_bytes() == before
    real = oracle.ask(asked(path, verdict, encoding))
    assert (verdict.outcome == "loads") == real["loads"], (verdict, real.get("message"))
    if verdict.outcome == "loads":
        same_events(path, verdict, real["events"])
        if encoding == "none":
            same_bytes(before, verdict, base64.b64decode(str(real["bytes"])))
    else:
        newer = real["name"] == "SessionFormatUnsupportedError"
        finding = verdict.finding
        assert finding is not None
        assert newer == (finding.clause == "HDR-2" or "is unknown and" in finding.why)
        reloads(folder=path.parent, content=before, verdict=verdict, encoding=encoding)
    return verdict


def asked(path: Path, verdict: Verdict, encoding: str) -> Json:
    """What to ask of the real persistence."""
    origin = verdict.origin
    request: dict[str, Json] = {"file": str(path), "compression": encoding}
    request["id"] = origin.id if origin is not None and origin.id else "a"
    if origin is not None and origin.cwd:
        request["cwd"] = origin.cwd
    return request


def same_events(path: Path, verdict: Verdict, events: Json) -> None:
    """The events that loading leads to are the real ones, and what it adds is so to the letter."""
    assert isinstance(events, list)
    shown: list[dict[str, Json]] = [event for event in events if isinstance(event, dict)]
    kept = shown[: verdict.events]
    assert [event["seq"] for event in kept] == list(range(verdict.events))
    assert tuple(event["type"] for event in shown[verdict.events :]) == verdict.adds
    with reading.opened(path) as stored:
        again = Reading(stored, path, reading.LONGEST_LINE)
        again.run()
    assert again.judge is not None
    if kept:
        assert (again.judge.last, again.judge.time) == (kept[-1]["type"], kept[-1]["time"] or 0)
    markers = tuple(event["seq"] for event in kept if event["type"] == MARKER)
    assert verdict.markers == markers
    for event, real in zip(again.judge.closers(), shown[verdict.events :], strict=False):
        told: Json = {name: real[name] or 0 for name in ("type", "seq", "time", "data")}
        assert shown_event(event) == without_words(to_value(told))


def same_bytes(before: bytes, verdict: Verdict, after: bytes) -> None:
    """The real thing cuts what we say it cuts, and appends the closers."""
    kept = before[: len(before) - verdict.cut]
    assert after.startswith(kept)
    appended = [json.loads(each)["type"] for each in after[len(kept) :].splitlines()]
    assert tuple(appended) == tuple(kind for kind in verdict.adds if kind != MARKER)


def reloads(folder: Path, content: bytes, verdict: Verdict, encoding: str) -> None:
    """The prefix that is said to load does so."""
    if verdict.prefix is None or encoding != "none":
        return
    path = folder / "prefix.jsonl"
    path.write_bytes(content[: verdict.prefix.bytes])
    again = check(path)
    assert (again.outcome, again.events) == ("loads", verdict.prefix.events)


@pytest.mark.dsh
@pytest.mark.parametrize("text", SMALL)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_small_logs_are_judged_as_dsh_judges_them(
    oracle: Oracle, folder: Path, text: str, ending: str
) -> None:
    """Every log of the issue, with both kinds of line ends."""
    content = built(text).replace(b"\n", ending.encode())
    verdict = agrees(oracle, written(folder, content))
    expected = SMALL[text]
    if isinstance(expected, str):
        assert verdict.outcome == "refused"
        assert verdict.finding is not None
        assert verdict.finding.clause == expected
        assert verdict.diagnosis is not None
        assert verdict.diagnosis.cause == CAUSES.get(text, verdict.diagnosis.cause)
    else:
        assert (verdict.outcome, verdict.adds) == ("loads", expected)


@pytest.mark.dsh
@settings(
    max_examples=250,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.randoms(use_true_random=False))
def test_made_logs_are_judged_as_dsh_judges_them(
    oracle: Oracle, folder: Path, random: Random
) -> None:
    """Valid logs, and logs with a fault of every kind at a random place."""
    log = made(random)
    agrees(oracle, written(folder, log.content, log.encoding), log.encoding)


@pytest.mark.dsh
def test_drawn_logs_are_judged_as_dsh_judges_them(oracle: Oracle, folder: Path) -> None:
    """Two hundred more, the same each time, of which enough load and enough are refused."""
    outcomes = []
    for seed in range(200):
        log = made(Random(seed))
        path = written(folder, log.content, log.encoding)
        outcomes.append(agrees(oracle, path, log.encoding).outcome)
    assert outcomes.count("loads") > 50
    assert outcomes.count("refused") > 50
