"""Alternatives to who configured agents are (IDN)."""

from dataclasses import replace

from invariants.alternative import Alternative
from model.design import DSH

IDENTITIES = (
    Alternative(
        "launcher-identity-joins",
        "IDN-1",
        "a launcher's identity comes beside that of the configuration",
        replace(DSH, launcher_identity="joins"),
    ),
    Alternative(
        "launcher-drops-others",
        "IDN-2",
        "agents that the launcher does not name lose their identity",
        replace(DSH, unnamed_identity="dropped"),
    ),
    Alternative(
        "identity-twice-accepted",
        "IDN-3",
        "of an exact id and one to be resumed the latter counts",
        replace(DSH, identity_twice="resume-wins"),
    ),
    Alternative(
        "identity-shared",
        "IDN-4",
        "two configured agents may have one exact id",
        replace(DSH, identity_shared="accepted"),
    ),
    Alternative(
        "identity-from-label",
        "IDN-5",
        "the session of an agent without an identity has the agent's label for its id",
        replace(DSH, fresh_identity="label"),
    ),
    Alternative(
        "overlay-drops-launcher",
        "IDN-6",
        "a row that an overlay replaces loses what the launcher gave it",
        replace(DSH, launcher_applied="under-overlays"),
    ),
    Alternative(
        "identity-does-not-wait",
        "IDN-7",
        "a start does not wait until its id is no longer live",
        replace(DSH, live_identity="refused"),
    ),
    Alternative(
        "unreadable-identity-created",
        "IDN-7",
        "an agent whose stored session cannot be loaded is created anew",
        replace(DSH, unreadable_identity="created-anew"),
    ),
)
