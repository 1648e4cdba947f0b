"""The served model: an implementation like any other, on the other side of two pipes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO

import pytest
from jsonschema import Draft202012Validator

from conformance.compare import compare, simulate
from conformance.implementations import reference
from conformance.programs import Program, shown
from conformance.protocol import schema
from conformance.protocol.json import Json
from conformance.protocol.values import KINDS
from conformance.serve import GROUPS, serve
from conformance.transport import Adapter
from invariants.alternatives import ALTERNATIVES
from model.design import DSH
from model.observation import Found, Made
from model.session_command import Create, Look

LINE = Draft202012Validator(schema.schema())


def answers(*lines: str) -> list[dict[str, Json]]:
    """What the model answers to these lines."""
    sink = StringIO()
    serve("reference", DSH, StringIO("".join(f"{line}\n" for line in lines)), sink)
    found: list[dict[str, Json]] = [json.loads(line) for line in sink.getvalue().splitlines()]
    return found


def test_it_introduces_itself_and_claims_everything() -> None:
    """Every group and every hostile value, and the way in which it mints ids."""
    with Adapter(reference().command) as running:
        hello = running.hello
    assert (hello.name, hello.groups, hello.mint) == ("reference", GROUPS, "session-{n}")
    assert hello.capabilities == {f"hostile:{kind}" for kind in KINDS}


@pytest.fixture(scope="module")
def served() -> Iterator[Adapter]:
    """The model, served."""
    with Adapter(reference().command) as running:
        yield running


@pytest.mark.parametrize("program", shown(), ids=lambda program: program.name)
def test_it_answers_as_the_model_does(served: Adapter, program: Program) -> None:
    """Over the wire the model agrees with itself on every program of the spec."""
    replies = served.run(program.commands)
    assert compare(program.commands, replies) is None
    assert [type(each.outcome) for each in replies] == [
        type(each.outcome) for each in simulate(program.commands, DSH)
    ]


def test_a_reset_empties_the_world() -> None:
    """Nothing of one program reaches the next, not even the count of minted ids."""
    with Adapter(reference().command) as running:
        for _ in range(2):
            made, found = running.run((Create("s"), Look("session-1")))
            assert isinstance(made.outcome, Made)
            assert made.outcome.id == "session-1"
            assert isinstance(found.outcome, Found)
            assert found.outcome.session == made.outcome.session


def test_an_alternative_says_which_it_is() -> None:
    """A report about it cannot be mistaken for one about the model."""
    name = min(ALTERNATIVES)
    with Adapter(reference(name).command) as running:
        assert running.hello.name == f"reference/{name}"


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("", None),
        ("{", None),
        ("[]", None),
        ('{"do":"reset"}', None),
        ('{"n":"1","do":"reset"}', None),
        ('{"n":true,"do":"reset"}', None),
        ('{"n":1}', 1),
        ('{"n":1,"do":"fly"}', 1),
        ('{"n":1,"do":"look"}', 1),
        ('{"n":1,"do":"look","id":"a","more":1}', 1),
        ('{"n":1,"do":"reset","more":1}', 1),
        ('{"n":1,"do":"hello","protocol":2}', 1),
        ('{"n":1,"do":"append","session":"s","type":"t","data":1e400}', 1),
        ('{"n":1,"do":"append","session":"s","type":"t","data":' + "1" * 5000 + "}", None),
        ('{"n":1,"do":"append","session":"s","type":"t","data":' + "[" * 10**5 + "}", None),
    ],
)
def test_a_bad_line_is_answered_with_an_error(line: str, number: int | None) -> None:
    """What is wrong is said, under the request's number where it has one, and it goes on."""
    bad, good = answers(line, '{"n":2,"do":"reset"}')
    assert bad["n"] == number
    assert isinstance(bad["error"], str)
    assert good == {"n": 2, "leftovers": []}
    assert LINE.is_valid(bad)


def test_bytes_that_are_no_text_are_answered_with_an_error() -> None:
    """A client that does not write UTF-8 is told."""
    requests = b'{"n":1,"do":"look","id":"\xff"}\n{"n":2,"do":"bye"}\n'
    done = subprocess.run(reference().command, input=requests, capture_output=True, check=True)
    bad, bye = map(json.loads, done.stdout.splitlines())
    assert "error" in bad
    assert bye == {"n": 2, "leftovers": []}


def test_bye_ends_it() -> None:
    """It answers, and reads no more."""
    assert answers('{"n":1,"do":"bye"}', '{"n":2,"do":"reset"}') == [{"n": 1, "leftovers": []}]


def test_the_end_of_the_input_ends_it() -> None:
    """A client that just goes away leaves no process behind."""
    done = subprocess.run(
        (sys.executable, *reference().command[1:]), input=b"", capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"")
