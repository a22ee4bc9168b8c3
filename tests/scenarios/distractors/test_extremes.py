"""Extreme but valid inputs: a distractor answers or refuses them with a message, and never fails otherwise."""

import json
import sys
from datetime import date
from functools import cache
from typing import Any, Literal, NamedTuple

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from teller_gym.tools.run import run_action
from teller_gym.tools.tool import Tool, ToolSet
from teller_gym.variation.pool import distractors
from tests.fuzz.effort import examples
from tests.scenarios.distractors.desk import branch_bank

TOOLS = distractors()
EXAMPLES = examples(10)
TINY, EPSILON = 5e-324, sys.float_info.epsilon
DAYS = ["0001-01-01", "9999-12-31", "2024-02-29", "2026-03-04"]
CUSTOMER_ID = "^CU-[0-9]{6}$"
TODAYS = [date(2026, 3, 4), date(2024, 2, 29), date(2025, 12, 31)]
UGLY = ["", " ", "\t", "\x00", "0", "-1", "é", "İ", "ß", "\u0301", "\u202e", "😀", "A" * 500, "1e9", "½"]


class Kind(NamedTuple):
    """Properties that all values of one call share: the length of its lists, and the kind of extreme numbers."""

    length: int
    numbers: Literal["any", "least", "most", "tiny"]


KINDS = st.builds(Kind, st.sampled_from([1, 2, 3, 5, 50]), st.sampled_from(["any", "least", "most", "tiny"]))


def numbers(schema: dict[str, Any], kind: Kind, places: int | None) -> st.SearchStrategy[Any]:
    """Draw numbers within the bounds, often at a bound or as near to it as floats or the decimal places allow."""
    low, high = schema["minimum"], schema["maximum"]
    if schema["type"] == "integer":
        corners = {"least": [low], "most": [high]}.get(kind.numbers, [low, high, (low + high) // 2])
        return st.one_of(st.sampled_from(corners), st.integers(low, high))
    tiny = [TINY, -TINY, low + EPSILON, high * (1 - EPSILON)] if places is None else []
    whole = [low, high, 0.0, -0.0, 1.0, low + 0.01, high - 0.01]
    by_kind = {"least": [low], "most": [high], "tiny": tiny[:1], "any": whole + tiny}
    inside = [value for value in by_kind[kind.numbers] or whole if low <= value <= high] or [low]
    drawn: st.SearchStrategy[float] = st.sampled_from(inside)
    if kind.numbers == "any":
        drawn = st.one_of(drawn, st.floats(low, high))
    return drawn if places is None else drawn.map(lambda value: round(value, places))


def texts(schema: dict[str, Any]) -> st.SearchStrategy[str]:
    """Draw texts that match a pattern, unusual texts, or dates from the whole calendar."""
    if schema.get("format") == "date":
        return st.one_of(st.sampled_from(DAYS), st.dates().map(str))
    least, most = schema.get("minLength", 0), schema.get("maxLength", 80)
    if schema.get("pattern") == CUSTOMER_ID:
        return st.one_of(st.sampled_from(["CU-100001", "CU-100002"]), st.from_regex(CUSTOMER_ID))
    free = st.one_of(st.sampled_from(UGLY), st.text(min_size=least, max_size=most))
    drawn = st.from_regex(schema["pattern"]) if "pattern" in schema else free
    return drawn.filter(lambda text: least <= len(text) <= most)


def admitted(schema: dict[str, Any], kind: Kind, places: int | None) -> st.SearchStrategy[Any]:
    """Draw values that are valid under a JSON schema."""
    if "anyOf" in schema:
        # An extreme value must not be omitted.
        left_out = [{"type": "null"}] if kind.numbers != "any" else []
        return st.one_of([admitted(one, kind, places) for one in schema["anyOf"] if one not in left_out])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "string":
            return texts(schema)
        case "array":
            size = min(max(kind.length, schema.get("minItems", 0)), schema["maxItems"])
            items = admitted(schema["items"], kind, places)
            return st.one_of(st.lists(items, min_size=size, max_size=size), items.map(lambda value: [value] * size))
        case _:
            return numbers(schema, kind, places)


@cache
def arguments(tool: Tool, kind: Kind) -> st.SearchStrategy[dict[str, Any]]:
    """Draw arguments that are valid under the tool's schema and the decimal places of its units."""
    places = {name: at_most for name, at_most, _ in tool._decimals}
    values = {each.name: admitted(each.schema, kind, places.get(each.name)) for each in tool.parameters}
    optional = {each.name for each in tool.parameters if not each.required and kind.numbers == "any"}
    return st.fixed_dictionaries(
        {name: drawn for name, drawn in values.items() if name not in optional},
        optional={name: drawn for name, drawn in values.items() if name in optional},
    )


@pytest.mark.slow
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_any_input_is_answered_or_refused(tool: Tool) -> None:
    tools = ToolSet([tool])

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(KINDS.flatmap(lambda kind: arguments(tool, kind)), st.sampled_from(TODAYS))
    def check(given_arguments: dict[str, Any], today: date) -> None:
        text = msgspec.json.encode({"name": tool.name, "arguments": given_arguments}).decode()
        bank = branch_bank(today)
        before = bank.state_hash()
        try:
            answer = run_action(bank, tools, text)
        except ToolError as error:
            assert error.message and bank.state_hash() == before
            return
        assert tool.writes or bank.state_hash() == before
        assert run_action(branch_bank(today), tools, text) == answer
        # Neither infinity nor NaN, which JSON cannot represent.
        json.dumps(answer, allow_nan=False)

    check()
