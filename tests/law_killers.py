"""For each law that a design decision is about, a design that breaks it, and where that shows."""

from dataclasses import replace

from model.design import DSH, CollectionDesign, Design

EVICTING = CollectionDesign(collision="last-wins", detach_removes="whoever-has-the-id")
"""An entry can be evicted before its detach is called, and the detach then goes by the id."""

UNSETTLED = replace(
    DSH,
    teardown=("stop-machine", "unwind-scope", "detach-agent", "detach-session"),
)
"""Nobody is told when a teardown is over."""

KILLERS: dict[str, tuple[str | Design, str]] = {
    "no agent exists without a session": ("session-detached-first", "tiny"),
    "rollback leaves no orphans": ("rollback-leaves-entries", "tiny"),
    "headers are immutable": ("header-follows-events", "headers"),
    "seed markers are never duplicated on resume": ("marker-always", "seeds"),
    "a bad header constructs nothing": ("unchecked-hdr-5", "headers"),
    "a header says what was asked for and nothing else": ("header-keeps-every-key", "headers"),
    "the seq of an event is its index": ("seq-from-one", "seeds"),
    "a log only grows": ("log-shared-with-caller", "seeds"),
    "a log holds only lossless JSON": ("unchecked-log-3", "seeds"),
    "an append to a live session is recorded and seen once": (
        "event-failure-undoes-append",
        "tiny",
    ),
    "an append to a session that is not live is recorded and not seen": (
        "detached-append-refused",
        "tiny",
    ),
    "a seen event is in the log": ("event-failure-undoes-append", "tiny"),
    "an event is committed before it is seen": ("event-seen-before-commit", "seeds"),
    "an append inside an append of the same session is refused": ("append-nests", "seeds"),
    "a bad seed constructs nothing": ("unchecked-seed-1", "seeds"),
    "a seed is taken over as it is and ends in one marker": ("marker-once-ever", "seeds"),
    "without a seed there is no marker": ("marker-without-seed", "seeds"),
    "firstLiveSeq is the length of the seed": ("first-live-is-marker", "seeds"),
    "inherited events and the marker are never seen": ("marker-seen", "seeds"),
    "prepare refuses the ids that are live and no others": ("prepare-takes-live-id", "stores"),
    "prepare publishes nothing and reserves nothing": ("prepare-reserves", "stores"),
    "a create that is vetoed leaves nothing live": ("announce-before-detach-recorded", "stores"),
    "minted ids skip live ones": ("mint-takes-live-id", "ids"),
    "a flush waits for every listener": ("flush-fails-early", "flushes"),
    "no two live sessions share an id": ("attached-twice", "stores"),
    "a session is listed at most once": ("attached-twice", "stores"),
    "the first session to enter an id keeps it": ("last-enter-wins", "stores"),
    "a session's entry leaves only by its own detach": ("last-enter-wins", "stores"),
    "a stale detach never removes a successor among the sessions": (
        replace(DSH, sessions=EVICTING),
        "stores",
    ),
    "sessions are listed in entry order": ("sessions-newest-first", "ids"),
    "no two live agents share an id": ("agent-attached-twice", "registry"),
    "an agent is listed at most once": ("agent-attached-twice", "registry"),
    "the first agent to enter an id keeps it": ("last-agent-wins", "registry"),
    "an agent's entry leaves only by its own detach": ("last-agent-wins", "registry"),
    "a stale detach never removes a successor among the agents": (
        replace(DSH, agents=EVICTING),
        "registry",
    ),
    "agents are listed in entry order": ("agents-newest-first", "registry"),
    "session/created is seen at most once for an entry": ("announced-twice", "stores"),
    "session/disposed is seen only of what was announced": ("disposal-always-seen", "stores"),
    "what was announced and has left is seen disposed among the sessions": (
        "announced-after-dispatch",
        "stores",
    ),
    "a session is announced once, also from inside its announcement": (
        "announced-twice",
        "stores",
    ),
    "a failure at session/created vetoes if it is synchronous, and only then": (
        "late-rejection-vetoes",
        "stores",
    ),
    "events of a session are seen while it is live": ("detach-at-once", "listeners"),
    "session/disposed is seen once the entry has left": ("attached-twice", "stores"),
    "a session stays live while its own dispatch runs": ("detach-at-once", "stores"),
    "agent/created is seen at most once for an entry": ("agent-announced-twice", "registry"),
    "agent/disposed is seen only of what was announced": (
        "agent-disposal-always-seen",
        "registry",
    ),
    "what was announced and has left is seen disposed among the agents": (
        "agent-announced-after-dispatch",
        "registry",
    ),
    "an agent is announced once, also from inside its announcement": (
        "agent-announced-twice",
        "registry",
    ),
    "a failure at agent/created vetoes if it is synchronous, and only then": (
        "agent-created-veto-contained",
        "registry",
    ),
    "events of an agent are seen while it is live": ("agent-detach-at-once", "agent-listeners"),
    "agent/disposed is seen once the entry has left": ("agent-attached-twice", "registry"),
    "an agent stays live while its own dispatch runs": ("agent-detach-at-once", "registry"),
    "listeners hear in the order of their registration": ("listeners-newest-first", "listeners"),
    "a listener's failure starves no other where failures are contained": (
        "event-failure-starves",
        "listeners",
    ),
    "an agent's id is its session's": ("agent-id-free", "registry"),
    "an agent with another id than its session's is not entered": ("agent-id-free", "registry"),
    "the registry does not ask whether a session is live": (
        "registry-asks-for-session",
        "registry",
    ),
    "an agent belongs to its creator": ("owner-forgotten", "registry"),
    "a transaction's phases come once and in order": ("commit-last", "tiny"),
    "nothing of a transaction is listed before its publication": ("visible-during-setup", "tiny"),
    "the commit of a published transaction ran once": ("commit-never", "tiny"),
    "both objects are live when session/created is seen": ("session-announced-alone", "tiny"),
    "the handle is returned after all of the publication": ("handle-returned-early", "tiny"),
    "an abort before the handle is returned keeps the agent from being published": (
        "no-check-after-announcements",
        "tiny",
    ),
    "a failure at agent/session-start vetoes nothing": ("start-failure-vetoes", "tiny"),
    "a live transaction keeps both of its entries": ("loser-detaches-by-id", "rivals"),
    "a synchronous creation returns its error before it rolls back": (
        "configured-rolled-back-first",
        "rivals",
    ),
    "a scope is unwound while both objects are live": ("scope-unwound-last", "tiny"),
    "an agent is detached before its session": ("session-detached-first", "tiny"),
    "a scope is unwound once": ("teardown-runs-again", "rivals"),
    "a promise settles once the rollback is complete": ("settled-before-rollback", "tiny"),
    "a preparation is released at its first disposal and never again": (
        "released-every-time",
        "ids",
    ),
    "no agent is torn down at work": ("busy-torn-down", "rivals"),
    "no listener outlives its scope": ("scope-listeners-kept", "rivals"),
    "every operation settles once every gate is open": (UNSETTLED, "tiny"),
    "the caller of a failed creation gets the original error": (
        "setup-failure-ignored",
        "rivals",
    ),
    "an abort after the handle is returned changes nothing": ("abort-after-return", "aborts"),
    "an abort during the setup ends the creation at once and with its reason": (
        "abort-awaits-setup",
        "aborts",
    ),
    "the commit of an aborted setup never runs": ("abort-awaits-setup", "aborts"),
    "nothing of an owner that is gone remains once every gate is open": (
        "owner-leaves-agents",
        "busy",
    ),
    "an owner that goes takes along what was made through it": ("owner-leaves-agents", "families"),
    "the disposal of an owner waits for the agents that it takes back": (
        "owner-leaves-agents",
        "busy",
    ),
    "an owner disposed of inside a publication lets it finish and then takes the agent back": (
        "owner-leaves-agents",
        "owners",
    ),
    "nothing is made through an owner that is not active": ("inactive-owner-accepted", "busy"),
    "every agent goes with its factory": ("factory-leaves-agents", "busy"),
    "the disposal of a factory waits for every agent that it made": (
        "factory-leaves-agents",
        "busy",
    ),
    "a factory disposed of inside a publication lets it finish and then takes the agent back": (
        "factory-leaves-agents",
        "owners",
    ),
    "a second factory is refused and changes nothing": ("second-factory-replaces", "busy"),
    "a fork is refused for the first reason against it and changes nothing then": (
        "fork-asks-for-source-first",
        "forks",
    ),
    "no child begins inside an open turn": ("fork-in-open-turn", "forks"),
    "a child inherits its source's log through the boundary": (
        "fork-boundary-exclusive",
        "forks",
    ),
    "a child's header names its source and takes over only its folder": (
        "fork-inherits-preset",
        "forks",
    ),
    "a fork leaves its source as it was": ("fork-marks-source", "forks"),
    "a stored log counts from 0": ("seq-from-one", "resume"),
    "what is stored stays stored": ("storing-overwrites", "storing"),
    "a session comes back with the header that was stored": ("resume-makes-header-anew", "resume"),
    "a session comes back with the log that was stored": ("resume-forgets-own-work", "resume"),
    "a loaded marker gets no other": ("resume-always-marks", "resume"),
    "no session is loaded within a turn": ("resume-leaves-turns-open", "resume"),
    "an interrupted turn is closed once": ("resume-closes-each-time", "resume"),
    "what nobody knows is not loaded": ("resume-of-unknown-events", "storing"),
    "a loaded session is one resume's": ("resume-shares-reservation", "resume"),
    "a reserved session has no announced rival": ("resume-of-live-session", "resume"),
    "a load that was given up is not published": ("resume-publishes-late-load", "resume"),
    "a session at rest is stored as far as it was seen": ("storing-forgets-marker", "resume"),
    "one session is stored under an id": ("resume-of-live-session", "storing"),
    "a flush that succeeds has stored everything": ("storing-forgets-marker", "storing"),
    "nothing of an ended process is left": ("gates-outlive-process", "resume"),
    "agents that cannot be told apart are not started": ("identity-shared", "identity"),
    "a configured agent is who it was to be": ("overlay-drops-launcher", "identity"),
    "a stored session is not made anew": ("unreadable-identity-created", "identity"),
    "a fresh identity is known from nowhere": ("identity-from-label", "identity"),
    "who could not be started is not there": ("identity-shared", "identity"),
}
"""For each law a design that breaks it, and a scope in which it does."""
