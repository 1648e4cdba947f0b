"""What has most likely happened to a log that is not loaded, and what a person can safely do.

A diagnosis is a guess, and says what it rests on; the verdict does not depend on it.
"""

from itertools import pairwise

from conformance.stored.facts import Phase
from conformance.stored.held import Break
from conformance.stored.judge import Judge
from conformance.stored.verdict import Cause, Diagnosis, Finding
from model.values import Integer

COPY = "Keep a copy of the file before anything else."
CUT = (
    f"{COPY} The whole lines before that place load by themselves; what is behind it can only be "
    "read by eye. Close every process that uses this session first."
)
ONE_OWNER = f"{CUT} Let only one process at a time open a session."

MANY = 10
"""Among so many events a single odd one stands out."""

JUST_CLOSED = 2
"""Behind its closers a log that was resumed has a marker, and nothing else yet."""

ADVICE: dict[Cause, str] = {
    "two-writers": ONE_OWNER,
    "stale-writer": ONE_OWNER,
    "closers-under-live-owner": ONE_OWNER,
    "restart-at-small-seq": f"{CUT} Begin a new session under another id for what was begun anew.",
    "lines-lost": f"{CUT} Look for the missing events in a backup; do not number others for them.",
    "damaged-line": f"{CUT} A backup of the file may still have the line.",
    "damaged-frame": f"{COPY} Whole frames before that place can be decompressed by themselves.",
    "plugin-event": (
        "Nothing is damaged. Open the session with the build that wrote the event, or have the "
        "plugin mark its events `ignorable` from now on; a copy in which this event is marked so "
        "will load."
    ),
    "importer": (
        f"{COPY} Write the log again with the tool that made it, in the form that the clause asks "
        "for."
    ),
    "newer-harness": "Nothing is damaged. Open the session with the newer DSH that wrote it.",
    "former-vocabulary": "Nothing is damaged. Open the session with the older DSH that wrote it.",
    "misplaced": "Move the file back to the folder that its header names; do not edit the header.",
    "not-a-log": "Leave the file alone: it is no session log, or its beginning is lost.",
    "io": "Make the file readable, and check it again.",
    "too-large": "Check it with a higher limit, if there is memory for it.",
    "being-written": "Check it again when nobody writes to it.",
}


def diagnosed(judge: Judge | None, phase: Phase, finding: Finding) -> Diagnosis:
    """What has most likely happened, from what was found first and what stands around it."""
    cause, evidence = _cause(judge, phase, finding)
    return Diagnosis(cause, evidence, ADVICE[cause])


def _cause(judge: Judge | None, phase: Phase, finding: Finding) -> tuple[Cause, tuple[str, ...]]:
    match phase:
        case Phase.HEADER_LINE:
            newer = finding.clause == "HDR-2"
            return ("newer-harness" if newer else "not-a-log"), (finding.why,)
        case Phase.PLACE:
            return "misplaced", (finding.why,)
        case Phase.FORMER:
            return "former-vocabulary", (finding.why,)
        case Phase.UNKNOWN:
            return "plugin-event", (finding.why, "every type of DSH's own is known to this version")
        case Phase.COMMITTED:
            if judge is None or judge.broken is None:
                return "damaged-frame", (finding.why,)
            return _broken(judge, judge.broken)
        case Phase.FORM | Phase.FOLLOWED | Phase.HEADER | Phase.EVENT | Phase.CLOSED:
            return _malformed(judge, finding)


def _malformed(judge: Judge | None, finding: Finding) -> tuple[Cause, tuple[str, ...]]:
    """Who wrote what DSH never writes: one odd event among many may be a changed byte."""
    evidence = (finding.why, "DSH itself writes no such thing")
    if judge is None or judge.faulty != 1 or judge.length < MANY:
        return "importer", evidence
    return "importer", (*evidence, "all other events are well made: a byte may have been changed")


def _broken(judge: Judge, at: Break) -> tuple[Cause, tuple[str, ...]]:
    """Why a log does not go on: what its numbers and times say."""
    behind = _behind(judge)
    if at.got is None:
        return "damaged-line", (at.finding.why, *behind)
    if at.got > at.expected:
        lost = at.got - at.expected
        return "lines-lost", (f"{lost} seqs are missing before {at.got}", *behind)
    again = f"seq {at.got} is there twice"
    if at.got == 0:
        return "restart-at-small-seq", (again, "counting begins anew at 0", *behind)
    ended = next(((first, end) for first, end in judge.ends if first <= at.got <= end + 1), None)
    if ended is not None and at.expected - ended[1] <= JUST_CLOSED:
        first, end = ended
        closed = f"seqs {first} to {end} closed a turn as interrupted while its owner went on"
        return "closers-under-live-owner", (again, closed, *behind)
    if at.got in judge.markers:
        marker = f"seq {at.got} is the marker that a resume wrote"
        return "stale-writer", (again, marker, *behind)
    if any(at.got <= marker < at.expected for marker in judge.markers):
        passed = "a marker stands in between: the session was resumed there"
        return "stale-writer", (again, passed, *behind)
    small = at.got <= at.expected // 4
    if small:
        return "restart-at-small-seq", (again, f"it goes back from {at.expected} to it", *behind)
    return "two-writers", (again, *behind)


def _behind(judge: Judge) -> tuple[str, ...]:
    """What stands behind the place where a log breaks."""
    seqs = [heard.seq.value for heard in judge.after if isinstance(heard.seq, Integer)]
    if not seqs:
        return ()
    runs = 1 + sum(after != before + 1 for before, after in pairwise(seqs))
    text = f"{len(seqs)} events are behind it, in {runs} run{'s' if runs > 1 else ''} of seqs"
    times = [heard.time for heard in judge.after if heard.time]
    older = [time for time in times if time < judge.time]
    return (text, f"{len(older)} of them are older than the event before it") if older else (text,)
