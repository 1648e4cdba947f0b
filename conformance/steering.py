"""Steering: what a world makes worth doing next, so that programs meet what they could meet."""

from collections.abc import Iterator

from model.command import CreateAgent, Ending, EventName, Holds, Rejects, Single, Throws
from model.dispatch import WATCH
from model.observation import Heard
from model.referents import (
    AgentEntryRef,
    AgentRef,
    ListenerRef,
    OwnerRef,
    Pending,
    PreparationRef,
    Referent,
    SessionEntryRef,
    SessionRef,
    TransactionRef,
)
from model.step import runs
from model.world import World, bound, referent, unbound

Kinds = tuple[type[Referent], ...]

ANYWHERE = {
    "create": 5,
    "prepare": 3,
    "enter": 4,
    "announce": 4,
    "detach": 4,
    "append": 5,
    "construct": 2,
    "flush": 2,
    "acquire": 1,
    "release": 1,
    "inspect": 1,
    "look": 1,
    "tamper": 2,
    "listen": 3,
    "unlisten": 1,
    "new-agent": 2,
    "enter-agent": 3,
    "announce-agent": 3,
    "detach-agent": 2,
    "create-agent": 6,
    "abort": 2,
    "configure": 2,
    "dispose": 3,
    "work": 2,
    "open": 3,
    "fork": 3,
    "new-owner": 2,
    "dispose-owner": 3,
    "load-factory": 1,
    "resume": 6,
    "read-stored": 3,
    "boot": 1,
    "forget": 1,
}
"""How often an operation is drawn, against the others."""

INSIDE = {
    "create": 2,
    "enter": 1,
    "announce": 2,
    "detach": 4,
    "append": 5,
    "tamper": 1,
    "announce-agent": 2,
    "detach-agent": 4,
    "abort": 4,
    "dispose": 1,
    "work": 1,
    "dispose-owner": 2,
    "fork": 1,
    "look": 1,
    "resume": 2,
    "boot": 1,
}
"""The same inside a listener, a setup or a commit, where some mean more than elsewhere."""


SESSIONS: Kinds = (SessionRef, AgentRef, TransactionRef)
AGENTS: Kinds = (AgentRef, TransactionRef)
WANTS: dict[str, Kinds] = {
    **dict.fromkeys(("enter", "announce", "append", "flush", "acquire", "inspect"), SESSIONS),
    **dict.fromkeys(("tamper", "new-agent"), SESSIONS),
    **dict.fromkeys(("enter-agent", "announce-agent", "work"), AGENTS),
    "detach": (SessionEntryRef,),
    "detach-agent": (AgentEntryRef,),
    "release": (PreparationRef,),
    "unlisten": (ListenerRef,),
    "abort": (Pending, TransactionRef),
    "dispose": (TransactionRef,),
    "dispose-owner": (OwnerRef,),
}
"""What a handle has to mean for an operation to make sense."""

FOCUSES = (
    (),
    ("prepare", "enter", "announce", "detach", "append"),
    ("create", "append", "fork", "tamper", "inspect"),
    ("create", "listen", "flush", "open"),
    ("prepare", "new-agent", "enter-agent", "announce-agent", "detach-agent"),
    ("create-agent", "configure", "abort", "open", "listen"),
    ("configure", "configure", "listen", "dispose-owner"),
    ("create-agent", "work", "dispose", "open", "detach-agent"),
    ("create-agent", "create", "append", "boot", "resume", "dispose", "open", "read-stored"),
    ("create", "detach", "append", "flush", "boot", "boot", "resume", "resume", "abort", "open"),
    ("create-agent", "create", "new-owner", "dispose-owner", "load-factory", "open"),
)
"""What a program keeps coming back to: operations that meet seldom by chance."""


def possible(world: World, operation: str, *, inside: bool) -> bool:
    """Whether there is anything to do an operation with; inside a script its own objects are."""
    if operation in ("resume", "read-stored"):
        return world.storage is not None
    kinds = WANTS.get(operation, ())
    given = not kinds or (inside and AgentRef in kinds)
    return given or any(isinstance(ref, kinds) for _, ref in world.bindings)


def foreseen(world: World, single: Single) -> tuple[World, tuple[EventName, ...]]:
    """Where a command leads, and what is heard on the way: what a reaction to it can name.

    A creation can be named during it even if it leads to nothing, unless its setup may reject: DSH
    does not outlive a setup that is aborted while it is called and rejects (`spec/caveats.md`).
    """
    run = next(runs(world, single))
    heard = (each.event for each in run.seen if isinstance(each, Heard) and each.listener == WATCH)
    fired = tuple(dict.fromkeys(heard))
    match single:
        case CreateAgent(handle, setup=setup):
            if setup is not None and rejects(setup.script.ending):
                return unbound(run.world, handle), fired
            return bound(run.world, handle, Pending(creation=True)), fired
        case _:
            return run.world, fired


def rejects(ending: Ending) -> bool:
    """Whether a script's promise fails."""
    match ending:
        case Rejects() | Holds(then=Throws()):
            return True
        case _:
            return False


def urges(world: World) -> Iterator[str]:
    """The operations that a world makes worth trying, because something hangs there."""
    if any(each.work is not None for each in world.agents.rows):
        yield from ("dispose", "dispose", "open")
    if world.suspended:
        yield from ("open", "abort")
    if any(each.event == "session/flush" for each in world.listeners.rows):
        yield "flush"
    meant = {type(ref) for _, ref in world.bindings}
    if SessionEntryRef in meant:
        yield from ("detach", "announce")
    if AgentRef in meant:
        yield from ("enter-agent", "announce-agent")
    if PreparationRef in meant:
        yield "release"
    if AgentEntryRef in meant:
        yield from ("detach-agent", "announce-agent")


def awaited(world: World) -> list[str]:
    """The gates at which something waits."""
    work = [each.work.gate for each in world.agents.rows if each.work is not None]
    return [*(each.gate for each in world.suspended), *work]


def live_ids(world: World) -> list[str]:
    """The ids of the live sessions."""
    return [world.sessions[world.session_entries[entry].session].id for entry in world.store]


def id_of(world: World, handle: str) -> str | None:
    """The id of the session that a handle stands for, if it does."""
    match referent(world, handle):
        case SessionRef(number):
            return world.sessions[number].id
        case AgentRef(number):
            return world.agents[number].id
        case TransactionRef(number):
            return world.agents[world.transactions[number].agent].id
        case _:
            return None
