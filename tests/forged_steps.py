"""For each law that no design decision is about, a step of DSH forged so that it is broken."""

from dataclasses import replace

from invariants.law import Taken
from model.agent_command import DetachAgent, EnterAgent, NewAgent
from model.command import Command, CreateAgent, Listen, Together
from model.design import DSH
from model.observation import Heard, Published, Settled
from model.owner_command import DisposeFactory, DisposeOwner, LoadFactory, NewOwner
from model.refusal import Refusal
from model.session_command import Create, Detach, Enter, Flush, Fork, Prepare
from model.step import step
from model.world import World, initial, with_session_entry, with_transaction


def _forging(*commands: Command) -> Taken:
    """The last of these commands as DSH takes it, to be forged."""
    world = initial()
    for command in commands[:-1]:
        world = step(world, command).runs[0].world
    return Taken(world, commands[-1], step(world, commands[-1]).runs[0], DSH)


def _unheard(taken: Taken) -> Taken:
    silent = tuple(each for each in taken.run.seen if not isinstance(each, Heard))
    return Taken(taken.before, taken.command, replace(taken.run, seen=silent), DSH)


def _resumed(taken: Taken) -> Taken:
    seen = tuple(
        replace(each, source="resume") if isinstance(each, Heard) and each.source else each
        for each in taken.run.seen
    )
    return Taken(taken.before, taken.command, replace(taken.run, seen=seen), DSH)


def _leaving(taken: Taken, world: World) -> Taken:
    return Taken(taken.before, taken.command, replace(taken.run, world=world), DSH)


def _half_announced(taken: Taken) -> Taken:
    row = replace(taken.after.session_entries[0], announcing=True)
    return _leaving(taken, with_session_entry(taken.after, 0, row))


def _refused(taken: Taken) -> Taken:
    outcome = Refusal("OPEN_TURN", "FORK-1")
    return Taken(taken.before, taken.command, replace(taken.run, outcome=outcome), DSH)


def _backwards(taken: Taken) -> Taken:
    seen = taken.run.seen[::-1]
    return Taken(taken.before, taken.command, replace(taken.run, seen=seen), DSH)


def _made_by_first(taken: Taken) -> Taken:
    row = replace(taken.after.transactions[0], factory=0)
    return _leaving(taken, with_transaction(taken.after, 0, row))


def _settled_otherwise(taken: Taken) -> Taken:
    """A creation that is published although no factory takes it."""
    seen = tuple(
        replace(each, outcome=Published(0, 0)) if isinstance(each, Settled) else each
        for each in taken.run.seen
    )
    return Taken(taken.before, taken.command, replace(taken.run, seen=seen), DSH)


LEFT = (Prepare("s", "a"), Enter("e", "s"), Detach("e"))
AGENT_LEFT = (
    Prepare("s", "a"),
    NewAgent("g", "a", "s"),
    EnterAgent("x", "g"),
    DetachAgent("x"),
)
AGENT = CreateAgent("t", "a")
FLUSHED = (Create("s", "a"), Listen("l", "session/flush"), Flush("o", "s"))

FORGED: dict[str, Taken] = {
    "a flush asks every listener of a live session": _unheard(_forging(*FLUSHED)),
    "a session's entry that has left never comes back": _leaving(
        _forging(*LEFT, Prepare("r", "b")),
        replace(_forging(*LEFT, Prepare("r", "b")).after, store=(0,)),
    ),
    "an agent's entry that has left never comes back": _leaving(
        _forging(*AGENT_LEFT, Prepare("r", "b")),
        replace(_forging(*AGENT_LEFT, Prepare("r", "b")).after, registry=(0,)),
    ),
    "an agent starts as what it is": _resumed(_forging(AGENT)),
    "nothing is half done between commands": _half_announced(_forging(AGENT)),
    "the sessions of an owner leave newest first": _backwards(
        _forging(
            NewOwner("w"),
            Create("s", "a", owner="w"),
            Create("r", "b", owner="w"),
            DisposeOwner("o", "w"),
        )
    ),
    "without a factory no agent is made": _settled_otherwise(_forging(DisposeFactory("o"), AGENT)),
    "no agent is made by a factory that goes": _settled_otherwise(
        _forging(Together((DisposeFactory("o"), AGENT)))
    ),
    "an agent is made by the factory that is registered": _made_by_first(
        _forging(DisposeFactory("o"), LoadFactory("o"), AGENT)
    ),
    "the slot is empty once its factory's owner is gone": _leaving(
        _forging(DisposeFactory("o")), replace(_forging(DisposeFactory("o")).after, slot=0)
    ),
    "a fork is refused for no reason that is not there": _refused(
        _forging(Create("s", "a"), Fork("r", source="s", id="b"))
    ),
}
"""For each law that no design decision is about, a step of DSH forged so that it is broken."""
