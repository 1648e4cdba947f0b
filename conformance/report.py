"""Reports of a campaign: a summary that fits a screen, and JSON for machines."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from conformance.faults import ADAPTERS_FAULT, DISAGREES, INTERRUPTED, CallerFault
from conformance.implementations import NAMES
from conformance.programs import Program, dump
from conformance.protocol.codec import (
    command_to_wire,
    live_to_wire,
    observation_to_wire,
    outcome_to_wire,
)
from conformance.protocol.json import Json
from conformance.protocol.message import Reply, reply_to_wire
from conformance.results import Failure, Result
from model.step import Run

FAILURES = Path("dsh-spec-failures")
"""Where the programs of failures are written, below the working folder."""


def exit_code(result: Result) -> int:
    """The exit code of a campaign."""
    if result.interrupted:
        return INTERRUPTED
    return {"agrees": 0, "disagrees": DISAGREES, "errored": ADAPTERS_FAULT}[result.verdict]


def write_programs(result: Result, folder: Path) -> dict[str, Path]:
    """Write the program of every failure and of every fault, and say where, by what it shows."""
    written: dict[str, Path] = {}
    for failure in result.failures:
        clause = failure.attribution.clause
        name = failure.fingerprint.replace("/", "-").replace(":", "-")
        program = Program(
            name.lower(), f"{clause}: {failure.fingerprint}", (clause,), failure.program
        )
        written[failure.fingerprint] = _written(program, folder)
    for fault in result.errors:
        if fault.program:
            title = fault.message.splitlines()[0]
            written[fault.message] = _written(Program("errored", title, (), fault.program), folder)
    return written


def _written(program: Program, folder: Path) -> Path:
    path = folder / f"{program.name}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(dump(program), encoding="utf-8")
    except OSError as error:
        raise CallerFault(f"{path} cannot be written: {error.strerror}") from error
    return path


def reproduce_line(path: Path, name: str, command: Sequence[str]) -> str:
    """The line to paste that runs a failure again."""
    who = name if name in NAMES else f"-- {shlex.join(command)}"
    return f"dsh-spec replay {shlex.quote(str(path))} {who}"


def to_json(result: Result, reproduce: dict[str, str], seconds: float) -> dict[str, Json]:
    """The result as JSON: the same bytes for the same run, `timing` apart."""
    hello = result.hello
    groups: list[Json] = list(hello.groups)
    aside: list[Json] = list(result.aside)
    return {
        "verdict": result.verdict,
        "implementation": {"name": hello.name, "version": hello.version, "groups": groups},
        "seed": result.plan.seed,
        "programs": result.programs,
        "steps": result.steps,
        "interrupted": result.interrupted,
        "clauses": {
            clause: {"declared": tally.declared, **asdict(tally)}
            for clause, tally in result.ledger.tallies.items()
        },
        "disagreements": [
            failure_to_json(failure, reproduce.get(failure.fingerprint, ""))
            for failure in result.failures
        ],
        "aside": aside,
        "errors": [
            {
                "message": fault.message,
                "program": [command_to_wire(command) for command in fault.program],
                "reproduce": reproduce.get(fault.message, ""),
            }
            for fault in result.errors
        ],
        "timing": {"seconds": round(seconds, 3)},
    }


def failure_to_json(failure: Failure, reproduce: str) -> dict[str, Json]:
    """One failure as JSON."""
    disagreement = failure.disagreement
    program: list[Json] = [command_to_wire(command) for command in failure.program]
    alternatives: list[Json] = [each.name for each in failure.attribution.alternatives]
    return {
        "clause": failure.attribution.clause,
        "fingerprint": failure.fingerprint,
        "alternatives": alternatives,
        "minimal": failure.minimal,
        "steady": failure.steady,
        "program": program,
        "step": disagreement.index,
        "expected": reply_to_wire(disagreement.difference.run),
        "observed": reply_to_wire(disagreement.reply),
        "reproduce": reproduce,
    }


def summary(console: Console, result: Result, reproduce: dict[str, str]) -> None:
    """Print what came out, in a screen."""
    for failure in result.failures:
        show_failure(console, failure, reproduce.get(failure.fingerprint, ""))
    for fault in result.errors:
        line(console, f"errored: {fault.message}", "red")
        if fault.message in reproduce:
            line(console, f"  {reproduce[fault.message]}", "bold")
    tallies = result.ledger.tallies
    table = Table("group", "clauses", "exercised", "failed", "unreached", "inapplicable", box=None)
    for group in dict.fromkeys(clause.split("-")[0] for clause in tallies):
        rows = [tally for clause, tally in tallies.items() if clause.split("-")[0] == group]
        table.add_row(
            group,
            str(len(rows)),
            str(sum(bool(row.passed) for row in rows)),
            str(sum(bool(row.failed) for row in rows)),
            str(sum(bool(row.unreached) for row in rows)),
            str(sum(bool(row.inapplicable) for row in rows)),
        )
    console.print(table)
    applicable = [tally for tally in tallies.values() if not tally.inapplicable]
    least = min((tally.passed for tally in applicable), default=0)
    exercised = sum(bool(tally.passed or tally.failed) for tally in applicable)
    apart = len(tallies) - len(applicable)
    others = f"; {apart} do not apply" if apart else ""
    hello = result.hello
    console.print(
        f"{hello.name} {hello.version}: {result.programs} programs, {result.steps} steps, "
        f"seed {result.plan.seed}; {exercised} of {len(applicable)} clauses exercised, "
        f"each at least {least} times{others}",
        highlight=False,
    )
    if result.aside:
        aside = ", ".join(result.aside)
        line(console, f"--only {result.plan.only} leaves aside other disagreements: {aside}")
    style = {"agrees": "bold green", "disagrees": "bold red", "errored": "bold red"}
    note = " (interrupted)" if result.interrupted else ""
    console.print(f"verdict: {result.verdict}{note}", style=style[result.verdict])


def line(console: Console, text: str, style: str = "") -> None:
    """Print one line as it is, however long."""
    console.print(Text(text, style=style), soft_wrap=True)


def show_failure(console: Console, failure: Failure, reproduce: str) -> None:
    """Print one failure: the program, what was expected and what came."""
    disagreement = failure.disagreement
    minimal = "" if failure.minimal else " (shrinking stopped early: it may not be minimal)"
    steady = "" if failure.steady else " (not each time: it did not fail again)"
    line(console, f"\ndisagrees on {failure.attribution.clause}{minimal}{steady}", "red")
    for alternative in failure.attribution.alternatives[:3]:
        line(console, f"  it behaves as if {alternative.says} ({alternative.clause})")
    for index, command in enumerate(failure.program):
        arrow = "→" if index == disagreement.index else " "
        line(console, f"  {arrow} {json.dumps(command_to_wire(command), ensure_ascii=False)}")
    show_answers(console, disagreement.difference.run, disagreement.reply)
    if reproduce:
        line(console, f"  {reproduce}", "bold")


def show_answers(console: Console, expected: Run, observed: Reply) -> None:
    """Print an expected answer above the observed one, with the lines that differ marked."""
    wanted = _lines(expected)
    came = _lines(observed)
    for label, lines, others in (("expected", wanted, came), ("observed", came, wanted)):
        line(console, f"    {label}")
        for each in lines:
            same = each in others
            line(console, f"    {' ' if same else '≠'} {each}", "" if same else "yellow")


def _lines(answer: Run | Reply) -> list[str]:
    return [
        *(json.dumps(observation_to_wire(each), ensure_ascii=False) for each in answer.seen),
        json.dumps(outcome_to_wire(answer.outcome), ensure_ascii=False),
        json.dumps({"live": live_to_wire(answer.live)}),
    ]
