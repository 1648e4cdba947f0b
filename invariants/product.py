"""The product of two designs: the shortest program that tells them apart.

Breadth-first over what a client knows: the world of the one design, and every world of the
reference that looks the same so far. A program tells the designs apart once what the one does is
not among the runs of the reference.
"""

from dataclasses import dataclass, field

from invariants.likeness import Renaming, alike, moved
from model.canonical import canonical
from model.command import Command
from model.design import Design
from model.enabled import enabled
from model.scope import Scope
from model.step import Run, step
from model.world import World, initial


@dataclass(frozen=True, slots=True)
class Suspect:
    """One world of the reference that looks like the other design's, and under which renaming."""

    world: World
    renaming: Renaming


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a client knows: the world that it is in, and those that the reference may be in."""

    world: World
    suspects: tuple[Suspect, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a product search found.

    `program` is a shortest one that tells the designs apart; None means that none does in the
    scope, if the search was complete.
    """

    program: tuple[Command, ...] | None
    pairs: int
    complete: bool


def shortest_difference(
    reference: Design, other: Design, scope: Scope
) -> tuple[Command, ...] | None:
    """The shortest program on which the other design does what the reference never does."""
    return compare(reference, other, scope).program


def compare(
    reference: Design, other: Design, scope: Scope, *, max_pairs: int | None = None
) -> Comparison:
    """Search the product of two designs for a difference that a client sees."""
    search = Product(reference, other, scope)
    start = canonical(initial())
    search.find(Knowledge(start, (Suspect(start, Renaming()),)), None)
    number = 0
    while number < len(search.known):
        if max_pairs is not None and len(search.known) > max_pairs:
            return Comparison(None, len(search.known), complete=False)
        difference = search.difference_after(number)
        if difference is not None:
            return Comparison(difference, len(search.known), complete=True)
        number += 1
    return Comparison(None, len(search.known), complete=True)


@dataclass(slots=True)
class Product:
    """A product search under way."""

    reference: Design
    other: Design
    scope: Scope
    numbers: dict[Knowledge, int] = field(default_factory=dict)
    known: list[Knowledge] = field(default_factory=list)
    origins: list[tuple[int, Command] | None] = field(default_factory=list)

    def find(self, knowledge: Knowledge, origin: tuple[int, Command] | None) -> None:
        """Note what a client knows, if it is new."""
        if knowledge not in self.numbers:
            self.numbers[knowledge] = len(self.known)
            self.known.append(knowledge)
            self.origins.append(origin)

    def difference_after(self, number: int) -> tuple[Command, ...] | None:
        """Take every step from here; the program with the first one that shows a difference."""
        here = self.known[number]
        for command in enabled(here.suspects[0].world, self.scope, self.reference):
            run = step(here.world, command, self.other).runs[0]
            suspects = self.still_suspect(here.suspects, command, run)
            if not suspects:
                return (*self.program_to(number), command)
            self.find(Knowledge(canonical(run.world), suspects), (number, command))
        return None

    def still_suspect(
        self, suspects: tuple[Suspect, ...], command: Command, run: Run
    ) -> tuple[Suspect, ...]:
        """The worlds of the reference that a command leads to while looking like this run."""
        found: dict[Suspect, None] = {}
        for suspect in suspects:
            for possible in step(suspect.world, command, self.reference).runs:
                renaming = alike(run, possible, suspect.renaming)
                if renaming is not None:
                    there = moved(renaming, run.world, possible.world)
                    found[Suspect(canonical(possible.world), there)] = None
        return tuple(found)

    def program_to(self, number: int) -> tuple[Command, ...]:
        """The program that first led to what a client knows."""
        commands: list[Command] = []
        origin = self.origins[number]
        while origin is not None:
            number, command = origin
            commands.append(command)
            origin = self.origins[number]
        return tuple(reversed(commands))
