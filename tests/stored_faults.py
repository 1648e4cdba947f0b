"""What can be wrong with a stored log: one fault of each kind, at a random place."""

import json
from collections.abc import Callable
from random import Random

from conformance.protocol.json import Json
from tests.stored_logs import Line, Made, dumped, encoded, events, header, packed

Lines = list[bytes]


def somewhere(random: Random, lines: Lines) -> int:
    """A line behind the header, if there is one."""
    return random.randrange(1, len(lines)) if len(lines) > 1 else 0


def dropped(random: Random, lines: Lines) -> Lines:
    """A line is missing."""
    at = somewhere(random, lines)
    return lines[:at] + lines[at + 1 :]


def repeated(random: Random, lines: Lines) -> Lines:
    """A line is there twice."""
    at, to = somewhere(random, lines), somewhere(random, lines)
    return [*lines[:to], lines[at], *lines[to:]] if to else [*lines, lines[at]]


def swapped(random: Random, lines: Lines) -> Lines:
    """Two lines have changed places."""
    at, to = somewhere(random, lines), somewhere(random, lines)
    found = [*lines]
    found[at], found[to] = found[to], found[at]
    return found


def restarted(random: Random, lines: Lines) -> Lines:
    """A second writer began anew, or went on from an earlier point."""
    at = somewhere(random, lines)
    return lines + lines[at : at + random.randrange(1, 4)]


def odd_line(random: Random, lines: Lines) -> Lines:
    """A line that is no event stands between."""
    odd = random.choice(ODD_LINES)
    at = random.randrange(len(lines) + 1)
    return [*lines[:at], odd, *lines[at:]]


ODD_LINES = (
    b"",
    b" ",
    b"null",
    b" null\r",
    b"[]",
    b"5",
    b'"text"',
    b"{}",
    b"{bad",
    b'{"type":"turn/end"}',
    b'{"type":"turn\\/end","seq":7,"time":1,"data":{}}',
    b'{"type":"text-chunks"}',
    b'{"type":"text-chunks","seq0":0,"time0":1,"data":{}}',
    b"NaN",
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b"[" * 3000 + b"]" * 3000,
    b'{"type":"session","version":0,"id":"a","createdAt":1,"delegationDepth":0}',
)


def odd_row(random: Random, lines: Lines) -> Lines:
    """A packed row is put at the end, well made or nearly so."""
    seq: Json = sum(1 for line in lines[1:] if b'"seq":' in line)
    count = random.randrange(4)
    gaps: list[Json] = [random.choice((0, 1, -5, 2**53 - 1)) for _ in range(count)]
    pieces: list[Json] = ["x" for _ in range(count + random.choice((1, 1, 1, 0)))]
    data: dict[str, Json] = {"turn": 1, "step": random.choice((1, 1.5)), "index": 0, "dt": gaps}
    kind = random.choice(("text-chunks", "reasoning-chunks", "tool-call-chunks"))
    if kind == "tool-call-chunks":
        data |= {"id": "c", "args": pieces, **({"name": "t"} if random.random() < 0.5 else {})}
    else:
        data |= {"texts": pieces}
    row: dict[str, Json] = {"type": kind, "seq0": seq, "time0": 7, "data": data}
    if random.random() < 0.4:
        found = random.choice((row, data))
        found[random.choice((*KEYS, *found))] = random.choice(VALUES)
    return [*lines, dumped(row)]


VALUES: tuple[Json, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    1.5,
    2**53,
    "",
    "x",
    "append",
    [],
    {},
    [0],
    [0, 0],
    {"op": "replace", "start": 0, "end": 0},
    {"turn": 1, "trigger": {"kind": "user"}},
    {"turn": 0},
    {"kind": "aborted"},
    {"kind": "error", "step": 1, "message": "m"},
)
KEYS = (
    "type",
    "seq",
    "time",
    "data",
    "surfaceOp",
    "sourceEventSeqs",
    "ignorable",
    "extra",
    "__proto__",
    "turn",
    "step",
    "reason",
    "message",
    "id",
    "role",
    "source",
    "content",
    "callId",
    "dt",
    "texts",
    "seq0",
    "trigger",
)
TYPES = (
    "turn/start",
    "turn/end",
    "step/start",
    "user/message",
    "assistant/message",
    "tool/result",
    "tool/call",
    "request/header",
    "request/header-delta",
    "mode/set",
    "steering/message",
    "session/end-seed",
    "plugin/own",
    "text-chunks",
    "todo/write",
)


def inner(random: Random, value: Json) -> list[dict[str, Json]]:
    """The records in a value, the outermost among them."""
    match value:
        case dict():
            return [value, *(each for item in value.values() for each in inner(random, item))]
        case list():
            return [each for item in value for each in inner(random, item)]
        case _:
            return []


def changed(random: Random, lines: Lines, change: Callable[[Random, Line], None]) -> Lines:
    """Lines of which one record has changed."""
    at = random.randrange(len(lines)) if random.random() < 0.1 else somewhere(random, lines)
    line: Json = json.loads(lines[at])
    change(random, random.choice(inner(random, line)))
    return [*lines[:at], dumped(line), *lines[at + 1 :]]


def set_key(random: Random, lines: Lines) -> Lines:
    """A member has another value, or there is one more."""

    def change(random: Random, found: Line) -> None:
        found[random.choice((*KEYS, *found))] = random.choice(VALUES)

    return changed(random, lines, change)


def removed_key(random: Random, lines: Lines) -> Lines:
    """A member is missing."""

    def change(random: Random, found: Line) -> None:
        if found:
            del found[random.choice(sorted(found))]

    return changed(random, lines, change)


def retyped(random: Random, lines: Lines) -> Lines:
    """An event is of another type, perhaps one to be ignored."""
    at = somewhere(random, lines)
    line: Line = json.loads(lines[at])
    line["type"] = random.choice(TYPES)
    if random.random() < 0.3:
        line["ignorable"] = True
    return [*lines[:at], dumped(line), *lines[at + 1 :]]


def former(random: Random, lines: Lines) -> Lines:
    """A message as an earlier vocabulary had it."""
    at = somewhere(random, lines)
    line: Line = json.loads(lines[at])
    data = line.get("data")
    if not isinstance(data, dict):
        return lines
    content: Json = [{"type": "tool-call", "id": "cx"}]
    forms: dict[str, Json] = {
        "user/message": {"content": [], "source": {"kind": "user"}},
        "assistant/message": {"content": content, "provenance": {"provider": "p", "model": "m"}},
        "tool/result": {"callId": "c0", "content": [], "isError": False},
        "turn/start": {"turn": 1, "trigger": {"kind": random.choice(("user", ""))}},
        "turn/end": {"turn": 1, "reason": random.choice(VALUES)},
        "steering/message": {"turn": 1, "content": [], "source": {"kind": "user"}},
    }
    kind = str(line.get("type"))
    if kind == "user/message" and random.random() < 0.5:
        line["type"] = kind = "steering/message"
    line["data"] = forms.get(kind, {"message": data})
    return [*lines[:at], dumped(line), *lines[at + 1 :]]


NUMBERS = (b"1.0", b"1e0", b"-0", b"-0.0", b"9007199254740992", b"1e999", b"01", b"1.", b"0")


def renumbered(random: Random, lines: Lines) -> Lines:
    """A number is written otherwise, or is another."""
    at = random.randrange(len(lines))
    line = lines[at]
    digits = [index for index, byte in enumerate(line) if chr(byte).isdigit()]
    if not digits:
        return lines
    index = random.choice(digits)
    number = random.choice((*NUMBERS, b"%d.0" % (line[index] - 48), b"%de0" % (line[index] - 48)))
    return [*lines[:at], line[:index] + number + line[index + 1 :], *lines[at + 1 :]]


def doubled_key(random: Random, lines: Lines) -> Lines:
    """A member is there twice."""
    at = random.randrange(len(lines))
    extra = random.choice((b'"type":"turn/end",', b'"seq":3,', b'"data":{},', b'"version":1,'))
    back = random.random() < 0.5
    line = lines[at]
    line = line[:-1] + b"," + extra[:-1] + b"}" if back else line[:1] + extra + line[1:]
    return [*lines[:at], line, *lines[at + 1 :]]


def carriage_returns(_random: Random, lines: Lines) -> Lines:
    """Lines end as they do elsewhere."""
    return [line + b"\r" for line in lines]


def spaced(_random: Random, lines: Lines) -> Lines:
    """Lines are written with spaces and with their keys sorted, as other tools do."""
    return [json.dumps(json.loads(line), sort_keys=True).encode() for line in lines]


def valid(_random: Random, lines: Lines) -> Lines:
    """Nothing is wrong."""
    return lines


LINE_FAULTS: tuple[Callable[[Random, Lines], Lines], ...] = (
    valid,
    dropped,
    repeated,
    swapped,
    restarted,
    odd_line,
    set_key,
    removed_key,
    retyped,
    former,
    renumbered,
    doubled_key,
    carriage_returns,
    spaced,
    odd_row,
)


def truncated(random: Random, content: bytes) -> bytes:
    """The file ends anywhere."""
    return content[: random.randrange(len(content) + 1)]


def flipped(random: Random, content: bytes) -> bytes:
    """A byte is another."""
    if not content:
        return content
    at = random.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :]


def inserted(random: Random, content: bytes) -> bytes:
    """Some bytes are there that do not belong."""
    at = random.randrange(len(content) + 1)
    extra = random.choice((b"\x00", b"\xff", b"\xef\xbb\xbf", b"\n", b"\r", b"}", b'{"type":'))
    return content[:at] + extra + content[at:]


def removed(random: Random, content: bytes) -> bytes:
    """Some bytes are missing."""
    at = random.randrange(len(content) + 1)
    return content[:at] + content[at + random.randrange(1, 40) :]


def untouched(_random: Random, content: bytes) -> bytes:
    """Nothing has happened to the bytes."""
    return content


BYTE_FAULTS: tuple[Callable[[Random, bytes], bytes], ...] = (truncated, flipped, inserted, removed)


def made(random: Random) -> Made:
    """A log with at most one fault of each level."""
    lines = [dumped(line) for line in (header(random), *packed(random, events(random)))]
    encoding = random.choice(("none", "none", "zstd"))
    on_lines = random.choice(LINE_FAULTS)
    on_bytes = random.choice(BYTE_FAULTS) if random.random() < 0.35 else untouched
    if on_bytes is not untouched and random.random() < 0.7:
        on_lines = valid
    content = on_bytes(random, encoded(random, on_lines(random, lines), encoding))
    return Made(content, f"{on_lines.__name__} {on_bytes.__name__}", encoding)
