"""The protocol: everything that the model can say survives the wire, and nothing else does."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from conformance.choices import Limits
from conformance.compare import simulate
from conformance.generate import programs
from conformance.programs import SPEC
from conformance.protocol import schema
from conformance.protocol.codec import Tokens, command_from_wire, command_to_wire
from conformance.protocol.json import Json, MalformedError
from conformance.protocol.message import Reply, reply_from_wire, reply_to_wire
from conformance.protocol.values import KINDS, value_from_wire, value_to_wire
from model.command import Command, Create, Inspect
from model.design import DSH
from model.values import Array, Bool, Fractional, Hostile, Integer, Null, Text, Value, record

EVERYTHING = Limits(
    hostile=frozenset(KINDS),
    mints=True,
    groups=frozenset(("HDR", "LOG", "SEED", "STO", "REG", "TXN", "RBK", "OWN", "FORK")),
)
VALIDATOR = Draft202012Validator(schema.schema())

leaves = st.one_of(
    st.just(Null()),
    st.booleans().map(Bool),
    st.integers().map(Integer),
    st.floats(allow_nan=False, allow_infinity=False)
    .filter(lambda number: not number.is_integer())
    .map(Fractional),
    st.text().map(Text),
    st.sampled_from(sorted(KINDS)).map(lambda kind: Hostile(KINDS[kind])),
)
keys = st.text().filter(lambda key: not key.startswith("$"))
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner).map(lambda items: Array(tuple(items))),
        st.dictionaries(keys, inner).map(record),
    ),
    max_leaves=8,
)


@given(values)
def test_a_value_survives_the_wire(value: Value) -> None:
    """Every value of the model comes back as it was."""
    wire = json.loads(json.dumps(value_to_wire(value)))
    assert value_from_wire(wire, "") == value


@given(programs(EVERYTHING))
def test_commands_and_replies_survive_the_wire(program: tuple[Command, ...]) -> None:
    """Every command comes back as it was, and every reply up to the names of its objects."""
    for command in program:
        wire = json.loads(json.dumps(command_to_wire(command)))
        assert command_from_wire(wire) == command
        VALIDATOR.validate(wire)
    tokens = Tokens()
    again = Tokens()
    for command, reply in zip(program, simulate(program, DSH), strict=True):
        del command
        wire = json.loads(json.dumps(reply_to_wire(reply)))
        there = reply_from_wire(wire, tokens)
        VALIDATOR.evolve(schema={**schema.schema(), "$ref": "#/$defs/reply"}).validate(wire)
        assert renamed(there, again) == reply_to_wire(there)


def renamed(reply: Reply, tokens: Tokens) -> Json:
    """The reply once more over the wire: by now its names are its numbers."""
    return reply_to_wire(reply_from_wire(json.loads(json.dumps(reply_to_wire(reply))), tokens))


@pytest.mark.parametrize(
    ("wire", "where"),
    [
        ({}, "do"),
        ({"do": "fly"}, "do"),
        ({"do": "append", "session": 3, "type": "x", "data": 1}, "append.session"),
        ({"do": "append", "session": "s", "type": "x", "data": 1, "more": 1}, "append"),
        ({"do": "append", "session": "s", "type": "x"}, "append"),
        ({"do": "tamper", "session": "s", "place": "soul"}, "tamper.place"),
        (
            {"do": "append", "session": "s", "type": "x", "data": {"$hostile": "ghost"}},
            "append.data",
        ),
        ({"do": "together", "commands": [{"do": "together", "commands": []}]}, "together.commands"),
        ([], "the top"),
    ],
)
def test_what_is_no_command_is_refused_with_its_place(wire: Json, where: str) -> None:
    """A malformed command is refused, the place is named, and the schema refuses it too."""
    with pytest.raises(MalformedError) as caught:
        command_from_wire(wire)
    assert where in caught.value.where
    assert not VALIDATOR.is_valid(wire)


def test_the_schema_is_fresh() -> None:
    """The schema in the spec is the one that the shapes give."""
    assert (SPEC / "protocol.schema.json").read_text(encoding="utf-8") == schema.text()


def test_a_stamp_is_a_number_on_the_wire() -> None:
    """What the model leaves to the clock is shown as a number, as an implementation would."""
    program = (Create("s", "a"), Inspect("s"))
    assert '"createdAt": 1' in json.dumps([reply_to_wire(r) for r in simulate(program, DSH)])
