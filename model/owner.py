"""Owners: what is made through an owner goes with it (OWN)."""

from dataclasses import replace

from model.observation import Done, Started
from model.owner_command import LoadFactory, NewOwner, SetFactory
from model.referents import OwnerRef, Pending
from model.refusal import Refusal
from model.rows import Effect, Owner, OwnerEffect, SlotEffect
from model.session_command import Name
from model.turn import (
    UNBOUND,
    Answer,
    Load,
    Turn,
    bind,
    handle_fault,
    refused,
    soon,
    transaction_of,
    with_world,
)
from model.world import referent, with_owner


def owner_named(turn: Turn, handle: Name) -> int | None:
    """The owner that a handle means: a plugin of the client's, or an agent's scope."""
    ref = referent(turn.world, handle)
    if isinstance(ref, OwnerRef):
        return ref.number
    transaction = transaction_of(turn, handle)
    return None if transaction is None else turn.world.transactions[transaction].scope


def asked_through(turn: Turn, handle: Name, owner: Name | None) -> int | Refusal | None:
    """The owner through which a command asks, or why it cannot; None is the root.

    The handle to give is looked at before the owner's.
    """
    in_use = handle_fault(turn.world, handle)
    if in_use is not None or owner is None:
        return in_use
    number = owner_named(turn, owner)
    return UNBOUND if number is None else number


def owner_fault(turn: Turn, owner: int | None) -> Refusal | None:
    """Why nothing can be made through an owner: it is being unloaded, or gone (OWN-5)."""
    accepts = turn.design.inactive_owner == "accepted"
    if owner is None or accepts or turn.world.owners[owner].stage == "active":
        return None
    return Refusal("INACTIVE", "OWN-5")


def gone(turn: Turn, owner: int | None) -> bool:
    """Whether a plugin is gone: through it the store cannot even be asked, so nothing is minted.

    An agent's scope leads to the store as long as its factory is there; the store then mints an id
    before it finds the scope inactive.
    """
    if owner is None:
        return False
    row = turn.world.owners[owner]
    if row.stage != "gone":
        return False
    return (
        row.kind == "plugin" or row.parent is None or turn.world.owners[row.parent].stage == "gone"
    )


def factory_fault(turn: Turn) -> Refusal | None:
    """Why no agent can be made: the registered factory is being unloaded (OWN-4, OWN-5)."""
    slot = turn.world.slot
    active = slot is not None and turn.world.owners[slot].stage == "active"
    return None if active else Refusal("INACTIVE", "OWN-5")


def owns(turn: Turn, owner: int | None, effect: Effect) -> Turn:
    """Let an owner own something; the root, which is never unloaded, keeps no account."""
    if owner is None:
        return turn
    row = turn.world.owners[owner]
    return with_world(
        turn,
        with_owner(turn.world, owner, replace(row, effects=(*row.effects, effect))),
    )


def disowns(turn: Turn, owner: int | None, effect: Effect) -> Turn:
    """Let an owner forget something that is over."""
    if owner is None:
        return turn
    row = turn.world.owners[owner]
    effects = tuple(each for each in row.effects if each != effect)
    return with_world(turn, with_owner(turn.world, owner, replace(row, effects=effects)))


def loaded(turn: Turn, row: Owner) -> tuple[Turn, int]:
    """Add an owner, under its parent if it has one."""
    number = len(turn.world.owners)
    turn = with_world(turn, replace(turn.world, owners=turn.world.owners.add(row)))
    return owns(turn, row.parent, OwnerEffect(number)), number


def new_owner(turn: Turn, command: NewOwner) -> Answer:
    """Load a plugin under the root or under another owner (OWN-3)."""
    parent = asked_through(turn, command.handle, command.owner)
    if isinstance(parent, Refusal):
        return refused(turn, parent)
    fault = owner_fault(turn, parent)
    if fault is not None:
        return refused(turn, fault)
    agent = None if parent is None else turn.world.owners[parent].agent
    turn, number = loaded(turn, Owner(parent=parent, agent=agent))
    return Answer(bind(turn, command.handle, OwnerRef(number)), Done())


def set_factory(turn: Turn, command: SetFactory) -> Answer:
    """Register an owner's factory, unless there is one (OWN-6)."""
    ref = referent(turn.world, command.owner)
    if not isinstance(ref, OwnerRef):
        return refused(turn, UNBOUND)
    inactive = owner_fault(turn, ref.number)
    if inactive is not None:
        return refused(turn, inactive)
    if turn.world.slot is not None and turn.design.second_factory == "refused":
        return refused(turn, Refusal("FACTORY_TAKEN", "OWN-6"))
    turn = owns(turn, ref.number, SlotEffect())
    return Answer(with_world(turn, replace(turn.world, slot=ref.number)), Done())


def load_factory(turn: Turn, command: LoadFactory) -> Answer:
    """Load an agent factory in a turn of its own (OWN-6)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    return Answer(
        soon(bind(turn, command.handle, Pending()), Load(command.handle, command.agents)), Started()
    )
