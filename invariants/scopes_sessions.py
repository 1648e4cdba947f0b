"""Scopes of sessions and their store."""

from invariants.given import event, header
from model.command import (
    Forget,
    Holds,
    Listen,
    Open,
    Rejects,
    Script,
    Throws,
    Unlisten,
)
from model.fork import TURN_END, TURN_START
from model.log import END_SEED
from model.scope import Bounds, Handles, Listening, Menu, Reacting, Scope
from model.session_command import (
    Acquire,
    Announce,
    Append,
    Construct,
    Create,
    Detach,
    Enter,
    Flush,
    Fork,
    Inspect,
    Look,
    Prepare,
    Release,
    Tamper,
)
from model.values import EMPTY, UNDEFINED, Integer, Text, record

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
