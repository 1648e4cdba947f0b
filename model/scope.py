"""Scopes: how much of the model one search looks at.

A scope is finite: names for handles, menus for arguments, bounds for what would grow. Whatever
it leaves out, the search says nothing about.
"""

from dataclasses import dataclass
from itertools import zip_longest

from model.command import Ending, EventName, Script, Setup, Single, Throws
from model.owner_command import Boot
from model.session_command import Name, TamperPlace
from model.values import EMPTY, Value
from model.world import World

Kind = type[Single]

SILENT = Script()


@dataclass(frozen=True, slots=True)
class Handles:
    """The names that a client may give, per kind of thing that they name.

    Of each kind the first name that means nothing is given next: which of several free names a
    client takes makes no difference.
    """

    sessions: tuple[Name, ...] = ()
    entries: tuple[Name, ...] = ()
    agents: tuple[Name, ...] = ()
    agent_entries: tuple[Name, ...] = ()
    creations: tuple[Name, ...] = ()
    operations: tuple[Name, ...] = ()
    preparations: tuple[Name, ...] = ()
    listeners: tuple[Name, ...] = ()
    owners: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class Listening:
    """A listener that a client may register, in the scope of an agent or of nobody."""

    event: EventName
    script: Script = SILENT
    scoped: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """The arguments that a client may choose.

    `ids` may hold None, for an id that the store mints; `boundaries` are where a fork may cut. With
    `owned`, whatever can be made through an owner is also made through each one that there is.
    """

    ids: tuple[str | None, ...] = ()
    boundaries: tuple[Value | None, ...] = (None,)
    owned: bool = False
    seeds: tuple[tuple[Value, ...] | None, ...] = (None,)
    metas: tuple[Value | None, ...] = (None,)
    headers: tuple[Value | None, ...] = (None,)
    events: tuple[tuple[str, Value], ...] = (("todo/write", EMPTY),)
    places: tuple[TamperPlace, ...] = ()
    setups: tuple[Setup | None, ...] = (None,)
    listeners: tuple[Listening, ...] = ()
    gates: tuple[Name, ...] = ()
    boots: tuple[Boot, ...] = (Boot(),)
    load_gates: tuple[Name | None, ...] = (None,)
    tag: str = "x"


@dataclass(frozen=True, slots=True)
class Reacting:
    """What a reaction may do: one command of these kinds, or none; and how it may end.

    `at_once` is how many reactions one command carries.
    """

    kinds: tuple[Kind, ...] = ()
    endings: tuple[Ending, ...] = (Throws("x"),)
    at_once: int = 0


@dataclass(frozen=True, slots=True)
class Bounds:
    """What may not grow beyond: a command that would is not offered."""

    log: int = 1
    live: int = 3
    minted: int = 0
    waiting: int = 2


@dataclass(frozen=True, slots=True)
class Scope:
    """One finite part of the model: what a client may do in it, and how often.

    `together` are the pairs of kinds that may be issued in one turn.
    """

    name: str
    kinds: tuple[Kind, ...]
    handles: Handles
    menu: Menu
    reacting: Reacting = Reacting()
    together: tuple[tuple[Kind, Kind], ...] = ()
    bounds: Bounds = Bounds()


def fits(before: World, after: World, scope: Scope) -> bool:
    """Whether a step from a world inside the bounds of a scope stays inside them.

    Sessions that the step did not touch are not looked at again.
    """
    bounds = scope.bounds
    same = zip_longest(before.sessions.rows, after.sessions.rows)
    return (
        len(after.store) <= bounds.live
        and len(after.registry) <= bounds.live
        and len(after.suspended) <= bounds.waiting
        and max(after.minted, after.configured) <= bounds.minted
        and all(new is None or new is old or len(new.log) <= bounds.log for old, new in same)
    )
