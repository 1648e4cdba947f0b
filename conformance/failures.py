"""Failures: from a program that fails to a small one that fails in the same way, explained."""

from dataclasses import dataclass, field

from conformance.choices import Limits
from conformance.clause_of import at_first_sight, attribute
from conformance.compare import Disagreement, compare
from conformance.conversation import Conversation, Program, ProgramFault
from conformance.protocol.message import Reply
from conformance.results import Failure
from conformance.shrink import SHORT, Shrinker

MOST_FAULTS = 3
"""Faults of the adapter after which a program is not shrunk any further."""

Found = tuple[tuple[Reply, ...], Disagreement]


def fingerprint(disagreement: Disagreement) -> str:
    """What makes two failures one: the clause at first sight, and the kind of divergence."""
    difference = disagreement.difference
    part = f":{difference.part}" if difference.part else ""
    return f"{at_first_sight(disagreement)}/{difference.kind}{part}"


@dataclass(slots=True)
class Shrinking:
    """Shrinks one failing program on an implementation.

    A candidate at which the adapter fails does not fail in the same way; it is started again.
    """

    conversation: Conversation
    limits: Limits
    program: Program
    found: Found
    _smallest: Program = field(init=False)
    _faults: int = 0
    _shrinker: Shrinker = field(init=False)

    def __post_init__(self) -> None:
        """Begin with the program up to the step at which it fails."""
        self._smallest = self.program[: self.found[1].index + 1]
        self._shrinker = Shrinker(self._fails)

    def shrink(self, menu: Program) -> None:
        """Make it as small as it gets; a long one is held against short programs of a menu."""
        smallest = self._shrinker.shrink(self._smallest)
        if len(smallest) > SHORT:
            shorter = self._shrinker.search(menu)
            smallest = smallest if shorter is None else self._shrinker.shrink(shorter)
        while len(smallest) > SHORT:
            shorter = self._shrinker.detour(smallest, menu)
            if shorter is None:
                return
            smallest = self._shrinker.shrink(shorter)

    def failure(self, *, steady: bool = True) -> Failure:
        """What is left of it, with the clause that it is about."""
        replies, disagreement = self.found
        return Failure(
            fingerprint(disagreement),
            self._smallest,
            replies,
            disagreement,
            attribute(
                self._smallest,
                replies,
                disagreement,
                claimed=self.limits.groups,
                foretold=self.limits.mints,
            ),
            minimal=not self._shrinker.exhausted and self._faults <= MOST_FAULTS,
            steady=steady,
        )

    def again(self) -> bool:
        """Whether what is left fails once more."""
        return self._fails(self._smallest)

    def _fails(self, program: Program) -> bool:
        if self._faults > MOST_FAULTS:
            return False
        try:
            replies = self.conversation.ask(program)
        except ProgramFault:
            self._faults += 1
            self.conversation.restart()
            return False
        disagreement = compare(program, replies, foretold=self.limits.mints)
        if disagreement is None or fingerprint(disagreement) != fingerprint(self.found[1]):
            return False
        self._smallest, self.found = program, (replies, disagreement)
        return True
