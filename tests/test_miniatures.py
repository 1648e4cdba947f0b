"""The suite can fail: each miniature and each alternative is caught, for the right clause."""

import sys

import pytest

from conformance.campaign import Campaign
from conformance.implementations import reference
from conformance.results import Plan, Result
from conformance.transport import Adapter
from invariants.alternatives import ALTERNATIVES
from tests.miniatures import MINIATURES, Miniature
from tests.test_product import DIFFERENCES

ENOUGH = Plan(seed=1, programs=400, most_failures=1, enough=1)


def campaign(*command: str) -> Result:
    """What a short campaign finds."""
    with Adapter(command) as adapter:
        return Campaign(adapter, ENOUGH).run()


@pytest.mark.parametrize("miniature", MINIATURES.values(), ids=lambda each: each.name)
def test_a_miniature_is_caught_for_its_clause(miniature: Miniature) -> None:
    """It disagrees, the clause is one it breaks, and the program is a shortest one."""
    result = campaign(sys.executable, "-m", "tests.miniatures", miniature.name)
    assert result.verdict == "disagrees"
    (failure,) = result.failures
    assert failure.attribution.clause in miniature.clauses
    assert len(failure.program) <= miniature.shortest
    assert failure.minimal


def test_an_equivalent_change_is_not_caught() -> None:
    """What answers as DSH does agrees, whatever it is made of."""
    result = campaign(sys.executable, "-m", "tests.miniatures", "equivalent")
    assert result.verdict == "agrees"


@pytest.mark.slow
@pytest.mark.parametrize("name", ALTERNATIVES)
def test_an_alternative_is_caught_for_its_clause(name: str) -> None:
    """Every alternative disagrees, is diagnosed as itself, and by a shortest program.

    How short that is comes from the product search of the two designs.
    """
    result = campaign(*reference(name).command)
    assert result.verdict == "disagrees"
    (failure,) = result.failures
    assert name in {each.name for each in failure.attribution.alternatives}
    _, shortest = DIFFERENCES.get(name, ("", None))
    assert shortest is None or len(failure.program) <= shortest
