"""The agent registry used directly: bare agents, enter, announce, detach (REG)."""

from dataclasses import replace

from model.agent_command import AnnounceAgent, DetachAgent, EnterAgent, NewAgent
from model.command import EventName
from model.dispatch import Notice, containing, propagating, stopping
from model.observation import Done
from model.referents import AgentEntryRef, AgentRef
from model.refusal import Code, Refusal
from model.rows import Agent, AgentEntry
from model.turn import (
    UNBOUND,
    Answer,
    Turn,
    agent_named,
    bind,
    handle_fault,
    refused,
    session_named,
    with_world,
)
from model.world import (
    agent_entry_of,
    agent_entry_with_id,
    referent,
    session_entry_of,
    with_agent_entry,
)


def new_agent(turn: Turn, command: NewAgent) -> Answer:
    """Make a bare agent object around a session (REG-10)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    session = session_named(turn, command.session)
    if session is None:
        return refused(turn, UNBOUND)
    agents = turn.world.agents
    turn = with_world(turn, replace(turn.world, agents=agents.add(Agent(command.id, session))))
    return Answer(bind(turn, command.handle, AgentRef(len(agents))), Done())


def enter_agent(turn: Turn, command: EnterAgent) -> Answer:
    """Enter an agent; the registry does not ask whether its session is live (REG-1, REG-10)."""
    in_use = handle_fault(turn.world, command.handle)
    if in_use is not None:
        return refused(turn, in_use)
    agent = agent_named(turn, command.agent)
    owner = None if command.owner is None else agent_named(turn, command.owner)
    if agent is None or (command.owner is not None and owner is None):
        return refused(turn, UNBOUND)
    fault = enter_agent_fault(turn, agent)
    if fault is not None:
        return refused(turn, fault)
    turn, entry = agent_entered(turn, agent, owner)
    return Answer(bind(turn, command.handle, AgentEntryRef(entry)), Done())


def enter_agent_fault(turn: Turn, agent: int) -> Refusal | None:
    """Why an agent cannot be entered now (REG-1, REG-2, REG-3)."""
    row = turn.world.agents[agent]
    taken = agent_entry_with_id(turn.world, row.id)
    session_id = turn.world.sessions[row.session].id
    if row.id != session_id and turn.design.agent_identity == "equals-session":
        also: frozenset[Code] = frozenset() if taken is None else frozenset(("AGENT_ID_TAKEN",))
        return Refusal("AGENT_ID_MISMATCH", "REG-1", also=also)
    if not _session_will_do(turn, row.session):
        return Refusal("NOT_LIVE", "REG-10")
    if taken is None:
        return None
    if turn.world.agent_entries[taken].agent == agent:
        again = turn.design.agents.attachment == "any-number"
        return None if again else Refusal("AGENT_ID_TAKEN", "REG-3")
    if turn.design.agents.collision == "last-wins":
        return None
    return Refusal("AGENT_ID_TAKEN", "REG-2")


def _session_will_do(turn: Turn, session: int) -> bool:
    asks = turn.design.registry_asks == "for-live-session"
    return not asks or session_entry_of(turn.world, session) is not None


def agent_entered(turn: Turn, agent: int, owner: int | None = None) -> tuple[Turn, int]:
    """Add a live entry for an agent."""
    world = turn.world
    entry = len(world.agent_entries)
    taken = agent_entry_with_id(world, world.agents[agent].id)
    registry = world.registry
    if turn.design.agents.collision == "last-wins":
        registry = tuple(each for each in registry if each != taken)
    known = owner if turn.design.ownership == "creator" else None
    world = replace(
        world,
        agent_entries=world.agent_entries.add(AgentEntry(agent, known)),
        registry=(*registry, entry),
    )
    return with_world(turn, world), entry


def announce_agent(turn: Turn, command: AnnounceAgent) -> Answer:
    """Announce a live agent, once (REG-4, REG-5)."""
    agent = agent_named(turn, command.agent)
    return refused(turn, UNBOUND) if agent is None else agent_announced(turn, agent)


def agent_announced(turn: Turn, agent: int) -> Answer:
    """Dispatch `agent/created` for the exact live entry of an agent (REG-4, REG-5, REG-7)."""
    entry = agent_entry_of(turn.world, agent)
    if entry is None:
        return refused(turn, Refusal("AGENT_NOT_LIVE", "REG-4"))
    row = turn.world.agent_entries[entry]
    if turn.design.agents.announce_again == "refused" and (row.announced or row.announcing):
        return refused(turn, Refusal("AGENT_ALREADY_ANNOUNCED", "REG-4"))
    marked = turn.design.agents.announced == "before-dispatch"
    turn = _with_entry(turn, entry, replace(row, announced=marked, announcing=True))
    dispatched = propagating(turn, about(turn, agent, "agent/created"), turn.design.agents)
    turn = dispatched.turn
    row = turn.world.agent_entries[entry]
    announced_now = marked or dispatched.failure is None
    turn = _with_entry(turn, entry, replace(row, announcing=False, announced=announced_now))
    if row.detach_owed:
        turn = agent_removed(turn, entry)
    if dispatched.failure is None or turn.design.agents.created_veto == "contained":
        return Answer(turn, Done())
    return refused(turn, dispatched.failure)


def about(turn: Turn, agent: int, event: EventName, source: str | None = None) -> Notice:
    """The notice of an agent's event: its own scope hears it, other scopes do not."""
    session = turn.world.agents[agent].session
    return Notice(event, session=session, agent=agent, scope=agent, source=source)


def detach_agent(turn: Turn, command: DetachAgent) -> Answer:
    """Call an agent entry's detach (REG-6, REG-7)."""
    ref = referent(turn.world, command.entry)
    if not isinstance(ref, AgentEntryRef):
        return refused(turn, UNBOUND)
    return Answer(turn if ref.number is None else agent_detached(turn, ref.number), Done())


def agent_detached(turn: Turn, entry: int) -> Turn:
    """Use the single shot of a detach: at once, or when the announcement unwinds (REG-7)."""
    row = turn.world.agent_entries[entry]
    if row.detach_called and turn.design.agents.detach_removes == "its-entry":
        return turn
    owed = row.announcing and turn.design.agents.detach_in_dispatch == "deferred"
    turn = _with_entry(turn, entry, replace(row, detach_called=True, detach_owed=owed))
    return turn if owed else agent_removed(turn, entry)


def agent_removed(turn: Turn, entry: int) -> Turn:
    """Take an entry out of the registry and dispatch its disposal (REG-6, REG-8)."""
    row = turn.world.agent_entries[entry]
    target: int | None = entry if entry in turn.world.registry else None
    if turn.design.agents.detach_removes == "whoever-has-the-id":
        target = agent_entry_with_id(turn.world, turn.world.agents[row.agent].id)
    if target is None:
        return turn
    registry = tuple(each for each in turn.world.registry if each != target)
    turn = with_world(turn, replace(turn.world, registry=registry))
    turn = _with_entry(turn, entry, replace(row, detach_owed=False))
    return agent_disposed(turn, target)


def agent_disposed(turn: Turn, entry: int) -> Turn:
    """Dispatch `agent/disposed` for an entry whose announcement began (REG-8, RBK-7)."""
    row = turn.world.agent_entries[entry]
    seen = turn.design.agents.disposal_seen
    if seen == "never" or (seen == "when-announced" and not row.announced):
        return turn
    notice = about(turn, row.agent, "agent/disposed")
    if turn.design.agents.disposed_failure == "contained":
        return containing(turn, notice)
    return stopping(turn, notice).turn


def _with_entry(turn: Turn, entry: int, row: AgentEntry) -> Turn:
    return with_world(turn, with_agent_entry(turn.world, entry, row))
