"""What is enabled: nothing that only misnames, everything else that the scope can spell."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from invariants.scopes import SCOPES
from model.candidates import CANDIDATES
from model.canonical import canonical
from model.command import Command, React, Single, Throws, Together
from model.dispatch import WATCH
from model.enabled import Offer, enabled, nameless, offers
from model.observation import Heard
from model.scope import Bounds, Handles, Menu, Reacting, Scope, fits
from model.session_command import Create, Detach, Enter, Prepare
from model.step import step
from model.world import World, initial, referent

SMALL = ("tiny", "stores", "ids", "agent-listeners", "owners")


def worlds(scope: Scope, limit: int = 150) -> Iterator[tuple[World, tuple[Offer, ...]]]:
    """The first worlds that a scope leads to, with what is enabled there."""
    found: dict[World, None] = {canonical(initial()): None}
    waiting = list(found)
    while waiting and len(found) < limit:
        world = waiting.pop(0)
        here = tuple(offers(world, scope))
        yield world, here
        for offer in here:
            for run in offer.runs:
                after = canonical(run.world)
                if after not in found:
                    found[after] = None
                    waiting.append(after)


def singles(command: Command) -> tuple[Single, ...]:
    """The operations that a client asks for in a command."""
    match command:
        case React(single, _):
            return (single,)
        case Together(commands):
            return commands
        case _:
            return (command,)


@pytest.mark.parametrize("name", SMALL)
def test_nothing_enabled_only_misnames(name: str) -> None:
    """No enabled command is refused because a handle means nothing or is in use."""
    for _, here in worlds(SCOPES[name]):
        assert not [offer.command for offer in here if nameless(offer.runs[0].outcome)]


@pytest.mark.parametrize("name", SMALL)
def test_an_offer_is_the_step_itself(name: str) -> None:
    """What an offer says of a command is what the step says of it."""
    for world, here in worlds(SCOPES[name], limit=20):
        assert all(offer.runs == step(world, offer.command).runs for offer in here)
        assert enabled(world, SCOPES[name]) == tuple(offer.command for offer in here)


@pytest.mark.parametrize("name", SMALL)
def test_nothing_leaves_the_scope(name: str) -> None:
    """Every enabled command stays inside the bounds of the scope."""
    for world, here in worlds(SCOPES[name]):
        assert all(fits(world, run.world, SCOPES[name]) for offer in here for run in offer.runs)


@pytest.mark.parametrize("name", SMALL)
def test_commands_are_enabled_once(name: str) -> None:
    """No command is offered twice in one world."""
    for _, here in worlds(SCOPES[name]):
        commands = [offer.command for offer in here]
        assert len(set(commands)) == len(commands)


@pytest.mark.parametrize("name", SMALL)
def test_reactions_are_to_what_fires(name: str) -> None:
    """A command carries a reaction only to an event that it fires."""
    for _, here in worlds(SCOPES[name]):
        for offer in here:
            if isinstance(offer.command, React):
                events = {reaction.event for reaction in offer.command.reactions}
                assert events <= _heard_in_any(offer)
                assert len(offer.command.reactions) <= SCOPES[name].reacting.at_once


def _heard_in_any(offer: Offer) -> set[str]:
    return {
        each.event
        for run in offer.runs
        for each in run.seen
        if isinstance(each, Heard) and each.listener == WATCH
    }


def test_two_reactions_are_to_two_dispatches() -> None:
    """A second reaction is to what the command fires with the first one, in either order once."""
    scope = replace(SCOPES["stores"], reacting=Reacting((Create,), (Throws("x"),), at_once=2))
    world = step(initial(), Create("s1", "a")).runs[0].world
    commands = enabled(world, replace(scope, menu=Menu(ids=("a", "b"))))
    pairs = [each for each in commands if isinstance(each, React) and len(each.reactions) == 2]
    assert len({frozenset(each.reactions) for each in pairs}) == len(pairs) > 0
    for each in pairs:
        events = [reaction.event for reaction in each.reactions]
        run = step(world, each).runs[0]
        heard = [seen.event for seen in run.seen if isinstance(seen, Heard)]
        assert all(heard.count(event) >= events.count(event) for event in events)


def test_every_useful_command_over_the_handles_is_enabled() -> None:
    """Against every spelling of the store's commands: only the misnaming ones are left out."""
    scope = Scope(
        "spelled",
        kinds=(Prepare, Create, Enter, Detach),
        handles=Handles(sessions=("s1", "s2"), entries=("e1",)),
        menu=Menu(ids=("a",)),
    )
    for world, here in worlds(scope):
        commands = {offer.command for offer in here}
        for command in _spelled(world):
            useful = not nameless(step(world, command).runs[0].outcome)
            assert (command in commands) == useful


def _spelled(world: World) -> Iterator[Command]:
    """Every spelling that gives the first free handle of its kind."""
    free = next((name for name in ("s1", "s2") if referent(world, name) is None), None)
    if free is not None:
        yield from (Prepare(free, "a"), Create(free, "a"))
    if referent(world, "e1") is None:
        yield from (Enter("e1", session) for session in ("s1", "s2", "e1"))
    yield from (Detach(entry) for entry in ("s1", "e1"))


def test_refusals_for_a_reason_are_enabled() -> None:
    """An id that is taken may be asked for: the refusal is behaviour."""
    scope = Scope("twice", (Create,), Handles(sessions=("s1", "s2")), Menu(ids=("a",)))
    world = step(initial(), Create("s1", "a")).runs[0].world
    assert enabled(world, scope) == (Create("s2", "a"),)


def test_what_would_leave_the_bounds_is_not_enabled() -> None:
    """Where two sessions may be live, a third is not created."""
    menu, handles = Menu(ids=("a", "b", "c")), Handles(sessions=("s1", "s2", "s3"))
    scope = Scope("crowd", (Create,), handles, menu, bounds=Bounds(live=2))
    world = initial()
    for handle, session_id in (("s1", "a"), ("s2", "b")):
        world = step(world, Create(handle, session_id)).runs[0].world
    assert Create("s3", "c") not in enabled(world, scope)
    assert Create("s3", "a") in enabled(world, scope)


def test_every_kind_of_command_is_in_some_scope() -> None:
    """The scopes together leave no kind of command out."""
    used = {kind for scope in SCOPES.values() for kind in scope.kinds}
    paired = {kind for scope in SCOPES.values() for pair in scope.together for kind in pair}
    assert used | paired == set(CANDIDATES)
