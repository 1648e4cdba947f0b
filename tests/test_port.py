"""The port to Go: it conforms as far as it claims, and what is broken in it is found.

A breakage changes the text of the port, which is then built and run like any other.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console

from conformance import report
from conformance.campaign import Campaign
from conformance.compare import compare
from conformance.implementations import GO, go
from conformance.programs import shown
from conformance.results import Plan, Result
from conformance.transport import Adapter

CLAIMED = frozenset(("HDR", "LOG", "SEED", "STO", "FORK"))


def campaign(command: tuple[str, ...], plan: Plan) -> Result:
    """What a campaign finds of the port."""
    with Adapter(command) as adapter:
        return Campaign(adapter, plan).run()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_the_port_agrees(go_command: tuple[str, ...], seed: int) -> None:
    """Nothing differs, and every clause of the claimed groups is put to the test."""
    result = campaign(go_command, Plan(seed, programs=300, enough=3))
    assert result.verdict == "agrees"
    assert result.programs == 300
    for clause, tally in result.ledger.tallies.items():
        if clause.split("-")[0] in CLAIMED:
            assert tally.passed == 3, clause


def test_the_port_agrees_on_every_program_of_the_spec_that_applies(
    go_command: tuple[str, ...],
) -> None:
    """Those that need no more than the port claims; each claimed clause has one."""
    with Adapter(go_command) as adapter:
        able = adapter.hello.capabilities
        fitting = [p for p in shown() if p.groups <= CLAIMED and p.capabilities <= able]
        for program in fitting:
            assert compare(program.commands, adapter.run(program.commands), foretold=True) is None
    about = {clause.split("-")[0] for program in fitting for clause in program.clauses}
    assert about == CLAIMED


def test_what_the_port_does_not_claim_stands_apart(go_command: tuple[str, ...]) -> None:
    """Neither red nor green, on the screen and in the JSON alike."""
    result = campaign(go_command, Plan(programs=80, enough=1))
    apart = {c for c in result.ledger.tallies if c.split("-")[0] not in CLAIMED}
    clauses = report.to_json(result, {}, 0.0)["clauses"]
    assert isinstance(clauses, dict)
    for clause, tally in clauses.items():
        assert isinstance(tally, dict)
        counts = {name: count for name, count in tally.items() if count}
        assert (counts == {"declared": 1, "inapplicable": 1}) == (clause in apart), clause
    console = Console(record=True, width=200)
    report.summary(console, result, {})
    screen = console.export_text()
    there = len(result.ledger.tallies) - len(apart)
    assert f"{there} of {there} clauses exercised" in screen
    assert f"{len(apart)} do not apply" in screen


@dataclass(frozen=True, slots=True)
class Breakage:
    """A place in the port, what to put there, and the clause that then is broken."""

    file: str
    there: str
    instead: str
    clause: str


BREAKAGES = (
    Breakage("header.go", "for _, key := range metaKeys {", "for key := range given {", "HDR-9"),
    Breakage("session.go", "return copied(s.header)", "return s.header", "HDR-7"),
    Breakage(
        "session.go",
        "if s.entry != nil && s.entry.appending {",
        "if s.entry == nil {\n return Event{}, ErrNotLive\n}\nif s.entry.appending {",
        "LOG-6",
    ),
    Breakage("log.go", "!endsInMarker(log)", "true", "SEED-5"),
    Breakage("log.go", "seed != nil && ", "", "SEED-6"),
    Breakage("values.go", " && !isNegativeZero(value)", "", "LOG-3"),
    Breakage("store.go", " || e.announcing || e.appending", "", "STO-7"),
    Breakage("store.go", "\t\tdetach()\n", "\t\t_ = detach\n", "STO-9"),
    Breakage("fork.go", "return int(seq) + 1, true", "return int(seq), true", "FORK-2"),
)


@pytest.fixture
def broken(tmp_path: Path, go_command: tuple[str, ...]) -> Callable[[Breakage], tuple[str, ...]]:
    """A build of the port with a breakage in it."""
    del go_command  # which says whether there is anything to build it with

    def build(breakage: Breakage) -> tuple[str, ...]:
        folder = tmp_path / "go"
        shutil.copytree(GO, folder)
        path = folder / "session" / breakage.file
        text = path.read_text(encoding="utf-8")
        assert text.count(breakage.there) == 1
        path.write_text(text.replace(breakage.there, breakage.instead), encoding="utf-8")
        return go(lambda _words: None, folder)

    return build


@pytest.mark.slow
@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda each: each.clause)
def test_a_broken_port_is_caught(
    broken: Callable[[Breakage], tuple[str, ...]], breakage: Breakage
) -> None:
    """The suite disagrees, says with which clause, and names none that is not claimed."""
    result = campaign(broken(breakage), Plan(programs=150, enough=1))
    assert result.verdict == "disagrees"
    clauses = {failure.attribution.clause for failure in result.failures}
    assert breakage.clause in clauses
    assert {clause.split("-")[0] for clause in clauses} <= CLAIMED
