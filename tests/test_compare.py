"""The comparison: what a reply may choose, what it may not, and what is said of a difference."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

import pytest

from conformance.binding import Part
from conformance.compare import Disagreement, Judge, Kind, compare, simulate
from conformance.protocol.codec import Tokens, command_from_wire
from conformance.protocol.json import Json
from conformance.protocol.message import Reply, reply_from_wire, reply_to_wire
from model.agent_command import Configure, Work
from model.command import Command, CreateAgent, Open, Together
from model.command import Script as ScriptOf
from model.command import Setup as SetupOf
from model.design import DSH
from model.header import Header
from model.observation import Appended, Heard, Live, Made, Snapshot
from model.refusal import Refusal
from model.session_command import Inspect
from model.step import runs
from model.world import initial
from tests.seeded import drawn

Program = tuple[Command, ...]
Change = Callable[[Reply], Reply]


def program(*wires: dict[str, Json]) -> Program:
    """A program as the wire has it."""
    return tuple(command_from_wire(wire) for wire in wires)


def answers(commands: Sequence[Command]) -> tuple[Reply, ...]:
    """What the served model answers, with stamps and tokens of its own."""
    tokens = Tokens()
    wires = (reply_to_wire(reply) for reply in simulate(commands, DSH))
    return tuple(reply_from_wire(wire, tokens) for wire in wires)


def changed(commands: Program, at: int, change: Change, *, foretold: bool = True) -> Disagreement:
    """The disagreement when one answer is changed."""
    replies = list(answers(commands))
    replies[at] = change(replies[at])
    found = compare(commands, replies, foretold=foretold)
    assert found is not None
    return found


LIVE = program(
    {"do": "create", "handle": "s"},
    {"do": "append", "session": "s", "type": "todo/write", "data": {}},
    {"do": "inspect", "session": "s"},
    {"do": "create", "handle": "r", "id": "session-1"},
)


def heard(reply: Reply) -> Heard:
    """The one thing that was heard."""
    (only,) = reply.seen
    assert isinstance(only, Heard)
    return only


def shown(reply: Reply) -> Snapshot:
    """The snapshot that a reply is."""
    assert isinstance(reply.outcome, Snapshot)
    return reply.outcome


def with_header(reply: Reply, header: Header) -> Reply:
    """The reply with another header."""
    return replace(reply, outcome=replace(shown(reply), header=header))


def with_time(reply: Reply, time: int) -> Reply:
    """The snapshot with another time of its last event."""
    snapshot = shown(reply)
    log = (*snapshot.log[:-1], replace(snapshot.log[-1], time=time))
    return replace(reply, outcome=replace(snapshot, log=log))


@pytest.mark.parametrize(
    ("at", "change", "kind", "part"),
    [
        (0, lambda r: replace(r, outcome=Refusal("ID_TAKEN", "")), "outcome", "outcome"),
        (0, lambda r: replace(r, outcome=Made(0, "session-7")), "outcome", "object"),
        (0, lambda r: replace(r, outcome=Made(1, "session-1")), "outcome", "object"),
        (0, lambda r: replace(r, live=Live()), "live", None),
        (0, lambda r: replace(r, seen=()), "missing", None),
        (0, lambda r: replace(r, seen=(*r.seen, *r.seen)), "extra", None),
        (0, lambda r: replace(r, seen=(replace(heard(r), live=Live()),)), "live", None),
        (1, lambda r: replace(r, seen=(replace(heard(r), session=3),)), "observation", "object"),
        (1, lambda r: replace(r, outcome=Appended(1)), "outcome", "field"),
        (1, lambda r: replace(r, seen=(replace(heard(r), type="x"),)), "observation", "field"),
        (
            1,
            lambda r: replace(r, seen=(replace(heard(r), event="session/created"),)),
            "observation",
            "kind",
        ),
        (2, lambda r: with_header(r, replace(shown(r).header, cwd="/x")), "outcome", "header"),
        (2, lambda r: with_header(r, replace(shown(r).header, created_at=-1)), "outcome", "header"),
        (2, lambda r: with_time(r, 77), "outcome", "log"),
        (2, lambda r: replace(r, outcome=replace(shown(r), log=())), "outcome", "log"),
        (
            2,
            lambda r: replace(r, outcome=replace(shown(r), first_live_seq=1)),
            "outcome",
            "first-live",
        ),
        (3, lambda r: replace(r, outcome=Refusal("NOT_LIVE", "")), "outcome", "code"),
    ],
)
def test_a_difference_is_told_apart(at: int, change: Change, kind: Kind, part: Part | None) -> None:
    """Each way of answering otherwise is a disagreement of its own kind, at its own step."""
    found = changed(LIVE, at, change)
    assert (found.index, found.difference.kind, found.difference.part) == (at, kind, part)


def test_a_tag_has_to_come_back() -> None:
    """The caller gets the very error that a listener threw (RBK-1)."""
    commands = program(
        {
            "do": "react",
            "command": {"do": "create", "handle": "s", "id": "a"},
            "reactions": [
                {"event": "session/created", "script": {"ending": {"end": "throws", "tag": "x"}}}
            ],
        }
    )
    found = changed(commands, 0, lambda r: replace(r, outcome=Refusal("THROWN", "", "y")))
    assert found.difference.part == "tag"


def test_every_code_that_the_clauses_do_not_order_is_right() -> None:
    """Entering one session twice meets two refusals, and no clause says which comes first."""
    commands = program(
        {"do": "create", "handle": "s", "id": "a"}, {"do": "enter", "handle": "d", "session": "s"}
    )
    replies = answers(commands)
    refusal = replies[1].outcome
    assert isinstance(refusal, Refusal)
    for code in ("ID_TAKEN", "ALREADY_ATTACHED"):
        told = replace(replies[1], outcome=replace(refusal, code=code))
        assert compare(commands, (replies[0], told)) is None


@pytest.mark.parametrize("foretold", [True, False])
def test_minted_ids_are_the_implementations_own_unless_it_foretells_them(foretold: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Any one-to-one naming will do, and only where the adapter does not say how it mints."""
    commands = program({"do": "create", "handle": "s"}, {"do": "create", "handle": "r"})

    def named(*ids: str) -> list[Reply]:
        pairs = zip(answers(commands), enumerate(ids), strict=True)
        return [replace(reply, outcome=Made(number, each)) for reply, (number, each) in pairs]

    assert compare(commands, named("session-1", "session-2"), foretold=foretold) is None
    other = compare(commands, named("uuid-x", "uuid-y"), foretold=foretold)
    assert (other is not None) == foretold
    assert compare(commands, named("uuid-x", "uuid-x"), foretold=foretold) is not None


def test_an_explicit_id_is_literal() -> None:
    """What the client named is called that."""
    commands = program({"do": "create", "handle": "s", "id": "a"})
    changed(commands, 0, lambda r: replace(r, outcome=Made(0, "b")), foretold=False)


def test_the_time_that_was_heard_is_the_time_in_the_log() -> None:
    """A stamp is the implementation's to choose, once."""
    replies = answers(LIVE)
    later = replace(replies[1], seen=(replace(heard(replies[1]), time=9),))
    both = (replies[0], later, with_time(replies[2], 9), replies[3])
    assert compare(LIVE, both) is None
    assert compare(LIVE, (replies[0], later, *replies[2:])) is not None


def test_an_inherited_event_keeps_its_time() -> None:
    """A child's prefix is its parent's, stamps and all (FORK-2)."""
    commands = program(
        {"do": "create", "handle": "s", "id": "a"},
        {"do": "append", "session": "s", "type": "todo/write", "data": {}},
        {"do": "fork", "handle": "c", "source": "s"},
        {"do": "inspect", "session": "s"},
        {"do": "inspect", "session": "c"},
    )
    replies = list(answers(commands))
    assert compare(commands, replies) is None
    child = shown(replies[4])
    restamped = (replace(child.log[0], time=5), *child.log[1:])
    replies[4] = replace(replies[4], outcome=replace(child, log=restamped))
    found = compare(commands, replies)
    assert found is not None
    assert found.index == 4


def test_two_objects_never_share_a_token() -> None:
    """A second session under the first one's token is not a second session."""
    commands = program(
        {"do": "create", "handle": "s", "id": "a"}, {"do": "create", "handle": "r", "id": "b"}
    )
    first, second = answers(commands)
    same = replace(second, outcome=Made(0, "b"), live=Live((0, 0)))
    same = replace(same, seen=(replace(heard(second), session=0, live=Live((0, 0))),))
    assert compare(commands, (first, same)) is not None


RACE: Program = (
    Together((Configure("t", "a"), Open("g"))),
    CreateAgent("u", "b", setup=SetupOf(ScriptOf((Work("w", "t", "g"),)))),
)
"""Work that is over at once, and a setup that is over at once: nothing orders their ends."""


def test_every_run_is_allowed_and_no_mixture_of_two() -> None:
    """Where the model may go several ways each of them agrees, but only as a whole."""
    world = next(runs(initial(), RACE[0])).world
    first = next(simulate(RACE, DSH))
    several = [Reply(run.outcome, run.seen, run.live) for run in runs(world, RACE[1])]
    assert len(several) > 1
    allowed = {reply.seen for reply in several}
    for reply in several:
        assert compare(RACE, (first, reply)) is None
    for one, other in product(several, several):
        mixed = (*one.seen[: len(one.seen) // 2], *other.seen[len(one.seen) // 2 :])
        fits = compare(RACE, (first, replace(one, seen=mixed))) is None
        assert fits == (mixed in allowed)


def test_the_worlds_that_a_reply_leaves_possible_are_carried_on() -> None:
    """After a race, what comes later is judged by the way that it went."""
    judge = Judge()
    world = initial()
    for command in RACE:
        *_, run = runs(world, command)
        assert judge.judge(command, Reply(run.outcome, run.seen, run.live)) is None
        world = run.world
    run = next(runs(world, Inspect("u")))
    assert judge.judge(Inspect("u"), Reply(run.outcome, run.seen, run.live)) is None


def test_a_copy_goes_on_by_itself() -> None:
    """What one judge sees after it was copied is not seen by the other."""
    judge = Judge()
    first, *_ = answers(LIVE)
    other = judge.copy()
    assert judge.judge(LIVE[0], first) is None
    renamed = replace(first, outcome=Made(4, "x"), live=Live((4,)))
    renamed = replace(renamed, seen=(replace(heard(first), session=4, live=Live((4,))),))
    assert other.judge(LIVE[0], renamed) is None


@pytest.mark.parametrize("number", range(0, 60, 20))
def test_whatever_the_served_model_answers_agrees(number: int) -> None:
    """No drawn program makes the model disagree with itself."""
    for commands in drawn(number + 20)[number:]:
        assert compare(commands, answers(commands), foretold=True) is None
