"""Checking one stored log: what loading it would do (STG-5, STG-6)."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from conformance.stored import frames, reading
from conformance.stored.causes import ADVICE, diagnosed
from conformance.stored.committed import whole_so_far
from conformance.stored.facts import Phase
from conformance.stored.frames import DamagedError, Frame
from conformance.stored.header import Head, head_of
from conformance.stored.judge import Judge
from conformance.stored.place import place_fault
from conformance.stored.reading import Lines, Stored, UnreadableError
from conformance.stored.rewrites import rewrite_fault
from conformance.stored.verdict import Cause, Diagnosis, Finding, Prefix, Spot, Verdict
from model.design import DSH
from model.log import END_SEED, Event, constructed

ATTEMPTS = 3
"""How often a log that somebody is writing to is read again."""


@dataclass(slots=True)
class Reading:
    """One pass over a log, up to where DSH would give up (STG-5, STG-6).

    `fault` is what keeps the whole log from being loaded before any event is looked at; `upto` ends
    the pass behind so many whole lines.
    """

    stored: Stored
    path: Path
    longest: int
    upto: int | None = None
    head: Head = field(default_factory=lambda: Head(None))
    judge: Judge | None = None
    fault: Finding | None = None
    cut: int = 0
    kept: int = 0
    frame: int | None = None

    def run(self) -> None:
        """Read the log."""
        if self.stored.size > reading.LARGEST_FILE:
            self.fault = Finding("STG-1", "the file is larger than DSH's runtime reads at once")
            return
        match self.stored.encoding:
            case "none":
                self.plain()
            case "zstd":
                self.compressed()
        if self.judge is not None:
            self.look_again(self.judge)

    def look_again(self, judge: Judge) -> None:
        """Compare the results of tools that replace others with those that they replace (STG-8)."""
        if judge.rewritten and Phase.EVENT not in judge.faults:
            lines, pairs = judge.whole_lines, judge.rewritten
            judge.rewrites(rewrite_fault(self.stored, self.longest, judge.begin, lines, pairs))

    def plain(self) -> None:
        """Read a plain log (STG-5)."""
        lines = Lines(self.longest)
        for chunk in reading.chunks(self.stored):
            if self.take(lines.feed(chunk)):
                return
        if self.judge is None and not self.head.faults:
            self.fault = Finding("STG-2", "there is no whole header line", Spot(1, 0))
        elif self.judge is not None:
            self.cut = self.stored.size - self.judge.committed

    def here(self, frame: int) -> Spot:
        """Where reading has come to, in a frame."""
        return (
            Spot(1, 0, frame=frame)
            if self.judge is None
            else replace(self.judge.spot(), frame=frame)
        )

    def take(self, lines: list[bytes]) -> bool:
        """Take whole lines, the first of all as the header; whether to stop."""
        if lines and self.judge is None:
            first = lines.pop(0)
            self.head = head_of(first)
            if self.head.origin is None or any(
                phase == Phase.HEADER_LINE for phase, _ in self.head.faults
            ):
                return True
            self.judge = Judge(self.head.origin.id, len(first) + 1)
        if self.judge is None:
            return False
        if self.upto is not None and self.judge.line + len(lines) >= self.upto:
            self.judge.take(lines[: self.upto - self.judge.line])
            return True
        self.judge.frame = self.frame
        self.judge.take(lines)
        return self.judge.refused

    def compressed(self) -> None:
        """Read a compressed log: the header's frame, whole ones, and perhaps a torn one (STG-6)."""
        lines = Lines(self.longest)
        torn: Frame | None = None
        try:
            for frame in frames.frames(self.stored):
                self.frame = frame.start
                if frame.torn:
                    torn = frame
                elif self.whole_frame(frame, lines):
                    return
        except DamagedError as error:
            self.fault = Finding("STG-6", str(error), self.here(error.at))
            return
        if self.judge is None:
            self.fault = Finding("STG-6", "there is no whole frame with a header", Spot(1, 0))
            return
        if self.judge.broken is not None or lines.rest:
            at = self.judge.spot()
            self.fault = Finding("STG-6", "a whole frame ends within a line", at)
        elif torn is not None:
            self.torn_frame(torn, lines)

    def whole_frame(self, frame: Frame, lines: Lines) -> bool:
        """Take a whole frame; whether to stop."""
        if self.judge is None:
            return self.header_frame(frame)
        for piece in frames.text(self.stored, frame):
            if self.take(lines.feed(piece)) or self.judge.broken is not None:
                self.fault = None if self.judge.broken is None else self.judge.broken.finding
                return True
        return False

    def header_frame(self, frame: Frame) -> bool:
        """Take the first frame, which holds one line; whether to stop (STG-6)."""
        lines = Lines(self.longest)
        first: list[bytes] = []
        for piece in frames.text(self.stored, frame):
            first.extend(lines.feed(piece))
            if len(first) > 1:
                break
        if len(first) != 1 or lines.rest:
            at = Spot(1, 0, frame=frame.start)
            self.fault = Finding("STG-6", "the first frame is not one header line", at)
            return True
        return self.take(first)

    def torn_frame(self, frame: Frame, lines: Lines) -> None:
        """Take the whole lines that a torn frame still holds, if it can be decompressed (STG-6)."""
        judge = self.judge
        if judge is None:
            return
        self.cut = self.stored.size - frame.start
        before = judge.length
        if whole_so_far(self.stored, frame):
            for piece in frames.text(self.stored, frame):
                if self.take(lines.feed(piece)):
                    break
        self.kept = judge.length - before


def first_fault(read: Reading) -> tuple[Phase, Finding] | None:
    """Why a log is refused: of all that is wrong, what DSH looks for first."""
    found = dict(read.head.faults)
    judge = read.judge
    if Phase.HEADER_LINE not in found and judge is not None and read.head.origin is not None:
        place = place_fault(read.path, read.head.origin)
        if place is not None:
            found.setdefault(Phase.PLACE, place)
        found |= {phase: fault for phase, fault in judge.faults.items() if phase not in found}
        closing = judge.closing_fault()
        if closing is not None:
            found[Phase.CLOSED] = closing
    if read.fault is not None:
        found.setdefault(Phase.COMMITTED, read.fault)
    elif judge is not None and judge.refused and judge.broken is not None:
        found.setdefault(Phase.COMMITTED, judge.broken.finding)
    return min(found.items()) if found else None


def check(path: Path, longest: int = reading.LONGEST_LINE) -> Verdict:
    """What DSH would do with one stored log, and why."""
    for _ in range(ATTEMPTS):
        try:
            with reading.opened(path) as stored:
                verdict = checked(stored, path, longest)
                if not stored.changed():
                    return verdict
        except UnreadableError as error:
            return unreadable(path, error)
    note = Finding("", "somebody is writing to the file; this is what it was when it was read")
    return replace(verdict, notes=(*verdict.notes, note))


def unreadable(path: Path, error: UnreadableError) -> Verdict:
    """The verdict on a file that cannot be judged."""
    cause: Cause = "io" if error.io else "too-large"
    diagnosis = Diagnosis(cause, (str(error),), ADVICE[cause])
    return Verdict(str(path), "unreadable", Finding("", str(error)), diagnosis)


def checked(stored: Stored, path: Path, longest: int) -> Verdict:
    """The verdict on an open log."""
    read = Reading(stored, path, longest)
    read.run()
    judge = read.judge
    found = first_fault(read)
    finding = None if found is None else found[1]
    verdict = Verdict(
        str(path), "loads", origin=read.head.origin, size=stored.size, finding=finding
    )
    if found is not None:
        verdict = replace(verdict, outcome="refused", diagnosis=diagnosed(judge, *found))
    if judge is None:
        return verdict
    verdict = replace(
        verdict,
        events=judge.length,
        lines=judge.line,
        markers=tuple(judge.markers),
        closers=tuple(judge.ends),
        tail=None if judge.broken is None else judge.broken.finding,
    )
    if finding is not None:
        return replace(verdict, prefix=longest_prefix(read, finding))
    adds = added(judge)
    return replace(verdict, adds=adds, cut=read.cut, kept=read.kept)


def added(judge: Judge) -> tuple[str, ...]:
    """The types of the events that loading appends: closers by RES-4, a marker by SEED-2."""
    closers = judge.closers()
    last = Event(judge.length - 1, judge.last) if judge.length else None
    log = closers or (() if last is None else (last,))
    marked = len(constructed(log, DSH)) > len(log)
    return (*(event.type for event in closers), *((END_SEED,) if marked else ()))


def longest_prefix(read: Reading, finding: Finding) -> Prefix | None:
    """The longest beginning of a refused log that would load, checked by loading it."""
    judge = read.judge
    if judge is None or finding.clause.startswith("HDR") or finding.clause == "STG-3":
        return None
    upto = judge.whole_lines if judge.earliest is None else judge.earliest
    while upto >= 1:
        again = Reading(read.stored, read.path, read.longest, upto=upto)
        again.run()
        found = again.judge
        if found is None:
            return None
        if not found.faults and found.closing_fault() is None:
            return Prefix(found.whole_lines, found.committed, found.length)
        upto = min(upto - 1, found.turn_line, found.earliest or upto)
    return None
