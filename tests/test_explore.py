"""The explorer: pinned counts, verdicts, shortest counterexamples, and what it may not say."""

import pytest

from invariants.alternatives import ALTERNATIVES
from invariants.explore import Counterexample, Exploration, Move, explore, joined
from invariants.given import held
from invariants.law import AtEveryStep, Law, Taken, Violations
from invariants.laws import LAWS
from invariants.reading import doings
from invariants.scopes import SCOPES
from model.command import Command, CreateAgent, Open, React, Reaction, Script, Throws
from model.design import DSH, Design
from model.refusal import Refusal
from model.session_command import Create
from model.step import step
from model.world import initial

COUNTS = {
    "tiny": (24, 217, 3),
    "seeds": (1099, 8532, 13),
    "headers": (79, 483, 5),
    "stores": (366, 4620, 10),
    "ids": (149, 586, 4),
    "listeners": (225, 1392, 8),
    "flushes": (450, 1709, 10),
    "registry": (1003, 12810, 8),
    "agent-listeners": (18, 57, 5),
    "rivals": (813, 9122, 15),
    "owners": (340, 6593, 6),
    "families": (1030, 7477, 7),
    "busy": (86, 596, 7),
    "aborts": (9, 124, 3),
    "forks": (792, 4285, 5),
    "nested": (90, 2966, 6),
    "resume": (1112, 9280, 19),
    "storing": (1382, 10515, 12),
    "identity": (136, 1925, 7),
}
"""States, transitions and depth of every scope that takes seconds."""

ISSUE_2 = (6052, 168821, 10)


@pytest.fixture(scope="module")
def explorations() -> dict[str, Exploration]:
    """Every scope that takes seconds, exhausted under DSH's design with all laws."""
    return {name: explore(SCOPES[name]) for name in COUNTS}


def counted(exploration: Exploration) -> tuple[int, int, int]:
    """What is pinned of an exploration."""
    return exploration.states, exploration.transitions, exploration.depth


def test_counts_are_pinned(explorations: dict[str, Exploration]) -> None:
    """A scope has as many states and transitions as it had, or somebody says why not."""
    assert {name: counted(each) for name, each in explorations.items()} == COUNTS


def test_no_law_is_broken(explorations: dict[str, Exploration]) -> None:
    """Under DSH's design no law is broken in any scope, and every search was complete."""
    for exploration in explorations.values():
        assert exploration.complete
        assert exploration.violated == ()


def test_every_law_is_at_stake_somewhere(explorations: dict[str, Exploration]) -> None:
    """Each law's premise is reached in at least one scope, so that the law holds."""
    verdicts = joined(explorations.values())
    assert [verdict.law for verdict in verdicts] == list(LAWS)
    assert {verdict.law.name: verdict.status for verdict in verdicts} == {
        law.name: "holds" for law in LAWS
    }


def test_every_kind_of_command_is_enabled(explorations: dict[str, Exploration]) -> None:
    """A scope names no kind of command that it never enables."""
    assert {name: each.unreached for name, each in explorations.items()} == dict.fromkeys(
        COUNTS, ()
    )


def deeper(taken: Taken) -> Violations:
    """What a reaction did that ran inside another reaction."""
    return tuple(
        " inside ".join((type(doing.action).__name__, *(e.event for e in doing.inside[::-1])))
        for doing in doings(taken)
        if len(doing.inside) > 1 and not isinstance(doing.outcome, Refusal)
    )


@pytest.mark.parametrize(
    ("outer", "inner", "action"),
    [
        ("session/created", "session/event", "Fork"),
        ("session/created", "session/created", "Append"),
        ("agent/created", "session/event", "DisposeOwner"),
    ],
)
def test_reactions_run_inside_reactions(outer: str, inner: str, action: str) -> None:
    """A scope with two reactions at once reaches those of a reaction's own events."""
    wanted = f"{action} inside {inner} inside {outer}"

    def does(taken: Taken) -> Violations:
        return tuple(text for text in deeper(taken) if text == wanted)

    def is_deep(taken: Taken) -> bool:
        return deeper(taken) != ()

    never = Law("no reaction does this", ("STO-5",), AtEveryStep(does, is_deep))
    found = explore(SCOPES["nested"], DSH, (never,), until_broken=True).violated
    assert [verdict.counterexample and verdict.counterexample.violations for verdict in found] == [
        (wanted,)
    ]


@pytest.mark.slow
def test_the_scope_of_issue_2_is_exhausted() -> None:
    """Two ids, two transactions with held setups, three handles, one reaction: nothing breaks."""
    exploration = explore(SCOPES["issue2"])
    assert counted(exploration) == ISSUE_2
    assert exploration.complete
    assert exploration.violated == ()


@pytest.mark.parametrize("design", [DSH, ALTERNATIVES["marker-always"].design])
def test_a_truncated_search_never_holds(design: Design) -> None:
    """What a search has not seen it does not vouch for."""
    exploration = explore(SCOPES["tiny"], design, max_states=3)
    assert not exploration.complete
    assert not exploration.holds
    assert {verdict.status for verdict in exploration.verdicts} <= {"undecided", "violated"}


def test_one_truncated_search_leaves_the_whole_undecided() -> None:
    """A law that one search leaves undecided does not hold because another search is complete."""
    whole, part = explore(SCOPES["tiny"]), explore(SCOPES["tiny"], max_states=3)
    assert {verdict.status for verdict in joined((whole, part))} == {"undecided"}


def test_a_counterexample_is_shortest_and_replays() -> None:
    """A veto leaks a session under the wrong order of create, and one command shows it."""
    design = ALTERNATIVES["announce-before-detach-recorded"].design
    found = explore(SCOPES["stores"], design, until_broken=True).violated
    veto = React(Create("s1", "a"), (Reaction("session/created", Script(ending=Throws("x"))),))
    assert [verdict.law.name for verdict in found] == [
        "a create that is vetoed leaves nothing live"
    ]
    assert found[0].counterexample == Counterexample(
        (Move(veto),),
        ("the create was refused, and its entry 0 is live",),
    )


def test_a_counterexample_leads_through_worlds() -> None:
    """A counterexample of several commands starts from the initial world."""
    design = ALTERNATIVES["commit-last"].design
    found = explore(SCOPES["tiny"], design, until_broken=True).violated
    programs = [verdict.counterexample.program for verdict in found if verdict.counterexample]
    commands: tuple[Command, ...] = (CreateAgent("t1", "a", setup=held("g1")), Open("g1"))
    assert tuple(move.command for move in programs[0]) == commands
    world = initial()
    for move in programs[0]:
        world = step(world, move.command, design).runs[move.run].world
    assert world.registry


def test_exploring_is_deterministic() -> None:
    """The same search says the same, to the last counterexample."""
    design = ALTERNATIVES["session-detached-first"].design
    assert explore(SCOPES["tiny"], design) == explore(SCOPES["tiny"], design)


def test_progress_is_told() -> None:
    """A caller hears how far a search has come."""
    told: list[tuple[int, int, int]] = []
    explore(SCOPES["tiny"], progress=lambda *counts: told.append(counts))
    assert len(told) == COUNTS["tiny"][0]
    assert told[-1][0] == COUNTS["tiny"][0]
