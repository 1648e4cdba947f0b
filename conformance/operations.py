"""Operations: one command of each kind, drawn in a world."""

from typing import get_args

from conformance import menus
from conformance.arguments import NOBODY
from conformance.scripts import Scripts
from conformance.steering import awaited, id_of, live_ids, possible
from model.agent_command import (
    Abort,
    AnnounceAgent,
    Configure,
    DetachAgent,
    Dispose,
    EnterAgent,
    NewAgent,
    Reason,
    Work,
)
from model.append import PRESET_SELECTED
from model.command import (
    CreateAgent,
    EventName,
    Forget,
    Holds,
    Listen,
    Open,
    Resume,
    Script,
    Single,
    Throws,
    Unlisten,
)
from model.log import END_SEED
from model.owner_command import (
    Boot,
    Damage,
    DamageKind,
    DisposeFactory,
    DisposeOwner,
    LoadFactory,
    NewOwner,
    SetFactory,
)
from model.referents import (
    AgentEntryRef,
    ListenerRef,
    OwnerRef,
    Pending,
    PreparationRef,
    SessionEntryRef,
    TransactionRef,
)
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
from model.values import Integer, Text, record
from model.world import World


class Operations(Scripts):
    """Draws a command of a given kind. `flushes` says how often a listener is one of flushes."""

    flushes = 2

    def _construct(self, _world: World, _depth: int) -> Single:
        session_id = self.an_id()
        headers = menus.allowed(menus.headers_for(session_id), self.limits.hostile)
        header = self.choices.pick((None, *headers))
        return Construct(self.fresh("s"), session_id, self.seed(), header)

    def _prepare(self, _world: World, _depth: int) -> Single:
        return Prepare(self.fresh("s"), self.an_id_or_none(), self.seed(), self.meta())

    def _create(self, world: World, depth: int) -> Single:
        owner = self.owner(world, depth)
        return Create(self.fresh("s"), self.an_id_or_none(), self.seed(), self.meta(), owner)

    def _enter(self, world: World, depth: int) -> Single:
        return Enter(self.fresh("d"), self.session(world, depth))

    def _announce(self, world: World, depth: int) -> Single:
        return Announce(self.session(world, depth))

    def _detach(self, world: World, _depth: int) -> Single:
        return Detach(self.bound(world, SessionEntryRef))

    def _append(self, world: World, depth: int) -> Single:
        session = self.session(world, depth)
        if self.choices.percent(10):
            return Append(session, "turn/start", record({"turn": Integer(1)}))
        if self.choices.percent(15):
            return Append(session, *self.choices.pick(menus.TURN_EVENTS))
        if self.choices.percent(10):
            return Append(session, PRESET_SELECTED, record({"preset": Text("q")}))
        kind = self.choices.pick((menus.NOTE, menus.NOTE, "turn/end", END_SEED, "my/own"))
        return Append(session, kind, self.data())

    def _flush(self, world: World, depth: int) -> Single:
        return Flush(self.fresh("f"), self.session(world, depth))

    def _acquire(self, world: World, depth: int) -> Single:
        return Acquire(self.fresh("p"), self.session(world, depth))

    def _release(self, world: World, _depth: int) -> Single:
        return Release(self.bound(world, PreparationRef))

    def _inspect(self, world: World, depth: int) -> Single:
        return Inspect(self.session(world, depth))

    def _look(self, world: World, _depth: int) -> Single:
        live = [each for each in live_ids(world) if self.can_name(each)]
        known = bool(live) and self.choices.percent(50)
        return Look(self.choices.pick(live) if known else self.an_id())

    def _tamper(self, world: World, depth: int) -> Single:
        return Tamper(self.session(world, depth), self.choices.pick(menus.PLACES))

    def _listen(self, world: World, depth: int) -> Single:
        scoped = self.choices.percent(30) and "TXN" in self.limits.groups
        agent = self.bound_if_any(world, TransactionRef) if scoped else None
        flushes: list[EventName] = ["session/flush"] * self.flushes
        event = self.choices.pick((*self.menu.events, *flushes))
        script = self.script_at(event, world, depth)
        if event == "session/flush" and self.choices.percent(50):
            fails = self.choices.percent(50)
            ending = Throws(self.fresh("x")) if fails else Holds(self.gate())
            script = Script(script.actions, ending)
        times = self.choices.pick((1, 1, 2, 0))
        return Listen(self.fresh("l"), event, script, times, agent)

    def _unlisten(self, world: World, _depth: int) -> Single:
        return Unlisten(self.bound(world, ListenerRef))

    def _new_agent(self, world: World, depth: int) -> Single:
        session = self.session(world, depth)
        matching = id_of(world, session)
        matches = matching is not None and self.can_name(matching) and self.choices.percent(65)
        return NewAgent(self.fresh("a"), (matches and matching) or self.an_id(), session)

    def _enter_agent(self, world: World, depth: int) -> Single:
        owner = self.agent(world, 0) if self.choices.percent(30) else None
        return EnterAgent(self.fresh("e"), self.agent(world, depth), owner)

    def _announce_agent(self, world: World, depth: int) -> Single:
        return AnnounceAgent(self.agent(world, depth))

    def _detach_agent(self, world: World, _depth: int) -> Single:
        return DetachAgent(self.bound(world, AgentEntryRef))

    def _create_agent(self, world: World, depth: int) -> Single:
        owner = self.owner(world, depth)
        handle = self.fresh("t")
        setup = self.setup(world, depth, handle)
        given = self.an_id(), self.seed(), self.meta()
        return CreateAgent(handle, *given, setup, owner, self.aborted())

    def _abort(self, world: World, _depth: int) -> Single:
        operation = self.bound(world, Pending, TransactionRef)
        reason = self.choices.pick(get_args(Reason))
        return Abort(operation, self.fresh("x"), reason)

    def _configure(self, _world: World, _depth: int) -> Single:
        return Configure(self.fresh("t"), self.an_id(), self.meta())

    def _dispose(self, world: World, _depth: int) -> Single:
        return Dispose(self.fresh("o"), self.bound(world, TransactionRef))

    def _work(self, world: World, depth: int) -> Single:
        return Work(self.fresh("w"), self.agent(world, depth), self.gate())

    def _open(self, world: World, _depth: int) -> Single:
        gates = awaited(world)
        known = bool(gates) and self.choices.percent(80)
        return Open(self.choices.pick(gates) if known else self.gate())

    def _fork(self, world: World, depth: int) -> Single:
        boundary = self.choices.pick(self.menu.boundaries)
        if self.choices.percent(30) or not (depth or possible(world, "inspect", inside=False)):
            return Fork(self.fresh("s"), None, self.an_id(), boundary, self.an_id_or_none())
        source = self.session(world, depth)
        return Fork(self.fresh("s"), source, None, boundary, self.an_id_or_none())

    def _new_owner(self, world: World, depth: int) -> Single:
        return NewOwner(self.fresh("n"), self.owner(world, depth))

    def _dispose_owner(self, world: World, _depth: int) -> Single:
        return DisposeOwner(self.fresh("q"), self.bound(world, OwnerRef))

    def _factory(self, world: World, _depth: int) -> Single:
        kind = self.choices.pick(("dispose", "load", "set"))
        if kind == "set" and possible(world, "dispose-owner", inside=False):
            return SetFactory(self.bound(world, OwnerRef))
        handle = self.fresh("q")
        if kind == "dispose":
            return DisposeFactory(handle)
        starts = "IDN" in self.limits.groups and self.choices.percent(50)
        return LoadFactory(handle, self.agents(world) if starts else ())

    def _resume(self, world: World, depth: int) -> Single:
        owner = self.owner(world, depth)
        handle = self.fresh("t")
        setup = self.setup(world, depth, handle)
        gate = self.gate() if self.choices.percent(25) else None
        return Resume(handle, self.a_stored_id(world), setup, owner, gate, self.aborted())

    def _read_stored(self, world: World, _depth: int) -> Single:
        return ReadStored(self.a_stored_id(world))

    def _boot(self, world: World, _depth: int) -> Single:
        damage: tuple[Damage, ...] = ()
        if world.disk and self.choices.percent(35):
            kind = self.choices.pick(get_args(DamageKind))
            damage = (Damage(self.a_stored_id(world), kind),)
        if "IDN" not in self.limits.groups or self.choices.percent(50):
            return Boot(damage)
        overlay = self.agents(world) if self.choices.percent(15) else ()
        persists = self.choices.percent(85)
        return Boot(damage, self.agents(world), overlay, self.identities(world), persists)

    def _forget(self, world: World, _depth: int) -> Single:
        names = [name for name, _ in world.bindings]
        return Forget(self.choices.pick(names) if names else NOBODY)
