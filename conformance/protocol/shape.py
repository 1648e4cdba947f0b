"""Shapes: what the dataclasses of the model look like on the wire.

Encoding, decoding and the JSON Schema are all read off one shape, and the shape is read off
the type hints, so that a field that the model gains is on the wire at once.
"""

import dataclasses
import re
import types
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, Union, get_args, get_origin, get_type_hints

from model import agent_command, owner_command, session_command
from model import command as commands
from model import observation as observations
from model.header import Header
from model.log import Event
from model.refusal import Refusal
from model.values import Null, Value


@dataclass(frozen=True, slots=True)
class Plain:
    """A string, a whole number or a boolean."""

    kind: type[str] | type[int] | type[bool]


@dataclass(frozen=True, slots=True)
class Handle:
    """A name that the client makes up; one that is `given` means something from now on."""

    given: bool


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number that is not negative."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of these strings."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnyValue:
    """A value of the model, which is JSON except where it is tagged."""


@dataclass(frozen=True, slots=True)
class Special:
    """A class with an encoding of its own: the header or an event."""

    name: Literal["header", "event"]


@dataclass(frozen=True, slots=True)
class Token:
    """The name of a session or of an agent, which the implementation makes up."""

    kind: Literal["session", "agent"]


@dataclass(frozen=True, slots=True)
class Maybe:
    """A shape that may be null."""

    shape: "Shape"


@dataclass(frozen=True, slots=True)
class Many:
    """An array."""

    shape: "Shape"


@dataclass(frozen=True, slots=True)
class Struct:
    """A dataclass as an object; on the wire a field is left out at its default."""

    name: str


@dataclass(frozen=True, slots=True)
class Tagged:
    """One of several dataclasses, told apart by a tag."""

    key: Literal["do", "end", "is", "see"]
    cases: tuple[str, ...]


Shape = (
    Plain | Handle | Count | Choice | AnyValue | Special | Token | Maybe | Many | Struct | Tagged
)

TOKENS: dict[str, Token] = {
    "session": Token("session"),
    "agent": Token("agent"),
    "owner": Token("agent"),
    "sessions": Token("session"),
    "agents": Token("agent"),
}
"""The fields of observations that name objects."""

WORDS = frozenset(
    ("id", "source_id", "session_id", "resume_session_id", "cwd", "type", "tag", "aborted")
)
"""The fields of commands that are text and no handles."""


def kebab(name: str) -> str:
    """A class's name as the wire has it."""
    if name == "Refusal":
        return "refused"
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


SPECIAL: dict[type, Special] = {
    Header: Special("header"),
    Event: Special("event"),
}


def _classes() -> dict[str, type]:
    modules = (session_command, agent_command, owner_command, commands, observations)
    found = {name: each for module in modules for name, each in vars(module).items()}
    return {
        kebab(name): each
        for name, each in found.items()
        if isinstance(each, type) and dataclasses.is_dataclass(each)
        if each not in (*SPECIAL, Refusal)
    }


CLASSES = _classes()
"""Every class that the wire carries, by its tag."""

ENDINGS = frozenset(("returns", "throws", "rejects", "holds"))
OUTCOMES = frozenset(kebab(each.__name__) for each in get_args(observations.Outcome))
OBSERVATIONS = frozenset(kebab(each.__name__) for each in get_args(observations.Observation))


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a struct: its name, its shape, and whether it has a default.

    What is None by default is absent from the wire, so that null is never another way to say it.
    """

    name: str
    shape: Shape
    default: object


MISSING = object()


@cache
def fields_of(name: str) -> tuple[Field, ...]:
    """The fields of a class, in order."""
    cls = CLASSES[name]
    hints = get_type_hints(cls)
    return tuple(_field(cls, each, hints[each.name]) for each in dataclasses.fields(cls))


def _field(cls: type, each: "dataclasses.Field[object]", hint: object) -> Field:
    shape = shape_of(hint, _leaves(cls, each.name))
    if each.default is None and isinstance(shape, Maybe):
        shape = shape.shape
    return Field(each.name, shape, MISSING if each.default is dataclasses.MISSING else each.default)


def _leaves(cls: type, field: str) -> Mapping[object, Shape]:
    """What texts and whole numbers are in a field, where they are more than that."""
    if cls.__module__ == observations.__name__:
        return {int: TOKENS[field]} if field in TOKENS else {}
    text = Plain(str) if field in WORDS else Handle(given=field == "handle")
    return {str: text, int: Count()}


def shape_of(hint: object, leaves: Mapping[object, Shape] = types.MappingProxyType({})) -> Shape:
    """Read a shape off a type hint."""
    args = get_args(hint)
    origin = get_origin(hint)
    if hint in (str, int, bool):
        return leaves.get(hint) or Plain(_plain(hint))
    if origin is Literal:
        return Choice(tuple(str(arg) for arg in args))
    if origin is tuple:
        return Many(shape_of(args[0], leaves))
    if origin in (Union, types.UnionType):
        return _union(args, leaves)
    return _class(hint)


def _plain(hint: object) -> type[str] | type[int] | type[bool]:
    return str if hint is str else int if hint is int else bool


def _union(args: tuple[object, ...], leaves: Mapping[object, Shape]) -> Shape:
    given = tuple(arg for arg in args if arg is not type(None))
    if Null in given:
        shape: Shape = AnyValue()
    elif len(given) == 1:
        shape = shape_of(given[0], leaves)
    else:
        shape = _tagged(tuple(kebab(_name(arg)) for arg in given))
    return shape if len(given) == len(args) else Maybe(shape)


def _tagged(cases: tuple[str, ...]) -> Tagged:
    names = frozenset(cases)
    if names <= ENDINGS:
        return Tagged("end", cases)
    if names <= OUTCOMES:
        return Tagged("is", cases)
    return Tagged("see" if names <= OBSERVATIONS else "do", cases)


def _class(hint: object) -> Shape:
    special = SPECIAL.get(hint) if isinstance(hint, type) else None
    return special or Struct(kebab(_name(hint)))


def _name(hint: object) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint)


COMMAND = shape_of(commands.Command)
OUTCOME = shape_of(observations.Outcome)
OBSERVATION = shape_of(observations.Observation)
LIVE = Struct("live")
VALUE = shape_of(Value)
