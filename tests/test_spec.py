"""The pages beside the clauses: what they name exists, and what exists they name."""

import re

import pytest

from conformance.compare import compare
from conformance.programs import SPEC, Program, shown
from conformance.transport import Adapter

PROGRAMS = {program.name: program for program in shown()}
LINK = re.compile(r"`((?:divergence|caveat)-[\w-]+)`")


@pytest.mark.parametrize(("page", "prefix"), [("divergences", "divergence"), ("caveats", "caveat")])
def test_every_row_has_its_program_and_every_program_its_row(page: str, prefix: str) -> None:
    """A divergence or caveat is a program that anybody can run."""
    linked = set(LINK.findall((SPEC / f"{page}.md").read_text(encoding="utf-8")))
    assert linked == {name for name in PROGRAMS if name.startswith(prefix)}


def test_the_vocabulary_leads_to_the_code() -> None:
    """Each word names a module or a thing in it."""
    text = (SPEC / "vocabulary.md").read_text(encoding="utf-8")
    rows = [line.split("|")[3] for line in text.splitlines() if line.startswith("| ")][1:]
    for row in rows:
        for link in re.findall(r"`([^`]+)`", row):
            path = SPEC.parent / link.replace(".", "/")
            parent = path.parent.with_suffix(".py")
            there = path.exists() or path.with_suffix(".py").exists()
            named = parent.exists() and re.search(rf"\b{path.name}\b", parent.read_text("utf-8"))
            assert there or named or (SPEC.parent / link).exists(), link


@pytest.mark.dsh
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=lambda program: program.name)
def test_the_real_dsh_agrees_with_every_shown_program(
    program: Program,
    dsh: Adapter,
) -> None:
    """What the spec shows is what DSH does."""
    assert compare(program.commands, dsh.run(program.commands)) is None
    assert dsh.leftovers == []
