"""The laws: every one is registered, every clause has one, and every one can be broken."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import invariants
from conformance.clauses import clauses
from invariants.alternatives import ALTERNATIVES
from invariants.explore import explore
from invariants.law import Law, question
from invariants.laws import LAWS
from invariants.laws_named import NAMED
from invariants.scopes import SCOPES
from tests.forged_steps import FORGED
from tests.law_killers import KILLERS

STORAGE_ONLY = ("STG",)
"""Groups about how a log is stored, which no law of the model can reach."""


def _law(name: str) -> Law:
    return next(law for law in LAWS if law.name == name)


def _declared() -> Iterator[Law]:
    """Every law that a module of the package holds, alone or in a tuple."""
    for module in pkgutil.iter_modules(invariants.__path__):
        for value in vars(importlib.import_module(f"invariants.{module.name}")).values():
            for each in value if isinstance(value, tuple) else (value,):
                if isinstance(each, Law):
                    yield each


def test_every_law_is_registered() -> None:
    """A law that a module declares and the registry lacks would be checked by nobody."""
    assert set(_declared()) == set(LAWS)


def test_the_named_laws_come_first() -> None:
    """The four laws that were asked for by name stand first, in every report."""
    assert LAWS[:4] == NAMED
    assert len({law.name for law in LAWS}) == len(LAWS)


def test_laws_and_clauses_cover_each_other() -> None:
    """Every law is about clauses that exist, and every clause of these groups has a law."""
    known = {clause.id for clause in clauses().values() if clause.group not in STORAGE_ONLY}
    covered = {clause for law in LAWS for clause in law.clauses}
    assert all(law.clauses for law in LAWS)
    assert covered == known


def test_every_law_has_something_that_breaks_it() -> None:
    """No law is beyond breaking: each has a design or a forged step against it."""
    assert {*KILLERS, *FORGED} == {law.name for law in LAWS}


@pytest.mark.parametrize("name", KILLERS)
def test_a_design_breaks_the_law(name: str) -> None:
    """The explorer finds a program under which another design breaks the law."""
    killer, scope = KILLERS[name]
    design = ALTERNATIVES[killer].design if isinstance(killer, str) else killer
    found = explore(SCOPES[scope], design, (_law(name),), until_broken=True)
    assert [verdict.status for verdict in found.verdicts] == ["violated"]


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_step_breaks_the_law(name: str) -> None:
    """A step that DSH would not take breaks the law."""
    violations = question(_law(name)).broken(FORGED[name])
    assert violations
    assert all(len(text.split()) > 2 for text in violations)
