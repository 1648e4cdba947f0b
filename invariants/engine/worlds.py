"""The rules of the model's own worlds, as the engine asks for them."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, cast

from invariants.engine.rules import Answer, Way
from invariants.law import Always, Eventually, Law, Question, Taken, Violations, question
from model.canonical import canonical
from model.design import Design
from model.enabled import candidates, extended, offered
from model.scope import Scope
from model.view import view
from model.world import World, initial

if TYPE_CHECKING:
    from model.command import Command

OF_WORLDS = Always | Eventually


@dataclass(frozen=True, slots=True)
class Worlds:
    """The worlds of a scope under a design, and the laws to check in them."""

    scope: Scope
    design: Design
    laws: tuple[Law, ...]

    def start(self) -> World:
        """The world after a reset."""
        return canonical(initial())

    def of_ways(self) -> Mapping[str, Question]:
        """The laws of single steps; of the laws of worlds, whether a step put them at stake."""
        return {law.name: _of_way(law) for law in self.laws}

    def of_states(self) -> "Mapping[str, WorldQuestion]":
        """The laws of every world at rest, and of what can follow from one."""
        return {
            law.name: WorldQuestion(law.check, self.design)
            for law in self.laws
            if isinstance(law.check, OF_WORLDS)
        }

    def candidates(self, world: World) -> tuple[Hashable, ...]:
        """Every command that a client can spell, without reactions."""
        return tuple(candidates(view(world, self.scope, self.design)))

    def answer(self, world: World, command: Hashable) -> Answer[World, Taken]:
        """The runs of a command, and the same with one more reaction."""
        seen = view(world, self.scope, self.design)
        for offer in offered(seen, cast("Command", command)):
            ways = tuple(
                Way(
                    canonical(run.world),
                    partial(Taken, world, offer.command, run, self.design),
                    asks=not run.booted,
                )
                for run in offer.runs
            )
            return Answer(ways, tuple(extended(seen, offer)))
        return Answer()


def _of_way(law: Law) -> Question:
    asked = question(law)
    return replace(asked, broken=_nothing) if isinstance(law.check, OF_WORLDS) else asked


def _nothing(taken: Taken) -> Violations:
    del taken
    return ()


@dataclass(frozen=True, slots=True)
class WorldQuestion:
    """A law as two questions about a world."""

    check: Always | Eventually
    design: Design

    def broken(self, world: World) -> Violations:
        """What breaks the law."""
        if isinstance(self.check, Eventually):
            return self.check.broken(world, self.design)
        return self.check.broken(world)

    def reached(self, world: World) -> bool:
        """Whether the law was at stake."""
        return self.check.reached(world)
