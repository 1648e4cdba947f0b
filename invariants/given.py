"""What the clients of several scopes give: setups, events and headers."""

from model.command import (
    Commit,
    Holds,
    Script,
    Setup,
)
from model.values import EMPTY, Integer, Text, Value, record

ABORT = "abort"


def held(gate: str) -> Setup:
    """A setup that waits at a gate and then returns a commit."""
    return Setup(Script(ending=Holds(gate)), Commit())


def event(seq: int, kind: str = "todo/write", **more: Value) -> Value:
    """An event of a seed."""
    entries: dict[str, Value] = {
        "seq": Integer(seq),
        "type": Text(kind),
        "time": Integer(1),
        "data": EMPTY,
    }
    return record({**entries, **more})


def header(**entries: Value) -> Value:
    """A header for id `a`, as a client would give it to the session's own constructor."""
    whole: dict[str, Value] = {"version": Integer(0), "id": Text("a"), "createdAt": Integer(1)}
    return record({**whole, **entries})
