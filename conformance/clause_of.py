"""Attribution: which clause a disagreement is about.

A table says what each kind of divergence is about at first sight. Where the implementation answers
exactly like one of the known alternatives, that alternative is the diagnosis, and its clause wins:
it explains the whole program, not only its first wrong reply.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from conformance.compare import Difference, Disagreement, compare
from conformance.protocol.message import Reply
from invariants.alternative import Alternative
from invariants.alternatives import ALTERNATIVES
from model.command import Command, React, Together
from model.log import END_SEED
from model.observation import (
    Committed,
    Did,
    Flushed,
    Heard,
    Observation,
    Released,
    Settled,
    SetUp,
    Snapshot,
    Unwound,
)
from model.refusal import Code, Refusal

COMMAND_CLAUSE: dict[str, str] = {
    "Construct": "SEED-2",
    "Prepare": "STO-1",
    "Enter": "STO-2",
    "Announce": "STO-5",
    "Detach": "STO-6",
    "Create": "STO-9",
    "Fork": "FORK-2",
    "Append": "LOG-4",
    "Flush": "STO-12",
    "Acquire": "RBK-6",
    "Release": "RBK-6",
    "Inspect": "LOG-2",
    "Look": "STO-11",
    "Tamper": "HDR-7",
    "Listen": "STO-5",
    "Unlisten": "STO-5",
    "NewAgent": "REG-10",
    "EnterAgent": "REG-2",
    "AnnounceAgent": "REG-5",
    "DetachAgent": "REG-6",
    "CreateAgent": "TXN-4",
    "Abort": "TXN-6",
    "Configure": "TXN-11",
    "Dispose": "RBK-2",
    "Work": "RBK-8",
    "Open": "TXN-3",
    "NewOwner": "OWN-3",
    "DisposeOwner": "OWN-3",
    "DisposeFactory": "OWN-4",
    "LoadFactory": "OWN-6",
    "SetFactory": "OWN-6",
    "Resume": "RES-2",
    "ReadStored": "RES-8",
    "Boot": "RES-3",
    "Forget": "protocol",
}
"""What an operation is about when nothing more is known."""

CODE_CLAUSE: dict[Code, str] = {
    "ID_TAKEN": "STO-2",
    "ALREADY_ATTACHED": "STO-3",
    "NOT_LIVE": "STO-4",
    "ALREADY_ANNOUNCED": "STO-4",
    "HEADER_NOT_JSON": "HDR-10",
    "HEADER_VERSION": "HDR-2",
    "HEADER_ID": "HDR-3",
    "HEADER_CREATED_AT": "HDR-4",
    "HEADER_CWD": "HDR-5",
    "HEADER_FIELD": "HDR-6",
    "SEED_NOT_JSON": "LOG-3",
    "SEED_ENVELOPE": "SEED-1",
    "SEED_SEQ": "LOG-1",
    "DATA_NOT_JSON": "LOG-3",
    "APPEND_REENTERED": "LOG-5",
    "AGENT_ID_TAKEN": "REG-2",
    "AGENT_ID_MISMATCH": "REG-1",
    "AGENT_NOT_LIVE": "REG-4",
    "AGENT_ALREADY_ANNOUNCED": "REG-4",
    "BUSY": "RBK-8",
    "INACTIVE": "OWN-5",
    "ABORTED": "TXN-6",
    "OWNER_DISPOSED": "OWN-3",
    "NO_FACTORY": "OWN-4",
    "FACTORY_TAKEN": "OWN-6",
    "SESSION_ALREADY_EXISTS": "FORK-1",
    "SESSION_NOT_FOUND": "FORK-1",
    "SESSION_NOT_LIVE": "FORK-1",
    "INVALID_BOUNDARY": "FORK-2",
    "OPEN_TURN": "FORK-1",
    "NO_PERSISTENCE": "RES-1",
    "NOT_STORED": "RES-1",
    "UNREADABLE": "RES-1",
    "UNSUPPORTED": "RES-1",
    "STILL_LIVE": "RES-7",
    "STILL_OWNED": "RES-7",
    "RESERVED": "RES-5",
    "STORED_OTHERWISE": "RES-8",
    "UNSTORABLE": "RES-8",
    "CONFIG_INVALID": "IDN-3",
    "IDENTITY_TWICE": "IDN-3",
    "IDENTITY_SHARED": "IDN-4",
    "THROWN": "RBK-1",
}
"""What a refusal that should not have come is about."""

EVENT_CLAUSE: dict[str, str] = {
    "session/created": "STO-5",
    "session/event": "LOG-4",
    "session/disposed": "STO-8",
    "session/flush": "STO-12",
    "agent/created": "REG-5",
    "agent/disposed": "REG-8",
    "agent/session-start": "TXN-7",
}
"""What an event that is missing, or that should not have been heard, is about."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """The clause of a disagreement, and the alternatives that answer the same way."""

    clause: str
    alternatives: tuple[Alternative, ...]


def attribute(
    program: Sequence[Command],
    replies: Sequence[Reply],
    disagreement: Disagreement,
    *,
    claimed: Collection[str],
    foretold: bool = False,
) -> Attribution:
    """Find the clause of a disagreement, by the table and by the alternatives.

    It is of a claimed group: what an implementation does not claim, it cannot fail.
    """
    told = replies[: disagreement.index + 1]
    same = tuple(
        each
        for each in ALTERNATIVES.values()
        if group_of(each.clause) in claimed
        and compare(program, told, each.design, foretold=foretold) is None
    )
    clauses = tuple(dict.fromkeys(each.clause for each in same))
    sights = (at_first_sight(disagreement), COMMAND_CLAUSE[operation(disagreement.command)])
    sight = next((each for each in sights if group_of(each) in claimed), "protocol")
    return Attribution(sight if not clauses or sight in clauses else clauses[0], same)


def group_of(clause: str) -> str:
    """The group of a clause."""
    return clause.split("-", maxsplit=1)[0]


def at_first_sight(disagreement: Disagreement) -> str:
    """The clause that the table gives for a disagreement."""
    difference = disagreement.difference
    if difference.kind == "outcome":
        return _of_outcome(disagreement)
    observation = difference.expected or difference.observed
    if isinstance(difference.observed, Heard) and not isinstance(difference.expected, Heard):
        observation = difference.observed
    if observation is None:
        sessions = difference.run.live.sessions, disagreement.reply.live.sessions
        return "REG-9" if len(sessions[0]) == len(sessions[1]) else "STO-11"
    if difference.kind == "live":
        return _of_live(observation)
    return _of_observation(observation, difference)


def operation(command: Command) -> str:
    """The name of the operation that a command is about."""
    match command:
        case React(single):
            return type(single).__name__
        case Together(commands):
            return type(commands[0]).__name__ if commands else "Look"
        case _:
            return type(command).__name__


def _of_outcome(disagreement: Disagreement) -> str:
    expected = disagreement.difference.run.outcome
    observed = disagreement.reply.outcome
    if isinstance(expected, Refusal) and expected.clause != "protocol":
        return expected.clause
    if isinstance(observed, Refusal):
        return CODE_CLAUSE.get(observed.code, "protocol")
    if isinstance(expected, Snapshot) and isinstance(observed, Snapshot):
        return _of_snapshot(expected, observed, disagreement.difference)
    return COMMAND_CLAUSE[operation(disagreement.command)]


def _of_snapshot(expected: Snapshot, observed: Snapshot, difference: Difference) -> str:
    if difference.part == "header":
        return "HDR-7"
    if difference.part == "first-live":
        return "SEED-3"
    marks = [sum(e.type == END_SEED for e in shown.log) for shown in (expected, observed)]
    return "LOG-2" if marks[0] == marks[1] else "SEED-2"


def _of_live(observation: Observation) -> str:
    match observation:
        case Heard(event="session/created"):
            return "TXN-5"
        case Heard(event="agent/disposed"):
            return "RBK-2"
        case SetUp():
            return "TXN-2"
        case Settled() | Unwound():
            return "RBK-4"
        case _:
            return "STO-11"


def unasked(difference: Difference) -> bool:
    """Whether an event was heard that the run does not have at all."""
    observed = difference.observed
    return isinstance(observed, Heard) and not any(
        isinstance(each, Heard) and (each.session, each.seq) == (observed.session, observed.seq)
        for each in difference.run.seen
    )


def _of_observation(observation: Observation, difference: Difference) -> str:
    match observation:
        case Heard(event="session/event", type="session/end-seed") if unasked(difference):
            return "SEED-4"
        case Heard(event=event):
            return EVENT_CLAUSE[event]
        case Did(outcome=Refusal(clause=clause)) if clause not in ("", "protocol"):
            return clause
        case SetUp() | Committed():
            return "TXN-3"
        case Unwound():
            return "RBK-2"
        case Released():
            return "RBK-6"
        case Settled(outcome=Flushed()):
            return "STO-12"
        case Settled(outcome=Refusal()):
            return "RBK-1"
        case Settled():
            return "TXN-8"
        case _:
            return "STO-5"
