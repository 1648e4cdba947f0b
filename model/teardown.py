"""Teardown: taking a transaction back, and unloading an owner (RBK, OWN).

The two are one subject: an owner that is unloaded tears down the agents that it owns, and an
agent that is torn down unloads its scope, which may own agents in turn.
"""

from dataclasses import replace
from typing import assert_never

from model.design import TeardownStep
from model.listen import silenced
from model.loads import given_up
from model.observation import Done, Unwound
from model.owner import disowns
from model.prepare import reserve
from model.refusal import Refusal
from model.registry import agent_detached
from model.rows import (
    AgentsEffect,
    DetachEffect,
    Effect,
    ForNobody,
    ForSetup,
    LifecycleEffect,
    ListenerEffect,
    LoadEffect,
    OwnerEffect,
    SlotEffect,
    Transaction,
    UnwindEffect,
)
from model.sessions import detached
from model.storage import given_back
from model.turn import Settle, StartOver, TearDown, Turn, Unload, alive, observe, soon, with_world
from model.world import session_entry_with_id, with_owner, with_transaction

BEFORE_TEARDOWN = ("setting-up", "set-up", "publishing", "live")
UNDER_WAY = ("draining", "tearing-down", "unwinding")


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
        if step == "stop-machine":
            return soon(turn, TearDown(number))
        if step == "unwind-scope":
            return scope_awaited(turn, number)
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
            return scope_unwound(turn, row)
        case "detach-agent":
            keeps = row.agent_entry is None or _leaves_entries(turn, row)
            return turn if keeps else agent_detached(turn, row.agent_entry or 0)
        case "detach-session":
            return detach_session(turn, row)
        case "settle":
            return settled(turn, number)
        case _:
            assert_never(step)


def detach_session(turn: Turn, row: Transaction) -> Turn:
    """Detach the session that the transaction entered, after its agent (RBK-2, TXN-9, TXN-10)."""
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


def scope_unwound(turn: Turn, row: Transaction) -> Turn:
    """Unload the agent's scope, unless its factory does so already (RBK-2, OWN-4)."""
    if turn.world.owners[row.scope].stage != "active":
        return turn
    return soon(unloading(turn, row.scope), Unload(row.scope))


def scope_awaited(turn: Turn, number: int) -> Turn:
    """Go on once the scope is gone, with everything that was made through it (RBK-2)."""
    row = turn.world.transactions[number]
    if turn.world.owners[row.scope].stage == "gone":
        return soon(turn, TearDown(number))
    return _with_row(turn, number, replace(row, stage="unwinding"))


def settled(turn: Turn, number: int) -> Turn:
    """Settle what awaits the teardown: disposes, a failed creation, owners (RBK-3, RBK-4)."""
    row = turn.world.transactions[number]
    for operation in row.disposes:
        turn = soon(turn, Settle(operation, Done()))
    over = replace(row, disposes=(), stage="gone")
    if row.acts_on == "nothing":
        turn = creation_failed(_with_row(turn, number, over), number)
    else:
        turn = _with_row(turn, number, over)
    return over_for_owners(turn, number)


def creation_failed(turn: Turn, number: int) -> Turn:
    """Settle the creation that a teardown took back with its original error (RBK-1, RBK-4)."""
    row = turn.world.transactions[number]
    if row.failure is None:
        return turn
    turn = _with_row(turn, number, replace(row, failure=None))
    if row.resumes:
        agent = turn.world.agents[row.agent]
        turn = given_back(turn, agent.id, agent.session)
    if row.start is not None:
        return soon(turn, StartOver(row.start, row.failure))
    return turn if row.configured else soon(turn, Settle(row.operation, row.failure))


def over_for_owners(turn: Turn, number: int) -> Turn:
    """Tell the owner and the factory that an agent's teardown is over (OWN-3, OWN-4)."""
    row = turn.world.transactions[number]
    lifecycle = LifecycleEffect(number)
    turn = disowns(turn, row.owner, lifecycle)
    if row.owner is not None:
        turn = effect_over(turn, row.owner, lifecycle)
    if agents_of(turn, row.factory):
        return turn
    return effect_over(turn, row.factory, AgentsEffect())


def agents_of(turn: Turn, factory: int) -> tuple[int, ...]:
    """The transactions of a factory whose teardown is not over."""
    rows = enumerate(turn.world.transactions.rows)
    return tuple(n for n, row in rows if row.factory == factory and row.stage != "gone")


def unloading(turn: Turn, number: int) -> Turn:
    """Let an owner accept nothing more; what it owns is disposed of next (OWN-5)."""
    row = turn.world.owners[number]
    return with_world(turn, with_owner(turn.world, number, replace(row, stage="unloading")))


def unload(turn: Turn, number: int) -> Turn:
    """Dispose of what an owner owns, newest first, and wait for all of it (OWN-3)."""
    row = turn.world.owners[number]
    waiting = replace(row, effects=(), waits=row.effects)
    turn = with_world(turn, with_owner(turn.world, number, waiting))
    for effect in reversed(row.effects):
        turn = effect_disposed(turn, number, effect)
    return turn if row.effects else owner_gone(turn, number)


def effect_disposed(turn: Turn, number: int, effect: Effect) -> Turn:
    """Dispose of one thing that an owner owns; some take their time."""
    match effect:
        case DetachEffect(entry):
            turn = detached(turn, entry)
        case LifecycleEffect(transaction):
            if turn.design.owner_disposal == "leaves-agents":
                return effect_over(turn, number, effect)
            if turn.world.transactions[transaction].stage in BEFORE_TEARDOWN:
                return taken_back(turn, transaction, Refusal("OWNER_DISPOSED", "OWN-3"))
        case LoadEffect(load):
            turn = given_up(turn, load, Refusal("OWNER_DISPOSED", "OWN-3"))
        case ListenerEffect(name):
            turn = listener_removed(turn, name)
        case UnwindEffect(transaction):
            operation = turn.world.transactions[transaction].operation
            turn = observe(turn, Unwound(operation, alive(turn)))
        case OwnerEffect(owner):
            if turn.world.owners[owner].stage == "active":
                return soon(unloading(turn, owner), Unload(owner))
            if turn.world.owners[owner].stage == "unloading":
                return turn
        case AgentsEffect():
            return factory_disposed(turn, number)
        case SlotEffect():
            turn = with_world(turn, replace(turn.world, slot=None))
        case _:
            assert_never(effect)
    return effect_over(turn, number, effect)


def listener_removed(turn: Turn, name: str) -> Turn:
    """Remove a scope's listener (RBK-1)."""
    for number, row in enumerate(turn.world.listeners.rows):
        kept = turn.design.scope_listeners == "kept"
        if row.name == name and row.registered and not kept:
            turn = silenced(turn, number)
    return turn


def factory_disposed(turn: Turn, factory: int) -> Turn:
    """Take back every agent of a factory that is unloaded (OWN-4)."""
    inactive = Refusal("INACTIVE", "OWN-4")
    if turn.design.factory_disposal == "leaves-agents":
        return effect_over(turn, factory, AgentsEffect())
    for number, load in enumerate(turn.world.loads.rows):
        if load.factory == factory:
            turn = given_up(turn, number, inactive)
    for number in agents_of(turn, factory):
        if turn.world.transactions[number].stage in BEFORE_TEARDOWN:
            turn = taken_back(turn, number, inactive)
    return turn if agents_of(turn, factory) else effect_over(turn, factory, AgentsEffect())


def taken_back(turn: Turn, number: int, reason: Refusal) -> Turn:
    """Tear down an agent whose owner goes; a creation under way fails with the reason (OWN-3)."""
    row = turn.world.transactions[number]
    if row.stage in ("setting-up", "set-up"):
        failure = row.failure or row.aborted or reason
        aborted = replace(row, failure=failure, aborted=row.aborted or reason)
        turn = nobody_waits(_with_row(turn, number, aborted), number)
    return begin(turn, number)


def nobody_waits(turn: Turn, number: int) -> Turn:
    """Stop waiting for a setup; what it still does comes to nothing (OWN-2)."""
    suspended = tuple(
        replace(each, awaiter=ForNobody()) if each.awaiter == ForSetup(number) else each
        for each in turn.world.suspended
    )
    return with_world(turn, replace(turn.world, suspended=suspended))


def effect_over(turn: Turn, number: int, effect: Effect) -> Turn:
    """Note that something an unloading owner waited for is over (OWN-3)."""
    row = turn.world.owners[number]
    if row.stage != "unloading" or effect not in row.waits:
        return turn
    waits = tuple(each for each in row.waits if each != effect)
    turn = with_world(turn, with_owner(turn.world, number, replace(row, waits=waits)))
    return turn if waits else owner_gone(turn, number)


def owner_gone(turn: Turn, number: int) -> Turn:
    """Settle what awaits an owner that is gone, and let its agent's teardown go on (OWN-3)."""
    row = turn.world.owners[number]
    gone = replace(row, stage="gone", disposes=(), failure=None)
    turn = with_world(turn, with_owner(turn.world, number, gone))
    for operation in row.disposes:
        turn = soon(turn, Settle(operation, row.failure or Done()))
    if row.kind == "scope" and row.agent is not None:
        turn = scope_gone(turn, row.agent)
    if row.parent is None:
        return turn
    child = OwnerEffect(number)
    return effect_over(disowns(turn, row.parent, child), row.parent, child)


def scope_gone(turn: Turn, agent: int) -> Turn:
    """Let the teardown that waited for an agent's scope go on."""
    transaction = turn.world.agents[agent].transaction
    if transaction is None or turn.world.transactions[transaction].stage != "unwinding":
        return turn
    row = replace(turn.world.transactions[transaction], stage="tearing-down")
    return soon(_with_row(turn, transaction, row), TearDown(transaction))


def torn_down_now(turn: Turn, number: int) -> Turn:
    """Tear down in one turn, as a synchronous rollback would (the alternative to TXN-11)."""
    for step in turn.design.teardown:
        turn = teardown_step(turn, number, step)
    row = turn.world.transactions[number]
    return _with_row(turn, number, replace(row, stage="gone", position=len(turn.design.teardown)))


def _with_row(turn: Turn, number: int, row: Transaction) -> Turn:
    return with_world(turn, with_transaction(turn.world, number, row))
