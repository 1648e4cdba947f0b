"""What a law is: a sentence, its clauses, and a pure predicate of one of five kinds.

A predicate returns what breaks the law, one short text for each thing that does; nothing means
that the law holds. Beside it stands `reached`, which says whether the law's premise came about
at all: a law that never was at stake has not been shown to hold.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar, assert_never

from model.command import Command
from model.design import Design
from model.observation import Live, Observation
from model.step import Run
from model.world import World

Violations = tuple[str, ...]
Memory = TypeVar("Memory")

HOLDS: Violations = ()


@dataclass(frozen=True, slots=True)
class Taken:
    """One step that was taken: the world before it, the command, and the run that happened.

    Rows keep their numbers during a step, so a number means the same in both worlds.
    """

    before: World
    command: Command
    run: Run
    design: Design

    @property
    def after(self) -> World:
        """The world that the run leaves."""
        return self.run.world


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment that a client can observe: an observation, or the reply (None), which ends it."""

    taken: Taken
    observation: Observation | None
    live: Live


def moments(taken: Taken) -> Iterator[Moment]:
    """Every moment of a step at which somebody sees what is live."""
    for observation in taken.run.seen:
        yield Moment(taken, observation, observation.live)
    yield Moment(taken, None, taken.run.live)


@dataclass(frozen=True, slots=True)
class Always:
    """A law of every world at rest."""

    broken: Callable[[World], Violations]
    reached: Callable[[World], bool]


@dataclass(frozen=True, slots=True)
class AtEveryObservation:
    """A law of every moment that a client can observe."""

    broken: Callable[[Moment], Violations]
    reached: Callable[[Moment], bool]


@dataclass(frozen=True, slots=True)
class AtEveryStep:
    """A law of the world before a command, the command, and the run that happened."""

    broken: Callable[[Taken], Violations]
    reached: Callable[[Taken], bool]


@dataclass(frozen=True, slots=True)
class OverHistory:
    """A law of everything seen so far, folded into a memory: see `Monitor`."""

    broken: Callable[[Taken], Violations]
    reached: Callable[[Taken], bool]


@dataclass(frozen=True, slots=True)
class Eventually:
    """A law of what can follow: from every world the design's own steps lead to what it says."""

    broken: Callable[[World, Design], Violations]
    reached: Callable[[World], bool]


Check = Always | AtEveryObservation | AtEveryStep | OverHistory | Eventually


@dataclass(frozen=True, slots=True)
class Law:
    """One promise: the sentence that names it, the clauses that make it, and its check."""

    name: str
    clauses: tuple[str, ...]
    check: Check


@dataclass(frozen=True, slots=True)
class Monitor(Generic[Memory]):
    """A memory of what has been seen, kept so that it need not be carried from step to step.

    At rest the memory can be read off the world: `recall` does that. Within a step `notice` folds
    one moment after the other into it, and what it then holds has to be what `recall` reads off the
    world after the step. So a search needs no state beside its worlds, and a world that forgets
    what was seen breaks the law at once.
    """

    recall: Callable[[World], Memory]
    notice: Callable[[Memory, Moment], tuple[Memory, Violations]]
    differs: Callable[[Memory, Memory], Violations]


def watched(monitor: Monitor[Memory], taken: Taken) -> Violations:
    """Fold the moments of a step, and compare the memory with the world after it."""
    memory = monitor.recall(taken.before)
    found: Violations = HOLDS
    for moment in moments(taken):
        memory, broken_now = monitor.notice(memory, moment)
        found = (*found, *broken_now)
    return (*found, *monitor.differs(memory, monitor.recall(taken.after)))


def broken(law: Law, taken: Taken) -> Violations:
    """What breaks the law in a step and in the world that it leaves."""
    match law.check:
        case Always(holds_not):
            return holds_not(taken.after)
        case AtEveryObservation(holds_not_at):
            return tuple(text for moment in moments(taken) for text in holds_not_at(moment))
        case AtEveryStep(holds_not_in) | OverHistory(holds_not_in):
            return holds_not_in(taken)
        case Eventually(holds_not_from):
            return holds_not_from(taken.after, taken.design)
        case _:
            assert_never(law.check)


def reached(law: Law, taken: Taken) -> bool:
    """Whether the law was at stake in a step or in the world that it leaves."""
    match law.check:
        case Always(_, at_stake):
            return at_stake(taken.after)
        case AtEveryObservation(_, at_stake_at):
            return any(at_stake_at(moment) for moment in moments(taken))
        case AtEveryStep(_, at_stake_in) | OverHistory(_, at_stake_in):
            return at_stake_in(taken)
        case Eventually(_, at_stake):
            return at_stake(taken.after)
        case _:
            assert_never(law.check)
