"""Replaying one program, step by step."""

import json
from collections.abc import Sequence

from rich.console import Console

from conformance.choices import Limits
from conformance.compare import Judge
from conformance.faults import AdapterFault, GarbageError, late
from conformance.programs import Program
from conformance.protocol.codec import command_to_wire
from conformance.protocol.message import Hello, Reply
from conformance.report import show_answers
from conformance.transport import Adapter


def replayed(console: Console, program: Program, adapter: Adapter) -> bool:
    """Run a program and print each step; whether the implementation agrees at all of them.

    Where the adapter fails, the steps before are printed, and the fault is raised.
    """
    hello = adapter.hello
    console.print(
        f"{program.title or program.name} — on {hello.name} {hello.version}", markup=False
    )
    try:
        replies = adapter.run(program.commands)
        adapter.run(())
    except AdapterFault as fault:
        shown(console, program, fault.replies, hello)
        raise
    if not shown(console, program, replies, hello):
        return False
    if adapter.leftovers:
        raise GarbageError(late(adapter.leftovers))
    console.print("agrees")
    return True


def shown(console: Console, program: Program, replies: Sequence[Reply], hello: Hello) -> bool:
    """Print the steps that were answered, up to the first that disagrees; whether none does."""
    judge = Judge(foretold=Limits.of(hello).mints)
    for command, reply in zip(program.commands, replies, strict=False):
        difference = judge.judge(command, reply)
        mark = "✓" if difference is None else "✗"
        wire = json.dumps(command_to_wire(command), ensure_ascii=False)
        console.print(f"{mark} {wire}", markup=False, soft_wrap=True)
        if difference is not None:
            show_answers(console, difference.run, reply)
            return False
    return True
