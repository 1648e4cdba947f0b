"""Announcements and disposals: which are seen, of what, and when (STO-4 to 8, REG-4 to 8)."""

from functools import partial

from invariants.collection import AGENTS, SESSIONS, Side, entry_of, meant
from invariants.law import (
    HOLDS,
    AtEveryObservation,
    AtEveryStep,
    Law,
    Moment,
    Monitor,
    OverHistory,
    Taken,
    Violations,
    reading,
    watched,
)
from invariants.reading import codes, doings, heard, plain, script_of, subject_of
from model.agent_command import AnnounceAgent, DetachAgent
from model.command import Rejects, Single, Throws
from model.observation import Heard
from model.refusal import Refusal
from model.session_command import Announce, Create, Detach
from model.world import World

Pairs = tuple[int, ...]
"""The objects whose created event was seen and whose disposed event was not, sorted."""


def _announced(side: Side, world: World) -> Pairs:
    rows = side.entries(world)
    numbers = (side.object_of(world, entry) for entry in side.live(world) if rows[entry].announced)
    return tuple(sorted(numbers))


def _pair(side: Side, memory: Pairs, moment: Moment) -> tuple[Pairs, Violations]:
    match moment.observation:
        case Heard(listener="watch", event=event) as seen if event == side.created:
            number = side.carried(seen)
            if number is None or number in memory:
                return memory, (f"again: {side.noun} {number} is created twice",)
            return tuple(sorted((*memory, number))), HOLDS
        case Heard(listener="watch", event=event) as seen if event == side.disposed:
            number = side.carried(seen)
            if number not in memory:
                return memory, (f"unpaired: {side.noun} {number} was never created",)
            return tuple(each for each in memory if each != number), HOLDS
        case _:
            return memory, HOLDS


def _unlike(side: Side, memory: Pairs, world: Pairs) -> Violations:
    missing = tuple(
        f"missing: {side.noun} {each} was created, is gone, and was never disposed"
        for each in sorted(set(memory) - set(world))
    )
    unseen = tuple(
        f"unseen: {side.noun} {each} counts as announced, and was never created"
        for each in sorted(set(world) - set(memory))
    )
    return (*missing, *unseen)


@reading
def _pairs(side: Side, taken: Taken) -> Violations:
    monitor = Monitor(partial(_announced, side), partial(_pair, side), partial(_unlike, side))
    return watched(monitor, taken)


def pairing(side: Side, kinds: tuple[str, ...], taken: Taken) -> Violations:
    """Where created and disposed events do not pair up, of these kinds (STO-4, STO-8, RBK-7)."""
    return tuple(text for text in _pairs(side, taken) if text.partition(":")[0] in kinds)


def _sees_created(side: Side, taken: Taken) -> bool:
    return bool(heard(taken, side.created))


def _sees_disposed(side: Side, taken: Taken) -> bool:
    return bool(heard(taken, side.disposed))


def seen_of_the_gone(side: Side, moment: Moment) -> Violations:
    """The events that are seen of an object that is not listed at that moment (STO-4, STO-7)."""
    seen = moment.observation
    if not _is_about_the_live(side, moment) or not isinstance(seen, Heard):
        return HOLDS
    number = side.carried(seen)
    if number in side.listed(moment.live):
        return HOLDS
    return (f"{seen.listener} hears {seen.event} of {side.noun} {number}, which is not listed",)


def _is_about_the_live(side: Side, moment: Moment) -> bool:
    seen = moment.observation
    if not isinstance(seen, Heard):
        return False
    return seen.event in (side.created, "session/event") and side.carried(seen) is not None


def still_listed(side: Side, moment: Moment) -> Violations:
    """The object whose disposal is seen while it is listed (STO-8, REG-8)."""
    seen = moment.observation
    if not _first_hears_disposal(side, moment) or not isinstance(seen, Heard):
        return HOLDS
    number = side.carried(seen)
    if number not in side.listed(moment.live):
        return HOLDS
    return (f"{side.disposed} of {side.noun} {number} is seen while it is listed",)


def _first_hears_disposal(side: Side, moment: Moment) -> bool:
    seen = moment.observation
    return isinstance(seen, Heard) and seen.event == side.disposed and seen.listener == "watch"


def gone_inside_dispatch(side: Side, taken: Taken) -> Violations:
    """The objects that a script sees gone while it handles their own event (STO-7, REG-7)."""
    return tuple(
        f"{side.noun} {number} is gone while its {event.event} is dispatched"
        for doing in doings(taken)
        for event in doing.inside
        if event.event in (side.created, "session/event")
        if (number := side.carried(event)) is not None
        if number not in side.listed(doing.observation.live)
    )


def _detaches_inside_dispatch(side: Side, taken: Taken) -> bool:
    kinds = (Detach,) if side is SESSIONS else (DetachAgent,)
    return any(
        isinstance(doing.action, kinds)
        and doing.inside[-1].event in (side.created, "session/event")
        for doing in doings(taken)
    )


def announced_again(side: Side, taken: Taken) -> Violations:
    """The second announcements of one entry that were not refused (STO-4, REG-4)."""
    again = f"{side.prefix}ALREADY_ANNOUNCED"
    first = _announces_again(side, taken) and again not in codes(taken.run.outcome)
    inside = tuple(
        f"{side.noun} {side.carried(doing.inside[-1])} is announced inside its announcement"
        for doing in doings(taken)
        if doing.inside[-1].event == side.created and doing.outcome is not None
        if _announces_its_own(side, taken, doing.action, doing.inside[-1])
        if again not in codes(doing.outcome)
    )
    return (*((f"an announced {side.noun} is announced again",) if first else ()), *inside)


def _announces_again(side: Side, taken: Taken) -> bool:
    match plain(taken.command):
        case Announce(handle) if side is SESSIONS:
            pass
        case AnnounceAgent(handle) if side is AGENTS:
            pass
        case _:
            return False
    number = meant(side, taken.before, handle)
    entry = None if number is None else entry_of(side, taken.before, number)
    return entry is not None and side.entries(taken.before)[entry].announced


def _announces_its_own(side: Side, taken: Taken, action: Single | None, event: Heard) -> bool:
    match action:
        case Announce(handle) if side is SESSIONS:
            pass
        case AnnounceAgent(handle) if side is AGENTS:
            pass
        case _:
            return False
    subject = subject_of(taken, event)
    return meant(side, taken.before, handle, subject) == side.carried(event)


def vetoes(side: Side, taken: Taken) -> Violations:
    """What becomes of a created listener's failure otherwise than it should (STO-5, REG-5)."""
    ending = _failing(side, taken)
    if ending is None:
        return HOLDS
    vetoed = taken.run.outcome == Refusal("THROWN", "RBK-1", ending.tag)
    if isinstance(ending, Throws) and not vetoed:
        return (f"a {side.created} listener throws {ending.tag!r}, and the caller does not get it",)
    if isinstance(ending, Rejects) and vetoed:
        return (f"a {side.created} listener rejects late, and the caller gets it",)
    return HOLDS


def _failing(side: Side, taken: Taken) -> Throws | Rejects | None:
    """How the reaction to the command's own announcement fails, if it does."""
    match plain(taken.command):
        case Announce() | Create() if side is SESSIONS:
            pass
        case AnnounceAgent() if side is AGENTS:
            pass
        case _:
            return None
    script = script_of(taken.command, side.created)
    if script is None or not heard(taken, side.created):
        return None
    return script.ending if isinstance(script.ending, Throws | Rejects) else None


def _fails(side: Side, taken: Taken) -> bool:
    return _failing(side, taken) is not None


def _laws(side: Side) -> tuple[Law, ...]:
    noun = side.noun
    return (
        Law(
            f"{side.created} is seen at most once for an entry",
            side.clauses(4),
            OverHistory(partial(pairing, side, ("again",)), partial(_sees_created, side)),
        ),
        Law(
            f"{side.disposed} is seen only of what was announced",
            (*side.clauses(8), "RBK-7"),
            OverHistory(partial(pairing, side, ("unpaired",)), partial(_sees_disposed, side)),
        ),
        Law(
            f"what was announced and has left is seen disposed among the {noun}s",
            (*side.clauses(5, 8), "RBK-7"),
            OverHistory(
                partial(pairing, side, ("missing", "unseen")), partial(_sees_disposed, side)
            ),
        ),
        Law(
            f"{side.some} is announced once, also from inside its announcement",
            side.clauses(4),
            AtEveryStep(partial(announced_again, side), partial(_announces_again, side)),
        ),
        Law(
            f"a failure at {side.created} vetoes if it is synchronous, and only then",
            side.clauses(5),
            AtEveryStep(partial(vetoes, side), partial(_fails, side)),
        ),
        Law(
            f"events of {side.some} are seen while it is live",
            side.clauses(4, 7),
            AtEveryObservation(partial(seen_of_the_gone, side), partial(_is_about_the_live, side)),
        ),
        Law(
            f"{side.disposed} is seen once the entry has left",
            side.clauses(8),
            AtEveryObservation(partial(still_listed, side), partial(_first_hears_disposal, side)),
        ),
        Law(
            f"{side.some} stays live while its own dispatch runs",
            side.clauses(7),
            AtEveryStep(
                partial(gone_inside_dispatch, side), partial(_detaches_inside_dispatch, side)
            ),
        ),
    )


EVENTS = (*_laws(SESSIONS), *_laws(AGENTS))
