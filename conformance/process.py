"""A child process that is talked with in lines.

Writing and reading go on at once, so that neither side waits for the other to empty a pipe. The
child leads a process group of its own, and that group is ended whatever happens. Ended here means
killed: what a child does to leave its group, as a daemon does, is out of reach.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from typing import Literal

CHUNK = 65536
STDERR_KEPT = 4000
LONGEST = 64 * 1024 * 1024
"""Bytes that a line may have; one that is longer never ends."""

GLANCE = 0.2
"""Seconds of silence after which it is looked whether the child is still there."""

GRACE = 2.0
"""Seconds that a child gets to end by itself once it was told to."""

NoLine = Literal["silent", "ended", "endless"]
"""Why there is no line: none in time, none ever again, or one that does not end."""


class Child:
    """A child process, what it is still to be sent, and what it said."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start the child; raises `OSError` where there is nothing to start."""
        self._selector = selectors.DefaultSelector()
        self._outgoing = bytearray()
        self._half = bytearray()
        self._lines: deque[bytes] = deque()
        self._words = b""
        self._closed = False
        self._over = False
        with contextlib.ExitStack() as undo:
            undo.callback(self._selector.close)
            self._process = subprocess.Popen(  # noqa: S603 - the caller's own command
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
            undo.pop_all()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                os.set_blocking(stream.fileno(), False)
                if stream is not self._process.stdin:
                    self._selector.register(stream, selectors.EVENT_READ)

    @property
    def pid(self) -> int:
        """The child's process, which is also its group."""
        return self._process.pid

    @property
    def over(self) -> bool:
        """Whether the child has been ended."""
        return self._over

    def send(self, data: bytes) -> None:
        """Give the child something to read; what its pipe does not hold is sent later."""
        stdin = self._process.stdin
        if self._over or stdin is None:
            return
        waiting = bool(self._outgoing)
        self._outgoing += data
        if not waiting:
            self._write(stdin.fileno())
            if self._outgoing:
                self._selector.register(stdin, selectors.EVENT_WRITE)

    def line(self, patience: float) -> bytes | NoLine:
        """The child's next line, or why there is none."""
        deadline = time.monotonic() + patience
        while not self._lines:
            left = deadline - time.monotonic()
            if self._closed or self._over:
                return "ended"
            if len(self._half) > LONGEST:
                return "endless"
            if left <= 0:
                return "silent"
            self._pump(min(left, GLANCE))
        return self._lines.popleft()

    def last_words(self) -> str:
        """The end of what the child wrote to stderr: what was read, and what its pipe holds."""
        stderr = self._process.stderr
        if not self._over and self._readable(stderr):
            self._receive(stderr)
        return self._words.decode(errors="replace").strip()

    def ending(self) -> str:
        """How the child ended, in words."""
        self.wait(GRACE)
        code = self._process.poll()
        if code is None:
            how = "closed its output"
        elif code < 0:
            how = f"was ended by signal {-code}"
        else:
            how = f"ended with code {code}"
        half = bytes(self._half[:80])
        return f"{how}, in the middle of a line: {half!r}" if half else how

    def wait(self, seconds: float) -> None:
        """Let the child end by itself."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def end(self) -> None:
        """End the child with everything that it started."""
        if self._over:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it may have ended itself
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._over = True
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def _pump(self, patience: float) -> None:
        ready = self._selector.select(patience)
        for key, _ in ready:
            if key.fileobj is self._process.stdin:
                self._write(key.fd)
                if not self._outgoing:
                    self._selector.unregister(key.fileobj)
            else:
                self._receive(key.fileobj)
        if not ready and self._process.poll() is not None:
            self._closed = True  # what it started may hold the pipe open, and will not answer

    def _write(self, descriptor: int) -> None:
        try:
            sent = os.write(descriptor, self._outgoing[:CHUNK])
        except BlockingIOError:
            return
        except BrokenPipeError:
            sent = len(self._outgoing)
        del self._outgoing[:sent]

    def _receive(self, stream: object) -> None:
        out = self._process.stdout
        pipe = out if stream is out else self._process.stderr
        data = b"" if pipe is None else os.read(pipe.fileno(), CHUNK)
        if not data and pipe is not None:
            self._selector.unregister(pipe)
            self._closed = self._closed or pipe is out
        elif pipe is not out:
            self._words = (self._words + data)[-STDERR_KEPT:]
        else:
            self._half += data
            if b"\n" in data:
                *lines, self._half = self._half.split(b"\n")
                self._lines.extend(map(bytes, lines))

    def _readable(self, stream: object) -> bool:
        return any(key.fileobj is stream for key, _ in self._selector.select(0))
