"""Odd adapters: the served model behind an adapter that is unusual, or that fails.

`python -m tests.odd_adapters NAME` serves one. The unusual ones conform; a suite that does not say
so asks for more than they claim. The failing ones are the adapter's fault, not disagreements.
"""

import json
import os
import re
import sys
from dataclasses import dataclass, replace

from conformance.programs import Program
from conformance.protocol.codec import command_from_wire
from conformance.protocol.json import Json, MalformedError
from conformance.protocol.message import Hello
from conformance.serve import Server, serve_with
from model.design import DSH

SESSION_GROUPS = ("HDR", "LOG", "SEED", "STO")


@dataclass(slots=True)
class Odd(Server):
    """A served model with a past: how many resets, appends and inspections there have been."""

    resets: int = 0
    appends: int = 0
    first: bool = True

    def answer(self, request: dict[str, Json]) -> dict[str, Json]:
        """Answer as the model does, and count."""
        self.resets += request.get("do") == "reset"
        self.appends += request.get("do") == "append"
        answer = Server.answer(self, request)
        self.first = request.get("do") == "reset"
        return answer


class OwnMint(Odd):
    """Mints ids of its own kind, and knows nothing of those that the model mints."""

    def hello(self, request: dict[str, Json]) -> Hello:
        """Say who this is, and nothing of how it mints."""
        return replace(super().hello(request), mint=None)

    def answer(self, request: dict[str, Json]) -> dict[str, Json]:
        """Answer with other names for the model's."""
        if '"session-' in json.dumps(request):
            raise MalformedError("id", "an id that a client can know", "session-…")
        text = json.dumps(super().answer(request)).replace('"session-', '"own-')
        answer: dict[str, Json] = json.loads(text)
        return answer


class SessionsOnly(Odd):
    """Claims sessions alone, and can read nothing else."""

    def hello(self, request: dict[str, Json]) -> Hello:
        """Claim sessions, no hostile values, no minting."""
        return replace(
            super().hello(request), groups=SESSION_GROUPS, capabilities=frozenset(), mint=None
        )

    def answer(self, request: dict[str, Json]) -> dict[str, Json]:
        """Answer what was claimed, also inside scripts and reactions."""
        if request.get("do") not in ("hello", "reset", "bye"):
            asked = Program("", "", (), (command_from_wire(request),))
            beyond = asked.groups - {*SESSION_GROUPS} or asked.capabilities
            if beyond or re.search(r'"(owner|agent)":|"agent/', json.dumps(request)):
                raise MalformedError("do", "what is claimed", request.get("do"))
        return super().answer(request)


class ClaimsNothing(Odd):
    """Claims no group."""

    def hello(self, request: dict[str, Json]) -> Hello:
        """Claim nothing."""
        return replace(super().hello(request), groups=())


class Dies(Odd):
    """Ends at its fifth append."""

    def answer(self, request: dict[str, Json]) -> dict[str, Json]:
        """Answer, or die."""
        if request.get("do") == "append" and self.appends == 4:
            sys.stderr.write("out of memory\n")
            sys.stderr.flush()
            os._exit(7)
        return super().answer(request)


class Late(Odd):
    """Says only at the fourth reset what came of the program before."""

    def answer(self, request: dict[str, Json]) -> dict[str, Json]:
        """Answer, and once too late."""
        answer = super().answer(request)
        return {"leftovers": [{"see": "settled"}]} if self.resets == 4 and self.first else answer


class Flaky(Odd):
    """Answers wrongly once in its life."""

    def answer(self, request: dict[str, Json]) -> dict[str, Json]:
        """Answer, once with the wrong seq."""
        answer = super().answer(request)
        once = request.get("do") == "append" and self.appends == 3
        return answer | {"outcome": {"is": "appended", "seq": 9}} if once else answer


class Brittle(Odd):
    """Numbers events from one, and dies if nothing was created before the first append."""

    def answer(self, request: dict[str, Json]) -> dict[str, Json]:
        """Answer wrongly, or die."""
        if request.get("do") == "append" and self.first:
            os._exit(7)
        answer = super().answer(request)
        match answer:
            case {"outcome": {"is": "appended", "seq": int(seq)}}:
                return answer | {"outcome": {"is": "appended", "seq": seq + 1}}
            case _:
                return answer


ODD: dict[str, type[Odd]] = {
    "own-mint": OwnMint,
    "sessions-only": SessionsOnly,
    "claims-nothing": ClaimsNothing,
    "dies": Dies,
    "late": Late,
    "flaky": Flaky,
    "brittle": Brittle,
}


if __name__ == "__main__":
    name = sys.argv[1]
    serve_with(ODD[name](name, DSH), sys.stdin, sys.stdout)
