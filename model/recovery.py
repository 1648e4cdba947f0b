"""Recovery: which stored logs are loaded, and how an interrupted turn is closed (RES).

The rules speak of events in order; how they are read from a file is not their business.
"""

from dataclasses import dataclass, replace

from model.design import Design
from model.log import Event, Log
from model.refusal import Refusal
from model.values import Integer, Record, Text, Value, field, record

KNOWN_EVENTS = frozenset(
    [
        "agent-preset/selected",
        "agent/inbox/spliced",
        "approval/asked",
        "approval/decided",
        "approval/policy",
        "assistant/chunk",
        "assistant/message",
        "command/done",
        "command/run",
        "compaction/end",
        "compaction/prune",
        "compaction/start",
        "compaction/summary",
        "feedback/record",
        "goal/change",
        "hook/invoked",
        "hook/result",
        "llm/retry",
        "llm/retry-started",
        "permission/preset",
        "plan/mode",
        "request/context",
        "request/header",
        "sandbox/mode",
        "schedule/change",
        "session/end-seed",
        "session/title",
        "session/title-llm-request",
        "step/end",
        "step/start",
        "subagent/descriptor",
        "team/member",
        "team/message/delivered",
        "team/message/queued",
        "team/task",
        "todo/write",
        "tool-workflow/agent-end",
        "tool-workflow/agent-start",
        "tool-workflow/run-end",
        "tool-workflow/run-start",
        "tool/call",
        "tool/code-dispatch",
        "tool/code-dispatch-start",
        "tool/result",
        "turn/end",
        "turn/start",
        "user/message",
        "web/deepseek-search-llm-request",
    ],
)
"""The event types of the format version; any other has to be marked ignorable (RES-1)."""

FORMER_EVENTS = frozenset(("request/header-delta", "mode/set"))
"""Types of an earlier vocabulary that no log may hold any more (RES-1)."""

INTERRUPTED = record({"kind": Text("interrupted")})


def load_fault(log: Log, design: Design) -> Refusal | None:
    """Why the events of a stored log cannot be loaded, in the order in which DSH looks (RES-1)."""
    if any(event.type in FORMER_EVENTS or not _readable(event) for event in log):
        return Refusal("UNREADABLE", "RES-1")
    known = all(event.type in KNOWN_EVENTS or event.ignorable for event in log)
    if known or design.unknown_events == "accepted":
        return None
    return Refusal("UNSUPPORTED", "RES-1")


def _readable(event: Event) -> bool:
    """Whether an event has the form that its type asks for where turns are told apart."""
    match event.type, event.data:
        case "turn/start", Record(entries):
            return "trigger" not in dict(entries) or _former_start(event.data)
        case "turn/end", Record(entries):
            return dict(entries).keys() == {"turn", "reason"} and _ending(event.data)
        case _:
            return True


def _former_start(data: Value) -> bool:
    kind = field(field(data, "trigger"), "kind")
    only = isinstance(data, Record) and dict(data.entries).keys() == {"turn", "trigger"}
    return only and _turn(data) and isinstance(kind, Text) and kind.value != ""


def _ending(data: Value) -> bool:
    reason = field(data, "reason")
    kind = field(reason, "kind")
    if not (_turn(data) and isinstance(reason, Record) and isinstance(kind, Text)):
        return False
    plain = kind.value in ("completed", "blocked", "max-tokens", "interrupted", "disposed")
    return not plain or len(reason.entries) == 1


def _turn(data: Value) -> bool:
    number = field(data, "turn")
    return isinstance(number, Integer) and number.value >= 1


@dataclass(frozen=True, slots=True)
class Interruption:
    """What was under way at the end of a log: a turn, and a step of it."""

    turn: Value | None = None
    step: Value | None = None


def interruption(log: Log) -> Interruption:
    """Read off a log what was under way when it ends (RES-4)."""
    at = Interruption()
    for event in log:
        match event.type:
            case "turn/start":
                at = Interruption(turn=field(event.data, "turn"))
            case "turn/end":
                at = Interruption()
            case "step/start":
                at = replace(at, step=field(event.data, "step"))
            case "step/end":
                at = replace(at, step=None)
            case _:
                continue
    return at


def _before_last_end(log: Log) -> Log:
    """The log up to where its last turn was interrupted, or nothing of it."""
    ends = [n for n, event in enumerate(log) if field(event.data, "reason") == INTERRUPTED]
    return log[: ends[-1]] if ends else ()


def closers(log: Log, design: Design) -> Log:
    """The events that close the turn with which a log ends, if it ends within one (RES-4)."""
    at = interruption(log)
    if at.turn is None and design.interrupted_turn == "closed-each-time":
        at = interruption(_before_last_end(log))
    if at.turn is None or design.interrupted_turn == "left-open":
        return ()
    datas: list[tuple[str, Value]] = []
    if at.step is not None:
        datas.append(("step/end", record({"turn": at.turn, "step": at.step})))
    datas.append(("turn/end", record({"turn": at.turn, "reason": INTERRUPTED})))
    time = log[-1].time
    seqs = range(len(log), len(log) + len(datas))
    return tuple(
        Event(seq, kind, data, time) for seq, (kind, data) in zip(seqs, datas, strict=True)
    )
