"""The command `dsh-spec check-log`."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from conformance.faults import DISAGREES, CallerFault
from conformance.protocol.json import Json
from conformance.stored import reading, shown, told
from conformance.stored.check import check, unreadable
from conformance.stored.lineage import with_lineage
from conformance.stored.picture import to_html
from conformance.stored.reading import UnreadableError
from conformance.stored.roots import with_roots
from conformance.stored.sarif import to_sarif
from conformance.stored.verdict import Verdict
from conformance.stored.walk import found

WORTH_A_WORKER = 32 << 20
"""Below so many bytes in all, starting processes takes longer than reading."""

BATCH = 32
"""So many files at most are given to a worker at once."""

WriteJson = Callable[[str, Json], None]

Paths = Annotated[list[str], typer.Argument(metavar="PATH…", help="Logs, folders, globs.")]
JsonPath = Annotated[str, typer.Option("--json", metavar="PATH", help="Write JSON, - for stdout.")]
Workers = Annotated[int, typer.Option(help="Processes to read with; 0: as many as help.", min=0)]
MaxLine = Annotated[int, typer.Option(help="Read no line longer than so many MB.", min=1)]


def register(app: typer.Typer, out: Console, err: Console, write_json: WriteJson) -> None:
    """Add the command."""

    @app.command("check-log")
    def check_log(  # noqa: PLR0913 - each is an option of the command
        paths: Paths,
        *,
        workers: Workers = 0,
        max_line: MaxLine = reading.LONGEST_LINE >> 20,
        everything: Annotated[bool, typer.Option("--all", help="List every log.")] = False,
        json_path: JsonPath = "",
        sarif: Annotated[str, typer.Option(metavar="PATH", help="Write SARIF, - for stdout.")] = "",
        html: Annotated[Path | None, typer.Option(help="Draw the logs on a page there.")] = None,
    ) -> None:
        """Say what DSH would do with stored session logs, and why; nothing is written to them."""
        if json_path == sarif == "-":
            raise CallerFault("only one of --json and --sarif can be written to stdout")
        verdicts = checked(err, paths, workers, max_line << 20)
        shown.show(err if "-" in (json_path, sarif) else out, verdicts, everything=everything)
        write_json(json_path, told.to_json(verdicts))
        write_json(sarif, to_sarif(verdicts))
        if html is not None:
            write_page(html, verdicts)
        raise typer.Exit(0 if all(each.outcome == "loads" for each in verdicts) else DISAGREES)


def write_page(path: Path, verdicts: Sequence[Verdict]) -> None:
    """Write the picture where the caller wants it."""
    try:
        path.write_text(to_html(verdicts), encoding="utf-8")
    except OSError as error:
        raise CallerFault(f"your --html {path} cannot be written: {error.strerror}") from error


def checked(err: Console, names: list[str], workers: int, longest: int) -> list[Verdict]:
    """Check everything that is named, with a bar on a terminal."""
    meant = found(names)
    columns = (TextColumn("logs"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    verdicts: list[Verdict] = []
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("logs", total=len(meant.files))
        for verdict in each_checked(meant.files, workers or helpful(meant.files), longest):
            verdicts.append(verdict)
            bar.advance(task)
    closed = [
        unreadable(path, UnreadableError(f"the folder cannot be looked into: {why}", io=True))
        for path, why in meant.closed
    ]
    return with_lineage(with_roots([*verdicts, *closed]), longest)


def helpful(files: Sequence[Path]) -> int:
    """How many processes help with these files."""
    size = sum(os.stat(path).st_size for path in files if path.is_file())  # noqa: PTH116
    return min(os.cpu_count() or 1, len(files), 1 + size // WORTH_A_WORKER)


def each_checked(files: Sequence[Path], workers: int, longest: int) -> Iterator[Verdict]:
    """The verdict on each file, in order."""
    if workers <= 1 or len(files) <= 1:
        yield from checked_in_turn(files, longest)
        return
    size = max(1, min(BATCH, len(files) // workers // 8))
    batches = [files[at : at + size] for at in range(0, len(files), size)]
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        try:
            with interrupts_held():
                begun = [pool.submit(batch_checked, batch, longest) for batch in batches]
            for batch in begun:
                yield from batch.result()
        except (KeyboardInterrupt, GeneratorExit):
            for child in active_children():  # what is cancelled instead would go on to its end
                child.terminate()
            raise


def checked_in_turn(files: Sequence[Path], longest: int) -> Iterator[Verdict]:
    """The verdict on each file, by this process."""
    return (check(path, longest) for path in files)


def batch_checked(files: Sequence[Path], longest: int) -> list[Verdict]:
    """The verdicts on some files, by a worker."""
    return list(checked_in_turn(files, longest))


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back; processes that are started meanwhile never get it: it is the parent's."""
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
