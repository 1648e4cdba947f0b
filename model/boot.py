"""Processes: one ends where it stands, the next finds what was stored (RES-3)."""

from dataclasses import replace
from typing import assert_never

from model.identities import booted
from model.log import Event
from model.observation import Booted, Outcome, Stored
from model.owner_command import Boot, Damage
from model.refusal import Refusal
from model.rows import NO_SUBJECT, Table
from model.session_command import ReadStored
from model.storage import on_disk, shown_header
from model.stored import Disk, Storage, StoredLog
from model.turn import Answer, Turn
from model.values import EMPTY
from model.world import World

FOREIGN = "plugin/unknown"


def boot(turn: Turn, command: Boot) -> Answer:
    """End the process: nothing of its turn is seen any more, and nothing more is stored (RES-3)."""
    return Answer(replace(turn, dies=command), Booted())


def reborn(turn: Turn, boot: Boot) -> Turn:
    """Start the next process; the objects of the old one are out of reach (RES-3)."""
    disk = turn.world.disk
    for each in boot.damage:
        disk = damaged(disk, each)
    agents = tuple(replace(row, transaction=None, work=None) for row in turn.world.agents.rows)
    world = World(
        sessions=turn.world.sessions,
        agents=Table(agents),
        disk=disk,
        storage=Storage() if boot.persists else None,
        launcher=boot.identities,
        configured=turn.world.configured,
        gates=turn.world.gates if turn.design.ended_process == "gates-stay-open" else (),
    )
    return booted(replace(turn, world=world, ready=(), subject=NO_SUBJECT, dies=None), boot)


def told(turn: Turn, outcome: Outcome) -> Outcome:
    """How a boot has gone, as far as anybody knows: a factory that fails is gone first (RBK-8)."""
    fails = isinstance(outcome, Refusal) and turn.world.owners[0].stage != "gone"
    return Booted() if fails else outcome


def damaged(disk: Disk, damage: Damage) -> Disk:
    """The disk after what happened to one log; one whose header is spoilt is not found again."""
    found = on_disk(disk, damage.id)
    if found is None or (found.fault is not None and found.fault.code == "UNREADABLE"):
        return disk
    others = tuple(row for row in disk if row[0] != damage.id)
    after = spoilt(found, damage)
    return others if after is None else tuple(sorted((*others, (damage.id, after)), key=_id))


def spoilt(log: StoredLog, damage: Damage) -> StoredLog | None:
    """What is left of a stored log."""
    match damage.how:
        case "torn":
            return replace(log, torn=True)
        case "garbled":
            return replace(log, fault=Refusal("UNREADABLE", "RES-1"))
        case "newer":
            return replace(log, torn=False, fault=Refusal("UNSUPPORTED", "RES-1"))
        case "foreign":
            event = Event(len(log.log), FOREIGN, EMPTY, time=0)
            return replace(log, torn=False, log=(*log.log, event))
        case "removed":
            return None
        case _:
            assert_never(damage.how)


def _id(row: tuple[str, StoredLog]) -> str:
    return row[0]


def read_stored(turn: Turn, command: ReadStored) -> Answer:
    """Read a stored log as it is (RES-8)."""
    found = on_disk(turn.world.disk, command.id)
    if found is None or found.fault is not None:
        return Answer(turn, Stored())
    return Answer(turn, Stored(shown_header(found), found.log, found.torn))
