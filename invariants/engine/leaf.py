"""Leaves and entries: what came of a command, and of a block of commands, for one footprint."""

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


@dataclass(frozen=True, slots=True)
class Landing:
    """A jump after which something is asked: which way it is, and the laws of the new state."""

    command: Remembered[Leaf]
    way: int
    jump: Jump
    asks: bool
    laws: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """What is left to do about a command in every state, found before or not."""

    command: Remembered[Leaf]
    leaf: Leaf
    landings: tuple[Landing, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """What a block of commands does in every state that looks the same to it.

    `deltas` lead to states about which nothing has to be asked, `checked` ones to states about
    which something has, if they are new.
    """

    count: int
    deltas: tuple[int, ...]
    checked: tuple[tuple[int, Landing], ...]
    rest: tuple[Rest, ...]
