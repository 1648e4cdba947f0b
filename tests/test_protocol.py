"""The protocol: everything that the model can say survives the wire, and nothing else does."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from conformance.compare import compare, simulate
from conformance.programs import Program, shown
from conformance.protocol import schema
from conformance.protocol.codec import (
    Tokens,
    command_from_wire,
    command_to_wire,
    observation_from_wire,
    observation_to_wire,
    outcome_from_wire,
    outcome_to_wire,
)
from conformance.protocol.json import Json, MalformedError, line_of, parsed, record_at
from conformance.protocol.message import Reply, hello_from_wire, reply_from_wire, reply_to_wire
from conformance.protocol.values import value_from_wire, value_to_wire
from model.command import Command, React, Single, Together
from model.design import DSH
from model.observation import Heard, Observation, Outcome
from model.session_command import Create, Inspect, Tamper
from model.values import Array, Hostile, Integer, Record, Value
from tests.wire_strategies import OBJECTS, of, values

COMMANDS: tuple[type, ...] = (*get_args(Single), React, Together)
OUTCOMES: tuple[type, ...] = get_args(Outcome)
OBSERVATIONS: tuple[type, ...] = get_args(Observation)

NOTHING: dict[str, Json] = {"seen": [], "live": {"sessions": [], "agents": []}}
DONE: dict[str, Json] = {"outcome": {"is": "done"}, **NOTHING}


def reply(**change: Json) -> dict[str, Json]:
    """A good reply but for these keys."""
    return DONE | change


few = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])


def validator(name: str) -> Draft202012Validator:
    """The schema of one kind of line."""
    return Draft202012Validator({**schema.schema(), "anyOf": [{"$ref": f"#/$defs/{name}"}]})


REQUEST = validator("request")
REPLY = validator("reply")
LINE = Draft202012Validator(schema.schema())


def over_the_wire(wire: Json) -> Json:
    """What comes out where this went in."""
    return parsed(line_of(wire))


def request(wire: Json) -> dict[str, Json]:
    """A command as a request."""
    return {"n": 1} | record_at(wire, "")


def named() -> Tokens:
    """The names that the model's own objects have on the wire."""
    kinds: tuple[Literal["session", "agent"], ...] = ("session", "agent")
    return Tokens({kind: {f"#{kind[0]}{n + 1}": n for n in range(OBJECTS)} for kind in kinds})


@given(values)
def test_a_value_survives_the_wire(value: Value) -> None:
    """Every value of the model comes back as it was."""
    assert value_from_wire(over_the_wire(value_to_wire(value)), "") == value


@few
@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_a_command_survives_the_wire(kind: type, data: st.DataObject) -> None:
    """Every command comes back as it was, and the schema has it."""
    command = data.draw(of(kind))
    assert isinstance(command, Command)
    wire = over_the_wire(command_to_wire(command))
    assert command_from_wire(wire) == command
    REQUEST.validate(request(wire))


@few
@pytest.mark.parametrize("kind", OUTCOMES, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_an_outcome_survives_the_wire(kind: type, data: st.DataObject) -> None:
    """Every outcome comes back as it was, and the schema has it."""
    outcome = data.draw(of(kind))
    assert isinstance(outcome, Outcome)
    wire = over_the_wire(outcome_to_wire(outcome))
    assert outcome_from_wire(wire, named()) == outcome
    REPLY.validate({"n": 1} | reply(outcome=wire))


@few
@pytest.mark.parametrize("kind", OBSERVATIONS, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_an_observation_survives_the_wire(kind: type, data: st.DataObject) -> None:
    """Every observation comes back as it was, up to a stamp, and the schema has it."""
    observation = data.draw(of(kind))
    assert isinstance(observation, Observation)
    wire = over_the_wire(observation_to_wire(observation))
    there = observation_from_wire(wire, "", named())
    assert there == stamped(observation)
    REPLY.validate({"n": 1} | reply(seen=[wire]))


def stamped(observation: Observation) -> Observation:
    """The observation with the time that a listener hears a session's event with."""
    if isinstance(observation, Heard) and observation.event == "session/event":
        return replace(observation, time=1 if observation.time is None else observation.time)
    return observation


@pytest.mark.parametrize("program", shown(), ids=lambda program: program.name)
def test_the_schema_has_what_the_model_answers(program: Program) -> None:
    """Every reply to the spec's own programs fits the schema, and agrees once it is decoded."""
    tokens = Tokens()
    replies: list[Reply] = []
    for each in simulate(program.commands, DSH):
        wire = record_at(over_the_wire(reply_to_wire(each)), "")
        REPLY.validate({"n": 1, **wire})
        replies.append(reply_from_wire(wire, tokens))
    assert compare(program.commands, replies) is None


@pytest.mark.parametrize(
    ("wire", "where"),
    [
        ({}, "do"),
        ({"do": "fly"}, "do"),
        ({"do": "append", "session": 3, "type": "x", "data": 1}, "append.session"),
        ({"do": "append", "session": "s", "type": "x", "data": 1, "more": 1}, "append"),
        ({"do": "append", "session": "s", "type": "x"}, "append"),
        ({"do": "tamper", "session": "s", "place": "soul"}, "tamper.place"),
        ({"do": "append", "session": "s", "type": "x", "data": {"$hostile": "ghost"}}, "data"),
        ({"do": "append", "session": "s", "type": "x", "data": [0, {"$other": 1}]}, "data[1]"),
        (
            {"do": "append", "session": "s", "type": "x", "data": {"$hostile": "nan", "x": 1}},
            "data",
        ),
        ({"do": "create", "handle": "s", "id": None}, "create.id"),
        ({"do": "create", "handle": "s", "seed": None}, "create.seed"),
        ({"do": "create", "handle": ""}, "create.handle"),
        ({"do": "create", "handle": "@session"}, "create.handle"),
        ({"do": "listen", "handle": "l", "event": "session/event", "times": -1}, "listen.times"),
        ({"do": "listen", "handle": "l", "event": "session/event", "times": True}, "listen.times"),
        ({"do": "together", "commands": [{"do": "together", "commands": []}]}, "together.commands"),
        (
            {"do": "create-agent", "handle": "t", "id": "a", "setup": {"commit": {"end": 1}}},
            "create-agent.setup.commit",
        ),
    ],
)
def test_what_is_no_command_is_refused_with_its_place(wire: Json, where: str) -> None:
    """A malformed command is refused, the place is named, and the schema refuses it too."""
    with pytest.raises(MalformedError) as caught:
        command_from_wire(wire)
    assert where in caught.value.where
    assert not REQUEST.is_valid(request(wire))


@pytest.mark.parametrize(
    ("wire", "where"),
    [
        ({}, "seen"),
        (reply(more=1), "the top"),
        (reply(outcome={"is": "dunno"}), "outcome.is"),
        (reply(outcome={"is": "found"}), "outcome.found"),
        (reply(outcome={"is": "done", "more": 1}), "outcome.done"),
        (reply(outcome={"is": "refused", "code": "NOPE"}), "outcome.code"),
        (reply(outcome={"is": "refused", "code": "BUSY", "clause": "STO-1"}), "outcome"),
        (reply(outcome={"is": "appended", "seq": "0"}), "outcome.appended.seq"),
        (reply(live={"sessions": [1]}), "live.sessions[0]"),
        (reply(seen=[{"see": "unwound", "operation": "t"}]), "seen[0].unwound"),
        (
            reply(seen=[{"see": "heard", "listener": "l", "event": "session/event", "live": {}}]),
            "seen[0].heard",
        ),
    ],
)
def test_what_is_no_reply_is_refused_with_its_place(wire: Json, where: str) -> None:
    """A malformed reply is refused, and the place is named."""
    with pytest.raises(MalformedError) as caught:
        reply_from_wire(wire, Tokens())
    assert caught.value.where == where


@pytest.mark.parametrize(
    "wire",
    [
        {},
        {"protocol": 2, "implementation": {"name": "x", "version": "0"}},
        {"protocol": 1, "implementation": {"name": "x"}},
        {"protocol": 1, "implementation": {"name": "x", "version": "0"}, "groups": [1]},
        {"protocol": 1, "implementation": {"name": "x", "version": "0"}, "mint": None},
        {"protocol": 1, "implementation": {"name": "x", "version": "0"}, "more": 1},
    ],
)
def test_what_is_no_hello_is_refused(wire: dict[str, Json]) -> None:
    """An introduction that lacks something, or has more, is none; the schema agrees."""
    with pytest.raises(MalformedError):
        hello_from_wire(wire)
    assert not LINE.is_valid({"n": 0, **wire})


def _header(change: dict[str, Json]) -> Callable[[dict[str, Json]], Json]:
    return lambda snapshot: {**snapshot, "header": {**record_at(snapshot["header"], ""), **change}}


def _without(name: str) -> Callable[[dict[str, Json]], Json]:
    return lambda snapshot: {
        **snapshot,
        "header": {k: v for k, v in record_at(snapshot["header"], "").items() if k != name},
    }


def _log(*events: Json) -> Callable[[dict[str, Json]], Json]:
    return lambda snapshot: {**snapshot, "log": list(events)}


EVENT: dict[str, Json] = {"type": "session/end-seed", "seq": 0, "time": 1, "data": {}}


@pytest.mark.parametrize(
    ("spoil", "part"),
    [
        (_header({"version": "tampered"}), "header"),
        (_header({"version": False}), "header"),
        (_header({"version": 1}), "header"),
        (_header({"id": 5}), "header"),
        (_header({"createdAt": "tampered"}), "header"),
        (_header({"createdAt": -1}), "header"),
        (_header({"createdAt": 1.5}), "header"),
        (_header({"cwd": 5}), "header"),
        (_header({"cwd": None}), "header"),
        (_header({"cwd": {"$hostile": "undefined"}}), "header"),
        (_header({"tampered": 1}), "header"),
        (_without("version"), "header"),
        (_without("id"), "header"),
        (_without("createdAt"), "header"),
        (_log(), "log"),
        (_log("tampered"), "log"),
        (_log({**EVENT, "seq": "tampered"}), "log"),
        (_log({**EVENT, "seq": False}), "log"),
        (_log({**EVENT, "seq": -1}), "log"),
        (_log({**EVENT, "time": None}), "log"),
        (_log({**EVENT, "tampered": 1}), "log"),
        (_log({**EVENT, "ignorable": False}), "log"),
        (_log({**EVENT, "data": {"$hostile": "undefined"}}), "log"),
        (_log({"type": "session/end-seed", "seq": 0, "time": 1}), "log"),
    ],
)
def test_what_a_session_shows_is_the_implementations(
    spoil: Callable[[dict[str, Json]], Json], part: str
) -> None:
    """A header or an event that is none is a disagreement to report, not garbage (HDR-7, LOG-2)."""
    program = (Create("s", "a", seed=()), Tamper("s", "header"), Inspect("s"))
    *before, last = simulate(program, DSH)
    wire = record_at(over_the_wire(reply_to_wire(last)), "")
    wire["outcome"] = spoil(record_at(wire["outcome"], ""))
    replies: Sequence[Reply] = (*before, reply_from_wire(wire, Tokens()))
    found = compare(program, replies)
    assert found is not None
    assert found.difference.part == part


def test_a_report_shows_what_came() -> None:
    """What fits no header and no event is shown as it was, and what is missing as undefined."""
    wire = reply(
        outcome={
            "is": "snapshot",
            "session": "#s1",
            "header": {"version": "tampered", "id": 5},
            "log": ["tampered", EVENT],
            "first_live_seq": 0,
        }
    )
    again = record_at(reply_to_wire(reply_from_wire(wire, Tokens()))["outcome"], "")
    assert again["header"] == {
        "version": "tampered",
        "id": 5,
        "createdAt": {"$hostile": "undefined"},
    }
    assert again["log"] == ["tampered", EVENT]


@pytest.mark.parametrize("text", ["", "{", "NaN", '{"a": -Infinity}', "1" * 5000, "[" * 100_000])
def test_what_is_no_json_is_malformed(text: str) -> None:
    """Whatever a line is, it is JSON or malformed."""
    with pytest.raises(MalformedError):
        parsed(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", Integer(1)),
        ("1.0", Integer(1)),
        ("1e2", Integer(100)),
        ("0.0", Integer(0)),
        ("-0", Hostile("negative-zero")),
        ("-0.0", Hostile("negative-zero")),
        ("[]", Array()),
        ("{}", Record()),
    ],
)
def test_numbers_are_read_as_any_language_writes_them(text: str, value: Value) -> None:
    """A point more or less is nothing; the sign of a zero is something (LOG-3)."""
    assert value_from_wire(parsed(text), "") == value


def test_a_number_that_no_double_holds_is_malformed() -> None:
    """What overflows would compare equal to anything else that does."""
    with pytest.raises(MalformedError, match="double"):
        value_from_wire(parsed("1e400"), "")


def test_a_stamp_is_a_number_on_the_wire() -> None:
    """What the model leaves to the clock is shown as a number, as an implementation would."""
    program = (Create("s", "a"), Inspect("s"))
    assert '"createdAt":1' in line_of([reply_to_wire(each) for each in simulate(program, DSH)])
