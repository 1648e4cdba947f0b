"""Faults: what goes wrong besides a disagreement, and whose fault it is.

Starting an adapter may raise `DiedAtHelloError`; a request `CrashedError`, `SilentError`,
`GarbageError`, `WrongNumberError` or `UnreadableError`; reading what a caller gave `CallerFault`.
A crash is never a refusal, and silence is never a hang.
"""

import json
from collections.abc import Sequence

from conformance.protocol.json import Json
from conformance.protocol.message import Reply

DISAGREES = 1
CALLERS_FAULT = 2
ADAPTERS_FAULT = 3
OUR_FAULT = 4
INTERRUPTED = 130


class CallerFault(Exception):  # noqa: N818 - it is named by whose fault it is
    """What the caller gave cannot be used; exit code 2."""


class AdapterFault(Exception):  # noqa: N818 - as above
    """The adapter, or the implementation behind it, failed; exit code 3.

    `replies` are those of the program that had come before.
    """

    def __init__(self, message: str, replies: tuple[Reply, ...] = ()) -> None:
        """Say what was expected and what came."""
        super().__init__(message)
        self.replies = replies


class DiedAtHelloError(AdapterFault):
    """It ended before it said who it is."""


class CrashedError(AdapterFault):
    """It ended in the middle of a program."""


class SilentError(AdapterFault):
    """It did not answer in time."""


class GarbageError(AdapterFault):
    """It wrote a line that is no answer."""


class WrongNumberError(AdapterFault):
    """It answered another request than the one whose turn it was."""


class UnreadableError(AdapterFault):
    """It could not read a request."""


def late(leftovers: Sequence[Json]) -> str:
    """What to say of observations that came after the reply that they belong to."""
    shown = json.dumps(leftovers[0], ensure_ascii=False)[:300]
    return f"the adapter's fault: it was not quiescent when it replied; afterwards came {shown}"
