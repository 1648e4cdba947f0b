"""Footprints: a rule is run once for each thing that it reads, and remembered for that.

Whatever agrees with a state in the parts that a rule read of it gets the same answer, because a
rule is a pure function: that is all the soundness there is, and no declaration is trusted.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from invariants.engine.layout import Layout, Moves

Answer = TypeVar("Answer")

Ask = Callable[[int], tuple[Mapping[int, int], Answer]]
"""Runs a rule on a packed state: the parts that it read, with their numbers, and its answer."""


@dataclass(slots=True)
class Known(Generic[Answer]):
    """The answers that needed the same parts, by what stood there."""

    mask: int
    answers: dict[int, Answer] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Remembered(Generic[Answer]):
    """A pure function of packed states, remembered by footprint.

    `exact` keeps the answers by the parts that were read for them; `quick` finds them again with
    one look, by all the parts that any of them needed.
    """

    name: object
    ask: Ask[Answer]
    layout: Layout
    exact: dict[frozenset[int], Known[Answer]] = field(default_factory=dict)
    quick: Known[Answer] = field(default_factory=lambda: Known(0))

    def __call__(self, state: int) -> Answer:
        """The answer for a state."""
        known = self.quick.answers.get(state & self.quick.mask)
        return self._search(state) if known is None else known

    def _search(self, state: int) -> Answer:
        for known in self.exact.values():
            answer = known.answers.get(state & known.mask)
            if answer is not None:
                self.quick.answers[state & self.quick.mask] = answer
                return answer
        return self._learn(state)

    def _learn(self, state: int) -> Answer:
        reads, answer = self.ask(state)
        self.remember(state, reads, answer)
        return answer

    def remember(self, state: int, reads: Mapping[int, int], answer: Answer) -> None:
        """Take over an answer that needed these parts of a state."""
        mask = _mask(self.layout, reads)
        known = self.exact.setdefault(frozenset(reads), Known(mask))
        known.answers[state & mask] = answer
        if mask & ~self.quick.mask:
            self.quick = Known(self.quick.mask | mask)
        self.quick.answers[state & self.quick.mask] = answer

    def answers(self) -> Iterator[Answer]:
        """Every answer that is remembered."""
        return (answer for known in self.exact.values() for answer in known.answers.values())

    def relaid(self, moves: Moves) -> None:
        """Take over a wider layout."""
        self.quick = Known(0)
        for parts, known in self.exact.items():
            known.mask = _mask(self.layout, parts)
            known.answers = {moves(key): answer for key, answer in known.answers.items()}
            self.quick.mask |= known.mask


def _mask(layout: Layout, parts: "frozenset[int] | Mapping[int, int]") -> int:
    mask = 0
    for part in parts:
        mask |= layout.parts[part].mask
    return mask
