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
GO = ADAPTERS / "go"
NAMES = ("dsh", "go", "reference")


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
    if name == "go":
        return Chosen("go", go(say))
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
    words = _failure((npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"), DSH)
    if words is not None or not NODE.exists():
        raise AdapterFault(f"the real DSH cannot be installed: `npm ci` in {DSH} failed\n{words}")


def go_toolchain() -> str | None:
    """Where Go is: beside this very Python, as the requirements install it, or on the path."""
    return shutil.which("go", path=Path(sys.executable).parent) or shutil.which("go")


def go(say: Callable[[str], None], folder: Path = GO) -> tuple[str, ...]:
    """The command of the port to Go, built from its folder: what it is now, not what it was."""
    toolchain = go_toolchain()
    if toolchain is None:
        raise AdapterFault("the port to Go cannot be built: there is no go on your path")
    built = folder / "adapter"
    if not built.exists():
        say("building the port to Go…")
    words = _failure((toolchain, "build", "-buildvcs=false", "-o", built.name, "."), folder)
    if words is not None:
        raise AdapterFault(
            f"the port to Go cannot be built: `go build` in {folder} failed\n{words}"
        )
    return (str(built),)


def _failure(command: tuple[str, ...], folder: Path) -> str | None:
    """The last words of a tool that failed in a folder, if it did."""
    done = subprocess.run(  # noqa: S603 - a tool found on the caller's own path
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    return (done.stderr or done.stdout).strip()[-2000:] if done.returncode != 0 else None
