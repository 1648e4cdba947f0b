"""Explaining: everything that has a name can be asked for by it, and reads well in a terminal."""

import pytest

from conformance.clauses import Clause, clauses
from conformance.explain import LISTS, WIDTH, divergences, explain
from conformance.faults import CallerFault
from conformance.programs import Program, shown
from conformance.protocol.codec import CODES
from invariants.alternatives import ALTERNATIVES
from invariants.laws import LAWS


@pytest.mark.parametrize("clause", clauses().values(), ids=lambda clause: clause.id)
def test_a_clause_is_explained_in_full(clause: Clause) -> None:
    """Statement, reason, source, links and an example, in lines that fit."""
    text = explain(clause.id.lower())
    assert text.startswith(f"{clause.id} · {clause.name}")
    flat = " ".join(text.split())
    for part in (clause.statement, clause.why, clause.source, *clause.laws, *clause.broken_by):
        assert part in flat
    prose = [line for line in text.splitlines() if not line.startswith("  ")]
    assert all(len(line) <= WIDTH for line in prose)


@pytest.mark.parametrize("program", shown(), ids=lambda program: program.name)
def test_a_program_is_told_with_its_answers(program: Program) -> None:
    """Every command has its outcome and what is live then."""
    lines = explain(program.name).splitlines()
    assert sum(line.startswith("  > ") for line in lines) == len(program.commands)
    assert sum(line.startswith("    = ") for line in lines) == len(program.commands)


@pytest.mark.parametrize(
    "name",
    [
        *LISTS,
        *(law.name for law in LAWS),
        *ALTERNATIVES,
        *CODES,
        *(number for number, _, _ in divergences()),
    ],
)
def test_whatever_has_a_name_is_explained(name: str) -> None:
    """Lists, laws, alternatives, codes and divergences have more than their name to say."""
    assert len(explain(name).splitlines()) > 1


def test_every_alternative_is_told_from_dsh_by_a_program() -> None:
    """The explanation names the programs that show it."""
    for name in ALTERNATIVES:
        assert "no program yet" not in explain(name)


def test_a_name_that_is_nearly_right_is_met_half_way() -> None:
    """A slip of the finger is answered with what was probably meant."""
    with pytest.raises(CallerFault, match="did you mean last-enter-wins"):
        explain("last-enter-win")
