"""Results of tools that replace others: what they may change (STG-8)."""

from conformance.stored import committed
from conformance.stored.parse import read
from conformance.stored.reading import Stored, UnreadableError
from conformance.stored.verdict import Finding, Spot
from model.messages import upgraded
from model.surface import rewrites
from model.values import UNDEFINED, Record, Value, field, record

EVERYTHING = 1 << 60


def rewrite_fault(
    stored: Stored, longest: int, header: int, whole_lines: int, pairs: list[tuple[int, int]]
) -> Finding | None:
    """Why a result may not replace another: it changes more than the content (STG-8).

    `header` is the length of the header line, `pairs` are the seqs of the replaced and the
    replacing; what they hold is read once more.
    """
    replaced = {new: old for old, new in pairs}
    wanted = replaced.keys() | set(replaced.values())
    datas: dict[int, Value] = {}
    offset = 0
    for number, (seq, line, _) in enumerate(committed.numbered(stored, longest, whole_lines - 1)):
        offset += len(line) + 1
        if seq not in wanted:
            continue
        old = datas.get(replaced.get(seq, -1))
        datas[seq] = _data(line, old)
        if old is not None and not _rewrites(old, datas[seq]):
            at = Spot(number + 2, header + offset - len(line) - 1, seq)
            return Finding("STG-8", "a tool's result may change no more than the content", at)
    return None


def _data(line: bytes, replaced: Value | None) -> Value:
    stored = read(line, EVERYTHING)
    if not isinstance(stored, Record):
        return UNDEFINED
    data = field(upgraded(stored, "", _always) or stored, "data")
    inherits = field(field(stored, "data"), "message") == UNDEFINED
    if replaced is None or not inherits or not isinstance(data, Record):
        return data
    message = field(data, "message")
    entries = dict(message.entries) if isinstance(message, Record) else {}
    same = {**entries, "id": field(field(replaced, "message"), "id")}
    return record({**dict(data.entries), "message": record(same)})


def _always(seq: int) -> bool:
    return seq >= 0


def _rewrites(old: Value, new: Value) -> bool:
    try:
        return rewrites(old, new)
    except RecursionError as error:
        raise UnreadableError("a tool's result is nested too deeply to be compared") from error
