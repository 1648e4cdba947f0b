"""Well-formed worlds, bounded and enumerated: where an inductive check starts from.

Two sessions, each in one of the situations that a session can be in at rest, with each of a few
logs, under one id or two. No client need be able to lead there; a law that holds in all of them
and is kept by every step from them holds without any bound on how long a client has been at it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

from invariants.law import Always, Law
from model.command import Holds, Returns
from model.header import Header
from model.log import END_SEED, Event, Log
from model.referents import (
    AgentEntryRef,
    AgentRef,
    Pending,
    SessionEntryRef,
    SessionRef,
    TransactionRef,
)
from model.rows import (
    Agent,
    AgentEntry,
    ForSetup,
    Occupation,
    Owner,
    OwnerEffect,
    Session,
    SessionEntry,
    Subject,
    Suspended,
    Table,
    Transaction,
)
from model.world import World, bound, initial, with_owner

LOGS: tuple[Log, ...] = ((), (Event(0, "note"), Event(1, END_SEED)))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a situation is built: the session's number, and the suffix of its handles."""

    session: int
    suffix: str


Situation = Callable[[World, Place], World]


def prepared(world: World, place: Place) -> World:
    """A session that is in no store."""
    return bound(world, f"s{place.suffix}", SessionRef(place.session))


def entered(world: World, place: Place, *, announced: bool = False) -> World:
    """A live session whose client holds its detach."""
    number = len(world.session_entries)
    entry = SessionEntry(place.session, announced=announced)
    world = replace(
        prepared(world, place),
        session_entries=world.session_entries.add(entry),
        store=(*world.store, number),
    )
    return bound(world, f"e{place.suffix}", SessionEntryRef(number))


def announced(world: World, place: Place) -> World:
    """A live session that has been announced."""
    return entered(world, place, announced=True)


def spent(world: World, place: Place) -> World:
    """A session whose detach has been called."""
    return bound(prepared(world, place), f"e{place.suffix}", SessionEntryRef(None))


def bare(world: World, place: Place) -> World:
    """A bare agent in the registry whose session is not live: REG-10's hazard."""
    world = prepared(world, place)
    agent, entry = len(world.agents), len(world.agent_entries)
    session_id = world.sessions[place.session].id
    world = replace(
        world,
        agents=world.agents.add(Agent(session_id, place.session)),
        agent_entries=world.agent_entries.add(AgentEntry(agent, announced=True)),
        registry=(*world.registry, entry),
    )
    world = bound(world, f"a{place.suffix}", AgentRef(agent))
    return bound(world, f"x{place.suffix}", AgentEntryRef(entry))


def _transaction(world: World, place: Place, row: Transaction) -> World:
    """Add a transaction with its agent and its scope, which is loaded under the factory."""
    scope = len(world.owners)
    stage: Literal["active", "gone"] = "gone" if row.stage == "gone" else "active"
    agent = Agent(world.sessions[place.session].id, place.session, len(world.transactions))
    world = replace(
        world,
        agents=world.agents.add(agent),
        owners=world.owners.add(Owner("scope", parent=0, agent=row.agent, stage=stage)),
        transactions=world.transactions.add(replace(row, scope=scope)),
    )
    if row.stage == "gone":
        return world
    factory = world.owners[0]
    effects = (*factory.effects, OwnerEffect(scope))
    return with_owner(world, 0, replace(factory, effects=effects))


def _row(world: World, place: Place) -> Transaction:
    return Transaction(f"t{place.suffix}", agent=len(world.agents), scope=0)


def setting_up(world: World, place: Place) -> World:
    """A transaction whose setup waits at a gate."""
    row = replace(_row(world, place), watched=False)
    number, agent = len(world.transactions), row.agent
    subject = Subject(place.session, agent)
    held = Holds("g1")
    rest = Suspended(row.operation, held.gate, (), Returns(), ForSetup(number), subject)
    world = _transaction(world, place, row)
    world = replace(world, suspended=(*world.suspended, rest))
    return bound(world, row.operation, Pending(creation=True))


def published(world: World, place: Place) -> World:
    """A live transaction."""
    entry, agent_entry = len(world.session_entries), len(world.agent_entries)
    row = replace(_row(world, place), stage="live", session_entry=entry, agent_entry=agent_entry)
    session = SessionEntry(place.session, scope=row.agent, announced=True)
    number = len(world.transactions)
    world = replace(
        _transaction(world, place, row),
        session_entries=world.session_entries.add(session),
        store=(*world.store, entry),
        agent_entries=world.agent_entries.add(AgentEntry(row.agent, announced=True)),
        registry=(*world.registry, agent_entry),
    )
    return bound(world, row.operation, TransactionRef(number))


def busy(world: World, place: Place) -> World:
    """A live transaction whose agent is at work."""
    agent = len(world.agents)
    world = published(world, place)
    operation = f"w{place.suffix}"
    working = replace(world.agents[agent], work=Occupation(operation, "g1"))
    world = replace(world, agents=world.agents.put(agent, working))
    return bound(world, operation, Pending())


def draining(world: World, place: Place) -> World:
    """A disposed agent that is still at work."""
    number = len(world.transactions)
    world = busy(world, place)
    operation = f"d{place.suffix}"
    row = replace(world.transactions[number], stage="draining", position=1, disposes=(operation,))
    world = replace(world, transactions=world.transactions.put(number, row))
    return bound(world, operation, Pending())


def gone(world: World, place: Place) -> World:
    """A transaction that has been torn down."""
    number = len(world.transactions)
    row = replace(_row(world, place), operation="", stage="gone")
    return bound(_transaction(world, place, row), f"t{place.suffix}", TransactionRef(number))


SITUATIONS: tuple[Situation, ...] = (
    prepared,
    entered,
    announced,
    spent,
    bare,
    setting_up,
    published,
    busy,
    draining,
    gone,
)


def candidates() -> Iterator[World]:
    """Every pair of situations, logs and ids."""
    for first, second in product(SITUATIONS, repeat=2):
        for one, other in product(LOGS, repeat=2):
            for second_id in ("a", "b"):
                sessions = (Session(Header("a"), one), Session(Header(second_id), other))
                world = replace(initial(), sessions=Table(sessions))
                yield second(first(world, Place(0, "1")), Place(1, "2"))


def wellformed(laws: tuple[Law, ...]) -> Iterator[World]:
    """The candidates that keep every law of a world at rest."""
    resting = [law.check for law in laws if isinstance(law.check, Always)]
    for world in candidates():
        if not any(check.broken(world) for check in resting):
            yield world
