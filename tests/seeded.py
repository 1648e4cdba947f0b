"""Choices made by a seeded generator: programs in numbers, where nothing has to shrink."""

from random import Random

from conformance.choices import Chances, Limits
from conformance.generate import program
from conformance.protocol.values import KINDS
from conformance.serve import GROUPS
from model.command import Command

EVERYTHING = Limits(frozenset(KINDS), mints=True, groups=frozenset(GROUPS))
"""The limits of an implementation that claims everything."""


def drawn(count: int, limits: Limits = EVERYTHING) -> list[tuple[Command, ...]]:
    """So many programs, always the same."""
    seeds = map(Random, range(count))  # repeatable, not secret
    return [program(Chances(random), limits, ()) for random in seeds]
