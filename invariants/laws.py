"""The registry: every law, the four that were asked for by name first."""

from invariants.law import Law
from invariants.laws_entries import ENTRIES
from invariants.laws_events import EVENTS
from invariants.laws_named import NAMED

LAWS: tuple[Law, ...] = (*NAMED, *ENTRIES, *EVENTS)
"""Every law; one that is not here is checked by nobody, and fails the build."""
