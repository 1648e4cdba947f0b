"""Which files are meant: files, folders with everything below them, and globs."""

import glob
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from conformance.faults import CallerFault

SUFFIXES = (".jsonl", ".jsonl.zstd")


@dataclass(frozen=True, slots=True)
class Found:
    """The logs that are meant, and the folders that could not be looked into, with the reason."""

    files: tuple[Path, ...]
    closed: tuple[tuple[Path, str], ...]


def found(names: list[str]) -> Found:
    """Everything that the caller names, each file once, in the order of its path within a name."""
    files: dict[Path, None] = {}
    closed: dict[Path, str] = {}
    for name in names:
        for path in _named(name):
            if path.is_dir():
                files.update(dict.fromkeys(_below(path, closed)))
            else:
                files[path] = None
    if not files and not closed:
        raise CallerFault(f"there is no {' or '.join(SUFFIXES)} in what you named")
    return Found(tuple(files), tuple(closed.items()))


def _named(name: str) -> list[Path]:
    """A path that is there, whatever it is, or what a glob stands for."""
    try:
        there = os.path.lexists(name)
    except ValueError as error:
        raise CallerFault(f"{name!r} cannot be a path: {error}") from error
    if there:
        return [Path(name)]
    matches = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 - a pattern may be absolute
    if not matches:
        raise CallerFault(f"there is no {name}")
    return [Path(match) for match in matches]


def _below(folder: Path, closed: dict[Path, str]) -> Iterator[Path]:
    """The logs below a folder; links to folders are not followed, so that nothing goes round."""

    def note(error: OSError) -> None:
        closed[Path(str(error.filename))] = error.strerror or "it cannot be read"

    for at, folders, names in os.walk(folder, onerror=note, followlinks=False):
        folders.sort()
        yield from (Path(at, name) for name in sorted(names) if name.endswith(SUFFIXES))
