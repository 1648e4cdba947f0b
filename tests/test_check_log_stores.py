"""Logs together: what the real DSH leaves in its folder, lineage, and what lies out of place."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from conformance.cli import app
from conformance.protocol.codec import command_from_wire
from conformance.protocol.json import Json
from conformance.stored import reading
from conformance.stored.check import check
from conformance.stored.lineage import branches, with_lineage
from conformance.stored.roots import with_roots
from conformance.stored.verdict import Verdict
from conformance.transport import Adapter
from tests.stored_logs import Line, dumped
from tests.stored_oracle import Oracle
from tests.test_check_log import H, line

REAL_LIFE: tuple[Line, ...] = (
    {"do": "boot"},
    {"do": "create", "handle": "a", "id": "a", "meta": {"cwd": "/made up/x y"}},
    {"do": "append", "session": "a", "type": "turn/start", "data": {"turn": 1}},
    {"do": "append", "session": "a", "type": "step/start", "data": {"turn": 1, "step": 1}},
    {"do": "append", "session": "a", "type": "step/end", "data": {"turn": 1, "step": 1}},
    {
        "do": "append",
        "session": "a",
        "type": "turn/end",
        "data": {"turn": 1, "reason": {"kind": "completed"}},
    },
    {"do": "flush", "handle": "f1", "session": "a"},
    {"do": "fork", "handle": "b", "source": "a", "id": "b"},
    {"do": "append", "session": "b", "type": "todo/write", "data": {}},
    {"do": "flush", "handle": "f2", "session": "b"},
    {"do": "fork", "handle": "c", "source": "b", "id": "c/d"},
    {"do": "append", "session": "c", "type": "turn/start", "data": {"turn": 2}},
    {"do": "flush", "handle": "f3", "session": "c"},
    {"do": "boot"},
    {"do": "resume", "handle": "r", "id": "a"},
    {"do": "append", "session": "r", "type": "todo/write", "data": {"more": True}},
    {"do": "flush", "handle": "f4", "session": "r"},
    {"do": "boot", "damage": [{"id": "b", "how": "torn"}]},
)


def by_id(verdicts: list[Verdict]) -> dict[str, Verdict]:
    """The verdicts by the id in the header."""
    return {each.origin.id: each for each in verdicts if each.origin is not None}


@pytest.mark.dsh
def test_what_the_real_dsh_leaves_is_clean(
    dsh_command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sessions that were created, forked, resumed and killed load, and their lineage is right."""
    monkeypatch.setenv("DSH_SPEC_DISK", str(tmp_path))
    with Adapter(dsh_command) as adapter:
        adapter.run([command_from_wire(command) for command in REAL_LIFE])
        disks = sorted(tmp_path.glob("dsh-spec-*/*"), key=lambda at: int(at.name))
        shutil.copytree(disks[-1], tmp_path / "kept")
    found = CliRunner().invoke(app, ["check-log", str(tmp_path / "kept"), "--json", "-"])
    assert found.exit_code == 0, found.output
    told = json.loads(found.stdout)
    files = {each["id"]: each for each in told["files"]}
    assert {each: files[each]["notes"] for each in files} == {"a": [], "b": [], "c/d": []}
    assert files["a"]["markers"] == [4]
    assert files["a"]["adds"] == ["session/end-seed"]
    assert (files["b"]["parent"], files["b"]["seedLength"], files["b"]["markers"]) == ("a", 4, [4])
    assert files["b"]["cut"] == len('{"type":"turn/sta')
    assert (files["c/d"]["parent"], files["c/d"]["seedLength"]) == ("b", 6)
    assert files["c/d"]["adds"] == ["turn/end", "session/end-seed"]
    assert [(each["id"], each["depth"]) for each in told["lineage"]] == [
        ("a", 0),
        ("b", 1),
        ("c/d", 2),
    ]


def log(folder: Path, name: str, events: list[bytes], **header: Json) -> Path:
    """A stored log of these events."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(each + b"\n" for each in (dumped({**H, **header}), *events)))
    return path


def together(paths: list[Path]) -> dict[str, Verdict]:
    """The verdicts on logs that are checked together."""
    verdicts = [check(path) for path in paths]
    return by_id(with_lineage(with_roots(verdicts), reading.LONGEST_LINE))


EVENTS = [line("todo/write", seq, {"n": seq}) for seq in range(4)]
MARK = line("session/end-seed", 4)


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ("nothing", ""),
        ("another event", "from seq 2 on"),
        ("longer than the parent", "its parent has 4"),
        ("no marker", "no marker stands at seq 4"),
        ("shorter than it says", "seedLength is 9"),
        ("no parent", "is not among these logs"),
    ],
)
def test_what_is_odd_about_a_lineage_is_noted(tmp_path: Path, change: str, note: str) -> None:
    """A fork beside its parent; that it loads does not depend on it."""
    inherited = [*EVENTS]
    header: Line = {"id": "child", "parentSession": "a", "seedLength": 4}
    marker = [MARK]
    if change == "another event":
        inherited[2] = line("todo/write", 2, {"n": "other"})
    if change == "longer than the parent":
        header["seedLength"] = 5
        inherited.append(line("todo/write", 4))
        marker = [line("session/end-seed", 5)]
    if change == "no marker":
        marker = [line("todo/write", 4)]
    if change == "shorter than it says":
        header["seedLength"] = 9
    if change == "no parent":
        header["parentSession"] = "nobody"
    parent = log(tmp_path, "a.jsonl", EVENTS)
    child = log(tmp_path, "child.jsonl", [*inherited, *marker], **header)
    verdict = together([parent, child])["child"]
    assert verdict.outcome == "loads"
    whys = [each.why for each in verdict.notes]
    assert any(note in why for why in whys) if note else not whys


def test_packed_and_plain_lines_inherit_the_same(tmp_path: Path) -> None:
    """A fork's rows are packed by its own batches."""
    pieces = [
        line(
            "assistant/chunk",
            seq,
            {"turn": 1, "step": 1, "chunk": {"type": "text-delta", "index": 0, "text": text}},
        )
        for seq, text in enumerate("abc")
    ]
    data: Json = {"turn": 1, "step": 1, "index": 0, "dt": [0, 0], "texts": ["a", "b", "c"]}
    row = dumped({"type": "text-chunks", "seq0": 0, "time0": 5, "data": data})
    parent = log(tmp_path, "a.jsonl", pieces)
    marker = line("session/end-seed", 3)
    child = log(tmp_path, "b.jsonl", [row, marker], id="b", parentSession="a", seedLength=3)
    assert together([parent, child])["b"].notes == ()


def test_a_lineage_in_a_circle_is_drawn(tmp_path: Path) -> None:
    """Each log once."""
    one = log(tmp_path, "a.jsonl", [], parentSession="b")
    other = log(tmp_path, "b.jsonl", [], id="b", parentSession="a")
    verdicts = [check(one), check(other)]
    assert len(branches(verdicts)) == 2


PLACES: dict[str, tuple[str, ...]] = {
    "where it belongs": ("_no-cwd/a/session.jsonl",),
    "another id's folder": ("_no-cwd/b/session.jsonl",),
    "another project's folder": ("--work--/a/session.jsonl",),
    "two projects": ("_no-cwd/a/session.jsonl", "--work--/a/session.jsonl"),
    "two encodings": ("_no-cwd/a/session.jsonl", "_no-cwd/b/session.jsonl.zstd"),
    "a flat one beside it": ("_no-cwd/a/session.jsonl", "_no-cwd/b.jsonl"),
    "an unrelated one beside it": ("_no-cwd/a/session.jsonl", "_no-cwd/a/notes.jsonl"),
}


@pytest.mark.dsh
@pytest.mark.parametrize("case", PLACES)
def test_places_are_judged_as_dsh_judges_them(oracle: Oracle, tmp_path: Path, case: str) -> None:
    """A log of id a, alone or with others, somewhere below a root."""
    paths = [log(tmp_path, name, [line("todo/write", 0)]) for name in PLACES[case]]
    before = {path: path.read_bytes() for path in paths}
    verdict = with_roots([check(path) for path in paths])[0]
    assert {path: path.read_bytes() for path in paths} == before
    asked = paths[0].parent.name
    real = oracle.ask({"root": str(tmp_path), "id": asked})
    assert (verdict.outcome == "loads") == real["loads"], real
    if verdict.outcome == "refused":
        assert verdict.finding is not None
        assert verdict.finding.clause == "STG-3"


def test_a_copy_is_judged_without_its_place(tmp_path: Path) -> None:
    """Whoever copies a log out of its folder keeps its name; only a store has places."""
    path = log(tmp_path, "session.jsonl", [line("todo/write", 0)], id="elsewhere")
    assert with_roots([check(path)])[0].outcome == "loads"
