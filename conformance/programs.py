"""Program files: a title, the clauses that a program is about, and its commands."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from conformance.binding import MINTED
from conformance.faults import CallerFault
from conformance.protocol.codec import command_from_wire, command_to_wire
from conformance.protocol.json import (
    Json,
    MalformedError,
    list_at,
    record_at,
    text_at,
)
from model.command import Command

FORMAT = 1
SPEC = Path(__file__).resolve().parent.parent / "spec"
GAPS = SPEC / "gaps"
"""Programs on which the model and the real DSH are known to disagree; no campaign runs them."""


NEEDS: dict[Json, str] = {
    **dict.fromkeys(("construct", "tamper"), "HDR"),
    **dict.fromkeys(("append", "inspect"), "LOG"),
    **dict.fromkeys(("prepare", "enter", "announce", "detach", "create", "flush", "look"), "STO"),
    **dict.fromkeys(("new-agent", "enter-agent", "announce-agent", "detach-agent"), "REG"),
    **dict.fromkeys(("create-agent", "abort", "configure"), "TXN"),
    **dict.fromkeys(("dispose", "work", "acquire", "release"), "RBK"),
    **dict.fromkeys(("new-owner", "dispose-owner", "set-factory"), "OWN"),
    **dict.fromkeys(("dispose-factory", "load-factory"), "OWN"),
    "fork": "FORK",
    **dict.fromkeys(("resume", "read-stored", "boot"), "RES"),
}
"""The group that says what a command does; the others are the suite's own business."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program with what it is for."""

    name: str
    title: str
    clauses: tuple[str, ...]
    commands: tuple[Command, ...]

    @property
    def groups(self) -> frozenset[str]:
        """The groups that it needs: those of its clauses, and those of its commands."""
        about = (clause.split("-", maxsplit=1)[0] for clause in self.clauses)
        names = (record.get("do") for record in self._records())
        starts = ("IDN" for record in self._records() if record.get("agents"))
        return frozenset((*about, *starts, *(NEEDS[name] for name in names if name in NEEDS)))

    @property
    def capabilities(self) -> frozenset[str]:
        """The capabilities that it needs: one for each kind of hostile value in it."""
        kinds = (record.get("$hostile") for record in self._records())
        return frozenset(f"hostile:{kind}" for kind in kinds if kind is not None)

    @property
    def mints(self) -> bool:
        """Whether it names an id that a store is yet to mint."""
        named = (record.get(key) for record in self._records() for key in ("id", "source_id"))
        return any(isinstance(each, str) and each.startswith(MINTED) for each in named)

    def _records(self) -> Iterator[dict[str, Json]]:
        """Every record of the program on the wire, those inside others included."""
        waiting: list[Json] = [command_to_wire(command) for command in self.commands]
        while waiting:
            match waiting.pop():
                case dict(record):
                    yield record
                    waiting.extend(record.values())
                case list(items):
                    waiting.extend(items)
                case _:
                    pass


def load(path: Path) -> Program:
    """Read a program file; raises `CallerFault` that says what is wrong and where."""
    try:
        return _program(path.stem, record_at(json.loads(path.read_text(encoding="utf-8")), ""))
    except OSError as error:
        raise CallerFault(f"your program file {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CallerFault(f"your program file {path} is not UTF-8") from error
    except (ValueError, RecursionError) as error:  # ValueError: a number of too many digits
        raise CallerFault(f"your program file {path} is not JSON: {error}") from error
    except MalformedError as error:
        raise CallerFault(f"your program file {path}: {error}") from error


def _program(name: str, record: dict[str, Json]) -> Program:
    if record.get("dsh_spec") != FORMAT:
        raise MalformedError("dsh_spec", f"the format {FORMAT}", record.get("dsh_spec"))
    commands: list[Command] = []
    for index, wire in enumerate(list_at(record.get("program"), "program")):
        try:
            commands.append(command_from_wire(wire))
        except MalformedError as error:
            where = f"program[{index}], {error.where}"
            raise MalformedError(where, error.wanted, error.came) from error
    clauses = list_at(record.get("clauses", []), "clauses")
    return Program(
        name=name,
        title=text_at(record.get("title", ""), "title"),
        clauses=tuple(text_at(each, "clauses") for each in clauses),
        commands=tuple(commands),
    )


def dump(program: Program) -> str:
    """A program file's text: one command a line."""
    lines = ",\n    ".join(
        json.dumps(command_to_wire(command), ensure_ascii=False) for command in program.commands
    )
    title = json.dumps(program.title, ensure_ascii=False)
    clauses = json.dumps(list(program.clauses))
    head = f'{{\n  "dsh_spec": {FORMAT},\n  "title": {title},\n  "clauses": {clauses},\n'
    return head + f'  "program": [\n    {lines}\n  ]\n}}\n'


def shown() -> tuple[Program, ...]:
    """The programs of the spec, each the smallest that shows its clauses."""
    return tuple(load(path) for path in sorted((SPEC / "programs").glob("*.json")))
