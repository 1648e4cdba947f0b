"""Hostile input: always a verdict or a clear error, in bounded time and memory."""

import itertools
import json
import os
import time
import tracemalloc
from pathlib import Path

import pytest
import zstandard
from typer.testing import CliRunner

from conformance.cli import app
from conformance.stored import reading
from conformance.stored.check import check, checked
from conformance.stored.reading import Stored
from conformance.stored.verdict import Verdict
from tests.stored_logs import dumped
from tests.test_check_log import MARKER, H, built, line

HEAD = dumped(H) + b"\n"


def judged(folder: Path, content: bytes, name: str = "log.jsonl") -> Verdict:
    """The verdict on this content."""
    path = folder / name
    path.write_bytes(content)
    return check(path)


def test_a_log_cut_off_anywhere_has_a_verdict(tmp_path: Path) -> None:
    """After every byte."""
    whole = built("H S0 s1 e2 E3 M4 S5")
    outcomes = [judged(tmp_path, whole[:end]).outcome for end in range(len(whole) + 1)]
    first = outcomes.index("loads")
    assert first == len(HEAD)
    assert set(outcomes[:first]) == {"refused"}
    assert set(outcomes[first:]) == {"loads"}


@pytest.mark.parametrize("encoding", ["none", "zstd"])
def test_any_byte_may_be_another(tmp_path: Path, encoding: str) -> None:
    """At every byte, each bit."""
    whole = built("H S0 E1")
    if encoding == "zstd":
        compressor = zstandard.ZstdCompressor(write_checksum=True)
        whole = compressor.compress(HEAD) + compressor.compress(whole[len(HEAD) :])
    name = "log.jsonl.zstd" if encoding == "zstd" else "log.jsonl"
    for at in range(len(whole)):
        bit = 1 << at % 8
        content = whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :]
        assert judged(tmp_path, content, name).outcome in ("loads", "refused")


def test_a_long_line_is_not_read(tmp_path: Path) -> None:
    """A line of 100 MB is too long, and nothing near it is held in memory twice over."""
    path = tmp_path / "log.jsonl"
    with path.open("wb") as file:
        file.write(HEAD + b'{"type":"todo/write","seq":0,"time":1,"data":"')
        for _ in range(100):
            file.write(b"x" * (1 << 20))
        file.write(b'"}\n')
    tracemalloc.start()
    verdict = check(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert verdict.outcome == "unreadable"
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.cause == "too-large"
    assert peak < reading.LONGEST_LINE * 3
    assert check(path, longest=128 << 20).outcome == "loads"


def test_deep_nesting_loads(tmp_path: Path) -> None:
    """As it does in DSH's runtime, which needs no stack to read it either."""
    deep = b"[" * 100_000 + b"]" * 100_000
    event = b'{"type":"todo/write","seq":0,"time":1,"data":%s}\n' % deep
    assert judged(tmp_path, HEAD + event).outcome == "loads"
    verdict = judged(tmp_path, HEAD + event.replace(b"]}", b"}"))
    assert (verdict.outcome, verdict.events) == ("loads", 0)


@pytest.mark.parametrize(
    ("number", "loads"),
    [
        (b"1", True),
        (b"1.0", True),
        (b"-0", True),
        (b"9007199254740991", True),
        (b"9007199254740992", False),
        (b"9007199254740993", False),
        (b"1e999", False),
        (b"0.5", False),
        (b"1" * 5000, False),
    ],
)
def test_numbers_at_the_edge(tmp_path: Path, number: bytes, *, loads: bool) -> None:
    """A time has to be exact as a double."""
    event = b'{"type":"todo/write","seq":0,"time":%s,"data":{}}\n' % number
    assert (judged(tmp_path, HEAD + event).outcome == "loads") == loads


def test_a_bomb_is_read_piece_by_piece(tmp_path: Path) -> None:
    """Two hundred megabytes in a few kilobytes: too long as one line, no log as many."""
    compressor = zstandard.ZstdCompressor(write_checksum=True)
    head = compressor.compress(HEAD)
    blank = zstandard.ZstdCompressor().compressobj()
    bomb = b"".join(blank.compress(b" " * (1 << 20)) for _ in range(200)) + blank.flush()
    tracemalloc.start()
    one_line = judged(tmp_path, head + bomb, "log.jsonl.zstd")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert one_line.outcome == "unreadable"
    assert peak < reading.LONGEST_LINE * 3
    lines = zstandard.ZstdCompressor().compressobj()
    bomb = b"".join(lines.compress(b"\n" * (1 << 20)) for _ in range(64)) + lines.flush()
    assert judged(tmp_path, head + bomb, "log.jsonl.zstd").outcome == "refused"


def test_a_plain_log_that_breaks_early_is_still_read_fast(tmp_path: Path) -> None:
    """Behind the break only ends of turns are looked for."""
    content = HEAD + b"\n" * 3_000_000
    started = time.monotonic()
    verdict = judged(tmp_path, content)
    assert (verdict.outcome, verdict.adds, verdict.cut) == ("loads", (MARKER,), 3_000_000)
    assert time.monotonic() - started < 10


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    """A fifo, a folder, a link that leads nowhere, a link round to itself."""
    fifo = tmp_path / "fifo.jsonl"
    os.mkfifo(fifo)
    nowhere = tmp_path / "nowhere.jsonl"
    nowhere.symlink_to(tmp_path / "not there")
    around = tmp_path / "around.jsonl"
    around.symlink_to(around)
    for path in (fifo, tmp_path, nowhere, around, Path("/dev/null"), Path("a\0b")):
        verdict = check(path)
        assert verdict.outcome == "unreadable"
        assert verdict.diagnosis is not None
        assert verdict.diagnosis.cause == "io"


def test_folders_that_go_round_are_walked_once(tmp_path: Path) -> None:
    """Links to folders are not followed."""
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "round").symlink_to(tmp_path)
    (inner / "log.jsonl").write_bytes(HEAD)
    found = CliRunner().invoke(app, ["check-log", str(tmp_path), "--json", "-"])
    assert [file["verdict"] for file in json.loads(found.stdout)["files"]] == ["loads"]


def test_what_may_not_be_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a file and of a folder; whoever runs the tests may be allowed everything."""
    closed = tmp_path / "closed"
    closed.mkdir()
    (tmp_path / "log.jsonl").write_bytes(HEAD)
    opens, scans = os.open, os.scandir

    def no_open(path: Path, flags: int, mode: int = 0o777) -> int:
        if str(path).endswith("log.jsonl"):
            raise PermissionError(13, "Permission denied", str(path))
        return opens(path, flags, mode)

    def no_scan(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scans(path)

    monkeypatch.setattr(os, "open", no_open)
    monkeypatch.setattr(os, "scandir", no_scan)
    found = CliRunner().invoke(app, ["check-log", str(tmp_path), "--json", "-"])
    assert found.exit_code == 1
    verdicts = [file["verdict"] for file in json.loads(found.stdout)["files"]]
    assert verdicts == ["unreadable", "unreadable"]


@pytest.mark.parametrize("appends", [1, 99])
def test_a_log_that_grows_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, appends: int
) -> None:
    """Until it stands still, but not for ever; what is said holds for what once was there."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(HEAD)
    seqs = iter(range(appends))

    def growing(stored: Stored, at: Path, longest: int) -> Verdict:
        for seq in itertools.islice(seqs, 1):
            with at.open("ab") as file:
                file.write(line("todo/write", seq) + b"\n")
        return checked(stored, at, longest)

    monkeypatch.setattr("conformance.stored.check.checked", growing)
    verdict = check(path)
    assert verdict.outcome == "loads"
    assert verdict.events == (1 if appends == 1 else 2)
    assert bool(verdict.notes) == (appends > 1)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Ten times the events take no more memory."""
    peaks = []
    for count in (20_000, 80_000):
        path = tmp_path / "log.jsonl"
        with path.open("wb") as file:
            file.write(HEAD)
            file.writelines(line("todo/write", seq) + b"\n" for seq in range(count))
        tracemalloc.start()
        assert check(path).events == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.5


@pytest.mark.parametrize(
    ("content", "clause"),
    [
        (b"", "STG-2"),
        (b"\n", "STG-2"),
        (HEAD[:-1], "STG-2"),
        (b"\xef\xbb\xbf" + HEAD, "STG-2"),
        (HEAD + HEAD + built("H E0")[len(HEAD) :], "LOG-1"),
        (b'{"type":"session","version":0,"id":"","createdAt":1,"delegationDepth":0}\n', "STG-3"),
        (HEAD.replace(b":1,", b":-0,"), "STG-2"),
        (HEAD.replace(b'"a"', b'"\xff"') + b"null\n", "STG-5"),
        (b"\x28\xb5\x2f\xfd" + HEAD, "STG-2"),
        (b"\x00" * 100, "STG-2"),
    ],
)
def test_what_is_no_log_is_refused(tmp_path: Path, content: bytes, clause: str) -> None:
    """By the clause that it breaks."""
    verdict = judged(tmp_path, content)
    assert verdict.outcome == "refused"
    assert verdict.finding is not None
    assert verdict.finding.clause == clause


@pytest.mark.parametrize("name", ["empty", "magic", "text", "skippable", "dictionary"])
def test_what_is_no_frame_is_refused(tmp_path: Path, name: str) -> None:
    """By STG-6."""
    content = {
        "empty": b"",
        "magic": b"\x28\xb5\x2f\xfd",
        "text": HEAD,
        "skippable": b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd",
        "dictionary": b"\x28\xb5\x2f\xfd\x23\x01\x00\x00\x00\x00\x01\x00\x00",
    }[name]
    verdict = judged(tmp_path, content, "log.jsonl.zstd")
    assert verdict.outcome == "refused"
    assert verdict.finding is not None
    assert verdict.finding.clause == "STG-6"
