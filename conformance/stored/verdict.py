"""What there is to say of one stored log."""

from dataclasses import dataclass, field
from typing import Literal

Outcome = Literal["loads", "refused", "unreadable"]

Cause = Literal[
    "two-writers",
    "stale-writer",
    "closers-under-live-owner",
    "restart-at-small-seq",
    "lines-lost",
    "damaged-line",
    "damaged-frame",
    "plugin-event",
    "importer",
    "newer-harness",
    "former-vocabulary",
    "misplaced",
    "not-a-log",
    "io",
    "too-large",
    "being-written",
]
"""What has most likely happened to a log that is not loaded."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a log: a line, counted from 1, its first byte, and the seq that stands there.

    In a compressed log `offset` counts the bytes of the text, and `frame` is where in the file the
    frame begins.
    """

    line: int
    offset: int
    seq: int | None = None
    frame: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a log, by the clause that says so."""

    clause: str
    why: str
    at: Spot | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """What the header says of a session."""

    id: str
    cwd: str | None = None
    parent: str | None = None
    seed_length: int | None = None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What has most likely happened, why one can think so, and what a person can safely do."""

    cause: Cause
    evidence: tuple[str, ...]
    advice: str


@dataclass(frozen=True, slots=True)
class Prefix:
    """The longest beginning that would load: so many whole lines, their bytes and their events."""

    lines: int
    bytes: int
    events: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What DSH would do with a stored log, and why.

    `adds` are the types of the events that loading appends, `cut` the bytes of tail that it drops,
    `kept` the events that it saves from a torn frame. `markers` are seqs, `closers` the first and
    the last seq of what closed an interrupted turn; of very many of them the last.
    """

    path: str
    outcome: Outcome
    finding: Finding | None = None
    diagnosis: Diagnosis | None = None
    prefix: Prefix | None = None
    origin: Origin | None = None
    events: int = 0
    lines: int = 0
    size: int = 0
    adds: tuple[str, ...] = ()
    cut: int = 0
    kept: int = 0
    markers: tuple[int, ...] = ()
    closers: tuple[tuple[int, int], ...] = ()
    tail: Finding | None = None
    notes: tuple[Finding, ...] = field(default=())

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses by which loading changes a log."""
        by = [
            (bool(self.cut), "STG-6" if self.path.endswith(".zstd") else "STG-5"),
            (any(kind != "session/end-seed" for kind in self.adds), "RES-4"),
            ("session/end-seed" in self.adds, "SEED-2"),
        ]
        return tuple(clause for holds, clause in by if holds)

    @property
    def manner(self) -> str:
        """How a log loads: as it is, or with what is done to it."""
        ways = [
            (bool(self.cut), "with its torn tail cut"),
            (any(kind != "session/end-seed" for kind in self.adds), "with its open turn closed"),
            ("session/end-seed" in self.adds, "with a marker added"),
        ]
        return ", ".join(text for holds, text in ways if holds) or "as it is"
