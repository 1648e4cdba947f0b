"""The two rollback mechanisms of the article, as themselves.

A *generator effect* runs steps in order, and each may yield a disposer; a failure runs what was
yielded, newest first, and what comes before a yield is not covered by it. A *scoped preparation*
is a value with a release that runs once, when the scope is left, and that does nothing once
publication has consumed it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from model.refusal import Refusal

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Yielded(Generic[State]):
    """What one step leaves: the state, and a disposer or a failure."""

    state: State
    disposer: Callable[[State], State] | None = None
    failure: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Effect(Generic[State]):
    """What an effect leaves: the state, and the failure that rolled it back, if one did."""

    state: State
    failure: Refusal | None = None


Step = Callable[[State], Yielded[State]]


def generator_effect(state: State, steps: tuple[Step[State], ...]) -> Effect[State]:
    """Run the steps; at a failure run the disposers yielded so far, newest first (STO-9)."""
    disposers: tuple[Callable[[State], State], ...] = ()
    for step in steps:
        yielded = step(state)
        state = yielded.state
        if yielded.failure is not None:
            for disposer in disposers:
                state = disposer(state)
            return Effect(state, yielded.failure)
        if yielded.disposer is not None:
            disposers = (yielded.disposer, *disposers)
    return Effect(state)


@dataclass(frozen=True, slots=True)
class Scoped:
    """A prepared value's release: whether it has run, and whether publication consumed it."""

    released: bool = False
    consumed: bool = False


@dataclass(frozen=True, slots=True)
class Left:
    """What leaving the scope does: the release's new state, and whether it really runs now."""

    scoped: Scoped
    runs: bool


def leave(scoped: Scoped) -> Left:
    """Leave the scope: the release runs at the first leaving, and not after publication (RBK-6)."""
    return Left(replace(scoped, released=True), runs=not (scoped.released or scoped.consumed))
