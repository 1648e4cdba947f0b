"""JSON as DSH's runtime reads it, into the model's values (STG-1).

The standard library's reader will not do: it takes NaN, and gives up on deep nesting. This one
knows exactly the grammar, needs no stack, and keeps only what rules look at: below `DEEPEST` a
record or an array is kept as an empty one.
"""

import json
import math
import re
from dataclasses import dataclass, field
from typing import NoReturn

from model.values import Array, Bool, Fractional, Hostile, Integer, Null, Record, Text, Value

DEEPEST = 8
"""No rule looks further down than this."""

TOKEN = re.compile(
    r"[ \t\n\r]*+(?:"
    r'("(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")'
    r"|(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)"
    r"|([{}\[\],:])"
    r"|(true|false|null))"
)
BLANK = re.compile(r"[ \t\n\r]*+")
WORDS: dict[str, Value] = {"true": Bool(value=True), "false": Bool(value=False), "null": Null()}
SAFE_DIGITS = 15
"""Numbers of so many digits are exact as doubles."""


class NotJsonError(ValueError):
    """The text is not JSON."""


def read(line: bytes, deepest: int = DEEPEST, *, signed_zero: bool = False) -> Value:
    """Read one line; bytes that are not UTF-8 stand for replacement characters (STG-1)."""
    return parse(line.decode("utf-8", "replace"), deepest, signed_zero=signed_zero)


def number(text: str, negative_zero: Value) -> Value:
    """A number as a double has it; too much is infinite (STG-1)."""
    if len(text) <= SAFE_DIGITS and text.isdigit():
        return Integer(int(text))
    double = float(text)
    if double == 0 and text.startswith("-"):
        return negative_zero
    if not math.isfinite(double):
        return Hostile("infinity")
    return Integer(int(double)) if double.is_integer() else Fractional(double)


@dataclass(slots=True)
class Open:
    """A record or an array that is being read; `key` is that of the entry to come."""

    close: str
    items: list[Value] = field(default_factory=list)
    entries: dict[str, Value] = field(default_factory=dict)
    key: str = ""

    def put(self, value: Value, *, keep: bool) -> None:
        """Take an item."""
        if not keep:
            return
        if self.close == "}":
            self.entries[self.key] = value
        else:
            self.items.append(value)

    def closed(self) -> Value:
        """What has been read."""
        if self.close == "]":
            return Array(tuple(self.items))
        return Record(tuple(sorted(self.entries.items())))


class Reader:
    """Reads one text token by token; what it waits for is one of `value`, `end`, `key`, `colon`."""

    def __init__(self, text: str, deepest: int, *, signed_zero: bool) -> None:
        """Read from the beginning."""
        self.zero: Value = Hostile("negative-zero") if signed_zero else Integer(0)
        self.text = text
        self.at = 0
        self.deepest = deepest
        self.open: list[Open] = []
        self.result: Value | None = None

    def token(self) -> re.Match[str]:
        """The next token."""
        found = TOKEN.match(self.text, self.at)
        if found is None:
            self.fail()
        self.at = found.end()
        return found

    def fail(self) -> NoReturn:
        """Say where the text stops being JSON."""
        raise NotJsonError(f"not JSON at character {self.at + 1}")

    def expect(self, mark: str) -> None:
        """Take this mark and no other."""
        if self.token().group(3) != mark:
            self.fail()

    def value(self) -> Value:
        """Read the whole text as one value."""
        self.begin(self.token())
        while self.open:
            self.after()
        if BLANK.fullmatch(self.text, self.at) is None or self.result is None:
            self.fail()
        return self.result

    def begin(self, token: re.Match[str]) -> None:
        """Read a scalar, or open what the token opens and begin its first item."""
        while True:
            text, digits, mark, word = token.groups()
            if mark is None:
                self.give(self.scalar(text, digits, word))
                return
            if mark not in "[{":
                self.fail()
            inner = Open("]" if mark == "[" else "}")
            self.open.append(inner)
            token = self.token()
            if token.group(3) == inner.close:
                self.close()
                return
            if inner.close == "}":
                inner.key = self.key(token)
                token = self.token()

    def scalar(self, text: str | None, digits: str | None, word: str) -> Value:
        """A text, a number, or one of the three words; a text too deep down is not spelt out."""
        if text is not None:
            return Text(json.loads(text)) if self.keeps() else Text("")
        return WORDS[word] if digits is None else number(digits, self.zero)

    def key(self, token: re.Match[str]) -> str:
        """A key, with its colon."""
        text = token.group(1)
        if text is None:
            self.fail()
        self.expect(":")
        return str(json.loads(text)) if self.keeps() else ""

    def after(self) -> None:
        """Behind an item: the next one, or the end of what holds it."""
        inner = self.open[-1]
        mark = self.token().group(3)
        if mark == inner.close:
            self.close()
        elif mark != ",":
            self.fail()
        elif inner.close == "]":
            self.begin(self.token())
        else:
            inner.key = self.key(self.token())
            self.begin(self.token())

    def keeps(self) -> bool:
        """Whether items at this depth are kept."""
        return len(self.open) <= self.deepest

    def give(self, value: Value) -> None:
        """Put a value where it belongs."""
        if self.open:
            self.open[-1].put(value, keep=self.keeps())
        else:
            self.result = value

    def close(self) -> None:
        """End the innermost record or array."""
        self.give(self.open.pop().closed())


def parse(text: str, deepest: int = DEEPEST, *, signed_zero: bool = False) -> Value:
    """Read a text as JSON, down to a depth; a negative zero is zero unless told (STG-1)."""
    return Reader(text, deepest, signed_zero=signed_zero).value()
