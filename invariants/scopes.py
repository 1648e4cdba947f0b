"""Named scopes, each small enough to be exhausted and large enough for what it is about."""

from collections.abc import Mapping
from types import MappingProxyType

from model.command import (
    Abort,
    Announce,
    Append,
    Commit,
    Create,
    CreateAgent,
    Detach,
    Dispose,
    Enter,
    Forget,
    Holds,
    Open,
    Prepare,
    Script,
    Setup,
    Throws,
)
from model.scope import Handles, Menu, Reacting, Scope


def held(gate: str) -> Setup:
    """A setup that waits at a gate and then returns a commit."""
    return Setup(Script(ending=Holds(gate)), Commit())


TINY = Scope(
    "tiny",
    kinds=(CreateAgent, Abort, Dispose, Open, Append, Forget),
    handles=Handles(creations=("t1",), operations=("o1",)),
    menu=Menu(ids=("a", "b"), setups=(None, held("g1")), gates=("g1",)),
    reacting=Reacting((Abort, Dispose, Append), (Throws("x"),), at_once=1),
)

STORES = Scope(
    "stores",
    kinds=(Prepare, Enter, Announce, Detach, Create, Append, Forget),
    handles=Handles(sessions=("s1", "s2"), entries=("e1", "e2")),
    menu=Menu(ids=("a",)),
    reacting=Reacting((Detach, Append, Create), (Throws("x"),), at_once=1),
)

SCOPES: Mapping[str, Scope] = MappingProxyType({scope.name: scope for scope in (TINY, STORES)})
"""Every scope by its name."""
