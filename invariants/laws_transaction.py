"""What a transaction lives through: aborts, failures, rivals (TXN-6, 7, 9, 10, 11)."""

from invariants.aborts import aborted
from invariants.creations import came_of, of_agent
from invariants.law import (
    HOLDS,
    Always,
    AtEveryObservation,
    AtEveryStep,
    Law,
    Moment,
    Taken,
    Violations,
)
from invariants.reading import agent_name, heard, mentioned, script_of
from model.agent_command import Abort, Configure
from model.command import Throws, Together
from model.observation import All, Found, Heard, Published
from model.refusal import Refusal
from model.session_command import Look
from model.world import World


def aborted_and_published(taken: Taken) -> Violations:
    """The creations that were aborted before their handle was returned, and published (TXN-6)."""
    return tuple(
        f"{taken.after.transactions[number].operation} was aborted, and is published"
        for number in aborted(taken)
        if isinstance(came_of(taken, number), Published)
    )


def _abort_lands(taken: Taken) -> bool:
    return bool(aborted(taken))


def start_vetoes(taken: Taken) -> Violations:
    """The creation that failed with what a session-start listener threw (TXN-7)."""
    failing = _failing_start(taken)
    if failing is None:
        return HOLDS
    number, tag = failing
    vetoed = came_of(taken, number) == Refusal("THROWN", "RBK-1", tag)
    return ("a session-start listener's failure vetoes",) if vetoed else HOLDS


def _failing_start(taken: Taken) -> tuple[int, str] | None:
    """The transaction whose session-start `watch` fails, and the tag of the failure."""
    script = script_of(taken.command, "agent/session-start")
    event = next(iter(heard(taken, "agent/session-start")), None)
    if script is None or event is None or not isinstance(script.ending, Throws):
        return None
    tag = script.ending.tag
    number = of_agent(taken.after, event.agent)
    confused = any(isinstance(each, Abort) and each.tag == tag for each in mentioned(taken))
    return None if number is None or confused else (number, tag)


def _start_fails(taken: Taken) -> bool:
    return _failing_start(taken) is not None


def started_otherwise(moment: Moment) -> Violations:
    """A session-start that does not say whether the agent was created or resumed (TXN-7)."""
    match moment.observation:
        case Heard(event="agent/session-start", agent=int(agent), source=source):
            loaded = moment.taken.after.sessions[moment.taken.after.agents[agent].session].first
            fits = source == ("startup" if loaded is None else "resume")
            return HOLDS if fits else (f"agent {agent} starts as {source!r}",)
        case _:
            return HOLDS


def _starts(moment: Moment) -> bool:
    match moment.observation:
        case Heard(event="agent/session-start"):
            return True
        case _:
            return False


def half_live(world: World) -> Violations:
    """The live transactions that have lost an entry (TXN-9, TXN-10, RBK-8)."""
    return tuple(
        f"{agent_name(world, row.agent)} is {row.stage}, and {text}"
        for row in world.transactions.rows
        if row.stage in ("live", "draining", "unwinding")
        for text in _lost(world, row.session_entry, row.agent_entry, live=row.stage == "live")
    )


def _lost(world: World, session: int | None, agent: int | None, *, live: bool) -> Violations:
    wrong = (
        (live if session is None else session not in world.store, "its session is not"),
        (live if agent is None else agent not in world.registry, "its agent is not listed"),
    )
    return tuple(text for is_wrong, text in wrong if is_wrong)


def _some_transaction_is_live(world: World) -> bool:
    return any(row.stage == "live" for row in world.transactions.rows)


def rolled_back_before_return(taken: Taken) -> Violations:
    """A failed synchronous creation whose entries were gone when its error came (TXN-11)."""
    found = _found_after_failure(taken)
    if found is None:
        return HOLDS
    wrong = (
        (found.session is None, "its session is gone when the error is returned"),
        (found.agent is None, "its agent is gone when the error is returned"),
    )
    return tuple(text for is_wrong, text in wrong if is_wrong)


def _found_after_failure(taken: Taken) -> Found | None:
    match taken.command, taken.run.outcome:
        case (
            Together((Configure(_, asked), Look(looked))),
            All((Refusal("THROWN"), Found() as found)),
        ) if asked == looked:
            return found
        case _:
            return None


def _configuration_fails(taken: Taken) -> bool:
    return _found_after_failure(taken) is not None


TRANSACTION = (
    Law(
        "an abort before the handle is returned keeps the agent from being published",
        ("TXN-6", "OWN-1"),
        AtEveryStep(aborted_and_published, _abort_lands),
    ),
    Law(
        "a failure at agent/session-start vetoes nothing",
        ("TXN-7",),
        AtEveryStep(start_vetoes, _start_fails),
    ),
    Law(
        "an agent starts as what it is",
        ("TXN-7",),
        AtEveryObservation(started_otherwise, _starts),
    ),
    Law(
        "a live transaction keeps both of its entries",
        ("TXN-9", "TXN-10", "RBK-8"),
        Always(half_live, _some_transaction_is_live),
    ),
    Law(
        "a synchronous creation returns its error before it rolls back",
        ("TXN-11",),
        AtEveryStep(rolled_back_before_return, _configuration_fails),
    ),
)
