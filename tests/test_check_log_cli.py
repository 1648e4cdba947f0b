"""The command `check-log`: what it writes, for whom, and how it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from random import Random
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator

from conformance.clauses import clauses
from conformance.programs import SPEC
from conformance.stored import reading
from conformance.stored.check import check
from conformance.stored.cli import each_checked
from conformance.stored.picture import to_html
from conformance.stored.sarif import to_sarif
from conformance.stored.told import to_json
from conformance.stored.verdict import Verdict
from tests.stored_faults import made
from tests.stored_logs import dumped
from tests.test_check_log import SMALL, H, built

SCHEMA = Draft202012Validator(
    json.loads((SPEC / "check-log.schema.json").read_text(encoding="utf-8"))
)


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    """The command, as somebody would call it."""
    command = [sys.executable, "-m", "conformance.cli", "check-log", *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of logs of every kind, one of them with a name of any bytes."""
    folder = tmp_path_factory.mktemp("logs")
    for number, text in enumerate(SMALL):
        (folder / f"{number}.jsonl").write_bytes(built(text))
    for seed in range(40):
        log = made(Random(seed))
        suffix = ".jsonl.zstd" if log.encoding == "zstd" else ".jsonl"
        (folder / f"made {seed}{suffix}").write_bytes(log.content)
    (folder / "<b>\udcff.jsonl").write_bytes(dumped({**H, "id": "<script>\ud800"}) + b"\n")
    return folder


@pytest.fixture(scope="module")
def verdicts(logs: Path) -> list[Verdict]:
    """The verdicts on them."""
    return [check(path) for path in sorted(logs.iterdir())]


def test_a_log_that_loads_ends_with_0(tmp_path: Path) -> None:
    """And says what loading would do."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(built("H S0 s1…"))
    found = ran(str(path))
    assert (found.returncode, found.stderr) == (0, "")
    assert "adds step/end, turn/end, session/end-seed" in found.stdout
    assert "1 logs: 1 load" in found.stdout


def test_a_log_that_is_refused_ends_with_1(tmp_path: Path) -> None:
    """With the clause, the place and the cause."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(built("H S0 E1 M2 X2 S3 E4"))
    found = ran(str(path))
    assert found.returncode == 1
    for part in (":5: byte ", "seq 2", "(LOG-1)", "most likely: stale-writer", "first 4 lines"):
        assert part in found.stdout


@pytest.mark.parametrize("name", ["not-there", "*.nothing", "."])
def test_what_names_no_log_is_the_callers_fault(tmp_path: Path, name: str) -> None:
    """A path that is not there, a glob that matches nothing, a folder without logs."""
    found = ran(str(tmp_path / name))
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("dsh-spec: there is no ")


def test_two_outputs_cannot_share_stdout(tmp_path: Path) -> None:
    """It is the caller's fault."""
    assert ran(str(tmp_path), "--json", "-", "--sarif", "-").returncode == 2


def test_globs_and_files_are_checked_once_each(tmp_path: Path) -> None:
    """However often they are named."""
    for name in ("a.jsonl", "b.jsonl", "c.txt"):
        (tmp_path / name).write_bytes(dumped(H) + b"\n")
    found = ran(str(tmp_path), str(tmp_path / "*.jsonl"), str(tmp_path / "c.txt"), "--json", "-")
    names = [Path(each["path"]).name for each in json.loads(found.stdout)["files"]]
    assert names == ["a.jsonl", "b.jsonl", "c.txt"]


def test_the_json_is_what_its_schema_says(verdicts: list[Verdict]) -> None:
    """Of logs of every kind, and it can be written."""
    told = to_json(verdicts)
    SCHEMA.validate(told)
    json.dumps(told).encode()
    outcomes = {verdict.outcome for verdict in verdicts}
    assert outcomes == {"loads", "refused"}


def test_every_clause_that_is_named_is_there(verdicts: list[Verdict]) -> None:
    """In a finding, a tail or a note."""
    named = [verdict.finding for verdict in verdicts if verdict.finding is not None]
    assert {finding.clause for finding in named} <= clauses().keys()


def test_sarif_names_rules_and_lines(logs: Path, verdicts: list[Verdict]) -> None:
    """Each result has a rule of the run, and a region that is there in the file."""
    report = json.loads(json.dumps(to_sarif(verdicts)))
    (run,) = report["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(before < after for before, after in pairwise(rules))
    errors = 0
    for result in run["results"]:
        assert result["ruleId"] in rules
        (location,) = result["locations"]
        place = location["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        path = Path(unquote(uri.removeprefix("file://"), errors="surrogateescape"))
        assert path.parent == logs
        errors += result["level"] == "error"
        if "region" in place:
            content = path.read_bytes()
            before = content[: place["region"]["byteOffset"]]
            assert place["region"]["startLine"] == before.count(b"\n") + 1
            assert not before or before.endswith(b"\n")
    assert errors == sum(verdict.outcome != "loads" for verdict in verdicts)


def test_the_picture_escapes_what_it_shows(verdicts: list[Verdict]) -> None:
    """Ids and names are anybody's."""
    page = to_html(verdicts)
    assert "<script" not in page
    assert "<b>\\" not in page
    assert page.encode()
    assert page.count("class='log ") == len(verdicts)


def test_workers_say_the_same(logs: Path) -> None:
    """In the same order."""
    paths = sorted(logs.iterdir())
    alone = list(each_checked(paths, 1, reading.LONGEST_LINE))
    assert list(each_checked(paths, 2, reading.LONGEST_LINE)) == alone


def test_the_help_fits_a_screen() -> None:
    """So that nobody has to scroll."""
    found = ran("--help")
    assert found.returncode == 0
    assert len(found.stdout.splitlines()) <= 40


def test_an_interrupt_ends_it_and_its_workers(tmp_path: Path) -> None:
    """With 130, without a traceback, and soon."""
    for number in range(4):
        with (tmp_path / f"{number}.jsonl").open("wb") as file:
            file.write(dumped(H) + b"\n")
            file.writelines(b'{"a":"\\n"}\n' * 1000 for _ in range(1500))
    command = [sys.executable, "-m", "conformance.cli", "check-log", str(tmp_path), "--workers=2"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stderr=pipe, stdout=pipe, start_new_session=True) as process:
        time.sleep(1.5)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (130, b"")
