"""Drawing one command in a world."""

from collections.abc import Callable

from conformance import menus
from conformance.choices import Choices, Limits
from model.append import PRESET_SELECTED
from model.command import (
    Abort,
    Acquire,
    Announce,
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
    Ending,
    Enter,
    EnterAgent,
    Flush,
    Forget,
    Fork,
    Holds,
    Inspect,
    Listen,
    LoadFactory,
    Look,
    NewAgent,
    NewOwner,
    Open,
    Prepare,
    React,
    Reaction,
    Rejects,
    Release,
    Returns,
    Script,
    SetFactory,
    Setup,
    Single,
    Tamper,
    Throws,
    Together,
    Unlisten,
    Work,
)
from model.log import END_SEED
from model.referents import (
    AgentEntryRef,
    AgentRef,
    ListenerRef,
    OwnerRef,
    Pending,
    PreparationRef,
    Referent,
    SessionEntryRef,
    SessionRef,
    TransactionRef,
)
from model.values import Integer, Text, Value, record
from model.world import World

NOBODY = "nobody"
"""A handle that is never bound."""

RETRIES = 6
"""How often an operation is drawn again at most."""

DEEPEST = 3
"""How deep scripts nest at most."""


class Drawer:
    """Draws commands; handles are numbered as they are given."""

    def __init__(self, choices: Choices, limits: Limits, given: int = 0) -> None:
        """Draw within an implementation's limits; so many handles have been given."""
        self._choices = choices
        self._limits = limits
        self._count = given
        self._missed = False
        self._ids: tuple[str, ...] = (
            *menus.IDS[:2],
            *menus.IDS,
            *(menus.NEXT_MINTED if limits.mints else ()),
        )
        self._seeds = [
            menus.allowed(each, limits.hostile) for each in (menus.GOOD_SEEDS, menus.BAD_SEEDS)
        ]
        self._metas = [
            menus.allowed(each, limits.hostile) for each in (menus.GOOD_METAS, menus.BAD_METAS)
        ]
        self._data = [
            menus.allowed(each, limits.hostile) for each in (menus.GOOD_DATA, menus.BAD_DATA)
        ]
        self._table = self._weighted()

    def command(self, world: World) -> Command:
        """One command: by itself, with reactions, or together with others."""
        single = self._single(world, 0)
        if self._choices.percent(35):
            count = self._choices.pick((1, 1, 2))
            return React(single, tuple(self._reaction(world) for _ in range(count)))
        if self._choices.percent(10):
            count = self._choices.pick((1, 1, 2))
            return Together((single, *(self._single(world, 0) for _ in range(count))))
        return single

    def _weighted(self) -> list[Callable[[World, int], Single]]:
        table: list[tuple[int, str, Callable[[World, int], Single]]] = [
            (5, "STO", self._create),
            (3, "STO", self._prepare),
            (4, "STO", self._enter),
            (4, "STO", self._announce),
            (4, "STO", self._detach),
            (5, "LOG", self._append),
            (2, "HDR", self._construct),
            (2, "STO", self._flush),
            (1, "RBK", self._acquire),
            (1, "RBK", self._release),
            (1, "LOG", self._inspect),
            (1, "STO", self._look),
            (2, "HDR", self._tamper),
            (3, "STO", self._listen),
            (1, "STO", self._unlisten),
            (2, "REG", self._new_agent),
            (3, "REG", self._enter_agent),
            (3, "REG", self._announce_agent),
            (2, "REG", self._detach_agent),
            (6, "TXN", self._create_agent),
            (2, "TXN", self._abort),
            (1, "TXN", self._configure),
            (3, "RBK", self._dispose),
            (2, "RBK", self._work),
            (3, "TXN", self._open),
            (3, "FORK", self._fork),
            (2, "OWN", self._new_owner),
            (3, "OWN", self._dispose_owner),
            (1, "OWN", self._factory),
            (1, "STO", self._forget),
        ]
        groups = self._limits.groups
        return [draws for weight, group, draws in table if group in groups for _ in range(weight)]

    def _single(self, world: World, depth: int) -> Single:
        """One operation; one that names nothing is mostly drawn again."""
        for _ in range(RETRIES):
            self._missed = False
            single = self._choices.pick(self._table)(world, depth)
            if not self._missed or self._choices.percent(4):
                break
        return single

    def _fresh(self, prefix: str) -> str:
        self._count += 1
        return f"{prefix}{self._count}"

    def _bound(self, world: World, *kinds: type[Referent]) -> str:
        names: list[str] = [name for name, ref in world.bindings if isinstance(ref, kinds)]
        if names and not self._choices.percent(2):
            return self._choices.pick(names)
        self._missed = True
        return NOBODY

    def _session(self, world: World, depth: int) -> str:
        if depth and self._choices.percent(60):
            return "@session"
        return self._bound(world, SessionRef, AgentRef, TransactionRef)

    def _agent(self, world: World, depth: int) -> str:
        if depth and self._choices.percent(60):
            return "@agent"
        return self._bound(world, AgentRef, TransactionRef)

    def _owner(self, world: World, depth: int) -> str | None:
        if "OWN" not in self._limits.groups or self._choices.percent(50):
            return None
        if depth and self._choices.percent(30):
            return "@agent"
        return self._bound(world, OwnerRef, TransactionRef)

    def _id(self) -> str:
        return self._choices.pick(self._ids)

    def _id_or_none(self) -> str | None:
        return None if self._choices.percent(15) else self._id()

    def _gate(self) -> str:
        return self._choices.pick(menus.GATES)

    def _seed(self) -> tuple[Value, ...] | None:
        if self._choices.percent(50):
            return None
        return self._choices.pick(self._seeds[self._choices.percent(25)])

    def _meta(self) -> Value | None:
        if self._choices.percent(50):
            return None
        return self._choices.pick(self._metas[self._choices.percent(30)])

    def _construct(self, _world: World, _depth: int) -> Single:
        session_id = self._id()
        headers = menus.allowed(menus.headers_for(session_id), self._limits.hostile)
        header = self._choices.pick((None, *headers))
        return Construct(self._fresh("s"), session_id, self._seed(), header)

    def _prepare(self, _world: World, _depth: int) -> Single:
        return Prepare(self._fresh("s"), self._id_or_none(), self._seed(), self._meta())

    def _create(self, world: World, depth: int) -> Single:
        owner = self._owner(world, depth)
        return Create(self._fresh("s"), self._id_or_none(), self._seed(), self._meta(), owner)

    def _enter(self, world: World, depth: int) -> Single:
        return Enter(self._fresh("d"), self._session(world, depth))

    def _announce(self, world: World, depth: int) -> Single:
        return Announce(self._session(world, depth))

    def _detach(self, world: World, _depth: int) -> Single:
        return Detach(self._bound(world, SessionEntryRef))

    def _append(self, world: World, depth: int) -> Single:
        session = self._session(world, depth)
        if self._choices.percent(10):
            return Append(session, "turn/start", record({"turn": Integer(1)}))
        if self._choices.percent(10):
            return Append(session, PRESET_SELECTED, record({"preset": Text("q")}))
        kind = self._choices.pick((menus.NOTE, menus.NOTE, "turn/end", END_SEED, "my/own"))
        return Append(session, kind, self._choices.pick(self._data[self._choices.percent(25)]))

    def _flush(self, world: World, depth: int) -> Single:
        return Flush(self._fresh("f"), self._session(world, depth))

    def _acquire(self, world: World, depth: int) -> Single:
        return Acquire(self._fresh("p"), self._session(world, depth))

    def _release(self, world: World, _depth: int) -> Single:
        return Release(self._bound(world, PreparationRef))

    def _inspect(self, world: World, depth: int) -> Single:
        return Inspect(self._session(world, depth))

    def _look(self, _world: World, _depth: int) -> Single:
        return Look(self._id())

    def _tamper(self, world: World, depth: int) -> Single:
        return Tamper(self._session(world, depth), self._choices.pick(menus.PLACES))

    def _listen(self, world: World, depth: int) -> Single:
        scoped = self._choices.percent(30) and "TXN" in self._limits.groups
        agent = self._agent(world, depth) if scoped else None
        event = self._choices.pick((*menus.EVENTS, "session/flush", "session/flush"))
        times = self._choices.pick((1, 1, 2, 0))
        return Listen(self._fresh("l"), event, self._script(world, depth), times, agent)

    def _unlisten(self, world: World, _depth: int) -> Single:
        return Unlisten(self._bound(world, ListenerRef))

    def _new_agent(self, world: World, depth: int) -> Single:
        return NewAgent(self._fresh("a"), self._id(), self._session(world, depth))

    def _enter_agent(self, world: World, depth: int) -> Single:
        owner = self._agent(world, 0) if self._choices.percent(30) else None
        return EnterAgent(self._fresh("e"), self._agent(world, depth), owner)

    def _announce_agent(self, world: World, depth: int) -> Single:
        return AnnounceAgent(self._agent(world, depth))

    def _detach_agent(self, world: World, _depth: int) -> Single:
        return DetachAgent(self._bound(world, AgentEntryRef))

    def _create_agent(self, world: World, depth: int) -> Single:
        owner = self._owner(world, depth)
        setup = self._setup(world, depth)
        return CreateAgent(self._fresh("t"), self._id(), self._seed(), self._meta(), setup, owner)

    def _setup(self, world: World, depth: int) -> Setup | None:
        if self._choices.percent(30):
            return None
        script = self._script(world, depth)
        if self._choices.percent(40):
            script = Script(script.actions, Holds(self._gate()))
        if self._choices.percent(50):
            return Setup(script)
        ending = Throws(self._fresh("x")) if self._choices.percent(30) else Returns()
        return Setup(script, Commit(self._actions(world, depth), ending))

    def _abort(self, world: World, _depth: int) -> Single:
        return Abort(self._bound(world, Pending, TransactionRef), self._fresh("x"))

    def _configure(self, _world: World, _depth: int) -> Single:
        return Configure(self._fresh("t"), self._id(), self._meta())

    def _dispose(self, world: World, _depth: int) -> Single:
        return Dispose(self._fresh("o"), self._bound(world, TransactionRef))

    def _work(self, world: World, depth: int) -> Single:
        return Work(self._fresh("w"), self._agent(world, depth), self._gate())

    def _open(self, _world: World, _depth: int) -> Single:
        return Open(self._gate())

    def _fork(self, world: World, depth: int) -> Single:
        boundaries = menus.allowed_boundaries(self._limits.hostile)
        boundary = self._choices.pick(boundaries)
        if self._choices.percent(30):
            return Fork(self._fresh("s"), None, self._id(), boundary, self._id_or_none())
        source = self._session(world, depth)
        return Fork(self._fresh("s"), source, None, boundary, self._id_or_none())

    def _new_owner(self, world: World, depth: int) -> Single:
        return NewOwner(self._fresh("n"), self._owner(world, depth))

    def _dispose_owner(self, world: World, _depth: int) -> Single:
        return DisposeOwner(self._fresh("q"), self._bound(world, OwnerRef))

    def _factory(self, world: World, _depth: int) -> Single:
        kind = self._choices.pick(("dispose", "load", "set"))
        if kind == "set":
            return SetFactory(self._bound(world, OwnerRef))
        handle = self._fresh("q")
        return DisposeFactory(handle) if kind == "dispose" else LoadFactory(handle)

    def _forget(self, world: World, _depth: int) -> Single:
        names = [name for name, _ in world.bindings]
        return Forget(self._choices.pick(names) if names else NOBODY)

    def _reaction(self, world: World) -> Reaction:
        return Reaction(self._choices.pick(menus.EVENTS), self._script(world, 1))

    def _actions(self, world: World, depth: int) -> tuple[Single, ...]:
        if depth >= DEEPEST:
            return ()
        count = self._choices.pick((0, 1, 1, 2))
        return tuple(self._single(world, depth + 1) for _ in range(count))

    def _script(self, world: World, depth: int) -> Script:
        return Script(self._actions(world, depth), self._ending(world))

    def _ending(self, world: World) -> Ending:
        kind = self._choices.pick(("returns",) * 5 + ("throws",) * 2 + ("rejects", "holds"))
        match kind:
            case "returns":
                return Returns()
            case "throws":
                return Throws(self._fresh("x"))
            case "rejects":
                return Rejects(self._fresh("x"))
            case _:
                fails = self._choices.percent(30)
                then = Throws(self._fresh("x")) if fails else Returns()
                return Holds(self._gate(), self._actions(world, DEEPEST - 1), then)
