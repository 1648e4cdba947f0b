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
MarkerRule = Literal["unless-last", "always", "never", "unless-anywhere"]


@dataclass(frozen=True, slots=True)
class Design:
    """One choice per design decision; the first literal of each type is DSH's."""

    publish: tuple[PublishStep, ...] = (
        "commit",
        "enter-session",
        "enter-agent",
        "announce-session",
        "check-live",
        "announce-agent",
        "check-live",
        "session-start",
        "check-live",
    )
    """The order in which a transaction becomes visible (TXN-1, TXN-4, TXN-6)."""

    teardown: tuple[TeardownStep, ...] = (
        "stop-machine",
        "unwind-scope",
        "detach-agent",
        "detach-session",
        "settle",
    )
    """The order in which a transaction is taken back (RBK-2, RBK-4)."""

    teardown_again: Literal["same-teardown", "runs-again"] = "same-teardown"
    """What a second dispose of one agent awaits (RBK-3)."""

    busy: Literal["waits-until-idle", "torn-down-at-once"] = "waits-until-idle"
    """Whether teardown waits for an agent at work (RBK-8)."""

    create_records_detach: Literal["before-announce", "after-announce"] = "before-announce"
    """When store creation makes the detach part of its effect (STO-9)."""

    collision: Literal["at-enter", "at-prepare"] = "at-enter"
    """Where two prepared sessions with one id are told apart (STO-2)."""

    attachment: Literal["once", "any-number"] = "once"
    """Whether one session object may be attached while it is attached (STO-3)."""

    announced: Literal["before-dispatch", "after-dispatch"] = "before-dispatch"
    """When an entry counts as announced (STO-5, REG-5)."""

    announce_again: Literal["refused", "repeated"] = "refused"
    """What a second announcement of one entry does (STO-4, REG-4)."""

    created_veto: Literal["propagates", "contained"] = "propagates"
    """What becomes of a created listener's synchronous failure (STO-5)."""

    late_rejection: Literal["ignored", "vetoes"] = "ignored"
    """What becomes of a created listener's asynchronous failure (STO-5)."""

    detach_in_dispatch: Literal["deferred", "immediate"] = "deferred"
    """When a detach asked for during the entry's own dispatch happens (STO-7, REG-7)."""

    detach_removes: Literal["its-entry", "whoever-has-the-id"] = "its-entry"
    """What a detach takes out of its collection (STO-6, REG-6)."""

    disposal_seen: Literal["when-announced", "always", "never"] = "when-announced"
    """For which entries a disposal is dispatched (STO-8, REG-8)."""

    disposed_failure: Literal["contained", "stops-dispatch"] = "contained"
    """What a disposed listener's failure does to later listeners (STO-8)."""

    event_failure: Literal["contained", "stops-dispatch", "undoes-append"] = "contained"
    """What a `session/event` listener's failure does (LOG-4)."""

    append_in_append: Literal["refused", "nested"] = "refused"
    """What an append does while an append of the same live session is dispatched (LOG-5)."""

    append_seen: Literal["after-commit", "before-commit"] = "after-commit"
    """Whether the log already holds the event that listeners are shown (LOG-4)."""

    detached_append: Literal["unseen", "seen", "refused"] = "unseen"
    """What an append on a session that is not live does (LOG-6)."""

    data: Literal["validated", "trusted"] = "validated"
    """Whether event data must be lossless JSON (LOG-3)."""

    seed: Literal["validated", "trusted"] = "validated"
    """Whether a seed is held to the standard of appends (SEED-1)."""

    marker: MarkerRule = "unless-last"
    """When construction appends the end-of-seed marker (SEED-2, SEED-5)."""

    first_live_seq: Literal["seed-length", "marker-seq"] = "seed-length"
    """What `firstLiveSeq` records (SEED-3)."""

    header: Literal["validated", "trusted"] = "validated"
    """Whether header fields are checked (HDR-2 to 6)."""

    header_on_create: Literal["known-keys", "every-key"] = "known-keys"
    """Which metadata keys reach a created header (HDR-9)."""

    header_storage: Literal["own-frozen-copy", "callers-object"] = "own-frozen-copy"
    """Whether a caller can still reach the header's values (HDR-7)."""

    log_storage: Literal["own-frozen-copy", "callers-object"] = "own-frozen-copy"
    """Whether a caller can still reach the values of logged events (LOG-2)."""

    mint: Literal["skips-live", "counts"] = "skips-live"
    """Whether a minted id may be one that is live (STO-10)."""

    agent_identity: Literal["equals-session", "free"] = "equals-session"
    """Whether an agent's id must be its session's (REG-1)."""

    start_failure: Literal["contained", "vetoes"] = "contained"
    """What an `agent/session-start` listener's failure does (TXN-7)."""

    setup_failure: Literal["rolls-back", "ignored"] = "rolls-back"
    """What a failed setup does (RBK-1)."""

    rollback: Literal["tears-down", "leaves-entries"] = "tears-down"
    """What a failed publication does with what it had entered (RBK-1)."""

    prepared: Literal["invisible", "entered"] = "invisible"
    """Whether a transaction is visible before it is published (TXN-2)."""

    configured_rollback: Literal["after-return", "before-return"] = "after-return"
    """When a failed synchronous creation is taken back (TXN-11)."""

    release: Literal["once", "every-time", "never"] = "once"
    """How often disposing a preparation releases it (RBK-6)."""

    flush: Literal["all-settle", "first-failure"] = "all-settle"
    """When a flush reports a failure (STO-12)."""

    scope_listeners: Literal["removed", "kept"] = "removed"
    """What becomes of a scope's listeners when it is unwound (RBK-1)."""


DSH = Design()
"""DSH 0.1.0-rc.8 as it runs."""
