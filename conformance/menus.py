"""Menus: the values that generated programs are made of, good and bad of every kind."""

from typing import TypeVar

from model.command import EventName
from model.log import END_SEED
from model.session_command import TamperPlace
from model.values import (
    EMPTY,
    MAX_SAFE_INTEGER,
    UNDEFINED,
    Array,
    Bool,
    Fractional,
    Hostile,
    Integer,
    Null,
    Record,
    Text,
    Value,
    record,
)

IDS = ("a", "b", "c")
NEXT_MINTED = ("session-1", "session-2")
"""Ids that a store which mints `session-{n}` is about to mint."""

GATES = ("g", "h")
NOTE = "todo/write"
LABELS = ("m", "n", "o")
CWDS = (None, None, None, "/w", "w")

EVENTS: tuple[EventName, ...] = (
    "session/created",
    "session/event",
    "session/disposed",
    "agent/created",
    "agent/disposed",
    "agent/session-start",
)
PLACES: tuple[TamperPlace, ...] = ("meta", "seed", "header", "events", "event", "data")


Item = TypeVar("Item", Value, tuple[Value, ...])


def hostile_kinds(value: Value | tuple[Value, ...]) -> frozenset[str]:
    """The kinds of hostile value that a value contains."""
    match value:
        case Hostile(kind):
            return frozenset((kind,))
        case Array(items) | tuple(items):
            return frozenset().union(*(hostile_kinds(item) for item in items))
        case Record(entries):
            return frozenset().union(*(hostile_kinds(item) for _, item in entries))
        case _:
            return frozenset()


def allowed(items: tuple[Item, ...], hostile: frozenset[str]) -> tuple[Item, ...]:
    """The items that an implementation can be handed."""
    return tuple(item for item in items if hostile_kinds(item) <= hostile)


def allowed_boundaries(hostile: frozenset[str]) -> tuple[Value | None, ...]:
    """The fork boundaries that an implementation can be handed."""
    return tuple(b for b in BOUNDARIES if b is None or hostile_kinds(b) <= hostile)


def heard_with(groups: frozenset[str]) -> tuple[EventName, ...]:
    """The events that an implementation has: those of agents where it makes any."""
    makes_agents = not groups.isdisjoint(("REG", "TXN"))
    return tuple(each for each in EVENTS if makes_agents or each.startswith("session/"))


def event(seq: int, kind: str = NOTE, data: Value = EMPTY, **changes: Value) -> Record:
    """One event of a seed; `changes` replace or add parts of its envelope."""
    plain: dict[str, Value] = {
        "type": Text(kind),
        "seq": Integer(seq),
        "time": Integer(5),
        "data": data,
    }
    return record(plain | changes)


GOOD_SEEDS: tuple[tuple[Value, ...], ...] = (
    (),
    (event(0),),
    (event(0), event(1, END_SEED)),
    (event(0, END_SEED), event(1)),
    (event(0, END_SEED), event(1, END_SEED)),
    (event(0, ignorable=Bool(value=True)), event(1, time=Integer(-3))),
    (event(0, "turn/start", record({"turn": Integer(1)})), event(1, "turn/end")),
    (event(0, "turn/start", record({"turn": Integer(1)})),),
)
BAD_SEEDS: tuple[tuple[Value, ...], ...] = (
    (event(1),),
    (event(0), event(0)),
    (event(0), event(2)),
    (event(0, data=Hostile("nan")),),
    (event(0, extra=Text("x")),),
    (event(0, ignorable=Bool(value=False)),),
    (event(0, time=Fractional(0.5)),),
    (record({"type": Text(NOTE), "seq": Text("0"), "time": Integer(5), "data": EMPTY}),),
    (event(0, type=Null()),),
    (event(0, "request/header-delta"),),
    (record({"type": Text(NOTE), "seq": Integer(0), "data": Null()}),),
    (Text("no event"),),
)

GOOD_METAS: tuple[Value, ...] = (
    EMPTY,
    record({"cwd": Text("/w"), "agentPreset": Text("p")}),
    record({"createdAt": Integer(7)}),
    record({"createdAt": Integer(0), "origin": Text("subagent"), "delegationDepth": Integer(1)}),
    record({"createdAt": Null()}),
    record({"delegationDepth": Integer(2), "agentPreset": Text("p")}),
    record({"cwd": Text("/w"), "agentPreset": Text("p"), "delegationDepth": Integer(1)}),
    record({"parentSession": Text("z"), "seedLength": Integer(3)}),
    record({"cwd": UNDEFINED, "seedLength": Integer(MAX_SAFE_INTEGER)}),
    record({"unknown": Text("x"), "cwd": Text("/")}),
    record({"version": Integer(9), "id": Text("q")}),
    record({"unknown": Hostile("map")}),
    Null(),
    Text("meta"),
    Array((Integer(1),)),
)
BAD_METAS: tuple[Value, ...] = (
    record({"cwd": Text("w")}),
    record({"cwd": Text("")}),
    record({"cwd": Null()}),
    record({"cwd": Hostile("nan")}),
    record({"createdAt": Integer(-1)}),
    record({"createdAt": Fractional(1.5)}),
    record({"createdAt": Text("7")}),
    record({"createdAt": Integer(MAX_SAFE_INTEGER + 1)}),
    record({"createdAt": Hostile("negative-zero")}),
    record({"origin": Text("me")}),
    record({"delegationDepth": Integer(-1)}),
    record({"delegationDepth": Integer(MAX_SAFE_INTEGER + 1)}),
    record({"seedLength": Text("3")}),
    record({"parentSession": Integer(1)}),
    record({"agentPreset": Null()}),
    record({"cwd": Text("w"), "origin": Text("me")}),
)


def headers_for(session_id: str) -> tuple[Value, ...]:
    """Headers for the bare constructor: the first ones are accepted, the rest is not."""
    plain: dict[str, Value] = {
        "version": Integer(0),
        "id": Text(session_id),
        "createdAt": Integer(3),
    }
    changes: tuple[dict[str, Value], ...] = (
        {},
        {"cwd": Text("/x"), "unknown": Bool(value=True)},
        {"version": Integer(1)},
        {"id": Text("other")},
        {"createdAt": UNDEFINED},
        {"createdAt": Integer(-3)},
        {"cwd": Text("x")},
        {"origin": Text("me"), "version": Text("0")},
        {"unknown": Hostile("date")},
    )
    return (*(record(plain | change) for change in changes), Null(), Text("h"), Array())


GOOD_DATA: tuple[Value, ...] = (
    EMPTY,
    record({"n": Integer(1), "list": Array((Null(), Bool(value=True), Text("é")))}),
    Integer(1),
    Null(),
    Fractional(0.25),
    record({"preset": Text("p")}),
)
BAD_DATA: tuple[Value, ...] = (
    Hostile("nan"),
    Hostile("infinity"),
    Hostile("negative-zero"),
    Hostile("undefined"),
    Hostile("bigint"),
    Hostile("function"),
    Hostile("symbol"),
    Hostile("sparse-array"),
    Hostile("cycle"),
    Hostile("date"),
    Hostile("map"),
    Hostile("class-instance"),
    Hostile("symbol-key"),
    Hostile("hidden-key"),
    Array((Hostile("nan"),)),
    record({"deep": record({"er": Hostile("negative-zero")})}),
)

TURN_EVENTS: tuple[tuple[str, Value], ...] = (
    ("turn/start", record({"turn": Integer(1)})),
    ("turn/start", record({"turn": Integer(2)})),
    ("step/start", record({"turn": Integer(1), "step": Integer(1)})),
    ("step/end", record({"turn": Integer(1), "step": Integer(1)})),
    (
        "turn/end",
        record({"turn": Integer(1), "reason": record({"kind": Text("completed")})}),
    ),
)
"""Events of turns as an agent writes them."""

BOUNDARIES: tuple[Value | None, ...] = (
    None,
    None,
    None,
    Integer(0),
    Integer(1),
    Integer(2),
    Integer(-1),
    Fractional(0.5),
    Integer(9),
    Integer(MAX_SAFE_INTEGER + 1),
    Null(),
    Text("0"),
    UNDEFINED,
    Hostile("nan"),
    Hostile("negative-zero"),
)
