"""The abort signal: what it counts for, and until when (OWN-1, OWN-2)."""

from invariants.aborts import aborted_in_setup, is_over
from invariants.creations import began_as, came_of, commit_of, under_name
from invariants.law import HOLDS, AtEveryObservation, AtEveryStep, Law, Moment, Taken, Violations
from invariants.reading import plain
from model.agent_command import Abort
from model.observation import Committed
from model.referents import TransactionRef
from model.refusal import Refusal
from model.rows import ForSetup
from model.world import referent


def acts_after_return(taken: Taken) -> Violations:
    """What an abort does although the handle was returned before it (OWN-1)."""
    if not _comes_after_return(taken):
        return HOLDS
    wrong = (
        (taken.after != taken.before, "an abort after the handle was returned changes something"),
        (taken.run.seen != (), "something is seen of an abort after the handle was returned"),
    )
    return tuple(text for is_wrong, text in wrong if is_wrong)


def _comes_after_return(taken: Taken) -> bool:
    match plain(taken.command):
        case Abort(operation):
            ref = referent(taken.before, operation)
            return (
                isinstance(ref, TransactionRef)
                and not taken.before.transactions[ref.number].configured
            )
        case _:
            return False


def _meets_what_is_live(taken: Taken) -> bool:
    live = any(row.stage == "live" for row in taken.before.transactions.rows)
    return live and _comes_after_return(taken)


def waits_for_aborted_setup(taken: Taken) -> Violations:
    """A creation that goes on with its setup, or fails with another reason (OWN-2)."""
    number, command = aborted_in_setup(taken), plain(taken.command)
    if number is None or not isinstance(command, Abort):
        return HOLDS
    row, outcome = taken.after.transactions[number], came_of(taken, number)
    thrown = Refusal("THROWN", "RBK-1", command.tag)
    reason = thrown if command.reason == "error" else Refusal("ABORTED", "OWN-2")
    awaited = any(each.awaiter == ForSetup(number) for each in taken.after.suspended)
    wrong = (
        (row.stage == "setting-up", "is still being set up"),
        (awaited, "still waits for its setup"),
        (outcome is None and row.stage == "gone", "is gone, and its caller was not told"),
        (outcome is not None and outcome != reason, f"failed with {outcome}"),
    )
    return tuple(f"{row.operation} was aborted, and {text}" for is_wrong, text in wrong if is_wrong)


def _setup_is_aborted(taken: Taken) -> bool:
    return aborted_in_setup(taken) is not None


def commit_of_aborted(moment: Moment) -> Violations:
    """A commit that runs although its creation was aborted during its setup (OWN-2)."""
    match moment.observation:
        case Committed(operation):
            number = under_name(moment.taken, operation)
        case _:
            return HOLDS
    old = None if number is None else began_as(moment.taken, number)
    left = old is not None and old.stage == "setting-up" and old.aborted is not None
    now = number is not None and aborted_in_setup(moment.taken) == number
    if left or now or is_over(moment.taken, operation):
        return (f"the commit of {operation} runs after its setup was aborted",)
    return HOLDS


def _commit_is_called_off(moment: Moment) -> bool:
    number = aborted_in_setup(moment.taken)
    return number is not None and commit_of(moment.taken, number) is not None


ABORTS = (
    Law(
        "an abort after the handle is returned changes nothing",
        ("OWN-1",),
        AtEveryStep(acts_after_return, _meets_what_is_live),
    ),
    Law(
        "an abort during the setup ends the creation at once and with its reason",
        ("OWN-2",),
        AtEveryStep(waits_for_aborted_setup, _setup_is_aborted),
    ),
    Law(
        "the commit of an aborted setup never runs",
        ("OWN-2",),
        AtEveryObservation(commit_of_aborted, _commit_is_called_off),
    ),
)
