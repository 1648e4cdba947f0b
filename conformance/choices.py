"""Choices: what a program is drawn with, and what it may contain."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Protocol, Self, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from conformance.protocol.message import Hello

Item = TypeVar("Item")

HOSTILE = "hostile:"
FORETOLD = "session-{n}"
"""How an implementation mints whose ids can be foretold: as the model does."""


class Choices(Protocol):
    """Where choices come from."""

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        ...

    def percent(self, chance: int) -> bool:
        """Whether something happens that happens so often in a hundred times."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """What an implementation can be asked for.

    `hostile` are the kinds of hostile values that it can be handed, `mints` says whether its minted
    ids can be foretold, `groups` are those that it claims.
    """

    hostile: frozenset[str]
    mints: bool
    groups: frozenset[str]
    longest: int = 32

    @classmethod
    def of(cls, hello: Hello) -> Self:
        """What an adapter claims of its implementation."""
        kinds = (each.removeprefix(HOSTILE) for each in hello.capabilities if HOSTILE in each)
        return cls(frozenset(kinds), hello.mint == FORETOLD, frozenset(hello.groups))


class Draw(Protocol):
    """How Hypothesis draws, in a composite strategy and in a test's body alike."""

    def __call__(self, strategy: SearchStrategy[Item], /) -> Item:
        """Draw from a strategy."""
        ...


@dataclass(slots=True)
class Drawn:
    """Choices that Hypothesis makes."""

    draw: Draw

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items; the first is the simplest."""
        return items[self.draw(below(len(items)))]

    def percent(self, chance: int) -> bool:
        """Whether something happens that happens so often in a hundred times."""
        return self.draw(below(100)) >= 100 - chance


@dataclass(slots=True)
class Chances:
    """Choices that a generator of random numbers makes, as Hypothesis or a test has seeded it.

    Where Hypothesis makes each choice it varies what it drew before, and comes back to the same
    programs; that is worth it where it shrinks, and campaigns shrink by themselves.
    """

    random: Random

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.random.randrange(len(items))]

    def percent(self, chance: int) -> bool:
        """Whether something happens that happens so often in a hundred times."""
        return self.random.randrange(100) < chance


@cache
def below(count: int) -> SearchStrategy[int]:
    """The numbers from 0, so many; made once, because a program takes hundreds of choices."""
    return st.integers(0, count - 1)
