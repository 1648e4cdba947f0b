"""The quick way says of a line what the model says of it, or leaves it to the model."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.stored.facts import Brief, Seen, seen
from conformance.stored.parse import NotJsonError, read
from conformance.stored.quick import PLAIN, kind_of, quick
from conformance.stored.rows import Packed, is_packed, unpacked
from model.recovery import KNOWN_EVENTS
from model.values import Integer, Record, field
from tests.stored_faults import LINE_FAULTS
from tests.stored_logs import dumped, events, header, packed


def never(seq: int) -> bool:
    """No earlier event is a tool's result."""
    return seq < 0


def by_the_model(line: bytes) -> tuple[int, Seen] | Packed | None:
    """What the model says of a line that takes its own seq for the one that is due."""
    try:
        stored = read(line)
    except NotJsonError:
        return None
    if is_packed(stored):
        return unpacked(stored)
    seq = field(stored, "seq")
    if not isinstance(stored, Record) or not isinstance(seq, Integer):
        return None
    return seq.value, seen(stored, seq.value, "a", never)


def as_model(found: tuple[int, Seen]) -> tuple[int, str, int, object, object, object, bool]:
    """What was found, in the model's words throughout."""
    seq, event = found
    turn = event.turn.event() if isinstance(event.turn, Brief) else event.turn
    return seq, event.kind, event.time, event.faults, turn, event.place, event.interrupted


def held(line: bytes) -> bool:
    """Hold both ways beside each other; whether the quick one had something to say."""
    fast = quick(line, kind_of(line))
    if fast is None:
        return False
    slow = by_the_model(line)
    if isinstance(fast, Packed) or isinstance(slow, Packed):
        assert fast == slow
        return True
    assert slow is not None
    assert as_model(fast) == as_model(slow)
    assert not fast[1].faults
    return True


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=200)
@given(st.randoms(use_true_random=False))
def test_both_ways_say_the_same(random: Random) -> None:
    """Lines of valid logs, and of logs with a fault in a line."""
    lines = [dumped(line) for line in (header(random), *packed(random, events(random)))]
    for line in random.choice(LINE_FAULTS)(random, lines):
        held(line)


def test_the_quick_way_is_taken() -> None:
    """Of what DSH writes itself, nothing but replacements is left to the model."""
    taken = left = 0
    for seed in range(60):
        random = Random(seed)
        for line in packed(random, events(random)):
            if line.get("surfaceOp") in (None, "append"):
                quickly = held(dumped(line))
                taken += quickly
                left += not quickly
    assert taken > 500
    assert left == 0


@pytest.mark.parametrize("kind", sorted(KNOWN_EVENTS))
def test_of_plain_types_the_envelope_alone_counts(kind: str) -> None:
    """Whatever the data of such an event, the model finds no fault with it."""
    datas = (
        "null",
        "5",
        '""',
        "[]",
        "{}",
        '{"message":{"id":"x"},"turn":null,"reason":"fallback"}',
    )
    found = [
        by_the_model(b'{"type":"%s","seq":0,"time":1,"data":%s}' % (kind.encode(), data.encode()))
        for data in datas
    ]
    faults = [each[1].faults for each in found if isinstance(each, tuple)]
    assert len(faults) == len(datas)
    if kind in PLAIN:
        assert not any(faults)
