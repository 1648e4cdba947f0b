"""Recipes: openings that lead to behaviour which random commands seldom reach.

A generated program may begin with one and go on at random.
"""

from dataclasses import dataclass

from model.command import (
    Abort,
    Acquire,
    AnnounceAgent,
    Append,
    Command,
    Commit,
    Configure,
    Construct,
    Create,
    CreateAgent,
    Detach,
    DetachAgent,
    Dispose,
    DisposeFactory,
    DisposeOwner,
    Enter,
    EnterAgent,
    EventName,
    Flush,
    Fork,
    Holds,
    Inspect,
    Listen,
    Look,
    NewAgent,
    NewOwner,
    Open,
    Prepare,
    React,
    Reaction,
    Rejects,
    Release,
    Script,
    Setup,
    Single,
    Tamper,
    Throws,
    Work,
)
from model.log import END_SEED
from model.values import EMPTY, Integer, Record, Text, record

NOTE = "todo/write"


@dataclass(frozen=True, slots=True)
class Recipe:
    """An opening for programs about one clause."""

    clause: str
    commands: tuple[Command, ...]

    @property
    def group(self) -> str:
        """The clause's group."""
        return self.clause.split("-", maxsplit=1)[0]


def _event(seq: int, kind: str = NOTE) -> Record:
    return record(
        {"type": Text(kind), "seq": Integer(seq), "time": Integer(5), "data": EMPTY},
    )


def _reacting(command: Single, event: EventName, *actions: Single, throws: str = "") -> React:
    ending = {"ending": Throws(throws)} if throws else {}
    return React(command, (Reaction(event, Script(actions, **ending)),))


HELD = Setup(Script((), Holds("g")))

RECIPES: tuple[Recipe, ...] = (
    Recipe(
        "HDR-8",
        (
            Create("r1", "a"),
            Append("r1", "agent-preset/selected", record({"preset": Text("q")})),
            Inspect("r1"),
        ),
    ),
    Recipe(
        "HDR-7",
        (Create("r1", "a", None, record({"cwd": Text("/w")})), Tamper("r1", "meta"), Inspect("r1")),
    ),
    Recipe(
        "HDR-3",
        (
            Construct(
                "r1",
                "a",
                None,
                record({"version": Integer(0), "id": Text("b"), "createdAt": Integer(1)}),
            ),
        ),
    ),
    Recipe(
        "HDR-2",
        (
            Construct(
                "r1",
                "a",
                None,
                record({"version": Integer(2), "id": Text("a"), "createdAt": Integer(1)}),
            ),
        ),
    ),
    Recipe(
        "LOG-2",
        (
            Create("r1", "a", (_event(0),)),
            Tamper("r1", "data"),
            Tamper("r1", "seed"),
            Inspect("r1"),
        ),
    ),
    Recipe(
        "LOG-4",
        (
            Create("r1", "a"),
            _reacting(Append("r1", NOTE, EMPTY), "session/event", Inspect("@session")),
        ),
    ),
    Recipe(
        "LOG-4",
        (
            Create("r1", "a"),
            Listen("r2", "session/event"),
            _reacting(Append("r1", NOTE, EMPTY), "session/event", throws="x"),
            Inspect("r1"),
        ),
    ),
    Recipe(
        "LOG-5",
        (
            Create("r1", "a"),
            _reacting(Append("r1", NOTE, EMPTY), "session/event", Append("@session", NOTE, EMPTY)),
        ),
    ),
    Recipe("SEED-8", (Construct("r1", "a", (_event(0, END_SEED), _event(1))), Inspect("r1"))),
    Recipe("SEED-3", (Construct("r1", "a", (_event(0), _event(1, END_SEED))), Inspect("r1"))),
    Recipe("SEED-4", (Prepare("r1", "a", ()), Enter("r2", "r1"))),
    Recipe("STO-1", (Prepare("r1", "a"), Prepare("r2", "a"))),
    Recipe("STO-2", (Prepare("r1", "a"), Prepare("r2", "a"), Enter("r3", "r1"), Enter("r4", "r2"))),
    Recipe("STO-3", (Prepare("r1", "a"), Enter("r3", "r1"), Enter("r4", "r1"))),
    Recipe(
        "STO-6",
        (
            Prepare("r1", "a"),
            Enter("r2", "r1"),
            Detach("r2"),
            Create("r3", "a"),
            Detach("r2"),
        ),
    ),
    Recipe(
        "STO-8",
        (
            Prepare("r1", "a"),
            Enter("r2", "r1"),
            Listen("r3", "session/disposed"),
            _reacting(Detach("r2"), "session/disposed", throws="x"),
        ),
    ),
    Recipe("STO-8", (Prepare("r1", "a"), Enter("r2", "r1"), Detach("r2"))),
    Recipe("STO-10", (Create("r1", None), Create("r2", "session-2"), Create("r3", None))),
    Recipe(
        "STO-12",
        (
            Create("r1", "a"),
            Listen("r2", "session/flush", Script((), Throws("x"))),
            Listen("r3", "session/flush", Script((), Holds("g"))),
            Flush("r4", "r1"),
            Open("g"),
        ),
    ),
    Recipe("STO-5", (_reacting(Create("r1", "a"), "session/created", throws="x"), Look("a"))),
    Recipe(
        "STO-5",
        (React(Create("r1", "a"), (Reaction("session/created", Script((), Rejects("x"))),)),),
    ),
    Recipe(
        "REG-3",
        (
            Create("r1", "a"),
            NewAgent("r2", "a", "r1"),
            EnterAgent("r3", "r2"),
            EnterAgent("r4", "r2"),
        ),
    ),
    Recipe("REG-1", (Create("r1", "a"), NewAgent("r2", "b", "r1"), EnterAgent("r3", "r2"))),
    Recipe(
        "REG-2",
        (
            Create("r1", "a"),
            NewAgent("r2", "a", "r1"),
            NewAgent("r3", "a", "r1"),
            EnterAgent("r4", "r2"),
            EnterAgent("r5", "r3"),
        ),
    ),
    Recipe(
        "REG-6",
        (
            Create("r1", "a"),
            NewAgent("r2", "a", "r1"),
            EnterAgent("r3", "r2"),
            DetachAgent("r3"),
            NewAgent("r4", "a", "r1"),
            EnterAgent("r5", "r4"),
            DetachAgent("r3"),
        ),
    ),
    Recipe(
        "REG-7",
        (
            Create("r1", "a"),
            NewAgent("r2", "a", "r1"),
            EnterAgent("r3", "r2"),
            _reacting(AnnounceAgent("r2"), "agent/created", DetachAgent("r3")),
        ),
    ),
    Recipe(
        "REG-5",
        (
            Create("r1", "a"),
            NewAgent("r2", "a", "r1"),
            EnterAgent("r3", "r2"),
            _reacting(AnnounceAgent("r2"), "agent/created", throws="x"),
            DetachAgent("r3"),
        ),
    ),
    Recipe(
        "REG-8",
        (
            Create("r1", "a"),
            NewAgent("r2", "a", "r1"),
            EnterAgent("r3", "r2"),
            AnnounceAgent("r2"),
            Listen("r4", "agent/disposed"),
            _reacting(DetachAgent("r3"), "agent/disposed", throws="x"),
        ),
    ),
    Recipe("REG-10", (Prepare("r1", "a"), NewAgent("r2", "a", "r1"), EnterAgent("r3", "r2"))),
    Recipe(
        "REG-9",
        (
            Create("r1", "a"),
            Create("r2", "b"),
            NewAgent("r3", "a", "r1"),
            NewAgent("r4", "b", "r2"),
            EnterAgent("r5", "r3"),
            EnterAgent("r6", "r4", "r3"),
            Look("b"),
        ),
    ),
    Recipe("TXN-1", (CreateAgent("r1", "a", setup=Setup(Script(), Commit((Look("a"),)))),)),
    Recipe("TXN-2", (CreateAgent("r1", "a", setup=Setup(Script((Look("a"),)))),)),
    Recipe(
        "TXN-6",
        (_reacting(CreateAgent("r1", "a"), "session/created", Abort("r1", "x")),),
    ),
    Recipe(
        "TXN-6",
        (_reacting(CreateAgent("r1", "a"), "agent/session-start", Abort("r1", "x")),),
    ),
    Recipe(
        "TXN-7",
        (_reacting(CreateAgent("r1", "a"), "agent/session-start", throws="x"),),
    ),
    Recipe("TXN-10", (CreateAgent("r1", "a", setup=HELD), CreateAgent("r2", "a"), Open("g"))),
    Recipe("TXN-11", (_reacting(Configure("r1", "a"), "agent/created", throws="x"),)),
    Recipe("RBK-1", (_reacting(CreateAgent("r1", "a"), "session/created", throws="x"), Look("a"))),
    Recipe(
        "RBK-1",
        (
            CreateAgent(
                "r1",
                "a",
                setup=Setup(
                    Script((Listen("r2", "session/disposed", agent="@agent"),), Throws("x")),
                ),
            ),
            Create("r3", "a"),
        ),
    ),
    Recipe(
        "RBK-3",
        (
            CreateAgent("r1", "a", setup=Setup()),
            Work("r2", "r1", "h"),
            Dispose("r3", "r1"),
            Dispose("r4", "r1"),
            Open("h"),
        ),
    ),
    Recipe(
        "RBK-5",
        (_reacting(CreateAgent("r1", "a"), "agent/created", throws="x"), CreateAgent("r2", "a")),
    ),
    Recipe("RBK-6", (Prepare("r1", "a"), Acquire("r2", "r1"), Release("r2"), Release("r2"))),
    Recipe(
        "OWN-3",
        (NewOwner("r1"), CreateAgent("r2", "a", owner="r1"), DisposeOwner("r3", "r1")),
    ),
    Recipe(
        "OWN-3",
        (
            NewOwner("r1"),
            CreateAgent("r2", "a", setup=HELD, owner="r1"),
            DisposeOwner("r3", "r1"),
            Open("g"),
        ),
    ),
    Recipe(
        "OWN-4",
        (CreateAgent("r1", "a"), DisposeFactory("r2"), CreateAgent("r3", "b")),
    ),
    Recipe(
        "FORK-3",
        (
            Create("r1", "a", (_event(0),), record({"cwd": Text("/w"), "agentPreset": Text("p")})),
            Fork("r2", "r1", None, None, "b"),
            Inspect("r2"),
        ),
    ),
)
