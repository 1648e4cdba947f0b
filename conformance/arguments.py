"""Arguments: the handles, ids and values that drawn commands are given."""

from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from conformance import menus
from conformance.binding import can_be_foretold
from conformance.choices import Choices, Limits
from model.command import EventName
from model.owner_command import ConfiguredAgent, Identity
from model.referents import AgentRef, OwnerRef, Referent, SessionRef, TransactionRef
from model.values import Value
from model.world import World

Item = TypeVar("Item", Value, tuple[Value, ...])

NOBODY = "nobody"
"""A handle that is never bound."""


@dataclass(frozen=True, slots=True)
class Menu:
    """What arguments are picked from, within the limits of one implementation."""

    ids: tuple[str, ...]
    seeds: tuple[tuple[Value, ...] | None, ...]
    metas: tuple[Value | None, ...]
    data: tuple[Value, ...]
    boundaries: tuple[Value | None, ...]
    events: tuple[EventName, ...]


@cache
def menu(limits: Limits) -> Menu:
    """The menu of an implementation. Half of all seeds and metadata are none, a few are bad."""
    hostile = limits.hostile
    seeds = mixed(menus.allowed(menus.GOOD_SEEDS, hostile), menus.allowed(menus.BAD_SEEDS, hostile))
    metas = mixed(menus.allowed(menus.GOOD_METAS, hostile), menus.allowed(menus.BAD_METAS, hostile))
    return Menu(
        ids=(*menus.IDS[:2], *menus.IDS, *(menus.NEXT_MINTED if limits.mints else ())),
        seeds=(*(None for _ in seeds), *seeds),
        metas=(*(None for _ in metas), *metas),
        data=mixed(menus.allowed(menus.GOOD_DATA, hostile), menus.allowed(menus.BAD_DATA, hostile)),
        boundaries=menus.allowed_boundaries(hostile),
        events=menus.heard_with(limits.groups),
    )


def mixed(good: tuple[Item, ...], bad: tuple[Item, ...]) -> tuple[Item, ...]:
    """Good and bad items, three to one or thereabouts."""
    return good * max(1, round(3 * len(bad) / len(good))) + bad


class Arguments:
    """Draws arguments within an implementation's limits; handles are numbered as they are given.

    `agent_given` says that the script that is drawn is about an agent, not about a session alone.
    """

    def __init__(self, choices: Choices, limits: Limits, given: int = 0) -> None:
        """Draw with these choices; so many handles have been given before."""
        self.choices = choices
        self.limits = limits
        self.menu = menu(limits)
        self.agent_given = False
        self._count = given

    def fresh(self, prefix: str) -> str:
        """A handle that has not been given."""
        self._count += 1
        return f"{prefix}{self._count}"

    def bound(self, world: World, *kinds: type[Referent]) -> str:
        """A handle of one of these kinds; seldom, or where there is none, one that is not bound."""
        names: list[str] = [name for name, ref in world.bindings if isinstance(ref, kinds)]
        return self.choices.pick(names * (40 // max(len(names), 1) + 1) + [NOBODY])

    def bound_if_any(self, world: World, *kinds: type[Referent]) -> str | None:
        """The same, or nothing where there is none."""
        if not any(isinstance(ref, kinds) for _, ref in world.bindings):
            return None
        return self.bound(world, *kinds)

    def session(self, world: World, depth: int) -> str:
        """A handle that stands for a session."""
        if depth and self.choices.percent(60):
            return "@session"
        return self.bound(world, SessionRef, AgentRef, TransactionRef)

    def agent(self, world: World, depth: int) -> str:
        """A handle that stands for an agent."""
        if depth and self.agent_given and self.choices.percent(60):
            return "@agent"
        return self.bound(world, AgentRef, TransactionRef)

    def owner(self, world: World, depth: int) -> str | None:
        """An owner to ask through, if any."""
        if "OWN" not in self.limits.groups or self.choices.percent(50):
            return None
        if depth and self.agent_given and self.choices.percent(30):
            return "@agent"
        return self.bound_if_any(world, OwnerRef, TransactionRef)

    def can_name(self, session_id: str) -> bool:
        """Whether a client can know an id: a minted one only if it can be foretold."""
        return can_be_foretold(session_id, mints=self.limits.mints)

    def an_id(self) -> str:
        """An explicit id."""
        return self.choices.pick(self.menu.ids)

    def a_stored_id(self, world: World) -> str:
        """An id under which something is stored, or any, where nothing is."""
        stored = [name for name, _ in world.disk if self.can_name(name)]
        return self.choices.pick(stored) if stored and self.choices.percent(90) else self.an_id()

    def agents(self, world: World) -> tuple[ConfiguredAgent, ...]:
        """The agents of a configuration."""
        count = self.choices.pick((1, 1, 1, 2, 2, 3))
        return tuple(self._configured(world) for _ in range(count))

    def _configured(self, world: World) -> ConfiguredAgent:
        label = self.choices.pick(menus.LABELS)
        session_id = self._start_id(world) if self.choices.percent(55) else None
        resume_id = self._start_id(world) if self.choices.percent(25) else None
        return ConfiguredAgent(label, session_id, resume_id, self.choices.pick(menus.CWDS))

    def _start_id(self, world: World) -> str:
        return "" if self.choices.percent(5) else self.a_stored_id(world)

    def identities(self, world: World) -> tuple[Identity, ...]:
        """The identities that a launcher gives, to agents that there are or not."""
        labels = tuple(label for label in menus.LABELS if self.choices.percent(25))
        return tuple(
            Identity(label, self._start_id(world), self.choices.percent(40)) for label in labels
        )

    def aborted(self) -> str | None:
        """The tag with which a signal was aborted before it was given, seldom."""
        return self.fresh("x") if self.choices.percent(4) else None

    def an_id_or_none(self) -> str | None:
        """An explicit id, or none, so that one is minted."""
        return None if self.choices.percent(15) else self.an_id()

    def gate(self) -> str:
        """A gate."""
        return self.choices.pick(menus.GATES)

    def seed(self) -> tuple[Value, ...] | None:
        """A seed, good or bad, or none."""
        return self.choices.pick(self.menu.seeds)

    def meta(self) -> Value | None:
        """Metadata, good or bad, or none."""
        return self.choices.pick(self.menu.metas)

    def data(self) -> Value:
        """Data of an event, good or bad."""
        return self.choices.pick(self.menu.data)
