"""Leaves: what came of a command, for every state that has the same footprint."""

from dataclasses import dataclass

from invariants.engine.footprint import Remembered
from invariants.engine.jump import Jump

Breach = tuple[int, str]
"""Which way broke which law."""


@dataclass(slots=True)
class Leaf:
    """What came of a command: the jumps, what they broke, and the commands to try because of it.

    `asks` says of each jump whether the state it leads to is asked about. `judged` asks the
    questions that depend on more of the state than the command did.
    """

    jumps: tuple[Jump, ...]
    asks: tuple[bool, ...]
    breaches: tuple[Breach, ...]
    further: "tuple[Remembered[Leaf], ...]"
    judged: Remembered[tuple[Breach, ...]] | None = None
