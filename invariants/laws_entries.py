"""Entries: who is live, in which order, and how an entry ends (STO-2, 3, 6, 11, REG-2, 3, 6, 9)."""

from functools import partial

from invariants.collection import AGENTS, SESSIONS, Side, left, meant
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
from invariants.reading import codes, plain
from model.agent_command import DetachAgent, EnterAgent
from model.enabled import nameless
from model.referents import AgentEntryRef, SessionEntryRef
from model.session_command import Detach, Enter
from model.world import World, referent


def shared_ids(side: Side, world: World) -> Violations:
    """The ids that several live entries hold (STO-2, REG-2)."""
    ids = [side.id_of(world, side.object_of(world, entry)) for entry in side.live(world)]
    return tuple(
        f"id {each!r} is live twice" for each in sorted({i for i in ids if ids.count(i) > 1})
    )


def _two_live(side: Side, world: World) -> bool:
    return len(side.live(world)) > 1


def listed_twice(side: Side, moment: Moment) -> Violations:
    """The objects that a collection lists more than once (STO-3, REG-3)."""
    listed = side.listed(moment.live)
    if len(set(listed)) == len(listed):
        return HOLDS
    world = moment.taken.after
    return tuple(
        f"{side.named(world, number)} is listed {listed.count(number)} times"
        for number in sorted(set(listed))
        if listed.count(number) > 1
    )


def _lists_something(side: Side, moment: Moment) -> bool:
    return bool(side.listed(moment.live))


def left_otherwise(side: Side, taken: Taken) -> Violations:
    """The entries that left although their detach was not called (STO-2, STO-6)."""
    rows = side.entries(taken.after)
    return tuple(
        f"{_entry(side, taken, entry)} left, and its own detach was not called"
        for entry in left(side, taken)
        if not rows[entry].detach_called
    )


def _some_entry_left(side: Side, taken: Taken) -> bool:
    return any(True for _ in left(side, taken))


def came_back(side: Side, taken: Taken) -> Violations:
    """The entries that are live again after they had left (STO-6)."""
    old = range(len(side.entries(taken.before)))
    was = side.live(taken.before)
    return tuple(
        f"{_entry(side, taken, entry)} is live again"
        for entry in side.live(taken.after)
        if entry in old and entry not in was
    )


def stale_detach_removes(side: Side, taken: Taken) -> Violations:
    """What a detach took out although its own entry had left before (STO-6)."""
    if not _detach_is_stale(side, taken):
        return HOLDS
    return tuple(
        f"a stale detach took out {_entry(side, taken, entry)}" for entry in left(side, taken)
    )


def _detach_is_stale(side: Side, taken: Taken) -> bool:
    match taken.command:
        case Detach(handle) | DetachAgent(handle):
            ref = referent(taken.before, handle)
        case _:
            return False
    mine = SessionEntryRef if side is SESSIONS else AgentEntryRef
    return isinstance(ref, mine) and ref.number not in side.live(taken.before)


def second_entered(side: Side, taken: Taken) -> Violations:
    """Whether entering was decided otherwise than by who is live (STO-2, STO-3, REG-2, REG-3)."""
    number = _entering(side, taken)
    if number is None:
        return HOLDS
    name = side.named(taken.before, number)
    if _id_is_live(side, taken, number):
        refused = f"{side.prefix}ID_TAKEN" in codes(taken.run.outcome)
        return HOLDS if refused else (f"{name} enters although its id is live",)
    if f"{side.prefix}ID_TAKEN" in codes(taken.run.outcome):
        return (f"{name} is refused although its id is free",)
    return HOLDS


def _entering(side: Side, taken: Taken) -> int | None:
    """The object that the command enters, if that is what it does and its handles are right."""
    match None if nameless(taken.run.outcome) else plain(taken.command):
        case Enter(_, handle) if side is SESSIONS:
            return meant(side, taken.before, handle)
        case EnterAgent(_, handle) if side is AGENTS:
            return meant(side, taken.before, handle)
        case _:
            return None


def _id_is_live(side: Side, taken: Taken, number: int) -> bool:
    world = taken.before
    ids = {side.id_of(world, side.object_of(world, entry)) for entry in side.live(world)}
    return side.id_of(world, number) in ids


def _second_enters(side: Side, taken: Taken) -> bool:
    number = _entering(side, taken)
    return number is not None and _id_is_live(side, taken, number)


def _entry(side: Side, taken: Taken, entry: int) -> str:
    number = side.object_of(taken.after, entry)
    return f"entry {entry} of {side.named(taken.after, number)}"


def out_of_order(side: Side, taken: Taken) -> Violations:
    """Whether the collection lists its live entries otherwise than in entry order (STO-11)."""
    after = side.live(taken.after)
    kept = tuple(entry for entry in side.live(taken.before) if entry in after)
    added = tuple(entry for entry in after if entry not in kept)
    listed = side.listed(taken.run.live)
    in_order = (*kept, *sorted(added))
    if listed == tuple(side.object_of(taken.after, entry) for entry in in_order):
        return HOLDS
    return (f"{side.noun}s {listed} are listed, in another order than entered",)


def _several_listed(side: Side, taken: Taken) -> bool:
    return len(side.listed(taken.run.live)) > 1


def _laws(side: Side) -> tuple[Law, ...]:
    noun = side.noun
    return (
        Law(
            f"no two live {noun}s share an id",
            side.clauses(2),
            Always(partial(shared_ids, side), partial(_two_live, side)),
        ),
        Law(
            f"{side.some} is listed at most once",
            side.clauses(3),
            AtEveryObservation(partial(listed_twice, side), partial(_lists_something, side)),
        ),
        Law(
            f"the first {noun} to enter an id keeps it",
            side.clauses(2, 3),
            AtEveryStep(partial(second_entered, side), partial(_second_enters, side)),
        ),
        Law(
            f"{side.some}'s entry leaves only by its own detach",
            side.clauses(2, 6),
            AtEveryStep(partial(left_otherwise, side), partial(_some_entry_left, side)),
        ),
        Law(
            f"{side.some}'s entry that has left never comes back",
            side.clauses(6),
            AtEveryStep(partial(came_back, side), partial(_some_entry_left, side)),
        ),
        Law(
            f"a stale detach never removes a successor among the {noun}s",
            side.clauses(6),
            AtEveryStep(partial(stale_detach_removes, side), partial(_detach_is_stale, side)),
        ),
        Law(
            f"{noun}s are listed in entry order",
            ("STO-11" if side is SESSIONS else "REG-9",),
            AtEveryStep(partial(out_of_order, side), partial(_several_listed, side)),
        ),
    )


ENTRIES = (*_laws(SESSIONS), *_laws(AGENTS))
