"""Results of tools that replace others: what they may change (STG-8)."""

from dataclasses import dataclass
from hashlib import blake2b

from conformance.stored import committed
from conformance.stored.parse import read
from conformance.stored.reading import Stored, UnreadableError
from conformance.stored.verdict import Finding, Spot
from model.messages import upgraded
from model.surface import but_for_content
from model.values import UNDEFINED, Record, Value, field, record

EVERYTHING = 1 << 60


@dataclass(frozen=True, slots=True)
class Result:
    """What is held of a tool's result: its message's id, and a digest of all but its content."""

    id: Value
    digest: bytes


def rewrite_fault(
    stored: Stored, longest: int, header: int, whole_lines: int, pairs: list[tuple[int, int]]
) -> Finding | None:
    """Why a result may not replace another: it changes more than the content (STG-8).

    `header` is the length of the header line, `pairs` are the seqs of the replaced and the
    replacing; what they hold is read once more.
    """
    replaced = {new: old for old, new in pairs}
    wanted = replaced.keys() | set(replaced.values())
    held: dict[int, Result] = {}
    offset = header
    for number, (seq, line, _) in enumerate(committed.numbered(stored, longest, whole_lines - 1)):
        if seq in wanted:
            old = held.pop(replaced.get(seq, -1), None)
            held[seq] = _result(line, old)
            if old is not None and old.digest != held[seq].digest:
                at = Spot(number + 2, offset, seq)
                return Finding("STG-8", "a tool's result may change no more than the content", at)
        offset += len(line) + 1
    return None


def _result(line: bytes, replaced: Result | None) -> Result:
    stored = read(line, EVERYTHING)
    whole = stored if isinstance(stored, Record) else Record()
    data = field(upgraded(whole, "", _always) or whole, "data")
    inherits = field(field(whole, "data"), "message") == UNDEFINED
    message = field(data, "message")
    if replaced is not None and inherits and isinstance(message, Record):
        same = record({**dict(message.entries), "id": replaced.id})
        entries = dict(data.entries) if isinstance(data, Record) else {}
        data = record({**entries, "message": same})
    return Result(field(field(data, "message"), "id"), _digest(but_for_content(data)))


def _digest(value: Value) -> bytes:
    try:
        return blake2b(repr(value).encode("utf-8", "surrogatepass"), digest_size=16).digest()
    except RecursionError as error:
        raise UnreadableError("a tool's result is nested too deeply to be compared") from error


def _always(seq: int) -> bool:
    return seq >= 0
