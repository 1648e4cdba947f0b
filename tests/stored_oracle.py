"""The real persistence, asked about stored logs through `stored.js`."""

import json
import subprocess
from types import TracebackType
from typing import Self

from conformance.implementations import NODE
from conformance.protocol.json import Json

SCRIPT = NODE.parents[3] / "stored.js"


class Oracle:
    """One Node process that answers a line with a line."""

    def __init__(self) -> None:
        """Start it."""
        self._process = subprocess.Popen(
            [str(NODE), str(SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def ask(self, request: Json) -> dict[str, Json]:
        """What the real thing does with one request."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps(request) + "\n")
        stdin.flush()
        answer: dict[str, Json] = json.loads(stdout.readline())
        return answer

    def __enter__(self) -> Self:
        """Use it in a block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it by itself: it ends with its input."""
        self._process.communicate(timeout=20)
