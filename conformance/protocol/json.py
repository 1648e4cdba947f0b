"""JSON as the wire has it, and what is wrong with it where it does not fit."""

import json
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


class MalformedError(Exception):
    """A piece of JSON is not what the protocol wants at its place."""

    def __init__(self, where: str, wanted: str, came: Json) -> None:
        """Say what was wanted at a place, and what came."""
        shown = repr(came)
        self.where = where or "the top"
        self.wanted = wanted
        self.came = shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"
        super().__init__(f"at {self.where}: wanted {wanted}, got {self.came}")


_SHOWN = 120


def _number(digits: str) -> int | float:
    """A number without a fraction; the zero that some languages write as -0 keeps its sign."""
    return -0.0 if digits == "-0" else int(digits)


def _no_number(name: str) -> Json:
    raise ValueError(f"JSON has no {name}")


_DECODER = json.JSONDecoder(parse_int=_number, parse_constant=_no_number)
_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def parsed(text: str) -> Json:
    """A line as JSON; raises `MalformedError` where it is none."""
    try:
        wire: Json = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise MalformedError("", f"JSON ({error})", text) from error
    return wire


def line_of(wire: Json) -> str:
    """JSON as one line of the wire, without its end."""
    return _ENCODER.encode(wire)


def record_at(wire: Json, where: str) -> dict[str, Json]:
    """The wire as a JSON object."""
    if isinstance(wire, dict):
        return wire
    raise MalformedError(where, "an object", wire)


def text_at(wire: Json, where: str) -> str:
    """The wire as a string."""
    if isinstance(wire, str):
        return wire
    raise MalformedError(where, "a string", wire)


def whole_at(wire: Json, where: str) -> int:
    """The wire as a whole number."""
    if isinstance(wire, int) and not isinstance(wire, bool):
        return wire
    raise MalformedError(where, "a whole number", wire)


def list_at(wire: Json, where: str) -> list[Json]:
    """The wire as an array."""
    if isinstance(wire, list):
        return wire
    raise MalformedError(where, "an array", wire)


def only(record: dict[str, Json], keys: frozenset[str], where: str) -> dict[str, Json]:
    """The record, which has no keys beside these."""
    if record.keys() <= keys:
        return record
    stranger = min(record.keys() - keys)
    raise MalformedError(where, f"no other keys than {', '.join(sorted(keys)) or 'none'}", stranger)
