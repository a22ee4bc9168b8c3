"""Queries in PHP's notation are read as a client wrote them."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.parameters import nested, search_params

NAMES = st.text("abcXYZ", min_size=1, max_size=4)
VALUES = st.recursive(
    st.text(max_size=5),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3), st.dictionaries(NAMES, inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)


def flat(value: Any, name: str = "") -> list[tuple[str, str]]:
    """Name and value pairs, as PHP's http_build_query writes them."""
    if isinstance(value, str | int):
        return [(name, str(value))]
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return [pair for key, one in items for pair in flat(one, f"{name}[{key}]" if name else str(key))]


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_what_was_built_is_read(data: dict[str, Any]) -> None:
    query = urlencode(flat(data))
    assert nested(parse_qsl(query, keep_blank_values=True)) == data


@given(st.lists(st.tuples(st.text("a[]01", max_size=8), st.text(max_size=3)), max_size=8))
def test_odd_names_are_survived(pairs: list[tuple[str, str]]) -> None:
    nested(pairs)


@pytest.mark.parametrize(
    ("pairs", "found"),
    [
        ([("a[]", "1"), ("a[]", "2")], {"a": ["1", "2"]}),
        ([("a[5]", "1"), ("a[]", "2")], {"a": ["1", "2"]}),
        ([("a[1]", "x"), ("a[0]", "y")], {"a": ["x", "y"]}),
        ([("a", "1"), ("a[b]", "2")], {"a": {"b": "2"}}),
        ([("a[b]", "2"), ("a", "1")], {"a": "1"}),
        ([("a[", "1")], {"a[": "1"}),
        ([("", "1")], {"": "1"}),
        ([("a[][b]", "1"), ("a[][b]", "2")], {"a": [{"b": "1"}, {"b": "2"}]}),
    ],
)
def test_brackets(pairs: list[tuple[str, str]], found: dict[str, Any]) -> None:
    assert nested(pairs) == found


def test_deep_names_are_refused() -> None:
    with pytest.raises(CrmError, match="at most 24 deep"):
        nested([("a" + "[0]" * 24, "1")])


def test_a_search_is_read_as_espocrm_reads_it() -> None:
    assert search_params({"where": "x", "maxSize": " 5x", "offset": "-1", "order": "desc"}) == {
        "where": None,
        "maxSize": 5,
        "offset": -1,
        "order": "desc",
    }
