"""The article's design: what it decides otherwise, and the programs that show it."""

import re
from dataclasses import fields

import pytest

from conformance.compare import tells_apart
from conformance.programs import SPEC, load
from invariants.explore import explore
from invariants.scopes import SCOPES
from model.design import ARTICLE, DSH, Design

PAGE = (SPEC / "divergences.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `(\w+)` \| .+? \| D(\d+) \|$", PAGE, re.MULTILINE))
"""The decisions that the page lists, each with the number of its divergence."""


def decided_otherwise() -> dict[str, Design]:
    """The decisions in which the article differs, each as the only difference from DSH."""
    names = (each.name for each in fields(Design))
    found = {name for name in names if getattr(ARTICLE, name) != getattr(DSH, name)}
    values = {each.name: getattr(DSH, each.name) for each in fields(Design)}
    return {name: Design(**(values | {name: getattr(ARTICLE, name)})) for name in sorted(found)}


def test_the_page_has_every_decision() -> None:
    """What the article decides otherwise is listed, and nothing else."""
    assert sorted(ROWS) == sorted(decided_otherwise())


@pytest.mark.parametrize("name", decided_otherwise())
def test_a_program_tells_the_articles_choice_from_dsh(name: str) -> None:
    """The divergence's own program answers otherwise under that one decision."""
    program = load(SPEC / "programs" / f"divergence-{ROWS[name]}.json")
    assert tells_apart(program.commands, decided_otherwise()[name])


def test_the_article_breaks_laws_that_dsh_keeps() -> None:
    """Two laws of the smallest scope fall with the order of the rollback."""
    broken = {verdict.law.name for verdict in explore(SCOPES["tiny"], ARTICLE).violated}
    assert "a scope is unwound while both objects are live" in broken
