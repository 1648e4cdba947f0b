"""The design decisions of DSH as data: one field per decision, `DSH` the pinned choice.

An *alternative* is another value of `Design`: the same operations with one decision taken
otherwise. The publish and teardown programs are tuples of named micro-steps that
`model.transaction` and `model.teardown` interpret.
"""

from dataclasses import dataclass
from typing import Literal

PublishStep = Literal[
    "commit",
    "enter-session",
    "enter-agent",
    "announce-session",
    "announce-agent",
    "session-start",
    "check-live",
]
TeardownStep = Literal[
    "stop-machine",
    "unwind-scope",
    "detach-agent",
    "detach-session",
    "settle",
]
MarkerRule = Literal["unless-last", "always", "never", "unless-anywhere", "even-unseeded"]


@dataclass(frozen=True, slots=True)
class CollectionDesign:
    """The decisions that the session store and the agent registry take alike (STO, REG)."""

    collision: Literal["at-enter", "at-prepare", "last-wins"] = "at-enter"
    """Where two objects with one id are told apart, and who wins (STO-2, REG-2)."""

    attachment: Literal["once", "any-number"] = "once"
    """Whether one object may be entered while it is entered (STO-3, REG-3)."""

    announce_again: Literal["refused", "repeated"] = "refused"
    """What a second announcement of one entry does (STO-4, REG-4)."""

    announced: Literal["before-dispatch", "after-dispatch"] = "before-dispatch"
    """When an entry counts as announced (STO-5, REG-5)."""

    created_veto: Literal["propagates", "contained"] = "propagates"
    """What becomes of a created listener's synchronous failure (STO-5, REG-5)."""

    late_rejection: Literal["ignored", "vetoes"] = "ignored"
    """What becomes of a created listener's asynchronous failure (STO-5, REG-5)."""

    detach_removes: Literal["its-entry", "whoever-has-the-id"] = "its-entry"
    """What a detach takes out of its collection (STO-6, REG-6)."""

    detach_in_dispatch: Literal["deferred", "immediate"] = "deferred"
    """When a detach asked for during the entry's own dispatch happens (STO-7, REG-7)."""

    disposal_seen: Literal["when-announced", "always", "never"] = "when-announced"
    """For which entries a disposal is dispatched (STO-8, REG-8)."""

    disposed_failure: Literal["contained", "stops-dispatch"] = "contained"
    """What a disposed listener's failure does to later listeners (STO-8, REG-8)."""

    listing: Literal["entry-order", "newest-first"] = "entry-order"
    """In which order the collection lists what is live (STO-11, REG-9)."""


@dataclass(frozen=True, slots=True)
class Design:
    """One choice per design decision; the default of each field is DSH's."""

    sessions: CollectionDesign = CollectionDesign()
    """The session store (STO-2 to 8, STO-11)."""

    agents: CollectionDesign = CollectionDesign()
    """The agent registry (REG-2 to 9)."""

    publish: tuple[PublishStep, ...] = (
        "commit",
        "check-live",
        "enter-session",
        "enter-agent",
        "announce-session",
        "check-live",
        "announce-agent",
        "check-live",
        "session-start",
        "check-live",
    )
    """The order in which a transaction becomes visible (TXN-1, TXN-3 to 6)."""

    teardown: tuple[TeardownStep, ...] = (
        "stop-machine",
        "unwind-scope",
        "detach-agent",
        "detach-session",
        "settle",
    )
    """The order in which a transaction is taken back (RBK-2, RBK-4)."""

    unchecked: frozenset[str] = frozenset()
    """The clauses whose validation is left out (HDR-2 to 6, HDR-10, LOG-1, LOG-3, SEED-1)."""

    header_fields: Literal["all", "without-lineage"] = "all"
    """Which of the header's fields are kept (HDR-1)."""

    header_on_create: Literal["known-keys", "every-key"] = "known-keys"
    """Which metadata keys reach a created header (HDR-9)."""

    header_storage: Literal["own-frozen-copy", "callers-object"] = "own-frozen-copy"
    """Whether a caller can still reach the header's values (HDR-7)."""

    header_change: Literal["never", "by-event"] = "never"
    """Whether a preset that an event selects changes the header (HDR-8)."""

    seq: Literal["index", "from-one"] = "index"
    """What an event's seq counts (LOG-1)."""

    log_storage: Literal["own-frozen-copy", "callers-object"] = "own-frozen-copy"
    """Whether a caller can still reach the values of logged events (LOG-2)."""

    event_failure: Literal["contained", "stops-dispatch", "undoes-append"] = "contained"
    """What a `session/event` listener's failure does (LOG-4)."""

    append_seen: Literal["after-commit", "before-commit"] = "after-commit"
    """Whether the log already holds the event that listeners are shown (LOG-4)."""

    append_in_append: Literal["refused", "nested"] = "refused"
    """What an append does while an append of the same live session is dispatched (LOG-5)."""

    detached_append: Literal["unseen", "seen", "refused"] = "unseen"
    """What an append on a session that is not live does (LOG-6)."""

    marker: MarkerRule = "unless-last"
    """When construction appends the end-of-seed marker (SEED-2, SEED-5, SEED-6, SEED-8)."""

    first_live_seq: Literal["seed-length", "marker-seq"] = "seed-length"
    """What `firstLiveSeq` records (SEED-3)."""

    marker_seen: Literal["never", "on-enter"] = "never"
    """Whether listeners are shown the marker when its session is entered (SEED-4)."""

    prepare_checks: Literal["live-id", "nothing"] = "live-id"
    """Whether the store refuses to prepare an id that is live (STO-1)."""

    dispatch_order: Literal["registration", "newest-first"] = "registration"
    """In which order listeners run (STO-5)."""

    create_records_detach: Literal["before-announce", "after-announce"] = "before-announce"
    """When store creation makes the detach part of its effect (STO-9)."""

    mint: Literal["skips-live", "counts"] = "skips-live"
    """Whether a minted id may be one that is live (STO-10)."""

    flush: Literal["all-settle", "first-failure"] = "all-settle"
    """When a flush reports a failure (STO-12)."""

    agent_identity: Literal["equals-session", "free"] = "equals-session"
    """Whether an agent's id must be its session's (REG-1)."""

    ownership: Literal["creator", "nobody"] = "creator"
    """Whether the registry remembers who created an agent (REG-9)."""

    registry_asks: Literal["nothing", "for-live-session"] = "nothing"
    """Whether the registry itself asks for the agent's session to be live (REG-10)."""

    prepared: Literal["invisible", "entered"] = "invisible"
    """Whether a transaction is visible before it is published (TXN-2)."""

    setup_failure: Literal["rolls-back", "ignored"] = "rolls-back"
    """What a failed setup does (RBK-1)."""

    start_failure: Literal["contained", "vetoes"] = "contained"
    """What an `agent/session-start` listener's failure does (TXN-7)."""

    handle_returned: Literal["after-publication", "before-publication"] = "after-publication"
    """When the caller of a creation gets its handle (TXN-8)."""

    rollback: Literal["tears-down", "leaves-entries", "detaches-by-id", "keeps-id"] = "tears-down"
    """What a failed publication takes back (RBK-1, RBK-5, TXN-10)."""

    configured_rollback: Literal["after-return", "before-return"] = "after-return"
    """When a failed synchronous creation is taken back (TXN-11)."""

    teardown_again: Literal["same-teardown", "runs-again"] = "same-teardown"
    """What a second dispose of one agent awaits (RBK-3)."""

    busy: Literal["waits-until-idle", "torn-down-at-once"] = "waits-until-idle"
    """Whether teardown waits for an agent at work (RBK-8)."""

    release: Literal["once", "every-time", "never"] = "once"
    """How often disposing a preparation releases it (RBK-6)."""

    abort_in_setup: Literal["rejects-at-once", "waits-for-setup"] = "rejects-at-once"
    """When an abort during the setup fails the creation (OWN-2)."""

    abort_after_return: Literal["ignored", "tears-down"] = "ignored"
    """What an abort does once the handle is returned (OWN-1)."""

    owner_disposal: Literal["tears-down", "leaves-agents"] = "tears-down"
    """What becomes of an owner's agents when it is unloaded (OWN-3)."""

    factory_disposal: Literal["tears-down", "leaves-agents"] = "tears-down"
    """What becomes of a factory's agents when it is unloaded (OWN-4)."""

    inactive_owner: Literal["refused", "accepted"] = "refused"
    """Whether something can be made through an owner that is unloaded (OWN-5)."""

    second_factory: Literal["refused", "replaces"] = "refused"
    """What registering a factory does while one is registered (OWN-6)."""

    fork_refusals: Literal["id-first", "source-first"] = "id-first"
    """Which of two reasons to refuse a fork is given (FORK-1)."""

    fork_open_turn: Literal["refused", "accepted"] = "refused"
    """Whether a fork may end inside an open turn (FORK-1)."""

    fork_boundary: Literal["inclusive", "exclusive"] = "inclusive"
    """Whether a child inherits the event at the boundary (FORK-2)."""

    fork_marker: Literal["as-of-seeds", "always"] = "as-of-seeds"
    """When the child of a fork gets an end-of-seed marker (SEED-2, FORK-2)."""

    fork_source: Literal["unchanged", "marked"] = "unchanged"
    """Whether a fork leaves a marker in its source (FORK-4)."""

    fork_inherits: Literal["cwd", "cwd-preset-depth"] = "cwd"
    """What of the source's header a fork copies beside the lineage (FORK-3)."""

    unknown_events: Literal["refused", "accepted"] = "refused"
    """Whether a log with events of types that nobody knows can be resumed (RES-1)."""

    other_versions: Literal["refused", "accepted"] = "refused"
    """Whether a log of another format version can be resumed (RES-1)."""

    restored_header: Literal["as-stored", "made-anew"] = "as-stored"
    """Where the header of a resumed session comes from (RES-2)."""

    restored_marker: Literal["as-of-seeds", "always"] = "as-of-seeds"
    """When a loaded session gets an end-of-seed marker (RES-3)."""

    restored_log: Literal["whole", "up-to-boundary"] = "whole"
    """How much of a stored log a resumed session begins with (RES-3)."""

    ended_process: Literal["forgotten", "gates-stay-open"] = "forgotten"
    """What of a process outlives it, beside what is stored (RES-3)."""

    interrupted_turn: Literal["closed", "left-open", "closed-each-time"] = "closed"
    """What becomes of the turn within which a loaded log ends (RES-4)."""

    reservation: Literal["exclusive", "shared"] = "exclusive"
    """Whether a second resume waits for the first (RES-5)."""

    late_load: Literal["given-back", "published"] = "given-back"
    """What becomes of a load that arrives when nobody waits for it (RES-6)."""

    resume_of_live: Literal["refused", "loaded"] = "refused"
    """Whether an id that is live can be loaded (RES-7)."""

    publication_stores: Literal["what-is-missing", "nothing"] = "what-is-missing"
    """What of a resumed session is stored when it is published (RES-8)."""

    stored_otherwise: Literal["left-alone", "overwritten"] = "left-alone"
    """What becomes of a stored log when another session of its id is stored (RES-8)."""

    launcher_identity: Literal["replaces-both", "joins"] = "replaces-both"
    """What a launcher's identity does to those of the configuration (IDN-1)."""

    unnamed_identity: Literal["kept", "dropped"] = "kept"
    """What becomes of the identity of an agent that the launcher does not name (IDN-2)."""

    identity_twice: Literal["refused", "resume-wins"] = "refused"
    """What an exact id does beside one to be resumed (IDN-3)."""

    identity_shared: Literal["refused", "accepted"] = "refused"
    """Whether two configured agents may have one exact id (IDN-4)."""

    fresh_identity: Literal["made-up", "label"] = "made-up"
    """What the session of an agent without an identity is called (IDN-5)."""

    launcher_applied: Literal["over-overlays", "under-overlays"] = "over-overlays"
    """Whether a row that is replaced keeps what the launcher gave it (IDN-6)."""

    live_identity: Literal["waited-for", "refused"] = "waited-for"
    """What a start does whose id is still live (IDN-7)."""

    unreadable_identity: Literal["loud", "created-anew"] = "loud"
    """What a start does whose session is stored and cannot be loaded (IDN-7)."""

    scope_listeners: Literal["removed", "kept"] = "removed"
    """What becomes of a scope's listeners when it is unwound (RBK-1)."""


DSH = Design()
"""DSH 0.1.0-rc.8 as it runs."""

ARTICLE = Design(
    teardown=("detach-agent", "detach-session", "stop-machine", "unwind-scope", "settle"),
    first_live_seq="marker-seq",
    configured_rollback="before-return",
    start_failure="vetoes",
    registry_asks="for-live-session",
    fork_marker="always",
)
"""DSH as the article narrates it, where it decides otherwise: see `spec/divergences.md`."""
