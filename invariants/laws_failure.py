"""Failures of a creation: whatever fails, the caller gets that very error (RBK-1)."""

from collections.abc import Iterator

from invariants.creations import (
    came_of,
    commit_of,
    of_agent,
    of_session,
    owned,
    setup_of,
    under_name,
)
from invariants.law import AtEveryStep, Law, Taken, Violations
from invariants.reading import codes, heard, mentioned, script_of
from model.agent_command import Abort
from model.command import Rejects, Throws
from model.observation import Committed, Outcome, SetUp
from model.refusal import Refusal


def other_errors(taken: Taken) -> Violations:
    """The creations whose caller gets another error than the first one that was thrown (RBK-1).

    One whose owner or factory went meanwhile fails with that instead (OWN-3, OWN-4).
    """
    return tuple(
        f"{text} threw {tag!r}, and the caller got {outcome}"
        for text, tag, outcome in _failures(taken)
        if outcome is not None and outcome != Refusal("THROWN", "RBK-1", tag)
        if not codes(outcome) & {"OWNER_DISPOSED", "INACTIVE"}
    )


def _failures(taken: Taken) -> Iterator[tuple[str, str, Outcome | None]]:
    """What failed in a creation, with what, and what its caller got in the same step."""
    if any(isinstance(each, Abort) for each in mentioned(taken)):
        return
    for each in taken.run.seen:
        match each:
            case SetUp(_, agent):
                number = of_agent(taken.after, agent)
                failing = _setup_fails(taken, number)
                text = "the setup"
            case Committed(operation):
                number = under_name(taken, operation)
                failing = _commit_fails(taken, number)
                text = "the commit"
            case _:
                continue
        if number is not None and failing is not None:
            yield text, failing, came_of(taken, number)
    yield from _vetoed(taken)


def _setup_fails(taken: Taken, number: int | None) -> str | None:
    setup = None if number is None else setup_of(taken, number)
    ending = None if setup is None else setup.script.ending
    return ending.tag if isinstance(ending, Throws | Rejects) else None


def _commit_fails(taken: Taken, number: int | None) -> str | None:
    made = None if number is None else commit_of(taken, number)
    return made.ending.tag if made is not None and isinstance(made.ending, Throws) else None


def _vetoed(taken: Taken) -> Iterator[tuple[str, str, Outcome | None]]:
    """A created listener's failure during a publication, and what the caller got."""
    script = script_of(taken.command, "session/created")
    event = next(iter(heard(taken, "session/created")), None)
    if script is None or event is None or not isinstance(script.ending, Throws):
        return
    number = of_session(taken.after, event.session)
    if number is None or not owned(taken, number):
        return
    yield "a session/created listener", script.ending.tag, came_of(taken, number)


def _something_fails(taken: Taken) -> bool:
    return any(True for _ in _failures(taken))


FAILURE = (
    Law(
        "the caller of a failed creation gets the original error",
        ("RBK-1", "TXN-3"),
        AtEveryStep(other_errors, _something_fails),
    ),
)
