"""Choices made by a seeded generator: programs in numbers, where nothing has to shrink."""

from conformance.choices import Limits, Seeded
from conformance.generate import program
from conformance.protocol.values import KINDS
from conformance.serve import GROUPS
from model.command import Command

EVERYTHING = Limits(frozenset(KINDS), mints=True, groups=frozenset(GROUPS))
"""The limits of an implementation that claims everything."""


def drawn(count: int, limits: Limits = EVERYTHING) -> list[tuple[Command, ...]]:
    """So many programs, always the same."""
    return [program(Seeded(seed), limits, ()) for seed in range(count)]
