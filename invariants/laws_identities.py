"""Who configured agents are (IDN)."""

from collections.abc import Iterator

from invariants.law import HOLDS, AtEveryStep, Law, Taken, Violations
from invariants.reading import codes
from model.command import React
from model.observation import Booted, StartFailed
from model.owner_command import Boot, ConfiguredAgent, Identity
from model.refusal import Refusal


def booted(taken: Taken) -> Boot | None:
    """The boot that a step is, if it is one by itself."""
    return taken.command if isinstance(taken.command, Boot) else None


def wanted(boot: Boot) -> tuple[tuple[ConfiguredAgent, str | None], ...]:
    """Each agent as it stands in the end, with the one exact id that it is to have, if any."""
    replaced = {row.id: row for row in boot.overlay}
    given = {identity.agent: identity for identity in boot.identities}
    rows = tuple(replaced.get(row.id, row) for row in boot.agents)
    return tuple((row, _identity(row, given.get(row.id))) for row in rows)


def _identity(row: ConfiguredAgent, given: Identity | None) -> str | None:
    if given is not None:
        return None if given.resume and given.id == "" else given.id
    return row.resume_session_id or row.session_id


def conflicts(boot: Boot) -> bool:
    """Whether an agent has two identities, or two have one (IDN-3, IDN-4)."""
    named = {identity.agent for identity in boot.identities}
    exact = [name for _, name in wanted(boot) if name is not None]
    twice = any(
        row.session_id is not None and row.resume_session_id
        for row, _ in wanted(boot)
        if row.id not in named
    )
    return bool(twice) or len(exact) != len(set(exact))


def conflict_starts(taken: Taken) -> Violations:
    """A contradiction that is started, or what is none and is refused as one (IDN-3, IDN-4)."""
    boot = booted(taken)
    if boot is None:
        return HOLDS
    if not conflicts(boot):
        clashes = codes(taken.run.outcome) & {"IDENTITY_TWICE", "IDENTITY_SHARED"}
        return ("agents that can be told apart are refused",) if clashes else HOLDS
    live = taken.run.live.agents
    refused = isinstance(taken.run.outcome, Refusal) and not live and not taken.run.seen
    return HOLDS if refused else ("agents that cannot be told apart were started",)


def _conflicts(taken: Taken) -> bool:
    boot = booted(taken)
    return boot is not None and conflicts(boot)


def somebody_else(taken: Taken) -> Violations:
    """A configured agent that is not who it was to be, and not told of (IDN-1, 2, 6, 7)."""
    boot = booted(taken)
    if boot is None or not isinstance(taken.run.outcome, Booted):
        return HOLDS
    live = {taken.after.agents[agent].id for agent in taken.run.live.agents}
    told = {each.id for each in taken.run.seen if isinstance(each, StartFailed)}
    return tuple(
        f"agent {row.id!r} was to be {name!r}"
        for row, name in wanted(boot)
        if name is not None and name not in live | told and _can_start(boot, row, name)
    )


def _can_start(boot: Boot, row: ConfiguredAgent, name: str) -> bool:
    """Whether an agent need not wait for a persistence that does not come."""
    named = {identity.agent: identity for identity in boot.identities}
    resumes = named[row.id].resume if row.id in named else bool(row.resume_session_id)
    return boot.persists or not resumes or name == ""


def _an_identity_is_given(taken: Taken) -> bool:
    boot = booted(taken)
    given = boot is not None and any(name is not None for _, name in wanted(boot))
    return given and isinstance(taken.run.outcome, Booted)


def past_is_lost(taken: Taken) -> Violations:
    """An agent that was made anew over a log that is stored (IDN-7)."""
    boot = booted(taken)
    if boot is None or not boot.persists:
        return HOLDS
    damaged = {damage.id for damage in boot.damage if damage.how in ("garbled", "removed")}
    stored = {name for name, log in taken.before.disk if log.fault is None} - damaged
    return tuple(
        f"{taken.after.agents[agent].id!r} is stored, and was made anew"
        for agent in taken.run.live.agents
        if taken.after.agents[agent].id in stored
        and taken.after.sessions[taken.after.agents[agent].session].first is None
    )


def _a_past_is_asked_for(taken: Taken) -> bool:
    boot = booted(taken)
    stored = {name for name, _ in taken.before.disk}
    return boot is not None and any(name in stored for _, name in wanted(boot))


def fresh_is_known(taken: Taken) -> Violations:
    """An agent without an identity whose session's id is known from elsewhere (IDN-5)."""
    boot = booted(taken)
    if boot is None or not _somebody_is_fresh(taken):
        return HOLDS
    exact = {name for _, name in wanted(boot)}
    known = {session.id for session in taken.before.sessions.rows} | {row.id for row in boot.agents}
    fresh = (taken.after.agents[agent].id for agent in taken.run.live.agents)
    return tuple(
        f"{name!r} is no fresh id" for name in fresh if name not in exact and name in known
    )


def _somebody_is_fresh(taken: Taken) -> bool:
    boot = booted(taken)
    return boot is not None and any(name is None for _, name in wanted(boot))


def silence(taken: Taken) -> Violations:
    """A start that failed and was told of, and an agent of that id that is there (IDN-7)."""
    live = {taken.after.agents[agent].id for agent in taken.run.live.agents}
    return tuple(f"{name!r} is told of, and live" for name in _told(taken) if name in live)


def _told(taken: Taken) -> Iterator[str]:
    if isinstance(taken.command, React):
        return iter(())
    return (each.id for each in taken.run.seen if isinstance(each, StartFailed))


def _a_start_fails(taken: Taken) -> bool:
    return any(True for _ in _told(taken))


IDENTITIES = (
    Law(
        "agents that cannot be told apart are not started",
        ("IDN-3", "IDN-4"),
        AtEveryStep(conflict_starts, _conflicts),
        across=True,
    ),
    Law(
        "a configured agent is who it was to be",
        ("IDN-1", "IDN-2", "IDN-6"),
        AtEveryStep(somebody_else, _an_identity_is_given),
        across=True,
    ),
    Law(
        "a stored session is not made anew",
        ("IDN-7",),
        AtEveryStep(past_is_lost, _a_past_is_asked_for),
        across=True,
    ),
    Law(
        "a fresh identity is known from nowhere",
        ("IDN-5",),
        AtEveryStep(fresh_is_known, _somebody_is_fresh),
        across=True,
    ),
    Law(
        "who could not be started is not there",
        ("IDN-7",),
        AtEveryStep(silence, _a_start_fails),
        across=True,
    ),
)
