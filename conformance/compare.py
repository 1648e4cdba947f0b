"""Comparison: whether replies are among the model's possible runs.

The judge carries every world that is still compatible with what it has seen. A reply that fits
none of their runs is a disagreement, described against the run that it followed furthest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from conformance.binding import Binding, Part, observation_difference, outcome_difference
from conformance.faults import CallerFault
from conformance.protocol.message import Reply
from model.command import Command
from model.design import DSH, Design
from model.observation import Observation
from model.step import Run, runs
from model.world import World, initial

MOST_RUNS = 64
"""Programs are drawn so that no step has more possible runs than this."""

TOO_MANY = 4096
"""A step with more possible runs than this is not judged."""

EMPTY = initial()

Kind = Literal["outcome", "observation", "missing", "extra", "live"]


@dataclass(frozen=True, slots=True)
class Difference:
    """How a reply differs from the run that it followed furthest.

    `at` is the place among the observations; `expected` and `observed` are those there, where the
    difference is about one.
    """

    kind: Kind
    part: Part | None
    at: int
    run: Run
    expected: Observation | None = None
    observed: Observation | None = None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A program's first reply that the model does not allow."""

    index: int
    command: Command
    reply: Reply
    difference: Difference


class Judge:
    """The model's side of one program: which worlds are still possible, and how names are bound.

    `foretold` says that the implementation mints the ids that the model mints.
    """

    def __init__(self, design: Design = DSH, *, foretold: bool = False) -> None:
        """Begin with the empty world."""
        self._design = design
        self._possible: tuple[tuple[World, Binding], ...] = ((EMPTY, Binding(foretold)),)

    def copy(self) -> "Judge":
        """A judge that has seen the same and can go on by itself."""
        other = Judge(self._design)
        other._possible = self._possible
        return other

    def judge(self, command: Command, reply: Reply) -> Difference | None:
        """Keep the worlds that the reply leaves possible, or say how it differs from all."""
        possible: list[tuple[World, Binding]] = []
        nearest: Difference | None = None
        for run, before in self._runs(command):
            after = before.copy()
            difference = differs(after, run, reply)
            if difference is None:
                if (run.world, after) not in possible:
                    possible.append((run.world, after))
            elif nearest is None or difference.at > nearest.at:
                nearest = difference
        if possible:
            self._possible = tuple(possible)
            return None
        return nearest

    def _runs(self, command: Command) -> Iterator[tuple[Run, Binding]]:
        """Every way in which the command may go, in every world that is still possible."""
        left = TOO_MANY
        for world, binding in self._possible:
            for run in runs(world, command, self._design):
                if left == 0:
                    message = f"a command may go in more than {TOO_MANY} ways, too many to judge"
                    raise CallerFault(message)
                left -= 1
                yield run, binding


def differs(binding: Binding, run: Run, reply: Reply) -> Difference | None:
    """How a reply differs from one run, if it does; binds names as it goes."""
    binding.made = run.world.sessions.rows
    binding.stored = {name: log.by for name, log in run.world.disk}
    for at, (ours, theirs) in enumerate(zip(run.seen, reply.seen, strict=False)):
        part = observation_difference(binding, ours, theirs)
        if part is not None:
            return Difference("observation", part, at, run, ours, theirs)
        if not binding.same_live(ours.live, theirs.live):
            return Difference("live", None, at, run, ours, theirs)
    shorter = min(len(run.seen), len(reply.seen))
    if len(run.seen) > shorter:
        return Difference("missing", None, shorter, run, expected=run.seen[shorter])
    if len(reply.seen) > shorter:
        return Difference("extra", None, shorter, run, observed=reply.seen[shorter])
    part = outcome_difference(binding, run.outcome, reply.outcome)
    if part is not None:
        return Difference("outcome", part, shorter, run)
    if not binding.same_live(run.live, reply.live):
        return Difference("live", None, shorter, run)
    return None


def compare(
    program: Sequence[Command],
    replies: Sequence[Reply],
    design: Design = DSH,
    *,
    foretold: bool = False,
) -> Disagreement | None:
    """The first disagreement of a program's replies with a design, if there is one."""
    judge = Judge(design, foretold=foretold)
    for index, (command, reply) in enumerate(zip(program, replies, strict=False)):
        difference = judge.judge(command, reply)
        if difference is not None:
            return Disagreement(index, command, reply, difference)
    return None


def simulate(program: Sequence[Command], design: Design, world: World = EMPTY) -> Iterator[Reply]:
    """The replies of a design that always takes its first run."""
    for command in program:
        run = next(runs(world, command, design))
        world = run.world
        yield Reply(run.outcome, run.seen, run.live)


def tells_apart(program: Sequence[Command], design: Design) -> bool:
    """Whether the program's replies under a design differ from all that DSH's allow."""
    judge = Judge()
    replies = simulate(program, design)
    pairs = zip(program, replies, strict=True)
    return any(judge.judge(command, reply) is not None for command, reply in pairs)
