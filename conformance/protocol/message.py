"""Messages: what adapters answer."""

from dataclasses import dataclass

from conformance.protocol.codec import (
    Tokens,
    live_from_wire,
    live_to_wire,
    observation_from_wire,
    observation_to_wire,
    outcome_from_wire,
    outcome_to_wire,
)
from conformance.protocol.json import Json, MalformedError, list_at, only, record_at, text_at
from model.observation import Live, Observation, Outcome
from model.step import Run

VERSION = 1
"""The version of the protocol that this suite speaks."""


@dataclass(frozen=True, slots=True)
class Hello:
    """Who an adapter says it is, and what it claims."""

    name: str
    version: str
    groups: tuple[str, ...]
    capabilities: frozenset[str]
    mint: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """An adapter's answer to one command."""

    outcome: Outcome
    seen: tuple[Observation, ...]
    live: Live


HELLO = frozenset(("protocol", "implementation", "groups", "capabilities", "mint"))
IMPLEMENTATION = frozenset(("name", "version"))
REPLY = frozenset(("outcome", "seen", "live"))


def hello_from_wire(wire: Json) -> Hello:
    """Decode the answer to a hello."""
    record = only(record_at(wire, ""), HELLO, "")
    if record.get("protocol") != VERSION:
        raise MalformedError("protocol", f"version {VERSION}", record.get("protocol"))
    where = "implementation"
    who = only(record_at(record.get(where), where), IMPLEMENTATION, where)
    return Hello(
        name=text_at(who.get("name"), "implementation.name"),
        version=text_at(who.get("version"), "implementation.version"),
        groups=tuple(_texts(record, "groups")),
        capabilities=frozenset(_texts(record, "capabilities")),
        mint=text_at(record["mint"], "mint") if "mint" in record else None,
    )


def _texts(record: dict[str, Json], name: str) -> list[str]:
    items = list_at(record.get(name, []), name)
    return [text_at(item, f"{name}[{index}]") for index, item in enumerate(items)]


def hello_to_wire(hello: Hello) -> dict[str, Json]:
    """Encode the answer to a hello."""
    groups: list[Json] = list(hello.groups)
    capabilities: list[Json] = [*sorted(hello.capabilities)]
    wire: dict[str, Json] = {
        "protocol": VERSION,
        "implementation": {"name": hello.name, "version": hello.version},
        "groups": groups,
        "capabilities": capabilities,
    }
    return wire if hello.mint is None else wire | {"mint": hello.mint}


def reply_from_wire(wire: Json, tokens: Tokens) -> Reply:
    """Decode an answer to a command."""
    record = only(record_at(wire, ""), REPLY, "")
    seen = list_at(record.get("seen"), "seen")
    return Reply(
        outcome=outcome_from_wire(record.get("outcome"), tokens),
        seen=tuple(
            observation_from_wire(item, f"seen[{index}]", tokens) for index, item in enumerate(seen)
        ),
        live=live_from_wire(record.get("live"), "live", tokens),
    )


def reply_to_wire(run: Run | Reply) -> dict[str, Json]:
    """Encode a run of the model, or a reply, as the answer to its command."""
    return {
        "outcome": outcome_to_wire(run.outcome),
        "seen": [observation_to_wire(each) for each in run.seen],
        "live": live_to_wire(run.live),
    }
