"""Generation: what drawn programs reach, and what they never ask for."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, islice
from typing import get_args

import pytest

from conformance.choices import Limits
from conformance.compare import MOST_RUNS
from conformance.programs import Program, shown
from conformance.protocol.codec import command_to_wire
from conformance.protocol.json import Json
from model.command import Command, Ending, EventName, React, Single, Together
from model.observation import All, Did, Heard, Outcome, Settled
from model.refusal import Code, Refusal
from model.step import Run, runs
from model.world import initial
from tests.seeded import EVERYTHING, drawn

MANY = 600

NEVER: frozenset[Code] = frozenset(("UNKNOWN", "ALREADY_ATTACHED"))
"""Codes that no first answer of DSH is: with one store the id is always found taken first."""


@cache
def many() -> list[tuple[Command, ...]]:
    """Programs of an implementation that claims everything."""
    return drawn(MANY)


@cache
def first_runs() -> list[Run]:
    """Every step of them, as DSH takes it."""
    return [run for program in many() for run in followed(program)]


def followed(program: tuple[Command, ...]) -> Iterator[Run]:
    """The first run of each command."""
    world = initial()
    for command in program:
        run = next(runs(world, command))
        yield run
        world = run.world


def records(wire: Json) -> Iterator[dict[str, Json]]:
    """Every record in a piece of JSON."""
    match wire:
        case dict():
            yield wire
            for item in wire.values():
                yield from records(item)
        case list():
            for item in wire:
                yield from records(item)
        case _:
            return


def all_records() -> Iterator[dict[str, Json]]:
    """Every record of every program."""
    for program in many():
        for command in program:
            yield from records(command_to_wire(command))


def refusals(outcome: Outcome) -> Iterator[Code]:
    """The codes in an outcome."""
    match outcome:
        case Refusal(code):
            yield code
        case All(outcomes):
            for each in outcomes:
                yield from refusals(each)
        case _:
            return


def test_every_operation_is_drawn() -> None:
    """There is no command that no program issues."""
    kinds: set[type] = {type(each) for program in many() for each in program}
    scripted = {record["do"] for record in all_records() if "do" in record}
    for kind in (React, Together):
        assert kind in kinds
    assert len(scripted) == len((*get_args(Single), React, Together))


def test_every_refusal_is_met() -> None:
    """There is no code that DSH answers first and no program meets."""
    met: Counter[Code] = Counter()
    begun = (run for each in shown() for run in followed(each.commands))
    for run in chain(begun, first_runs()):
        met.update(refusals(run.outcome))
        for each in run.seen:
            if isinstance(each, Did | Settled):
                met.update(refusals(each.outcome))
    assert set(get_args(Code)) - set(met) == NEVER


def test_listeners_end_in_every_way_at_every_event() -> None:
    """At each event, reactions and listeners return, throw, reject and hold."""
    endings = {each.__name__.lower() for each in get_args(Ending)}
    met: set[tuple[Json, Json]] = set()
    for record in all_records():
        script = record.get("script", {})
        if "event" in record and isinstance(script, dict):
            ending = script.get("ending", {"end": "returns"})
            assert isinstance(ending, dict)
            met.add((record["event"], ending["end"]))
    wanted = {(event, ending) for event in get_args(EventName) for ending in endings}
    assert wanted <= met


def test_every_event_is_heard_and_reacted_to() -> None:
    """Each event is dispatched, and things are done by its listeners."""
    heard: Counter[str] = Counter()
    for run in first_runs():
        heard.update(each.event for each in run.seen if isinstance(each, Heard))
    assert min(heard[event] for event in get_args(EventName)) >= 20
    assert sum(isinstance(each, Did) for run in first_runs() for each in run.seen) >= MANY


def test_most_commands_name_something() -> None:
    """A handle that means nothing is behaviour too, but seldom."""
    nothing = sum("UNBOUND" in refusals(run.outcome) for run in first_runs())
    assert 0 < nothing < len(first_runs()) / 20


def test_no_step_has_too_many_runs() -> None:
    """What cannot be judged well is not drawn, though several runs are."""
    counts: Counter[int] = Counter()
    for program in many()[:200]:
        world = initial()
        for command in program:
            several = list(islice(runs(world, command), MOST_RUNS + 1))
            counts[len(several)] += 1
            world = several[0].world
    assert max(counts) <= MOST_RUNS
    assert sum(count for number, count in counts.items() if number > 1) >= 20


def test_programs_end_by_reading_what_they_leave() -> None:
    """The last commands look at every session that can be named."""
    for program in many()[:100]:
        *_, last = followed(program)
        read = [command_to_wire(each) for each in program[-40:]]
        named = {w.get("session") for w in read if isinstance(w, dict) and w["do"] == "inspect"}
        bound = {name for name, ref in last.world.bindings if type(ref).__name__ == "SessionRef"}
        assert bound <= named


@pytest.mark.parametrize("group", ["HDR", "STO", "REG", "TXN", "OWN"])
def test_nothing_is_asked_that_is_not_claimed(group: str) -> None:
    """Operations of other groups, hostile values and foretold ids are kept from an adapter."""
    limits = Limits(frozenset(), mints=False, groups=frozenset(("LOG", "STO", group)))
    for commands in drawn(60, limits):
        asked = Program("", "", (), commands)
        assert asked.groups <= limits.groups
        assert not asked.capabilities
        assert not asked.mints


def test_one_kind_of_hostile_value_does_not_bring_others() -> None:
    """Each kind is claimed by itself."""
    limits = replace(EVERYTHING, hostile=frozenset(("nan",)))
    found = {c for each in drawn(150, limits) for c in Program("", "", (), each).capabilities}
    assert found == {"hostile:nan"}


def test_a_seed_draws_the_same_programs_again() -> None:
    """A seed is all that there is to chance, and another seed is another program."""
    first = drawn(50)
    assert drawn(50) == first
    assert len(set(first)) == 50
