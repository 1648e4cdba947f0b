"""Choices made by a seeded generator: programs in numbers, where nothing has to shrink."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from conformance.choices import Limits
from conformance.generate import program
from conformance.protocol.values import KINDS
from conformance.serve import GROUPS
from model.command import Command

Item = TypeVar("Item")

EVERYTHING = Limits(frozenset(KINDS), mints=True, groups=frozenset(GROUPS))
"""The limits of an implementation that claims everything."""


class Seeded:
    """Choices made by a seeded generator."""

    def __init__(self, seed: int) -> None:
        """Begin at a seed."""
        self._random = Random(seed)  # noqa: S311 - it has to be repeatable, not secret

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self._random.randrange(len(items))]

    def percent(self, chance: int) -> bool:
        """Whether something happens that happens so often in a hundred times."""
        return self._random.randrange(100) < chance


def drawn(count: int, limits: Limits = EVERYTHING) -> list[tuple[Command, ...]]:
    """So many programs, always the same."""
    return [program(Seeded(seed), limits, ()) for seed in range(count)]
