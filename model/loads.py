"""Loads of stored sessions under way, and what ends them (RES-6)."""

from dataclasses import replace

from model.owner import disowns
from model.refusal import Refusal
from model.rows import LoadEffect
from model.stored import Loading
from model.turn import Find, Settle, StartOver, Turn, soon, with_world
from model.world import agent_entry_with_id, session_entry_with_id


def with_load(turn: Turn, number: int, row: Loading) -> Turn:
    """The turn with one load replaced."""
    return with_world(turn, replace(turn.world, loads=turn.world.loads.put(number, row)))


def over(turn: Turn, number: int) -> Turn:
    """The turn in which a load is over, and its owner has nothing to do with it."""
    load = turn.world.loads[number]
    turn = with_load(turn, number, replace(load, stage="over", setup=None))
    return disowns(turn, load.owner, LoadEffect(number))


def given_up(turn: Turn, number: int, reason: Refusal) -> Turn:
    """Settle a load that nobody waits for; a session that arrives is given back (RES-6)."""
    load = turn.world.loads[number]
    if load.stage == "over" or load.aborted is not None:
        return turn
    turn = over(turn, number)
    stage = "over" if load.stage in ("waiting", "draining") else load.stage
    turn = with_load(turn, number, replace(load, stage=stage, aborted=reason, setup=None))
    return ended(turn, load, reason)


def ended(turn: Turn, load: Loading, failure: Refusal) -> Turn:
    """Tell whoever asked for a load that it has failed."""
    if load.start is not None:
        return soon(turn, StartOver(load.start, failure))
    return soon(turn, Settle(load.operation, failure))


def is_live(turn: Turn, name: str) -> bool:
    """Whether a session or an agent is live under an id."""
    session = session_entry_with_id(turn.world, name)
    return session is not None or agent_entry_with_id(turn.world, name) is not None


def drained(turn: Turn) -> Turn:
    """Let the starts go on that waited for a disposal."""
    for number, row in enumerate(turn.world.loads.rows):
        if row.stage == "draining" and not is_live(turn, row.id):
            turn = soon(with_load(turn, number, replace(row, stage="loading")), Find(number))
    return turn
