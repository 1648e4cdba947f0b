"""The pages beside the clauses: what they name exists, and what exists they name."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from conformance.clauses import OVERVIEW, PAGES, PLANNED, clauses, groups, overview
from conformance.compare import compare
from conformance.faults import AdapterFault
from conformance.programs import GAPS, SPEC, Program, dump, load, shown
from conformance.transport import Adapter

CLAUSES = clauses()
NOT_WRITTEN = {"RES": 8, "IDN": 7}
"""How many clauses the groups have whose pages are still to come."""
KNOWN = {
    *CLAUSES,
    *(f"{group}-{n}" for group, count in NOT_WRITTEN.items() for n in range(1, count + 1)),
}
CLAUSE = re.compile(r"\b(?:" + "|".join(PLANNED) + r")-\d+\b")
PROGRAMS = {program.name: program for program in shown()}
KNOWN_GAPS = {path.stem: load(path) for path in sorted(GAPS.glob("*.json"))}
LINK = re.compile(r"`([^`]+)`")
DIVERGENCES = (SPEC / "divergences.md").read_text(encoding="utf-8")
DIVERGENCE = re.compile(r"^## (D\d+) · (.+)$", re.MULTILINE)
CITING = ("HDR", "LOG", "SEED", "STO", "REG", "TXN", "RBK", "OWN", "FORK")
"""The groups whose sources have been held against the article, statement by statement."""


def page(name: str) -> str:
    """The text of a page."""
    return (SPEC / f"{name}.md").read_text(encoding="utf-8")


def rows(text: str) -> list[list[str]]:
    """The cells of the rows of a page's tables, heads and rules left out."""
    found = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("| ")
    ]
    heads = ("word", "what", "what DSH does", "§", "group", "clause")
    return [row for row in found if row[0] not in heads]


def test_the_overview_is_fresh() -> None:
    """Nothing is counted by hand: `python -m conformance.clauses` wrote what is there."""
    assert OVERVIEW.read_text(encoding="utf-8") == overview(), "python -m conformance.clauses"


def test_every_page_is_that_of_a_group() -> None:
    """No page is left unread because its group is not in the list."""
    assert {path.stem for path in PAGES.glob("*.md")} == {*groups(), OVERVIEW.stem}


@pytest.mark.parametrize(("name", "prefix"), [("divergences", "divergence"), ("caveats", "caveat")])
def test_every_row_has_its_program_and_every_program_its_row(name: str, prefix: str) -> None:
    """A divergence or caveat is a program that anybody can run."""
    linked = {link for link in LINK.findall(page(name)) if link.startswith(f"{prefix}-")}
    assert linked == {each for each in PROGRAMS if each.startswith(prefix)}


def test_every_gap_has_its_row_and_every_row_its_gap() -> None:
    """What the model and DSH disagree on stands in the table of gaps."""
    section = page("caveats").split("## Gaps")[1].split("## ")[0]
    assert set(LINK.findall("".join(row[1] for row in rows(section)))) == set(KNOWN_GAPS)


def test_every_caveat_says_what_pins_it() -> None:
    """A program, a gap, or the plain word that nothing does."""
    for row in rows(page("caveats")):
        links = [each for each in LINK.findall(row[1]) if each in {*PROGRAMS, *KNOWN_GAPS}]
        assert links or row[1].startswith("nothing") or "counts" in row[1], row[0]


def test_the_divergences_are_numbered_and_told_alike() -> None:
    """Each says what was to be expected, what DSH does and what shows it, and a clause has it."""
    headings = list(DIVERGENCE.finditer(DIVERGENCES))
    assert [each.group(1) for each in headings] == [f"D{n + 1}" for n in range(len(headings))]
    bodies = DIVERGENCE.split(DIVERGENCES.split("## The article, statement by statement")[0])[3::3]
    for heading, body in zip(headings, bodies, strict=True):
        assert re.search(r"\*\*(Article|Expected)\.\*\*", body)
        assert "**DSH.**" in body
        evidence = body.split("**Evidence.**")[1]
        number = heading.group(1).removeprefix("D")
        program = PROGRAMS[f"divergence-{number}"]
        assert f"`{program.name}`" in evidence
        assert set(program.clauses) & set(CLAUSE.findall(body)), heading.group(1)


def test_the_divergences_that_are_cited_exist() -> None:
    """A clause or a statement that points to a divergence points to one that is there."""
    there = {each.group(1) for each in DIVERGENCE.finditer(DIVERGENCES)}
    texts = [DIVERGENCES, *(path.read_text(encoding="utf-8") for path in PAGES.glob("*.md"))]
    assert {cited for text in texts for cited in re.findall(r"\bD\d+\b", text)} == there


def statements() -> list[list[str]]:
    """The rows of the table that goes through the article."""
    return rows(DIVERGENCES.split("## The article, statement by statement")[1])


def test_every_statement_of_the_article_went_somewhere() -> None:
    """To clauses that are there or planned, or to a divergence, or it is out of scope."""
    for section, statement, where in statements():
        cited = CLAUSE.findall(where)
        assert cited or "`context`" in where, statement
        assert set(cited) <= KNOWN, statement
        assert re.fullmatch(r"§[0-7]|end", section)


def test_sources_and_statements_agree() -> None:
    """A clause cites exactly the sections of the article whose statements lead to it."""
    leads: dict[str, set[str]] = defaultdict(set)
    for section, _, where in statements():
        for clause in CLAUSE.findall(where):
            leads[clause].add(section)
    for clause in CLAUSES.values():
        if clause.group in CITING:
            cited = set(re.findall(r"§\d", clause.source))
            assert cited == leads[clause.id], clause.id
            assert bool(cited) != ("Not in the article" in clause.source), clause.id


@pytest.mark.parametrize("path", sorted(SPEC.glob("**/*.md")), ids=lambda path: path.stem)
def test_clauses_named_on_a_page_exist(path: Path) -> None:
    """No page names a clause that is neither there nor planned."""
    assert set(CLAUSE.findall(path.read_text(encoding="utf-8"))) <= KNOWN


def test_the_vocabulary_leads_to_the_code() -> None:
    """Each word has one meaning, and names a module or a thing in it."""
    words = rows(page("vocabulary"))
    assert len({row[0] for row in words}) == len(words)
    for _, meaning, ours, where in words:
        assert meaning
        assert ours
        assert LINK.findall(where)
        for link in LINK.findall(where):
            path = SPEC.parent / link.replace(".", "/")
            parent = path.parent.with_suffix(".py")
            there = path.exists() or path.with_suffix(".py").exists()
            named = parent.exists() and re.search(rf"\b{path.name}\b", parent.read_text("utf-8"))
            assert there or named or (SPEC.parent / link).exists(), link


@pytest.mark.parametrize(
    "program", [*PROGRAMS.values(), *KNOWN_GAPS.values()], ids=lambda p: p.name
)
def test_a_program_file_reads_well(program: Program) -> None:
    """It has a title and clauses, and stands there as the suite itself would write it."""
    folder = GAPS if program.name in KNOWN_GAPS else SPEC / "programs"
    text = (folder / f"{program.name}.json").read_text(encoding="utf-8")
    assert text == dump(program)
    assert program.title
    assert set(program.clauses) <= set(CLAUSES)
    assert program.clauses


def test_a_program_says_what_it_needs() -> None:
    """An adapter is spared the commands and the values that it does not claim."""
    assert PROGRAMS["sto-12"].groups == {"STO"}
    assert PROGRAMS["hdr-7"].groups == {"HDR", "STO", "LOG"}
    assert PROGRAMS["caveat-setup-append-unseen"].groups == {"LOG", "TXN"}
    assert PROGRAMS["caveat-id-taken-again"].groups == {"RBK", "TXN", "STO"}
    assert PROGRAMS["log-3"].capabilities == {"hostile:negative-zero"}
    assert PROGRAMS["sto-1"].capabilities == set()


@pytest.mark.dsh
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=lambda program: program.name)
def test_the_real_dsh_agrees_with_every_shown_program(
    program: Program,
    dsh: Adapter,
) -> None:
    """What the spec shows is what DSH does."""
    assert compare(program.commands, dsh.run(program.commands)) is None
    assert dsh.leftovers == []


@pytest.mark.dsh
@pytest.mark.xfail(strict=True, raises=AssertionError, reason="a known gap: see spec/caveats.md")
@pytest.mark.parametrize("program", KNOWN_GAPS.values(), ids=lambda program: program.name)
def test_the_real_dsh_agrees_on_a_known_gap(program: Program, dsh_command: tuple[str, ...]) -> None:
    """It does not; once it does, the gap is closed and the row has to go."""
    with Adapter(dsh_command) as adapter:
        try:
            replies = adapter.run(program.commands)
        except AdapterFault as fault:
            raise AssertionError(str(fault)) from fault
    assert compare(program.commands, replies) is None
