"""The session store and the agent registry, seen alike.

Both are collections of entries, and most of their clauses are the same sentence twice. A law of
both is written once, over a `Side`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from invariants.law import Taken
from invariants.reading import agent_meant, session_meant
from model.command import EventName
from model.observation import Heard, Live
from model.rows import Subject
from model.world import World


class Entry(Protocol):
    """What a session entry and an agent entry have in common."""

    @property
    def announced(self) -> bool:
        """Whether its announcement has begun."""

    @property
    def announcing(self) -> bool:
        """Whether its announcement is being dispatched."""

    @property
    def detach_called(self) -> bool:
        """Whether its detach has been used."""

    @property
    def detach_owed(self) -> bool:
        """Whether its detach waits for a dispatch."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One of the two collections: how to read its entries, its objects and its events.

    `prefix` is what the codes of its refusals begin with.
    """

    noun: str
    some: str
    group: str
    prefix: str
    created: EventName
    disposed: EventName
    entries: Callable[[World], tuple[Entry, ...]]
    live: Callable[[World], tuple[int, ...]]
    object_of: Callable[[World, int], int]
    id_of: Callable[[World, int], str]
    listed: Callable[[Live], tuple[int, ...]]
    carried: Callable[[Heard], int | None]

    def named(self, world: World, number: int) -> str:
        """An object for people."""
        return f"{self.noun} {number} (id {self.id_of(world, number)!r})"

    def clauses(self, *numbers: int) -> tuple[str, ...]:
        """The collection's clauses with these numbers."""
        return tuple(f"{self.group}-{number}" for number in numbers)


SESSIONS = Side(
    noun="session",
    some="a session",
    group="STO",
    prefix="",
    created="session/created",
    disposed="session/disposed",
    entries=lambda world: world.session_entries.rows,
    live=lambda world: world.store,
    object_of=lambda world, entry: world.session_entries[entry].session,
    id_of=lambda world, number: world.sessions[number].id,
    listed=lambda live: live.sessions,
    carried=lambda event: event.session,
)
AGENTS = Side(
    noun="agent",
    some="an agent",
    group="REG",
    prefix="AGENT_",
    created="agent/created",
    disposed="agent/disposed",
    entries=lambda world: world.agent_entries.rows,
    live=lambda world: world.registry,
    object_of=lambda world, entry: world.agent_entries[entry].agent,
    id_of=lambda world, number: world.agents[number].id,
    listed=lambda live: live.agents,
    carried=lambda event: event.agent,
)


def left(side: Side, taken: Taken) -> Iterator[int]:
    """The entries that were live during a step and are not any more."""
    gone_rows = set(side.live(taken.after))
    first_new = len(side.entries(taken.before))
    for entry in (*side.live(taken.before), *range(first_new, len(side.entries(taken.after)))):
        if entry not in gone_rows:
            yield entry


def entry_of(side: Side, world: World, number: int) -> int | None:
    """The live entry of an object, if any."""
    entries = (entry for entry in side.live(world) if side.object_of(world, entry) == number)
    return next(entries, None)


def meant(side: Side, world: World, handle: str, subject: Subject | None = None) -> int | None:
    """The object that a handle means."""
    named = session_meant if side is SESSIONS else agent_meant
    return named(world, handle, subject)
