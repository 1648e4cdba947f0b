"""Recovery beside the real thing: which events close an interrupted turn (RES-4)."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.protocol.json import Json
from model.design import DSH
from model.log import Event, Log
from model.recovery import closers, closing, interruption
from model.values import Array, Bool, Fractional, Integer, Null, Record, Text, Value, record
from tests.stored_oracle import Oracle

CALLS = st.sampled_from(("c1", "c2", "c3"))
NUMBERS = st.sampled_from((0, 1, 2))


def to_value(value: Json) -> Value:
    """A JSON value as the model has it."""
    match value:
        case None:
            return Null()
        case bool():
            return Bool(value)
        case int():
            return Integer(value)
        case float():
            return Fractional(value)
        case str():
            return Text(value)
        case list():
            return Array(tuple(map(to_value, value)))
        case dict():
            return record({name: to_value(item) for name, item in value.items()})


@st.composite
def contents(draw: st.DrawFn) -> tuple[str, dict[str, Json]]:
    """The type and the data of one event of a turn."""
    turn, step, call = draw(NUMBERS), draw(NUMBERS), draw(CALLS)
    ids = draw(st.lists(CALLS, max_size=3))
    asked: list[Json] = [{"type": "tool-call", "id": each} for each in ids]
    found: dict[str, dict[str, Json]] = {
        "turn/start": {"turn": draw(st.none() | NUMBERS)},
        "turn/end": {"turn": turn, "reason": {"kind": "completed"}},
        "step/start": {"turn": turn, "step": draw(st.none() | NUMBERS)},
        "step/end": {"turn": turn, "step": step},
        "assistant/message": {"step": step, "message": {"content": [{"type": "text"}, *asked]}},
        "tool/call": {"callId": call},
        "tool/result": {"message": {"source": {"callId": call}}},
        "assistant/chunk": {},
    }
    return draw(st.sampled_from(sorted(found.items())))


LOGS = st.lists(contents(), max_size=12)


def to_log(drawn: list[tuple[str, dict[str, Json]]]) -> Log:
    """A log of these events."""
    return tuple(
        Event(seq, kind, to_value(data), time=10 + seq) for seq, (kind, data) in enumerate(drawn)
    )


def without_words(data: Value) -> Value:
    """The data of an event with an empty content in each block of its message."""
    match data:
        case Record(entries):
            shown = {name: without_words(item) for name, item in entries}
            blocks = {"toolCallId", "content"} <= shown.keys()
            return record({**shown, "content": Array()} if blocks else shown)
        case Array(items):
            return Array(tuple(map(without_words, items)))
        case _:
            return data


@pytest.mark.dsh
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LOGS)
def test_an_interrupted_turn_is_closed_as_dsh_closes_it(
    oracle: Oracle, drawn: list[tuple[str, dict[str, Json]]]
) -> None:
    """Type, seq, time and data of every closing event are the real one's, but for its words."""
    log = to_log(drawn)
    events: list[Json] = [
        {"type": kind, "seq": seq, "time": 10 + seq, "data": data}
        for seq, (kind, data) in enumerate(drawn)
    ]
    real = oracle.ask({"closers": events})["closers"]
    assert isinstance(real, list)
    expected = [without_words(to_value(_told(event))) for event in real]
    assert [shown_event(event) for event in closers(log, DSH)] == expected


def _told(event: Json) -> dict[str, Json]:
    assert isinstance(event, dict)
    return {name: event[name] for name in ("type", "seq", "time", "data")}


def shown_event(event: Event) -> Value:
    """An event as it is compared."""
    time = Integer(event.time or 0)
    seq = Integer(event.seq)
    return record({"type": Text(event.type), "seq": seq, "time": time, "data": event.data})


@given(LOGS, st.integers(0, 12))
def test_a_log_can_be_read_off_in_pieces(
    drawn: list[tuple[str, dict[str, Json]]], cut: int
) -> None:
    """What is under way is the same, however the log is parted."""
    log = to_log(drawn)
    whole = interruption(log)
    assert interruption(log[cut:], interruption(log[:cut])) == whole
    time = log[-1].time if log else None
    assert closing(whole, len(log), time) == closers(log, DSH)
