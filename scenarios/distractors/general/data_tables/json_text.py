"""JSON texts: their keys, and the values as paths."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import keep_short, quoted, refuse
from teller_gym.scenarios.distractors.general.data_tables import _json_work as json_work
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

JsonText = Annotated[str, Meta(min_length=1, max_length=1200)]
JsonPath = Annotated[str, Meta(min_length=1, max_length=80)]


class JsonKeyCheck(Result):
    """Whether the text passes, and what is wrong with it."""

    passes: bool
    missing: list[str]
    null_values: list[str]
    other_keys: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def check_json_keys(
    bank: Bank,
    json_text: JsonText,
    required_paths: Annotated[list[JsonPath], Meta(min_length=1, max_length=30)],
    allow_null: bool = False,
    allow_other_keys: bool = True,
) -> JsonKeyCheck:
    """Check that a JSON object has all the keys that it must have.

    Args:
        json_text: The JSON text.
        required_paths: Keys that must be there; nested ones with dots, places in lists as numbers, as in items.0.name.
        allow_null: Whether null counts as a value.
        allow_other_keys: Whether the object itself may have keys with which no required path begins.
    """
    value = json_work.read_json(json_text)
    if not isinstance(value, dict):
        raise refuse("json_text", f"expected a JSON object, got {quoted(json_text)}")
    missing = [path for path in required_paths if not json_work.values_at(value, path)]
    null_values = [path for path in required_paths if json_work.values_at(value, path) == [None]]
    first_steps = {path.split(".")[0] for path in required_paths}
    other_keys = [key for key in value if key not in first_steps]
    passes = not missing and (allow_null or not null_values) and (allow_other_keys or not other_keys)
    keep_short([missing, null_values, other_keys], "json_text")
    return JsonKeyCheck(passes=passes, missing=missing, null_values=null_values, other_keys=other_keys)


class FlatJson(Result):
    """All paths with their values, in the order of the text."""

    entries: list[json_work.JsonLeaf]
    count: int


@tool(category=Category.GENERAL_DISTRACTOR)
def flatten_json(
    bank: Bank,
    json_text: JsonText,
    separator: Literal[".", "/", "_"] = ".",
    max_depth: Annotated[int, Meta(ge=1, le=20)] = 20,
) -> FlatJson:
    """Flatten nested JSON to a list of paths and values; places in lists are counted from 0.

    Args:
        json_text: The JSON text, an object or a list.
        separator: What stands between the steps of a path.
        max_depth: How many levels are taken apart; what is nested deeper stays together.
    """
    value = json_work.read_json(json_text)
    if not isinstance(value, dict | list) or not value:
        raise refuse("json_text", f"expected an object or a list that is not empty, got {quoted(json_text)}")
    entries = json_work.flatten(value, separator, max_depth)
    return FlatJson(entries=keep_short(entries, "json_text"), count=len(entries))
