"""Alternatives to how sessions are made, logged and kept (HDR, LOG, SEED, STO)."""

from dataclasses import replace

from invariants.alternative import Alternative, of_sessions, unchecked
from model.design import DSH, CollectionDesign

HEADERS = (
    Alternative(
        "header-without-lineage",
        "HDR-1",
        "a header drops the parent session and the seed length",
        replace(DSH, header_fields="without-lineage"),
    ),
    unchecked("HDR-2", "a header of any version is accepted"),
    unchecked("HDR-3", "a header with another session's id is accepted"),
    unchecked("HDR-4", "any createdAt is accepted"),
    unchecked("HDR-5", "a relative cwd is accepted"),
    unchecked("HDR-6", "the other header scalars are accepted unchecked"),
    Alternative(
        "header-shared-with-caller",
        "HDR-7",
        "a header can still be written to through the caller's metadata or the object shown",
        replace(DSH, header_storage="callers-object"),
    ),
    Alternative(
        "header-follows-events",
        "HDR-8",
        "an event that selects a preset changes the header",
        replace(DSH, header_change="by-event"),
    ),
    Alternative(
        "header-keeps-every-key",
        "HDR-9",
        "unknown metadata keys end up in the header",
        replace(DSH, header_on_create="every-key"),
    ),
    unchecked("HDR-10", "a header with a value that JSON cannot carry is accepted"),
)

LOGS = (
    Alternative("seq-from-one", "LOG-1", "seqs count from 1", replace(DSH, seq="from-one")),
    unchecked("LOG-1", "a seed with a gap in its seqs is accepted"),
    Alternative(
        "log-shared-with-caller",
        "LOG-2",
        "logged events can still be written to from outside",
        replace(DSH, log_storage="callers-object"),
    ),
    unchecked("LOG-3", "event data that JSON cannot carry is accepted"),
    Alternative(
        "event-failure-undoes-append",
        "LOG-4",
        "a session/event listener that throws undoes the append",
        replace(DSH, event_failure="undoes-append"),
    ),
    Alternative(
        "event-failure-starves",
        "LOG-4",
        "a session/event listener that throws keeps later listeners from the event",
        replace(DSH, event_failure="stops-dispatch"),
    ),
    Alternative(
        "event-seen-before-commit",
        "LOG-4",
        "session/event is dispatched before the event is in the log",
        replace(DSH, append_seen="before-commit"),
    ),
    Alternative(
        "append-nests",
        "LOG-5",
        "an append inside the dispatch of an append of the same session is accepted",
        replace(DSH, append_in_append="nested"),
    ),
    Alternative(
        "detached-append-seen",
        "LOG-6",
        "an append on a session that is not live is dispatched",
        replace(DSH, detached_append="seen"),
    ),
    Alternative(
        "detached-append-refused",
        "LOG-6",
        "an append on a session that is not live is refused",
        replace(DSH, detached_append="refused"),
    ),
)

SEEDS = (
    unchecked("SEED-1", "a seed event with a wrong envelope is accepted"),
    Alternative("marker-never", "SEED-2", "no marker ends a seed", replace(DSH, marker="never")),
    Alternative(
        "first-live-is-marker",
        "SEED-3",
        "firstLiveSeq is the seq of the marker",
        replace(DSH, first_live_seq="marker-seq"),
    ),
    Alternative(
        "marker-seen",
        "SEED-4",
        "the marker is dispatched as session/event when its session is entered",
        replace(DSH, marker_seen="on-enter"),
    ),
    Alternative(
        "marker-always",
        "SEED-5",
        "every construction from a seed adds a marker, also behind a marker",
        replace(DSH, marker="always"),
    ),
    Alternative(
        "marker-without-seed",
        "SEED-6",
        "a session without a seed gets a marker",
        replace(DSH, marker="even-unseeded"),
    ),
    Alternative(
        "marker-once-ever",
        "SEED-8",
        "a log that holds a marker anywhere gets no second one",
        replace(DSH, marker="unless-anywhere"),
    ),
)

STORES = (
    Alternative(
        "prepare-takes-live-id",
        "STO-1",
        "prepare accepts an id that is live",
        replace(DSH, prepare_checks="nothing"),
    ),
    of_sessions(
        "prepare-reserves",
        "STO-1",
        "prepare reserves its id",
        CollectionDesign(collision="at-prepare"),
    ),
    of_sessions(
        "last-enter-wins",
        "STO-2",
        "entering a session evicts the live one with its id",
        CollectionDesign(collision="last-wins"),
    ),
    of_sessions(
        "attached-twice",
        "STO-3",
        "a session can be entered while it is entered",
        CollectionDesign(attachment="any-number"),
    ),
    of_sessions(
        "announced-twice",
        "STO-4",
        "a session can be announced again",
        CollectionDesign(announce_again="repeated"),
    ),
    of_sessions(
        "announced-after-dispatch",
        "STO-5",
        "a session counts as announced only once every created listener has returned",
        CollectionDesign(announced="after-dispatch"),
    ),
    of_sessions(
        "created-veto-contained",
        "STO-5",
        "a session/created listener's failure is swallowed",
        CollectionDesign(created_veto="contained"),
    ),
    of_sessions(
        "late-rejection-vetoes",
        "STO-5",
        "a session/created listener's late rejection vetoes",
        CollectionDesign(late_rejection="vetoes"),
    ),
    Alternative(
        "listeners-newest-first",
        "STO-5",
        "listeners run newest first",
        replace(DSH, dispatch_order="newest-first"),
    ),
    of_sessions(
        "stale-detach-by-id",
        "STO-6",
        "a detach removes whatever session has its id",
        CollectionDesign(detach_removes="whoever-has-the-id"),
    ),
    of_sessions(
        "detach-at-once",
        "STO-7",
        "a detach takes effect in the middle of the entry's own dispatch",
        CollectionDesign(detach_in_dispatch="immediate"),
    ),
    of_sessions(
        "disposal-always-seen",
        "STO-8",
        "session/disposed is seen for entries that were never announced",
        CollectionDesign(disposal_seen="always"),
    ),
    of_sessions(
        "disposal-never-seen",
        "STO-8",
        "session/disposed is not seen",
        CollectionDesign(disposal_seen="never"),
    ),
    of_sessions(
        "disposed-failure-starves",
        "STO-8",
        "a session/disposed listener that throws keeps later listeners from it",
        CollectionDesign(disposed_failure="stops-dispatch"),
    ),
    Alternative(
        "announce-before-detach-recorded",
        "STO-9",
        "create announces before its detach is recorded, so that a veto leaks the entry",
        replace(DSH, create_records_detach="after-announce"),
    ),
    Alternative(
        "mint-takes-live-id", "STO-10", "a minted id may be live", replace(DSH, mint="counts")
    ),
    of_sessions(
        "sessions-newest-first",
        "STO-11",
        "sessions are listed newest first",
        CollectionDesign(listing="newest-first"),
    ),
    Alternative(
        "flush-fails-early",
        "STO-12",
        "a flush reports a failure before every listener has settled",
        replace(DSH, flush="first-failure"),
    ),
)
