"""Data files: any text comes through unchanged, and none is ever anything but text."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import OptionError
from teller_gym.viewer.script_files import data_script
from tests.viewer.hostile import ALL
from tests.viewer.reading import read_script

_evil = st.text(st.sampled_from("'\"\\<>/&`${}nxu0123\r\n\u2028\u2029\ud800\udfff\x00\x1b\x7f🏦é"), max_size=20)
_texts = st.text(max_size=20) | _evil | st.sampled_from(ALL)
_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3),
    max_leaves=8,
)


@given(_values)
def test_values_come_through(value: Any) -> None:
    same = json.loads(json.dumps(value))  # two halves of a character side by side are that character
    assert read_script(data_script("episodes-0-1", value)) == ("episodes-0-1", same)


@given(_texts)
def test_no_text_can_end_a_script(text: str) -> None:
    script = data_script("index", {text: text})
    assert b"<" not in script
    assert script.count(b"\n") == 1


def test_what_json_has_no_word_for_is_told() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for value in (math.nan, -math.inf, deep):
        with pytest.raises(OptionError, match="episodes-2-0"):
            data_script("episodes-2-0", [value])
