"""Shrinking: the result is minimal, and fails in the same way."""

from collections.abc import Callable

import pytest

from conformance.protocol.codec import command_from_wire, command_to_wire
from conformance.shrink import Program, Shrinker, simpler_commands, weight
from model.command import (
    Command,
    CreateAgent,
    React,
    Reaction,
    Rejects,
    Script,
    Setup,
    Throws,
    Together,
)
from model.session_command import Append, Create, Detach, Inspect, Look
from model.values import EMPTY, Integer, Text, record
from tests.seeded import drawn


def has(*kinds: type[Command]) -> Callable[[Program], bool]:
    """Whether a program has commands of these kinds in this order, reactions and pairs apart."""

    def fails(program: Program) -> bool:
        waiting = list(kinds)
        for command in program:
            if waiting and isinstance(command, waiting[0]):
                waiting.pop(0)
        return not waiting

    return fails


FILLER: Program = (
    Create("s", "a", (), record({"cwd": Text("/")})),
    Append("s", "todo/write", record({"n": Integer(1)})),
    Detach("d"),
    React(Inspect("s"), (Reaction("session/event", Script((Inspect("s"),), Throws("x"))),)),
    Together((Inspect("s"), Inspect("s"))),
    CreateAgent("t", "b", setup=Setup(Script((Inspect("s"),)))),
)


def test_what_is_not_needed_goes() -> None:
    """Only the commands that the failure needs are left, and nothing is in them."""
    shrinker = Shrinker(has(Append, CreateAgent))
    assert shrinker.shrink(FILLER * 4) == (Append("s", "todo/write", EMPTY), CreateAgent("t", "b"))
    assert not shrinker.exhausted


@pytest.mark.parametrize("number", range(8))
def test_the_result_is_minimal(number: int) -> None:
    """No command can be left out and no value simplified: tried one by one."""
    program = drawn(number + 1)[number]

    def fails(candidate: Program) -> bool:
        wires = [command_to_wire(each) for each in candidate]
        return sum(map(weight, wires)) >= 12 and any("id" in str(wire) for wire in wires)

    smallest = Shrinker(fails, budget=20_000).shrink(program)
    assert fails(smallest)
    for index, command in enumerate(smallest):
        rest = (*smallest[:index], *smallest[index + 1 :])
        assert not fails(rest)
        for simpler in simpler_commands(command):
            assert not fails((*smallest[:index], simpler, *smallest[index + 1 :]))


def test_wrappers_give_way_to_what_they_wrap() -> None:
    """A reaction that does nothing and a pair of which one matters become a plain command."""

    def fails(program: Program) -> bool:
        return any("inspect" in str(command_to_wire(command)) for command in program)

    assert Shrinker(fails).shrink(FILLER[3:4]) == (Inspect("s"),)
    assert Shrinker(fails).shrink(FILLER[4:5]) == (Inspect("s"),)


def test_ids_and_handles_become_one() -> None:
    """A second object gives way to the first where that will do."""
    program = (Create("s", "a"), Create("r", "a"), Detach("d"), Inspect("r"))

    def fails(candidate: Program) -> bool:
        names = {each.handle for each in candidate if isinstance(each, Create)}
        read = {each.session for each in candidate if isinstance(each, Inspect)}
        return "s" in names and bool(read & names)

    assert Shrinker(fails).shrink(program) == (Create("s"), Inspect("s"))


def test_endings_become_simpler() -> None:
    """A rejection that matters only as a failure becomes a throw, a hold what it holds."""
    command = React(Inspect("s"), (Reaction("session/event", Script((), Rejects("x"))),))
    tags = [str(command_to_wire(each)) for each in simpler_commands(command)]
    assert any("throws" in tag for tag in tags)


def test_two_objects_become_one_read_twice() -> None:
    """Where going downhill needs two steps at once, a command may come twice instead."""
    program = (Create("r"), Inspect("r"), Create("s"), Inspect("s"))

    def fails(candidate: Program) -> bool:
        reads = sum(isinstance(each, Inspect) for each in candidate)
        made = {each.handle for each in candidate if isinstance(each, Create)}
        named = {each.session for each in candidate if isinstance(each, Inspect)}
        return reads > 1 and named <= made

    assert Shrinker(fails).detour(program, ()) == (Create("s"), Inspect("s"), Inspect("s"))


def test_a_command_of_the_menu_may_do_the_work_of_two() -> None:
    """A richer command goes by the names of the plain one that it replaces."""
    program = (Create("s"), Append("s", "todo/write", EMPTY), Inspect("s"))
    richer = Create("x", "b", (record({"seq": Integer(0)}),))

    def fails(candidate: Program) -> bool:
        return len(candidate) == 2 and str(candidate).count("seq") == 1

    detour = Shrinker(fails).detour(program, (richer,))
    assert detour == (Create("s", "b", richer.seed), Inspect("s"))


def test_only_commands_are_tried() -> None:
    """Whatever is tried can be sent: it survives the wire."""
    for program in drawn(20):
        for command in program:
            for simpler in simpler_commands(command):
                assert command_from_wire(command_to_wire(simpler)) == simpler


def test_nothing_is_tried_twice() -> None:
    """A program costs a run of the implementation: it is run once."""
    tried: list[Program] = []

    def fails(program: Program) -> bool:
        tried.append(program)
        return has(Append, Detach)(program)

    Shrinker(fails).shrink(FILLER * 3)
    assert len(tried) == len(set(tried))


def test_a_budget_that_runs_out_is_said() -> None:
    """What may not be minimal does not claim to be."""
    shrinker = Shrinker(has(Append, CreateAgent), budget=3)
    assert has(Append, CreateAgent)(shrinker.shrink(FILLER * 4))
    assert shrinker.exhausted


def test_weight_counts_what_there_is_to_read() -> None:
    """Every key, item and scalar counts."""
    look = command_to_wire(Look("a"))
    assert weight(command_to_wire(Together((Look("a"),)))) > weight(look)
