"""Properties of all distractors together: counts, uniqueness, bounded schemas, and robust answers."""

import re
from collections import Counter
from typing import Any

import msgspec
import numpy as np
import pytest

from teller_gym.base.errors import ToolError
from teller_gym.envs.spaces.sampling import sample_arguments
from teller_gym.procedure.scenario import load_scenario
from teller_gym.registration import SCENARIOS
from teller_gym.scenarios.distractors import subjects
from teller_gym.tools.run import run_action
from teller_gym.tools.tool import Category, Tool, ToolSet
from teller_gym.variation.pool import distractors
from tests.scenarios.distractors.desk import empty_bank

TOOLS = distractors()
NAMES = [tool.name for tool in TOOLS]
ENTRIES = {name: entry for subject in subjects() for name, entry in subject.entries.items()}
LONGEST_ANSWER = 4_000


def test_there_are_45_financial_and_198_general_ones() -> None:
    assert Counter(tool.category for tool in TOOLS) == {
        Category.FINANCIAL_DISTRACTOR: 45,
        Category.GENERAL_DISTRACTOR: 198,
    }


def test_names_are_their_own() -> None:
    taken = [name for scenario in SCENARIOS for name in load_scenario(scenario).tools]
    assert len(set(NAMES)) == len(NAMES)
    assert not set(NAMES) & set(taken)


def shape(tool: Tool) -> str:
    """Return the structure of a tool's expressions, with constants, names and texts replaced."""
    entry = ENTRIES[tool.name]
    tests = [getattr(row, "when", row) for row in entry.refuse]
    written = [entry.lookup, entry.steps, tests, entry.listing, entry.record, entry.result]
    return re.sub(r"'[^']*'|\w+", "x", msgspec.json.encode(written).decode())


def test_no_two_differ_only_in_constants() -> None:
    """Two entries may share a structure or a list of argument types, but not both."""
    seen: dict[tuple[str, str], str] = {}
    for tool in TOOLS:
        schemas = [{k: v for k, v in p.schema.items() if k != "description"} for p in tool.parameters]
        kinds = msgspec.json.encode([[*sorted(schema), str(schema.get("type"))] for schema in schemas]).decode()
        other = seen.setdefault((shape(tool) + str(sorted(tool.outputs)), kinds), tool.name)
        assert other == tool.name, f"{tool.name} is like {other}"
    descriptions = [tool.description for tool in TOOLS]
    assert len(set(descriptions)) == len(descriptions)


@pytest.mark.parametrize("tool", TOOLS, ids=NAMES)
def test_schemas_are_bounded_and_described(tool: Tool) -> None:
    assert 1 <= len(tool.parameters) <= 10
    assert 20 <= len(tool.description) <= 400
    assert "distractor" not in tool.description.lower()
    for parameter in tool.parameters:
        assert len(parameter.schema["description"]) >= 5
        for schema in variants(parameter.schema):
            check_bounds(schema)


def variants(schema: dict[str, Any]) -> list[dict[str, Any]]:
    inner = [*schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])]
    return [schema, *(one for item in inner for one in variants(item))]


def check_bounds(schema: dict[str, Any]) -> None:
    match schema.get("type"):
        case "string":
            assert schema.keys() & {"maxLength", "pattern", "enum", "format"}, schema
        case "array":
            assert schema.get("maxItems", 99) <= 50, schema
        case "integer" | "number" if "enum" not in schema:
            assert schema.keys() & {"minimum", "exclusiveMinimum"}, schema
            assert schema.keys() & {"maximum", "exclusiveMaximum"}, schema


@pytest.mark.parametrize("tool", TOOLS, ids=NAMES)
def test_whatever_a_schema_admits_is_answered_or_refused(tool: Tool) -> None:
    """The same call on the same state gives the same bytes, refusals have a message, and only writing tools write."""
    rng = np.random.default_rng(7)
    bank = empty_bank()
    for _ in range(40):
        arguments = sample_arguments(tool.parameters, rng)
        text = msgspec.json.encode({"name": tool.name, "arguments": arguments}).decode()
        before = bank.snapshot()
        try:
            first = run_action(bank, ToolSet([tool]), text)
        except ToolError as error:
            assert len(error.message) > 10
            assert bank.snapshot() == before
            continue
        assert len(msgspec.json.encode(first)) <= LONGEST_ANSWER
        assert first == run_action(bank.fork(before), ToolSet([tool]), text)
        overlay = bank.snapshot()
        written = {place: record for place, record in overlay.items() if before.get(place) != record}
        assert tool.writes or not written
        for (table, _), record in written.items():
            assert table.startswith("misc_") and record["owner"] == "misc"
            msgspec.json.encode(record)


def test_one_in_eight_writes() -> None:
    assert 0.05 <= sum(tool.writes for tool in TOOLS) / len(TOOLS) <= 0.2
