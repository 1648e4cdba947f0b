"""One synchronous turn: the world as it changes, and what has been seen so far.

JavaScript runs to completion between awaits, so a command runs in one turn, inside which
listeners may re-enter, and then hands the rest to *tasks*: continuations that are ready to run
and whose order nothing fixes.
"""

from dataclasses import dataclass, replace
from typing import Literal, Protocol

from model.command import Reaction, Single
from model.design import Design
from model.observation import Live, Observation, Outcome
from model.owner_command import Boot, ConfiguredAgent
from model.referents import AgentRef, ListenerRef, Pending, Referent, SessionRef, TransactionRef
from model.refusal import Refusal
from model.rows import NO_SUBJECT, Subject, Suspended
from model.session_command import Name
from model.stored import Start
from model.world import World, agent_entry_of, bound, live, referent, session_entry_of


@dataclass(frozen=True, slots=True)
class SetupOver:
    """A transaction's setup has returned or failed."""

    transaction: int
    failure: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Publish:
    """A transaction acts on how its setup ended."""

    transaction: int


@dataclass(frozen=True, slots=True)
class Unload:
    """An owner that is being unloaded disposes of its effects."""

    owner: int


@dataclass(frozen=True, slots=True)
class Load:
    """A factory is loaded."""

    operation: Name
    agents: tuple[ConfiguredAgent, ...] = ()


@dataclass(frozen=True, slots=True)
class TearDown:
    """A teardown goes on with the step at its position."""

    transaction: int


@dataclass(frozen=True, slots=True)
class GateOpened:
    """A script that waited at a gate goes on."""

    script: Suspended


@dataclass(frozen=True, slots=True)
class WorkOver:
    """An agent's work is over."""

    agent: int


@dataclass(frozen=True, slots=True)
class StartOver:
    """The start of a configured agent has failed."""

    start: Start
    failure: Refusal


@dataclass(frozen=True, slots=True)
class Lookup:
    """The disk is asked whether it lists the id of a start that failed."""

    id: str
    start: Start
    failure: Refusal


@dataclass(frozen=True, slots=True)
class Find:
    """A load looks for its session: among those prepared, or on the disk."""

    load: int


@dataclass(frozen=True, slots=True)
class Arrive:
    """A load's session arrives."""

    load: int


@dataclass(frozen=True, slots=True)
class Retire:
    """A disposed session's last events are about to be stored."""

    session: int


@dataclass(frozen=True, slots=True)
class Flushing:
    """A flush looks whether there is anything left to store of its session."""

    session: int
    operation: Name
    slot: int


@dataclass(frozen=True, slots=True)
class Fetch:
    """The disk is read for a load, and mended where its log needs it."""

    id: str
    load: int


@dataclass(frozen=True, slots=True)
class Await:
    """A load waits until what was asked of the disk before is done."""

    id: str
    load: int


@dataclass(frozen=True, slots=True)
class Store:
    """A session is stored as far as it has got; a flush may wait for that, in one of its slots."""

    id: str
    session: int
    does: Literal["begin", "write", "retire", "flush"]
    operation: Name = ""
    slot: int = 0


@dataclass(frozen=True, slots=True)
class Settle:
    """An operation's promise settles. `binds` is what its handle then means."""

    operation: Name
    outcome: Outcome
    binds: Referent | None = None


DiskTask = Fetch | Await | Store | Lookup
"""What the disk is asked for: it answers when nothing else is ready, each id in turn (RES-8)."""

Task = (
    SetupOver
    | Publish
    | Load
    | Unload
    | TearDown
    | GateOpened
    | WorkOver
    | StartOver
    | Find
    | Arrive
    | Retire
    | Flushing
    | DiskTask
    | Settle
)


class Perform(Protocol):
    """How a script runs one of its commands: the operation table of `model.step`."""

    def __call__(self, turn: "Turn", command: Single) -> "Answer":
        """Run one command inside the turn."""
        ...


@dataclass(frozen=True, slots=True)
class Turn:
    """The state of one run of a command.

    `reactions` are those of the command that have not fired, `ready` the tasks that could run
    next, in the order in which they became ready. `dies` is the boot that has ended the process:
    what its scripts still do is nobody's business. `booted` is how another process has
    started.
    """

    world: World
    design: Design
    perform: Perform
    seen: tuple[Observation, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    ready: tuple[Task, ...] = ()
    subject: Subject = NO_SUBJECT
    dies: Boot | None = None
    booted: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What an operation leaves: the turn, and the outcome for its caller."""

    turn: Turn
    outcome: Outcome


def with_world(turn: Turn, world: World) -> Turn:
    """The turn with another world."""
    return replace(turn, world=world)


def soon(turn: Turn, task: Task) -> Turn:
    """The turn with one more task ready to run."""
    return replace(turn, ready=(*turn.ready, task))


def observe(turn: Turn, observation: Observation) -> Turn:
    """The turn in which this has been seen, unless the process has ended."""
    return turn if turn.dies is not None else replace(turn, seen=(*turn.seen, observation))


def alive(turn: Turn) -> Live:
    """What is live at this moment of the turn."""
    return live(turn.world, turn.design)


def refused(turn: Turn, refusal: Refusal) -> Answer:
    """Refuse: the turn stays as it is."""
    return Answer(turn, refusal)


UNBOUND = Refusal("UNBOUND", "protocol")


def handle_fault(world: World, handle: Name) -> Refusal | None:
    """Why a handle cannot be given now: what it names is not over."""
    match referent(world, handle):
        case Pending() | ListenerRef():
            return Refusal("HANDLE_IN_USE", "protocol")
        case TransactionRef(number) if can_be_seen(world, number):
            return Refusal("HANDLE_IN_USE", "protocol")
        case _:
            return None


def can_be_seen(world: World, number: int) -> bool:
    """Whether a transaction's agent, its session or the end of its scope may still be observed."""
    row = world.transactions[number]
    return (
        world.owners[row.scope].stage == "active"
        or agent_entry_of(world, row.agent) is not None
        or session_entry_of(world, world.agents[row.agent].session) is not None
    )


def bind(turn: Turn, handle: Name, ref: Referent) -> Turn:
    """The turn in which the handle means this."""
    return with_world(turn, bound(turn.world, handle, ref))


def session_named(turn: Turn, handle: Name) -> int | None:
    """The session that a handle means or stands for, if any."""
    if handle == "@session":
        return turn.subject.session
    agent = agent_named(turn, handle)
    if agent is not None:
        return turn.world.agents[agent].session
    ref = referent(turn.world, handle)
    return ref.number if isinstance(ref, SessionRef) else None


def agent_named(turn: Turn, handle: Name) -> int | None:
    """The agent that a handle means or stands for, if any."""
    if handle == "@agent":
        return turn.subject.agent
    match referent(turn.world, handle):
        case AgentRef(number):
            return number
        case TransactionRef(number):
            return turn.world.transactions[number].agent
        case _:
            return None


def transaction_of(turn: Turn, handle: Name) -> int | None:
    """The transaction that made the agent a handle means, if any."""
    agent = agent_named(turn, handle)
    return None if agent is None else turn.world.agents[agent].transaction
