"""The commands that a client may usefully issue in a world, within a scope.

Candidates are built from the handles that mean something and the menus of the scope, and then
taken: what a step would do is asked of the step itself. A refusal is behaviour and is offered;
a command that only names nothing (`UNBOUND`) or names it wrongly (`HANDLE_IN_USE`) is not.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from model.candidates import pairs, singles
from model.command import Command, EventName, React, Reaction, Script, Single, Together
from model.design import DSH, Design
from model.dispatch import WATCH
from model.observation import All, Did, Heard, Outcome
from model.refusal import Refusal
from model.rows import Subject
from model.scope import Scope, fits
from model.step import Run, step
from model.view import View, handles, reacting, view
from model.world import World

NAMELESS = frozenset(("UNBOUND", "HANDLE_IN_USE"))


@dataclass(frozen=True, slots=True)
class Offer:
    """One command that a client may issue, with every way in which it may go."""

    command: Command
    runs: tuple[Run, ...]


def enabled(world: World, scope: Scope, design: Design = DSH) -> tuple[Command, ...]:
    """Every command that a client may usefully issue, in a fixed order."""
    return tuple(offer.command for offer in offers(world, scope, design))


def offers(world: World, scope: Scope, design: Design = DSH) -> Iterator[Offer]:
    """The enabled commands with their steps, each taken once."""
    seen = view(world, scope, design)
    for candidate in candidates(seen):
        yield from answered(seen, candidate)


def candidates(seen: View) -> Iterator[Single | Together]:
    """Everything that a client can spell, whatever comes of it."""
    yield from singles(seen, seen.scope.kinds)
    yield from pairs(seen)


def answered(seen: View, candidate: Single | Together) -> Iterator[Offer]:
    """A candidate, if it is enabled, and the same again with reactions to what it fires."""
    known: set[Command] = set()
    waiting: list[Command] = [candidate]
    while waiting:
        command = waiting.pop(0)
        for offer in offered(seen, command):
            yield offer
            further = [each for each in extended(seen, offer) if each not in known]
            known.update(further)
            waiting += further


def offered(seen: View, command: Command) -> tuple[Offer, ...]:
    """Take a candidate; drop it where it only misnames, or leaves the scope."""
    runs = step(seen.world, command, seen.design).runs
    inside = all(fits(seen.world, run.world, seen.scope) for run in runs)
    return (Offer(command, runs),) if inside and not all(map(_misnames, runs)) else ()


def _misnames(run: Run) -> bool:
    """Whether a run only says that a handle was wrong, to the caller or to a reaction."""
    return nameless(run.outcome) or any(
        isinstance(each, Did) and each.by == WATCH and nameless(each.outcome) for each in run.seen
    )


def nameless(outcome: Outcome) -> bool:
    """Whether an outcome says only that a handle was wrong."""
    match outcome:
        case Refusal(code):
            return code in NAMELESS
        case All(outcomes):
            return any(nameless(each) for each in outcomes)
        case _:
            return False


def extended(seen: View, offer: Offer) -> Iterator[React]:
    """The command with one more reaction to what it fires without it (up to `at_once`)."""
    match offer.command:
        case React(single, given):
            pass
        case Together():
            return
        case single:
            given = ()
    if len(given) < seen.scope.reacting.at_once:
        for reaction in reactions(seen, single, given, offer.runs):
            yield React(single, tuple(sorted((*given, reaction), key=_event)))


def _event(reaction: Reaction) -> EventName:
    return reaction.event


def reactions(
    seen: View, single: Single, given: tuple[Reaction, ...], runs: tuple[Run, ...]
) -> Iterator[Reaction]:
    """One more reaction for each event that these runs fire and that has none yet."""
    actions = (action for each in given for action in each.script.actions)
    names = (*handles(single), *(name for action in actions for name in handles(action)))
    for event, subject in fired(runs, given):
        for ending in seen.scope.reacting.endings:
            yield Reaction(event, Script(ending=ending))
        for action in singles(reacting(seen, subject, names), seen.scope.reacting.kinds):
            yield Reaction(event, Script((action,)))


def fired(
    runs: tuple[Run, ...], given: tuple[Reaction, ...]
) -> Iterator[tuple[EventName, Subject]]:
    """The events that `watch` hears and that no reaction takes, with the objects they carry."""
    first: dict[EventName, Subject] = {}
    for run in runs:
        spent = [reaction.event for reaction in given]
        for each in run.seen:
            if not isinstance(each, Heard) or each.listener != WATCH:
                continue
            if each.event in spent:
                spent.remove(each.event)
            elif each.event not in first:
                session = each.session
                if each.agent is not None:
                    session = run.world.agents[each.agent].session
                first[each.event] = Subject(session, each.agent)
    yield from first.items()
