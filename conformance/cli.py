"""The command line: `dsh-spec`."""

import json
import os
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from conformance import explain as explaining
from conformance import report
from conformance.campaign import Campaign
from conformance.exploring import explored
from conformance.faults import (
    ADAPTERS_FAULT,
    CALLERS_FAULT,
    DISAGREES,
    INTERRUPTED,
    OUR_FAULT,
    AdapterFault,
    CallerFault,
)
from conformance.implementations import choose
from conformance.programs import load
from conformance.protocol.json import Json
from conformance.replaying import replayed
from conformance.results import Plan, Result
from conformance.serve import serve as serve_model
from conformance.stored import cli as stored_logs
from conformance.transport import Adapter
from invariants.alternatives import ALTERNATIVES
from model.design import ARTICLE, DSH, Design

app = typer.Typer(
    help="Run the conformance suite of DSH's agent and session lifecycle, or study its model.",
    epilog="Exit codes: 0 conforms or holds, 1 disagrees or violated, 2 your input is wrong, "
    "3 the implementation or its adapter failed, 4 our own fault, 130 interrupted.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

err = Console(stderr=True, highlight=False)
out = Console(highlight=False)

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NAME | -- COMMAND…]", help="A built-in name, or your adapter."),
]
JsonPath = Annotated[str, typer.Option("--json", metavar="PATH", help="Write JSON, - for stdout.")]
Timeout = Annotated[float, typer.Option(help="Seconds to wait for each answer.", min=0.01)]


def say(text: str) -> None:
    """Tell the user something that is not the result."""
    err.print(text, markup=False)


def write_json(path: str, value: Json) -> None:
    """Write JSON where the caller wants it."""
    text = json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    if path == "-":
        sys.stdout.write(text)
    elif path:
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            raise CallerFault(f"your --json {path} cannot be written: {error.strerror}") from error


def design_named(name: str | None) -> Design:
    """The design of an alternative, the article's, or DSH's."""
    if name is None:
        return DSH
    if name == "article":
        return ARTICLE
    if name not in ALTERNATIVES:
        raise CallerFault(
            f"there is no alternative {name}; `dsh-spec explain alternatives` lists all"
        )
    return ALTERNATIVES[name].design


def split(words: list[str] | None) -> tuple[str | None, tuple[str, ...]]:
    """A built-in name, or the command behind `--`."""
    if not words:
        return None, ()
    return (None, tuple(words)) if "--" in sys.argv else (" ".join(words), ())


@app.command()
def run(  # noqa: PLR0913 - each is an option of the command
    words: Words = None,
    *,
    seed: Annotated[int, typer.Option(help="Draw other programs.")] = 1,
    programs: Annotated[int, typer.Option(help="How many programs to run.", min=1)] = 1200,
    only: Annotated[str, typer.Option(help="A group or clause: HDR, STO-7.")] = "",
    max_failures: Annotated[int, typer.Option(help="Stop after so many.", min=1)] = 5,
    enough: Annotated[int, typer.Option(help="Count a clause up to so often.", min=1)] = 25,
    step_timeout: Timeout = 10.0,
    transcript: Annotated[Path | None, typer.Option(help="Write every line there.")] = None,
    json_path: JsonPath = "",
) -> None:
    """Run the suite: `run dsh`, `run go`, `run reference`, or `run -- COMMAND…` for yours."""
    name, command = split(words)
    chosen = choose(name, command, say)
    if chosen.why:
        say(chosen.why)
    plan = Plan(seed, programs, max_failures, enough, only.upper())
    started = time.monotonic()
    with Adapter(chosen.command, step_timeout=step_timeout, transcript=transcript) as adapter:
        result = watched(adapter, plan)
    written = report.write_programs(result, report.FAILURES)
    lines = {
        found: report.reproduce_line(path, chosen.name, chosen.command)
        for found, path in written.items()
    }
    report.summary(err if json_path == "-" else out, result, lines)
    write_json(json_path, report.to_json(result, lines, time.monotonic() - started))
    raise typer.Exit(report.exit_code(result))


def watched(adapter: Adapter, plan: Plan) -> Result:
    """Run a campaign, with a bar on a terminal and in silence elsewhere."""
    columns = (TextColumn("programs"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("programs", total=plan.programs)
        return Campaign(adapter, plan, lambda at: bar.update(task, completed=at.programs)).run()


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A program file.")],
    words: Words = None,
    *,
    step_timeout: Timeout = 10.0,
) -> None:
    """Run one recorded program step by step, expected beside observed."""
    program = load(file)
    name, command = split(words)
    chosen = choose(name, command, say)
    with Adapter(chosen.command, step_timeout=step_timeout) as adapter:
        agrees = replayed(out, program, adapter)
    raise typer.Exit(0 if agrees else DISAGREES)


@app.command()
def explore(
    scope: Annotated[str, typer.Argument(help="A scope's name; `explain scopes` lists them.")],
    *,
    design: Annotated[str | None, typer.Option(help="An alternative's name, or article.")] = None,
    max_states: Annotated[int | None, typer.Option(help="Give up there.", min=1)] = None,
    json_path: JsonPath = "",
) -> None:
    """Exhaust a scope of the model and check every law in it."""
    found = explored(err, scope, design_named(design), max_states)
    found.show(err if json_path == "-" else out)
    write_json(json_path, found.to_json(design or "dsh"))
    raise typer.Exit(0 if found.holds else DISAGREES)


@app.command()
def explain(
    what: Annotated[str, typer.Argument(metavar="ID", help="Clause, law, code, alternative.")],
) -> None:
    """Say what a clause, law, refusal code or alternative is, and where it is checked."""
    out.print(explaining.explain(what), markup=False, soft_wrap=True)


@app.command()
def serve(
    *,
    alternative: Annotated[str | None, typer.Option(help="Break one clause, or article.")] = None,
) -> None:
    """Answer over the protocol as the model itself."""
    name = "reference" if alternative is None else f"reference/{alternative}"
    serve_model(name, design_named(alternative), sys.stdin, sys.stdout)


stored_logs.register(app, out, err, write_json)


def main() -> NoReturn:
    """Run the command line; whatever goes wrong is said in a line, with whose fault it is."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # being told to end is Ctrl-C too
    sys.exit(_code())


def _code() -> int:
    try:
        result: int | None = app(standalone_mode=False)
    except CallerFault as fault:
        say(f"dsh-spec: {fault}")
        return CALLERS_FAULT
    except AdapterFault as fault:
        say(f"dsh-spec: {fault}")
        return ADAPTERS_FAULT
    except typer.TyperException as error:
        say(f"dsh-spec: {error.format_message()}")
        say("`dsh-spec --help` and `dsh-spec COMMAND --help` show what there is")
        return CALLERS_FAULT
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as error:  # noqa: BLE001 - the last line of defence names our own fault
        say(f"dsh-spec: our own fault: {type(error).__name__}: {error}")
        say("please report this with the command that you ran; DSH_SPEC_DEBUG=1 shows more")
        if os.environ.get("DSH_SPEC_DEBUG"):
            traceback.print_exc()
        return OUR_FAULT
    return result or 0


if __name__ == "__main__":
    main()
