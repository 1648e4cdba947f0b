"""Clauses: what the pages under `spec/clauses/` say, as data.

A page's anatomy is fixed, so that people can read it and a test can check it: a heading with the
clause's permanent id and a short name, one normative sentence, then labelled paragraphs.

`python -m conformance.clauses` writes the overview, in which nothing is counted by hand.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from conformance.programs import SPEC

PAGES = SPEC / "clauses"
OVERVIEW = PAGES / "README.md"
HEADING = re.compile(r"^## ([A-Z]+-\d+) · (.+)$", re.MULTILINE)
PARAGRAPH = re.compile(r"^\*\*(\w[\w ]*)\.\*\* (.+?)(?=^\*\*\w|\Z)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the spec, with the links that a test checks."""

    id: str
    name: str
    statement: str
    why: str
    source: str
    observable: str
    model: tuple[str, ...]
    laws: tuple[str, ...]
    programs: tuple[str, ...]
    broken_by: tuple[str, ...]

    @property
    def group(self) -> str:
        """The clause's group."""
        return self.id.split("-", maxsplit=1)[0]

    @property
    def is_observable(self) -> bool:
        """Whether a client of an implementation can see the clause kept or broken."""
        return not self.observable.startswith("no")


PLANNED = ("HDR", "LOG", "SEED", "STO", "REG", "TXN", "RBK", "OWN", "FORK", "RES", "IDN", "STG")
"""Every group, in the order in which they build on one another."""


def groups() -> tuple[str, ...]:
    """The groups that have a page."""
    return tuple(group for group in PLANNED if (PAGES / f"{group}.md").exists())


@cache
def clauses() -> dict[str, Clause]:
    """Every clause, by its id, in the order of the groups."""
    return {each.id: each for group in groups() for each in on_page(PAGES / f"{group}.md")}


def on_page(path: Path) -> list[Clause]:
    """The clauses of one page."""
    text = path.read_text(encoding="utf-8")
    headings = list(HEADING.finditer(text))
    ends = [*(heading.start() for heading in headings[1:]), len(text)]
    return [
        _clause(heading.group(1), heading.group(2), text[heading.end() : end].strip())
        for heading, end in zip(headings, ends, strict=True)
    ]


def _clause(clause_id: str, name: str, body: str) -> Clause:
    labelled = {label: _flat(text) for label, text in PARAGRAPH.findall(body)}
    return Clause(
        id=clause_id,
        name=name,
        statement=_flat(body.split("\n\n**", maxsplit=1)[0]),
        why=labelled.get("Why", ""),
        source=labelled.get("Source", ""),
        observable=labelled.get("Observable", ""),
        model=_links(labelled.get("Model", "")),
        laws=_links(labelled.get("Laws", "")),
        programs=_links(labelled.get("Programs", "")),
        broken_by=_links(labelled.get("Broken by", "")),
    )


def _flat(text: str) -> str:
    return " ".join(text.split())


def _links(text: str) -> tuple[str, ...]:
    return tuple(LINK.findall(text))


def overview() -> str:
    """The page that lists every clause and counts what hangs on it."""
    return "\n".join((*INTRODUCTION, *_groups(), "", *_every_clause(), ""))


INTRODUCTION = (
    "# Clauses",
    "",
    "One page per group, one heading per clause; ids are permanent. Under the heading stands the",
    "clause itself, one sentence with MUST, MUST NOT or MAY, lettered where it has parts. Then:",
    "",
    "- **Why**: the reason, or what goes wrong without it.",
    "- **Source**: where the running DSH does it, and the section of the article that says it, as",
    "  numbered in `spec/divergences.md`. *Measured* means that a test runs the programs on DSH.",
    "- **Observable**: whether a client of an implementation can see the clause kept or broken.",
    "- **Model**, **Laws**, **Programs**, **Broken by**: the functions that state it, the laws",
    "  that check it, small programs that show it, the alternatives that break it. Each link is",
    "  checked in both directions.",
    "",
    "This page is made by `python -m conformance.clauses`; what it counts are links.",
    "",
)


def _groups() -> Iterable[str]:
    yield "| group | clauses | observable | laws | programs | alternatives |"
    yield "|---|---|---|---|---|---|"
    for group in groups():
        yield _row(f"[{group}]({group}.md)", [c for c in clauses().values() if c.group == group])
    yield _row("all", list(clauses().values()))


def _row(name: str, found: list[Clause]) -> str:
    counts = (
        len(found),
        sum(each.is_observable for each in found),
        len({law for each in found for law in each.laws}),
        len({program for each in found for program in each.programs}),
        len({alternative for each in found for alternative in each.broken_by}),
    )
    return f"| {name} | {' | '.join(str(count) for count in counts)} |"


def _every_clause() -> Iterable[str]:
    yield "| clause | about | laws | programs | alternatives |"
    yield "|---|---|---|---|---|"
    for each in clauses().values():
        counts = (len(each.laws), len(each.programs), len(each.broken_by))
        yield f"| {each.id} | {each.name} | {' | '.join(str(count) for count in counts)} |"


if __name__ == "__main__":
    OVERVIEW.write_text(overview(), encoding="utf-8")
