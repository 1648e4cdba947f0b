"""Explaining ids: clauses, laws, refusal codes, alternatives, scopes."""

from collections.abc import Iterable

from conformance.clause_of import CODE_CLAUSE
from conformance.clauses import Clause, clauses
from conformance.faults import CallerFault
from conformance.programs import SPEC, dump, load
from conformance.protocol.codec import CODES
from invariants.alternatives import ALTERNATIVES, Alternative
from invariants.law import Law
from invariants.laws import LAWS
from invariants.scopes import SCOPES

LISTS = ("clauses", "laws", "codes", "alternatives", "scopes")


def explain(what: str) -> str:
    """What an id stands for; raises `CallerFault` where it stands for nothing."""
    if what in LISTS:
        return "\n".join(_list(what))
    clause = clauses().get(what.upper())
    if clause is not None:
        return _of_clause(clause)
    law = next((each for each in LAWS if each.name == what), None)
    if law is not None:
        return _of_law(law)
    if what in ALTERNATIVES:
        return _of_alternative(ALTERNATIVES[what])
    code = CODES.get(what)
    if code is not None:
        about = CODE_CLAUSE.get(code, "the protocol")
        return f"{what}\nA refusal code; where it should not have come, it is about {about}."
    raise CallerFault(f"nothing is called {what}; `dsh-spec explain` knows {', '.join(LISTS)}")


def _list(what: str) -> Iterable[str]:
    match what:
        case "clauses":
            return (f"{each.id}  {each.name}" for each in clauses().values())
        case "laws":
            return (f"{each.name}  ({', '.join(each.clauses)})" for each in LAWS)
        case "codes":
            return CODES
        case "alternatives":
            return (f"{each.name}  {each.clause}: {each.says}" for each in ALTERNATIVES.values())
        case _:
            return SCOPES


def _of_clause(clause: Clause) -> str:
    lines = [f"{clause.id} · {clause.name}", "", clause.statement, "", f"Why: {clause.why}"]
    lines += [f"Source: {clause.source}", f"Observable: {clause.observable}"]
    for label, links in (
        ("Modelled in", clause.model),
        ("Laws", clause.laws),
        ("Programs", clause.programs),
        ("Broken by", clause.broken_by),
    ):
        lines.append(f"{label}: {', '.join(links) or 'none'}")
    if clause.programs:
        program = load(SPEC / "programs" / f"{clause.programs[0]}.json")
        lines += ["", f"For example, {clause.programs[0]}:", dump(program).rstrip()]
    return "\n".join(lines)


def _of_law(law: Law) -> str:
    kind = type(law.check).__name__
    return f"{law.name}\nA law ({kind}) of {', '.join(law.clauses)}."


def _of_alternative(alternative: Alternative) -> str:
    says = f"A design in which {alternative.says}."
    return f"{alternative.name}\n{says}\nIt breaks {alternative.clause}."
