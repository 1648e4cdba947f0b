"""Disposing of agents, owners and the factory, and keeping an agent busy (RBK, OWN)."""

from dataclasses import replace

from model.agent_command import Dispose, Work
from model.observation import Done, Started, Unwound
from model.owner_command import DisposeFactory, DisposeOwner
from model.referents import OwnerRef, Pending, TransactionRef
from model.refusal import Refusal
from model.rows import Occupation
from model.teardown import UNDER_WAY, begin, unloading
from model.turn import (
    UNBOUND,
    Answer,
    Settle,
    TearDown,
    Turn,
    Unload,
    WorkOver,
    agent_named,
    alive,
    bind,
    handle_fault,
    observe,
    refused,
    soon,
    with_world,
)
from model.world import referent, with_agent, with_owner, with_transaction


def dispose(turn: Turn, command: Dispose) -> Answer:
    """Await the one teardown of an agent, starting it if nobody has (RBK-3)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    ref = referent(turn.world, command.agent)
    if not isinstance(ref, TransactionRef) or turn.world.transactions[ref.number].configured:
        return refused(turn, UNBOUND)
    row = turn.world.transactions[ref.number]
    turn = bind(turn, command.handle, Pending())
    if row.stage == "gone":
        return Answer(soon(turn, Settle(command.handle, Done())), Started())
    if row.stage in UNDER_WAY and turn.design.teardown_again == "runs-again":
        turn = soon(turn, Settle(command.handle, Done()))
        seen = Unwound(row.operation, alive(turn))
        return Answer(observe(turn, seen) if row.watched else turn, Started())
    awaited = replace(row, disposes=(*row.disposes, command.handle))
    turn = with_world(turn, with_transaction(turn.world, ref.number, awaited))
    return Answer(begin(turn, ref.number) if row.stage == "live" else turn, Started())


def dispose_owner(turn: Turn, command: DisposeOwner) -> Answer:
    """Unload an owner; only the first disposal waits for what it owned (OWN-3)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    ref = referent(turn.world, command.owner)
    if not isinstance(ref, OwnerRef):
        return refused(turn, UNBOUND)
    return Answer(
        unloaded(bind(turn, command.handle, Pending()), ref.number, command.handle), Started()
    )


def dispose_factory(turn: Turn, command: DisposeFactory) -> Answer:
    """Unload the factory that was loaded last (OWN-4)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    factories = (n for n, owner in enumerate(turn.world.owners.rows) if owner.kind == "factory")
    turn = bind(turn, command.handle, Pending())
    return Answer(unloaded(turn, max(factories), command.handle), Started())


def unloaded(turn: Turn, number: int, operation: str) -> Turn:
    """Start an owner's unloading for an operation, or settle the operation at once."""
    row = turn.world.owners[number]
    if row.stage != "active":
        return soon(turn, Settle(operation, Done()))
    awaited = replace(row, disposes=(operation,))
    turn = unloading(with_world(turn, with_owner(turn.world, number, awaited)), number)
    return soon(turn, Unload(number))


def work(turn: Turn, command: Work) -> Answer:
    """Keep an agent busy until a gate opens (RBK-8)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    agent = agent_named(turn, command.agent)
    if agent is None or turn.world.agents[agent].transaction is None:
        return refused(turn, UNBOUND)
    row = turn.world.agents[agent]
    if row.work is not None:
        return refused(turn, Refusal("BUSY", "RBK-8"))
    occupied = replace(row, work=Occupation(command.handle, command.gate))
    turn = with_world(turn, with_agent(turn.world, agent, occupied))
    turn = bind(turn, command.handle, Pending())
    if command.gate in turn.world.gates:
        turn = soon(turn, WorkOver(agent))
    return Answer(turn, Started())


def work_over(turn: Turn, agent: int) -> Turn:
    """End an agent's work; a teardown that waited for it goes on (RBK-8)."""
    row = turn.world.agents[agent]
    if row.work is None or row.transaction is None:
        return turn
    turn = with_world(turn, with_agent(turn.world, agent, replace(row, work=None)))
    turn = soon(turn, Settle(row.work.operation, Done()))
    if turn.world.transactions[row.transaction].stage == "draining":
        turn = soon(turn, TearDown(row.transaction))
    return turn
