"""What only the agent registry promises: identity, ownership, and what it does not ask (REG)."""

from invariants.law import HOLDS, Always, AtEveryStep, Law, Taken, Violations
from invariants.reading import agent_meant, agent_name
from model.agent_command import EnterAgent
from model.observation import Done
from model.referents import AgentEntryRef
from model.refusal import Refusal
from model.world import World, agent_entry_with_id, referent, session_entry_of


def foreign_ids(world: World) -> Violations:
    """The live agents whose id is not their session's (REG-1)."""
    agents = (world.agent_entries[entry].agent for entry in world.registry)
    return tuple(
        f"{agent_name(world, agent)} is live, and its session has another id"
        for agent in agents
        if world.agents[agent].id != world.sessions[world.agents[agent].session].id
    )


def _some_agent_is_live(world: World) -> bool:
    return bool(world.registry)


def mismatch_enters(taken: Taken) -> Violations:
    """An agent that was entered although its id is not its session's (REG-1)."""
    if not _mismatch_is_entered(taken) or isinstance(taken.run.outcome, Refusal):
        return HOLDS
    return ("an agent is entered whose id is not its session's",)


def _mismatch_is_entered(taken: Taken) -> bool:
    agent = _entering(taken)
    if agent is None:
        return False
    row = taken.before.agents[agent]
    return row.id != taken.before.sessions[row.session].id


def _entering(taken: Taken) -> int | None:
    match taken.command:
        case EnterAgent(_, handle):
            return agent_meant(taken.before, handle)
        case _:
            return None


def hazard_refused(taken: Taken) -> Violations:
    """A bare agent that was refused though only its session is not live (REG-10)."""
    if not _only_the_session_is_missing(taken) or taken.run.outcome == Done():
        return HOLDS
    return ("the registry refuses an agent because its session is not live",)


def _only_the_session_is_missing(taken: Taken) -> bool:
    agent = _entering(taken)
    if agent is None or _mismatch_is_entered(taken):
        return False
    row = taken.before.agents[agent]
    free = agent_entry_with_id(taken.before, row.id) is None
    return free and session_entry_of(taken.before, row.session) is None


def owner_lost(taken: Taken) -> Violations:
    """An entered agent that is not known to be its creator's (REG-9)."""
    command = taken.command
    if not _owner_is_given(taken) or not isinstance(command, EnterAgent):
        return HOLDS
    ref = referent(taken.after, command.handle)
    if not isinstance(ref, AgentEntryRef) or ref.number is None or command.owner is None:
        return HOLDS
    if taken.after.agent_entries[ref.number].owner == agent_meant(taken.before, command.owner):
        return HOLDS
    return ("an agent's creator is not its owner",)


def _owner_is_given(taken: Taken) -> bool:
    given = isinstance(taken.command, EnterAgent) and taken.command.owner is not None
    return given and taken.run.outcome == Done()


REGISTRY = (
    Law("an agent's id is its session's", ("REG-1",), Always(foreign_ids, _some_agent_is_live)),
    Law(
        "an agent with another id than its session's is not entered",
        ("REG-1",),
        AtEveryStep(mismatch_enters, _mismatch_is_entered),
    ),
    Law(
        "the registry does not ask whether a session is live",
        ("REG-10",),
        AtEveryStep(hazard_refused, _only_the_session_is_missing),
    ),
    Law("an agent belongs to its creator", ("REG-9",), AtEveryStep(owner_lost, _owner_is_given)),
)
