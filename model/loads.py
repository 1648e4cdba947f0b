"""Loads of stored sessions under way, and what ends them (RES-6)."""

from dataclasses import replace

from model.owner import disowns
from model.refusal import Refusal
from model.rows import LoadEffect
from model.stored import Loading
from model.turn import Settle, Turn, soon, with_world


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
    stage = "over" if load.stage == "waiting" else load.stage
    turn = with_load(turn, number, replace(load, stage=stage, aborted=reason, setup=None))
    return soon(turn, Settle(load.operation, reason))
