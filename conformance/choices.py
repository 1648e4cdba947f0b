"""Choices: what a program is drawn with, and what it may contain."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Item = TypeVar("Item")


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
        return items[self.draw(st.integers(0, len(items) - 1))]

    def percent(self, chance: int) -> bool:
        """Whether something happens that happens so often in a hundred times."""
        return self.draw(st.integers(0, 99)) >= 100 - chance
