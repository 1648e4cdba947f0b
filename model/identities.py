"""Configured agents: who they are, and how a factory that is loaded starts them (IDN)."""

from dataclasses import replace

from model.design import Design
from model.loads import is_live
from model.observation import Booted, Done, Outcome, StartFailed
from model.owner import factory_fault, loaded
from model.owner_command import Boot, ConfiguredAgent, Identity
from model.refusal import Refusal
from model.rows import FACTORY
from model.storage import on_disk
from model.stored import Loading, Start
from model.teardown import unloading
from model.transaction import created_now
from model.turn import (
    Find,
    Load,
    Lookup,
    Settle,
    StartOver,
    Turn,
    Unload,
    alive,
    observe,
    soon,
    with_world,
)
from model.values import EMPTY, Record, Text, record
from model.world import with_owner

Agents = tuple[ConfiguredAgent, ...]


def booted(turn: Turn, boot: Boot) -> Turn:
    """Load the first factory of a process, with the agents of its configuration (IDN-6)."""
    overlay = {row.id: row for row in boot.overlay}
    if turn.design.launcher_applied == "over-overlays":
        rows = identified(
            tuple(overlay.get(row.id, row) for row in boot.agents), boot.identities, turn.design
        )
    else:
        rows = tuple(
            overlay.get(r.id, r) for r in identified(boot.agents, boot.identities, turn.design)
        )
    fault = shape_fault(boot.agents, boot.overlay) or identity_fault(rows, turn.design)
    if fault is not None:
        owners = turn.world.owners.put(0, replace(FACTORY, effects=(), stage="gone"))
        turn = with_world(turn, replace(turn.world, owners=owners, slot=None))
        return replace(turn, booted=fault)
    turn, failure = started(turn, rows)
    if failure is not None:
        turn = soon(unloading(turn, 0), Unload(0))
    outcome: Outcome = Booted() if failure is None else failure
    return replace(turn, booted=outcome)


def load(turn: Turn, task: Load) -> Turn:
    """Register a factory that is loaded, unless there is one; start its agents (OWN-6, IDN-7)."""
    fault = load_fault(turn, task.agents)
    if fault is not None:
        return soon(turn, Settle(task.operation, fault))
    turn, number = loaded(turn, FACTORY)
    turn = with_world(turn, replace(turn.world, slot=number))
    rows = identified(task.agents, turn.world.launcher, turn.design)
    turn, failure = started(turn, rows)
    if failure is None:
        return soon(turn, Settle(task.operation, Done()))
    row = replace(turn.world.owners[number], disposes=(task.operation,), failure=failure)
    turn = with_world(turn, with_owner(turn.world, number, row))
    return soon(unloading(turn, number), Unload(number))


def load_fault(turn: Turn, agents: Agents) -> Refusal | None:
    """Why a factory cannot be loaded with these agents (OWN-6, IDN-3, IDN-4)."""
    slot = turn.world.slot
    taken = Refusal("FACTORY_TAKEN", "OWN-6") if slot is not None else None
    if turn.design.second_factory == "replaces":
        taken = None
    first = taken if slot is not None and turn.world.owners[slot].kind == "factory" else None
    rows = identified(agents, turn.world.launcher, turn.design)
    return shape_fault(agents) or first or identity_fault(rows, turn.design) or taken


def shape_fault(agents: Agents, overlay: Agents = ()) -> Refusal | None:
    """Why a configuration has not the form of one: an exact id is never empty (IDN-3)."""
    replaced = {row.id: row for row in overlay}
    rows = (replaced.get(row.id, row) for row in agents)
    empty = any(row.session_id == "" for row in rows)
    return Refusal("CONFIG_INVALID", "IDN-3") if empty else None


def identified(agents: Agents, launcher: tuple[Identity, ...], design: Design) -> Agents:
    """The configured agents with the identities that their launcher gives them (IDN-1, IDN-2)."""
    given = {identity.agent: identity for identity in launcher}
    return tuple(_identified(row, given.get(row.id), design) if given else row for row in agents)


def _identified(row: ConfiguredAgent, identity: Identity | None, design: Design) -> ConfiguredAgent:
    if identity is None:
        kept = design.unnamed_identity == "kept"
        return row if kept else replace(row, session_id=None, resume_session_id=None)
    if design.launcher_identity == "replaces-both":
        row = replace(row, session_id=None, resume_session_id=None)
    if identity.resume:
        return replace(row, resume_session_id=identity.id)
    return replace(row, session_id=identity.id)


def identity_fault(agents: Agents, design: Design) -> Refusal | None:
    """Why agents cannot be told apart: one has two ids, or two have one (IDN-3, IDN-4)."""
    exact: set[str] = set()
    for row in agents:
        if (
            row.session_id is not None
            and row.resume_session_id
            and design.identity_twice == "refused"
        ):
            return Refusal("IDENTITY_TWICE", "IDN-3")
        name = row.resume_session_id or row.session_id
        if name in exact and design.identity_shared == "refused":
            return Refusal("IDENTITY_SHARED", "IDN-4")
        if name is not None:
            exact.add(name)
    return None


def started(turn: Turn, agents: Agents) -> tuple[Turn, Refusal | None]:
    """Start the agents in order, up to the first that fails at once (IDN-5, IDN-7)."""
    for row in agents:
        turn, failure = start(turn, row)
        if failure is not None:
            return turn, failure
    return turn, None


def start(turn: Turn, row: ConfiguredAgent) -> tuple[Turn, Refusal | None]:
    """Start one agent: load its session, or make it now (IDN-7)."""
    if row.resume_session_id:
        stores = turn.world.storage is not None
        begun = loading(turn, Start("resume", row.resume_session_id)) if stores else turn
        return begun, None
    if row.session_id is not None and turn.world.storage is not None:
        return loading(turn, Start("restore", row.session_id, row.cwd)), None
    turn, name = (turn, row.session_id) if row.session_id is not None else made_up(turn, row)
    answer = created_now(turn, "", name, meta_of(row.cwd))
    return answer.turn, answer.outcome if isinstance(answer.outcome, Refusal) else None


def made_up(turn: Turn, row: ConfiguredAgent) -> tuple[Turn, str]:
    """A fresh id for an agent that has none: its label, and what nothing had before (IDN-5)."""
    if turn.design.fresh_identity == "label":
        return turn, row.id
    count = turn.world.configured + 1
    turn = with_world(turn, replace(turn.world, configured=count))
    return turn, f"{row.id}-session-#{count}"


def meta_of(cwd: str | None) -> Record:
    """The metadata of a configured agent's session."""
    return EMPTY if cwd is None else record({"cwd": Text(cwd)})


def loading(turn: Turn, start: Start) -> Turn:
    """Load the session of a configured agent, once its id is no longer live (IDN-7)."""
    number = len(turn.world.loads)
    waits = start.action == "restore" and turn.design.live_identity == "waited-for"
    drains = waits and is_live(turn, start.id)
    row = Loading("", start.id, factory=turn.world.slot or 0, start=start)
    row = replace(row, stage="draining") if drains else row
    turn = with_world(turn, replace(turn.world, loads=turn.world.loads.add(row)))
    return turn if drains else soon(turn, Find(number))


def start_over(turn: Turn, task: StartOver) -> Turn:
    """Go on after a load that failed: what is not stored is created, the rest is told (IDN-7)."""
    if factory_fault(turn) is not None:
        return turn
    if task.start.action == "restore":
        return soon(turn, Lookup(task.start.id, task.start, task.failure))
    return reported(turn, task.start, task.failure)


def lookup(turn: Turn, task: Lookup) -> Turn:
    """Create what the disk does not list, and stay loud about what it does (IDN-7)."""
    found = on_disk(turn.world.disk, task.id)
    listed = found is not None and (found.fault is None or found.fault.code != "UNREADABLE")
    if listed and turn.design.unreadable_identity == "loud":
        return reported(turn, task.start, task.failure)
    answer = created_now(turn, "", task.id, meta_of(task.start.cwd))
    if isinstance(answer.outcome, Refusal):
        return reported(answer.turn, task.start, answer.outcome)
    return answer.turn


def reported(turn: Turn, start: Start, failure: Refusal) -> Turn:
    """Tell of a start that failed, as long as its factory is there (IDN-7)."""
    if factory_fault(turn) is not None:
        return turn
    return observe(turn, StartFailed(start.id, failure, alive(turn)))
