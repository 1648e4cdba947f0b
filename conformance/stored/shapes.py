"""The shapes of lines in which nothing is remarkable, for `quick.py`.

They are the model's rules once more, as types: what does not fit one may still be right. A member
that no rule looks at is `Raw`: it is checked to be JSON, and not read.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from model.values import MAX_SAFE_INTEGER

Safe = Annotated[int, Meta(ge=-MAX_SAFE_INTEGER, le=MAX_SAFE_INTEGER)]
Count = Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER)]
TurnNumber = Annotated[int, Meta(ge=1, le=MAX_SAFE_INTEGER)]
Word = Annotated[str, Meta(min_length=1)]


class Kind(Struct):
    """The type of a line, whatever else it holds."""

    type: str


class Plain(Struct, forbid_unknown_fields=True, gc=False):
    """An event of which only the envelope counts."""

    type: str
    seq: Count
    time: Safe
    data: Raw
    ignorable: bool | UnsetType = UNSET


class Turn(Struct):
    """The data of a turn's start; `trigger` belongs to an earlier vocabulary."""

    turn: Safe
    trigger: Raw | UnsetType = UNSET


class Reason(Struct, forbid_unknown_fields=True):
    """Why a turn ended, in the plain cases."""

    kind: Literal["completed", "blocked", "max-tokens", "interrupted"]


class TurnOver(Struct, forbid_unknown_fields=True):
    """The data of a turn's end."""

    turn: TurnNumber
    reason: Reason


class Step(Struct):
    """The data of a step's start."""

    step: Safe


class Call(Struct):
    """The data of the start of a tool's call."""

    callId: Word  # noqa: N815 - the stored name


class TurnStarts(Struct, forbid_unknown_fields=True):
    """A turn's start."""

    type: Literal["turn/start"]
    seq: Count
    time: Safe
    data: Turn


class TurnEnds(Struct, forbid_unknown_fields=True):
    """A turn's end."""

    type: Literal["turn/end"]
    seq: Count
    time: Safe
    data: TurnOver


class StepStarts(Struct, forbid_unknown_fields=True):
    """A step's start."""

    type: Literal["step/start"]
    seq: Count
    time: Safe
    data: Step


class CallStarts(Struct, forbid_unknown_fields=True):
    """The start of a tool's call."""

    type: Literal["tool/call"]
    seq: Count
    time: Safe
    data: Call


class Source(Struct):
    """Where a message comes from."""

    kind: Word


class ModelSource(Struct):
    """The model that wrote a message."""

    kind: Literal["model"]
    provider: Word
    model: Word


class ToolSource(Struct):
    """The call whose result a message is."""

    kind: Literal["tool"]
    callId: Word  # noqa: N815 - the stored name


class UserData(Struct):
    """A user's message."""

    id: Word
    role: Literal["user"]
    source: Source
    content: Raw


class Block(Struct):
    """A piece of an assistant's message."""

    type: str
    id: str | UnsetType = UNSET


class AssistantMessage(Struct):
    """An assistant's message."""

    id: Word
    role: Literal["assistant"]
    source: ModelSource
    content: list[Block]


class AssistantData(Struct):
    """The data of an assistant's message."""

    message: AssistantMessage
    step: Safe | UnsetType = UNSET


class ResultBlock(Struct):
    """What came of a tool's call."""

    type: Literal["tool-result"]
    toolCallId: str  # noqa: N815 - the stored name
    content: Raw


class ResultMessage(Struct):
    """A tool's result as a message."""

    id: Word
    role: Literal["user"]
    source: ToolSource
    content: Annotated[list[ResultBlock], Meta(min_length=1, max_length=1)]


class ResultData(Struct):
    """The data of a tool's result."""

    message: ResultMessage


class Message(Struct, forbid_unknown_fields=True):
    """What the envelopes of messages have in common: they join the surface at its end."""

    seq: Count
    time: Safe
    surfaceOp: Literal["append"]  # noqa: N815 - the stored name
    sourceEventSeqs: list[Count] | UnsetType = UNSET  # noqa: N815 - the stored name


class UserMessage(Message, kw_only=True):
    """A user's message in its envelope."""

    type: Literal["user/message"]
    data: UserData


class AssistantSays(Message, kw_only=True):
    """An assistant's message in its envelope."""

    type: Literal["assistant/message"]
    data: AssistantData


class ToolResult(Message, kw_only=True):
    """A tool's result in its envelope."""

    type: Literal["tool/result"]
    data: ResultData


class Texts(Struct, forbid_unknown_fields=True):
    """The data of a packed run of text."""

    turn: int | float
    step: int | float
    index: int | float
    dt: list[Safe]
    texts: list[str]


class TextRow(Struct, forbid_unknown_fields=True):
    """A packed run of text."""

    type: Literal["text-chunks", "reasoning-chunks"]
    seq0: Count
    time0: Safe
    data: Texts


class Calls(Struct, forbid_unknown_fields=True):
    """The data of a packed run of a tool's call."""

    turn: int | float
    step: int | float
    index: int | float
    dt: list[Safe]
    id: str
    args: list[str]
    name: str | UnsetType = UNSET


class CallRow(Struct, forbid_unknown_fields=True):
    """A packed run of a tool's call."""

    type: Literal["tool-call-chunks"]
    seq0: Count
    time0: Safe
    data: Calls


class Config(Struct):
    """What a request says of the model that it asks."""

    provider: Word
    model: Word
    reasoningEffort: Word | UnsetType = UNSET  # noqa: N815 - the stored name


class Head(Struct):
    """The head of a request."""

    config: Config
    adapterDefaults: Raw | UnsetType = UNSET  # noqa: N815 - the stored name


class Request(Struct):
    """The data of a request header."""

    header: Head
    reason: str | UnsetType = UNSET


class RequestHeader(Struct, forbid_unknown_fields=True):
    """A request header."""

    type: Literal["request/header"]
    seq: Count
    time: Safe
    data: Request
