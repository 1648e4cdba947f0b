"""`python -m tests.fuzz_check_log --files 100000`: mutated logs, and nothing but verdicts.

No traceback, no hang, no growth of memory. With `--oracle` each verdict is also held beside what
the real persistence does with a copy of the file. A failure names its seed: run it again by
`--from SEED --files 1`.
"""

import argparse
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from conformance.stored.check import check
from conformance.stored.verdict import Verdict
from tests.stored_faults import BYTE_FAULTS, made
from tests.stored_logs import Made
from tests.stored_oracle import Oracle

if TYPE_CHECKING:
    from conformance.protocol.json import Json

SLOW = 20
"""A file that takes so many seconds hangs."""


def mutated(seed: int) -> Made:
    """A log, with up to three more changes to its bytes."""
    random = Random(seed)
    log = made(random)
    content = log.content
    for _ in range(random.choice((0, 0, 1, 3))):
        content = random.choice(BYTE_FAULTS)(random, content)
    return Made(content, log.fault, log.encoding)


def differs(oracle: Oracle, path: Path, verdict: Verdict, encoding: str) -> str | None:
    """Where a verdict is not what the real persistence does."""
    origin = verdict.origin
    request: dict[str, Json] = {"file": str(path), "compression": encoding}
    request["id"] = origin.id if origin is not None and origin.id else "a"
    if origin is not None and origin.cwd:
        request["cwd"] = origin.cwd
    real = oracle.ask(request)
    if (verdict.outcome == "loads") != real["loads"]:
        return f"{verdict.outcome}, and the real one says {real.get('message', 'loads')}"
    events = real.get("events", [])
    if verdict.outcome == "loads" and isinstance(events, list):
        types = tuple(event["type"] for event in events if isinstance(event, dict))
        if len(types) != verdict.events + len(verdict.adds):
            return f"{verdict.events} events, and the real one has {len(types)}"
        if types[verdict.events :] != verdict.adds:
            return f"adds {verdict.adds}, and the real one {types[verdict.events :]}"
    return None


def memory() -> int:
    """The memory in use, in kB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() >> 10


def run(first: int, files: int, oracle: Oracle | None) -> int:
    """Check so many files; how many went wrong."""
    counts: Counter[str] = Counter()
    wrong = 0
    slowest, begun = 0.0, time.perf_counter()
    settled = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(files):
            seed = first + number
            log = mutated(seed)
            path = Path(folder, "log.jsonl.zstd" if log.encoding == "zstd" else "log.jsonl")
            path.write_bytes(log.content)
            started = time.perf_counter()
            signal.alarm(SLOW)
            verdict = check(path)
            signal.alarm(0)
            slowest = max(slowest, time.perf_counter() - started)
            clause = "" if verdict.finding is None else verdict.finding.clause
            counts[f"{verdict.outcome} {clause}".strip()] += 1
            changed = path.read_bytes() != log.content
            fault = "the file has changed" if changed else None
            if oracle is not None and fault is None:
                fault = differs(oracle, path, verdict, log.encoding)
            if fault is not None:
                wrong += 1
                sys.stdout.write(f"seed {seed} ({log.fault}): {fault}\n")
            if number == files // 10:
                settled = memory()
    seconds = time.perf_counter() - begun
    for name, count in sorted(counts.items()):
        sys.stdout.write(f"{count:8} {name}\n")
    sys.stdout.write(
        f"{files} files in {seconds:.0f} s, the slowest {slowest * 1000:.0f} ms; memory "
        f"{settled} kB after a tenth of them, {memory()} kB at the end; {wrong} wrong\n"
    )
    return wrong


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--from", dest="first", type=int, default=0, metavar="SEED")
    parser.add_argument("--oracle", action="store_true", help="compare with the real persistence")
    asked = parser.parse_args()
    if not asked.oracle:
        sys.exit(1 if run(asked.first, asked.files, None) else 0)
    with Oracle() as oracle:
        sys.exit(1 if run(asked.first, asked.files, oracle) else 0)


if __name__ == "__main__":
    main()
