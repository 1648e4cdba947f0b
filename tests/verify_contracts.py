"""Run CrossHair on the contracts, and on the wrong ones, and say what came of each.

It fails where a contract is refuted, where a wrong one is not, and where nothing was checked:
CrossHair itself exits 0 when it finds nothing to do.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from inspect import getmembers, isfunction
from types import ModuleType
from typing import Literal

from invariants import contracts
from tests import contract_mutants

SECONDS = 12
"""For each contract; the solver stops earlier where it is done."""

Found = Literal["confirmed", "not refuted", "refuted", "unchecked"]


@dataclass(frozen=True, slots=True)
class Checked:
    """What CrossHair made of one contract."""

    name: str
    found: Found
    says: str


def contracted(module: ModuleType) -> list[str]:
    """The functions of a module that state a postcondition."""
    return [
        name
        for name, function in getmembers(module, isfunction)
        if function.__module__ == module.__name__ and "post:" in (function.__doc__ or "")
    ]


def check(module: ModuleType, name: str) -> Checked:
    """Check one contract in a process of its own."""
    target = f"{module.__name__}.{name}"
    done = subprocess.run(
        (
            sys.executable,
            "-m",
            "crosshair",
            "check",
            "--report_all",
            "--analysis_kind=PEP316",
            f"--per_condition_timeout={SECONDS}",
            target,
        ),
        capture_output=True,
        text=True,
        check=False,
        timeout=20 * SECONDS,
    )
    return Checked(target, verdict(done.returncode, done.stdout), done.stdout + done.stderr)


def verdict(code: int, text: str) -> Found:
    """Read CrossHair's answer: one line for each condition."""
    if code not in (0, 1) or not text.strip():
        return "unchecked"
    if "error:" in text:
        return "refuted"
    lines = [line for line in text.splitlines() if ": info:" in line]
    return "confirmed" if lines and all("Confirmed" in line for line in lines) else "not refuted"


def main() -> int:
    """Check everything; the exit code says whether all came out as it should."""
    right = contracted(contracts)
    wrong = contracted(contract_mutants)
    with ThreadPoolExecutor(2) as pool:
        checked = list(pool.map(lambda name: check(contracts, name), right))
        mutants = list(pool.map(lambda name: check(contract_mutants, name), wrong))
    for each in (*checked, *mutants):
        print(f"{each.found:12} {each.name}")  # noqa: T201 - this is a script
    bad = [each for each in checked if each.found in ("refuted", "unchecked")]
    bad += [each for each in mutants if each.found != "refuted"]
    for each in bad:
        print(f"\n{each.name}: {each.found}\n{each.says}")  # noqa: T201 - as above
    confirmed = sum(each.found == "confirmed" for each in checked)
    print(  # noqa: T201 - as above
        f"{len(checked)} contracts: {confirmed} confirmed, {len(checked) - confirmed} not refuted "
        f"in {SECONDS} s; {len(mutants)} wrong ones refuted",
    )
    return 1 if bad or not checked or not mutants else 0


if __name__ == "__main__":
    sys.exit(main())
