"""What an alternative is, and how one is made from a decision or two."""

from dataclasses import dataclass, replace

from model.design import DSH, CollectionDesign, Design, PublishStep, TeardownStep


@dataclass(frozen=True, slots=True)
class Alternative:
    """One decision taken otherwise.

    `clause` is the clause that it breaks, `says` what an implementation of it does.
    """

    name: str
    clause: str
    says: str
    design: Design


def of_sessions(name: str, clause: str, says: str, policy: CollectionDesign) -> Alternative:
    """An alternative to a decision of the session store."""
    return Alternative(name, clause, says, replace(DSH, sessions=policy))


def of_agents(name: str, clause: str, says: str, policy: CollectionDesign) -> Alternative:
    """An alternative to a decision of the agent registry."""
    return Alternative(name, clause, says, replace(DSH, agents=policy))


def publishing(name: str, clause: str, says: str, *steps: PublishStep) -> Alternative:
    """An alternative to the publish program."""
    return Alternative(name, clause, says, replace(DSH, publish=steps))


def tearing(name: str, clause: str, says: str, *steps: TeardownStep) -> Alternative:
    """An alternative to the teardown program."""
    return Alternative(name, clause, says, replace(DSH, teardown=steps))


def unchecked(clause: str, says: str) -> Alternative:
    """An alternative that leaves out a validation."""
    name = f"unchecked-{clause.lower()}"
    return Alternative(name, clause, says, replace(DSH, unchecked=frozenset((clause,))))
