"""Alternatives: designs that differ from DSH in one decision, each breaking one clause.

They are what the suite is measured with (every clause has one that it tells from DSH) and what
a disagreement is explained by: an implementation that answers like an alternative has taken
that decision.
"""

from collections.abc import Mapping
from types import MappingProxyType

from invariants.alternative import Alternative
from invariants.alternatives_agents import REGISTRIES, ROLLBACKS, TRANSACTIONS
from invariants.alternatives_identities import IDENTITIES
from invariants.alternatives_owners import FORKS, OWNERS
from invariants.alternatives_sessions import HEADERS, LOGS, SEEDS, STORES
from invariants.alternatives_storage import RESUMES

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
    RESUMES,
    IDENTITIES,
)

ALTERNATIVES: Mapping[str, Alternative] = MappingProxyType(
    {each.name: each for group in GROUPS for each in group},
)
"""Every alternative by its name, in the order of the clauses."""
