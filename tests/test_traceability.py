"""Traceability: clause to model, law, program and alternative, and each of them back."""

import ast
import importlib
import re
from pathlib import Path

import pytest

from conformance.clauses import Clause, clauses
from conformance.compare import compare, simulate, tells_apart
from conformance.programs import SPEC, Program, shown
from invariants import laws as registry
from invariants.alternatives import ALTERNATIVES
from invariants.law import Law
from invariants.laws import LAWS
from model.design import DSH

ROOT = SPEC.parent
CLAUSES = clauses()
GROUPS = {
    "HDR": 10,
    "LOG": 6,
    "SEED": 8,
    "STO": 12,
    "REG": 10,
    "TXN": 11,
    "RBK": 8,
    "OWN": 6,
    "FORK": 4,
    "RES": 8,
    "IDN": 7,
    "STG": 10,
}
IDS = re.compile(r"\b([A-Z]{3,4})-(\d+)((?:(?:, | and | to )\d+)*)\b")
PROGRAMS = shown()


def named_in(text: str) -> set[str]:
    """The clause ids that a text names, also as `STO-2 to 8` and `HDR-2, 10`."""
    found: set[str] = set()
    for group, first, more in IDS.findall(text):
        if group not in GROUPS:
            continue
        numbers = [int(first)]
        for word, number in re.findall(r"(, | and | to )(\d+)", more):
            start = numbers[-1] + 1 if word == " to " else int(number)
            numbers.extend(range(start, int(number) + 1))
        found.update(f"{group}-{number}" for number in numbers)
    return found


def test_every_clause_has_its_page() -> None:
    """No id is missing, none is made up."""
    expected = [f"{group}-{n}" for group, count in GROUPS.items() for n in range(1, count + 1)]
    assert sorted(CLAUSES) == sorted(expected)


@pytest.mark.parametrize("clause", CLAUSES.values(), ids=lambda clause: clause.id)
def test_a_clause_is_written_out_and_its_links_lead_somewhere(clause: Clause) -> None:
    """Statement, reason and source are there; functions, laws, programs and alternatives exist."""
    assert re.search(r"\b(MUST|MAY)\b", clause.statement)
    assert clause.why
    assert re.search(r"`(dsh-[a-z-]+|cordis)`", clause.source)
    assert clause.observable.startswith(("yes", "no: "))
    assert clause.model
    for link in clause.model:
        module, name = link.rsplit(".", maxsplit=1)
        item: object = getattr(importlib.import_module(module), name)
        assert clause.id in named_in(item.__doc__ or ""), f"{link} does not name {clause.id}"
    for name in clause.laws:
        assert clause.id in law_named(name).clauses
    for name in clause.programs:
        assert clause.id in program_named(name).clauses
    for name in clause.broken_by:
        assert ALTERNATIVES[name].clause == clause.id


def law_named(name: str) -> Law:
    """A law by its sentence."""
    return next(law for law in LAWS if law.name == name)


def program_named(name: str) -> Program:
    """A program by its file."""
    return next(program for program in PROGRAMS if program.name == name)


@pytest.mark.parametrize("clause", CLAUSES.values(), ids=lambda clause: clause.id)
def test_an_observable_clause_can_be_seen_to_break(clause: Clause) -> None:
    """It has a program, and an alternative that breaks it, which some program of it shows."""
    if not clause.is_observable:
        assert not clause.broken_by
        return
    assert clause.programs
    assert clause.broken_by
    for name in clause.broken_by:
        programs = [program_named(each) for each in clause.programs]
        design = ALTERNATIVES[name].design
        assert any(tells_apart(each.commands, design) for each in programs), name


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program_that_bears_a_clause_shows_it(program: Program) -> None:
    """It tells DSH from at least one alternative that breaks that clause."""
    bears = re.fullmatch(r"([a-z]+-\d+)(-[a-z])?", program.name)
    clause = CLAUSES.get(bears.group(1).upper()) if bears else None
    if clause is None:
        return
    assert clause.id in program.clauses
    designs = [ALTERNATIVES[name].design for name in clause.broken_by]
    assert any(tells_apart(program.commands, design) for design in designs)


@pytest.mark.parametrize("package", ["model", "invariants", "conformance"])
def test_clauses_named_anywhere_in_the_code_exist(package: str) -> None:
    """No string, comment or field names a clause that is not there."""
    for path in sorted((ROOT / package).glob("**/*.py")):
        unknown = named_in(path.read_text(encoding="utf-8")) - set(CLAUSES)
        assert not unknown, f"{path.name}: {unknown}"


def test_nothing_is_left_out_of_the_pages() -> None:
    """Every law, program and alternative is linked from each clause that it names."""
    for law in LAWS:
        for clause in law.clauses:
            assert law.name in CLAUSES[clause].laws
    for program in PROGRAMS:
        for clause in program.clauses:
            assert program.name in CLAUSES[clause].programs
    for name, alternative in ALTERNATIVES.items():
        assert name in CLAUSES[alternative.clause].broken_by


def test_every_law_that_is_written_is_registered() -> None:
    """A law that nobody checks fails here."""
    written = {
        item
        for path in Path(registry.__file__).parent.glob("laws_*.py")
        for item in laws_in(importlib.import_module(f"invariants.{path.stem}"))
    }
    assert written == {law.name for law in LAWS}
    assert len(written) == len(LAWS)


def laws_in(module: object) -> set[str]:
    """The names of the laws that a module holds, by themselves or in tuples."""
    found: set[str] = set()
    for item in vars(module).values():
        items = item if isinstance(item, tuple) else (item,)
        found.update(each.name for each in items if isinstance(each, Law))
    return found


def test_the_named_laws_come_first() -> None:
    """The four that were asked for by name open the registry."""
    assert [law.name for law in LAWS[:4]] == [
        "no agent exists without a session",
        "rollback leaves no orphans",
        "headers are immutable",
        "seed markers are never duplicated on resume",
    ]


@pytest.mark.parametrize("package", ["model", "invariants", "conformance"])
def test_clauses_named_in_the_code_exist(package: str) -> None:
    """No docstring names a clause that is not there."""
    for path in sources(package):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                unknown = named_in(ast.get_docstring(node) or "") - set(CLAUSES)
                assert not unknown, f"{path.name}: {unknown}"


@pytest.mark.parametrize(
    ("package", "allowed"),
    [
        ("model", {"model"}),
        ("invariants", {"model", "invariants"}),
        ("conformance", {"model", "invariants", "conformance"}),
    ],
)
def test_imports_go_one_way(package: str, allowed: set[str]) -> None:
    """The model knows nobody, laws know the model, the suite knows both."""
    ours = {"model", "invariants", "conformance", "tests"}
    for path in sources(package):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = imported(node)
            foreign = {name for name in names if name in ours} - allowed
            assert not foreign, f"{path.name} imports {foreign}"
            if package != "conformance":
                pure = {name for name in names if name not in ours} - PURE
                assert not pure, f"{path.name} imports {pure}"


PURE = {
    "abc",
    "collections",
    "contextlib",
    "dataclasses",
    "functools",
    "itertools",
    "types",
    "typing",
}
PURE |= {"gc"}
"""What a pure package may import; the explorer turns the collector off."""


def sources(package: str) -> list[Path]:
    """The package's own Python files."""
    return [
        path
        for path in sorted((ROOT / package).glob("**/*.py"))
        if "node_modules" not in path.parts
    ]


def imported(node: ast.AST) -> set[str]:
    """The top-level packages that a node imports."""
    if isinstance(node, ast.Import):
        return {alias.name.split(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module is not None:
        return {node.module.split(".")[0]}
    return set()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_shown_program_agrees_with_the_model(program: Program) -> None:
    """The model allows what its own first runs do, and asks for nothing that is not there."""
    replies = tuple(simulate(program.commands, DSH))
    assert compare(program.commands, replies) is None
    assert "UNBOUND" not in repr([reply.outcome for reply in replies])
