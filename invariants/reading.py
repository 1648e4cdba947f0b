"""Reading a step: what the laws ask of it, in one place."""

from collections.abc import Iterator
from dataclasses import dataclass

from invariants.law import Taken, reading
from model.command import (
    Command,
    CreateAgent,
    EventName,
    Holds,
    Listen,
    React,
    Reaction,
    Script,
    Setup,
    Single,
    Together,
)
from model.design import DSH
from model.dispatch import WATCH
from model.log import END_SEED
from model.observation import All, Did, Heard, Observation, Outcome, Settled, Snapshot
from model.owner import owner_named
from model.refusal import Code, Refusal
from model.rows import Subject
from model.session_command import Append
from model.step import perform
from model.turn import Turn, agent_named, session_named
from model.world import World


def plain(command: Command) -> Single | None:
    """The one operation that a command asks for, or None where it is several."""
    match command:
        case React(single, _):
            return single
        case Together():
            return None
        case _:
            return command


def script_of(command: Command, event: EventName) -> Script | None:
    """What the first reaction to an event does, if the command has one."""
    reactions = command.reactions if isinstance(command, React) else ()
    return next((each.script for each in reactions if each.event == event), None)


def codes(outcome: Outcome) -> frozenset[Code]:
    """The codes that a refusal may carry; none if it is no refusal."""
    if isinstance(outcome, Refusal):
        return outcome.also | {outcome.code}
    return frozenset()


def session_meant(world: World, handle: str, subject: Subject | None = None) -> int | None:
    """The session that a handle means to a client, or to a script with this subject."""
    return session_named(_turn(world, subject), handle)


def agent_meant(world: World, handle: str, subject: Subject | None = None) -> int | None:
    """The agent that a handle means to a client, or to a script with this subject."""
    return agent_named(_turn(world, subject), handle)


def owner_meant(world: World, handle: str) -> int | None:
    """The owner that a handle means to a client: a plugin, or an agent's scope."""
    return owner_named(_turn(world, None), handle)


def _turn(world: World, subject: Subject | None) -> Turn:
    return Turn(world, DSH, perform, subject=subject or Subject())


def subject_of(taken: Taken, event: Heard) -> Subject:
    """What `@session` and `@agent` mean to a listener that hears the event."""
    if event.agent is None:
        return Subject(session=event.session)
    return Subject(session=taken.after.agents[event.agent].session, agent=event.agent)


def outcome_of(taken: Taken, operation: str) -> Outcome | None:
    """What an operation settled with during the step, if it did."""
    settled = (each for each in taken.run.seen if isinstance(each, Settled))
    return next((each.outcome for each in settled if each.operation == operation), None)


def session_name(world: World, number: int) -> str:
    """A session for people."""
    return f"session {number} (id {world.sessions[number].id!r})"


def agent_name(world: World, number: int) -> str:
    """An agent for people."""
    return f"agent {number} (id {world.agents[number].id!r})"


@reading
def heard(taken: Taken, event: EventName) -> tuple[Heard, ...]:
    """What `watch` heard of an event, in order."""
    events = (each for each in taken.run.seen if isinstance(each, Heard))
    return tuple(each for each in events if each.event == event and each.listener == WATCH)


@dataclass(frozen=True, slots=True)
class Doing:
    """An observation made while reactions run.

    `inside` are the events whose reactions have not ended, the innermost last; `action` is what
    the innermost one has just done, with its outcome, if the observation says so.
    """

    observation: Observation
    inside: tuple[Heard, ...]
    action: Single | None = None
    outcome: Outcome | None = None


@reading
def doings(taken: Taken) -> tuple[Doing, ...]:
    """The observations of a step that are made while the command's reactions run."""
    return tuple(_doings(taken))


def _doings(taken: Taken) -> Iterator[Doing]:
    if not isinstance(taken.command, React):
        return
    waiting = list(taken.command.reactions)
    frames: list[tuple[Heard, list[Single]]] = []
    for each in taken.run.seen:
        inside = tuple(event for event, _ in frames)
        if inside and isinstance(each, Did) and each.by == WATCH:
            yield Doing(each, inside, frames[-1][1].pop(0), each.outcome)
        elif inside:
            yield Doing(each, inside)
        if isinstance(each, Heard) and each.listener == WATCH:
            reaction = _taken_by(each, waiting)
            frames += [] if reaction is None else [(each, list(reaction.script.actions))]
        while frames and not frames[-1][1]:
            frames.pop()


def _taken_by(event: Heard, waiting: list[Reaction]) -> Reaction | None:
    """Take the first reaction that waits for an event."""
    for index, reaction in enumerate(waiting):
        if reaction.event == event.event:
            return waiting.pop(index)
    return None


def outcomes(taken: Taken) -> tuple[Outcome, ...]:
    """The outcomes of a command: one, or one for each command issued in its turn."""
    outcome = taken.run.outcome
    return outcome.outcomes if isinstance(outcome, All) else (outcome,)


def is_new(taken: Taken, transaction: int) -> bool:
    """Whether a transaction was begun in the step."""
    return transaction >= len(taken.before.transactions)


@reading
def ended(taken: Taken) -> tuple[int, ...]:
    """The transactions that came to their end in the step."""
    return tuple(
        number
        for number, row in enumerate(taken.after.transactions.rows)
        if row.stage == "gone"
        if is_new(taken, number) or taken.before.transactions[number].stage != "gone"
    )


def snapshots(taken: Taken) -> Iterator[Snapshot]:
    """Everything that sessions showed of themselves in a step."""
    did = (each.outcome for each in taken.run.seen if isinstance(each, Did))
    return (shown for shown in (*did, *outcomes(taken)) if isinstance(shown, Snapshot))


@reading
def mentioned(taken: Taken) -> tuple[Single, ...]:
    """Every operation that the command, or a script that it may run, could ask for."""
    return tuple(_mentioned(taken))


def _mentioned(taken: Taken) -> Iterator[Single]:
    yield from _asked(taken.command)
    for listener in taken.before.listeners.rows:
        yield from _scripted(listener.script)
    for waiting in taken.before.suspended:
        yield from _each(waiting.actions)
    for transaction in taken.before.transactions.rows:
        if transaction.commit is not None:
            yield from _each(transaction.commit.actions)


def _asked(command: Command) -> Iterator[Single]:
    match command:
        case React(single, reactions):
            yield from _each((single,))
            for reaction in reactions:
                yield from _scripted(reaction.script)
        case Together(commands):
            yield from _each(commands)
        case _:
            yield from _each((command,))


def _each(singles: tuple[Single, ...]) -> Iterator[Single]:
    for single in singles:
        yield single
        match single:
            case Listen(script=script):
                yield from _scripted(script)
            case CreateAgent(setup=Setup(script, made)):
                yield from _scripted(script)
                yield from () if made is None else _each(made.actions)
            case _:
                pass


def _scripted(script: Script) -> Iterator[Single]:
    yield from _each(script.actions)
    if isinstance(script.ending, Holds):
        yield from _each(script.ending.actions)


def marks_itself(taken: Taken) -> bool:
    """Whether a client may append a marker of its own: a log then no longer tells whose it is."""
    return any(isinstance(each, Append) and each.type == END_SEED for each in mentioned(taken))
