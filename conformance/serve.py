"""The model as an implementation: it answers over the protocol, one design decision at a time."""

from dataclasses import dataclass, field
from importlib.metadata import version
from io import TextIOWrapper
from typing import TextIO

from conformance.protocol.codec import command_from_wire
from conformance.protocol.json import (
    Json,
    MalformedError,
    line_of,
    only,
    parsed,
    record_at,
    whole_at,
)
from conformance.protocol.message import VERSION, Hello, hello_to_wire, reply_to_wire
from conformance.protocol.values import KINDS
from model.command import Command
from model.design import Design
from model.step import Run, runs
from model.world import World, initial

GROUPS = ("HDR", "LOG", "SEED", "STO", "REG", "TXN", "RBK", "OWN", "FORK", "RES", "IDN")


@dataclass(slots=True)
class Server:
    """One served model: its design, and the world since the last reset."""

    name: str
    design: Design
    world: World = field(default_factory=initial)

    def answer(self, request: dict[str, Json]) -> dict[str, Json]:
        """Answer one request, all but its number."""
        match request.get("do"):
            case "hello":
                return hello_to_wire(self.hello(request))
            case "reset" | "bye":
                only(request, frozenset(("do",)), "")
                self.world = initial()
                return {"leftovers": []}
            case _:
                return self.step(request)

    def hello(self, request: dict[str, Json]) -> Hello:
        """Say who this is, and claim everything."""
        if only(request, frozenset(("do", "protocol")), "").get("protocol") != VERSION:
            raise MalformedError("protocol", f"version {VERSION}", request.get("protocol"))
        capabilities = frozenset(f"hostile:{kind}" for kind in KINDS)
        return Hello(self.name, version("dsh-spec"), GROUPS, capabilities, "session-{n}")

    def step(self, request: dict[str, Json]) -> dict[str, Json]:
        """Take the first run of a command."""
        command = command_from_wire(request)
        run = next(runs(self.world, command, self.design))
        self.world = run.world
        return self.reply(command, run)

    def reply(self, _command: Command, run: Run) -> dict[str, Json]:
        """Tell a run as it is."""
        return reply_to_wire(run)


def serve(name: str, design: Design, source: TextIO, sink: TextIO) -> None:
    """Serve a design until the client says bye or closes the stream."""
    serve_with(Server(name, design), source, sink)


def serve_with(server: Server, source: TextIO, sink: TextIO) -> None:
    """Answer requests line by line until the client says bye or closes the stream."""
    if isinstance(source, TextIOWrapper):  # bytes that are not UTF-8 then are no JSON either
        source.reconfigure(encoding="utf-8", errors="backslashreplace")
    for line in source:
        reply, does = _reply(server, line)
        sink.write(line_of(reply) + "\n")
        sink.flush()
        if does == "bye":
            return


def _reply(server: Server, line: str) -> tuple[Json, Json]:
    number: Json = None
    try:
        request = record_at(parsed(line), "")
        number = whole_at(request.pop("n", None), "n")
        return {"n": number, **server.answer(request)}, request.get("do")
    except (MalformedError, RecursionError) as error:
        return {"n": number, "error": str(error)}, None
