"""One inductive check for each named law: no step out of a well-formed world breaks it."""

from invariants.given import held
from invariants.law import Taken, question
from invariants.laws import LAWS
from invariants.wellformed import LOGS, SITUATIONS, wellformed
from model.agent_command import DetachAgent, Dispose, EnterAgent
from model.command import CreateAgent, Open, Throws
from model.design import DSH
from model.enabled import offers
from model.scope import Bounds, Handles, Menu, Reacting, Scope
from model.session_command import Announce, Append, Create, Detach, Enter, Tamper

NAMED = LAWS[:4]
POSSIBLE = 800
COUNTED = (672, 45576)
"""Well-formed worlds, and steps out of them."""

SCOPE = Scope(
    "induction",
    kinds=(
        Announce,
        Append,
        Create,
        CreateAgent,
        Detach,
        DetachAgent,
        Dispose,
        Enter,
        EnterAgent,
        Open,
        Tamper,
    ),
    handles=Handles(
        sessions=("s1", "s2", "s3"),
        entries=("e1", "e2", "e3"),
        agents=("a1", "a2"),
        agent_entries=("x1", "x2", "x3"),
        creations=("t1", "t2", "t3"),
        operations=("d1", "d2", "w1", "w2", "o1"),
    ),
    menu=Menu(
        ids=("a", "b"),
        setups=(None, held("g1")),
        gates=("g1",),
        places=("header", "meta"),
    ),
    reacting=Reacting((Append, Detach), (Throws("x"),), at_once=1),
    bounds=Bounds(log=3, live=4, waiting=3),
)


def test_no_step_out_of_a_wellformed_world_breaks_a_named_law() -> None:
    """However a client came there, the four laws are kept by every command and reaction."""
    questions = [question(law) for law in NAMED]
    worlds = steps = 0
    at_stake = dict.fromkeys((law.name for law in NAMED), 0)
    for world in wellformed(LAWS):
        worlds += 1
        for offer in offers(world, SCOPE):
            for run in offer.runs:
                steps += 1
                taken = Taken(world, offer.command, run, DSH)
                for each in questions:
                    assert not each.broken(taken), (each.law.name, world, offer.command)
                    at_stake[each.law.name] += each.reached(taken)
    assert (worlds, steps) == COUNTED
    assert all(at_stake.values())


def test_every_situation_is_among_the_wellformed_worlds() -> None:
    """No situation was filtered away: each starts some of the worlds."""
    assert len(SITUATIONS) ** 2 * len(LOGS) ** 2 * 2 == POSSIBLE
