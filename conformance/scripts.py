"""Scripts: what drawn listeners, setups and commits do."""

from abc import abstractmethod

from conformance import menus
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
        ending = Holds(self.gate()) if self.choices.percent(40) else self.ending(world)
        during = world if rejects(ending) else bound(world, operation, Pending(creation=True))
        script = Script(self.actions(during, depth), ending)
        if self.choices.percent(50):
            return Setup(script)
        fails = Throws(self.fresh("x")) if self.choices.percent(30) else Returns()
        return Setup(script, Commit(self.actions(during, depth), fails))

    def reaction(self, world: World, fired: tuple[EventName, ...]) -> Reaction:
        """What `watch` does at an event, mostly at one that is fired."""
        events = fired if fired and self.choices.percent(90) else menus.EVENTS
        return Reaction(self.choices.pick(events), self.script(world, 1))

    def actions(self, world: World, depth: int) -> tuple[Single, ...]:
        """The commands of a script."""
        if depth >= DEEPEST:
            return ()
        count = self.choices.pick((0, 1, 1, 2))
        return tuple(self.single(world, depth + 1) for _ in range(count))

    def script(self, world: World, depth: int) -> Script:
        """A script."""
        return Script(self.actions(world, depth), self.ending(world))

    def ending(self, world: World) -> Ending:
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
                return Holds(self.gate(), self.actions(world, DEEPEST - 1), then)
