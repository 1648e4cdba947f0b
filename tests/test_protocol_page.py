"""The protocol as it is written down: the page and the schema say what the code does."""

from typing import get_args

import pytest
from jsonschema import Draft202012Validator

from conformance.programs import NEEDS, SPEC
from conformance.protocol import schema
from conformance.protocol.shape import fields_of, kebab
from conformance.serve import GROUPS
from model.command import React, Single, Together
from model.observation import Observation


def test_the_schema_is_fresh() -> None:
    """The schema in the spec is the one that the shapes give, and is one itself."""
    assert schema.PATH.read_text(encoding="utf-8") == schema.text()
    Draft202012Validator.check_schema(schema.schema())


def rows(text: str) -> dict[str, str]:
    """The rows of a page's tables, under what stands in code in their first cell."""
    cells = (line.split("|") for line in text.splitlines() if line.startswith("| `"))
    return {row[1].strip().strip("`"): row[2] for row in cells}


@pytest.mark.parametrize("key", ["do", "see"])
def test_the_page_has_every_command_and_observation_with_its_fields(key: str) -> None:
    """What the suite may say and what it reads is written down for whoever writes an adapter."""
    page = rows((SPEC / "protocol.md").read_text(encoding="utf-8"))
    kinds = get_args(Observation) if key == "see" else (*get_args(Single), React, Together)
    for name in map(kebab, (each.__name__ for each in kinds)):
        written = {word.strip("? ") for word in page[name].split(",")} - {""}
        assert written == {each.name for each in fields_of(name)} - {"live"}, name


def test_the_page_has_what_each_group_brings() -> None:
    """Whoever claims a group knows what it will be asked for, and what it will not."""
    page = rows((SPEC / "protocol.md").read_text(encoding="utf-8"))
    for group in GROUPS:
        written = {word.strip() for word in page[group].split(",")} - {""}
        assert written == {name for name, needed in NEEDS.items() if needed == group}, group
