"""Generation: programs drawn step by step, steered by where the model says they lead.

Hypothesis makes the choices. The model's first run is followed while drawing, so that handles mean
things that are there and most commands do something; a few do not, because refusals are behaviour.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.commands import Drawer
from conformance.compare import MOST_RUNS
from conformance.recipes import RECIPES
from model.command import Command, Inspect, Look
from model.step import Run, runs
from model.world import AgentRef, SessionRef, TransactionRef, World, initial

Item = TypeVar("Item")


class Choices(Protocol):
    """Where choices come from."""

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        ...

    def percent(self, chance: int) -> bool:
        """Whether something happens that happens so often in a hundred times."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """What an implementation can be asked for.

    `hostile` are the kinds of hostile values that it can be handed, `mints` says whether its minted
    ids can be foretold, `lifecycle` whether it claims owners, the factory and forks.
    """

    hostile: frozenset[str]
    mints: bool
    groups: frozenset[str]
    longest: int = 20


@dataclass(slots=True)
class Hypothesis:
    """Choices that Hypothesis makes."""

    draw: DrawFn

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return self.draw(st.sampled_from(items))

    def percent(self, chance: int) -> bool:
        """Whether something happens that happens so often in a hundred times."""
        return self.draw(st.integers(0, 99)) >= 100 - chance


@st.composite
def programs(draw: DrawFn, limits: Limits) -> tuple[Command, ...]:
    """Programs that end by reading the state that they leave."""
    return program(Hypothesis(draw), limits)


def program(choices: Choices, limits: Limits) -> tuple[Command, ...]:
    """One program: some random commands, perhaps a recipe, and a look at the final state."""
    drawer = Drawer(choices, limits)
    world = initial()
    commands: list[Command] = []
    length = choices.pick(range(1, limits.longest + 1))
    if choices.percent(40):
        recipe = choices.pick([each for each in RECIPES if each.group in limits.groups])
        for command in recipe.commands:
            world = _followed(world, command, commands) or world
    while len(commands) < length:
        world = _followed(world, drawer.command(world), commands) or world
    return (*commands, *final_state(world))


def _followed(world: World, command: Command, commands: list[Command]) -> World | None:
    """Add a command whose runs are not too many, and follow the first."""
    possible: list[Run] = list(islice(runs(world, command), MOST_RUNS + 1))
    if len(possible) > MOST_RUNS:
        return None
    commands.append(command)
    return possible[0].world


def final_state(world: World) -> tuple[Command, ...]:
    """Commands that read all that a client can: every session it can name, every id."""
    named = (
        name
        for name, ref in world.bindings
        if isinstance(ref, SessionRef | AgentRef | TransactionRef)
    )
    ids = sorted({session.id for session in world.sessions.rows})
    return (*(Inspect(name) for name in named), *(Look(each) for each in ids))
