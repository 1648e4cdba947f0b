"""Alternatives to how owners go and sessions are forked (OWN, FORK)."""

from dataclasses import replace

from invariants.alternative import Alternative
from model.design import DSH

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
        "fork-always-marks",
        "FORK-2",
        "a child gets a marker behind the marker with which its seed ends",
        replace(DSH, fork_marker="always"),
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
