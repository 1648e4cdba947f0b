"""Whether two runs look the same to a client, up to what their objects are called.

A client sees objects as tokens: the same object always under the same one. Two runs look the
same if one renaming turns everything that is seen in the one into what is seen in the other, and
that renaming goes on to hold in whatever is seen later.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Literal, NamedTuple

from model.canonical import settled
from model.observation import Live
from model.reachable import reachable
from model.refusal import Refusal
from model.step import Run
from model.world import World

Kind = Literal["session", "agent"]
KINDS: dict[str, Kind] = {"session": "session", "agent": "agent", "owner": "agent"}


class Named(NamedTuple):
    """An object that is seen."""

    kind: Kind
    number: int


class Said(NamedTuple):
    """Anything else that is seen."""

    what: object


Pair = tuple[int | None, int | None]
"""An object of the one world and what it is in the other; None is an object long gone."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """Which session and which agent of one world is which of the other."""

    sessions: frozenset[Pair] = frozenset()
    agents: frozenset[Pair] = frozenset()

    def of(self, kind: Kind) -> frozenset[Pair]:
        """The pairs of one kind."""
        return self.sessions if kind == "session" else self.agents


def shown(run: Run) -> tuple[Named | Said, ...]:
    """Everything that a client sees of a run, in order."""
    seen = (part for observation in run.seen for part in _parts(observation))
    return (*_parts(run.outcome), Said(len(run.seen)), *seen, *_parts(run.live))


def _parts(value: object) -> Iterator[Named | Said]:
    match value:
        case Live(sessions, agents):
            yield Said((len(sessions), len(agents)))
            yield from (Named("session", number) for number in sessions)
            yield from (Named("agent", number) for number in agents)
        case Refusal():
            yield Said(value)
        case tuple():
            yield Said(len(value))
            for each in value:
                yield from _parts(each)
        case _ if is_dataclass(value) and not isinstance(value, type):
            yield Said(type(value))
            for each in fields(value):
                yield from _field(each.name, getattr(value, each.name))
        case _:
            yield Said(value)


def _field(name: str, value: object) -> Iterator[Named | Said]:
    if name in KINDS and isinstance(value, int):
        yield Named(KINDS[name], value)
    else:
        yield from _parts(value)


def alike(one: Run, other: Run, renaming: Renaming) -> Renaming | None:
    """The renaming under which the first run looks like the second, if there is one."""
    first, second = shown(one), shown(other)
    if len(first) != len(second):
        return None
    pairs = {"session": set(renaming.sessions), "agent": set(renaming.agents)}
    for mine, theirs in zip(first, second, strict=True):
        if isinstance(mine, Said) or isinstance(theirs, Said):
            if not _says_the_same(mine, theirs):
                return None
        elif mine.kind != theirs.kind or not _is(pairs[mine.kind], mine.number, theirs.number):
            return None
    return Renaming(frozenset(pairs["session"]), frozenset(pairs["agent"]))


def _says_the_same(mine: Named | Said, theirs: Named | Said) -> bool:
    match mine, theirs:
        case Said(Refusal(code, _, tag)), Said(Refusal(expected, _, other_tag, also)):
            return tag == other_tag and code in {expected, *also}
        case Said(what), Said(other):
            return type(what) is type(other) and what == other
        case _:
            return False


def _is(pairs: set[Pair], mine: int, theirs: int) -> bool:
    """Whether the one object can be the other; if neither was seen before, it is from now on."""
    known = [pair for pair in pairs if pair[0] == mine or pair[1] == theirs]
    if not known:
        pairs.add((mine, theirs))
        return True
    return known == [(mine, theirs)]


def moved(renaming: Renaming, one: World, other: World) -> Renaming:
    """The renaming after both worlds have become canonical."""
    mine, theirs = reachable(settled(one)), reachable(settled(other))
    return Renaming(
        _moved(renaming.sessions, mine.sessions, theirs.sessions),
        _moved(renaming.agents, mine.agents, theirs.agents),
    )


def _moved(pairs: frozenset[Pair], mine: dict[int, int], theirs: dict[int, int]) -> frozenset[Pair]:
    moved_pairs = (
        (None if one is None else mine.get(one), None if other is None else theirs.get(other))
        for one, other in pairs
    )
    return frozenset(pair for pair in moved_pairs if pair != (None, None))
