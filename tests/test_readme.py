"""The README shows what the commands really print.

`python -m tests.test_readme` writes the blocks anew.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).resolve().parent.parent / "README.md"
COUNTEREXAMPLE = ("explore", "stores", "--design", "announce-before-detach-recorded")
NUMBERS = re.compile(r"\d+\.\d+ s")
FOLDERS = re.compile(r"\[`([a-z]+)/`\]")


def dsh_spec(*words: str) -> list[str]:
    """The lines that a command prints."""
    done = subprocess.run(
        (sys.executable, "-m", "conformance.cli", *words),
        capture_output=True,
        text=True,
        check=False,
        cwd=README.parent,
    )
    return done.stdout.strip().splitlines()


def block(name: str) -> list[str]:
    """The lines of a block of the README, without its fences."""
    text = README.read_text(encoding="utf-8")
    found = re.search(f"<!-- {name}:begin -->\n(.*?)<!-- {name}:end -->", text, re.DOTALL)
    assert found is not None
    return [line for line in found.group(1).splitlines() if line != "```"]


def counterexample() -> list[str]:
    """The counterexample as it is printed, without the time that it took."""
    lines = dsh_spec(*COUNTEREXAMPLE)
    return ["$ dsh-spec " + " ".join(COUNTEREXAMPLE), *(NUMBERS.sub("… s", line) for line in lines)]


def verdict() -> list[str]:
    """What a run on the real DSH ends with."""
    return dsh_spec("run", "dsh")


@pytest.mark.slow
def test_the_counterexample_is_the_one_that_is_found() -> None:
    """Nothing in it was typed."""
    assert block("explore") == counterexample()


@pytest.mark.slow
@pytest.mark.dsh
def test_the_verdict_is_the_one_that_is_printed(dsh_command: tuple[str, ...]) -> None:
    """The real DSH, a thousand programs, the same counts."""
    del dsh_command
    assert block("run") == verdict()


def test_the_map_has_every_folder() -> None:
    """The five folders, each there."""
    folders = FOLDERS.findall(README.read_text(encoding="utf-8"))
    assert folders == ["spec", "model", "invariants", "conformance", "tests"]
    assert all((README.parent / folder).is_dir() for folder in folders)


def write(name: str, lines: list[str]) -> None:
    """Replace a block of the README."""
    text = README.read_text(encoding="utf-8")
    body = "\n".join(("```", *lines, "```"))
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    head, rest = text.split(begin, 1)
    README.write_text(f"{head}{begin}\n{body}\n{end}{rest.split(end, 1)[1]}", encoding="utf-8")


if __name__ == "__main__":
    write("explore", counterexample())
    write("run", verdict())
