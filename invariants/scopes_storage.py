"""Scopes of what is stored, resumed, and configured."""

from invariants.given import ABORT, held
from model.agent_command import (
    Abort,
    Dispose,
)
from model.command import (
    Open,
    Resume,
    Throws,
)
from model.owner_command import (
    Boot,
    ConfiguredAgent,
    Damage,
    Identity,
)
from model.scope import Bounds, Handles, Menu, Reacting, Scope
from model.session_command import (
    Append,
    Create,
    Detach,
    Enter,
    Flush,
    Prepare,
    ReadStored,
)
from model.values import EMPTY, Integer, record

CONFIGURED = (
    (ConfiguredAgent("m"),),
    (ConfiguredAgent("m", "a"), ConfiguredAgent("n", "b")),
    (ConfiguredAgent("m", resume_session_id="a"),),
    (ConfiguredAgent("m", "a", "b"),),
    (ConfiguredAgent("m", "a"), ConfiguredAgent("n", resume_session_id="a")),
)
"""Agents without an identity, with exact ones, with one to be resumed, and with too many."""

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
