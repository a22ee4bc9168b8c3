"""Tests of data_tables/json_text: expected values worked out by hand, or anew in another way."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused


def test_json_keys() -> None:
    text = '{"a": {"b": [1, {"c": null}]}, "z": 1}'
    assert call("check_json_keys", json_text=text, required_paths=["a.b.0", "a.b.1.c", "q"]) == {
        "passes": False,
        "missing": ["q"],
        "null_values": ["a.b.1.c"],
        "other_keys": ["z"],
    }
    paths = ["a.b.1.c"]
    assert call("check_json_keys", json_text=text, required_paths=paths, allow_null=True)["passes"]
    strict: dict[str, Any] = {"allow_null": True, "allow_other_keys": False}
    assert not call("check_json_keys", json_text=text, required_paths=paths, **strict)["passes"]
    assert call("check_json_keys", json_text=text, required_paths=["a", "z"], allow_other_keys=False)["passes"]


@pytest.mark.parametrize("text", ['{"a": 1,}', "[1]", "[" * 30, "{" * 1000, '"', '"\\', "NaN", "1e999"])
def test_texts_that_are_no_json_object(text: str) -> None:
    refused("json_text", "check_json_keys", json_text=text, required_paths=["a"])


def test_flattening() -> None:
    text = '{"a": {"b": [1, {"c": null}], "e": {}}, "z": "[x"}'
    flat = call("flatten_json", json_text=text)
    assert [(entry["path"], entry["value"]) for entry in flat["entries"]] == [
        ("a.b.0", "1"),
        ("a.b.1.c", "null"),
        ("a.e", "{}"),
        ("z", '"[x"'),
    ]
    shallow = call("flatten_json", json_text=text, max_depth=2, separator="/")
    assert shallow["entries"][0] == {"path": "a/b", "value": '[1,{"c":null}]'}
    refused("separator", "flatten_json", json_text='{"a": {"b": 1}, "a.b": 2}')
    refused("json_text", "flatten_json", json_text="{}")
    refused("json_text", "flatten_json", json_text=json.dumps({"k" * 400: [1] * 200}))


@given(
    st.recursive(
        st.integers(0, 9) | st.text("xy", max_size=2),
        lambda inner: (
            st.dictionaries(st.text("abc", min_size=1, max_size=2), inner, min_size=1, max_size=3)
            | st.lists(inner, min_size=1, max_size=3)
        ),
        max_leaves=12,
    )
)
def test_flat_json_holds_every_value(value: Any) -> None:
    flat = call("flatten_json", json_text=json.dumps({"root": value}))
    for entry in flat["entries"]:
        found: Any = {"root": value}
        for step in entry["path"].split("."):
            found = found[int(step)] if isinstance(found, list) else found[step]
        assert json.loads(entry["value"]) == found
