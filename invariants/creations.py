"""Creation transactions in a step: which observation belongs to which (TXN, RBK).

A client may enter a transaction's objects directly, through its setup or after its end. What then
becomes of them is the client's doing, and the laws of transactions do not judge it: *own* means
that only the transaction's own entries were live.
"""

from collections.abc import Iterator

from invariants.collection import AGENTS, SESSIONS, Side
from invariants.law import Taken, reading
from invariants.reading import is_new, mentioned, plain
from model.agent_command import Configure, Dispose
from model.command import Commit, CreateAgent, Setup
from model.observation import Heard, Outcome, Settled, Unwound
from model.referents import TransactionRef
from model.rows import Transaction
from model.world import World, referent


def of_agent(world: World, agent: int | None) -> int | None:
    """The transaction that made an agent, if one did."""
    return None if agent is None else world.agents[agent].transaction


def of_session(world: World, session: int | None) -> int | None:
    """The transaction that made a session, if one did."""
    makers = (
        row.transaction
        for row in world.agents.rows
        if row.session == session and row.transaction is not None
    )
    return next(makers, None)


def session_of(world: World, transaction: int) -> int:
    """The session that a transaction made."""
    return world.agents[world.transactions[transaction].agent].session


def under_name(taken: Taken, operation: str) -> int | None:
    """The transaction that an operation is the name of, if only one was so named in the step."""
    found = [
        number
        for number, row in enumerate(taken.after.transactions.rows)
        if row.operation == operation
        and (is_new(taken, number) or taken.before.transactions[number].stage != "gone")
    ]
    return found[0] if len(found) == 1 else None


def publishes(taken: Taken, transaction: int, event: Heard) -> bool:
    """Whether an event is one of those with which a transaction's objects are published."""
    match event:
        case Heard(event="session/created", session=session):
            return session == session_of(taken.after, transaction)
        case Heard(event="agent/created" | "agent/session-start", agent=agent):
            return agent == taken.after.transactions[transaction].agent
        case _:
            return False


def began_as(taken: Taken, transaction: int) -> Transaction | None:
    """A transaction as it was before the step, or None where the step began it."""
    return None if is_new(taken, transaction) else taken.before.transactions[transaction]


def is_under_way(taken: Taken, transaction: int) -> bool:
    """Whether a transaction was being set up before the step."""
    old = began_as(taken, transaction)
    return old is not None and old.stage == "setting-up"


def own_entries_only(side: Side, taken: Taken, number: int) -> bool:
    """Whether no entry of the object but its transaction's was live in the step."""
    world = taken.after
    transaction = of_session(world, number) if side is SESSIONS else of_agent(world, number)
    if transaction is None:
        return False
    row = world.transactions[transaction]
    own = row.session_entry if side is SESSIONS else row.agent_entry
    first_new = len(side.entries(taken.before))
    return all(
        entry == own
        for entry in (*side.live(taken.before), *range(first_new, len(side.entries(world))))
        if side.object_of(world, entry) == number
    )


@reading
def owned(taken: Taken, transaction: int) -> bool:
    """Whether both of a transaction's objects were only ever live through it."""
    world = taken.after
    session = session_of(world, transaction)
    agent = world.transactions[transaction].agent
    return own_entries_only(SESSIONS, taken, session) and own_entries_only(AGENTS, taken, agent)


@reading
def settlements(taken: Taken) -> tuple[tuple[int, Settled], ...]:
    """The settlements of creations whose transaction is known."""
    return tuple(_settlements(taken))


def _settlements(taken: Taken) -> Iterator[tuple[int, Settled]]:
    for each in taken.run.seen:
        number = under_name(taken, each.operation) if isinstance(each, Settled) else None
        if isinstance(each, Settled) and number is not None:
            yield number, each


@reading
def unwindings(taken: Taken) -> tuple[tuple[int, Unwound], ...]:
    """The unwindings of the scopes whose transaction is known."""
    return tuple(_unwindings(taken))


def _unwindings(taken: Taken) -> Iterator[tuple[int, Unwound]]:
    for each in taken.run.seen:
        number = under_name(taken, each.operation) if isinstance(each, Unwound) else None
        if isinstance(each, Unwound) and number is not None:
            yield number, each


def setup_of(taken: Taken, transaction: int) -> Setup | None:
    """The setup that the command gives to a transaction that the step began first."""
    command = plain(taken.command)
    if transaction != len(taken.before.transactions) or not isinstance(command, CreateAgent):
        return None
    named = command.handle == taken.after.transactions[transaction].operation
    return command.setup if named else None


def commit_of(taken: Taken, transaction: int) -> Commit | None:
    """The commit that a transaction had before the step, or that the command gives to it."""
    old = began_as(taken, transaction)
    if old is not None:
        return old.commit
    setup = setup_of(taken, transaction)
    return None if setup is None else setup.commit


def came_of(taken: Taken, transaction: int) -> Outcome | None:
    """What the caller of a creation got for it in the step, if it did."""
    if taken.after.transactions[transaction].configured:
        first = transaction == len(taken.before.transactions)
        return taken.run.outcome if first and _configures(taken) else None
    outcomes = (each.outcome for number, each in settlements(taken) if number == transaction)
    return next(outcomes, None)


def _configures(taken: Taken) -> bool:
    return isinstance(plain(taken.command), Configure)


def disposed_by(taken: Taken, operation: str) -> int | None:
    """The transaction whose teardown an operation awaits, if it is a dispose."""
    for number, row in enumerate(taken.before.transactions.rows):
        if operation in row.disposes:
            return number
    for command in mentioned(taken):
        if isinstance(command, Dispose) and command.handle == operation:
            ref = referent(taken.before, command.agent)
            return ref.number if isinstance(ref, TransactionRef) else None
    return None
