"""The surface of a stored log: which messages a model would see, in order (STG-8).

A message joins the surface at its end, or takes the place of a run of messages on it. Where those
are is asked of `Nodes`; how it is kept is not said.
"""

from dataclasses import dataclass
from typing import Protocol

from model.messages import MESSAGES
from model.stored_turn import has_only
from model.values import (
    UNDEFINED,
    Array,
    Integer,
    Record,
    Text,
    Value,
    field,
    is_safe_count,
    record,
)


@dataclass(frozen=True, slots=True)
class Append:
    """The message joins at the end."""


@dataclass(frozen=True, slots=True)
class Replace:
    """The message takes the place of those from `start` to `end`, and says which it is made of."""

    start: int
    end: int
    sources: frozenset[int]


@dataclass(frozen=True, slots=True)
class Misplaced:
    """Why an event cannot be where it is (STG-8)."""

    why: str


Place = Append | Replace | Misplaced | None


class Nodes(Protocol):
    """The messages on the surface, by seq."""

    def between(self, start: int, end: int, most: int) -> tuple[int, ...]:
        """Those from one to another; none where that cannot be, or there are more than so many."""
        ...

    def is_result(self, seq: int) -> bool:
        """Whether there is a tool's result with this seq on the surface."""
        ...


def place(event: Record, kind: str, seq: int) -> Place:
    """Where an event says that it joins the surface: no event but a message does (STG-8)."""
    op, sources = field(event, "surfaceOp"), field(event, "sourceEventSeqs")
    if kind not in MESSAGES:
        stays = op == UNDEFINED and sources == UNDEFINED
        return None if stays else Misplaced("only messages join the surface")
    cited = _cited(kind, sources, seq)
    if isinstance(cited, Misplaced):
        return cited
    if op == Text("append"):
        return Append()
    start, end = field(op, "start"), field(op, "end")
    shaped = has_only(op, "op", "start", "end") and field(op, "op") == Text("replace")
    if shaped and is_safe_count(start) and is_safe_count(end):
        return Replace(_seq(start), _seq(end), cited)
    return Misplaced("a message has to say how it joins the surface")


def _cited(kind: str, sources: Value, seq: int) -> frozenset[int] | Misplaced:
    match sources:
        case Array(items):
            cited = frozenset(_seq(item) for item in items if is_safe_count(item))
            if not items and kind != "assistant/message":
                return Misplaced("only an assistant's message is made of no event at all")
            if len(cited) != len(items):
                return Misplaced("sourceEventSeqs lists seqs, each once")
            if any(each >= seq for each in cited):
                return Misplaced("sourceEventSeqs lists earlier events")
            return cited
        case _:
            if sources == UNDEFINED:
                return frozenset()
            return Misplaced("sourceEventSeqs is a list")


def _seq(value: Value) -> int:
    return value.value if isinstance(value, Integer) else -1


def replacement_fault(kind: str, op: Replace, nodes: Nodes) -> Misplaced | None:
    """Why a message cannot take the place that it asks for (STG-8)."""
    replaced = nodes.between(op.start, op.end, len(op.sources))
    if not replaced:
        return Misplaced("there is no such run of messages on the surface, all of them cited")
    if not op.sources.issuperset(replaced):
        return Misplaced("sourceEventSeqs has to list every message that is replaced")
    if kind == "tool/result" and (len(replaced) != 1 or not nodes.is_result(replaced[0])):
        return Misplaced("a tool's result replaces exactly one other result")
    return None


def but_for_content(data: Value) -> Value:
    """What of a tool's result has to be the same in one that replaces it (STG-8)."""
    message = field(data, "message")
    blocks = field(message, "content")
    if not isinstance(data, Record) or not isinstance(message, Record):
        return data
    block = blocks.items[0] if isinstance(blocks, Array) and blocks.items else UNDEFINED
    kept = dict(block.entries) if isinstance(block, Record) else {}
    bare = {**dict(message.entries), "content": record({**kept, "content": UNDEFINED})}
    return record({**dict(data.entries), "message": record(bare)})
