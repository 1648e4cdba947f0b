"""The judge of one log: takes its lines one by one, and says what DSH would make of them (STG-5).

It holds no lines. What grows with a log are its messages, by 25 bytes for each, the replacements of
tools' results, by two numbers for each, and the calls of tools that have no result.
"""

from collections import deque
from dataclasses import dataclass, field, replace

from conformance.stored.facts import Brief, Fault, Phase, Seen, seen
from conformance.stored.held import Break, Heard, Surface
from conformance.stored.parse import NotJsonError, read
from conformance.stored.quick import PLAIN, PLAIN_STARTS, decode_plain, kind_of, quick
from conformance.stored.rows import Packed, is_packed, unpacked
from conformance.stored.verdict import Finding, Spot
from model.log import END_SEED, Event
from model.recovery import NOTHING, Interruption, closing, closing_fits, interruption
from model.surface import Append, Misplaced, Replace, replacement_fault
from model.values import Integer, Null, Record, Text, Value
from model.values import field as entry

MARKERS_KEPT = 1000
AFTER_KEPT = 40
TURNS_KEPT = 4096
CLOSING = frozenset(("tool/result", "step/end", "turn/end"))
"""The types of what closes an interrupted turn, all at the time of the event before (RES-4)."""

TURNS = frozenset(("turn/start", "turn/end"))


@dataclass(slots=True)
class Judge:
    """Takes the lines behind a header: the log, and the tail behind its end (STG-5)."""

    session_id: str
    offset: int
    line: int = 1
    frame: int | None = None
    length: int = 0
    committed: int = 0
    whole_lines: int = 1
    time: int = 0
    last: str = ""
    broken: Break | None = None
    refused: bool = False
    faults: dict[Phase, Finding] = field(default_factory=dict)
    earliest: int | None = None
    markers: deque[int] = field(default_factory=lambda: deque(maxlen=MARKERS_KEPT))
    ends: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=MARKERS_KEPT))
    after: list[Heard] = field(default_factory=list)
    surface: Surface = field(default_factory=Surface)
    rewritten: list[tuple[int, int]] = field(default_factory=list)
    before: Interruption = NOTHING
    turns: list[Event | Brief] = field(default_factory=list)
    turn_line: int = 0
    tail_lines: int = 0
    faulty: int = 0
    run: int | None = None
    begin: int = 0

    def __post_init__(self) -> None:
        """The header is the first whole line."""
        self.committed = self.begin = self.offset

    def take(self, lines: list[bytes]) -> None:
        """Judge so many whole lines, each without its newline, until the log is refused."""
        if self.tail_lines > AFTER_KEPT and not _may_end(b"\n".join(lines)):
            self.line += len(lines)
            self.offset += sum(map(len, lines)) + len(lines)
            return
        for line in lines:
            if self.broken is not None:
                self.behind(line)
            else:
                self.goes_on(line)
            if self.refused:
                return

    def goes_on(self, line: bytes) -> None:
        """Judge a line that should go on with the next event: quickly, or else by the model."""
        kind = kind_of(line)
        if kind in PLAIN_STARTS and self.plain(line):
            return
        found = quick(line, kind)
        if isinstance(found, Packed):
            self.packed(found, line)
        elif found is not None and found[0] == self.length:
            self.event(found[1], line)
        else:
            self.slowly(line)

    def plain(self, line: bytes) -> bool:
        """Take a line of which only the envelope counts, if it is one and goes on."""
        try:
            row = decode_plain(line)
        except (ValueError, RecursionError):
            return False
        if row.seq != self.length or row.type not in PLAIN or row.ignorable is False:
            return False
        self.length += 1
        self.time = row.time
        self.last = row.type
        self.commit(line)
        return True

    def slowly(self, line: bytes) -> None:
        """Judge a line by the model."""
        try:
            stored = read(line)
        except NotJsonError as error:
            self.breaks(f"line {self.line + 1} is {error}", None, line)
            return
        if is_packed(stored):
            run = unpacked(stored)
            if run is None:
                self.breaks("a packed row is malformed", None, line, clause="STG-4")
            else:
                self.packed(run, line)
        elif isinstance(stored, Record) and entry(stored, "seq") == Integer(self.length):
            self.event(seen(stored, self.length, self.session_id, self.surface.is_result), line)
        else:
            self.gap(stored, line)

    def packed(self, run: Packed, line: bytes) -> None:
        """Take a packed run of pieces (STG-4)."""
        if run.seq != self.length:
            self.breaks(self.jump(run.seq), run.seq, line, clause="LOG-1")
            return
        self.length += run.count
        self.time = run.time
        self.last = "assistant/chunk"
        self.commit(line)

    def event(self, event: Seen, line: bytes) -> None:
        """Take the event that comes next."""
        seq = self.length
        for fault in event.faults:
            self.fault(fault)
        self.faulty += bool(event.faults)
        closes = event.kind in CLOSING and event.time == self.time
        goes_on = self.run is not None and self.last in CLOSING
        self.run = None if not closes else self.run if goes_on else seq
        if event.place is not None:
            self.join(event, seq)
        if event.turn is not None:
            self.follow(event.kind, event.turn)
        if event.kind == END_SEED:
            self.markers.append(seq)
        if event.interrupted:
            self.ends.append((seq if self.run is None else self.run, seq))
        self.length += 1
        self.time = event.time
        self.last = event.kind
        self.commit(line)

    def join(self, event: Seen, seq: int) -> None:
        """Let a message join the surface (STG-8)."""
        result = event.kind == "tool/result"
        match event.place:
            case Append():
                self.surface.append(seq, result=result)
            case Replace() as op:
                fault = replacement_fault(event.kind, op, self.surface)
                if fault is not None:
                    self.fault(Fault(Phase.EVENT, "STG-8", fault.why))
                    return
                if result:
                    self.rewritten.append((op.start, seq))
                self.surface.replace(op, seq, result=result)
            case Misplaced() | None:
                return

    def follow(self, kind: str, event: Event | Brief) -> None:
        """Remember what the closing of turns will look at (RES-4)."""
        if kind in TURNS:
            self.before, self.turns, self.turn_line = NOTHING, [], self.line
        self.turns.append(event)
        if len(self.turns) > max(TURNS_KEPT, len(self.before.calls)):
            self.before, self.turns = self.under_way(), []

    def under_way(self) -> Interruption:
        """What is under way at this point (RES-4)."""
        events = (each if isinstance(each, Event) else each.event() for each in self.turns)
        return interruption(events, self.before)

    def closers(self) -> tuple[Event, ...]:
        """The events that loading appends to close the turn that is open (RES-4)."""
        return closing(self.under_way(), self.length, self.time)

    def closing_fault(self) -> Finding | None:
        """Why the turn that is open cannot be closed (STG-10)."""
        if closing_fits(self.under_way()):
            return None
        why = "the open turn has no number, or an open call no id, so its closers cannot be read"
        return Finding("STG-10", why, Spot(self.line, self.committed, self.length))

    def fault(self, fault: Fault) -> None:
        """Keep the first fault of each phase."""
        self.earliest = self.line if self.earliest is None else self.earliest
        self.faults.setdefault(fault.phase, Finding(fault.clause, fault.why, self.spot()))

    def rewrites(self, finding: Finding | None) -> None:
        """Take what the second look at results that replace others has found (STG-8)."""
        if finding is None or finding.at is None:
            return
        self.faults[Phase.EVENT] = finding
        line = finding.at.line - 1
        self.earliest = line if self.earliest is None else min(self.earliest, line)

    def spot(self) -> Spot:
        """Where the line under judgement is."""
        return Spot(self.line + 1, self.offset, self.length, self.frame)

    def commit(self, line: bytes) -> None:
        """Go on behind a line that belongs to the log."""
        self.line += 1
        self.offset += len(line) + 1
        self.committed = self.offset
        self.whole_lines = self.line

    def jump(self, seq: int) -> str:
        """What to say of a seq that does not go on."""
        return f"seq {self.length} has to come here, and {seq} does"

    def gap(self, stored: Value, line: bytes) -> None:
        """A line that does not go on with the next seq: null, which breaks DSH, or a gap."""
        if stored == Null():
            self.breaks("a line is null", None, line)
            self.refused = True
            return
        seq = entry(stored, "seq")
        got = seq.value if isinstance(seq, Integer) else None
        why = self.jump(got) if got is not None else f"an event has no seq where {self.length} has"
        heard = _heard(self.line + 1, stored)
        self.breaks(why, got, line, clause="LOG-1", heard=heard)
        self.refused = heard.kind == "turn/end"

    def breaks(
        self,
        why: str,
        got: int | None,
        line: bytes,
        *,
        clause: str = "STG-5",
        heard: Heard | None = None,
    ) -> None:
        """Begin the tail with this line (STG-5)."""
        finding = Finding(clause, why, replace(self.spot(), seq=got))
        self.broken = Break(finding, self.length, got, damaged=clause != "LOG-1")
        if heard is not None:
            self.after.append(heard)
        self.line += 1
        self.offset += len(line) + 1

    def behind(self, line: bytes) -> None:
        """Take a line of the tail: one that ends a turn makes the tail a loss (STG-5)."""
        self.line += 1
        self.offset += len(line) + 1
        self.tail_lines += 1
        if self.tail_lines > AFTER_KEPT and not _may_end(line):
            return
        try:
            stored = read(line)
        except NotJsonError:
            return
        heard = _heard(self.line, stored)
        if len(self.after) < AFTER_KEPT:
            self.after.append(heard)
        packed = is_packed(stored)
        self.refused = stored == Null() or (heard.kind == "turn/end" and not packed)


def _may_end(line: bytes) -> bool:
    """Whether lines could end a turn, or break DSH, as far as their bytes tell."""
    return b"turn/end" in line or b"\\" in line or b"null" in line


def _heard(line: int, stored: Value) -> Heard:
    kind, time = entry(stored, "type"), entry(stored, "time")
    return Heard(
        line,
        entry(stored, "seq"),
        kind.value if isinstance(kind, Text) else "",
        time.value if isinstance(time, Integer) else 0,
    )
