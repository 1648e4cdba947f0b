"""What the engine asks of a model: its start, its commands, what comes of them, and its laws."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

S = TypeVar("S")
T = TypeVar("T")
About_contra = TypeVar("About_contra", contravariant=True)
"""What a question is asked about: one way that a command went."""

Violations = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Way(Generic[S, T]):
    """One way in which a command may go: the state that it leads to, and what to ask about it."""

    next: S
    taken: Callable[[], T]
    """Made anew for each group of questions: a reading for one is not remembered for another."""
    asks: bool = True
    """Whether what holds of every state has to hold of the next one for this way's sake."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[S, T]):
    """Every way in which a command may go, and the commands to try because of it.

    No ways means that the command is not enabled.
    """

    ways: tuple[Way[S, T], ...] = ()
    further: tuple[Hashable, ...] = ()


class Question(Protocol[About_contra]):
    """A law about a way, or about a state: what breaks it, and whether it was at stake."""

    def broken(self, about: About_contra, /) -> Violations:
        """What breaks the law."""

    def reached(self, about: About_contra, /) -> bool:
        """Whether the law was at stake."""


class Rules(Protocol[S, T]):
    """A model: pure functions of states that are dataclasses.

    They are run on tracked states, so they may read them in no other way than by their fields.
    """

    def start(self) -> S:
        """The state to start from."""

    def of_ways(self) -> Mapping[str, Question[T]]:
        """What to ask about every way that a command goes, by the law's name."""

    def of_states(self) -> Mapping[str, Question[S]]:
        """What to ask about every state, by the law's name."""

    def candidates(self, state: S, /) -> tuple[Hashable, ...]:
        """The commands to try in a state, in order."""

    def answer(self, state: S, command: Hashable, /) -> Answer[S, T]:
        """What comes of a command."""
