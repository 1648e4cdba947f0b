"""Aborts in a step: which creations they land in, and while what (TXN-6, OWN-1, OWN-2)."""

from collections.abc import Iterator

from invariants.creations import (
    began_as,
    commit_of,
    is_under_way,
    of_agent,
    publishes,
    setup_of,
    under_name,
)
from invariants.law import Taken, reading
from invariants.reading import doings, outcomes, plain
from model.agent_command import Abort
from model.command import Commit, CreateAgent, Script, Together
from model.observation import Committed, Did, Done, SetUp, Started


@reading
def aborted(taken: Taken) -> tuple[int, ...]:
    """The creations that were aborted before their handle was returned."""
    return tuple(dict.fromkeys(_aborted(taken)))


def _aborted(taken: Taken) -> Iterator[int]:
    number = aborted_in_setup(taken)
    if number is not None:
        yield number
    yield from _in_one_turn(taken)
    yield from _by_its_own_scripts(taken)
    for doing in doings(taken):
        if isinstance(doing.action, Abort) and doing.outcome == Done():
            number = under_name(taken, doing.action.operation)
            if number is not None and publishes(taken, number, doing.inside[-1]):
                yield number


def aborted_in_setup(taken: Taken) -> int | None:
    """The creation whose setup was awaited when the command aborted it, if it did."""
    match plain(taken.command):
        case Abort(operation):
            number = under_name(taken, operation)
            return number if number is not None and is_under_way(taken, number) else None
        case _:
            return None


def _in_one_turn(taken: Taken) -> Iterator[int]:
    """The creations that were aborted in the turn in which they began, or while set up."""
    if not isinstance(taken.command, Together):
        return
    begun: set[str] = set()
    for command, outcome in zip(taken.command.commands, outcomes(taken), strict=True):
        match command, outcome:
            case CreateAgent(handle), Started():
                begun.add(handle)
            case Abort(operation), Done():
                number = under_name(taken, operation)
                if number is None:
                    continue
                if operation in begun or is_under_way(taken, number):
                    yield number
            case _:
                continue


def _by_its_own_scripts(taken: Taken) -> Iterator[int]:
    """The creations that their own setup or commit aborted."""
    for place, each in enumerate(taken.run.seen):
        match each:
            case SetUp(operation, agent):
                number = of_agent(taken.after, agent)
                setup = None if number is None else setup_of(taken, number)
                script: Script | Commit | None = None if setup is None else setup.script
            case Committed(operation):
                number = under_name(taken, operation)
                script = None if number is None else commit_of(taken, number)
            case _:
                continue
        if number is not None and script is not None:
            did = (
                later.outcome
                for later in taken.run.seen[place:]
                if isinstance(later, Did) and later.by == operation
            )
            for action, outcome in zip(script.actions, did, strict=False):
                aborts = isinstance(action, Abort) and action.operation == operation
                if aborts and outcome == Done():
                    yield number


def is_over(taken: Taken, operation: str) -> bool:
    """Whether every creation that went by a name had ended before the step."""
    rows = taken.after.transactions.rows
    return not any(
        row.operation == operation
        and ((old := began_as(taken, number)) is None or old.stage != "gone")
        for number, row in enumerate(rows)
    )
