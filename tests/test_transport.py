"""The transport: whatever an adapter does, it is told whose fault it is, and nothing is left."""

import os
import signal
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
from model.session_command import Look

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
        ("input(); say('{\"n\":NaN}')", GarbageError),
        ("input(); say('{\"n\":' + '[' * 100000 + '}')", GarbageError),
        (
            'input(); sys.stdout.buffer.write(b\'{"n":"\\xff"}\\n\'); sys.stdout.flush()',
            GarbageError,
        ),
        ('input(); say(\'{"n":true,"leftovers":[]}\')', WrongNumberError),
        ("input(); say('{\"leftovers\":[]}')", WrongNumberError),
        ("input(); say('{\"n\":1}')", GarbageError),
        ('input(); say(\'{"n":1,"leftovers":{}}\')', GarbageError),
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


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("import time; time.sleep(60)", SilentError),
        ("print('Welcome!')", GarbageError),
        ('print(\'{"n":0,"error":"this adapter speaks protocol 2"}\')', UnreadableError),
        ('print(\'{"n":0,"protocol":2}\')', GarbageError),
    ],
)
def test_a_bad_hello_is_the_adapters_fault(
    code: str, fault: type[AdapterFault], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever comes in place of an introduction, it is named, and nobody waits for long."""
    monkeypatch.setattr("conformance.transport.START", 0.5)
    with pytest.raises(fault, match="the adapter's fault"):
        Adapter((sys.executable, "-c", f"input(); {code}"), step_timeout=0.5)


def test_a_slow_start_is_no_silence() -> None:
    """An adapter may load for longer than it may think about one step."""
    late = f"import time; time.sleep(0.5); input(); print({HELLO!r}, flush=True); input()"
    with Adapter((sys.executable, "-c", late), step_timeout=0.1) as running:
        assert running.hello.name == "x"


def test_a_fault_says_what_was_asked_and_how_to_see_more(tmp_path: Path) -> None:
    """Whose fault, what came, which request it was, and where every line is."""
    code = """
input(); say('{"n":1,"leftovers":[]}')
input(); sys.stderr.write("out of cheese"); sys.exit(1)
"""
    with pytest.raises(CrashedError) as caught, adapter(code) as running:
        running.run((Look("a"),))
    for part in ("the adapter's fault", "code 1", '"do":"look"', "out of cheese", "--transcript"):
        assert part in str(caught.value)
    path = tmp_path / "transcript"
    command = (sys.executable, "-c", PREAMBLE + code)
    with pytest.raises(CrashedError) as caught, Adapter(command, transcript=path) as running:
        running.run((Look("a"),))
    assert "--transcript" not in str(caught.value)
    assert '> {"n":2,"do":"look","id":"a"}' in path.read_text(encoding="utf-8")


def test_a_transcript_that_cannot_be_written_is_the_callers_fault() -> None:
    """Nothing was started yet."""
    with pytest.raises(CallerFault, match="cannot be written"):
        Adapter(reference().command, transcript=Path("/nowhere/transcript"))


def test_complaints_after_the_last_answer_are_kept() -> None:
    """What is written to stderr once stdout is closed still explains the crash."""
    code = """
input(); sys.stdout.close(); os.close(1); time.sleep(0.1)
sys.stderr.write("x" * 60_000 + "the reason"); sys.exit(1)
"""
    with pytest.raises(CrashedError, match="the reason"), adapter(code) as running:
        running.run(())


def test_a_crash_behind_an_open_pipe_is_no_silence() -> None:
    """What an adapter started may hold its stdout open; the adapter is gone all the same."""
    code = """
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
input(); sys.exit(5)
"""
    started = time.monotonic()
    with pytest.raises(CrashedError, match="code 5"), adapter(code) as running:
        running.run(())
    assert time.monotonic() - started < 4


def test_silence_with_complaints_is_silence() -> None:
    """An adapter that complains without end and never answers is not listened to for ever."""
    started = time.monotonic()
    with (
        pytest.raises(SilentError),
        adapter("input()\nwhile True: sys.stderr.write('x' * 65536)", timeout=0.5) as running,
    ):
        running.run(())
    assert time.monotonic() - started < 4


def test_a_line_without_an_end_is_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    """An adapter cannot fill the memory."""
    monkeypatch.setattr("conformance.process.LONGEST", 1_000_000)
    with (
        pytest.raises(GarbageError, match="end of line"),
        adapter("input()\nwhile True: sys.stdout.write('x' * 65536)") as running,
    ):
        running.run(())


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
        program = (Look("x" * 200),) * 2000
        assert len(running.run(program)) == len(program)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2 * (1 + 1 + len(program) + 1)


def test_it_can_be_started_again() -> None:
    """A fault ends the adapter, and it can be given another try."""
    with adapter("input(); say('oops'); time.sleep(60)") as running:
        process = running.pid
        with pytest.raises(GarbageError):
            running.run(())
        assert gone(process)
        running.restart()
        assert running.hello.name == "x"
        assert running.pid != process


@pytest.mark.parametrize("moment", ["run", "close"])
def test_an_interruption_leaves_nothing_behind(moment: str) -> None:
    """Ctrl-C ends the adapter at once, whether it is at work or on its way out."""
    hang = PREAMBLE + "input(); input(); time.sleep(60)"
    suite = f"""
import sys
from conformance.transport import Adapter
from model.session_command import Look
adapter = Adapter((sys.executable, "-c", {hang!r}), step_timeout=60)
with adapter:
    print(adapter.pid, flush=True)
    if {moment!r} == "run":
        adapter.run((Look("a"),) * 3)
"""
    with subprocess.Popen(
        (sys.executable, "-c", suite), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        process = int(running.stdout.readline())
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=10)
    assert "KeyboardInterrupt" in said
    assert gone(process)


def test_leftovers_are_those_of_the_program_before() -> None:
    """What came after the last reply is there once the next program, or the end, has begun."""
    code = """
for line in sys.stdin:
    n = json.loads(line)["n"]
    say(json.dumps({"n": n, "leftovers": [n]}))
"""
    with adapter(code) as running:
        running.run(())
        assert running.leftovers == [1]
        running.run(())
        assert running.leftovers == [2]
    assert running.leftovers == [3]
