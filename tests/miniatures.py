"""Miniatures: implementations that are wrong on purpose, each in one way.

`python -m tests.miniatures NAME` serves one over the protocol. They wrap the served model and
spoil its answers, so that what they break is not one of the design's decisions: the suite has
not seen them before. What each is caught for stands beside it.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from conformance.protocol.json import Json
from conformance.protocol.message import reply_to_wire
from conformance.serve import Server, serve_with
from model.command import Command
from model.design import DSH
from model.observation import Heard, Live, Settled, Snapshot
from model.refusal import Refusal
from model.step import Run


@dataclass(slots=True)
class Memory:
    """What a miniature remembers since the last reset."""

    count: int = 0
    live: Live = field(default_factory=Live)
    held: list[Heard] = field(default_factory=list)


Spoil = Callable[[Command, Run, Memory], Run]


@dataclass(frozen=True, slots=True)
class Miniature:
    """One wrong implementation.

    `clauses` are those that it may rightly be caught for, `shortest` is the number of commands
    of the shortest program that tells it from DSH.
    """

    name: str
    clauses: tuple[str, ...]
    shortest: int
    spoil: Spoil


def heard(run: Run, event: str) -> list[Heard]:
    """The times that an event is heard in a run."""
    return [each for each in run.seen if isinstance(each, Heard) and each.event == event]


def without(run: Run, gone: Heard) -> Run:
    """The run in which one thing has not been seen."""
    return replace(run, seen=tuple(each for each in run.seen if each is not gone))


def third_event_twice(_command: Command, run: Run, memory: Memory) -> Run:
    """Show the third event to its listener twice."""
    seen = []
    for each in run.seen:
        seen.append(each)
        if isinstance(each, Heard) and each.event == "session/event":
            memory.count += 1
            if memory.count == 3:
                seen.append(each)
    return replace(run, seen=tuple(seen))


def second_disposal_unseen(_command: Command, run: Run, memory: Memory) -> Run:
    """Dispatch only the first disposal of a session."""
    for each in heard(run, "session/disposed"):
        memory.count += 1
        if memory.count == 2:
            return without(run, each)
    return run


def disposal_late(_command: Command, run: Run, memory: Memory) -> Run:
    """Dispatch a disposal during the next command only."""
    late, memory.held = memory.held, heard(run, "session/disposed")
    for each in memory.held:
        run = without(run, each)
    return replace(run, seen=(*late, *run.seen))


def live_list_stale(_command: Command, run: Run, memory: Memory) -> Run:
    """Reply with what was live before the command."""
    before, memory.live = memory.live, run.live
    return replace(run, live=before)


def error_replaced(_command: Command, run: Run, _memory: Memory) -> Run:
    """Let a failed creation fail with an error of its own instead of the original one."""
    seen = tuple(
        replace(each, outcome=Refusal("ABORTED", ""))
        if isinstance(each, Settled)
        and isinstance(each.outcome, Refusal)
        and each.outcome.code == "THROWN"
        else each
        for each in run.seen
    )
    return replace(run, seen=seen)


def second_look_grows(_command: Command, run: Run, memory: Memory) -> Run:
    """Show a log without its first event from the second inspection on."""
    if isinstance(run.outcome, Snapshot) and run.outcome.log:
        memory.count += 1
        if memory.count > 1:
            return replace(run, outcome=replace(run.outcome, log=run.outcome.log[1:]))
    return run


def cwd_trimmed(_command: Command, run: Run, _memory: Memory) -> Run:
    """Lose the slash in front of the cwd that a header shows."""
    outcome = run.outcome
    if isinstance(outcome, Snapshot) and outcome.header.cwd is not None:
        header = replace(outcome.header, cwd=outcome.header.cwd.lstrip("/"))
        return replace(run, outcome=replace(outcome, header=header))
    return run


def first_live_off_by_one(_command: Command, run: Run, _memory: Memory) -> Run:
    """Count the marker into firstLiveSeq where a session was forked or seeded."""
    outcome = run.outcome
    if isinstance(outcome, Snapshot) and outcome.first_live_seq:
        return replace(run, outcome=replace(outcome, first_live_seq=outcome.first_live_seq + 1))
    return run


def agents_forgotten_at_settle(_command: Command, run: Run, _memory: Memory) -> Run:
    """List no agents at the moment at which a creation settles."""
    seen = tuple(
        replace(each, live=replace(each.live, agents=()))
        if isinstance(each, Settled) and not isinstance(each.outcome, Refusal)
        else each
        for each in run.seen
    )
    return replace(run, seen=seen)


def start_event_resumes(_command: Command, run: Run, _memory: Memory) -> Run:
    """Say `resume` at the start of every agent."""
    seen = tuple(
        replace(each, source="resume")
        if isinstance(each, Heard) and each.event == "agent/session-start"
        else each
        for each in run.seen
    )
    return replace(run, seen=seen)


def equivalent(_command: Command, run: Run, _memory: Memory) -> Run:
    """Change nothing: rightly not caught."""
    return run


MINIATURES = {
    each.name: each
    for each in (
        Miniature("third-event-twice", ("LOG-4",), 4, third_event_twice),
        Miniature("second-disposal-unseen", ("STO-8", "RBK-7"), 2, second_disposal_unseen),
        Miniature("disposal-late", ("STO-8", "RBK-7"), 1, disposal_late),
        Miniature("live-list-stale", ("STO-11",), 1, live_list_stale),
        Miniature("error-replaced", ("RBK-1",), 1, error_replaced),
        Miniature("second-look-differs", ("LOG-2",), 3, second_look_grows),
        Miniature("cwd-trimmed", ("HDR-7",), 2, cwd_trimmed),
        Miniature("first-live-off-by-one", ("SEED-3",), 2, first_live_off_by_one),
        Miniature("agents-forgotten-at-settle", ("RBK-4", "TXN-8"), 1, agents_forgotten_at_settle),
        Miniature("start-event-resumes", ("TXN-7",), 1, start_event_resumes),
    )
}
EQUIVALENT = Miniature("equivalent", (), 0, equivalent)


@dataclass(slots=True)
class Spoiled(Server):
    """A served model whose answers are spoiled."""

    miniature: Miniature = EQUIVALENT
    memory: Memory = field(default_factory=Memory)

    def answer(self, request: dict[str, Json]) -> dict[str, Json]:
        """Answer as the model does, and forget at a reset."""
        if request.get("do") == "reset":
            self.memory = Memory()
        return Server.answer(self, request)

    def reply(self, command: Command, run: Run) -> dict[str, Json]:
        """Spoil the run before it is told."""
        return reply_to_wire(self.miniature.spoil(command, run, self.memory))


if __name__ == "__main__":
    chosen = {**MINIATURES, "equivalent": EQUIVALENT}[sys.argv[1]]
    serve_with(Spoiled(f"miniature/{chosen.name}", DSH, miniature=chosen), sys.stdin, sys.stdout)
