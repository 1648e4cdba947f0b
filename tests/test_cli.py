"""The command line: what a user types, what it says, and the exit code."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from conformance.programs import SPEC

DSH_SPEC = (sys.executable, "-m", "conformance.cli")


def dsh_spec(*words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line."""
    environment = os.environ | {"COLUMNS": "200", "PYTHONPATH": str(SPEC.parent)}
    return subprocess.run(
        (*DSH_SPEC, *words),
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        check=False,
        timeout=120,
    )


def adapter(code: str) -> Sequence[str]:
    """The words that run an adapter which says hello and then does this."""
    hello = '{"n":0,"protocol":1,"implementation":{"name":"x","version":"0"},"groups":["STO"]}'
    return (
        "--",
        sys.executable,
        "-c",
        f"import sys,time; input(); print({hello!r}, flush=True); {code}",
    )


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("run", "nope"), 2, "there is no built-in implementation nope"),
        (("run", "--bogus"), 2, "No such option"),
        (("run", "--", "/nowhere/adapter"), 2, "cannot be started"),
        (("run", "--", "false"), 3, "died before it said hello"),
        (
            ("run", *adapter("input(); print('{\"n\":1', end='', flush=True)")),
            3,
            "middle of a line",
        ),
        (("run", *adapter("input(); print('{\"n\":9}', flush=True)")), 3, "answered request 9"),
        (("run", "--step-timeout", "0.3", *adapter("time.sleep(60)")), 3, "did not answer within"),
        (("replay", "/nowhere.json", "reference"), 2, "cannot be read"),
        (("explore", "nowhere"), 2, "there is no scope nowhere"),
        (("explore", "tiny", "--design", "nothing"), 2, "there is no alternative nothing"),
        (("explain", "XYZ-1"), 2, "nothing is called XYZ-1"),
        (("serve", "--alternative", "nothing"), 2, "there is no alternative nothing"),
        (("run", "reference", "--programs", "1", "--json", "/nowhere/x"), 2, "cannot be written"),
        (("fly",), 2, "No such command"),
    ],
)
def test_what_goes_wrong_is_said_in_a_line(words: Sequence[str], code: int, says: str) -> None:
    """Whose fault it is, the documented exit code, and never a traceback."""
    done = dsh_spec(*words)
    assert done.returncode == code
    assert says in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is not JSON"),
        ("[]", "wanted an object"),
        ('{"dsh_spec": 2, "program": []}', "wanted the format 1"),
        ('{"dsh_spec": 1, "program": [{"do": "fly"}]}', "program[0]"),
        ("\ufeff{}", "is not JSON"),
    ],
)
def test_a_program_file_that_is_none(tmp_path: Path, text: str, says: str) -> None:
    """A file is refused with the place of its first fault."""
    path = tmp_path / "program.json"
    path.write_text(text, encoding="utf-8")
    done = dsh_spec("replay", str(path), "reference")
    assert done.returncode == 2
    assert says in done.stderr.replace("\n", " ")


def test_replay_shows_the_steps_before_a_fault(tmp_path: Path) -> None:
    """What was answered is printed, then whose fault it is; exit code 3."""
    path = tmp_path / "program.json"
    append = {"do": "append", "session": "s", "type": "todo/write", "data": {}}
    commands = [{"do": "create", "handle": "s"}, *([append] * 6)]
    path.write_text(json.dumps({"dsh_spec": 1, "program": commands}), encoding="utf-8")
    done = dsh_spec("replay", str(path), "--", sys.executable, "-m", "tests.odd_adapters", "dies")
    assert done.returncode == 3
    assert done.stdout.count("✓") == 5
    assert "ended with code 7" in done.stderr


def test_a_fault_can_be_pasted(tmp_path: Path) -> None:
    """The program at which an adapter died is written, and the line to run it again is printed."""
    odd = ("--", sys.executable, "-m", "tests.odd_adapters", "dies")
    done = dsh_spec("run", "--programs", "150", *odd, folder=tmp_path)
    assert done.returncode == 3
    assert "verdict: errored" in done.stdout
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("  dsh-spec replay"))
    path = Path(line.split()[2])
    assert json.loads((tmp_path / path).read_text(encoding="utf-8"))["program"]


def test_run_agrees_with_the_reference_and_says_so(tmp_path: Path) -> None:
    """The verdict is on the screen and in the JSON, whose counts add up."""
    path = tmp_path / "run.json"
    done = dsh_spec("run", "reference", "--programs", "120", "--json", str(path), folder=tmp_path)
    assert done.returncode == 0
    assert "verdict: agrees" in done.stdout
    result = json.loads(path.read_text(encoding="utf-8"))
    assert result["verdict"] == "agrees"
    assert result["programs"] == 120
    for tally in result["clauses"].values():
        parts = ("passed", "failed", "excused", "inapplicable", "unreached")
        assert tally["declared"] == sum(tally[part] for part in parts)


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    """Apart from the timing nothing in a result depends on anything but the seed."""
    results = []
    for number in (1, 2):
        path = tmp_path / f"{number}.json"
        dsh_spec("run", "reference", "--programs", "90", "--seed", "7", "--json", str(path))
        result = json.loads(path.read_text(encoding="utf-8"))
        del result["timing"]
        results.append(json.dumps(result))
    assert results[0] == results[1]


def test_a_failure_can_be_pasted(tmp_path: Path) -> None:
    """The line that a failure prints runs it again, and it fails again."""
    words = ("--", *DSH_SPEC, "serve", "--alternative", "detach-at-once")
    done = dsh_spec("run", "--programs", "150", "--max-failures", "1", *words, folder=tmp_path)
    assert done.returncode == 1
    assert "disagrees on STO-7" in done.stdout
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("  dsh-spec replay"))
    again = dsh_spec(*line.split()[1:], folder=tmp_path)
    assert again.returncode == 1
    assert "expected" in again.stdout


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_keeps_what_was_found(told: signal.Signals, tmp_path: Path) -> None:
    """Ctrl-C ends the run with a report, exit code 130, and no process left behind."""
    path = tmp_path / "run.json"
    words = ("run", "reference", "--programs", "100000", "--json", str(path))
    running = subprocess.Popen(
        (*DSH_SPEC, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    time.sleep(4)
    os.kill(running.pid, told)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130, err.decode()
    assert b"interrupted" in out
    assert json.loads(path.read_text(encoding="utf-8"))["interrupted"] is True
    children = subprocess.run(
        ("pgrep", "-s", str(running.pid)), capture_output=True, text=True, check=False
    )
    assert children.stdout == ""


def test_explore_says_what_holds() -> None:
    """Counts, verdicts, and the exit code of a scope in which everything holds."""
    done = dsh_spec("explore", "ids", "--json", "-")
    assert done.returncode == 0
    result = json.loads(done.stdout)
    assert result["complete"] is True
    assert {law["verdict"] for law in result["laws"].values()} <= {"holds", "unreached"}


def test_explore_shows_the_shortest_way_to_break_a_law() -> None:
    """With another design a law breaks, and the program is there to read."""
    done = dsh_spec("explore", "ids", "--design", "mint-takes-live-id")
    assert done.returncode == 1
    assert "violated: minted ids skip live ones" in done.stdout


def test_a_truncated_search_does_not_hold() -> None:
    """An unfinished search is no proof."""
    done = dsh_spec("explore", "ids", "--max-states", "3")
    assert done.returncode == 1
    assert "NOT all" in done.stdout


@pytest.mark.parametrize("command", ["", "run", "replay", "explore", "explain", "serve"])
def test_help_fits_a_screen(command: str) -> None:
    """Help is short."""
    done = dsh_spec(*command.split(), "--help")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) <= 30


@pytest.mark.parametrize("what", ["STO-7", "clauses", "laws", "codes", "alternatives", "scopes"])
def test_explain_knows(what: str) -> None:
    """Clauses and the lists of everything else can be asked for."""
    done = dsh_spec("explain", what)
    assert done.returncode == 0
    assert done.stdout.strip()
