"""Named scopes, each small enough to be exhausted and large enough for what it is about."""

from collections.abc import Mapping
from types import MappingProxyType

from invariants.scopes_agents import ABORTS, AGENT_LISTENERS, ISSUE_2, REGISTRY, RIVALS, TINY
from invariants.scopes_owners import BUSY, FAMILIES, NESTED, OWNERS
from invariants.scopes_sessions import FLUSHES, FORKS, HEADERS, IDS, LISTENERS, SEEDS, STORES
from invariants.scopes_storage import IDENTITY, RESUME, STORING
from model.scope import Scope

SCOPES: Mapping[str, Scope] = MappingProxyType(
    {
        scope.name: scope
        for scope in (
            TINY,
            SEEDS,
            HEADERS,
            STORES,
            IDS,
            LISTENERS,
            FLUSHES,
            REGISTRY,
            AGENT_LISTENERS,
            RIVALS,
            OWNERS,
            FAMILIES,
            BUSY,
            ABORTS,
            FORKS,
            NESTED,
            ISSUE_2,
            RESUME,
            STORING,
            IDENTITY,
        )
    },
)
"""Every scope by its name."""
