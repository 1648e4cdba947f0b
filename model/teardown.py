"""Teardown: taking a transaction back, and disposing of a live agent (RBK)."""

from dataclasses import replace
from typing import assert_never

from model.command import Dispose, Work
from model.design import TeardownStep
from model.listen import silenced
from model.observation import Done, Started, Unwound
from model.prepare import reserve
from model.refusal import Refusal
from model.registry import agent_detached
from model.sessions import detached
from model.turn import (
    UNBOUND,
    Answer,
    Settle,
    TearDown,
    Turn,
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
from model.world import (
    Occupation,
    Pending,
    Transaction,
    TransactionRef,
    referent,
    session_entry_with_id,
    with_agent,
    with_transaction,
)


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
    if row.stage != "live" and turn.design.teardown_again == "runs-again":
        turn = _unwound(soon(turn, Settle(command.handle, Done())), row)
        return Answer(turn, Started())
    awaited = replace(row, disposes=(*row.disposes, command.handle))
    turn = _with_row(turn, ref.number, awaited)
    return Answer(begin(turn, ref.number) if row.stage == "live" else turn, Started())


def begin(turn: Turn, number: int) -> Turn:
    """Begin a teardown at the first step of its program (RBK-2)."""
    row = turn.world.transactions[number]
    return go_on(_with_row(turn, number, replace(row, stage="tearing-down", position=0)), number)


def go_on(turn: Turn, number: int) -> Turn:
    """Run a teardown's steps up to the next one that has to be awaited (RBK-2, RBK-8)."""
    program = turn.design.teardown
    row = turn.world.transactions[number]
    while row.position < len(program):
        if waits_for_idle(turn, row):
            return _with_row(turn, number, replace(row, stage="draining"))
        step = program[row.position]
        row = replace(row, stage="tearing-down", position=row.position + 1)
        turn = teardown_step(_with_row(turn, number, row), number, step)
        row = turn.world.transactions[number]
        if step in ("stop-machine", "unwind-scope"):
            return soon(turn, TearDown(number))
    return _with_row(turn, number, replace(row, stage="gone"))


def waits_for_idle(turn: Turn, row: Transaction) -> bool:
    """Whether a teardown that has stopped the machine still waits for its work (RBK-8)."""
    stopped = "stop-machine" in turn.design.teardown[: row.position]
    busy = turn.world.agents[row.agent].work is not None
    scope_left = "unwind-scope" in turn.design.teardown[row.position :]
    return stopped and busy and scope_left and turn.design.busy == "waits-until-idle"


def teardown_step(turn: Turn, number: int, step: TeardownStep) -> Turn:
    """Run one step of the teardown program."""
    row = turn.world.transactions[number]
    match step:
        case "stop-machine":
            return turn
        case "unwind-scope":
            return unwound(turn, number)
        case "detach-agent":
            keeps = row.agent_entry is None or _leaves_entries(turn, row)
            return turn if keeps else agent_detached(turn, row.agent_entry or 0)
        case "detach-session":
            return detach_session(turn, row)
        case "settle":
            return awaited(turn, number)
        case _:
            assert_never(step)


def detach_session(turn: Turn, row: Transaction) -> Turn:
    """Detach the session that the transaction entered, if it did (RBK-2, TXN-10)."""
    session_id = turn.world.agents[row.agent].id
    failed = row.failure is not None
    if failed and turn.design.rollback == "keeps-id":
        turn = reserve(turn, session_id)
    entry = row.session_entry
    if entry is None and failed and turn.design.rollback == "detaches-by-id":
        entry = session_entry_with_id(turn.world, session_id)
    if entry is None or _leaves_entries(turn, row):
        return turn
    return detached(turn, entry)


def _leaves_entries(turn: Turn, row: Transaction) -> bool:
    return row.failure is not None and turn.design.rollback == "leaves-entries"


def unwound(turn: Turn, number: int) -> Turn:
    """Unwind the scope: its listeners go, and what it registered is disposed of (RBK-1)."""
    row = turn.world.transactions[number]
    turn = _with_row(turn, number, replace(row, scope_open=False))
    if turn.design.scope_listeners == "removed":
        for listener, each in enumerate(turn.world.listeners.rows):
            if each.scope == row.agent and each.registered:
                turn = silenced(turn, listener)
    return _unwound(turn, row)


def _unwound(turn: Turn, row: Transaction) -> Turn:
    return observe(turn, Unwound(row.operation, alive(turn))) if row.watched else turn


def awaited(turn: Turn, number: int) -> Turn:
    """Settle everything that awaits the teardown: the disposes, and a failed creation (RBK-4)."""
    row = turn.world.transactions[number]
    if row.failure is not None and not row.configured:
        turn = soon(turn, Settle(row.operation, row.failure))
    for operation in row.disposes:
        turn = soon(turn, Settle(operation, Done()))
    return _with_row(turn, number, replace(row, disposes=(), failure=None))


def torn_down_now(turn: Turn, number: int) -> Turn:
    """Tear down in one turn, as a synchronous rollback would (the alternative to TXN-11)."""
    for step in turn.design.teardown:
        turn = teardown_step(turn, number, step)
    row = turn.world.transactions[number]
    return _with_row(turn, number, replace(row, stage="gone", position=len(turn.design.teardown)))


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


def _with_row(turn: Turn, number: int, row: Transaction) -> Turn:
    return with_world(turn, with_transaction(turn.world, number, row))
