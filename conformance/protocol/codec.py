"""Encoding and decoding along shapes."""

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, TypeGuard, assert_never, get_args

from conformance.protocol.json import (
    Json,
    MalformedError,
    list_at,
    only,
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
    kebab,
)
from conformance.protocol.shown import (
    STAMP,
    event_from_wire,
    event_to_wire,
    header_from_wire,
    header_to_wire,
)
from conformance.protocol.values import value_from_wire, value_to_wire
from model.command import Command
from model.header import Header
from model.log import Event
from model.observation import Heard, Live, Observation, Outcome
from model.refusal import Code, Refusal
from model.values import Value

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
    """Encode an observation; a listener hears an event with the time that it was stamped with."""
    if _lacks_time(observation):
        observation = replace(observation, time=STAMP)
    return encode(observation, OBSERVATION)


def _lacks_time(observation: Observation) -> TypeGuard[Heard]:
    return (
        isinstance(observation, Heard)
        and observation.event == "session/event"
        and observation.time is None
    )


def observation_from_wire(wire: Json, where: str, tokens: Tokens) -> Observation:
    """Decode an observation."""
    observation = decode(wire, OBSERVATION, where, tokens)
    if not isinstance(observation, Observation):
        raise MalformedError(where, "an observation", wire)
    if _lacks_time(observation):
        raise MalformedError(f"{where}.heard", "the key time", "nothing")
    return observation


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
    match shape, value:
        case ((Plain() | Handle() | Count() | Choice()), str(scalar) | int(scalar)):
            return scalar
        case Token(kind), int(number):
            return f"#{kind[0]}{number + 1}"
        case Maybe(inner), _:
            return None if value is None else encode(value, inner)
        case Many(inner), tuple():
            return [encode(item, inner) for item in value]
        case Tagged(key), _:
            return _tagged_to_wire(value, key)
        case Struct(name), _:
            return live_to_wire(value) if isinstance(value, Live) else _struct_to_wire(value, name)
        case Special(), Header():
            return header_to_wire(value)
        case Special(), Event():
            return event_to_wire(value)
        case AnyValue(), _ if isinstance(value, Value):
            return value_to_wire(value)
        case _:
            raise TypeError(f"{value!r} has not the shape {shape}")


def _tagged_to_wire(value: object, key: str) -> Json:
    if isinstance(value, Refusal):
        return refusal_to_wire(value)
    tag = kebab(type(value).__name__)
    return {key: tag} | _struct_to_wire(value, tag)


def _struct_to_wire(value: object, name: str) -> dict[str, Json]:
    fields = fields_of(name)
    items: list[tuple[Field, object]] = [(each, getattr(value, each.name)) for each in fields]
    return {
        each.name: encode(item, each.shape)
        for each, item in items
        if each.default is MISSING or item != each.default
    }


def refusal_to_wire(refusal: Refusal) -> Json:
    """Encode a refusal."""
    tag: dict[str, Json] = {"tag": refusal.tag} if refusal.tag else {}
    return {"is": "refused", "code": refusal.code, **tag}


def decode(wire: Json, shape: Shape, where: str, tokens: Tokens) -> object:
    """Decode the wire along a shape; raises `MalformedError` where it does not fit."""
    match shape:
        case Plain() | Handle() | Count() | Choice():
            return _scalar(wire, shape, where)
        case AnyValue():
            return value_from_wire(wire, where)
        case Token(kind):
            return tokens.number(kind, text_at(wire, where))
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
            show = header_from_wire if name == "header" else event_from_wire
            return show(wire, where)
        case _:
            assert_never(shape)


def _scalar(wire: Json, shape: Plain | Handle | Count | Choice, where: str) -> Json:
    match shape:
        case Plain(kind):
            return _plain(wire, kind, where)
        case Handle(given):
            name = text_at(wire, where)
            fits, wanted = is_handle(name, given=given), "a handle: not empty, and no @ in front"
        case Count():
            fits, wanted = whole_at(wire, where) >= 0, "a whole number that is not negative"
        case Choice(values):
            fits, wanted = wire in values, f"one of {', '.join(values)}"
    if fits:
        return wire
    raise MalformedError(where, wanted, wire)


def is_handle(name: str, *, given: bool) -> bool:
    """Whether a name may be used, or even given: `@session` and `@agent` have their meaning."""
    return name != "" and not (given and name.startswith("@"))


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
    only(record, _names(name), where)
    arguments = {each.name: _argument(record, each, where, tokens) for each in fields_of(name)}
    return CLASSES[name](**arguments)


@cache
def _names(name: str) -> frozenset[str]:
    return frozenset(each.name for each in fields_of(name))


def _argument(record: dict[str, Json], each: Field, where: str, tokens: Tokens) -> object:
    if each.name in record:
        return decode(record[each.name], each.shape, f"{where}.{each.name}".lstrip("."), tokens)
    if each.default is not MISSING:
        return each.default
    raise MalformedError(where, f"the key {each.name}", "nothing")


def refusal_from_wire(record: dict[str, Json], where: str) -> Refusal:
    """Decode a refusal, of which the wording is for people only."""
    only(record, frozenset(("code", "tag", "says")), where)
    text_at(record.get("says", ""), f"{where}.says")
    code = text_at(record.get("code"), f"{where}.code")
    if code not in CODES:
        raise MalformedError(f"{where}.code", "a code of the protocol", code)
    return Refusal(CODES[code], "", text_at(record.get("tag", ""), f"{where}.tag"))
