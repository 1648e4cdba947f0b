"""Encoding and decoding along shapes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, assert_never, get_args

from conformance.protocol.json import (
    Json,
    MalformedError,
    list_at,
    record_at,
    text_at,
    whole_at,
)
from conformance.protocol.shape import (
    CLASSES,
    COMMAND,
    LIVE,
    MISSING,
    OBSERVATION,
    OUTCOME,
    AnyValue,
    Choice,
    Field,
    Many,
    Maybe,
    Plain,
    Shape,
    Special,
    Struct,
    Tagged,
    Token,
    fields_of,
    kebab,
)
from conformance.protocol.values import value_from_wire, value_to_wire
from model import header as headers
from model.command import Command
from model.header import Header
from model.log import Event
from model.observation import Live, Observation, Outcome
from model.refusal import Code, Refusal
from model.values import Null, Value

STAMP = 1
"""What the model shows on the wire for a time that it does not state."""

CODES: dict[str, Code] = {code: code for code in get_args(Code)}


@dataclass(slots=True)
class Tokens:
    """The names that an implementation gives its objects between two resets, as numbers.

    Numbers are given at first sight, separately for sessions and for agents.
    """

    numbers: dict[Literal["session", "agent"], dict[str, int]] = field(
        default_factory=lambda: {"session": {}, "agent": {}},
    )

    def number(self, kind: Literal["session", "agent"], token: str) -> int:
        """The number of a token."""
        known = self.numbers[kind]
        return known.setdefault(token, len(known))


NO_TOKENS = Tokens()


def command_to_wire(command: Command) -> Json:
    """Encode a command."""
    return encode(command, COMMAND)


def command_from_wire(wire: Json) -> Command:
    """Decode a command; raises `MalformedError` where it is none."""
    command = decode(wire, COMMAND, "", NO_TOKENS)
    if isinstance(command, Command):
        return command
    raise MalformedError("", "a command", wire)


def outcome_to_wire(outcome: Outcome) -> Json:
    """Encode an outcome."""
    return encode(outcome, OUTCOME)


def outcome_from_wire(wire: Json, tokens: Tokens) -> Outcome:
    """Decode an outcome."""
    outcome = decode(wire, OUTCOME, "outcome", tokens)
    if isinstance(outcome, Outcome):
        return outcome
    raise MalformedError("outcome", "an outcome", wire)


def observation_to_wire(observation: Observation) -> Json:
    """Encode an observation."""
    return encode(observation, OBSERVATION)


def observation_from_wire(wire: Json, where: str, tokens: Tokens) -> Observation:
    """Decode an observation."""
    observation = decode(wire, OBSERVATION, where, tokens)
    if isinstance(observation, Observation):
        return observation
    raise MalformedError(where, "an observation", wire)


def live_to_wire(live: Live) -> Json:
    """Encode what is live."""
    return {
        "sessions": [f"#s{number + 1}" for number in live.sessions],
        "agents": [f"#a{number + 1}" for number in live.agents],
    }


def live_from_wire(wire: Json, where: str, tokens: Tokens) -> Live:
    """Decode what is live."""
    live = decode(wire, LIVE, where, tokens)
    if isinstance(live, Live):
        return live
    raise MalformedError(where, "what is live", wire)


def encode(value: object, shape: Shape) -> Json:
    """Encode a value of the model along its shape."""
    match shape:
        case Plain() | Choice():
            return value if isinstance(value, str | int | bool) else None
        case AnyValue():
            return value_to_wire(value) if isinstance(value, Value) else None
        case Token(kind):
            return f"#{kind[0]}{value + 1}" if isinstance(value, int) else None
        case Maybe(inner):
            return None if value is None else encode(value, inner)
        case Many(inner):
            items = value if isinstance(value, tuple) else ()
            return [encode(item, inner) for item in items]
        case Struct(name):
            return _struct_to_wire(value, fields_of(name))
        case Tagged(key):
            return _tagged_to_wire(value, key)
        case Special():
            return special_to_wire(value)
        case _:
            assert_never(shape)


def _tagged_to_wire(value: object, key: str) -> Json:
    if isinstance(value, Refusal):
        return special_to_wire(value)
    tag = kebab(type(value).__name__)
    return {key: tag} | _struct_to_wire(value, fields_of(tag))


def _struct_to_wire(value: object, fields: tuple[Field, ...]) -> dict[str, Json]:
    wire: dict[str, Json] = {}
    for each in fields:
        item: object = getattr(value, each.name)
        if isinstance(item, Live):
            wire[each.name] = live_to_wire(item)
        elif each.default is MISSING or item != each.default:
            wire[each.name] = encode(item, each.shape)
    return wire


def special_to_wire(value: object) -> Json:
    """Encode a header, an event or a refusal."""
    match value:
        case Header():
            return header_to_wire(value)
        case Event():
            ignorable: dict[str, Json] = {"ignorable": True} if value.ignorable else {}
            time = STAMP if value.time is None else value.time
            plain: dict[str, Json] = {"type": value.type, "seq": value.seq, "time": time}
            return {**plain, "data": value_to_wire(value.data), **ignorable}
        case Refusal():
            tag: dict[str, Json] = {"tag": value.tag} if value.tag else {}
            return {"is": "refused", "code": value.code, **tag}
        case _:
            return None


def header_to_wire(header: Header) -> Json:
    """Encode a header, with what it leaves out left out."""
    stamp = STAMP if header.created_at is None else header.created_at
    wire: dict[str, Json] = {"version": headers.FORMAT_VERSION, "id": header.id, "createdAt": stamp}
    for name, attribute in HEADER_FIELDS.items():
        value: str | int | None = getattr(header, attribute)
        if value is not None:
            wire[name] = value
    return wire | {key: value_to_wire(value) for key, value in header.extra}


HEADER_FIELDS = {
    "cwd": "cwd",
    "parentSession": "parent_session",
    "seedLength": "seed_length",
    "origin": "origin",
    "delegationDepth": "delegation_depth",
    "agentPreset": "agent_preset",
}


def decode(wire: Json, shape: Shape, where: str, tokens: Tokens) -> object:
    """Decode the wire along a shape; raises `MalformedError` where it does not fit."""
    match shape:
        case Plain(kind):
            return _plain(wire, kind, where)
        case Choice(values):
            if wire in values:
                return wire
            raise MalformedError(where, f"one of {', '.join(values)}", wire)
        case AnyValue():
            return value_from_wire(wire, where)
        case Token(kind):
            return tokens.number(kind, text_at(wire, where))
        case Maybe(AnyValue()):
            return value_from_wire(wire, where)
        case Maybe(inner):
            return None if wire is None else decode(wire, inner, where, tokens)
        case Many(inner):
            items = list_at(wire, where)
            return tuple(
                decode(item, inner, f"{where}[{i}]", tokens) for i, item in enumerate(items)
            )
        case Struct(name):
            return _struct(record_at(wire, where), name, where, tokens)
        case Tagged(key, cases):
            return _tagged(wire, key, cases, where, tokens)
        case Special(name):
            return SPECIAL_DECODERS[name](record_at(wire, where), where)
        case _:
            assert_never(shape)


def _plain(wire: Json, kind: type[str] | type[int] | type[bool], where: str) -> Json:
    if kind is str:
        return text_at(wire, where)
    if kind is int:
        return whole_at(wire, where)
    if isinstance(wire, bool):
        return wire
    raise MalformedError(where, "true or false", wire)


@cache
def _cases(cases: tuple[str, ...]) -> frozenset[str]:
    return frozenset(cases)


def _tagged(wire: Json, key: str, cases: tuple[str, ...], where: str, tokens: Tokens) -> object:
    record = record_at(wire, where)
    tag = record.get(key)
    if not isinstance(tag, str) or tag not in _cases(cases):
        raise MalformedError(f"{where}.{key}".lstrip("."), f"one of {', '.join(cases)}", tag)
    rest = {name: item for name, item in record.items() if name != key}
    if tag == "refused":
        return refusal_from_wire(rest, where)
    return _struct(rest, tag, f"{where}.{tag}".lstrip("."), tokens)


def _struct(record: dict[str, Json], name: str, where: str, tokens: Tokens) -> object:
    fields = fields_of(name)
    stranger = record.keys() - {each.name for each in fields}
    if stranger:
        key = min(stranger)
        names = ", ".join(each.name for each in fields) or "nothing"
        raise MalformedError(where, f"no other keys than {names}", key)
    arguments = {each.name: _argument(record, each, where, tokens) for each in fields}
    return CLASSES[name](**arguments)


def _argument(record: dict[str, Json], each: Field, where: str, tokens: Tokens) -> object:
    if each.name in record:
        return decode(record[each.name], each.shape, f"{where}.{each.name}".lstrip("."), tokens)
    if each.default is not MISSING:
        return each.default
    raise MalformedError(where, f"the key {each.name}", "nothing")


def refusal_from_wire(record: dict[str, Json], where: str) -> Refusal:
    """Decode a refusal; its wording is for people only."""
    code = text_at(record.get("code"), f"{where}.code")
    if code not in CODES:
        raise MalformedError(f"{where}.code", "a code of the protocol", code)
    return Refusal(CODES[code], "", text_at(record.get("tag", ""), f"{where}.tag"))


def header_from_wire(record: dict[str, Json], where: str) -> Header:
    """Decode a header; the version has to be the one there is."""
    if record.get("version") != headers.FORMAT_VERSION:
        raise MalformedError(f"{where}.version", "the format version 0", record.get("version"))
    value = value_from_wire(dict(record), where)
    header = headers.accepted(text_at(record.get("id"), f"{where}.id"), value)
    if header.created_at is None:
        raise MalformedError(f"{where}.createdAt", "a whole number", record.get("createdAt"))
    return header


def event_from_wire(record: dict[str, Json], where: str) -> Event:
    """Decode a logged event."""
    extra = record.keys() - {"type", "seq", "time", "data", "ignorable"}
    if extra:
        raise MalformedError(where, "an event's keys", min(extra))
    return Event(
        seq=whole_at(record.get("seq"), f"{where}.seq"),
        type=text_at(record.get("type"), f"{where}.type"),
        data=value_from_wire(record["data"], f"{where}.data") if "data" in record else Null(),
        time=whole_at(record.get("time"), f"{where}.time"),
        ignorable=record.get("ignorable") is True,
    )


SPECIAL_DECODERS: dict[str, Callable[[dict[str, Json], str], Header | Event | Refusal]] = {
    "header": header_from_wire,
    "event": event_from_wire,
    "refusal": refusal_from_wire,
}
