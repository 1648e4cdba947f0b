"""Alternatives: designs that differ from DSH in one decision, each breaking one clause.

They are what the suite is measured with (every clause has one that it tells from DSH) and what
a disagreement is explained by: an implementation that answers like an alternative has taken
that decision.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from model.design import DSH, CollectionDesign, Design, PublishStep, TeardownStep


@dataclass(frozen=True, slots=True)
class Alternative:
    """One decision taken otherwise.

    `clause` is the clause that it breaks, `says` what an implementation of it does.
    """

    name: str
    clause: str
    says: str
    design: Design


def _sessions(name: str, clause: str, says: str, policy: CollectionDesign) -> Alternative:
    return Alternative(name, clause, says, replace(DSH, sessions=policy))


def _agents(name: str, clause: str, says: str, policy: CollectionDesign) -> Alternative:
    return Alternative(name, clause, says, replace(DSH, agents=policy))


def _publishing(name: str, clause: str, says: str, *steps: PublishStep) -> Alternative:
    return Alternative(name, clause, says, replace(DSH, publish=steps))


def _tearing(name: str, clause: str, says: str, *steps: TeardownStep) -> Alternative:
    return Alternative(name, clause, says, replace(DSH, teardown=steps))


def _unchecked(clause: str, says: str) -> Alternative:
    name = f"unchecked-{clause.lower()}"
    return Alternative(name, clause, says, replace(DSH, unchecked=frozenset((clause,))))


HEADERS = (
    Alternative(
        "header-without-lineage",
        "HDR-1",
        "a header drops the parent session and the seed length",
        replace(DSH, header_fields="without-lineage"),
    ),
    _unchecked("HDR-2", "a header of any version is accepted"),
    _unchecked("HDR-3", "a header with another session's id is accepted"),
    _unchecked("HDR-4", "any createdAt is accepted"),
    _unchecked("HDR-5", "a relative cwd is accepted"),
    _unchecked("HDR-6", "the other header scalars are accepted unchecked"),
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
    _unchecked("HDR-10", "a header with a value that JSON cannot carry is accepted"),
)

LOGS = (
    Alternative("seq-from-one", "LOG-1", "seqs count from 1", replace(DSH, seq="from-one")),
    _unchecked("LOG-1", "a seed with a gap in its seqs is accepted"),
    Alternative(
        "log-shared-with-caller",
        "LOG-2",
        "logged events can still be written to from outside",
        replace(DSH, log_storage="callers-object"),
    ),
    _unchecked("LOG-3", "event data that JSON cannot carry is accepted"),
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
    _unchecked("SEED-1", "a seed event with a wrong envelope is accepted"),
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
    _sessions(
        "prepare-reserves",
        "STO-1",
        "prepare reserves its id",
        CollectionDesign(collision="at-prepare"),
    ),
    _sessions(
        "last-enter-wins",
        "STO-2",
        "entering a session evicts the live one with its id",
        CollectionDesign(collision="last-wins"),
    ),
    _sessions(
        "attached-twice",
        "STO-3",
        "a session can be entered while it is entered",
        CollectionDesign(attachment="any-number"),
    ),
    _sessions(
        "announced-twice",
        "STO-4",
        "a session can be announced again",
        CollectionDesign(announce_again="repeated"),
    ),
    _sessions(
        "announced-after-dispatch",
        "STO-5",
        "a session counts as announced only once every created listener has returned",
        CollectionDesign(announced="after-dispatch"),
    ),
    _sessions(
        "created-veto-contained",
        "STO-5",
        "a session/created listener's failure is swallowed",
        CollectionDesign(created_veto="contained"),
    ),
    _sessions(
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
    _sessions(
        "stale-detach-by-id",
        "STO-6",
        "a detach removes whatever session has its id",
        CollectionDesign(detach_removes="whoever-has-the-id"),
    ),
    _sessions(
        "detach-at-once",
        "STO-7",
        "a detach takes effect in the middle of the entry's own dispatch",
        CollectionDesign(detach_in_dispatch="immediate"),
    ),
    _sessions(
        "disposal-always-seen",
        "STO-8",
        "session/disposed is seen for entries that were never announced",
        CollectionDesign(disposal_seen="always"),
    ),
    _sessions(
        "disposal-never-seen",
        "STO-8",
        "session/disposed is not seen",
        CollectionDesign(disposal_seen="never"),
    ),
    _sessions(
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
    _sessions(
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

REGISTRIES = (
    Alternative(
        "agent-id-free",
        "REG-1",
        "an agent with another id than its session's is accepted",
        replace(DSH, agent_identity="free"),
    ),
    _agents(
        "last-agent-wins",
        "REG-2",
        "entering an agent evicts the live one with its id",
        CollectionDesign(collision="last-wins"),
    ),
    _agents(
        "agent-attached-twice",
        "REG-3",
        "an agent can be entered while it is entered",
        CollectionDesign(attachment="any-number"),
    ),
    _agents(
        "agent-announced-twice",
        "REG-4",
        "an agent can be announced again",
        CollectionDesign(announce_again="repeated"),
    ),
    _agents(
        "agent-announced-after-dispatch",
        "REG-5",
        "an agent counts as announced only once every created listener has returned",
        CollectionDesign(announced="after-dispatch"),
    ),
    _agents(
        "agent-created-veto-contained",
        "REG-5",
        "an agent/created listener's failure is swallowed",
        CollectionDesign(created_veto="contained"),
    ),
    _agents(
        "stale-agent-detach-by-id",
        "REG-6",
        "a detach removes whatever agent has its id",
        CollectionDesign(detach_removes="whoever-has-the-id"),
    ),
    _agents(
        "agent-detach-at-once",
        "REG-7",
        "a detach takes effect in the middle of the agent's own announcement",
        CollectionDesign(detach_in_dispatch="immediate"),
    ),
    _agents(
        "agent-disposal-always-seen",
        "REG-8",
        "agent/disposed is seen for entries that were never announced",
        CollectionDesign(disposal_seen="always"),
    ),
    _agents(
        "agent-disposal-never-seen",
        "REG-8",
        "agent/disposed is not seen",
        CollectionDesign(disposal_seen="never"),
    ),
    _agents(
        "agent-disposed-failure-starves",
        "REG-8",
        "an agent/disposed listener that throws keeps later listeners from it",
        CollectionDesign(disposed_failure="stops-dispatch"),
    ),
    _agents(
        "agents-newest-first",
        "REG-9",
        "agents are listed newest first",
        CollectionDesign(listing="newest-first"),
    ),
    Alternative(
        "owner-forgotten",
        "REG-9",
        "the registry does not remember who created an agent",
        replace(DSH, ownership="nobody"),
    ),
    Alternative(
        "registry-asks-for-session",
        "REG-10",
        "the registry refuses an agent whose session is not live",
        replace(DSH, registry_asks="for-live-session"),
    ),
)

TRANSACTIONS = (
    _publishing(
        "commit-last",
        "TXN-1",
        "the commit runs after publication",
        "check-live",
        "enter-session",
        "enter-agent",
        "announce-session",
        "check-live",
        "announce-agent",
        "check-live",
        "session-start",
        "check-live",
        "commit",
    ),
    Alternative(
        "visible-during-setup",
        "TXN-2",
        "both objects are entered before the setup runs",
        replace(DSH, prepared="entered"),
    ),
    _publishing(
        "commit-never",
        "TXN-3",
        "the commit that a setup returned is not run",
        "check-live",
        "enter-session",
        "enter-agent",
        "announce-session",
        "check-live",
        "announce-agent",
        "check-live",
        "session-start",
        "check-live",
    ),
    _publishing(
        "agent-announced-first",
        "TXN-4",
        "the agent is announced before its session",
        "commit",
        "check-live",
        "enter-session",
        "enter-agent",
        "announce-agent",
        "check-live",
        "announce-session",
        "check-live",
        "session-start",
        "check-live",
    ),
    _publishing(
        "session-announced-alone",
        "TXN-5",
        "the session is announced before the agent is entered",
        "commit",
        "check-live",
        "enter-session",
        "announce-session",
        "check-live",
        "enter-agent",
        "announce-agent",
        "check-live",
        "session-start",
        "check-live",
    ),
    _publishing(
        "no-check-after-announcements",
        "TXN-6",
        "an abort that lands during the publication is not noticed",
        "commit",
        "check-live",
        "enter-session",
        "enter-agent",
        "announce-session",
        "announce-agent",
        "session-start",
    ),
    Alternative(
        "start-failure-vetoes",
        "TXN-7",
        "an agent/session-start listener that throws vetoes the creation",
        replace(DSH, start_failure="vetoes"),
    ),
    Alternative(
        "handle-returned-early",
        "TXN-8",
        "the caller gets the handle before the publication is over",
        replace(DSH, handle_returned="before-publication"),
    ),
    _tearing(
        "session-detached-first",
        "TXN-9",
        "teardown detaches the session before the agent",
        "stop-machine",
        "unwind-scope",
        "detach-session",
        "detach-agent",
        "settle",
    ),
    Alternative(
        "loser-detaches-by-id",
        "TXN-10",
        "a transaction that loses the race for an id detaches the winner's session",
        replace(DSH, rollback="detaches-by-id"),
    ),
    Alternative(
        "configured-rolled-back-first",
        "TXN-11",
        "a failed synchronous creation is rolled back before its error is returned",
        replace(DSH, configured_rollback="before-return"),
    ),
)

ROLLBACKS = (
    Alternative(
        "rollback-leaves-entries",
        "RBK-1",
        "a failed publication leaves what it had entered",
        replace(DSH, rollback="leaves-entries"),
    ),
    Alternative(
        "setup-failure-ignored",
        "RBK-1",
        "a setup that fails does not keep the agent from being published",
        replace(DSH, setup_failure="ignored"),
    ),
    Alternative(
        "scope-listeners-kept",
        "RBK-1",
        "listeners of a scope outlive it",
        replace(DSH, scope_listeners="kept"),
    ),
    _tearing(
        "scope-unwound-last",
        "RBK-2",
        "teardown unwinds the scope after both detaches",
        "stop-machine",
        "detach-agent",
        "detach-session",
        "unwind-scope",
        "settle",
    ),
    Alternative(
        "teardown-runs-again",
        "RBK-3",
        "a second dispose tears down again instead of awaiting the first",
        replace(DSH, teardown_again="runs-again"),
    ),
    _tearing(
        "settled-before-rollback",
        "RBK-4",
        "promises settle before the teardown is complete",
        "stop-machine",
        "settle",
        "unwind-scope",
        "detach-agent",
        "detach-session",
    ),
    Alternative(
        "rollback-keeps-id",
        "RBK-5",
        "the id of a creation that failed is not free again",
        replace(DSH, rollback="keeps-id"),
    ),
    Alternative(
        "released-every-time",
        "RBK-6",
        "each disposal of a preparation releases it",
        replace(DSH, release="every-time"),
    ),
    Alternative(
        "released-never",
        "RBK-6",
        "disposing of a preparation does not release it",
        replace(DSH, release="never"),
    ),
    Alternative(
        "nothing-disposed-is-seen",
        "RBK-7",
        "neither disposal is dispatched",
        replace(
            DSH,
            sessions=CollectionDesign(disposal_seen="never"),
            agents=CollectionDesign(disposal_seen="never"),
        ),
    ),
    Alternative(
        "busy-torn-down",
        "RBK-8",
        "teardown does not wait for an agent at work",
        replace(DSH, busy="torn-down-at-once"),
    ),
)

OWNERS = (
    Alternative(
        "abort-after-return",
        "OWN-1",
        "an abort after the handle is returned tears the agent down",
        replace(DSH, abort_after_return="tears-down"),
    ),
    Alternative(
        "abort-awaits-setup",
        "OWN-2",
        "an abort during the setup waits until the setup is over",
        replace(DSH, abort_in_setup="waits-for-setup"),
    ),
    Alternative(
        "owner-leaves-agents",
        "OWN-3",
        "agents outlive their owner",
        replace(DSH, owner_disposal="leaves-agents"),
    ),
    Alternative(
        "factory-leaves-agents",
        "OWN-4",
        "agents outlive their factory",
        replace(DSH, factory_disposal="leaves-agents"),
    ),
    Alternative(
        "inactive-owner-accepted",
        "OWN-5",
        "things can be made through an owner that is gone",
        replace(DSH, inactive_owner="accepted"),
    ),
    Alternative(
        "second-factory-replaces",
        "OWN-6",
        "a second factory takes the place of the first",
        replace(DSH, second_factory="replaces"),
    ),
)

FORKS = (
    Alternative(
        "fork-asks-for-source-first",
        "FORK-1",
        "a fork with a taken id and an unknown source is told of the source",
        replace(DSH, fork_refusals="source-first"),
    ),
    Alternative(
        "fork-in-open-turn",
        "FORK-1",
        "a fork may end inside an open turn",
        replace(DSH, fork_open_turn="accepted"),
    ),
    Alternative(
        "fork-boundary-exclusive",
        "FORK-2",
        "a child does not inherit the event at the boundary",
        replace(DSH, fork_boundary="exclusive"),
    ),
    Alternative(
        "fork-inherits-preset",
        "FORK-3",
        "a child inherits the preset and the delegation depth",
        replace(DSH, fork_inherits="cwd-preset-depth"),
    ),
    Alternative(
        "fork-marks-source",
        "FORK-4",
        "a fork leaves a marker in its source",
        replace(DSH, fork_source="marked"),
    ),
)

GROUPS = (
    HEADERS,
    LOGS,
    SEEDS,
    STORES,
    REGISTRIES,
    TRANSACTIONS,
    ROLLBACKS,
    OWNERS,
    FORKS,
)

ALTERNATIVES: Mapping[str, Alternative] = MappingProxyType(
    {each.name: each for group in GROUPS for each in group},
)
"""Every alternative by its name, in the order of the clauses."""
