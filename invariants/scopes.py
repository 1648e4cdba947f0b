"""Named scopes, each small enough to be exhausted and large enough for what it is about."""

from collections.abc import Mapping
from types import MappingProxyType

from model.command import (
    Abort,
    Acquire,
    Announce,
    AnnounceAgent,
    Append,
    Boot,
    Commit,
    Configure,
    ConfiguredAgent,
    Construct,
    Create,
    CreateAgent,
    Damage,
    Detach,
    DetachAgent,
    Dispose,
    DisposeFactory,
    DisposeOwner,
    Enter,
    EnterAgent,
    Flush,
    Forget,
    Fork,
    Holds,
    Identity,
    Inspect,
    Listen,
    LoadFactory,
    Look,
    NewAgent,
    NewOwner,
    Open,
    Prepare,
    ReadStored,
    Rejects,
    Release,
    Resume,
    Script,
    SetFactory,
    Setup,
    Tamper,
    Throws,
    Unlisten,
    Work,
)
from model.fork import TURN_END, TURN_START
from model.log import END_SEED
from model.scope import Bounds, Handles, Listening, Menu, Reacting, Scope
from model.values import EMPTY, UNDEFINED, Integer, Text, Value, record

ABORT = "abort"


def held(gate: str) -> Setup:
    """A setup that waits at a gate and then returns a commit."""
    return Setup(Script(ending=Holds(gate)), Commit())


def event(seq: int, kind: str = "todo/write", **more: Value) -> Value:
    """An event of a seed."""
    entries: dict[str, Value] = {
        "seq": Integer(seq),
        "type": Text(kind),
        "time": Integer(1),
        "data": EMPTY,
    }
    return record({**entries, **more})


def header(**entries: Value) -> Value:
    """A header for id `a`, as a client would give it to the session's own constructor."""
    whole: dict[str, Value] = {"version": Integer(0), "id": Text("a"), "createdAt": Integer(1)}
    return record({**whole, **entries})


CONFIGURED = (
    (ConfiguredAgent("m"),),
    (ConfiguredAgent("m", "a"), ConfiguredAgent("n", "b")),
    (ConfiguredAgent("m", resume_session_id="a"),),
    (ConfiguredAgent("m", "a", "b"),),
    (ConfiguredAgent("m", "a"), ConfiguredAgent("n", resume_session_id="a")),
)
"""Agents without an identity, with exact ones, with one to be resumed, and with too many."""

TINY = Scope(
    "tiny",
    kinds=(CreateAgent, Abort, Dispose, Open, Append, Forget),
    handles=Handles(creations=("t1",), operations=("o1",)),
    menu=Menu(ids=("a", "b"), setups=(None, held("g1")), gates=("g1",), tag=ABORT),
    reacting=Reacting((Abort, Dispose, Append), (Throws("x"),), at_once=1),
)
"""One transaction, with reactions: seconds."""

SEEDS = Scope(
    "seeds",
    kinds=(Construct, Prepare, Create, Enter, Append, Tamper, Inspect, Forget),
    handles=Handles(sessions=("s1",), entries=("e1",)),
    menu=Menu(
        ids=("a",),
        seeds=(
            None,
            (),
            (event(0),),
            (event(0, END_SEED),),
            (event(0, END_SEED), event(1)),
            (event(1),),
            (event(0, more=EMPTY),),
            (UNDEFINED,),
        ),
        events=(("todo/write", EMPTY), ("todo/write", UNDEFINED)),
        places=("seed", "data"),
    ),
    reacting=Reacting((Append, Inspect), (Throws("x"),), at_once=1),
    bounds=Bounds(log=4),
)
"""Seeds good and bad, empty and ending in a marker."""

HEADERS = Scope(
    "headers",
    kinds=(Construct, Prepare, Create, Append, Tamper, Inspect, Forget),
    handles=Handles(sessions=("s1",)),
    menu=Menu(
        ids=("a",),
        headers=(
            None,
            header(),
            header(parentSession=Text("p"), seedLength=Integer(1)),
            header(version=Integer(1)),
            header(id=Text("b")),
            header(createdAt=Text("now")),
            header(cwd=Text("not/absolute")),
            header(origin=Text("nobody")),
            header(extra=UNDEFINED),
        ),
        metas=(
            None,
            record({"cwd": Text("/"), "parentSession": Text("p"), "seedLength": Integer(1)}),
            record({"createdAt": Text("now")}),
            record({"cwd": Text("not/absolute")}),
            record({"delegationDepth": Integer(-1)}),
            record({"unknown": Text("key")}),
        ),
        events=(
            ("todo/write", EMPTY),
            ("agent-preset/selected", record({"preset": Text("other")})),
        ),
        places=("header", "meta"),
    ),
)
"""Headers good and bad, and what may try to change one."""

STORES = Scope(
    "stores",
    kinds=(Prepare, Enter, Announce, Detach, Create, Append, Forget),
    handles=Handles(sessions=("s1", "s2"), entries=("e1", "e2")),
    menu=Menu(ids=("a",)),
    reacting=Reacting((Announce, Detach, Append, Create), (Throws("x"), Rejects("y")), at_once=1),
)
"""One id, two sessions and their entries, with reactions."""

IDS = Scope(
    "ids",
    kinds=(Prepare, Create, Acquire, Release, Look),
    handles=Handles(sessions=("s1", "s2"), preparations=("p1",)),
    menu=Menu(ids=(None, "a", "session-1")),
    bounds=Bounds(minted=2),
)
"""Minted ids beside explicit ones, and scoped preparations."""

LISTENERS = Scope(
    "listeners",
    kinds=(Prepare, Enter, Announce, Detach, Append, Listen, Unlisten),
    handles=Handles(sessions=("s1",), entries=("e1",), listeners=("l1", "l2")),
    menu=Menu(
        ids=("a",),
        listeners=(
            Listening("session/created"),
            Listening("session/event"),
            Listening("session/disposed"),
        ),
    ),
    reacting=Reacting((Detach,), (Throws("x"),), at_once=1),
)
"""Two registered listeners beside `watch`: in which order they hear, and when they do not."""

FLUSHES = Scope(
    "flushes",
    kinds=(Create, Prepare, Flush, Open, Listen, Unlisten),
    handles=Handles(sessions=("s1",), operations=("o1",), listeners=("l1", "l2")),
    menu=Menu(
        ids=("a",),
        listeners=(
            Listening("session/flush"),
            Listening("session/flush", Script(ending=Throws("x"))),
            Listening("session/flush", Script(ending=Holds("g1"))),
        ),
        gates=("g1",),
    ),
)
"""Flushes that succeed, fail and wait."""

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

FORKS = Scope(
    "forks",
    kinds=(Create, Prepare, Fork),
    handles=Handles(sessions=("s1", "s2", "s3")),
    menu=Menu(
        ids=("a", None),
        seeds=(None, (event(0, TURN_START), event(1, TURN_END), event(2, TURN_START))),
        boundaries=(None, Integer(1), Integer(-1)),
        metas=(record({"cwd": Text("/"), "agentPreset": Text("p")}),),
    ),
    reacting=Reacting((), (Throws("x"),), at_once=1),
    bounds=Bounds(log=4, minted=2),
)
"""Forks of live sessions and of forks, before, inside and behind a turn."""

NESTED = Scope(
    "nested",
    kinds=(NewOwner, CreateAgent, Open),
    handles=Handles(sessions=("s1",), creations=("t1",), operations=("o1",), owners=("w1",)),
    menu=Menu(ids=("a", None), owned=True, setups=(held("g1"),), gates=("g1",), tag=ABORT),
    reacting=Reacting((Append, Fork, Abort, DisposeOwner), (Throws("x"),), at_once=2),
    bounds=Bounds(log=2, minted=1),
)
"""Two reactions at once, the second often inside the first."""

ISSUE_2 = Scope(
    "issue2",
    kinds=(Create, Append, CreateAgent, Abort, Dispose, Open, Forget),
    handles=Handles(sessions=("s1",), creations=("t1", "t2"), operations=("o1",)),
    menu=Menu(ids=("a", "b"), setups=(held("g1"), held("g2")), gates=("g1", "g2"), tag=ABORT),
    reacting=Reacting((Abort, Dispose, Append), (Throws("x"),), at_once=1),
)
"""Two ids, two transactions with held setups, three handles, one event a log, one reaction."""

RESUME = Scope(
    "resume",
    kinds=(Boot, Create, Append, Resume, Dispose, Abort, Open, ReadStored),
    handles=Handles(sessions=("s1",), creations=("t1", "t2"), operations=("o1",)),
    menu=Menu(
        ids=("a",),
        events=(("turn/start", record({"turn": Integer(1)})),),
        setups=(None, held("g1")),
        gates=("g1",),
        load_gates=(None, "g1"),
        tag=ABORT,
    ),
    bounds=Bounds(log=4, waiting=1),
)
"""A session that is stored, processes that end, and resumes that wait for each other."""

STORING = Scope(
    "storing",
    kinds=(Boot, Create, Prepare, Enter, Detach, Append, Flush, Resume),
    handles=Handles(sessions=("s1",), entries=("e1",), creations=("t1",), operations=("o1",)),
    menu=Menu(
        ids=("a",),
        events=(("todo/write", EMPTY), ("my/own", EMPTY)),
        boots=(Boot(), Boot((Damage("a", "newer"),))),
    ),
    reacting=Reacting((Boot,), (Throws("x"),), at_once=1),
    bounds=Bounds(log=2),
)
"""What is stored of a session, flushed, damaged, and killed in the middle."""

IDENTITY = Scope(
    "identity",
    kinds=(Boot, Create, Append),
    handles=Handles(sessions=("s1",)),
    menu=Menu(
        ids=("a",),
        events=(("my/own", EMPTY),),
        boots=(
            Boot(),
            *(Boot(agents=agents) for agents in CONFIGURED),
            Boot(agents=CONFIGURED[0], identities=(Identity("m", "a", resume=True),)),
            Boot(agents=CONFIGURED[1], identities=(Identity("m", "b"),)),
            Boot(
                agents=CONFIGURED[0],
                overlay=(ConfiguredAgent("m", cwd="/"),),
                identities=(Identity("m", "b"),),
            ),
            Boot(agents=CONFIGURED[1], damage=(Damage("a", "newer"),)),
            Boot(agents=CONFIGURED[1], identities=(Identity("m", "c", resume=True),)),
        ),
    ),
    bounds=Bounds(log=1, minted=1),
)
"""Configured agents over what is stored and what is not."""

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
