"""Candidates: every command that the handles of a world and the menus of a scope can spell."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from types import MappingProxyType

from model.agent_command import (
    Abort,
    AnnounceAgent,
    Configure,
    DetachAgent,
    Dispose,
    EnterAgent,
    NewAgent,
    Work,
)
from model.command import (
    CreateAgent,
    Forget,
    Holds,
    Listen,
    Open,
    Resume,
    Setup,
    Single,
    Together,
    Unlisten,
)
from model.owner_command import (
    Boot,
    DisposeFactory,
    DisposeOwner,
    LoadFactory,
    NewOwner,
    SetFactory,
)
from model.referents import (
    AgentEntryRef,
    ListenerRef,
    OwnerRef,
    Pending,
    PreparationRef,
    Referent,
    SessionEntryRef,
    TransactionRef,
)
from model.scope import Kind
from model.session_command import (
    Acquire,
    Announce,
    Append,
    Construct,
    Create,
    Detach,
    Enter,
    Flush,
    Fork,
    Inspect,
    Look,
    Name,
    Prepare,
    ReadStored,
    Release,
    Tamper,
)
from model.turn import handle_fault
from model.view import View, explicit_ids, gates, handles, next_free, owners_to_give


def singles(seen: View, kinds: tuple[Kind, ...]) -> Iterator[Single]:
    """Every candidate of these kinds."""
    for kind in kinds:
        yield from CANDIDATES[kind](seen)


def pairs(seen: View) -> Iterator[Together]:
    """Every pair of candidates that the scope lets a client issue in one turn."""
    for first_kind, second_kind in seen.scope.together:
        for first in CANDIDATES[first_kind](seen):
            later = replace(seen, given=handles(first))
            for second in CANDIDATES[second_kind](later):
                yield Together((first, second))


def _bound_to(seen: View, kind: type[Referent]) -> Iterator[Name]:
    return (name for name, ref in seen.world.bindings if isinstance(ref, kind))


def _construct(seen: View) -> Iterator[Single]:
    menu = seen.scope.menu
    free = next_free(seen, seen.scope.handles.sessions)
    for handle, id_, seed, header in product(free, explicit_ids(seen), menu.seeds, menu.headers):
        yield Construct(handle, id_, seed, header)


def _prepare(seen: View) -> Iterator[Single]:
    menu = seen.scope.menu
    free = next_free(seen, seen.scope.handles.sessions)
    for handle, id_, seed, meta in product(free, menu.ids, menu.seeds, menu.metas):
        yield Prepare(handle, id_, seed, meta)


def _create(seen: View) -> Iterator[Single]:
    menu = seen.scope.menu
    free = next_free(seen, seen.scope.handles.sessions)
    for handle, id_, seed, meta in product(free, menu.ids, menu.seeds, menu.metas):
        for owner in owners_to_give(seen):
            yield Create(handle, id_, seed, meta, owner)


def _fork(seen: View) -> Iterator[Single]:
    menu = seen.scope.menu
    free = next_free(seen, seen.scope.handles.sessions)
    for handle, boundary, id_ in product(free, menu.boundaries, menu.ids):
        for source in seen.sessions:
            yield Fork(handle, source=source, boundary=boundary, id=id_)
        for source_id in explicit_ids(seen):
            yield Fork(handle, source_id=source_id, boundary=boundary, id=id_)


def _enter(seen: View) -> Iterator[Single]:
    for handle, session in product(next_free(seen, seen.scope.handles.entries), seen.sessions):
        yield Enter(handle, session)


def _announce(seen: View) -> Iterator[Single]:
    return (Announce(session) for session in seen.sessions)


def _detach(seen: View) -> Iterator[Single]:
    return (Detach(name) for name in _bound_to(seen, SessionEntryRef))


def _append(seen: View) -> Iterator[Single]:
    for session, (type_, data) in product(seen.sessions, seen.scope.menu.events):
        yield Append(session, type_, data)


def _flush(seen: View) -> Iterator[Single]:
    for handle, session in product(next_free(seen, seen.scope.handles.operations), seen.sessions):
        yield Flush(handle, session)


def _acquire(seen: View) -> Iterator[Single]:
    for handle, session in product(next_free(seen, seen.scope.handles.preparations), seen.sessions):
        yield Acquire(handle, session)


def _release(seen: View) -> Iterator[Single]:
    return (Release(name) for name in _bound_to(seen, PreparationRef))


def _inspect(seen: View) -> Iterator[Single]:
    return (Inspect(session) for session in seen.sessions)


def _look(seen: View) -> Iterator[Single]:
    return (Look(each) for each in explicit_ids(seen))


def _tamper(seen: View) -> Iterator[Single]:
    for session, place in product(seen.sessions, seen.scope.menu.places):
        yield Tamper(session, place)


def _listen(seen: View) -> Iterator[Single]:
    free = next_free(seen, seen.scope.handles.listeners)
    for handle, item in product(free, seen.scope.menu.listeners):
        for agent in seen.published if item.scoped else (None,):
            yield Listen(handle, item.event, item.script, agent=agent)


def _unlisten(seen: View) -> Iterator[Single]:
    return (Unlisten(name) for name in _bound_to(seen, ListenerRef))


def _new_agent(seen: View) -> Iterator[Single]:
    free = next_free(seen, seen.scope.handles.agents)
    for handle, id_, session in product(free, explicit_ids(seen), seen.sessions):
        yield NewAgent(handle, id_, session)


def _enter_agent(seen: View) -> Iterator[Single]:
    free = next_free(seen, seen.scope.handles.agent_entries)
    for handle, agent, owner in product(free, seen.agents, (None, *seen.agents)):
        if owner != agent:
            yield EnterAgent(handle, agent, owner)


def _announce_agent(seen: View) -> Iterator[Single]:
    return (AnnounceAgent(agent) for agent in seen.agents)


def _detach_agent(seen: View) -> Iterator[Single]:
    return (DetachAgent(name) for name in _bound_to(seen, AgentEntryRef))


def _create_agent(seen: View) -> Iterator[Single]:
    menu = seen.scope.menu
    free = next_free(seen, seen.scope.handles.creations)
    setups = tuple(setup for setup in menu.setups if _may_wait(seen, setup))
    for handle, id_, seed, meta in product(free, explicit_ids(seen), menu.seeds, menu.metas):
        for setup, owner in product(setups, owners_to_give(seen)):
            yield CreateAgent(handle, id_, seed, meta, setup, owner)


def _resume(seen: View) -> Iterator[Single]:
    menu = seen.scope.menu
    free = next_free(seen, seen.scope.handles.creations)
    setups = tuple(setup for setup in menu.setups if _may_wait(seen, setup))
    for handle, id_, setup, gate in product(free, explicit_ids(seen), setups, menu.load_gates):
        if gate is None or gate in gates(seen):
            yield Resume(handle, id_, setup, gate=gate)


def _read_stored(seen: View) -> Iterator[Single]:
    return (ReadStored(each) for each in explicit_ids(seen))


def _boot(seen: View) -> Iterator[Single]:
    return iter(seen.scope.menu.boots)


def _may_wait(seen: View, setup: Setup | None) -> bool:
    match setup:
        case Setup(script) if isinstance(script.ending, Holds):
            return script.ending.gate in gates(seen)
        case _:
            return True


def _abort(seen: View) -> Iterator[Single]:
    for name, ref in seen.world.bindings:
        if isinstance(ref, TransactionRef) or ref == Pending(creation=True):
            yield Abort(name, seen.scope.menu.tag)


def _configure(seen: View) -> Iterator[Single]:
    free = next_free(seen, seen.scope.handles.creations)
    for handle, id_, meta in product(free, explicit_ids(seen), seen.scope.menu.metas):
        yield Configure(handle, id_, meta)


def _dispose(seen: View) -> Iterator[Single]:
    for handle, agent in product(next_free(seen, seen.scope.handles.operations), seen.published):
        yield Dispose(handle, agent)


def _work(seen: View) -> Iterator[Single]:
    free = next_free(seen, seen.scope.handles.operations)
    for handle, agent, gate in product(free, seen.published, gates(seen)):
        yield Work(handle, agent, gate)


def _open(seen: View) -> Iterator[Single]:
    return (Open(gate) for gate in gates(seen) if gate not in seen.world.gates)


def _new_owner(seen: View) -> Iterator[Single]:
    for handle, owner in product(next_free(seen, seen.scope.handles.owners), owners_to_give(seen)):
        yield NewOwner(handle, owner)


def _dispose_owner(seen: View) -> Iterator[Single]:
    for handle, owner in product(
        next_free(seen, seen.scope.handles.operations), _bound_to(seen, OwnerRef)
    ):
        yield DisposeOwner(handle, owner)


def _dispose_factory(seen: View) -> Iterator[Single]:
    return (DisposeFactory(handle) for handle in next_free(seen, seen.scope.handles.operations))


def _load_factory(seen: View) -> Iterator[Single]:
    return (LoadFactory(handle) for handle in next_free(seen, seen.scope.handles.operations))


def _set_factory(seen: View) -> Iterator[Single]:
    return (SetFactory(owner) for owner in _bound_to(seen, OwnerRef))


def _forget(seen: View) -> Iterator[Single]:
    for name, _ in seen.world.bindings:
        if handle_fault(seen.world, name) is None:
            yield Forget(name)


CANDIDATES: Mapping[Kind, Callable[[View], Iterator[Single]]] = MappingProxyType(
    {
        Construct: _construct,
        Prepare: _prepare,
        Enter: _enter,
        Announce: _announce,
        Detach: _detach,
        Create: _create,
        Fork: _fork,
        Append: _append,
        Flush: _flush,
        Acquire: _acquire,
        Release: _release,
        Inspect: _inspect,
        Look: _look,
        Tamper: _tamper,
        Listen: _listen,
        Unlisten: _unlisten,
        NewAgent: _new_agent,
        EnterAgent: _enter_agent,
        AnnounceAgent: _announce_agent,
        DetachAgent: _detach_agent,
        CreateAgent: _create_agent,
        Abort: _abort,
        Configure: _configure,
        Dispose: _dispose,
        Work: _work,
        Open: _open,
        NewOwner: _new_owner,
        DisposeOwner: _dispose_owner,
        DisposeFactory: _dispose_factory,
        LoadFactory: _load_factory,
        SetFactory: _set_factory,
        Forget: _forget,
        Resume: _resume,
        ReadStored: _read_stored,
        Boot: _boot,
    },
)
"""How the candidates of each kind are spelled."""
