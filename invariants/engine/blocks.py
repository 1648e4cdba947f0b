"""Blocks: several commands looked up at once, in one table by all that any of them reads."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from invariants.engine.footprint import Remembered
from invariants.engine.leaf import Entry, Leaf

Command = Remembered[Leaf]
Leaves = list[tuple[Command, Leaf]]


@dataclass(slots=True, eq=False)
class Block:
    """Commands with one table. Whatever has the same `mask` bits has the same entry."""

    commands: tuple[Command, ...]
    mask: int = 0
    entries: dict[int, Entry] = field(default_factory=dict)

    def note(self, state: int, leaves: Leaves, entry: Entry) -> None:
        """Keep what these commands do in a state; all entries go when they need more of it."""
        needed = self.mask
        for command, leaf in leaves:
            needed |= command.quick.mask
            for jump in leaf.jumps:
                needed |= 0 if jump.moves else jump.cleared
        if needed != self.mask:
            self.mask = needed
            self.entries.clear()
        self.entries[state & self.mask] = entry

    def forget(self) -> None:
        """Forget every entry; what came of the commands is remembered elsewhere."""
        self.mask = 0
        self.entries.clear()


@dataclass(slots=True, eq=False)
class Plan:
    """The commands to try in every state in which the same ones are tried, in blocks."""

    blocks: tuple[Block, ...]


def grouped(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Join the blocks of which one needs all that the other needs: one look then serves both."""
    groups: list[list[Block]] = []
    for block in sorted(blocks, key=_needs, reverse=True):
        group = next((each for each in groups if block.mask & ~each[0].mask == 0), None)
        if group is None:
            groups.append([block])
        else:
            group.append(block)
    order = {id(block): place for place, block in enumerate(blocks)}
    for group in groups:
        group.sort(key=lambda block: order[id(block)])
    groups.sort(key=lambda group: order[id(group[0])])
    return tuple(Block(tuple(c for block in group for c in block.commands)) for group in groups)


def _needs(block: Block) -> int:
    return block.mask.bit_count()


def closure(commands: tuple[Command, ...], state: int) -> Iterator[tuple[Command, Leaf]]:
    """What comes of commands in a state, and of those to try because of it, each once."""
    for command in commands:
        waiting = [command]
        for each in waiting:
            leaf = each(state)
            yield each, leaf
            waiting += [further for further in leaf.further if further not in waiting]
