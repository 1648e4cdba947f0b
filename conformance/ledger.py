"""The ledger: how often each clause was put to the test, and how it went.

A clause counts as *exercised* by a program when an alternative that breaks it would have answered
differently: then the program could have failed, and that it did not means something.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from conformance.exercise import Exercise, decisions_of
from invariants.alternative import Alternative
from invariants.alternatives import ALTERNATIVES
from model.command import Command

ENOUGH = 25
"""Programs after which a clause is exercised well enough to stop counting."""


@dataclass(slots=True)
class Tally:
    """What became of a clause: its programs by their result."""

    passed: int = 0
    failed: int = 0
    excused: int = 0
    inapplicable: int = 0
    unreached: int = 0

    @property
    def declared(self) -> int:
        """All of them together: nothing is left out of the count."""
        return self.passed + self.failed + self.excused + self.inapplicable + self.unreached


def by_clause() -> Mapping[str, tuple[Alternative, ...]]:
    """The alternatives that break each clause."""
    found: dict[str, tuple[Alternative, ...]] = {}
    for each in ALTERNATIVES.values():
        found[each.clause] = (*found.get(each.clause, ()), each)
    return found


def by_decision() -> Mapping[str, frozenset[str]]:
    """The decisions that each alternative takes otherwise."""
    return {name: decisions_of(each) for name, each in ALTERNATIVES.items()}


@dataclass(slots=True)
class Ledger:
    """The tallies of one campaign. Only clauses of claimed groups can pass or fail.

    `about` says which clauses the campaign is about, `foretold` whether minted ids are compared.
    """

    groups: frozenset[str]
    enough: int = ENOUGH
    about: Callable[[str], bool] = lambda _clause: True
    foretold: bool = False
    breaking: Mapping[str, tuple[Alternative, ...]] = field(default_factory=by_clause)
    decisions: Mapping[str, frozenset[str]] = field(default_factory=by_decision)
    tallies: dict[str, Tally] = field(init=False)

    def __post_init__(self) -> None:
        """Open a tally for every clause that a program can be about."""
        self.tallies = {clause: Tally() for clause in self.breaking}

    def claimed(self, clause: str) -> bool:
        """Whether the campaign is about the clause, and the implementation claims its group."""
        return clause.split("-", maxsplit=1)[0] in self.groups and self.about(clause)

    def wanted(self) -> tuple[str, ...]:
        """The claimed clauses that have not been exercised enough, the least exercised first."""
        lacking = [
            clause
            for clause, tally in self.tallies.items()
            if self.claimed(clause) and tally.passed < self.enough
        ]
        return tuple(sorted(lacking, key=lambda clause: self.tallies[clause].passed))

    def passed(self, program: Sequence[Command]) -> None:
        """Count a program that agreed for every clause that it exercised."""
        wanted = self.wanted()
        if not wanted:
            return
        exercise = Exercise(program, foretold=self.foretold)
        for clause in wanted:
            breaking = self.breaking[clause]
            if any(exercise.puts_to_the_test(each, self.decisions[each.name]) for each in breaking):
                self.tallies[clause].passed += 1

    def failed(self, clause: str) -> None:
        """Count a program that disagreed for the clause that it is about."""
        self.tallies.setdefault(clause, Tally()).failed += 1

    def close(self) -> None:
        """Say of the rest whether it does not apply or was not reached."""
        for clause, tally in self.tallies.items():
            if tally.declared:
                continue
            if self.claimed(clause):
                tally.unreached += 1
            else:
                tally.inapplicable += 1
