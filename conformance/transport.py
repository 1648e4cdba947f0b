"""The transport: an adapter as a child process, asked over its stdin and stdout.

A program is written whole while its answers are read, so that neither side waits for the other
to empty a pipe. The deadline starts anew with each answer. The child leads a process group of
its own, and that group is ended whatever happens.
"""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

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
from conformance.protocol.codec import Tokens, command_to_wire
from conformance.protocol.json import Json, MalformedError, list_at, record_at
from conformance.protocol.message import (
    VERSION,
    Hello,
    Reply,
    hello_from_wire,
    reply_from_wire,
)
from model.command import Command

CHUNK = 65536
STDERR_KEPT = 4000
GRACE = 2.0
"""Seconds that an adapter gets to end by itself once it was told to."""


class Adapter:
    """One adapter process, and what it said of itself."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        step_timeout: float = 10.0,
        transcript: Path | None = None,
    ) -> None:
        """Start the adapter and let it introduce itself."""
        self.command = tuple(command)
        self.step_timeout = step_timeout
        self._transcript = None if transcript is None else transcript.open("a", encoding="utf-8")
        self.leftovers: list[Json] = []
        self.hello = self._start()

    def __enter__(self) -> Self:
        """Use the adapter as a scope."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the adapter, politely unless something went wrong."""
        if kind is None:
            self.close()
        else:
            self.kill()
        if self._transcript is not None:
            self._transcript.close()

    def run(self, program: Sequence[Command]) -> tuple[Reply, ...]:
        """Reset, then run a whole program; raises `AdapterFault` at the first bad answer."""
        requests: list[dict[str, Json]] = [{"do": "reset"}]
        requests.extend(record_at(command_to_wire(command), "") for command in program)
        tokens = Tokens()
        replies: list[Reply] = []
        first = self._number
        self._write(requests)
        for index in range(len(requests)):
            wire = self._answer(first + index, tuple(replies))
            try:
                if index == 0:
                    self.leftovers = list_at(wire.get("leftovers", []), "leftovers")
                else:
                    rest = {key: value for key, value in wire.items() if key != "n"}
                    replies.append(reply_from_wire(rest, tokens))
            except MalformedError as error:
                raise self._fault(GarbageError, f"its answer is none: {error}", replies) from error
        return tuple(replies)

    @property
    def pid(self) -> int:
        """The adapter's process."""
        return self._process.pid

    def restart(self) -> None:
        """End the adapter and start it again."""
        self.kill()
        self.hello = self._start()

    def close(self) -> None:
        """Say bye, wait a little, and end whatever is left."""
        with contextlib.suppress(AdapterFault):
            if self._process.poll() is None:
                number = self._number
                self._write([{"do": "bye"}])
                self.leftovers = list_at(self._answer(number, ()).get("leftovers", []), "leftovers")
                self._wait(GRACE)
        self.kill()

    def kill(self) -> None:
        """End the adapter with everything that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def _start(self) -> Hello:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the caller's own command
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            message = f"your adapter cannot be started: {self.command[0]}: {error.strerror}"
            raise CallerFault(message) from error
        self._number = 0
        self._outgoing = b""
        self._incoming = b""
        self._lines: list[bytes] = []
        self._stderr = b""
        self._ended = False
        self._open_selector()
        return self._introduced()

    def _open_selector(self) -> None:
        self._selector = selectors.DefaultSelector()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                os.set_blocking(stream.fileno(), False)
                self._selector.register(stream, selectors.EVENT_READ)
        if self._process.stdin is not None:
            os.set_blocking(self._process.stdin.fileno(), False)

    def _introduced(self) -> Hello:
        try:
            self._write([{"do": "hello", "protocol": VERSION}])
            answer = self._answer(0, ())
            return hello_from_wire({key: value for key, value in answer.items() if key != "n"})
        except CrashedError as error:
            self.kill()
            raise DiedAtHelloError(f"it died before it said hello: {error}") from error
        except MalformedError as error:
            self.kill()
            message = f"the adapter's fault: its answer to hello is none: {error}"
            raise GarbageError(message) from error
        except BaseException:
            self.kill()
            raise

    def _write(self, requests: list[dict[str, Json]]) -> None:
        for request in requests:
            line = json.dumps({"n": self._number, **request}, separators=(",", ":"))
            self._record(">", line)
            self._outgoing += line.encode() + b"\n"
            self._number += 1

    def _answer(self, number: int, replies: tuple[Reply, ...]) -> dict[str, Json]:
        line = self._line(replies)
        self._record("<", line.decode(errors="replace"))
        try:
            wire = record_at(json.loads(line), "")
        except (ValueError, RecursionError, MalformedError) as error:
            shown = line[:200].decode(errors="replace")
            message = f"it wrote a line that is not a JSON object: {shown}"
            raise self._fault(GarbageError, message, replies) from error
        if "error" in wire and wire.get("n") in (number, None):
            message = f"it could not read request {number}: {wire['error']}"
            raise self._fault(UnreadableError, message, replies)
        if wire.get("n") != number:
            message = f"it answered request {wire.get('n')} where {number} was due"
            raise self._fault(WrongNumberError, message, replies)
        return wire

    def _line(self, replies: tuple[Reply, ...]) -> bytes:
        deadline = time.monotonic() + self.step_timeout
        while not self._lines:
            left = deadline - time.monotonic()
            if left <= 0:
                message = f"it did not answer within {self.step_timeout:g} s"
                raise self._fault(SilentError, message, replies)
            if self._ended:
                raise self._fault(CrashedError, self._last_words(), replies)
            self._pump(left)
        return self._lines.pop(0)

    def _pump(self, patience: float) -> None:
        if self._outgoing and self._process.stdin is not None:
            self._selector.register(self._process.stdin, selectors.EVENT_WRITE)
        try:
            for key, _ in self._selector.select(patience):
                if key.fileobj is self._process.stdin:
                    self._send(key.fd)
                else:
                    self._receive(key.fd, is_stdout=key.fileobj is self._process.stdout)
        finally:
            if self._process.stdin in self._selector.get_map() and self._process.stdin is not None:
                self._selector.unregister(self._process.stdin)

    def _send(self, descriptor: int) -> None:
        try:
            sent = os.write(descriptor, self._outgoing[:CHUNK])
        except BrokenPipeError:
            self._outgoing = b""
        else:
            self._outgoing = self._outgoing[sent:]

    def _receive(self, descriptor: int, *, is_stdout: bool) -> None:
        data = os.read(descriptor, CHUNK)
        if not data:
            self._selector.unregister(descriptor)
            self._ended = self._ended or is_stdout
        elif is_stdout:
            *lines, self._incoming = (self._incoming + data).split(b"\n")
            self._lines.extend(lines)
        else:
            self._stderr = (self._stderr + data)[-STDERR_KEPT:]

    def _last_words(self) -> str:
        self._wait(GRACE)
        code = self._process.poll()
        how = "closed its output" if code is None else f"ended with code {code}"
        half = f", in the middle of a line: {self._incoming[:80]!r}" if self._incoming else ""
        return f"it {how} before it answered{half}"

    def _wait(self, seconds: float) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def _fault(
        self,
        kind: type[AdapterFault],
        message: str,
        replies: Sequence[Reply],
    ) -> AdapterFault:
        words = self._stderr.decode(errors="replace").strip()
        said = f"\nits last words on stderr:\n{words}" if words else ""
        return kind(f"the adapter's fault: {message}{said}", tuple(replies))

    def _record(self, arrow: str, line: str) -> None:
        if self._transcript is not None:
            self._transcript.write(f"{arrow} {line}\n")
            self._transcript.flush()
