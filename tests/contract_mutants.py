"""Contracts that are wrong on purpose: each has to be refuted, or the check cannot fail."""

from invariants.contracts import log_of
from model import log as logs
from model.design import Design
from model.effect import Scoped, leave
from model.values import Integer, is_safe_count


def safe_count(number: int) -> bool:
    """Off by one at the upper end.

    post: __return__ == (0 <= number < 2**53 - 1)
    """
    return is_safe_count(Integer(number))


def marker(kinds: list[bool]) -> int:
    """A design that always adds one.

    pre: len(kinds) < 5
    post: __return__ == (0 if kinds and kinds[-1] else 1)
    """
    log = log_of(kinds)
    return len(logs.constructed(log, Design(marker="always"))) - len(log)


def contiguous(kinds: list[bool]) -> bool:
    """A design that counts from one.

    pre: len(kinds) < 5
    post: __return__
    """
    log = logs.constructed(log_of(kinds), Design(seq="from-one"))
    return all(event.seq == index for index, event in enumerate(log))


def first_live(kinds: list[bool]) -> int:
    """A design in which the first live seq is the marker's.

    pre: len(kinds) < 5
    post: __return__ == len(kinds)
    """
    return logs.first_live_seq(log_of(kinds), Design(first_live_seq="marker-seq"))


def left_once(released: bool, consumed: bool) -> bool:  # noqa: FBT001 - for the solver
    """A release that forgets whether publication consumed the value.

    post: not (__return__ and released)
    post: not __return__
    """
    return leave(Scoped(released, consumed)).runs
