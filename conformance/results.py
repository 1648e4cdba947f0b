"""Results: what a campaign was to do, and what it has found so far."""

from dataclasses import dataclass, field
from typing import Literal

from conformance.clause_of import Attribution
from conformance.compare import Disagreement
from conformance.ledger import ENOUGH, Ledger
from conformance.protocol.message import Hello, Reply
from model.command import Command

Verdict = Literal["agrees", "disagrees", "errored"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a campaign is to do. `only` is a clause or a group, or nothing for all."""

    seed: int = 1
    programs: int = 200
    most_failures: int = 5
    enough: int = ENOUGH
    only: str = ""

    def about(self, clause: str) -> bool:
        """Whether the campaign is about a clause."""
        return self.only in ("", clause, clause.split("-", maxsplit=1)[0])


@dataclass(frozen=True, slots=True)
class Failure:
    """One way in which the implementation disagrees: the shrunk program, and what came of it.

    `minimal` says that nothing could be left out of the program, `steady` that it failed again.
    """

    fingerprint: str
    program: tuple[Command, ...]
    replies: tuple[Reply, ...]
    disagreement: Disagreement
    attribution: Attribution
    minimal: bool
    steady: bool = True


@dataclass(frozen=True, slots=True)
class Fault:
    """What the adapter failed at, and the program during which it did."""

    message: str
    program: tuple[Command, ...] = ()


@dataclass(slots=True)
class Result:
    """What a campaign has found so far; it can be reported at any time.

    `aside` are the fingerprints of disagreements that the plan is not about.
    """

    hello: Hello
    plan: Plan
    ledger: Ledger
    programs: int = 0
    steps: int = 0
    failures: list[Failure] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    errors: list[Fault] = field(default_factory=list)
    interrupted: bool = False

    @property
    def verdict(self) -> Verdict:
        """Whether the implementation conforms, as far as was looked."""
        if self.errors or self.programs == 0:
            return "errored"
        return "disagrees" if self.failures else "agrees"
