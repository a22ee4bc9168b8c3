"""Tests that perturbed results keep their values, with noise only in texts that no rule reads."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.procedure.scenario import load_scenario
from teller_gym.tasks.store import load_tasks
from teller_gym.tools.run import action_text, run_tool
from teller_gym.variation.pool import tools_in_play
from teller_gym.variation.results import _HEADERS, perturb, plain, rename_fields, snake
from teller_gym.variation.schema.fields import result_names

LOANS = load_scenario("loans")
KEYS = [f"key/{number}" for number in range(40)]

NAMES = st.from_regex("[a-z]{2,6}(_[a-z]{2,6}){0,3}", fullmatch=True)
SCALARS = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=12)
NUMBERS = st.floats(-1e6, 1e6, allow_nan=False).map(lambda number: round(number, 2))
ROWS = st.lists(st.dictionaries(NAMES, SCALARS | NUMBERS, max_size=4), max_size=4)
RESULTS = st.dictionaries(
    NAMES,
    SCALARS
    | NUMBERS
    | ROWS
    | st.lists(SCALARS, max_size=3)
    | st.dictionaries(st.text(max_size=6), SCALARS, max_size=3),
    max_size=6,
)


def same(one: Any, other: Any) -> bool:
    """Return True if two results are equal except for the order of fields and of rows."""
    if isinstance(one, list) and isinstance(other, list) and one and all(isinstance(row, dict) for row in one):
        rest = list(other)
        for row in one:
            match = next((place for place, candidate in enumerate(rest) if same(row, candidate)), None)
            if match is None:
                return False
            del rest[match]
        return not rest
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(item, other[name]) for name, item in one.items())
    return (type(one) in (int, float) and one == other) or (type(one) is type(other) and one == other)


@settings(max_examples=80)
@given(RESULTS, st.sampled_from(KEYS), st.sampled_from(["tool_a", "tool_b"]))
def test_values_stay_whatever_the_writing(result: dict[str, Any], key: str, tool: str) -> None:
    text = perturb(msgspec.json.encode(result).decode(), key, tool, frozenset())
    assert same(plain(json.loads(text)), result)
    assert perturb(msgspec.json.encode(result).decode(), key, tool, frozenset()) == text


@settings(max_examples=50)
@given(RESULTS, NAMES, st.text(max_size=20), st.sampled_from(KEYS))
def test_only_unread_texts_get_noise(result: dict[str, Any], name: str, remark: str, key: str) -> None:
    given_result = {**result, name: remark}
    text = perturb(msgspec.json.encode(given_result).decode(), key, "t", frozenset({name}))
    back = plain(json.loads(text))
    assert remark in back[name] and back[name] != remark
    # The same name in a row is the same field.
    rows = [{name: remark, "other": remark}, {name: 3, "other": None}]
    table = plain(json.loads(perturb(json.dumps({"table": rows}), key, "t", frozenset({name}))))["table"]
    by_kind = {type(row[name]): row for row in table}
    assert remark in by_kind[str][name] and by_kind[str]["other"] == remark
    assert by_kind[int] == {name: 3, "other": None}
    del back[name]
    assert same(back, {field: value for field, value in given_result.items() if field != name})


def test_every_way_of_writing_comes_up() -> None:
    record = {"first_name": 1.0, "rows_of_it": [{"a_b": number} for number in range(6)], "third_one": 2.5, "d": True}
    texts = [perturb(json.dumps(record), key, "tool", frozenset()) for key in KEYS]
    fields = {name for text in texts for name in json.loads(text)}
    assert fields >= {"first_name", "FIRST_NAME", "First Name", "firstName", "first-name"}
    assert any("\n" in text for text in texts) and any(", " not in text and "\n" not in text for text in texts)
    assert all("1.0" not in text and "2.5" in text for text in texts)
    assert len({tuple(map(snake, json.loads(text))) for text in texts}) > 5
    rows = {tuple(row["a_b"] for row in plain(json.loads(text))["rows_of_it"]) for text in texts}
    assert len(rows) > 5


def test_one_key_writes_all_tools_alike_and_each_in_an_order_of_its_own() -> None:
    record = {f"field_{letter}": 1 for letter in "abcdefgh"}
    one, again, other = (
        json.loads(perturb(json.dumps(record), "k", tool, frozenset())) for tool in ("one", "one", "other")
    )
    assert list(one) == list(again) != list(other)
    assert set(one) == set(other)


def test_every_name_of_the_pool_comes_back_from_every_header() -> None:
    names = {
        name
        for tool in tools_in_play("loans", 243, "").values()
        for name in (*result_names(tool, {}), *(parameter.name for parameter in tool.parameters))
    }
    assert len(names) > 1000
    for header in _HEADERS:
        written = {name: header(name) for name in names}
        assert {name: snake(new) for name, new in written.items()} == {name: name for name in names}


@given(st.from_regex("[a-z]{1,5}([_ -][a-z0-9]{1,4}){0,4}", fullmatch=True))
def test_snake_is_settled_after_one_go(name: str) -> None:
    assert snake(snake(name)) == snake(name) == name.replace(" ", "_").replace("-", "_")


def test_renaming_leaves_mappings_and_lists_of_other_things() -> None:
    record: Mapping[str, Any] = {"a": {"b": 1}, "c": [{"d": {"e": 1}}], "f": [1, {"g": 2}], "h": []}
    assert rename_fields(record, str.upper) == {
        "A": {"b": 1}, "C": [{"D": {"e": 1}}], "F": [1, {"g": 2}], "H": [],
    }  # fmt: skip
    assert plain(None) is None and plain([1]) == [1]


# -- in the scenario -------------------------------------------------------------------------------------------------


def test_unread_fields_are_texts_of_the_template() -> None:
    assert LOANS.unread == {"note"}
    assert all(field.type == "string" for field in LOANS.template.existing if field.unread)


def test_results_of_the_standard_calls_keep_their_values() -> None:
    from teller_gym.tools.call import ToolCall
    from teller_gym.tools.parse import parse_action

    for task in load_tasks("loans", "train", 15):
        bank = LOANS.bank(task)
        for call in task.standard.calls:
            read = parse_action(action_text(call), LOANS.tools)
            assert isinstance(read, ToolCall)
            result = run_tool(bank, read)
            text = perturb(result, task.id, call.name, LOANS.unread)
            before, after = json.loads(result), plain(json.loads(text))
            for name in LOANS.unread & before.keys():
                assert before.pop(name) in after.pop(name)
            assert same(after, before)
