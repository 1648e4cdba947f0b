"""Stored logs to try: valid ones, and ones with a fault of every kind at a random place."""

import json
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import zstandard

from conformance.protocol.json import Json

Line = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Made:
    """A log that was made, what was done to it, and how it is encoded."""

    content: bytes
    fault: str
    encoding: str


def dumped(value: Json) -> bytes:
    """A value as JSON.stringify writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def header(random: Random) -> Line:
    """A header, mostly the smallest there is."""
    line: Line = {"type": "session", "version": 0, "id": "a", "createdAt": 1}
    if random.random() < 0.2:
        line |= {"cwd": "/made up/x y", "parentSession": "p", "seedLength": random.randrange(4)}
    return line | {"delegationDepth": 0}


class Writer:
    """Writes the events of a session as DSH would."""

    def __init__(self, random: Random) -> None:
        """Begin with nothing."""
        self.random = random
        self.events: list[Line] = []
        self.time = 1000
        self.turn = self.step = self.calls = 0
        self.surface: list[int] = []

    def put(self, kind: str, data: Json, **more: Json) -> int:
        """Write one event."""
        seq = len(self.events)
        self.time += self.random.randrange(3)
        self.events.append({"type": kind, "seq": seq, "time": self.time, "data": data, **more})
        return seq

    def user(self) -> None:
        """A user's message."""
        text: Json = [{"type": "text", "text": self.random.choice(("hi", "é☃", "𝄞", 'a"b\\'))}]
        source: Json = {"kind": "user"}
        seq = len(self.events)
        data: Json = {"id": f"m{seq}", "role": "user", "source": source, "content": text}
        self.surface.append(self.put("user/message", data, surfaceOp="append"))

    def chunks(self) -> None:
        """Some pieces of an answer."""
        for _ in range(self.random.randrange(6)):
            piece: Json = {"type": "text-delta", "index": 0, "text": "x"}
            self.put("assistant/chunk", {"turn": self.turn, "step": self.step, "chunk": piece})

    def assistant(self, calls: list[str]) -> None:
        """An assistant's message that asks for these calls."""
        content: list[Json] = [{"type": "text", "text": "answer"}]
        content += [{"type": "tool-call", "id": each, "name": "t", "input": {}} for each in calls]
        message: Json = {
            "id": f"m{len(self.events)}",
            "role": "assistant",
            "source": {"kind": "model", "provider": "p", "model": "m"},
            "content": content,
        }
        data: Json = {"turn": self.turn, "step": self.step, "message": message}
        self.surface.append(self.put("assistant/message", data, surfaceOp="append"))

    def result(self, call: str, started: int | None) -> None:
        """The result of a call."""
        block: Json = {
            "type": "tool-result",
            "toolCallId": call,
            "isError": False,
            "content": [{"type": "text", "text": "done"}],
        }
        message: Json = {
            "id": f"m{len(self.events)}",
            "role": "user",
            "source": {"kind": "tool", "callId": call},
            "content": [block],
        }
        data: Json = {"turn": self.turn, "step": self.step, "message": message}
        more: Line = {} if started is None else {"sourceEventSeqs": [started]}
        self.surface.append(self.put("tool/result", data, surfaceOp="append", **more))

    def prune(self) -> None:
        """Replace a result by a shorter one."""
        results = [at for at in self.surface if self.events[at]["type"] == "tool/result"]
        if not results:
            return
        old = self.random.choice(results)
        data = json.loads(json.dumps(self.events[old]["data"]))
        data["message"]["content"][0]["content"] = []
        op: Json = {"op": "replace", "start": old, "end": old}
        new = self.put("tool/result", data, surfaceOp=op, sourceEventSeqs=[old])
        self.surface[self.surface.index(old)] = new

    def summarise(self) -> None:
        """Replace a run of messages by one."""
        if len(self.surface) < 2:
            return
        first = self.random.randrange(len(self.surface) - 1)
        last = self.random.randrange(first, len(self.surface))
        old = self.surface[first : last + 1]
        seq = len(self.events)
        data: Json = {"id": f"m{seq}", "role": "user", "source": {"kind": "x"}, "content": []}
        op: Json = {"op": "replace", "start": old[0], "end": old[-1]}
        cited: list[Json] = [*old]
        self.put("user/message", data, surfaceOp=op, sourceEventSeqs=cited)
        self.surface[first : last + 1] = [seq]

    def small(self) -> None:
        """Something small."""
        config: Json = {"provider": "p", "model": "m"}
        datas: dict[str, Json] = {
            "todo/write": {"items": []},
            "session/title": {"title": "t"},
            "request/header": {"header": {"config": config}, "reason": "initial"},
            "hook/invoked": {"deep": [[[[[[[[[[{}]]]]]]]]]]},
            "session/end-seed": {},
        }
        kind = self.random.choice(sorted(datas))
        self.put(kind, datas[kind])

    def steps(self) -> None:
        """A step: an answer, its calls and their results."""
        self.step += 1
        self.put("step/start", {"turn": self.turn, "step": self.step})
        self.chunks()
        calls = [f"c{self.calls + number}" for number in range(self.random.randrange(3))]
        self.calls += len(calls)
        self.assistant(calls)
        for call in calls:
            started = self.put("tool/call", {"turn": self.turn, "callId": call, "name": "t"})
            self.result(call, self.random.choice((started, None)))
        if self.random.random() < 0.3:
            self.prune()
        self.put("step/end", {"turn": self.turn, "step": self.step})

    def turns(self) -> None:
        """A turn."""
        self.turn += 1
        self.step = 0
        self.put("turn/start", {"turn": self.turn})
        self.user()
        for _ in range(self.random.randrange(3)):
            self.steps()
        if self.random.random() < 0.2:
            self.summarise()
        kinds = ("completed", "interrupted", "max-tokens", "blocked")
        reason: Json = {"kind": self.random.choice(kinds)}
        self.put("turn/end", {"turn": self.turn, "reason": reason})
        for _ in range(self.random.randrange(3)):
            self.small()


def events(random: Random) -> list[Line]:
    """The events of a session, cut off anywhere."""
    writer = Writer(random)
    for _ in range(random.randrange(4)):
        writer.turns()
    written = writer.events
    return written[: random.randrange(len(written) + 1)] if random.random() < 0.5 else written


def packed(random: Random, written: list[Line]) -> list[Line]:
    """The same as lines, with runs of pieces packed."""
    if random.random() < 0.5:
        return written
    lines: list[Line] = []
    run: list[Line] = []
    for event in [*written, None]:
        if event is not None and event["type"] == "assistant/chunk":
            run.append(event)
            continue
        lines.extend([_row(run)] if len(run) > 2 else run)
        run = []
        if event is not None:
            lines.append(event)
    return lines


def _row(run: list[Line]) -> Line:
    times = [_int(event["time"]) for event in run]
    gaps: list[Json] = [after - before for before, after in pairwise(times)]
    texts: list[Json] = ["x" for _ in run]
    data = run[0]["data"]
    assert isinstance(data, dict)
    common = {"turn": data["turn"], "step": data["step"], "index": 0, "dt": gaps, "texts": texts}
    return {"type": "text-chunks", "seq0": run[0]["seq"], "time0": run[0]["time"], "data": common}


def _int(value: Json) -> int:
    assert isinstance(value, int)
    return value


def encoded(random: Random, lines: list[bytes], encoding: str) -> bytes:
    """Lines as a file."""
    text = [line + b"\n" for line in lines]
    if encoding == "none":
        return b"".join(text)
    compressor = zstandard.ZstdCompressor(write_checksum=True)
    found = [compressor.compress(text[0])] if text else []
    rest = text[1:]
    while rest:
        count = random.randrange(1, len(rest) + 1)
        found.append(compressor.compress(b"".join(rest[:count])))
        rest = rest[count:]
    return b"".join(found)
