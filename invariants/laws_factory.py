"""The factory: its agents go with it, and there is one at a time (OWN-4, OWN-5, OWN-6)."""

from collections.abc import Iterator

from invariants.collection import AGENTS
from invariants.creations import own_entries_only
from invariants.law import HOLDS, Always, AtEveryStep, Law, Taken, Violations
from invariants.laws_owners import cut_short, published_in
from invariants.reading import agent_name, codes, doings, is_new, outcome_of, outcomes, plain
from model.agent_command import Configure
from model.command import CreateAgent, Together
from model.observation import Done, Outcome, Settled, Started
from model.owner_command import DisposeFactory, LoadFactory, SetFactory
from model.refusal import Refusal
from model.teardown import BEFORE_TEARDOWN
from model.world import World


def outlives_factory(world: World) -> Violations:
    """The agents that are left of a factory that goes or is gone (OWN-4)."""
    return tuple(
        f"{agent_name(world, row.agent)} is {row.stage}, and its factory is {stage}"
        for row in world.transactions.rows
        if (stage := world.owners[row.factory].stage) != "active"
        if row.stage in BEFORE_TEARDOWN or (stage == "gone" and row.stage != "gone")
    )


def _some_factory_went(world: World) -> bool:
    gone = {number for number, row in enumerate(world.owners.rows) if row.stage == "gone"}
    return any(row.factory in gone for row in world.transactions.rows)


def settled_before_gone(taken: Taken) -> Violations:
    """The disposals of factories that settled while an agent of theirs was live (OWN-4)."""
    return tuple(
        f"{each.operation} settles while {agent_name(taken.after, row.agent)} is live"
        for each, factory in _disposals(taken)
        for row in taken.after.transactions.rows
        if row.factory == factory and row.agent in each.live.agents
        if own_entries_only(AGENTS, taken, row.agent)
    )


def _disposals(taken: Taken) -> Iterator[tuple[Settled, int]]:
    """The disposals of factories that settled in the step, each with its factory."""
    rows = tuple(enumerate(taken.before.owners.rows))
    awaited = {
        operation: number
        for number, row in rows
        if row.kind == "factory"
        for operation in row.disposes
    }
    match plain(taken.command):
        case DisposeFactory(handle):
            last = max(number for number, row in rows if row.kind == "factory")
            if taken.before.owners[last].stage == "active":
                awaited[handle] = last
        case _:
            pass
    for each in taken.run.seen:
        if isinstance(each, Settled) and each.outcome == Done() and each.operation in awaited:
            yield each, awaited[each.operation]


def _busy_was_waited_for(taken: Taken) -> bool:
    return any(taken.before.owners[number].stage == "unloading" for _, number in _disposals(taken))


def publication_cut_short(taken: Taken) -> Violations:
    """The publications that the disposal of their factory cut short, or outlived (OWN-4)."""
    return tuple(
        f"{taken.after.transactions[number].operation} {text}"
        for number in _factory_disposed_in_publication(taken)
        for text in cut_short(taken, number, "INACTIVE")
    )


def _factory_disposed_in_publication(taken: Taken) -> Iterator[int]:
    """The transactions whose factory was disposed of inside an event of their publication."""
    for doing in doings(taken):
        if isinstance(doing.action, DisposeFactory) and doing.outcome == Started():
            for number in published_in(taken, doing.inside):
                if taken.after.transactions[number].factory == taken.before.slot:
                    yield number


def _disposed_in_publication(taken: Taken) -> bool:
    return any(True for _ in _factory_disposed_in_publication(taken))


def _asks_for_agent(taken: Taken) -> Outcome | None:
    """What the command got, if it asks for an agent."""
    match plain(taken.command):
        case CreateAgent(handle):
            return outcome_of(taken, handle) or taken.run.outcome
        case Configure():
            return taken.run.outcome
        case _:
            return None


def made_without_factory(taken: Taken) -> Violations:
    """An agent that was made, or not refused for that reason, without a factory (OWN-4, OWN-6)."""
    outcome = _asks_for_agent(taken)
    if outcome is None or not _factory_is_missing(taken):
        return HOLDS
    nameless = codes(outcome) & {"UNBOUND", "HANDLE_IN_USE"}
    wrong = (
        (len(taken.after.transactions) > len(taken.before.transactions), "an agent is made"),
        (not nameless and "NO_FACTORY" not in codes(outcome), f"the caller got {outcome}"),
    )
    return tuple(f"without a factory {text}" for is_wrong, text in wrong if is_wrong)


def _factory_is_missing(taken: Taken) -> bool:
    return taken.before.slot is None and _asks_for_agent(taken) is not None


def made_by_inactive(taken: Taken) -> Violations:
    """The agents that were asked for after their factory began to go, and not refused (OWN-5)."""
    return tuple(
        f"{handle} was asked for after its factory began to go, and got {outcome}"
        for handle, outcome in _asked_too_late(taken)
        if not isinstance(outcome, Refusal)
    )


def _asked_too_late(taken: Taken) -> Iterator[tuple[str, Outcome]]:
    """The creations in the very turn of the factory's disposal, each with what it got.

    After that turn nobody is registered any more.
    """
    if taken.before.slot is None or not isinstance(taken.command, Together):
        return
    goes = False
    for command, outcome in zip(taken.command.commands, outcomes(taken), strict=True):
        match command:
            case DisposeFactory():
                goes = outcome == Started()
            case CreateAgent(handle) if goes:
                yield handle, outcome_of(taken, handle) or outcome
            case Configure(handle) if goes:
                yield handle, outcome
            case _:
                continue


def _is_asked_too_late(taken: Taken) -> bool:
    return any(True for _ in _asked_too_late(taken))


def second_registered(taken: Taken) -> Violations:
    """A factory that was registered although one is, or that left something behind (OWN-6)."""
    outcome = _registers_second(taken)
    if outcome is None:
        return HOLDS
    wrong = (
        (not isinstance(outcome, Refusal), "it is not refused"),
        (taken.after.slot != taken.before.slot, "the slot holds another one"),
        (taken.after.owners != taken.before.owners, "it leaves something behind"),
    )
    return tuple(f"a second factory: {text}" for is_wrong, text in wrong if is_wrong)


def _registers_second(taken: Taken) -> Outcome | None:
    """What came of registering a second factory, if the command does that."""
    if taken.before.slot is None:
        return None
    match plain(taken.command):
        case SetFactory():
            return taken.run.outcome
        case LoadFactory(handle):
            return outcome_of(taken, handle) or taken.run.outcome
        case _:
            return None


def _second_is_registered(taken: Taken) -> bool:
    return _registers_second(taken) is not None


def made_by_another(taken: Taken) -> Violations:
    """The agents that another factory made than the one that was registered (OWN-6)."""
    if not _factory_stays(taken):
        return HOLDS
    return tuple(
        f"{agent_name(taken.after, row.agent)} was not made by the factory that is registered"
        for number, row in enumerate(taken.after.transactions.rows)
        if is_new(taken, number) and row.factory != taken.before.slot
    )


def _factory_stays(taken: Taken) -> bool:
    return taken.before.slot is not None and taken.after.slot == taken.before.slot


def _agent_is_made(taken: Taken) -> bool:
    return len(taken.after.transactions) > len(taken.before.transactions) and _factory_stays(taken)


def slot_outlives(world: World) -> Violations:
    """The slot that holds a factory whose owner is gone (OWN-6)."""
    if world.slot is None or world.owners[world.slot].stage != "gone":
        return HOLDS
    return ("a factory is registered whose owner is gone",)


def _slot_is_empty(world: World) -> bool:
    return world.slot is None


FACTORIES = (
    Law(
        "every agent goes with its factory",
        ("OWN-4",),
        Always(outlives_factory, _some_factory_went),
    ),
    Law(
        "the disposal of a factory waits for every agent that it made",
        ("OWN-4",),
        AtEveryStep(settled_before_gone, _busy_was_waited_for),
    ),
    Law(
        "a factory disposed of inside a publication lets it finish and then takes the agent back",
        ("OWN-4",),
        AtEveryStep(publication_cut_short, _disposed_in_publication),
    ),
    Law(
        "without a factory no agent is made",
        ("OWN-4", "OWN-6"),
        AtEveryStep(made_without_factory, _factory_is_missing),
    ),
    Law(
        "no agent is made by a factory that goes",
        ("OWN-5",),
        AtEveryStep(made_by_inactive, _is_asked_too_late),
    ),
    Law(
        "a second factory is refused and changes nothing",
        ("OWN-6",),
        AtEveryStep(second_registered, _second_is_registered),
    ),
    Law(
        "an agent is made by the factory that is registered",
        ("OWN-6",),
        AtEveryStep(made_by_another, _agent_is_made),
    ),
    Law(
        "the slot is empty once its factory's owner is gone",
        ("OWN-6",),
        Always(slot_outlives, _slot_is_empty),
    ),
)
