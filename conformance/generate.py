"""Generation: programs drawn step by step, steered by where the model says they lead.

Hypothesis makes the choices. The model's first run is followed while drawing, so that handles mean
things that are there and most commands do something; a few do not, because refusals are behaviour.
"""

from collections.abc import Sequence
from itertools import islice

from conformance.binding import can_be_foretold
from conformance.choices import Choices, Limits
from conformance.commands import Drawer
from conformance.compare import MOST_RUNS
from model.command import Command
from model.referents import AgentRef, SessionRef, TransactionRef
from model.session_command import Inspect, Look, ReadStored
from model.step import Run, runs
from model.world import World, initial

SHORTEST = 8

OPENING = 100
"""Handles that are drawn around an opening are numbered from here, apart from the opening's own."""


def program(choices: Choices, limits: Limits, opening: Sequence[Command]) -> tuple[Command, ...]:
    """One program: the opening, random commands among it and after it, and the final state."""
    drawer = Drawer(choices, limits, OPENING if opening else 0)
    world = initial()
    commands: list[Command] = []
    for command in opening:
        if choices.percent(20):
            world = _followed(world, drawer.command(world), commands)
        world = _followed(world, command, commands)
    length = choices.pick(range(SHORTEST, limits.longest + 1))
    while len(commands) < length:
        world = _followed(world, drawer.command(world), commands)
    return (*commands, *final_state(world, limits))


def _followed(world: World, command: Command, commands: list[Command]) -> World:
    """Add a command and follow its first run, unless it has too many runs to be judged well."""
    possible: list[Run] = list(islice(runs(world, command), MOST_RUNS + 1))
    if len(possible) > MOST_RUNS:
        return world
    commands.append(command)
    return possible[0].world


def final_state(world: World, limits: Limits) -> tuple[Command, ...]:
    """Commands that read all that a client can: every session it can name, every id it can tell."""
    named = (
        name
        for name, ref in world.bindings
        if isinstance(ref, SessionRef | AgentRef | TransactionRef)
    )
    ids = sorted({session.id for session in world.sessions.rows})
    told = [each for each in ids if can_be_foretold(each, mints=limits.mints)]
    stored = (each for each in told if any(each == name for name, _ in world.disk))
    return (
        *(Inspect(name) for name in named),
        *(Look(each) for each in told),
        *(ReadStored(each) for each in stored),
    )
