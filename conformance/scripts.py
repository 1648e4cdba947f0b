"""Scripts: what drawn listeners, setups and commits do."""

from abc import abstractmethod

from conformance.arguments import Arguments
from conformance.steering import rejects
from model.command import (
    Commit,
    Ending,
    EventName,
    Holds,
    Reaction,
    Rejects,
    Returns,
    Script,
    Setup,
    Single,
    Throws,
)
from model.referents import Pending
from model.world import World, bound

DEEPEST = 3
"""How deep scripts nest at most."""


class Scripts(Arguments):
    """Draws scripts, which are made of commands."""

    @abstractmethod
    def single(self, world: World, depth: int) -> Single:
        """One command, so deep inside scripts."""

    def setup(self, world: World, depth: int, operation: str) -> Setup | None:
        """A setup of one operation, if any."""
        if self.choices.percent(30):
            return None
        ending = (
            Holds(self.gate()) if self.choices.percent(40) else self.ending(world, agent_given=True)
        )
        during = world if rejects(ending) else bound(world, operation, Pending(creation=True))
        script = Script(self.actions(during, depth, agent_given=True), ending)
        if self.choices.percent(50):
            return Setup(script)
        fails = Throws(self.fresh("x")) if self.choices.percent(30) else Returns()
        return Setup(script, Commit(self.actions(during, depth, agent_given=True), fails))

    def reaction(self, world: World, fired: tuple[EventName, ...]) -> Reaction:
        """What `watch` does at an event, mostly at one that is fired."""
        events = fired if fired and self.choices.percent(90) else self.menu.events
        event = self.choices.pick(events)
        return Reaction(event, self.script_at(event, world, 1))

    def actions(self, world: World, depth: int, *, agent_given: bool) -> tuple[Single, ...]:
        """The commands of a script, in which `@agent` means something or does not."""
        if depth >= DEEPEST:
            return ()
        before, self.agent_given = self.agent_given, agent_given
        count = self.choices.pick((0, 1, 1, 2))
        singles = tuple(self.single(world, depth + 1) for _ in range(count))
        self.agent_given = before
        return singles

    def script_at(self, event: EventName, world: World, depth: int) -> Script:
        """A script of a listener."""
        agent_given = event.startswith("agent/")
        actions = self.actions(world, depth, agent_given=agent_given)
        return Script(actions, self.ending(world, agent_given=agent_given))

    def ending(self, world: World, *, agent_given: bool) -> Ending:
        """How a script ends."""
        kind = self.choices.pick(("returns",) * 5 + ("throws",) * 2 + ("rejects", "holds"))
        match kind:
            case "returns":
                return Returns()
            case "throws":
                return Throws(self.fresh("x"))
            case "rejects":
                return Rejects(self.fresh("x"))
            case _:
                fails = self.choices.percent(30)
                then = Throws(self.fresh("x")) if fails else Returns()
                rest = self.actions(world, DEEPEST - 1, agent_given=agent_given)
                return Holds(self.gate(), rest, then)
