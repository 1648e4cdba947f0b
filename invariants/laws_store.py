"""What only the session store promises: prepare, create, minting, flush (STO-1, 9, 10, 12)."""

from invariants.construction import construction, flaws
from invariants.law import HOLDS, AtEveryStep, Law, Taken, Violations
from invariants.reading import codes, outcome_of, plain, session_meant
from model.agent_command import Configure
from model.command import CreateAgent
from model.observation import Flushed, Heard, Made, Settled
from model.refusal import Refusal
from model.rows import ForFlush
from model.session_command import Create, Flush, Fork, Prepare
from model.world import session_entry_of, session_entry_with_id


def prepared_otherwise(taken: Taken) -> Violations:
    """Whether preparing an id is decided otherwise than by who is live now (STO-1, RBK-5)."""
    asked = _asked_for(taken)
    if asked is None:
        return HOLDS
    outcome = outcome_of(taken, _operation(taken)) or taken.run.outcome
    taken_id = "ID_TAKEN" in codes(outcome)
    if session_entry_with_id(taken.before, asked) is not None:
        return HOLDS if isinstance(outcome, Refusal) else (f"the live id {asked!r} is prepared",)
    if taken_id and isinstance(plain(taken.command), Prepare):
        return (f"the id {asked!r} is not live, and is refused as taken",)
    return HOLDS


def _operation(taken: Taken) -> str:
    command = plain(taken.command)
    return command.handle if isinstance(command, CreateAgent) else ""


def _asked_for(taken: Taken) -> str | None:
    match plain(taken.command):
        case Prepare(_, str(asked)) | Create(_, str(asked)):
            return asked
        case CreateAgent(_, asked) | Configure(_, asked):
            return asked
        case _:
            return None


def _live_id_is_prepared(taken: Taken) -> bool:
    asked = _asked_for(taken)
    return asked is not None and session_entry_with_id(taken.before, asked) is not None


def prepare_publishes(taken: Taken) -> Violations:
    """What a prepare lets anyone see, or holds back (STO-1)."""
    if not _prepares(taken):
        return HOLDS
    wrong = (
        (taken.after.store != taken.before.store, "prepare changes what is live"),
        (taken.run.seen != (), "prepare dispatches something"),
        (taken.after.reserved != taken.before.reserved, "prepare reserves an id"),
    )
    return tuple(text for is_wrong, text in wrong if is_wrong)


def _prepares(taken: Taken) -> bool:
    return isinstance(taken.command, Prepare) and isinstance(taken.run.outcome, Made)


def vetoed_and_live(taken: Taken) -> Violations:
    """An entry that a refused create or fork left live (STO-9)."""
    if not _create_is_vetoed(taken):
        return HOLDS
    entry = len(taken.before.session_entries)
    if entry not in taken.after.store:
        return HOLDS
    return (f"the create was refused, and its entry {entry} is live",)


def _create_is_vetoed(taken: Taken) -> bool:
    created = isinstance(plain(taken.command), Create | Fork)
    entered = len(taken.after.session_entries) > len(taken.before.session_entries)
    return created and entered and isinstance(taken.run.outcome, Refusal)


def minted_and_live(taken: Taken) -> Violations:
    """An id that was minted although it is live (STO-10)."""
    made, outcome = construction(taken), taken.run.outcome
    if made is None or made.id is not None or flaws(made):
        return HOLDS
    if "ID_TAKEN" in codes(outcome):
        return ("the id that was minted is live",)
    if isinstance(outcome, Made) and session_entry_with_id(taken.before, outcome.id) is not None:
        return (f"the id {outcome.id!r} was minted although it is live",)
    return HOLDS


def _next_id_is_live(taken: Taken) -> bool:
    made = construction(taken)
    count = taken.before.minted + 1
    live = session_entry_with_id(taken.before, f"session-{count}") is not None
    return made is not None and made.id is None and live


def impatient_flushes(taken: Taken) -> Violations:
    """The flushes that settled while a listener of theirs still waits (STO-12)."""
    waiting = {
        each.awaiter.operation
        for each in taken.after.suspended
        if isinstance(each.awaiter, ForFlush)
    }
    return tuple(
        f"the flush {each.operation} settled, and one of its listeners still waits"
        for each in taken.run.seen
        if isinstance(each, Settled) and each.operation in waiting
    )


def _flush_waits(taken: Taken) -> bool:
    return any(isinstance(each.awaiter, ForFlush) for each in taken.before.suspended)


def flush_asks_otherwise(taken: Taken) -> Violations:
    """Whether a flush asks others than the listeners there are, or miscounts them (STO-12)."""
    command = taken.command
    if not isinstance(command, Flush) or isinstance(taken.run.outcome, Refusal):
        return HOLDS
    number = session_meant(taken.before, command.session)
    outcome = outcome_of(taken, command.handle)
    if number is None or session_entry_of(taken.before, number) is None:
        refused = outcome is not None and "NOT_LIVE" in codes(outcome)
        return HOLDS if refused else ("a session that is not live is flushed",)
    rows = taken.before.listeners.rows
    wanted = [row.name for row in rows if row.event == "session/flush" and row.scope is None]
    asked = {
        each.listener
        for each in taken.run.seen
        if isinstance(each, Heard) and each.event == "session/flush"
    }
    wrong = (
        (not asked.issuperset(wanted), "a flush does not ask every listener"),
        (
            isinstance(outcome, Flushed) and bool(wanted) and not outcome.participated,
            "a flush says that nobody took part",
        ),
    )
    return tuple(text for is_wrong, text in wrong if is_wrong)


def _live_is_flushed(taken: Taken) -> bool:
    if not isinstance(taken.command, Flush) or isinstance(taken.run.outcome, Refusal):
        return False
    number = session_meant(taken.before, taken.command.session)
    listens = any(row.event == "session/flush" for row in taken.before.listeners.rows)
    return listens and number is not None and session_entry_of(taken.before, number) is not None


STORE = (
    Law(
        "prepare refuses the ids that are live and no others",
        ("STO-1", "RBK-5"),
        AtEveryStep(prepared_otherwise, _live_id_is_prepared),
    ),
    Law(
        "prepare publishes nothing and reserves nothing",
        ("STO-1",),
        AtEveryStep(prepare_publishes, _prepares),
    ),
    Law(
        "a create that is vetoed leaves nothing live",
        ("STO-9",),
        AtEveryStep(vetoed_and_live, _create_is_vetoed),
    ),
    Law("minted ids skip live ones", ("STO-10",), AtEveryStep(minted_and_live, _next_id_is_live)),
    Law(
        "a flush waits for every listener",
        ("STO-12",),
        AtEveryStep(impatient_flushes, _flush_waits),
    ),
    Law(
        "a flush asks every listener of a live session",
        ("STO-12",),
        AtEveryStep(flush_asks_otherwise, _live_is_flushed),
    ),
)
