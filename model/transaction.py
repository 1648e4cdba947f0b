"""The creation transaction: prepare, setup, commit, publish (TXN)."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, assert_never

from model.agent_command import Abort, Configure
from model.command import CreateAgent, Setup
from model.design import PublishStep
from model.dispatch import Notice, containing, stopping
from model.effect import Yielded, generator_effect
from model.loads import given_up
from model.observation import Committed, Done, Made, Published, SetUp, Started
from model.owner import asked_through, factory_fault, gone, loaded, owner_fault, owns
from model.prepare import prepared
from model.referents import Pending, TransactionRef
from model.refusal import Code, Refusal
from model.registry import about, agent_announced, agent_entered, enter_agent_fault
from model.rows import Agent, ForSetup, LifecycleEffect, Owner, Subject, Transaction, UnwindEffect
from model.script import commit, error, run
from model.session_command import Name
from model.sessions import announced, enter_fault, entered
from model.teardown import begin, creation_failed, nobody_waits, torn_down_now
from model.turn import (
    UNBOUND,
    Answer,
    Publish,
    Settle,
    SetupOver,
    Turn,
    alive,
    bind,
    handle_fault,
    observe,
    refused,
    soon,
    with_world,
)
from model.values import Value
from model.world import referent, with_transaction


def create_agent(turn: Turn, command: CreateAgent) -> Answer:
    """Start a transaction: prepare and call the setup in this turn, publish in a later one."""
    owner = asked_through(turn, command.handle, command.owner)
    if isinstance(owner, Refusal):
        return refused(turn, owner)
    turn = bind(turn, command.handle, Pending(creation=True))
    missing = no_factory(turn, owner)
    if missing is not None:
        return Answer(soon(turn, Settle(command.handle, missing)), Started())
    inactive = owner_fault(turn, owner) or factory_fault(turn)
    answer = prepared(turn, command.id, command.seed, command.meta, inactive)
    turn = answer.turn
    if not isinstance(answer.outcome, Made):
        return Answer(soon(turn, Settle(command.handle, answer.outcome)), Started())
    if command.aborted is not None:
        return Answer(soon(turn, Settle(command.handle, error(command.aborted))), Started())
    turn, number = begun(turn, answer.outcome, command.handle, owner)
    if turn.design.prepared == "entered":
        turn = _published_early(turn, number)
    return Answer(set_up(turn, number, command.setup), Started())


def no_factory(turn: Turn, owner: int | None) -> Refusal | None:
    """Why there is nobody to make an agent: no factory, or one that fails (OWN-4, OWN-6)."""
    slot = turn.world.slot
    if slot is None:
        also: frozenset[Code] = frozenset(("INACTIVE",) if owner_fault(turn, owner) else ())
        return Refusal("NO_FACTORY", "OWN-4", also=also)
    if turn.world.owners[slot].kind == "factory":
        return None
    if turn.design.inactive_owner == "refused" and gone(turn, owner):
        return Refusal("INACTIVE", "OWN-5")
    return Refusal("THROWN", "OWN-6", "factory")


def begun(turn: Turn, made: Made, operation: Name, owner: int | None) -> tuple[Turn, int]:
    """Construct the agent around a prepared session; nothing is visible yet (TXN-2)."""
    number = len(turn.world.transactions)
    agent = len(turn.world.agents)
    factory = turn.world.slot or 0
    turn, scope = loaded(turn, Owner("scope", parent=factory, agent=agent))
    row = Transaction(operation, agent, scope, factory=factory, owner=owner)
    world = replace(
        turn.world,
        agents=turn.world.agents.add(Agent(made.id, made.session, transaction=number)),
        transactions=turn.world.transactions.add(row),
    )
    return owns(with_world(turn, world), owner, LifecycleEffect(number)), number


def set_up(turn: Turn, number: int, setup: Setup | None) -> Turn:
    """Call the setup once with the unpublished agent, and wait for it (TXN-3)."""
    if setup is None:
        return soon(turn, SetupOver(number))
    row = turn.world.transactions[number]
    calling = replace(row, commit=setup.commit, watched=True, calling=True)
    turn = _with_row(turn, number, calling)
    subject = subject_of(turn, row)
    called = SetUp(row.operation, row.agent, turn.world.agents[row.agent].session, alive(turn))
    turn = owns(observe(turn, called), row.scope, UnwindEffect(number))
    ran = run(turn, row.operation, setup.script, subject, ForSetup(number))
    called_row = replace(ran.turn.world.transactions[number], calling=False)
    turn = _with_row(ran.turn, number, called_row)
    failure = ran.thrown or turn.world.transactions[number].aborted or ran.late
    if failure is not None:
        return soon(nobody_waits(turn, number), SetupOver(number, failure))
    return turn if ran.waits else soon(turn, SetupOver(number))


def subject_of(turn: Turn, row: Transaction) -> Subject:
    """What `@session` and `@agent` mean in a transaction's setup and commit."""
    return Subject(session=turn.world.agents[row.agent].session, agent=row.agent)


def set_up_over(turn: Turn, task: SetupOver) -> Turn:
    """Decide how the setup ended: with what came first, its own end or an abort (OWN-2)."""
    row = turn.world.transactions[task.transaction]
    if row.stage != "setting-up":
        return turn
    failure = None if turn.design.setup_failure == "ignored" else task.failure
    acts_on: Literal["success", "failure"] = "success" if failure is None else "failure"
    decided = replace(row, stage="set-up", failure=failure, acts_on=acts_on)
    return soon(_with_row(turn, task.transaction, decided), Publish(task.transaction))


def publish(turn: Turn, number: int) -> Turn:
    """Publish what was set up, or roll it back (TXN-1, RBK-1)."""
    row = turn.world.transactions[number]
    if turn.design.handle_returned == "before-publication" and not row.returned:
        turn = _with_row(turn, number, replace(row, returned=True))
        return soon(soon(turn, settled_with(turn, number)), Publish(number))
    acted = replace(row, acts_on="nothing")
    if row.stage != "set-up":
        return taken_back_meanwhile(_with_row(turn, number, acted), number, row)
    if row.failure is not None:
        return rolled_back(_with_row(turn, number, acted), number, row.failure)
    publishing = replace(acted, stage="publishing")
    result = published(_with_row(turn, number, publishing), number)
    if result.failure is not None:
        return rolled_back(result.turn, number, result.failure)
    row = result.turn.world.transactions[number]
    live = replace(row, stage="live", commit=None, aborted=None, returned=False)
    turn = _with_row(result.turn, number, live)
    unasked = row.returned or row.start is not None
    return turn if unasked else soon(turn, settled_with(turn, number))


def taken_back_meanwhile(turn: Turn, number: int, before: Transaction) -> Turn:
    """Act on a setup that succeeded after its owner had taken the transaction back (OWN-3).

    The commit still runs, because only the publication asks whether the transaction is live; if it
    throws, that is what the caller gets.
    """
    if before.acts_on == "success":
        committed = run_commit(turn, before)
        turn = committed.state
        row = turn.world.transactions[number]
        turn = _with_row(turn, number, replace(row, failure=committed.failure or row.failure))
    return creation_failed(turn, number) if before.stage == "gone" else turn


def settled_with(turn: Turn, number: int) -> Settle:
    """The settlement that hands a published transaction to its caller (TXN-8)."""
    row = turn.world.transactions[number]
    outcome = Published(row.agent, turn.world.agents[row.agent].session)
    return Settle(row.operation, outcome, TransactionRef(number))


def rolled_back(turn: Turn, number: int, failure: Refusal) -> Turn:
    """Tear a failed transaction down; its caller gets the original error (RBK-1, RBK-4)."""
    row = turn.world.transactions[number]
    return begin(_with_row(turn, number, replace(row, failure=failure, commit=None)), number)


def abort(turn: Turn, command: Abort) -> Answer:
    """Abort a creation: it counts until the publication is over (TXN-6, OWN-1, OWN-2)."""
    ref = referent(turn.world, command.operation)
    creates = isinstance(ref, Pending) and ref.creation
    if isinstance(ref, TransactionRef):
        creates = not turn.world.transactions[ref.number].configured
    if not creates:
        return refused(turn, UNBOUND)
    for number, row in enumerate(turn.world.transactions.rows):
        counts = row.stage in ("setting-up", "set-up", "publishing") and row.aborted is None
        if row.operation == command.operation and counts:
            return Answer(aborted(turn, number, reason_of(command)), Done())
    for number, load in enumerate(turn.world.loads.rows):
        if load.operation == command.operation and load.stage != "over":
            return Answer(given_up(turn, number, reason_of(command)), Done())
    ref = referent(turn.world, command.operation)
    late = turn.design.abort_after_return == "tears-down"
    if late and isinstance(ref, TransactionRef) and _is_live(turn, ref.number):
        return Answer(begin(turn, ref.number), Done())
    return Answer(turn, Done())


def reason_of(command: Abort) -> Refusal:
    """What an abort fails a creation with: the caller's error, or one of its own (OWN-2)."""
    return error(command.tag) if command.reason == "error" else Refusal("ABORTED", "OWN-2")


def _is_live(turn: Turn, number: int) -> bool:
    return turn.world.transactions[number].stage == "live"


def aborted(turn: Turn, number: int, reason: Refusal) -> Turn:
    """Let the next liveness check fail, and a setup that is awaited fail now (OWN-2)."""
    row = turn.world.transactions[number]
    turn = _with_row(turn, number, replace(row, aborted=reason))
    waits = turn.design.abort_in_setup == "waits-for-setup"
    if row.stage != "setting-up" or row.calling or waits:
        return turn
    return soon(nobody_waits(turn, number), SetupOver(number, reason))


def configure(turn: Turn, command: Configure) -> Answer:
    """Create an agent in one turn; a failure returns before it is rolled back (TXN-11)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    slot = turn.world.slot
    if slot is None or turn.world.owners[slot].kind != "factory":
        return refused(turn, Refusal("NO_FACTORY", "OWN-4"))
    number = len(turn.world.transactions)
    answer = created_now(turn, command.handle, command.id, command.meta)
    if not isinstance(answer.outcome, Published):
        return answer
    return replace(answer, turn=bind(answer.turn, command.handle, TransactionRef(number)))


def created_now(turn: Turn, operation: Name, session_id: str, meta: Value | None) -> Answer:
    """Create an agent in this turn; a failure is returned before it is rolled back (TXN-11)."""
    answer = prepared(turn, session_id, None, meta, factory_fault(turn))
    if not isinstance(answer.outcome, Made):
        return answer
    turn, number = begun(answer.turn, answer.outcome, operation, owner=None)
    row = turn.world.transactions[number]
    turn = _with_row(turn, number, replace(row, configured=True, stage="publishing"))
    result = published(turn, number)
    turn = result.turn
    if result.failure is not None:
        if turn.design.configured_rollback == "before-return":
            return Answer(torn_down_now(turn, number), result.failure)
        return Answer(begin(turn, number), result.failure)
    live = replace(turn.world.transactions[number], stage="live")
    turn = _with_row(turn, number, live)
    return Answer(turn, Published(row.agent, turn.world.agents[row.agent].session))


@dataclass(frozen=True, slots=True)
class Publication:
    """What a publish program leaves: the turn, and the failure that ended it, if one did."""

    turn: Turn
    failure: Refusal | None = None


def published(turn: Turn, number: int) -> Publication:
    """Run the publish program to its end or to its first failure (TXN-4, TXN-5, TXN-6).

    Its steps yield no disposer of their own: what they enter is recorded in the transaction,
    whose teardown takes it back.
    """
    steps = tuple(partial(publish_step, number=number, step=step) for step in turn.design.publish)
    effect = generator_effect(turn, steps)
    return Publication(effect.state, effect.failure)


def publish_step(turn: Turn, number: int, step: PublishStep) -> Yielded[Turn]:
    """Run one step of the publish program."""
    row = turn.world.transactions[number]
    match step:
        case "commit":
            return run_commit(turn, row)
        case "enter-session":
            return _enter_session(turn, number, row)
        case "enter-agent":
            return _enter_agent(turn, number, row)
        case "announce-session":
            return _yielded(announced(turn, turn.world.agents[row.agent].session))
        case "announce-agent":
            return _yielded(agent_announced(turn, row.agent))
        case "session-start":
            return _session_start(turn, row)
        case "check-live":
            return Yielded(turn, failure=row.aborted)
        case _:
            assert_never(step)


def run_commit(turn: Turn, row: Transaction) -> Yielded[Turn]:
    """Run the commit that the setup returned, once, in the turn of the publication (TXN-3)."""
    if row.commit is None:
        return Yielded(turn)
    turn = observe(turn, Committed(row.operation, alive(turn)))
    ran = commit(turn, row.operation, row.commit, subject_of(turn, row))
    return Yielded(ran.turn, failure=ran.thrown)


def _enter_session(turn: Turn, number: int, row: Transaction) -> Yielded[Turn]:
    session = turn.world.agents[row.agent].session
    fault = enter_fault(turn, session)
    if row.session_entry is not None or fault is not None:
        return Yielded(turn, failure=fault)
    turn, entry = entered(turn, session, scope=row.agent)
    return Yielded(_with_row(turn, number, replace(row, session_entry=entry)))


def _enter_agent(turn: Turn, number: int, row: Transaction) -> Yielded[Turn]:
    fault = enter_agent_fault(turn, row.agent)
    if row.agent_entry is not None or fault is not None:
        return Yielded(turn, failure=fault)
    creator = None if row.owner is None else turn.world.owners[row.owner].agent
    turn, entry = agent_entered(turn, row.agent, creator)
    return Yielded(_with_row(turn, number, replace(row, agent_entry=entry)))


def _session_start(turn: Turn, row: Transaction) -> Yielded[Turn]:
    start: Notice = about(
        turn, row.agent, "agent/session-start", source="resume" if row.resumes else "startup"
    )
    if turn.design.start_failure == "contained":
        return Yielded(containing(turn, start))
    dispatched = stopping(turn, start)
    return Yielded(dispatched.turn, failure=dispatched.failure)


def _yielded(answer: Answer) -> Yielded[Turn]:
    failure = answer.outcome if isinstance(answer.outcome, Refusal) else None
    return Yielded(answer.turn, failure=failure)


def _published_early(turn: Turn, number: int) -> Turn:
    """Enter both objects before the setup, as a design without TXN-2 does."""
    turn = publish_step(turn, number, "enter-session").state
    return publish_step(turn, number, "enter-agent").state


def _with_row(turn: Turn, number: int, row: Transaction) -> Turn:
    return with_world(turn, with_transaction(turn.world, number, row))
