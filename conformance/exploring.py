"""Exploring a scope for people and for machines."""

import json
import time
from dataclasses import dataclass

from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from conformance.faults import CallerFault
from conformance.protocol.codec import command_to_wire
from conformance.protocol.json import Json
from invariants.explore import Counterexample, Exploration, explore
from invariants.scopes import SCOPES
from model.design import Design


@dataclass(frozen=True, slots=True)
class Explored:
    """An exploration, and how long it took."""

    exploration: Exploration
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether the search was complete and broke no law."""
        return self.exploration.complete and not self.exploration.violated

    def to_json(self, design: str) -> dict[str, Json]:
        """The exploration as JSON."""
        found = self.exploration
        return {
            "scope": found.scope,
            "design": design,
            "states": found.states,
            "transitions": found.transitions,
            "depth": found.depth,
            "complete": found.complete,
            "laws": {
                verdict.law.name: {
                    "clauses": list(verdict.law.clauses),
                    "verdict": verdict.status,
                    "counterexample": _counterexample(verdict.counterexample),
                }
                for verdict in found.verdicts
            },
            "unreached": list(found.unreached),
            "codes": list(found.codes),
            "seconds": round(self.seconds, 3),
        }

    def show(self, console: Console) -> None:
        """Print the counts, the laws in short, and the shortest counterexamples."""
        found = self.exploration
        whole = "all" if found.complete else "NOT all"
        console.print(
            f"scope {found.scope}: {found.states} states, {found.transitions} transitions, "
            f"depth {found.depth}, {whole} of it in {self.seconds:.1f} s",
        )
        for status in ("holds", "unreached", "undecided", "violated"):
            names = [v.law.name for v in found.verdicts if v.status == status]
            if names:
                shown = " in this scope" if status in ("holds", "unreached") else ""
                console.print(f"{len(names)} laws: {status}{shown}", markup=False)
        for verdict in found.violated[:3]:
            clauses = ", ".join(verdict.law.clauses)
            console.print(f"\nviolated: {verdict.law.name} ({clauses})", style="red", markup=False)
            _show_program(console, verdict.counterexample)
        if found.unreached:
            console.print(f"never enabled here: {', '.join(found.unreached)}")


def _counterexample(found: Counterexample | None) -> Json:
    if found is None:
        return None
    program: list[Json] = [command_to_wire(move.command) for move in found.program]
    runs: list[Json] = [move.run for move in found.program]
    return {"program": program, "runs": runs, "violations": list(found.violations)}


def _show_program(console: Console, found: Counterexample | None) -> None:
    if found is None:
        return
    for move in found.program:
        run = f"  (run {move.run})" if move.run else ""
        console.print(f"  {json.dumps(command_to_wire(move.command))}{run}", markup=False)
    for violation in found.violations:
        console.print(f"  ⇒ {violation}", markup=False)


def explored(console: Console, scope: str, design: Design, max_states: int | None) -> Explored:
    """Exhaust a named scope, with progress on a terminal."""
    if scope not in SCOPES:
        raise CallerFault(f"there is no scope {scope}: there are {', '.join(SCOPES)}")
    started = time.monotonic()
    columns = (TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("exploring")

        def progress(found: int, done: int, depth: int) -> None:
            if done % 500 == 0:
                bar.update(task, description=f"{found} states, {found - done} to go, depth {depth}")

        exploration = explore(SCOPES[scope], design, max_states=max_states, progress=progress)
    return Explored(exploration, time.monotonic() - started)
