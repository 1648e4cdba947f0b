"""The transport: whatever an adapter does, it is told whose fault it is, and nothing is left."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conformance.faults import (
    AdapterFault,
    CallerFault,
    CrashedError,
    DiedAtHelloError,
    GarbageError,
    SilentError,
    UnreadableError,
    WrongNumberError,
)
from conformance.implementations import reference
from conformance.transport import Adapter
from model.command import Command, Create, Look

HELLO = '{"n":0,"protocol":1,"implementation":{"name":"x","version":"0"},"groups":[]}'
PREAMBLE = f"""
import json, os, subprocess, sys, time
def say(text): sys.stdout.write(text + "\\n"); sys.stdout.flush()
input(); say({HELLO!r})
"""
REPLY = '{"n":%d,"outcome":{"is":"done"},"seen":[],"live":{"sessions":[],"agents":[]}}'


def adapter(code: str, timeout: float = 5.0) -> Adapter:
    """An adapter that says hello and then does this."""
    return Adapter((sys.executable, "-c", PREAMBLE + code), step_timeout=timeout)


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("input(); sys.exit(3)", CrashedError),
        ("input(); sys.stdout.write('{\"n\":1'); sys.stdout.flush(); sys.exit(0)", CrashedError),
        ("input(); say('{\"n\":7}')", WrongNumberError),
        ("input(); time.sleep(60)", SilentError),
        ("input(); say('hello?')", GarbageError),
        ("input(); say('[1]')", GarbageError),
        ('input(); say(\'{"n":1,"leftovers":[]}\'); input(); say(\'{"n":2}\')', GarbageError),
        ('input(); say(\'{"n":1,"error":"what?"}\')', UnreadableError),
        ('input(); say(\'{"n":1,"leftovers":[]}\'); os.kill(os.getpid(), 9)', CrashedError),
        ("input(); sys.stdout.close(); os.close(1); time.sleep(60)", CrashedError),
    ],
)
def test_a_bad_answer_is_the_adapters_fault(code: str, fault: type[AdapterFault]) -> None:
    """Each way to misbehave has its own fault, quickly, and the process is gone afterwards."""
    started = time.monotonic()
    with pytest.raises(fault, match="the adapter's fault"), adapter(code, timeout=0.5) as running:
        process = running.pid
        running.run((Look("a"),))
    assert time.monotonic() - started < 10
    assert gone(process)


def gone(process: int) -> bool:
    """Whether a process has ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_an_adapter_that_dies_at_hello_says_so() -> None:
    """Its last words come with the fault."""
    code = "import sys; sys.stderr.write('no license'); sys.exit(4)"
    with pytest.raises(DiedAtHelloError, match="code 4") as caught:
        Adapter((sys.executable, "-c", code))
    assert "no license" in str(caught.value)


def test_a_command_that_is_not_there_is_the_callers_fault() -> None:
    """Nothing was started, so nobody else can be blamed."""
    with pytest.raises(CallerFault, match="cannot be started"):
        Adapter(("/nowhere/adapter",))


def test_the_replies_before_a_crash_are_kept() -> None:
    """Nothing that was computed is lost."""
    code = f"""
input(); say('{{"n":1,"leftovers":[]}}')
input(); say({REPLY % 2!r})
sys.exit(1)
"""
    with pytest.raises(CrashedError) as caught, adapter(code) as running:
        running.run((Look("a"), Look("b")))
    assert len(caught.value.replies) == 1


def test_what_the_adapter_started_ends_with_it() -> None:
    """A grandchild does not outlive the suite."""
    code = """
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
input(); say('{"n":1,"leftovers":[' + str(child.pid) + "]}")
time.sleep(60)
"""
    with adapter(code) as running:
        running.run(())
        (child,) = running.leftovers
        running.kill()
    assert isinstance(child, int)
    for _ in range(100):
        if gone(child) or zombie(child):
            break
        time.sleep(0.02)
    assert gone(child) or zombie(child)


def zombie(process: int) -> bool:
    """Whether a process has ended and only its parent has not noticed."""
    state = subprocess.run(
        ("ps", "-o", "stat=", "-p", str(process)), capture_output=True, text=True, check=False
    )
    return state.stdout.startswith("Z")


def test_a_flood_of_complaints_blocks_nobody() -> None:
    """Stderr is drained, and only its end is kept."""
    code = """
sys.stderr.write("x" * 1_000_000)
for line in sys.stdin:
    n = json.loads(line)["n"]
    say(json.dumps({"n": n, "leftovers": []}))
"""
    with adapter(code) as running:
        assert running.run(()) == ()


def test_an_adapter_that_ignores_bye_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Politeness has an end."""
    monkeypatch.setattr("conformance.transport.GRACE", 0.1)
    running = adapter("time.sleep(60)", timeout=0.2)
    process = running.pid
    running.close()
    assert gone(process)


def test_long_programs_are_pipelined_and_transcribed(tmp_path: Path) -> None:
    """More is written than a pipe holds, and every line is in the transcript."""
    path = tmp_path / "transcript"
    with Adapter(reference().command, transcript=path) as running:
        program: list[Command] = [Create("s", "a")]
        program += [Look("x" * 200)] * 2000
        assert len(running.run(program)) == len(program)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2 * (1 + 1 + len(program) + 1)


def test_it_can_be_started_again() -> None:
    """After a fault the same adapter can be given another try."""
    with adapter("input(); sys.exit(1)") as running:
        with pytest.raises(CrashedError):
            running.run(())
        running.restart()
        assert running.hello.name == "x"
