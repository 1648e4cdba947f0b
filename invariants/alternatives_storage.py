"""Alternatives to what is stored, and to how it is resumed (RES)."""

from dataclasses import replace

from invariants.alternative import Alternative
from model.design import DSH

RESUMES = (
    Alternative(
        "resume-of-unknown-events",
        "RES-1",
        "a log with events of a type that nobody knows is resumed",
        replace(DSH, unknown_events="accepted"),
    ),
    Alternative(
        "resume-of-newer-format",
        "RES-1",
        "a log of another format version is resumed",
        replace(DSH, other_versions="accepted"),
    ),
    Alternative(
        "resume-makes-header-anew",
        "RES-2",
        "a resumed session has a header of its own",
        replace(DSH, restored_header="made-anew"),
    ),
    Alternative(
        "resume-always-marks",
        "RES-3",
        "every resume leaves a marker",
        replace(DSH, restored_marker="always"),
    ),
    Alternative(
        "resume-forgets-own-work",
        "RES-3",
        "a session comes back without what was appended behind its last marker",
        replace(DSH, restored_log="up-to-boundary"),
    ),
    Alternative(
        "gates-outlive-process",
        "RES-3",
        "what waits in the next process does not wait where the last one had gone on",
        replace(DSH, ended_process="gates-stay-open"),
    ),
    Alternative(
        "resume-closes-each-time",
        "RES-4",
        "a turn that was interrupted is closed again by every resume",
        replace(DSH, interrupted_turn="closed-each-time"),
    ),
    Alternative(
        "resume-leaves-turns-open",
        "RES-4",
        "an interrupted turn is not closed",
        replace(DSH, interrupted_turn="left-open"),
    ),
    Alternative(
        "resume-shares-reservation",
        "RES-5",
        "a second resume gets the session that the first has reserved",
        replace(DSH, reservation="shared"),
    ),
    Alternative(
        "resume-publishes-late-load",
        "RES-6",
        "a load that arrives after its resume was given up is published",
        replace(DSH, late_load="published"),
    ),
    Alternative(
        "resume-of-live-session",
        "RES-7",
        "a session that is live is loaded once more",
        replace(DSH, resume_of_live="loaded"),
    ),
    Alternative(
        "storing-forgets-marker",
        "RES-8",
        "what a resumed session has beyond its stored log is not stored when it is published",
        replace(DSH, publication_stores="nothing"),
    ),
    Alternative(
        "storing-overwrites",
        "RES-8",
        "a session of a stored id takes the place of the stored one",
        replace(DSH, stored_otherwise="overwritten"),
    ),
)
