"""Contracts on the small pure functions of the model, for CrossHair to check.

Each wraps one kernel with inputs that a solver can range over, and states in `post:` what has to
hold for all of them. `tests/verify_contracts.py` runs them, and runs deliberately wrong ones, which
have to be refuted.
"""

from functools import partial

from model import header as headers
from model import log as logs
from model.design import DSH
from model.effect import Scoped, Yielded, generator_effect, leave
from model.log import END_SEED, Event
from model.refusal import Refusal, unordered
from model.rows import Table
from model.values import (
    Array,
    Hostile,
    Integer,
    Text,
    is_safe_count,
    is_safe_integer,
    lossless,
    record,
)


def log_of(kinds: list[bool]) -> logs.Log:
    """A log with a marker wherever the list says so."""
    return tuple(Event(seq, END_SEED if mark else "note") for seq, mark in enumerate(kinds))


def safe_count(number: int) -> bool:
    """Exactly the non-negative integers that a double holds are counts (HDR-4, HDR-6).

    post: __return__ == (0 <= number <= 2**53 - 1)
    """
    return is_safe_count(Integer(number))


def safe_integer(number: int) -> bool:
    """Safe integers are symmetric, and every count is one (SEED-1).

    post: __return__ == is_safe_integer(Integer(-number))
    post: __return__ or not is_safe_count(Integer(number))
    """
    return is_safe_integer(Integer(number))


def absolute(path: str) -> bool:
    """A path is absolute exactly if it begins at the root (HDR-5).

    pre: len(path) < 4
    post: __return__ == (path[:1] == "/")
    """
    return headers.is_absolute(path)


def origin(text: str) -> bool:
    """The one origin there is (HDR-6).

    pre: len(text) < 10
    post: __return__ == (text == "subagent")
    """
    return headers.scalar_fits("origin", Text(text))


def version(number: int) -> tuple[str, ...]:
    """Any version but the current one is a fault, and that one is none (HDR-2).

    post: ("HEADER_VERSION" in __return__) == (number != 0)
    """
    header = record({"version": Integer(number), "id": Text("a"), "createdAt": Integer(0)})
    return tuple(fault.code for fault in headers.faults("a", header, stamped=False))


def marker(kinds: list[bool]) -> int:
    """Construction adds one marker unless the last event is one (SEED-2).

    pre: len(kinds) < 5
    post: __return__ == (0 if kinds and kinds[-1] else 1)
    """
    log = log_of(kinds)
    return len(logs.constructed(log, DSH)) - len(log)


def reopened(kinds: list[bool]) -> bool:
    """Constructing from what a construction left changes nothing (SEED-5, SEED-8).

    pre: len(kinds) < 5
    post: __return__
    """
    once = logs.constructed(log_of(kinds), DSH)
    return logs.constructed(once, DSH) == once


def contiguous(kinds: list[bool]) -> bool:
    """The seq of every event of a constructed log is its index (LOG-1).

    pre: len(kinds) < 5
    post: __return__
    """
    log = logs.constructed(log_of(kinds), DSH)
    return all(event.seq == index for index, event in enumerate(log))


def last_marker(kinds: list[bool]) -> int:
    """The boundary is the last marker, and nothing behind it is one (SEED-7).

    pre: len(kinds) < 5
    post: __return__ == -1 or kinds[__return__]
    post: not any(kinds[__return__ + 1:])
    """
    boundary = logs.boundary(log_of(kinds))
    return -1 if boundary is None else boundary


def first_live(kinds: list[bool]) -> int:
    """The first live seq is the length of the seed (SEED-3).

    pre: len(kinds) < 5
    post: __return__ == len(kinds)
    """
    return logs.first_live_seq(log_of(kinds), DSH)


def left_once(released: bool, consumed: bool, times: int) -> int:  # noqa: FBT001 - for the solver
    """A preparation releases at most once, and not after publication (RBK-6).

    pre: 0 <= times < 4
    post: __return__ == (1 if times > 0 and not released and not consumed else 0)
    """
    scoped, ran = Scoped(released, consumed), 0
    for _ in range(times):
        left = leave(scoped)
        scoped, ran = left.scoped, ran + left.runs
    return ran


State = tuple[int, ...]


def effect_step(state: State, number: int, failing: int) -> Yielded[State]:
    """A step that notes its number and yields a disposer that notes the negative of it."""
    if number == failing:
        return Yielded(state, failure=Refusal("THROWN", "STO-9"))
    return Yielded((*state, number), disposer=partial(undo, number=number))


def undo(state: State, number: int) -> State:
    """A disposer that notes what it takes back."""
    return (*state, -number)


def rolled_back(count: int, failing: int) -> State:
    """A failure disposes of exactly what was yielded before it, newest first (STO-9).

    pre: 0 <= count < 5
    pre: 0 < failing < 6
    post: sum(__return__) == (0 if failing <= count else count * (count + 1) // 2)
    post: failing > count or __return__ == (*range(1, failing), *range(1 - failing, 0))
    """
    steps = tuple(partial(effect_step, number=n, failing=failing) for n in range(1, count + 1))
    empty: State = ()
    return generator_effect(empty, steps).state


def hostile_anywhere(depth: int, at: int) -> bool:
    """A hostile value makes whatever holds it hostile, however deep (LOG-3).

    pre: 0 <= depth < 5
    pre: 0 <= at < 2
    post: not __return__
    """
    array = Array((Hostile("nan"),))
    for _ in range(depth):
        array = Array((Integer(0), array) if at else (array, Integer(0)))
    return lossless(array)


def first_fault(count: int) -> bool:
    """Unordered faults fold into the first, and the others are allowed too (HDR-10).

    pre: 0 < count < 4
    post: __return__
    """
    faults = (Refusal("HEADER_CWD", "HDR-5"), Refusal("HEADER_FIELD", "HDR-6"))[:count]
    folded = unordered(faults)
    return folded.code == faults[0].code and {folded.code, *folded.also} == {
        fault.code for fault in faults
    }


def put_and_add(rows: list[int], number: int, row: int) -> tuple[int, ...]:
    """Putting replaces one row, and adding makes one more (LOG-2).

    pre: len(rows) < 4
    pre: 0 <= number < len(rows)
    post: len(__return__) == len(rows) + 1
    post: __return__[number] == row
    post: all(__return__[i] == rows[i] for i in range(len(rows)) if i != number)
    """
    return Table(tuple(rows)).put(number, row).add(row).rows
