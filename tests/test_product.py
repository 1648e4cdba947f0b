"""The product of two designs: what tells them apart, as briefly as possible."""

import pytest

from invariants.alternatives import ALTERNATIVES
from invariants.product import compare, shortest_difference
from invariants.scopes import SCOPES
from model.design import DSH

DIFFERENCES = {
    "announce-before-detach-recorded": ("stores", 1),
    "disposal-always-seen": ("stores", 3),
    "last-enter-wins": ("stores", 3),
    "detach-at-once": ("stores", 3),
    "mint-takes-live-id": ("ids", 2),
    "released-every-time": ("ids", 4),
    "flush-fails-early": ("flushes", 4),
    "owner-forgotten": ("registry", 5),
    "commit-last": ("tiny", 2),
    "scope-unwound-last": ("tiny", 2),
    "busy-torn-down": ("rivals", 3),
    "stale-detach-by-id": ("stores", None),
}
"""The length of the shortest program that shows an alternative; None where its scope has none."""


@pytest.mark.parametrize(
    ("name", "worlds"), [("tiny", 24), ("headers", 79), ("stores", 366), ("ids", 149)]
)
def test_a_design_is_not_told_from_itself(name: str, worlds: int) -> None:
    """Nothing that DSH does is beyond DSH, and what a client knows of it is one of its worlds."""
    comparison = compare(DSH, DSH, SCOPES[name])
    assert comparison.complete
    assert comparison.program is None
    assert comparison.pairs == worlds


@pytest.mark.parametrize(("name", "expected"), DIFFERENCES.items())
def test_a_difference_is_shortest(name: str, expected: tuple[str, int | None]) -> None:
    """Each alternative is told from DSH by a program of known length."""
    scope, length = expected
    program = shortest_difference(DSH, ALTERNATIVES[name].design, SCOPES[scope])
    assert (None if program is None else len(program)) == length
