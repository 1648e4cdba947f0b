"""Messages and request headers in stored logs: their forms, today's and former ones (STG-7, STG-9).

An event is a record here, with all of its envelope; how it is read from a file is not said.
"""

from collections.abc import Callable

from model.stored_turn import has_only, is_word
from model.values import (
    UNDEFINED,
    Array,
    Bool,
    Integer,
    Null,
    Record,
    Text,
    Value,
    field,
    is_safe_integer,
    record,
)

MESSAGES = frozenset(("user/message", "assistant/message", "tool/result"))
REQUEST_HEADER = "request/header"
STEERING = "steering/message"
ADAPTER_DEFAULTS = frozenset(("reasoningEffort", "maxTokens"))


def message_fits(kind: str, data: Value) -> bool:
    """Whether the data of an event holds the message that its type asks for (STG-7)."""
    if kind not in MESSAGES:
        return True
    message = data if kind == "user/message" else field(data, "message")
    source, content = field(message, "source"), field(message, "content")
    role = "assistant" if kind == "assistant/message" else "user"
    if not (
        is_word(field(message, "id"))
        and field(message, "role") == Text(role)
        and is_word(field(source, "kind"))
        and isinstance(content, Array)
    ):
        return False
    match kind:
        case "assistant/message":
            return field(source, "kind") == Text("model") and _names_model(source)
        case "tool/result":
            return _is_result(source, content)
        case _:
            return True


def _is_result(source: Value, content: Array) -> bool:
    block = content.items[0] if len(content.items) == 1 else UNDEFINED
    call = field(source, "callId")
    return (
        field(source, "kind") == Text("tool")
        and is_word(call)
        and field(block, "type") == Text("tool-result")
        and isinstance(field(block, "content"), Array)
        and field(block, "toolCallId") == call
    )


def _names_model(value: Value) -> bool:
    return is_word(field(value, "provider")) and is_word(field(value, "model"))


def request_fits(data: Value) -> bool:
    """Whether the data of a request header names a model and its settings (STG-7)."""
    config = field(field(data, "header"), "config")
    defaults = field(field(data, "header"), "adapterDefaults")
    effort = field(config, "reasoningEffort")
    if not _names_model(config) or not (effort == UNDEFINED or is_word(effort)):
        return False
    match defaults:
        case Record(entries):
            return all(
                name in ADAPTER_DEFAULTS
                and marker == Bool(value=True)
                and field(config, name) != UNDEFINED
                for name, marker in entries
            )
        case _:
            return defaults == UNDEFINED


def is_former_request(kind: str, data: Value) -> bool:
    """Whether a request header is one for a fallback, which no log may hold any more (STG-9)."""
    reason = field(data, "reason")
    without = data in (Null(), UNDEFINED)
    return kind == REQUEST_HEADER and (without or reason == Text("fallback"))


def upgraded(event: Record, session_id: str, is_result: Callable[[int], bool]) -> Record | None:
    """An event in today's form, if it can be given one (STG-9).

    `is_result` says of an earlier seq whether a result of a tool is on the surface there: a result
    that replaces it inherits its message's id.
    """
    kind = field(event, "type")
    if kind == Text(STEERING):
        steered = _steered(event, session_id)
        return None if steered is None else upgraded(steered, session_id, is_result)
    data = field(event, "data")
    if not isinstance(data, Record):
        return event
    match kind:
        case Text("user/message"):
            return _former_user(event, data, session_id)
        case Text("assistant/message"):
            return _former_assistant(event, data, session_id)
        case Text("tool/result"):
            return _former_result(event, data, session_id, is_result)
        case _:
            return event


def _steered(event: Record, session_id: str) -> Record | None:
    """What steered a turn is a message of the user today."""
    data = field(event, "data")
    wrapped = field(data, "message")
    if not is_safe_integer(field(data, "turn")):
        return None
    if isinstance(wrapped, Record) and has_only(data, "turn", "message"):
        return _with(event, type=Text("user/message"), data=wrapped)
    if not isinstance(data, Record) or not has_only(data, "turn", "content", "source"):
        return None
    entries = {name: item for name, item in data.entries if name != "turn"}
    message = record({**entries, "id": _legacy_id(event, session_id), "role": Text("user")})
    return _with(event, type=Text("user/message"), data=message)


def _former_user(event: Record, data: Record, session_id: str) -> Record:
    if not _lacks(data, "id", "role", "message") or not _has(data, "content", "source"):
        return event
    identified = _with(data, id=_legacy_id(event, session_id), role=Text("user"))
    return _with(event, data=identified)


def _former_assistant(event: Record, data: Record, session_id: str) -> Record:
    if not _lacks(data, "message") or not _has(data, "content", "provenance"):
        return event
    provenance = field(data, "provenance")
    source = provenance if isinstance(provenance, Record) else Record()
    message: dict[str, Value] = {
        "id": _legacy_id(event, session_id),
        "role": Text("assistant"),
        "content": field(data, "content"),
        "source": _with(source, kind=Text("model")),
    }
    return _with(event, data=_wrapped(data, ("content", "provenance"), message))


def _former_result(
    event: Record, data: Record, session_id: str, is_result: Callable[[int], bool]
) -> Record:
    names = ("callId", "content", "isError")
    if not _lacks(data, "message") or not _has(data, *names):
        return event
    call = field(data, "callId")
    block: dict[str, Value] = {
        "type": Text("tool-result"),
        "toolCallId": call,
        "content": field(data, "content"),
        "isError": field(data, "isError"),
    }
    message: dict[str, Value] = {
        "role": Text("user"),
        "content": Array((record(block),)),
        "source": record({"kind": Text("tool"), "callId": call}),
    }
    op = field(event, "surfaceOp")
    start = field(op, "start") if field(op, "op") == Text("replace") else UNDEFINED
    if not isinstance(start, Integer) or is_result(start.value):
        message["id"] = _legacy_id(event, session_id)
    return _with(event, data=_wrapped(data, names, message))


def _wrapped(data: Record, inner: tuple[str, ...], message: dict[str, Value]) -> Record:
    rest = {name: item for name, item in data.entries if name not in inner}
    return record({**rest, "message": record(message)})


def _legacy_id(event: Record, session_id: str) -> Value:
    seq = field(event, "seq")
    return Text(f"legacy-message:{session_id}:{seq.value if isinstance(seq, Integer) else ''}")


def _lacks(data: Record, *names: str) -> bool:
    return not dict(data.entries).keys() & set(names)


def _has(data: Record, *names: str) -> bool:
    return set(names) <= dict(data.entries).keys()


def _with(old: Record, **entries: Value) -> Record:
    return record({**dict(old.entries), **entries})
