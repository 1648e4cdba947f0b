"""`python -m tests.bench_check_log`: how fast a log is checked, beside what parsing it costs.

The same file, in one run: each line decoded by the fastest of the JSON libraries at hand and
nothing done with it, then the whole check, in turn, of which the best counts. It is processor time,
so that what else runs on the machine counts less. One log has a line for each piece of an answer,
one has packed rows as DSH writes them today, and one is that in compressed frames.
"""

import argparse
import io
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import orjson
import zstandard

from conformance.protocol.json import Json
from conformance.stored.check import check
from tests.stored_logs import Writer, dumped, header

FLOOR = 0.2
"""Slower than so much of the limit is a failure; half of it is the goal."""

WORDS = ("the", "session", "“quoted”", "naïve", "\\path", "reads", "a\tb", "42", "and", "loads")


def prose(random: Random, count: int) -> str:
    """Some words."""
    return " ".join(random.choice(WORDS) for _ in range(count))


class Session(Writer):
    """A session of the size and the mixture of a real one."""

    def answer(self) -> None:
        """One step with its thinking, a call of a tool and its result."""
        random = self.random
        self.step += 1
        self.put("step/start", {"turn": self.turn, "step": self.step})
        self.pieces("reasoning-delta", random.randrange(20, 120))
        self.pieces("text-delta", random.randrange(5, 60))
        self.assistant([f"c{self.step}"])
        started = self.put("tool/call", {"turn": self.turn, "callId": f"c{self.step}", "name": "t"})
        self.result(f"c{self.step}", started)
        data = self.events[-1]["data"]
        assert isinstance(data, dict)
        text: Json = {"type": "text", "text": prose(random, random.randrange(50, 1500))}
        message = json.loads(json.dumps(data["message"]))
        message["content"][0]["content"] = [text]
        data["message"] = message
        self.put("todo/write", {"items": [{"text": prose(random, 8), "done": False}] * 3})
        self.put("step/end", {"turn": self.turn, "step": self.step})

    def pieces(self, kind: str, count: int) -> None:
        """Pieces of an answer."""
        for _ in range(count):
            piece: Json = {"type": kind, "index": 0, "text": prose(self.random, 1)}
            self.put("assistant/chunk", {"turn": self.turn, "step": self.step, "chunk": piece})


def rows(written: list[dict[str, Json]]) -> list[dict[str, Json]]:
    """The events with their runs of pieces packed."""
    lines: list[dict[str, Json]] = []
    run: list[dict[str, Json]] = []
    for event in written:
        if event["type"] == "assistant/chunk":
            if run and _kind(run[0]) != _kind(event):
                lines.append(_packed(run))
                run = []
            run.append(event)
            continue
        lines.extend([_packed(run)] if run else [])
        run = []
        lines.append(event)
    return lines


def _chunk(event: dict[str, Json]) -> dict[str, Json]:
    data = event["data"]
    assert isinstance(data, dict)
    chunk = data["chunk"]
    assert isinstance(chunk, dict)
    return chunk


def _kind(event: dict[str, Json]) -> Json:
    return _chunk(event)["type"]


def _packed(run: list[dict[str, Json]]) -> dict[str, Json]:
    data = run[0]["data"]
    assert isinstance(data, dict)
    texts: list[Json] = [_chunk(event)["text"] for event in run]
    gaps: list[Json] = [3] * (len(run) - 1)
    common: Json = {"turn": data["turn"], "step": data["step"], "index": 0, "dt": gaps}
    assert isinstance(common, dict)
    kind = "text-chunks" if _kind(run[0]) == "text-delta" else "reasoning-chunks"
    return {
        "type": kind,
        "seq0": run[0]["seq"],
        "time0": run[0]["time"],
        "data": {**common, "texts": texts},
    }


def write(path: Path, megabytes: int, *, packed: bool) -> None:
    """A log of so many megabytes; its turns repeat, and their numbers go on."""
    random = Random(7)
    size, seq = 0, 0
    with path.open("wb") as file:
        file.write(dumped(header(Random(1))) + b"\n")
        while size < megabytes << 20:
            session = Session(random)
            session.turn = 1
            session.put("turn/start", {"turn": 1})
            session.user()
            for _ in range(20):
                session.answer()
            session.put("turn/end", {"turn": 1, "reason": {"kind": "completed"}})
            for event in session.events:
                event["seq"] = seq
                cited = event.get("sourceEventSeqs")
                if isinstance(cited, list):
                    event["sourceEventSeqs"] = [seq - 1]
                seq += 1
            lines = rows(session.events) if packed else session.events
            size += file.write(b"".join(dumped(line) + b"\n" for line in lines))


def seconds(work: Callable[[], None]) -> float:
    """What one run takes of the processor."""
    started = time.process_time()
    work()
    return time.process_time() - started


def bare(path: Path, decode: Callable[[bytes], object]) -> None:
    """Decode every line, and do nothing with it."""
    with path.open("rb") as file:
        if path.suffix != ".zstd":
            for line in file:
                decode(line)
            return
        reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
        for line in io.BufferedReader(reader, 1 << 20):
            decode(line)


def compress(path: Path) -> Path:
    """The same log in frames, as DSH stores it."""
    compressor = zstandard.ZstdCompressor(write_checksum=True)
    found = path.with_name(path.name + ".zstd")
    with path.open("rb") as file, found.open("wb") as out:
        out.write(compressor.compress(file.readline()))
        while batch := file.readlines(1 << 14):
            out.write(compressor.compress(b"".join(batch)))
    return found


def judged(path: Path) -> None:
    """Check it as the command does."""
    verdict = check(path)
    assert verdict.outcome == "loads", verdict


def measured(name: str, path: Path, megabytes: float, times: int) -> float:
    """Measure one log; the share of the limit that is reached."""
    works = {
        "orjson": partial(bare, path, orjson.loads),
        "msgspec": partial(bare, path, msgspec.json.decode),
        "ours": partial(judged, path),
    }
    runs = [{who: seconds(work) for who, work in works.items()} for _ in range(times)]
    best = {who: min(run[who] for run in runs) for who in works}
    ours = best.pop("ours")
    library = min(best, key=best.__getitem__)
    limit = best[library]
    sys.stdout.write(
        f"{name}: {megabytes:.0f} MB; check-log {megabytes / ours:.0f} MB/s; bare decode "
        f"with {library} {megabytes / limit:.0f} MB/s: {limit / ours:.0%}\n"
    )
    return limit / ours


def main() -> None:
    """Measure, and say what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--times", type=int, default=3)
    asked = parser.parse_args()
    shares = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.jsonl")
        for name, packed in (("a line for each piece", False), ("packed rows", True)):
            write(path, asked.megabytes, packed=packed)
            megabytes = path.stat().st_size / 1e6
            shares.append(measured(name, path, megabytes, asked.times))
        shares.append(measured("the same in frames", compress(path), megabytes, asked.times))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    sys.stdout.write(f"peak memory {peak} MB\n")
    sys.exit(0 if min(shares) >= FLOOR else 1)


if __name__ == "__main__":
    main()
