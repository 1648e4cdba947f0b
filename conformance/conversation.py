"""The conversation: programs that an adapter runs one after the other, while others are judged.

The implementation is another process, so that it can run one program while the suite draws the
next and judges the last. The order is the order of asking, whatever takes how long.
"""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from conformance.faults import AdapterFault, GarbageError, late
from conformance.protocol.message import Reply
from conformance.transport import Adapter
from model.command import Command

Program = tuple[Command, ...]


class ProgramFault(Exception):  # noqa: N818 - it is the adapter's, as `AdapterFault` is
    """The adapter failed at a program."""

    def __init__(self, fault: AdapterFault, program: Program) -> None:
        """Say what failed, and during which program."""
        super().__init__(str(fault))
        self.program = program


class Conversation:
    """Asks an adapter to run programs."""

    def __init__(self, adapter: Adapter) -> None:
        """Nothing has been asked yet."""
        self._adapter = adapter
        self._worker = ThreadPoolExecutor(1)
        self._sent: deque[tuple[Program, Future[tuple[Reply, ...]]]] = deque()
        self._before: Program = ()

    def __enter__(self) -> Self:
        """Use the conversation as a scope."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Forget what was asked, and wait for the program that is running."""
        self._worker.shutdown(wait=True, cancel_futures=True)

    @property
    def waiting(self) -> bool:
        """Whether a program was sent and not received."""
        return bool(self._sent)

    def send(self, program: Program) -> None:
        """Ask for a program without waiting for it."""
        self._sent.append((program, self._worker.submit(self._run, program)))

    def received(self) -> tuple[Program, tuple[Reply, ...]]:
        """The first program that was sent and not received, with its replies."""
        program, future = self._sent.popleft()
        return program, future.result()

    def ask(self, program: Sequence[Command]) -> tuple[Reply, ...]:
        """Ask for a program, and wait for its replies: whatever was sent before runs before."""
        return self._worker.submit(self._run, tuple(program)).result()

    def restart(self) -> None:
        """Start the adapter again, once it has failed."""
        self._worker.submit(self._adapter.restart).result()

    def _run(self, program: Program) -> tuple[Reply, ...]:
        """Run one program; what comes late is the fault of the one before."""
        before, self._before = self._before, program
        try:
            replies = self._adapter.run(program)
        except AdapterFault as fault:
            self._before = ()
            raise ProgramFault(fault, program) from fault
        if self._adapter.leftovers:
            raise ProgramFault(GarbageError(late(self._adapter.leftovers)), before)
        return replies
