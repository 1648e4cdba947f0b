"""The JSON Schema of the protocol, read off the shapes: one line of it is a request or an answer.

`python -m conformance.protocol.schema` writes it to `spec/protocol.schema.json`. It states what an
implementation that conforms shows; a header or an event of any other form is a disagreement.
"""

import json
from typing import assert_never, get_args

from conformance.programs import SPEC
from conformance.protocol.json import Json
from conformance.protocol.message import VERSION
from conformance.protocol.shape import (
    CLASSES,
    COMMAND,
    LIVE,
    MISSING,
    OBSERVATION,
    OUTCOME,
    AnyValue,
    Choice,
    Count,
    Field,
    Handle,
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
from conformance.protocol.shown import SCALARS
from conformance.protocol.values import HOSTILE, KINDS
from model.refusal import Code
from model.values import Text

PATH = SPEC / "protocol.schema.json"

NAMES: dict[type[str] | type[int] | type[bool], str] = {
    str: "string",
    int: "integer",
    bool: "boolean",
}


def schema_of(shape: Shape) -> dict[str, Json]:
    """The schema of one shape."""
    match shape:
        case Plain() | Handle() | Count() | Choice():
            return _scalar(shape)
        case AnyValue():
            return _ref("value")
        case Token():
            return TEXT
        case Maybe(inner):
            return {"anyOf": [schema_of(inner), {"type": "null"}]}
        case Many(inner):
            return {"type": "array", "items": schema_of(inner)}
        case Tagged(key, cases):
            return {
                "oneOf": [tagged(key, case) for case in cases],
                "unevaluatedProperties": False,
            }
        case Struct(name) | Special(name):
            return _ref(name)
        case _:
            assert_never(shape)


def _scalar(shape: Plain | Handle | Count | Choice) -> dict[str, Json]:
    match shape:
        case Plain(kind):
            return {"type": NAMES[kind]}
        case Handle(given):
            return TEXT | ({"pattern": "^[^@]"} if given else {"minLength": 1})
        case Count():
            return COUNT
        case Choice(values):
            return {"enum": list(values)}


def _ref(name: str) -> dict[str, Json]:
    return {"$ref": f"#/$defs/{name}"}


def tagged(key: str, name: str) -> dict[str, Json]:
    """The schema of one case of a tagged union."""
    return _ref(f"{key}:{name}")


def record(required: dict[str, Json], optional: dict[str, Json] | None = None) -> dict[str, Json]:
    """The schema of an object with these keys."""
    return {
        "type": "object",
        "properties": required | (optional or {}),
        "required": list(required),
    }


def closed(required: dict[str, Json], optional: dict[str, Json] | None = None) -> dict[str, Json]:
    """The schema of an object with these keys and no others."""
    return record(required, optional) | {"additionalProperties": False}


def _fields(fields: tuple[Field, ...], *, required: bool) -> dict[str, Json]:
    wanted = (each for each in fields if (each.default is MISSING) is required)
    return {each.name: schema_of(each.shape) for each in wanted}


def struct(name: str) -> dict[str, Json]:
    """The schema of a class."""
    fields = fields_of(name)
    return closed(_fields(fields, required=True), _fields(fields, required=False))


def case(name: str, key: str) -> dict[str, Json]:
    """The schema of a class as one case of a union, which says what other keys there may be."""
    fields = fields_of(name)
    tag: dict[str, Json] = {key: {"const": name}}
    return record(tag | _fields(fields, required=True), _fields(fields, required=False))


def _definitions() -> dict[str, Json]:
    plain = (
        "live",
        "script",
        "commit",
        "setup",
        "reaction",
        "damage",
        "configured-agent",
        "identity",
    )
    found: dict[str, Json] = {name: struct(name) for name in plain}
    for shape in (COMMAND, OUTCOME, OBSERVATION, *_endings()):
        if isinstance(shape, Tagged):
            names = (name for name in shape.cases if name in CLASSES)
            found.update({f"{shape.key}:{name}": case(name, shape.key) for name in names})
    return found


def _endings() -> tuple[Shape, ...]:
    return tuple(each.shape for name in ("script", "commit") for each in fields_of(name))


WHOLE: dict[str, Json] = {"type": "integer"}
COUNT: dict[str, Json] = {"type": "integer", "minimum": 0}
TEXT: dict[str, Json] = {"type": "string"}
TEXTS: dict[str, Json] = {"type": "array", "items": TEXT}
OBSERVATIONS: dict[str, Json] = {"type": "array", "items": schema_of(OBSERVATION)}
VALUE = _ref("value")

SPECIAL: dict[str, Json] = {
    "value": {
        "anyOf": [
            {"type": ["null", "boolean", "number", "string"]},
            {"type": "array", "items": VALUE},
            closed({HOSTILE: {"enum": list(KINDS)}}),
            {
                "type": "object",
                "patternProperties": {"^\\$": False},
                "additionalProperties": VALUE,
            },
        ],
    },
    "header": record(
        {"version": {"const": 0}, "id": TEXT, "createdAt": COUNT},
        {name: TEXT if kind is Text else COUNT for name, (_, kind) in SCALARS.items()},
    )
    | {"additionalProperties": VALUE},
    "event": closed(
        {"type": TEXT, "seq": COUNT, "time": WHOLE, "data": VALUE},
        {"ignorable": {"const": True}},
    ),
    "is:refused": record(
        {"is": {"const": "refused"}, "code": {"enum": list(get_args(Code))}},
        {"tag": TEXT, "says": TEXT},
    ),
}

REQUESTS: dict[str, Json] = {
    "request": {
        "oneOf": [
            _ref("hello"),
            _ref("reset"),
            _ref("bye"),
            record({"n": COUNT}) | {"oneOf": schema_of(COMMAND)["oneOf"]},
        ],
        "unevaluatedProperties": False,
    },
    "hello": record({"n": COUNT, "do": {"const": "hello"}, "protocol": {"const": VERSION}}),
    "reset": record({"n": COUNT, "do": {"const": "reset"}}),
    "bye": record({"n": COUNT, "do": {"const": "bye"}}),
    "command": schema_of(COMMAND),
}

ANSWERS: dict[str, Json] = {
    "answer": {
        "oneOf": [_ref("introduction"), _ref("leftovers"), _ref("reply"), _ref("unreadable")],
    },
    "introduction": closed(
        {
            "n": COUNT,
            "protocol": {"const": VERSION},
            "implementation": closed({"name": TEXT, "version": TEXT}),
        },
        {"groups": TEXTS, "capabilities": TEXTS, "mint": TEXT},
    ),
    "leftovers": closed({"n": COUNT, "leftovers": OBSERVATIONS}),
    "reply": closed(
        {
            "n": COUNT,
            "outcome": schema_of(OUTCOME),
            "seen": OBSERVATIONS,
            "live": schema_of(LIVE),
        },
    ),
    "unreadable": closed({"n": {"anyOf": [COUNT, {"type": "null"}]}, "error": TEXT}),
}


def schema() -> dict[str, Json]:
    """The whole schema."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"One line of the protocol of dsh-spec, version {VERSION}",
        "anyOf": [_ref("request"), _ref("answer")],
        "$defs": {**REQUESTS, **ANSWERS, **SPECIAL, **_definitions()},
    }


def text() -> str:
    """The schema as the file has it."""
    return json.dumps(schema(), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
