"""Scopes of owners and the factory."""

from invariants.given import ABORT, held
from model.agent_command import (
    Abort,
    Dispose,
    Work,
)
from model.command import (
    CreateAgent,
    Open,
    Throws,
)
from model.owner_command import (
    DisposeFactory,
    DisposeOwner,
    LoadFactory,
    NewOwner,
    SetFactory,
)
from model.scope import Bounds, Handles, Menu, Reacting, Scope
from model.session_command import (
    Append,
    Create,
    Fork,
)

OWNERS = Scope(
    "owners",
    kinds=(
        NewOwner,
        DisposeOwner,
        CreateAgent,
        Create,
        Dispose,
        Work,
        Open,
        DisposeFactory,
        LoadFactory,
        SetFactory,
        Fork,
    ),
    handles=Handles(sessions=("s1",), creations=("t1",), operations=("o1", "o2"), owners=("w1",)),
    menu=Menu(ids=("a", "b"), owned=True, setups=(held("g1"),), gates=("g1",), tag=ABORT),
    reacting=Reacting((DisposeOwner, DisposeFactory), (Throws("x"),), at_once=1),
    bounds=Bounds(waiting=1),
)
"""What is made through an owner, and a factory that goes."""

FAMILIES = Scope(
    "families",
    kinds=(NewOwner, DisposeOwner, CreateAgent, Create),
    handles=Handles(
        sessions=("s1", "s2"),
        creations=("t1",),
        operations=("o1",),
        owners=("w1", "w2"),
    ),
    menu=Menu(ids=("a", "b"), owned=True),
    bounds=Bounds(live=2),
)
"""Owners below owners, with all that they can own."""

BUSY = Scope(
    "busy",
    kinds=(
        NewOwner,
        DisposeOwner,
        CreateAgent,
        Work,
        Open,
        DisposeFactory,
        LoadFactory,
        SetFactory,
    ),
    handles=Handles(creations=("t1",), operations=("o1", "o2", "o3"), owners=("w1",)),
    menu=Menu(ids=("a",), owned=True, gates=("g1",)),
    together=((DisposeFactory, CreateAgent),),
)
"""Agents at work whose owner or factory goes meanwhile, and another factory after it."""

NESTED = Scope(
    "nested",
    kinds=(NewOwner, CreateAgent, Open),
    handles=Handles(sessions=("s1",), creations=("t1",), operations=("o1",), owners=("w1",)),
    menu=Menu(ids=("a", None), owned=True, setups=(held("g1"),), gates=("g1",), tag=ABORT),
    reacting=Reacting((Append, Fork, Abort, DisposeOwner), (Throws("x"),), at_once=2),
    bounds=Bounds(log=2, minted=1),
)
"""Two reactions at once, the second often inside the first."""
