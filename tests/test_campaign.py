"""The campaign: its verdicts, its counts, and what it does when something goes wrong."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from conformance import report
from conformance.campaign import Campaign
from conformance.clauses import clauses
from conformance.faults import CallerFault
from conformance.implementations import reference
from conformance.protocol.json import Json
from conformance.results import Plan, Result
from conformance.transport import Adapter
from model.session_command import Append, Create

SMALL = Plan(seed=3, programs=150, enough=1)


def campaign(
    *command: str,
    plan: Plan = SMALL,
    progress: Callable[[Result], None] = lambda _result: None,
) -> Result:
    """What a campaign finds."""
    with Adapter(command) as adapter:
        return Campaign(adapter, plan, progress).run()


def odd(name: str, plan: Plan = SMALL) -> Result:
    """What a campaign finds of an odd adapter."""
    return campaign(sys.executable, "-m", "tests.odd_adapters", name, plan=plan)


def as_json(result: Result) -> dict[str, Json]:
    """The result as a machine gets it."""
    return report.to_json(result, {}, 0.0)


def test_the_reference_agrees_on_every_clause() -> None:
    """The model agrees with itself, and every observable clause is exercised."""
    result = campaign(*reference().command, plan=replace(SMALL, programs=300))
    assert result.verdict == "agrees"
    assert result.programs == 300
    tallies = result.ledger.tallies
    assert {each.id for each in clauses().values() if each.is_observable} <= set(tallies)
    assert all(tally.passed and not tally.unreached for tally in tallies.values())


def test_what_is_declared_is_accounted_for() -> None:
    """Passed, failed, excused, inapplicable and unreached make up what is declared."""
    for tally in campaign(*reference().command).ledger.tallies.values():
        parts = (tally.passed, tally.failed, tally.excused, tally.inapplicable, tally.unreached)
        assert tally.declared == sum(parts) > 0


def test_an_implementation_may_mint_as_it_likes() -> None:
    """Ids of its own are bound, and it is never asked for the model's."""
    assert odd("own-mint").verdict == "agrees"


def test_what_is_not_claimed_is_neither_asked_for_nor_counted() -> None:
    """An implementation of sessions conforms, and the rest does not apply to it."""
    result = odd("sessions-only")
    assert result.verdict == "agrees"
    for clause, tally in result.ledger.tallies.items():
        outside = clause.split("-", maxsplit=1)[0] not in ("HDR", "LOG", "SEED", "STO")
        assert bool(tally.inapplicable) == outside, clause


def test_nothing_claimed_is_nothing_tested() -> None:
    """Zero executed is an error, whose fault it is is said."""
    result = odd("claims-nothing")
    assert result.verdict == "errored"
    assert result.programs == 0
    assert "claims no group" in result.errors[0].message


def test_a_crash_is_an_error_with_its_program() -> None:
    """It is no refusal, and its last words and its program are kept."""
    result = odd("dies")
    assert result.verdict == "errored"
    (fault,) = result.errors
    assert "ended with code 7" in fault.message
    assert "out of memory" in fault.message
    assert any(isinstance(each, Append) for each in fault.program)
    assert not result.failures


def test_what_comes_late_is_charged_to_the_program_before() -> None:
    """The adapter replied too early: the program whose end it missed is kept."""
    (fault,) = odd("late").errors
    assert "not quiescent" in fault.message
    assert fault.program


def test_a_failure_that_does_not_come_back_is_said_to_be_unsteady() -> None:
    """It disagrees, and it is said that it did not do so again."""
    result = odd("flaky")
    assert result.verdict == "disagrees"
    (failure,) = result.failures
    assert not failure.steady


def test_a_crash_while_shrinking_does_not_lose_the_failure() -> None:
    """The adapter is started again, and a crash is not the failure that is shrunk."""
    result = odd("brittle", replace(SMALL, most_failures=1))
    assert result.verdict == "disagrees"
    (failure,) = result.failures
    assert failure.minimal or len(failure.program) <= 3
    assert [type(each) for each in failure.program][:2] == [Create, Append]


def test_a_known_failure_is_counted_and_not_shrunk_again() -> None:
    """Each way of failing is shown once; every program that fails counts."""
    command = reference("seq-from-one").command
    result = campaign(*command, plan=replace(SMALL, most_failures=50))
    assert result.programs == SMALL.programs
    fingerprints = [failure.fingerprint for failure in result.failures]
    assert len(set(fingerprints)) == len(fingerprints)
    assert sum(tally.failed for tally in result.ledger.tallies.values()) > len(fingerprints)


def test_a_campaign_stops_after_enough_failures() -> None:
    """The rest of the plan is left when there is enough to read."""
    command = reference("seq-from-one").command
    result = campaign(*command, plan=replace(SMALL, most_failures=1))
    assert len(result.failures) == 1
    assert result.programs < SMALL.programs


@pytest.mark.parametrize(("only", "others"), [("STO-1", "STO-10"), ("HDR", "LOG-1")])
def test_only_is_exact(only: str, others: str) -> None:
    """A clause is that clause, a group that group; the rest does not apply."""
    tallies = campaign(*reference().command, plan=replace(SMALL, only=only)).ledger.tallies
    assert tallies[others].inapplicable
    assert not any(
        tallies[clause].inapplicable for clause in tallies if Plan(only=only).about(clause)
    )


def test_only_leaves_other_disagreements_aside() -> None:
    """They do not make the verdict, and are not hidden."""
    command = reference("seq-from-one").command
    result = campaign(*command, plan=replace(SMALL, only="REG"))
    assert result.verdict == "agrees"
    assert result.aside


@pytest.mark.parametrize("only", ["XYZ", "STO-99", "ST"])
def test_only_what_there_is(only: str) -> None:
    """A misspelt clause is the caller's fault."""
    with pytest.raises(CallerFault, match=f"no clause or group {only}"):
        campaign(*reference().command, plan=replace(SMALL, only=only))


def test_an_interruption_keeps_what_was_found() -> None:
    """What was counted before stands, and the adapter is at peace."""

    def interrupted(result: Result) -> None:
        if result.programs == 20:
            raise KeyboardInterrupt

    result = campaign(*reference().command, progress=interrupted)
    assert result.interrupted
    assert result.programs == 20
    assert report.exit_code(result) == 130


def test_the_same_plan_gives_the_same_result() -> None:
    """Whatever runs while it is judged, the order is the order of asking."""
    first, second = (campaign(*reference("detach-at-once").command) for _ in range(2))
    assert json.dumps(as_json(first)) == json.dumps(as_json(second))


def test_programs_of_failures_and_faults_are_written(tmp_path: Path) -> None:
    """Each can be run again from a file."""
    fault = odd("dies")
    failure = campaign(*reference("seq-from-one").command, plan=replace(SMALL, most_failures=1))
    for result in (fault, failure):
        (path,) = report.write_programs(result, tmp_path).values()
        assert json.loads(path.read_text(encoding="utf-8"))["program"]
