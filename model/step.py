"""The model's step: one command, and every way in which it may go."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from model import (
    append,
    boot,
    disposal,
    fork,
    identities,
    listen,
    owner,
    prepare,
    registry,
    resume,
    sessions,
    storage,
    teardown,
    transaction,
)
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
from model.boot import reborn, told
from model.canonical import purged
from model.command import (
    Command,
    CreateAgent,
    Forget,
    Listen,
    Open,
    React,
    Resume,
    Single,
    Together,
    Unlisten,
)
from model.design import DSH, Design
from model.observation import All, Booted, Live, Observation, Outcome, Settled
from model.owner_command import (
    Boot,
    DisposeFactory,
    DisposeOwner,
    LoadFactory,
    NewOwner,
    SetFactory,
)
from model.script import resume as go_on
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
    ReadStored,
    Release,
    Tamper,
)
from model.turn import (
    Answer,
    Arrive,
    Await,
    DiskTask,
    Fetch,
    Find,
    Flushing,
    GateOpened,
    Load,
    Lookup,
    Publish,
    Retire,
    Settle,
    SetupOver,
    StartOver,
    Store,
    Task,
    TearDown,
    Turn,
    Unload,
    WorkOver,
    alive,
    bind,
    observe,
    with_world,
)
from model.world import World, unbound


@dataclass(frozen=True, slots=True)
class Run:
    """One way in which a command may go.

    The next world, the outcome, what is seen in order, and what is live at the end. `booted` says
    that the process ended on the way, and that the world is the next one's.
    """

    world: World
    outcome: Outcome
    seen: tuple[Observation, ...]
    live: Live
    booted: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """Every way in which a command may go; the first is the one that DSH takes."""

    runs: tuple[Run, ...]


def step(world: World, command: Command, design: Design = DSH) -> Step:
    """Run a command in a world.

    The step is total: what cannot be done is refused and leaves the world as it is. There are
    several runs where several continuations are ready at once and nothing orders them.
    """
    return Step(tuple(runs(world, command, design)))


def runs(world: World, command: Command, design: Design = DSH) -> Iterator[Run]:
    """The runs of a step one by one, for a caller that does not want them all."""
    answer = start(Turn(world, design, perform), command)
    for end in drained(answer.turn):
        outcome = answer.outcome if end.booted is None else told(end, end.booted)
        yield Run(purged(end.world), outcome, end.seen, alive(end), end.booted is not None)


def start(turn: Turn, command: Command) -> Answer:
    """Run the synchronous part of a command."""
    match command:
        case React(single, reactions):
            return perform(replace(turn, reactions=reactions), single)
        case Together(commands):
            outcomes: list[Outcome] = []
            for single in commands:
                answer = perform(turn, single)
                turn = answer.turn
                outcomes.append(answer.outcome)
            return Answer(turn, All(tuple(outcomes)))
        case _:
            return perform(turn, command)


def drained(turn: Turn) -> Iterator[Turn]:
    """Run what is ready until nothing is, in every order, the order of becoming ready first."""
    turn = hurried(turn)
    known = {turn} if turn.ready else set()
    waiting = [turn]
    while waiting:
        turn = waiting.pop()
        if not turn.ready:
            yield turn
        for index in reversed(choices(turn)):
            after = hurried(chosen(turn, index))
            if after not in known:
                known.add(after)
                waiting.append(after)


def hurried(turn: Turn) -> Turn:
    """Run what is ready as long as there is no choice; a process that has ended runs nothing."""
    while turn.dies is not None:
        turn = reborn(turn, turn.dies)
    while len(places := choices(turn)) == 1:
        turn = chosen(turn, places[0])
        while turn.dies is not None:
            turn = reborn(turn, turn.dies)
    return turn


def choices(turn: Turn) -> tuple[int, ...]:
    """The places of the tasks that may run next: the disk's only where there are no others.

    The disk does one thing after the other for an id. Listing what it holds waits for nothing, and
    takes less than storing a session, so it comes first.
    """
    prompt = tuple(n for n, task in enumerate(turn.ready) if not isinstance(task, DiskTask))
    if prompt:
        return prompt
    lists = [place for place, task in enumerate(turn.ready) if isinstance(task, Lookup)]
    first: dict[str, int] = {}
    for place, task in enumerate(turn.ready):
        if isinstance(task, Fetch | Await | Store):
            first.setdefault(task.id, place)
    return (*lists, *first.values())


def chosen(turn: Turn, index: int) -> Turn:
    """Run one of the ready continuations to its next await."""
    rest = (*turn.ready[:index], *turn.ready[index + 1 :])
    return advance(replace(turn, ready=rest), turn.ready[index])


def advance(turn: Turn, task: Task) -> Turn:
    """Run one continuation to its next await."""
    match task:
        case SetupOver():
            return transaction.set_up_over(turn, task)
        case Publish(number):
            return transaction.publish(turn, number)
        case Load():
            return identities.load(turn, task)
        case Unload(number):
            return teardown.unload(turn, number)
        case TearDown(number):
            return teardown.go_on(turn, number)
        case GateOpened(script):
            return go_on(turn, script)
        case WorkOver(agent):
            return disposal.work_over(turn, agent)
        case StartOver():
            return identities.start_over(turn, task)
        case Lookup():
            return identities.lookup(turn, task)
        case Find(load):
            return resume.find(turn, load)
        case Fetch():
            return resume.fetch(turn, task)
        case Await(_, load):
            return resume.find(turn, load)
        case Arrive(load):
            return resume.arrive(turn, load)
        case Flushing():
            return storage.flush(turn, task)
        case Retire(session):
            return storage.retire(turn, session)
        case Store():
            return storage.store(turn, task)
        case Settle():
            return settle(turn, task)
        case _:
            assert_never(task)


def settle(turn: Turn, task: Settle) -> Turn:
    """Settle an operation: its handle means what came of it, or nothing any more (TXN-8)."""
    if task.binds is None:
        turn = with_world(turn, unbound(turn.world, task.operation))
    else:
        turn = bind(turn, task.operation, task.binds)
    return observe(turn, Settled(task.operation, task.outcome, alive(turn)))


def perform(turn: Turn, command: Single) -> Answer:
    """Run one operation inside a turn."""
    if turn.dies is not None:
        return Answer(turn, Booted())
    match command:
        case Construct():
            return prepare.construct(turn, command)
        case Prepare():
            return prepare.prepare(turn, command)
        case Enter():
            return sessions.enter(turn, command)
        case Announce():
            return sessions.announce(turn, command)
        case Detach():
            return sessions.detach(turn, command)
        case Create():
            return sessions.create(turn, command)
        case Fork():
            return fork.fork(turn, command)
        case Append():
            return append.append(turn, command)
        case Flush():
            return append.flush(turn, command)
        case Acquire():
            return listen.acquire(turn, command)
        case Release():
            return listen.release(turn, command)
        case Inspect():
            return append.inspect(turn, command)
        case Look():
            return append.look(turn, command)
        case Tamper():
            return append.tamper(turn, command)
        case Listen():
            return listen.listen(turn, command)
        case Unlisten():
            return listen.unlisten(turn, command)
        case NewAgent():
            return registry.new_agent(turn, command)
        case EnterAgent():
            return registry.enter_agent(turn, command)
        case AnnounceAgent():
            return registry.announce_agent(turn, command)
        case DetachAgent():
            return registry.detach_agent(turn, command)
        case CreateAgent():
            return transaction.create_agent(turn, command)
        case Abort():
            return transaction.abort(turn, command)
        case Configure():
            return transaction.configure(turn, command)
        case Dispose():
            return disposal.dispose(turn, command)
        case Work():
            return disposal.work(turn, command)
        case Open():
            return listen.open_gate(turn, command)
        case NewOwner():
            return owner.new_owner(turn, command)
        case DisposeOwner():
            return disposal.dispose_owner(turn, command)
        case DisposeFactory():
            return disposal.dispose_factory(turn, command)
        case LoadFactory():
            return owner.load_factory(turn, command)
        case SetFactory():
            return owner.set_factory(turn, command)
        case Resume():
            return resume.resume(turn, command)
        case ReadStored():
            return boot.read_stored(turn, command)
        case Boot():
            return boot.boot(turn, command)
        case Forget():
            return listen.forget(turn, command)
        case _:
            assert_never(command)
