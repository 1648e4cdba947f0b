"""The JSON Schema of the protocol, read off the shapes.

`python -m conformance.protocol.schema` writes it to `spec/protocol.schema.json`.
"""

import json
from typing import assert_never, get_args

from conformance.programs import SPEC
from conformance.protocol.json import Json
from conformance.protocol.shape import (
    CLASSES,
    COMMAND,
    LIVE,
    MISSING,
    OBSERVATION,
    OUTCOME,
    AnyValue,
    Choice,
    Many,
    Maybe,
    Plain,
    Shape,
    Special,
    Struct,
    Tagged,
    Token,
    fields_of,
)
from conformance.protocol.values import HOSTILE, KINDS
from model.refusal import Code

PATH = SPEC / "protocol.schema.json"

NAMES: dict[type[str] | type[int] | type[bool], str] = {
    str: "string",
    int: "integer",
    bool: "boolean",
}


def schema_of(shape: Shape) -> dict[str, Json]:
    """The schema of one shape."""
    match shape:
        case Plain(kind):
            return {"type": NAMES[kind]}
        case Choice(values):
            return {"enum": list(values)}
        case AnyValue():
            return _ref("value")
        case Token():
            return {"type": "string"}
        case Maybe(AnyValue()):
            return _ref("value")
        case Maybe(inner):
            return {"anyOf": [schema_of(inner), {"type": "null"}]}
        case Many(inner):
            return {"type": "array", "items": schema_of(inner)}
        case Struct(name):
            return _ref(name)
        case Tagged(key, cases):
            return {"oneOf": [tagged(key, case) for case in cases]}
        case Special(name):
            return _ref(name)
        case _:
            assert_never(shape)


def _ref(name: str) -> dict[str, Json]:
    return {"$ref": f"#/$defs/{name}"}


def tagged(key: str, name: str) -> dict[str, Json]:
    """The schema of one case of a tagged union."""
    return _ref("refusal" if name == "refused" else f"{key}:{name}")


def struct(name: str, key: str | None = None) -> dict[str, Json]:
    """The schema of a class, with its tag if it has one."""
    fields = fields_of(name)
    tag: dict[str, Json] = {} if key is None else {key: {"const": name}}
    required: list[Json] = [each.name for each in fields if each.default is MISSING]
    properties: dict[str, Json] = {each.name: schema_of(each.shape) for each in fields}
    return {
        "type": "object",
        "properties": tag | properties,
        "required": [*tag, *required],
        "additionalProperties": False,
    }


def _definitions() -> dict[str, Json]:
    found: dict[str, Json] = dict(SPECIAL)
    plain = ("live", "script", "commit", "setup", "reaction")
    found.update({name: struct(name) for name in plain})
    for shape in (COMMAND, OUTCOME, OBSERVATION, *_endings()):
        if isinstance(shape, Tagged):
            names = (case for case in shape.cases if case in CLASSES)
            found.update({f"{shape.key}:{name}": struct(name, shape.key) for name in names})
    return found


def _endings() -> tuple[Shape, ...]:
    return tuple(each.shape for name in ("script", "commit") for each in fields_of(name))


WHOLE: dict[str, Json] = {"type": "integer"}
TEXT: dict[str, Json] = {"type": "string"}

SPECIAL: dict[str, Json] = {
    "value": {
        "anyOf": [
            {"type": ["null", "boolean", "number", "string"]},
            {"type": "array", "items": {"$ref": "#/$defs/value"}},
            {
                "type": "object",
                "properties": {HOSTILE: {"enum": list(KINDS)}},
                "additionalProperties": {"$ref": "#/$defs/value"},
            },
        ],
    },
    "header": {
        "type": "object",
        "properties": {"version": {"const": 0}, "id": TEXT, "createdAt": WHOLE},
        "required": ["version", "id", "createdAt"],
        "additionalProperties": {"$ref": "#/$defs/value"},
    },
    "event": {
        "type": "object",
        "properties": {
            "type": TEXT,
            "seq": WHOLE,
            "time": WHOLE,
            "data": {"$ref": "#/$defs/value"},
            "ignorable": {"const": True},
        },
        "required": ["type", "seq", "time", "data"],
        "additionalProperties": False,
    },
    "refusal": {
        "type": "object",
        "properties": {
            "is": {"const": "refused"},
            "code": {"enum": list(get_args(Code))},
            "tag": TEXT,
            "says": TEXT,
        },
        "required": ["is", "code"],
        "additionalProperties": False,
    },
}


def _request(does: str, rest: dict[str, Json]) -> dict[str, Json]:
    properties: dict[str, Json] = {"n": WHOLE, "do": {"const": does}, **rest}
    return {"type": "object", "properties": properties, "required": list(properties)}


def schema() -> dict[str, Json]:
    """The whole schema: programs' commands, requests and answers."""
    reply: dict[str, Json] = {
        "outcome": schema_of(OUTCOME),
        "seen": {"type": "array", "items": schema_of(OBSERVATION)},
        "live": schema_of(LIVE),
    }
    definitions: dict[str, Json] = {
        "command": schema_of(COMMAND),
        "reply": {"type": "object", "properties": reply, "required": list(reply)},
        "hello": _request("hello", {"protocol": WHOLE}),
        "reset": _request("reset", {}),
        "bye": _request("bye", {}),
        **_definitions(),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol of dsh-spec, version 1",
        "$ref": "#/$defs/command",
        "$defs": definitions,
    }


def text() -> str:
    """The schema as the file has it."""
    return json.dumps(schema(), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
