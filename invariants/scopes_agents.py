"""Scopes of agents: their registry, their creation, their end."""

from invariants.given import ABORT, held
from model.agent_command import (
    Abort,
    AnnounceAgent,
    Configure,
    DetachAgent,
    Dispose,
    EnterAgent,
    NewAgent,
    Work,
)
from model.command import (
    Commit,
    CreateAgent,
    Forget,
    Holds,
    Listen,
    Open,
    Rejects,
    Script,
    Setup,
    Throws,
)
from model.scope import Bounds, Handles, Listening, Menu, Reacting, Scope
from model.session_command import (
    Append,
    Create,
    Look,
    Prepare,
)

TINY = Scope(
    "tiny",
    kinds=(CreateAgent, Abort, Dispose, Open, Append, Forget),
    handles=Handles(creations=("t1",), operations=("o1",)),
    menu=Menu(ids=("a", "b"), setups=(None, held("g1")), gates=("g1",), tag=ABORT),
    reacting=Reacting((Abort, Dispose, Append), (Throws("x"),), at_once=1),
)
"""One transaction, with reactions: seconds."""

REGISTRY = Scope(
    "registry",
    kinds=(Prepare, NewAgent, EnterAgent, AnnounceAgent, DetachAgent, Look),
    handles=Handles(sessions=("s1", "s2"), agents=("a1", "a2"), agent_entries=("x1", "x2")),
    menu=Menu(ids=("a", "b")),
    reacting=Reacting((AnnounceAgent, DetachAgent), (Throws("x"), Rejects("y")), at_once=1),
)
"""Bare agents entered directly, though no session is live."""

AGENT_LISTENERS = Scope(
    "agent-listeners",
    kinds=(Create, NewAgent, EnterAgent, AnnounceAgent, DetachAgent, Listen),
    handles=Handles(sessions=("s1",), agents=("a1",), agent_entries=("x1",), listeners=("l1",)),
    menu=Menu(ids=("a",), listeners=(Listening("agent/created"), Listening("agent/disposed"))),
    reacting=Reacting((DetachAgent,), (Throws("x"),), at_once=1),
)
"""A registered listener of a bare agent's events."""

RIVALS = Scope(
    "rivals",
    kinds=(CreateAgent, Configure, Dispose, Work, Open, Listen, Create, Forget),
    handles=Handles(
        sessions=("s1",),
        creations=("t1", "t2"),
        operations=("o1", "o2"),
        listeners=("l1",),
    ),
    menu=Menu(
        ids=("a",),
        setups=(
            None,
            held("g1"),
            Setup(Script(ending=Throws("y"))),
            Setup(commit=Commit(ending=Throws("z"))),
        ),
        gates=("g1",),
        listeners=(
            Listening("session/created", Script(ending=Throws("x"))),
            Listening("agent/created", scoped=True),
        ),
        tag=ABORT,
    ),
    together=((Configure, Look), (Dispose, Dispose)),
    bounds=Bounds(waiting=1),
)
"""Two transactions on one id, synchronous or not, busy or not, with a listener that vetoes."""

ABORTS = Scope(
    "aborts",
    kinds=(CreateAgent, Abort, Open, Dispose, Forget),
    handles=Handles(creations=("t1",), operations=("o1",)),
    menu=Menu(
        ids=("a",),
        setups=(
            None,
            held("g1"),
            Setup(Script(ending=Holds("g1", then=Throws("y"))), Commit()),
            Setup(Script((Abort("t1", ABORT),)), Commit()),
            Setup(commit=Commit((Abort("t1", ABORT),))),
        ),
        gates=("g1",),
        tag=ABORT,
    ),
    reacting=Reacting((Abort,), (Throws("x"),), at_once=2),
    together=((Open, Abort), (Abort, Open)),
)
"""Aborts by the caller, by a listener, by the setup and by the commit."""

ISSUE_2 = Scope(
    "issue2",
    kinds=(Create, Append, CreateAgent, Abort, Dispose, Open, Forget),
    handles=Handles(sessions=("s1",), creations=("t1", "t2"), operations=("o1",)),
    menu=Menu(ids=("a", "b"), setups=(held("g1"), held("g2")), gates=("g1", "g2"), tag=ABORT),
    reacting=Reacting((Abort, Dispose, Append), (Throws("x"),), at_once=1),
)
"""Two ids, two transactions with held setups, three handles, one event a log, one reaction."""
