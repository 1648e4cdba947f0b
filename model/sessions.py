"""The session store: enter, announce, detach, create (STO)."""

from dataclasses import replace
from functools import partial

from model import log as logs
from model.dispatch import Notice, containing, propagating, stopping
from model.effect import Yielded, generator_effect
from model.observation import Done, Made
from model.owner import asked_through, disowns, gone, owner_fault, owns
from model.prepare import made, prepared
from model.referents import SessionEntryRef
from model.refusal import Code, Refusal
from model.rows import DetachEffect, SessionEntry
from model.session_command import Announce, Create, Detach, Enter
from model.turn import (
    UNBOUND,
    Answer,
    Turn,
    bind,
    handle_fault,
    refused,
    session_named,
    with_world,
)
from model.world import referent, session_entry_of, session_entry_with_id, with_session_entry


def enter(turn: Turn, command: Enter) -> Answer:
    """Enter a session; of several with one id the first wins (STO-2, STO-3)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    number = session_named(turn, command.session)
    if number is None:
        return refused(turn, UNBOUND)
    fault = enter_fault(turn, number)
    if fault is not None:
        return refused(turn, fault)
    turn, entry = entered(turn, number)
    return Answer(bind(turn, command.handle, SessionEntryRef(entry)), Done())


def enter_fault(turn: Turn, number: int) -> Refusal | None:
    """Why a session cannot be entered now (STO-2, STO-3)."""
    taken = session_entry_with_id(turn.world, turn.world.sessions[number].id)
    if taken is None:
        return None
    if turn.world.session_entries[taken].session == number:
        again = turn.design.sessions.attachment == "any-number"
        also: frozenset[Code] = frozenset(("ALREADY_ATTACHED",))
        return None if again else Refusal("ID_TAKEN", "STO-3", also=also)
    if turn.design.sessions.collision == "at-enter":
        return Refusal("ID_TAKEN", "STO-2")
    return None


def entered(turn: Turn, number: int, scope: int | None = None) -> tuple[Turn, int]:
    """Add a live entry for a session."""
    world = turn.world
    entry = len(world.session_entries)
    store = world.store
    taken = session_entry_with_id(world, world.sessions[number].id)
    if taken is not None and turn.design.sessions.collision == "last-wins":
        store = tuple(each for each in store if each != taken)
    world = replace(
        world,
        session_entries=world.session_entries.add(SessionEntry(number, scope)),
        store=(*store, entry),
    )
    return show_marker(with_world(turn, world), number, scope), entry


def show_marker(turn: Turn, number: int, scope: int | None) -> Turn:
    """Show listeners the marker of a session just entered, as only other designs do (SEED-4)."""
    log = turn.world.sessions[number].log
    if turn.design.marker_seen == "never" or not logs.ends_in_marker(log):
        return turn
    last = log[-1]
    notice = Notice(
        "session/event", session=number, scope=scope, seq=last.seq, type=last.type, data=last.data
    )
    return containing(turn, notice)


def announce(turn: Turn, command: Announce) -> Answer:
    """Announce a live session, once (STO-4, STO-5)."""
    number = session_named(turn, command.session)
    return refused(turn, UNBOUND) if number is None else announced(turn, number)


def announced(turn: Turn, number: int) -> Answer:
    """Dispatch `session/created` for the exact live entry of a session (STO-4, STO-5, STO-7)."""
    entry = session_entry_of(turn.world, number)
    if entry is None:
        return refused(turn, Refusal("NOT_LIVE", "STO-4"))
    row = turn.world.session_entries[entry]
    if turn.design.sessions.announce_again == "refused" and (row.announced or row.announcing):
        return refused(turn, Refusal("ALREADY_ANNOUNCED", "STO-4"))
    marked = turn.design.sessions.announced == "before-dispatch"
    turn = _with_entry(turn, entry, replace(row, announced=marked, announcing=True))
    created = Notice("session/created", session=number, scope=row.scope)
    dispatched = propagating(turn, created, turn.design.sessions)
    turn = dispatched.turn
    row = turn.world.session_entries[entry]
    announced_now = marked or dispatched.failure is None
    turn = _with_entry(turn, entry, replace(row, announcing=False, announced=announced_now))
    turn = pay_detach(turn, entry)
    if dispatched.failure is None or turn.design.sessions.created_veto == "contained":
        return Answer(turn, Done())
    return refused(turn, dispatched.failure)


def detach(turn: Turn, command: Detach) -> Answer:
    """Call a session entry's detach (STO-6, STO-7)."""
    ref = referent(turn.world, command.entry)
    if not isinstance(ref, SessionEntryRef):
        return refused(turn, UNBOUND)
    return Answer(turn if ref.number is None else detached(turn, ref.number), Done())


def detached(turn: Turn, entry: int) -> Turn:
    """Use the single shot of a detach: at once, or when the entry's dispatch unwinds (STO-7)."""
    row = turn.world.session_entries[entry]
    if row.detach_called and turn.design.sessions.detach_removes == "its-entry":
        return turn
    busy = row.announcing or row.appending
    owed = busy and turn.design.sessions.detach_in_dispatch == "deferred"
    turn = _with_entry(turn, entry, replace(row, detach_called=True, detach_owed=owed))
    return turn if owed else removed(turn, entry)


def pay_detach(turn: Turn, entry: int) -> Turn:
    """Do a detach that was put off, once no dispatch of the entry runs (STO-7)."""
    row = turn.world.session_entries[entry]
    if not row.detach_owed or row.announcing or row.appending:
        return turn
    return removed(_with_entry(turn, entry, replace(row, detach_owed=False)), entry)


def removed(turn: Turn, entry: int) -> Turn:
    """Take an entry out of the store and dispatch its disposal (STO-6, STO-8)."""
    row = turn.world.session_entries[entry]
    target: int | None = entry if entry in turn.world.store else None
    if turn.design.sessions.detach_removes == "whoever-has-the-id":
        target = session_entry_with_id(turn.world, turn.world.sessions[row.session].id)
    if target is None:
        return turn
    store = tuple(each for each in turn.world.store if each != target)
    freed = turn.world.sessions[row.session].id
    kept = turn.world.reserved
    if turn.design.sessions.collision == "at-prepare":
        kept = tuple(each for each in kept if each != freed)
    turn = with_world(turn, replace(turn.world, store=store, reserved=kept))
    return disposed(turn, target)


def disposed(turn: Turn, entry: int) -> Turn:
    """Dispatch `session/disposed` for an entry whose announcement began (STO-8, RBK-7)."""
    row = turn.world.session_entries[entry]
    seen = turn.design.sessions.disposal_seen
    if seen == "never" or (seen == "when-announced" and not row.announced):
        return turn
    notice = Notice("session/disposed", session=row.session, scope=row.scope)
    if turn.design.sessions.disposed_failure == "contained":
        return containing(turn, notice)
    return stopping(turn, notice).turn


def create(turn: Turn, command: Create) -> Answer:
    """Prepare, then enter with the detach recorded before the announcement (STO-9)."""
    owner = asked_through(turn, command.handle, command.owner)
    if isinstance(owner, Refusal):
        return refused(turn, owner)
    inactive = owner_fault(turn, owner)
    answer = prepared(turn, command.id, command.seed, command.meta, inactive)
    if not isinstance(answer.outcome, Made):
        return Answer(turn, answer.outcome) if gone(turn, owner) else answer
    return created(answer.turn, command.handle, answer.outcome.session, owner)


def created(turn: Turn, handle: str, number: int, owner: int | None) -> Answer:
    """Publish a prepared session as one effect of its owner (STO-9, OWN-3)."""
    records = DetachEffect(len(turn.world.session_entries))
    effect = generator_effect(
        owns(turn, owner, records), create_steps(turn, number, scope_of(turn, owner))
    )
    turn = effect.state
    if effect.failure is not None:
        return refused(disowns(turn, owner, records), effect.failure)
    return made(turn, handle, number)


def scope_of(turn: Turn, owner: int | None) -> int | None:
    """The agent in whose scope an owner's sessions are, if it is an agent's scope."""
    return None if owner is None else turn.world.owners[owner].agent


def create_steps(
    turn: Turn,
    number: int,
    scope: int | None,
) -> tuple[partial[Yielded[Turn]], ...]:
    """The steps of the create effect, in the order that the design chose (STO-9)."""
    entry = len(turn.world.session_entries)
    enters = partial(_enter_step, number=number, scope=scope)
    records = partial(_record_step, entry=entry)
    announces = partial(_announce_step, number=number)
    if turn.design.create_records_detach == "before-announce":
        return (enters, records, announces)
    return (enters, announces, records)


def _enter_step(turn: Turn, number: int, scope: int | None) -> Yielded[Turn]:
    fault = enter_fault(turn, number)
    return Yielded(turn, failure=fault) if fault else Yielded(entered(turn, number, scope)[0])


def _record_step(turn: Turn, entry: int) -> Yielded[Turn]:
    return Yielded(turn, disposer=partial(detached, entry=entry))


def _announce_step(turn: Turn, number: int) -> Yielded[Turn]:
    answer = announced(turn, number)
    failure = answer.outcome if isinstance(answer.outcome, Refusal) else None
    return Yielded(answer.turn, failure=failure)


def _with_entry(turn: Turn, entry: int, row: SessionEntry) -> Turn:
    return with_world(turn, with_session_entry(turn.world, entry, row))
