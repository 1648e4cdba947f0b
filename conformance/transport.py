"""The transport: an adapter as a child process, asked over its stdin and stdout.

A program is sent whole, and the deadline starts anew with each answer. Whatever goes wrong is
raised as the fault that it is, with the request that was not answered, and ends the adapter.
"""

import contextlib
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

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
from conformance.process import GRACE, LONGEST, Child
from conformance.protocol.codec import Tokens, command_to_wire
from conformance.protocol.json import (
    Json,
    MalformedError,
    line_of,
    list_at,
    only,
    parsed,
    record_at,
)
from conformance.protocol.message import (
    VERSION,
    Hello,
    Reply,
    hello_from_wire,
    reply_from_wire,
)
from model.command import Command

START = 10.0
"""Seconds that an adapter gets at least to say hello, since it may have a lot to load."""

LEFTOVERS = frozenset(("leftovers",))

SHOWN = 300
"""Characters of a line that a message shows."""


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
        self.leftovers: list[Json] = []
        self._transcript = _opened(transcript)
        with contextlib.ExitStack() as undo:
            undo.callback(self._end_transcript)
            self.hello = self._start()
            undo.pop_all()

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
        if kind is not None:
            self.kill()
        self.close()

    @property
    def pid(self) -> int:
        """The adapter's process."""
        return self._child.pid

    def run(self, program: Sequence[Command]) -> tuple[Reply, ...]:
        """Reset, then run a whole program; raises `AdapterFault` at the first bad answer.

        What the reset brings to light of the program before is in `leftovers`.
        """
        requests: list[Json] = [{"do": "reset"}, *map(command_to_wire, program)]
        tokens = Tokens()
        replies: list[Reply] = []
        with contextlib.ExitStack() as undo:
            undo.callback(self.kill)
            try:
                self._ask(requests)
                self.leftovers = self._leftovers(self.step_timeout)
                for _ in program:
                    replies.append(self._reply(tokens))  # noqa: PERF401 - a fault keeps what came
            except AdapterFault as fault:
                fault.replies = tuple(replies)
                raise
            undo.pop_all()
        return tuple(replies)

    def restart(self) -> None:
        """End the adapter and start it again."""
        self.kill()
        self.hello = self._start()

    def close(self) -> None:
        """Say bye, wait a little, and end whatever is left."""
        try:
            if not self._child.over:
                self._say_bye()
        finally:
            self.kill()
            self._end_transcript()

    def kill(self) -> None:
        """End the adapter with everything that it started."""
        self._child.end()

    def _say_bye(self) -> None:
        with contextlib.suppress(AdapterFault):
            self._ask([{"do": "bye"}])
            self.leftovers = self._leftovers(GRACE)
            self._child.wait(GRACE)

    def _start(self) -> Hello:
        try:
            self._child = Child(self.command)
        except OSError as error:
            message = f"your adapter cannot be started: {self.command[0]}: {error.strerror}"
            raise CallerFault(message) from error
        self._number = 0
        self._due: deque[tuple[int, str]] = deque()
        with contextlib.ExitStack() as undo:
            undo.callback(self.kill)
            hello = self._introduction()
            undo.pop_all()
        return hello

    def _introduction(self) -> Hello:
        self._ask([{"do": "hello", "protocol": VERSION}])
        answer = self._answer(max(self.step_timeout, START))
        try:
            return hello_from_wire(answer)
        except MalformedError as error:
            raise self._fault(GarbageError, f"its answer to hello is none: {error}") from error

    def _leftovers(self, patience: float) -> list[Json]:
        answer = self._answer(patience)
        try:
            return list_at(only(answer, LEFTOVERS, "").get("leftovers"), "leftovers")
        except MalformedError as error:
            raise self._fault(GarbageError, f"its answer is none: {error}") from error

    def _reply(self, tokens: Tokens) -> Reply:
        answer = self._answer(self.step_timeout)
        try:
            return reply_from_wire(answer, tokens)
        except (MalformedError, RecursionError) as error:
            raise self._fault(GarbageError, f"its answer is none: {error}") from error

    def _ask(self, requests: Sequence[Json]) -> None:
        lines: list[str] = []
        for request in requests:
            number: dict[str, Json] = {"n": self._number}
            line = line_of(number | record_at(request, ""))
            self._due.append((self._number, line))
            self._number += 1
            self._record(">", line)
            lines.append(line)
        self._child.send("".join(f"{line}\n" for line in lines).encode())

    def _answer(self, patience: float) -> dict[str, Json]:
        """The answer to the request that is due, all but its number."""
        number, self._asked = self._due.popleft()
        line = self._line(patience)
        self._record("<", line.decode(errors="replace"))
        try:
            wire = record_at(parsed(line.decode()), "")
        except (UnicodeDecodeError, MalformedError) as error:
            shown = line[:SHOWN].decode(errors="replace")
            message = f"it wrote a line that is not a JSON object: {shown}"
            raise self._fault(GarbageError, message) from error
        came = wire.pop("n", None)
        if "error" in wire and came in (number, None):
            message = f"it could not read the request: {wire['error']}"
            raise self._fault(UnreadableError, message)
        if came != number or isinstance(came, bool):
            message = f"it answered request {came} where {number} was due"
            raise self._fault(WrongNumberError, message)
        return wire

    def _line(self, patience: float) -> bytes:
        line = self._child.line(patience)
        match line:
            case "silent":
                message = f"it did not answer within {patience:g} s"
                raise self._fault(SilentError, message)
            case "endless":
                message = f"it wrote more than {LONGEST} bytes without an end of line"
                raise self._fault(GarbageError, message)
            case "ended" if self._number == 1:
                message = f"it died before it said hello: it {self._child.ending()}"
                raise self._fault(DiedAtHelloError, message)
            case "ended":
                message = f"it {self._child.ending()} before it answered"
                raise self._fault(CrashedError, message)
            case _:
                return line

    def _fault(self, kind: type[AdapterFault], message: str) -> AdapterFault:
        asked = self._asked if len(self._asked) <= SHOWN else f"{self._asked[:SHOWN]}…"
        parts = [f"the adapter's fault: {message}", f"  it was asked {asked}"]
        words = self._child.last_words()
        if words:
            parts.append(f"  its last words on stderr:\n{words}")
        if self._transcript is None:
            parts.append("  `dsh-spec run --transcript PATH` writes every line to a file")
        return kind("\n".join(parts))

    def _record(self, arrow: str, line: str) -> None:
        if self._transcript is not None:
            self._transcript.write(f"{arrow} {line}\n")
            self._transcript.flush()

    def _end_transcript(self) -> None:
        if self._transcript is not None:
            self._transcript.close()


def _opened(path: Path | None) -> TextIO | None:
    if path is None:
        return None
    try:
        return path.open("a", encoding="utf-8")
    except OSError as error:
        raise CallerFault(f"your transcript {path} cannot be written: {error.strerror}") from error
