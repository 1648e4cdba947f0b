"""Replaying one program, step by step."""

import json

from rich.console import Console

from conformance.compare import Judge
from conformance.programs import Program
from conformance.protocol.codec import command_to_wire
from conformance.report import show_answers
from conformance.transport import Adapter


def replayed(console: Console, program: Program, adapter: Adapter) -> bool:
    """Run a program and print each step; whether the implementation agrees at all of them."""
    hello = adapter.hello
    console.print(
        f"{program.title or program.name} — on {hello.name} {hello.version}", markup=False
    )
    replies = adapter.run(program.commands)
    judge = Judge()
    for command, reply in zip(program.commands, replies, strict=True):
        difference = judge.judge(command, reply)
        mark = "✓" if difference is None else "✗"
        wire = json.dumps(command_to_wire(command), ensure_ascii=False)
        console.print(f"{mark} {wire}", markup=False, soft_wrap=True)
        if difference is not None:
            show_answers(console, difference.run, reply)
            return False
    console.print("agrees")
    return True
