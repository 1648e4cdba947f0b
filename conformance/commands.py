"""Drawing one command in a world."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from conformance.choices import Choices, Limits
from conformance.operations import Operations
from conformance.programs import NEEDS
from conformance.steering import (
    ANYWHERE,
    FOCUSES,
    INSIDE,
    foreseen,
    possible,
    urges,
)
from model.command import Command, React, Single, Together
from model.session_command import Look
from model.world import World

RETRIES = 6
"""How often an operation is picked again at most where there is nothing to do it with."""

Draws = Callable[[World, int], Single]


class Drawer(Operations):
    """Draws commands in a world."""

    def __init__(self, choices: Choices, limits: Limits, given: int = 0) -> None:
        """Draw within an implementation's limits; so many handles have been given."""
        super().__init__(choices, limits, given)
        self._draws: dict[str, Draws] = {
            "create": self._create,
            "prepare": self._prepare,
            "enter": self._enter,
            "announce": self._announce,
            "detach": self._detach,
            "append": self._append,
            "construct": self._construct,
            "flush": self._flush,
            "acquire": self._acquire,
            "release": self._release,
            "inspect": self._inspect,
            "look": self._look,
            "tamper": self._tamper,
            "listen": self._listen,
            "unlisten": self._unlisten,
            "new-agent": self._new_agent,
            "enter-agent": self._enter_agent,
            "announce-agent": self._announce_agent,
            "detach-agent": self._detach_agent,
            "create-agent": self._create_agent,
            "abort": self._abort,
            "configure": self._configure,
            "dispose": self._dispose,
            "work": self._work,
            "open": self._open,
            "fork": self._fork,
            "new-owner": self._new_owner,
            "dispose-owner": self._dispose_owner,
            "load-factory": self._factory,
            "resume": self._resume,
            "read-stored": self._read_stored,
            "boot": self._boot,
            "forget": self._forget,
        }
        focus = self.choices.pick(FOCUSES)
        self._outside = self._mixed(ANYWHERE, focus)
        self._inside = self._mixed(INSIDE, focus)
        self.flushes = self._outside.count("flush")

    def command(self, world: World) -> Command:
        """One command: by itself, with reactions, or together with others."""
        single = self.single(world, 0)
        if self.choices.percent(35):
            during, fired = foreseen(world, single)
            count = self.choices.pick((1, 1, 2))
            return React(single, tuple(self.reaction(during, fired) for _ in range(count)))
        if self.choices.percent(10):
            return Together((single, *self._together(foreseen(world, single)[0])))
        return single

    def _together(self, world: World) -> Iterator[Single]:
        """One or two commands more for one turn, each drawn where the last one leads."""
        for _ in range(self.choices.pick((1, 1, 2))):
            single = self.single(world, 0)
            yield single
            world = foreseen(world, single)[0]
        if self.choices.percent(30):
            yield Look(self.an_id())

    def _mixed(self, table: Mapping[str, int], focus: Sequence[str]) -> tuple[str, ...]:
        """Operations in their weights, half of them those that the program is about."""
        drawn = [
            name for name, weight in table.items() for _ in range(weight) if self._claimed(name)
        ]
        about = [name for name in drawn if name in focus]
        return (*drawn, *(about * (len(drawn) // len(about)) if about else ()))

    def _claimed(self, operation: str) -> bool:
        return operation not in NEEDS or NEEDS[operation] in self.limits.groups

    def _operation(self, world: World, depth: int) -> str:
        """What to draw: mostly something that can be done here, and sometimes what is urgent."""
        if not depth and self.choices.percent(15):
            urgent = [
                name
                for name in urges(world)
                if self._claimed(name) and possible(world, name, inside=False)
            ]
            if urgent:
                return self.choices.pick(urgent)
        drawn = self._inside if depth else self._outside
        for _ in range(RETRIES):
            operation = self.choices.pick(drawn)
            if possible(world, operation, inside=depth > 0):
                break
        return operation

    def single(self, world: World, depth: int) -> Single:
        """One command of a kind that fits the world."""
        return self._draws[self._operation(world, depth)](world, depth)
