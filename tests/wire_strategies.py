"""Anything that the wire carries, drawn from the type hints of the model.

Nothing is listed by class: a command, an observation or a field that the model gains is drawn at
once.
"""

import dataclasses
import types
from functools import cache
from typing import Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from conformance.protocol.values import KINDS
from model.header import KNOWN_FIELDS, Header
from model.log import Event
from model.refusal import Code, Refusal
from model.values import (
    Array,
    Bool,
    Fractional,
    Hostile,
    Integer,
    Null,
    Text,
    Value,
    record,
)

OBJECTS = 5
"""Objects of each kind that an observation may name."""

numbers = st.integers(0, OBJECTS - 1)
handles = st.text(min_size=1, max_size=3).filter(lambda name: not name.startswith("@"))
keys = st.text(max_size=3).filter(lambda key: not key.startswith("$"))

leaves: st.SearchStrategy[Value] = st.one_of(
    st.just(Null()),
    st.booleans().map(Bool),
    st.integers().map(Integer),
    st.floats(allow_nan=False, allow_infinity=False)
    .filter(lambda number: not number.is_integer())
    .map(Fractional),
    st.text(max_size=3).map(Text),
    st.sampled_from(sorted(KINDS)).map(lambda kind: Hostile(KINDS[kind])),
)
values: st.SearchStrategy[Value] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: Array(tuple(items))),
        st.dictionaries(keys, inner, max_size=3).map(record),
    ),
    max_leaves=4,
)
strangers = st.dictionaries(keys.filter(lambda key: key not in KNOWN_FIELDS), values, max_size=2)

headers = st.builds(
    Header,
    id=st.text(max_size=3),
    created_at=numbers,
    cwd=st.none() | handles,
    parent_session=st.none() | handles,
    seed_length=st.none() | numbers,
    origin=st.none() | handles,
    delegation_depth=st.none() | numbers,
    agent_preset=st.none() | handles,
    extra=strangers.map(lambda extra: tuple(sorted(extra.items()))),
)
events = st.builds(
    Event, seq=numbers, type=handles, data=values, time=numbers, ignorable=st.booleans()
)
codes: tuple[Code, ...] = get_args(Code)
refusals = st.builds(
    Refusal, st.sampled_from(codes), st.just(""), st.text(max_size=3), st.just(frozenset())
)

KNOWN: dict[object, st.SearchStrategy[object]] = {
    str: handles,
    int: numbers,
    bool: st.booleans(),
    type(None): st.none(),
    Header: headers,
    Event: events,
    Refusal: refusals,
}


@cache
def of(hint: object) -> st.SearchStrategy[object]:
    """Anything that a type hint admits and that has a form on the wire."""
    args = get_args(hint)
    if hint in KNOWN:
        return KNOWN[hint]
    if get_origin(hint) is Literal:
        return st.sampled_from(args)
    if get_origin(hint) is tuple:
        return st.lists(of(args[0]), max_size=2).map(tuple)
    if get_origin(hint) in (Union, types.UnionType):
        rest = [arg for arg in args if arg not in get_args(Value)]
        return st.one_of(*map(of, rest), *([values] if Null in args else []))
    if isinstance(hint, type):
        return st.deferred(lambda: instances(hint))
    raise TypeError(f"nothing is drawn for {hint!r}")


def instances(cls: type) -> st.SearchStrategy[object]:
    """Anything that a dataclass of the model can be."""
    hints = get_type_hints(cls)
    return st.builds(cls, **{each.name: of(hints[each.name]) for each in dataclasses.fields(cls)})
