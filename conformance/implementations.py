"""Implementations: the built-in names, and how each is started."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from conformance.faults import AdapterFault, CallerFault

ADAPTERS = Path(__file__).resolve().parent / "adapters"
DSH = ADAPTERS / "dsh"
NODE = DSH / "node_modules" / "node" / "bin" / "node"
NAMES = ("dsh", "reference")


@dataclass(frozen=True, slots=True)
class Chosen:
    """An implementation to run: the command of its adapter, and a word on the choice."""

    name: str
    command: tuple[str, ...]
    why: str = ""


def choose(name: str | None, command: tuple[str, ...], say: Callable[[str], None]) -> Chosen:
    """The implementation that the caller means; without a word, DSH where npm is there."""
    if name is not None and command:
        raise CallerFault(f"you named both {name} and a command; give one of them")
    if command:
        return Chosen(" ".join(command), command)
    if name is None:
        return _default(say)
    if name == "reference":
        return reference()
    if name == "dsh":
        return Chosen("dsh", dsh(say))
    message = f"there is no built-in implementation {name}: there are {', '.join(NAMES)}"
    raise CallerFault(f"{message}; any other is run as `dsh-spec run -- COMMAND…`")


def reference(alternative: str | None = None) -> Chosen:
    """The model itself, served by this very program."""
    serve = (sys.executable, "-m", "conformance.cli", "serve")
    if alternative is None:
        return Chosen("reference", serve)
    return Chosen(f"reference/{alternative}", (*serve, "--alternative", alternative))


def _default(say: Callable[[str], None]) -> Chosen:
    if shutil.which("npm") is None:
        chosen = reference()
        return Chosen(chosen.name, chosen.command, "no npm here, so the embedded reference is run")
    return Chosen("dsh", dsh(say), "npm is here, so the real DSH is run")


def dsh(say: Callable[[str], None]) -> tuple[str, ...]:
    """The command of the adapter of the real DSH, whose packages are installed on first use."""
    if not NODE.exists():
        _install(say)
    return (str(NODE), str(DSH / "adapter.js"))


def _install(say: Callable[[str], None]) -> None:
    npm = shutil.which("npm")
    if npm is None:
        message = "the real DSH cannot be run: npm is not here, and its packages come with it"
        raise AdapterFault(f"{message}; `dsh-spec run reference` needs none")
    say("installing the real DSH's packages (once)…")
    done = subprocess.run(  # noqa: S603 - npm, found on the caller's own path
        (npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"),
        cwd=DSH,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0 or not NODE.exists():
        words = (done.stderr or done.stdout).strip()[-2000:]
        raise AdapterFault(f"the real DSH cannot be installed: `npm ci` in {DSH} failed\n{words}")
