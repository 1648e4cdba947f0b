"""What a law is: a sentence, its clauses, and a pure predicate of one of five kinds.

A predicate returns what breaks the law, one short text for each thing that does; nothing means
that the law holds. Beside it stands `reached`, which says whether the law's premise came about
at all: a law that never was at stake has not been shown to hold.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar, assert_never

from model.command import Command
from model.design import Design
from model.observation import Live, Observation
from model.step import Run
from model.world import World

Violations = tuple[str, ...]
Memory = TypeVar("Memory")

HOLDS: Violations = ()

reading = lru_cache(maxsize=64)
"""Remembers what was read of the steps looked at last: many laws ask for the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """One step that was taken: the world before it, the command, and the run that happened.

    Rows keep their numbers during a step, so a number means the same in both worlds. Two steps are
    the same only if they are one object, so that a reading of a step is cheap to remember.
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


@reading
def moments(taken: Taken) -> tuple[Moment, ...]:
    """Every moment of a step at which somebody sees what is live."""
    seen = (Moment(taken, observation, observation.live) for observation in taken.run.seen)
    return (*seen, Moment(taken, None, taken.run.live))


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
    """One promise: the sentence that names it, the clauses that make it, and its check.

    Most are promises of one process. One that holds `across` processes also judges the steps during
    which one ends and another starts.
    """

    name: str
    clauses: tuple[str, ...]
    check: Check
    across: bool = False


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


@dataclass(frozen=True, slots=True)
class Question:
    """A law as two questions about a step and the world that it leaves."""

    law: Law
    broken: Callable[[Taken], Violations]
    reached: Callable[[Taken], bool]


def question(law: Law) -> Question:
    """Ask a law about a step: what breaks it, and whether it was at stake."""
    asked = _question(law)
    if law.across:
        return asked
    return Question(
        law,
        lambda taken: HOLDS if taken.run.booted else asked.broken(taken),
        lambda taken: not taken.run.booted and asked.reached(taken),
    )


def _question(law: Law) -> Question:
    match law.check:
        case Always(wrong, at_stake):
            return Question(
                law, lambda taken: wrong(taken.after), lambda taken: at_stake(taken.after)
            )
        case AtEveryObservation(wrong_at, at_stake_at):
            return Question(
                law,
                lambda taken: tuple(text for each in moments(taken) for text in wrong_at(each)),
                lambda taken: any(at_stake_at(each) for each in moments(taken)),
            )
        case AtEveryStep(wrong_in, at_stake_in) | OverHistory(wrong_in, at_stake_in):
            return Question(law, wrong_in, at_stake_in)
        case Eventually(wrong_from, at_stake):
            return Question(
                law,
                lambda taken: wrong_from(taken.after, taken.design),
                lambda taken: at_stake(taken.after),
            )
        case _:
            assert_never(law.check)
