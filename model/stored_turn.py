"""The forms of a turn's start and end in stored logs, with those of before (RES-1)."""

from model.log import Event
from model.values import (
    UNDEFINED,
    Fractional,
    Hostile,
    Integer,
    Record,
    Text,
    Value,
    field,
    is_safe_count,
)


def turn_fits(event: Event) -> bool:
    """Whether an event has the form that its type asks for where turns are told apart (RES-1).

    A start of an earlier vocabulary carries a trigger, an end of one a reason in other words.
    """
    match event.type, event.data:
        case "turn/start", Record(entries):
            return "trigger" not in dict(entries) or _former_start(event.data)
        case "turn/end", Record():
            return has_only(event.data, "turn", "reason") and _ending(event.data)
        case _:
            return True


def _former_start(data: Value) -> bool:
    kind = field(field(data, "trigger"), "kind")
    return has_only(data, "turn", "trigger") and is_turn(field(data, "turn")) and is_word(kind)


def _ending(data: Value) -> bool:
    reason = field(data, "reason")
    kind = field(reason, "kind")
    if not (is_turn(field(data, "turn")) and isinstance(kind, Text)):
        return False
    match kind.value:
        case "completed" | "blocked" | "max-tokens" | "interrupted" | "disposed":
            return has_only(reason, "kind")
        case "aborted":
            return field(reason, "reason") != UNDEFINED or has_only(reason, "kind")
        case "error":
            return field(reason, "error") != UNDEFINED or _former_error(reason)
        case _:
            return True


def _former_error(reason: Value) -> bool:
    """An end by an error as an earlier vocabulary had it: a step, and a failure or a message."""
    if not is_safe_count(field(reason, "step")):
        return False
    failure = field(reason, "failure")
    optional = ("status", "providerRetryAfterMs", "requestId")
    shaped = has_only(reason, "kind", "step", "failure") and _within(failure, *optional)
    if shaped and all(isinstance(field(failure, name), Text) for name in ("message", "code")):
        numbers = (field(failure, "status"), field(failure, "providerRetryAfterMs"))
        return all(
            isinstance(each, Integer | Fractional) or each == UNDEFINED for each in numbers
        ) and isinstance(field(failure, "requestId"), Text | Hostile)
    code = field(reason, "code")
    coded = () if code == UNDEFINED else ("code",)
    words = field(reason, "message"), Text("") if code == UNDEFINED else code
    return has_only(reason, "kind", "step", "message", *coded) and all(
        isinstance(each, Text) for each in words
    )


def has_only(value: Value, *names: str) -> bool:
    """Whether a value is a record of exactly these entries."""
    return isinstance(value, Record) and dict(value.entries).keys() == set(names)


def _within(failure: Value, *optional: str) -> bool:
    if not isinstance(failure, Record):
        return False
    names = dict(failure.entries).keys()
    return {"message", "code"} <= names <= {"message", "code", *optional}


def is_turn(number: Value) -> bool:
    """Whether a value numbers a turn: a whole number from 1 on (RES-1)."""
    return is_safe_count(number) and number != Integer(0)


def is_word(value: Value) -> bool:
    """Whether a value is a text that is not empty."""
    return isinstance(value, Text) and value.value != ""
