"""Shrinking across the process boundary: the smallest program that fails in the same way.

The same way is the same fingerprint: the clause and the kind of divergence, so that a program is
never shrunk into another bug. It works on the wire's JSON, where leaving something out is leaving
out a key or an item, and what is no program any more is not tried. The result is minimal: nothing
that is left can be left out or replaced by something simpler.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, islice

from conformance.protocol.codec import command_from_wire, command_to_wire
from conformance.protocol.json import Json, MalformedError
from model.command import Command

Program = tuple[Command, ...]

BUDGET = 3000
"""Programs that shrinking may run before it gives up on being minimal."""

SHORT = 2
"""A longer program is held against a search of programs that are this short."""

SEARCHED = 400
"""How many of them are tried."""


@dataclass(slots=True)
class Shrinker:
    """Shrinks one failing program. `fails` says whether a program fails in the same way."""

    fails: Callable[[Program], bool]
    budget: int = BUDGET
    tried: set[Program] = field(default_factory=set)

    @property
    def exhausted(self) -> bool:
        """Whether the budget ran out, so that the result may not be minimal."""
        return len(self.tried) >= self.budget

    def shrink(self, program: Program) -> Program:
        """The smallest program found."""
        program = self._shorter(program)
        while (simpler := self._simpler(program)) is not None:
            program = self._shorter(simpler)
        return program

    def search(self, menu: tuple[Command, ...]) -> Program | None:
        """A short program that fails in the same way, found by trying one after the other.

        Shrinking goes downhill only: where two failures need each other's help, it stops too early.
        """
        for candidate in islice(short_programs(menu), SEARCHED):
            if candidate not in self.tried and self.fails(candidate):
                return candidate
        return None

    def detour(self, program: Program, menu: tuple[Command, ...]) -> Program | None:
        """A program with one command less that fails in the same way, though another does more.

        Elsewhere shrinking only goes downhill: what two commands do together, one may do by itself.
        """
        for candidate in islice(detours(program, menu), SEARCHED):
            if self._fails(candidate):
                return candidate
        return None

    def _shorter(self, program: Program) -> Program:
        """Leave out ever smaller stretches of commands, until no single one can be left out."""
        size = max(len(program) // 2, 1)
        while True:
            shorter = self._without_a_stretch(program, size)
            if shorter is not None:
                program = shorter
            elif size == 1:
                return program
            else:
                size //= 2

    def _without_a_stretch(self, program: Program, size: int) -> Program | None:
        for start in range(len(program) - size, -1, -1):
            candidate = (*program[:start], *program[start + size :])
            if self._fails(candidate):
                return candidate
        return None

    def _simpler(self, program: Program) -> Program | None:
        """The first simplification of one command that still fails."""
        for index, command in enumerate(program):
            for simpler in (*renamed(program, index), *simpler_commands(command)):
                candidate = (*program[:index], simpler, *program[index + 1 :])
                if self._fails(candidate):
                    return candidate
        return None

    def _fails(self, program: Program) -> bool:
        if not program or program in self.tried or self.exhausted:
            return False
        self.tried.add(program)
        return self.fails(program)


def renamed(program: Program, index: int) -> Iterator[Command]:
    """One command in which a handle or an id is replaced by another that is given before it.

    It then means another object, or shares an id: what is left of the first one may go.
    """
    wires = [command_to_wire(command) for command in program[: index + 1]]
    given = {key: [text for wire in wires for text in texts(wire, key)] for key in ("handle", "id")}
    for key in REFERENCES:
        kind = "id" if key == "id" else "handle"
        for text in texts(wires[index], key):
            for other in dict.fromkeys(given[kind]):
                if other != text:
                    yield command_from_wire(_replaced(wires[index], key, text, other))


NAMES = ("handle", "id", "session", "agent")
REFERENCES = ("id", "session", "entry", "agent", "owner", "listener", "preparation", "source")


def texts(wire: Json, key: str) -> Iterator[str]:
    """The strings that stand under a key anywhere in a command, seeds and other values apart."""
    match wire:
        case dict():
            for name, item in wire.items():
                if name == key and isinstance(item, str):
                    yield item
                elif name not in ("data", "seed", "meta", "header"):
                    yield from texts(item, key)
        case list():
            for item in wire:
                yield from texts(item, key)
        case _:
            return


def _replaced(wire: Json, key: str, text: str, other: str) -> Json:
    match wire:
        case dict():
            return {
                name: other if name == key and item == text else _replaced(item, key, text, other)
                for name, item in wire.items()
            }
        case list():
            return [_replaced(item, key, text, other) for item in wire]
        case _:
            return wire


def detours(program: Program, menu: tuple[Command, ...]) -> Iterator[Program]:
    """The programs in which two commands are gone and another comes twice, then the richer ones.

    In those one command is gone and another is a richer one of its kind.
    """
    for both in combinations(range(len(program)), 2):
        rest = tuple(command for index, command in enumerate(program) if index not in both)
        for index in range(len(rest)):
            yield (*rest[: index + 1], *rest[index:])
    wires = [command_to_wire(command) for command in menu]
    for gone in range(len(program)):
        rest = (*program[:gone], *program[gone + 1 :])
        for index, command in enumerate(rest):
            plain = command_to_wire(command)
            for wire in wires:
                if isinstance(plain, dict) and isinstance(wire, dict) and does_more(wire, plain):
                    richer = wire | {key: plain[key] for key in NAMES if key in plain}
                    yield (*rest[:index], command_from_wire(richer), *rest[index + 1 :])


def does_more(wire: dict[str, Json], other: dict[str, Json]) -> bool:
    """Whether a command is of another's kind, and there is more to it."""
    return wire["do"] == other["do"] and weight(wire) > weight(other)


def short_programs(menu: tuple[Command, ...]) -> Iterator[Program]:
    """The programs of one or two commands of a menu, the same command twice before other pairs."""
    yield from ((command,) for command in menu)
    yield from ((command, command) for command in menu)
    yield from ((one, other) for one in menu for other in menu if one != other)


def simpler_commands(command: Command) -> Iterator[Command]:
    """What one command can be simplified to, the simplest first."""
    for wire in simpler_json(command_to_wire(command)):
        try:
            yield command_from_wire(wire)
        except MalformedError:
            continue


def simpler_json(wire: Json) -> Iterator[Json]:
    """A piece of JSON with one thing less in it, or with a simpler thing in its place."""
    match wire:
        case dict():
            yield from _instead(wire)
            for key in wire:
                yield {name: item for name, item in wire.items() if name != key}
            for key, item in wire.items():
                for simpler in simpler_json(item):
                    yield wire | {key: simpler}
        case list():
            for index in range(len(wire)):
                yield [*wire[:index], *wire[index + 1 :]]
            for index, item in enumerate(wire):
                for simpler in simpler_json(item):
                    yield [*wire[:index], simpler, *wire[index + 1 :]]
        case _:
            return


def _instead(wire: dict[str, Json]) -> Iterator[Json]:
    """What can stand in the place of a whole object."""
    match wire:
        case {"do": "react", "command": command}:
            yield command
        case {"do": "together", "commands": [*commands]}:
            yield from commands
        case {"do": "append", "data": data} if data != {}:
            yield wire | {"data": {}}
        case {"end": "rejects", "tag": tag}:
            yield {"end": "throws", "tag": tag}
        case {"end": "holds", "then": then}:
            yield then
        case _:
            return


def weight(wire: Json) -> int:
    """How much there is to a piece of JSON: every key, item and scalar counts one."""
    match wire:
        case dict():
            return 1 + sum(1 + weight(item) for item in wire.values())
        case list():
            return 1 + sum(weight(item) for item in wire)
        case _:
            return 1
