"""Clauses: what the pages under `spec/clauses/` say, as data.

A page's anatomy is fixed, so that people can read it and a test can check it: a heading with the
clause's permanent id and a short name, one normative sentence, then labelled paragraphs.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from conformance.programs import SPEC

PAGES = SPEC / "clauses"
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


@cache
def clauses() -> dict[str, Clause]:
    """Every clause, by its id, in the order of the pages."""
    return {each.id: each for path in sorted(PAGES.glob("*.md")) for each in on_page(path)}


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
