"""Explaining ids: clauses, laws, refusal codes, alternatives, divergences, programs, scopes."""

import difflib
import re
import textwrap
from collections.abc import Iterable, Iterator

from conformance.clause_of import CODE_CLAUSE
from conformance.clauses import Clause, clauses
from conformance.compare import tells_apart
from conformance.faults import CallerFault
from conformance.programs import SPEC, Program, shown
from conformance.protocol.codec import CODES
from conformance.telling import told
from invariants.alternative import Alternative
from invariants.alternatives import ALTERNATIVES
from invariants.law import Always, AtEveryObservation, AtEveryStep, Eventually, Law, OverHistory
from invariants.laws import LAWS
from invariants.scopes import SCOPES

LISTS = ("clauses", "laws", "codes", "alternatives", "divergences", "programs", "scopes")
WIDTH = 90
PART = re.compile(r"\s*(?=\([a-z]\) )")
DIVERGENCE = re.compile(r"^## (D\d+) · (.+?)$(.+?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)

KINDS = {
    Always: "of every world at rest",
    AtEveryObservation: "of every moment that a client can observe",
    AtEveryStep: "of every step",
    OverHistory: "of everything seen so far",
    Eventually: "of what can follow",
}


def explain(what: str) -> str:
    """What an id stands for; raises `CallerFault` where it stands for nothing."""
    if what in LISTS:
        return "\n".join(_list(what))
    lines = next((lines for name, lines in _known() if name.casefold() == what.casefold()), None)
    if lines is not None:
        return "\n".join(lines)
    close = difflib.get_close_matches(what, [name for name, _ in _known()], n=3)
    meant = f"; did you mean {' or '.join(close)}?" if close else "."
    lists = ", ".join(LISTS)
    raise CallerFault(f"nothing is called {what}{meant} `dsh-spec explain` lists {lists}")


def _known() -> Iterator[tuple[str, Iterable[str]]]:
    """Everything that can be explained, by its name; where names meet, the first counts."""
    for clause in clauses().values():
        yield clause.id, _of_clause(clause)
    for law in LAWS:
        yield law.name, _of_law(law)
    for alternative in ALTERNATIVES.values():
        yield alternative.name, _of_alternative(alternative)
    for code in CODES:
        yield code, _of_code(code)
    for number, name, body in divergences():
        yield number, _of_divergence(number, name, body)
    for program in shown():
        yield program.name, _of_program(program)


def _list(what: str) -> Iterable[str]:
    match what:
        case "clauses":
            return (f"{each.id}  {each.name}" for each in clauses().values())
        case "laws":
            return (f"{each.name}  ({', '.join(each.clauses)})" for each in LAWS)
        case "codes":
            return (f"{code}  {_about(code)}" for code in CODES)
        case "alternatives":
            return (f"{each.name}  {each.clause}: {each.says}" for each in ALTERNATIVES.values())
        case "divergences":
            return (f"{number}  {name}" for number, name, _ in divergences())
        case "programs":
            return (f"{each.name}  {each.title}" for each in shown())
        case _:
            return SCOPES


def divergences() -> Iterator[tuple[str, str, str]]:
    """The divergences between the article and the running DSH: number, name, text."""
    for found in DIVERGENCE.finditer((SPEC / "divergences.md").read_text(encoding="utf-8")):
        yield found.group(1), found.group(2), found.group(3)


def _wrapped(text: str, indent: str = "") -> Iterator[str]:
    """A paragraph for a terminal."""
    lines = textwrap.TextWrapper(WIDTH, initial_indent=indent, subsequent_indent=indent)
    lines.break_on_hyphens = lines.break_long_words = False
    yield from lines.wrap(" ".join(text.split()))


def _of_clause(clause: Clause) -> Iterator[str]:
    yield f"{clause.id} · {clause.name}"
    yield ""
    for part in PART.split(clause.statement):
        yield from _wrapped(part, "  ")
    for label, text in (
        ("Why", clause.why),
        ("Source", clause.source),
        ("Observable", clause.observable),
        ("Modelled in", ", ".join(clause.model)),
        ("Laws", "; ".join(clause.laws) or "none"),
        ("Broken by", ", ".join(clause.broken_by) or "none"),
        ("Programs", ", ".join(clause.programs) or "none"),
    ):
        yield ""
        yield from _wrapped(f"{label}: {text}")
    own = clause.id.lower()
    name = own if own in clause.programs else next(iter(clause.programs), None)
    for example in (each for each in shown() if each.name == name):
        yield ""
        yield from _of_program(example)


def _of_law(law: Law) -> Iterator[str]:
    yield law.name
    yield f"A law {KINDS[type(law.check)]}."
    yield from _clauses(law.clauses)


def _of_alternative(alternative: Alternative) -> Iterator[str]:
    yield alternative.name
    yield from _wrapped(f"A design in which {alternative.says}. It breaks:")
    yield from _clauses((alternative.clause,))
    names = clauses()[alternative.clause].programs
    programs = (each for each in shown() if each.name in names)
    telling = (each for each in programs if tells_apart(each.commands, alternative.design))
    yield f"Told from DSH by: {', '.join(each.name for each in telling) or 'no program yet'}"
    yield f"`dsh-spec serve --alternative {alternative.name}` answers as it would."


def _of_code(code: str) -> Iterator[str]:
    yield code
    yield f"A refusal code. It is about {_about(code)}."


def _about(code: str) -> str:
    clause = CODE_CLAUSE.get(CODES[code])
    known = clauses().get(clause or "")
    return "the protocol itself" if known is None else f"{known.id}: {known.name}"


def _of_divergence(number: str, name: str, body: str) -> Iterator[str]:
    yield f"{number} · {name}"
    for paragraph in body.strip().split("\n\n"):
        yield ""
        yield from _wrapped(paragraph.replace("**", ""))


def _of_program(program: Program) -> Iterator[str]:
    yield from _wrapped(f"{program.name} · {program.title}")
    yield f"A program about {', '.join(program.clauses)}; this is what DSH answers:"
    yield from (f"  {line}" for line in told(program))


def _clauses(ids: tuple[str, ...]) -> Iterator[str]:
    for each in ids:
        yield from _wrapped(f"{each} · {clauses()[each].name}", "  ")
