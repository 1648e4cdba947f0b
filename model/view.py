"""What a client can name in a world.

Which handles stand for what is asked of the functions that the operations themselves ask.
"""

from dataclasses import dataclass, replace

from model.agent_command import Abort, AnnounceAgent, DetachAgent
from model.command import Forget, Open, Single, Unlisten
from model.design import Design
from model.owner import owner_named
from model.owner_command import Boot, SetFactory
from model.rows import Subject
from model.scope import Scope
from model.session_command import (
    Announce,
    Append,
    Detach,
    Inspect,
    Look,
    Name,
    ReadStored,
    Release,
    Tamper,
)
from model.step import perform
from model.turn import Turn, agent_named, session_named, transaction_of
from model.world import World, referent


@dataclass(frozen=True, slots=True)
class View:
    """What a client can name in a world: the handles, by what they stand for.

    `given` are handles that something else in the same command takes.
    """

    world: World
    scope: Scope
    design: Design
    sessions: tuple[Name, ...] = ()
    agents: tuple[Name, ...] = ()
    published: tuple[Name, ...] = ()
    owners: tuple[Name, ...] = ()
    given: tuple[Name, ...] = ()


def view(world: World, scope: Scope, design: Design) -> View:
    """Sort the bound handles by what they stand for."""
    turn = Turn(world, design, perform)
    names = tuple(name for name, _ in world.bindings)
    return View(
        world,
        scope,
        design,
        sessions=tuple(name for name in names if session_named(turn, name) is not None),
        agents=tuple(name for name in names if agent_named(turn, name) is not None),
        published=tuple(name for name in names if transaction_of(turn, name) is not None),
        owners=tuple(name for name in names if owner_named(turn, name) is not None),
    )


def reacting(seen: View, subject: Subject, given: tuple[Name, ...]) -> View:
    """The view of a listener, which can also name the objects of its event.

    An object that has a handle is not named twice.
    """
    turn = Turn(seen.world, seen.design, perform)
    sessions = {session_named(turn, name) for name in seen.sessions}
    agents = {agent_named(turn, name) for name in seen.agents}
    own_session = () if subject.session in {None, *sessions} else ("@session",)
    own_agent = () if subject.agent in {None, *agents} else ("@agent",)
    return replace(
        seen,
        sessions=(*seen.sessions, *own_session),
        agents=(*seen.agents, *own_agent),
        given=given,
    )


def handles(command: Single) -> tuple[Name, ...]:
    """The handle that a command gives, if it gives one."""
    match command:
        case Release() | Unlisten() | Forget() | Open() | Abort() | Look() | Inspect() | Tamper():
            return ()
        case ReadStored() | Boot():
            return ()
        case Announce() | AnnounceAgent() | Detach() | DetachAgent() | Append() | SetFactory():
            return ()
        case _:
            return (command.handle,)


def next_free(seen: View, names: tuple[Name, ...]) -> tuple[Name, ...]:
    """The name to give next: the first that means nothing, if there is one."""
    free = (n for n in names if referent(seen.world, n) is None and n not in seen.given)
    return tuple(free)[:1]


def owners_to_give(seen: View) -> tuple[Name | None, ...]:
    """The owners through which something can be made; None is the root."""
    return (None, *seen.owners) if seen.scope.menu.owned else (None,)


def explicit_ids(seen: View) -> tuple[str, ...]:
    """The ids that a client can spell out."""
    return tuple(each for each in seen.scope.menu.ids if each is not None)


def gates(seen: View) -> tuple[Name, ...]:
    """The gates to wait at: those in use, and the first one of the others."""
    world = seen.world
    working = tuple(agent.work.gate for agent in world.agents.rows if agent.work is not None)
    held = (load.gate for load in world.loads.rows if load.stage != "over")
    used = {*world.gates, *(each.gate for each in world.suspended), *working, *held}
    fresh = tuple(gate for gate in seen.scope.menu.gates if gate not in used)[:1]
    return tuple(gate for gate in seen.scope.menu.gates if gate in {*used, *fresh})
