"""Dispatch: the order of listeners, and that one's failure is not another's (STO-5, LOG-4)."""

from collections import Counter
from collections.abc import Iterator

from invariants.law import HOLDS, AtEveryStep, Law, Taken, Violations
from invariants.reading import heard, mentioned, script_of
from model.command import EventName, Listen, Throws, Unlisten
from model.dispatch import WATCH
from model.observation import Heard

CONTAINED: tuple[EventName, ...] = (
    "session/event",
    "session/disposed",
    "agent/disposed",
    "agent/session-start",
)

Key = tuple[str, int | None, int | None, int | None]
"""One thing that is dispatched: its event, and the objects and the seq that it carries."""


def steady(taken: Taken) -> tuple[str, ...]:
    """The listeners of no scope that were there during the whole step, in registration order."""
    if any(isinstance(each, Listen | Unlisten) for each in mentioned(taken)):
        return ()
    return tuple(row.name for row in taken.before.listeners.rows if row.scope is None)


def unordered(taken: Taken) -> Violations:
    """The listeners that hear something before one registered earlier does (STO-5, REG-5)."""
    order = (WATCH, *steady(taken))
    return tuple(_overtakings(taken, order)) if len(order) > 1 else HOLDS


def _overtakings(taken: Taken, order: tuple[str, ...]) -> Iterator[str]:
    counts: Counter[tuple[Key, str]] = Counter()
    events = {row.name: row.event for row in taken.before.listeners.rows}
    for each in taken.run.seen:
        if not isinstance(each, Heard) or each.listener not in order:
            continue
        if each.event == "session/flush":
            continue
        counts[_key(each), each.listener] += 1
        for earlier in order[: order.index(each.listener)]:
            listens = events.get(earlier, each.event) == each.event
            if listens and counts[_key(each), earlier] < counts[_key(each), each.listener]:
                yield f"{each.listener} hears {each.event} before {earlier}, which came first"


def _key(event: Heard) -> Key:
    return (event.event, event.session, event.agent, event.seq)


def _several_hear(taken: Taken) -> bool:
    listening = {row.event for row in taken.before.listeners.rows if row.event != "session/flush"}
    return any(bool(heard(taken, event)) for event in listening)


def starved(taken: Taken) -> Violations:
    """The listeners that miss what `watch` hears of a contained event (LOG-4, STO-8, REG-8)."""
    names = steady(taken)
    counts = Counter((_key(e), e.listener) for e in taken.run.seen if isinstance(e, Heard))
    return tuple(
        f"{row.name} misses {key[0]}"
        for (key, listener), times in counts.items()
        if listener == WATCH and key[0] in CONTAINED
        for row in taken.before.listeners.rows
        if row.event == key[0] and row.name in names and counts[key, row.name] != times
    )


def _one_fails_before_another(taken: Taken) -> bool:
    scripts = ((event, script_of(taken.command, event)) for event in CONTAINED)
    return any(
        script is not None
        and isinstance(script.ending, Throws)
        and bool(heard(taken, event))
        and any(row.event == event for row in taken.before.listeners.rows)
        for event, script in scripts
    )


DISPATCH = (
    Law(
        "listeners hear in the order of their registration",
        ("STO-5", "REG-5"),
        AtEveryStep(unordered, _several_hear),
    ),
    Law(
        "a listener's failure starves no other where failures are contained",
        ("LOG-4", "STO-8", "REG-8", "TXN-7"),
        AtEveryStep(starved, _one_fails_before_another),
    ),
)
