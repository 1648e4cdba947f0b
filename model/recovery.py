"""Recovery: which stored logs are loaded, and how an interrupted turn is closed (RES).

The rules speak of events in order; how they are read from a file is not their business.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from model.design import Design
from model.log import Event, Log
from model.refusal import Refusal
from model.stored_turn import is_turn, is_word, turn_fits
from model.values import UNDEFINED, Array, Bool, Null, Record, Text, Value, field, record

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

WORDS = Array()
"""What DSH tells the model in place of a result; its words are its own, and left out here."""


def load_fault(log: Log, design: Design) -> Refusal | None:
    """Why the events of a stored log cannot be loaded, in the order in which DSH looks (RES-1)."""
    if any(event.type in FORMER_EVENTS or not turn_fits(event) for event in log):
        return Refusal("UNREADABLE", "RES-1")
    known = all(is_known(event) for event in log)
    if not known and design.unknown_events != "accepted":
        return Refusal("UNSUPPORTED", "RES-1")
    if all(map(can_be_followed, log)) and closing_fits(interruption(log)):
        return None
    return Refusal("UNREADABLE", "RES-4")


def is_known(event: Event) -> bool:
    """Whether the format version has a type for an event, or a reader may pass it by (RES-1)."""
    return event.type in KNOWN_EVENTS or event.ignorable


def can_be_followed(event: Event) -> bool:
    """Whether what is under way can be read off an event at all (RES-4)."""
    match event.type:
        case "turn/start" | "step/start" | "tool/call":
            return event.data not in (Null(), UNDEFINED)
        case "assistant/message":
            content = field(field(event.data, "message"), "content")
            return not isinstance(content, Array) or Null() not in content.items
        case _:
            return True


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A tool call that an assistant's message asks for and that has no result.

    `started` is the seq of the event that recorded its start, if it did start.
    """

    id: Value
    step: Value
    started: int | None = None


@dataclass(frozen=True, slots=True)
class Interruption:
    """What was under way at the end of a log: a turn, a step of it, and its calls of tools."""

    turn: Value | None = None
    step: Value | None = None
    calls: tuple[OpenCall, ...] = ()


NOTHING = Interruption()


def interruption(log: Iterable[Event], before: Interruption = NOTHING) -> Interruption:
    """Read off a log what was under way when it ends, or off a piece of it (RES-4)."""
    turn, step = before.turn, before.step
    calls = {call.id: call for call in before.calls}
    for event in log:
        match event.type:
            case "turn/start":
                turn, step, calls = _or_none(field(event.data, "turn")), None, {}
            case "turn/end":
                turn, step, calls = None, None, {}
            case "step/start":
                step = _or_none(field(event.data, "step"))
            case "step/end":
                step, calls = None, {}
            case "assistant/message":
                calls |= {call.id: call for call in _asked(event.data)}
            case "tool/call" if field(event.data, "callId") in calls:
                call = calls[field(event.data, "callId")]
                calls[call.id] = replace(call, started=event.seq)
            case "tool/result":
                source = field(field(event.data, "message"), "source")
                calls.pop(field(source, "callId"), None)
            case _:
                continue
    return Interruption(turn, step, tuple(calls.values()))


def _or_none(value: Value) -> Value | None:
    return None if value == Null() else value


def _asked(data: Value) -> Iterator[OpenCall]:
    """The calls of tools that an assistant's message asks for."""
    match field(field(data, "message"), "content"):
        case Array(blocks):
            for block in blocks:
                if field(block, "type") == Text("tool-call"):
                    yield OpenCall(field(block, "id"), field(data, "step"))
        case _:
            return


def closing_fits(at: Interruption) -> bool:
    """Whether the events that close a turn can be loaded themselves (RES-4, STG-10)."""
    if at.turn is None:
        return True
    return is_turn(at.turn) and all(is_word(call.id) for call in at.calls)


def _before_last_end(log: Log) -> Log:
    """The log up to where its last turn was interrupted, or nothing of it."""
    ends = [n for n, event in enumerate(log) if field(event.data, "reason") == INTERRUPTED]
    return log[: ends[-1]] if ends else ()


def closers(log: Log, design: Design) -> Log:
    """The events that close the turn with which a log ends, if it ends within one (RES-4)."""
    if not log or design.interrupted_turn == "left-open":
        return ()
    at = interruption(log)
    if at.turn is None and design.interrupted_turn == "closed-each-time":
        at = interruption(_before_last_end(log))
    return closing(at, len(log), log[-1].time)


def closing(at: Interruption, seq: int, time: int | None) -> Log:
    """The events that close what was under way: calls first, then the step, then the turn (RES-4).

    They are numbered from `seq` on, and carry the time of the last event before them.
    """
    if at.turn is None:
        return ()
    datas: list[tuple[str, Value]] = [
        ("tool/result", _no_result(at.turn, call, seq + index))
        for index, call in enumerate(at.calls)
    ]
    if at.step is not None:
        datas.append(("step/end", _defined({"turn": at.turn, "step": at.step})))
    datas.append(("turn/end", _defined({"turn": at.turn, "reason": INTERRUPTED})))
    return tuple(Event(seq + index, kind, data, time) for index, (kind, data) in enumerate(datas))


def _defined(entries: dict[str, Value]) -> Record:
    return record({name: value for name, value in entries.items() if value != UNDEFINED})


def _no_result(turn: Value, call: OpenCall, seq: int) -> Value:
    """What stands for the result of a call that was interrupted: an error, for a model to read."""
    name = call.id.value if isinstance(call.id, Text) else ""
    code, error = "TOOL_OUTCOME_UNKNOWN", "ToolOutcomeUnknownError"
    if call.started is None:
        code, error = "TOOL_NOT_STARTED", "ToolNotStartedError"
    block: dict[str, Value] = {
        "type": Text("tool-result"),
        "toolCallId": call.id,
        "isError": Bool(value=True),
        "content": WORDS,
    }
    message: dict[str, Value] = {
        "id": Text(f"interrupted-tool-result-{name}-{seq}"),
        "role": Text("user"),
        "source": record({"kind": Text("tool"), "callId": call.id}),
        "content": Array((record(block),)),
    }
    failure = record({"name": Text(error), "code": Text(code)})
    rest = {"turn": turn, "step": call.step, "message": record(message), "error": failure}
    return _defined(rest)
