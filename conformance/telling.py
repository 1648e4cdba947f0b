"""Telling a program and what DSH's design answers to it, in lines for people."""

import json
from collections.abc import Iterator
from typing import assert_never

from conformance.compare import simulate
from conformance.programs import Program
from conformance.protocol.codec import command_to_wire
from model.design import DSH
from model.header import Header
from model.observation import (
    All,
    Appended,
    Booted,
    Committed,
    Did,
    Done,
    Flushed,
    Found,
    Heard,
    Live,
    Made,
    Observation,
    Outcome,
    Published,
    Released,
    Settled,
    SetUp,
    Snapshot,
    Started,
    StartFailed,
    Stored,
    Unwound,
)
from model.refusal import Refusal


def told(program: Program) -> Iterator[str]:
    """Each command, what is seen during it, its outcome, and what is live."""
    replies = simulate(program.commands, DSH)
    for command, reply in zip(program.commands, replies, strict=True):
        yield f"> {json.dumps(command_to_wire(command), ensure_ascii=False)}"
        for each in reply.seen:
            yield f"    {told_observation(each)}  [{told_live(each.live)}]"
        yield f"  = {told_outcome(reply.outcome)}  [{told_live(reply.live)}]"


def told_live(live: Live) -> str:
    """What is live, the sessions first."""
    names = (*map(_session, live.sessions), *map(_agent, live.agents))
    return f"live: {' '.join(names)}" if names else "nothing live"


def told_observation(seen: Observation) -> str:
    """One thing that is seen."""
    match seen:
        case Heard():
            return _told_heard(seen)
        case Did(by, outcome):
            return f"{by} did: {told_outcome(outcome)}"
        case SetUp(operation):
            return f"the setup of {operation} is called"
        case Committed(operation):
            return f"the commit of {operation} is called"
        case Unwound(operation):
            return f"the scope of {operation} is unwound"
        case Released(preparation):
            return f"{preparation} is released"
        case StartFailed(start_id, outcome):
            return f"the start of {start_id!r} fails: {told_outcome(outcome)}"
        case Settled(operation, outcome):
            return f"{operation} settles: {told_outcome(outcome)}"
        case _:
            assert_never(seen)


def _told_heard(seen: Heard) -> str:
    name = _session(seen.session or 0) if seen.agent is None else _agent(seen.agent)
    event = "" if seen.seq is None else f", event {seen.seq} {seen.type}"
    source = "" if seen.source is None else f" ({seen.source})"
    return f"{seen.listener} hears {seen.event} of {name}{event}{source}"


def told_outcome(outcome: Outcome) -> str:  # noqa: PLR0911 - one for each outcome
    """What a command or an operation came to."""
    match outcome:
        case Done():
            return "done"
        case Started():
            return "started"
        case Made(session, made_id):
            return f"made {_session(session)} with id {made_id!r}"
        case Published(agent, session):
            return f"published {_agent(agent)} on {_session(session)}"
        case Appended(seq):
            return f"appended as {seq}"
        case Flushed(participated):
            return f"flushed, {'somebody' if participated else 'nobody'} took part"
        case Snapshot():
            return _told_snapshot(outcome)
        case Found(session, agent):
            found = "no session" if session is None else _session(session)
            return f"found {found} and {'no agent' if agent is None else _agent(agent)}"
        case Stored():
            return _told_stored(outcome)
        case Booted():
            return "another process has started"
        case All(outcomes):
            return "; ".join(map(told_outcome, outcomes))
        case Refusal(code, _, tag):
            return f"refused, {code}{f' {tag}' if tag else ''}"
        case _:
            assert_never(outcome)


def _told_snapshot(shown: Snapshot) -> str:
    log = " ".join(f"{event.seq}:{event.type}" for event in shown.log)
    header = ", ".join(_told_header(shown.header))
    name = _session(shown.session)
    return f"{name} has header ({header}), log [{log}], first live seq {shown.first_live_seq}"


def _told_stored(shown: Stored) -> str:
    if shown.header is None:
        return "nothing is stored that can be read"
    log = " ".join(f"{event.seq}:{event.type}" for event in shown.log)
    tail = " and half a line" if shown.torn else ""
    return f"stored is header ({', '.join(_told_header(shown.header))}), log [{log}]{tail}"


def _told_header(header: Header) -> Iterator[str]:
    """What a header holds: its id, its time, and what else it was given."""
    yield f"id {header.id!r}"
    yield "stamped" if header.created_at is None else f"created at {header.created_at}"
    for label, value in (
        ("cwd", header.cwd),
        ("parent", header.parent_session),
        ("seed length", header.seed_length),
        ("origin", header.origin),
        ("depth", header.delegation_depth),
        ("preset", header.agent_preset),
    ):
        if value is not None:
            yield f"{label} {value}"
    yield from (f"and {key}" for key, _ in header.extra)


def _session(number: int) -> str:
    return f"#s{number + 1}"


def _agent(number: int) -> str:
    return f"#a{number + 1}"
