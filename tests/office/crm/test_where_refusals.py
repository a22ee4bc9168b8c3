"""Refused where items: malformed, unknown, not comparable, or too many."""

from __future__ import annotations

import re
from typing import Any

import pytest

from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.where import MAX_DEPTH, MAX_ITEMS, MAX_VALUES, compile_where
from tests.office.crm.evaluation import world


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({}, "No 'type'"),
        ("word", "Expected an object"),
        ({"type": "equals", "value": 1}, "No 'attribute'"),
        ({"type": "equals", "attribute": "nothing", "value": 1}, "Not existing attribute 'nothing'"),
        ({"type": "resembles", "attribute": "word"}, "Unknown where item type 'resembles'"),
        ({"type": "equals", "attribute": "word", "x": 1}, "Unknown parameter 'x'"),
        ({"type": "equals", "attribute": "accountsIds", "value": "a0"}, "linkedWith on 'accounts'"),
        ({"type": "equals", "attribute": "accountsNames", "value": "a0"}, "cannot be compared"),
        ({"type": "equals", "attribute": "amount", "value": "much"}, "does not compare"),
        ({"type": "equals", "attribute": "day", "value": "tomorrow"}, "does not compare"),
        ({"type": "equals", "attribute": "flag", "value": "maybe"}, "does not compare"),
        ({"type": "greaterThan", "attribute": "amount", "value": [1]}, "compares with one value"),
        ({"type": "in", "attribute": "word", "value": "a"}, "Expected a list"),
        ({"type": "in", "attribute": "word", "value": ["a"] * (MAX_VALUES + 1)}, "Expected a list"),
        ({"type": "between", "attribute": "amount", "value": [1]}, "Bad where item 'between'"),
        ({"type": "contains", "attribute": "tags", "value": "red"}, "needs text"),
        ({"type": "contains", "attribute": "word", "value": ["a"]}, "compares with text"),
        ({"type": "like", "attribute": "word", "value": "a" * 501}, "at most 500"),
        ({"type": "isTrue", "attribute": "word"}, "not true or false"),
        ({"type": "linkedWith", "attribute": "word", "value": "a0"}, "Not existing relation 'word'"),
        ({"type": "linkedWith", "attribute": "accounts", "value": [1]}, "Non-string ID"),
        ({"type": "linkedWith", "attribute": "children", "value": ["c0"]}, "Not supported relation type"),
        ({"type": "and", "value": "x"}, "Expected a list of items"),
        ({"type": "equals", "attribute": "accounts.name", "value": "x"}, "Bad relation 'accounts'"),
        ({"type": "equals", "attribute": "account.nothing", "value": "x"}, "Not existing attribute"),
        ({"type": "today", "attribute": "day"}, "Unknown where item type 'today'"),
    ],
)
def test_a_bad_item_is_refused_with_the_reason(item: Any, message: str) -> None:
    scope, _ = world([])
    with pytest.raises(CrmError, match=re.escape(message)) as caught:
        compile_where(scope, [item])
    assert caught.value.status == 400


def test_searches_are_bounded() -> None:
    scope, _ = world([])
    deep: dict[str, Any] = {"type": "isTrue", "attribute": "flag"}
    for _ in range(MAX_DEPTH):
        deep = {"type": "and", "value": [deep]}
    compile_where(scope, [deep])
    with pytest.raises(CrmError, match="nested more than"):
        compile_where(scope, [{"type": "or", "value": [deep]}])
    compile_where(scope, [{"type": "isTrue", "attribute": "flag"}] * MAX_ITEMS)
    with pytest.raises(CrmError, match="more than 100"):
        compile_where(scope, [{"type": "isTrue", "attribute": "flag"}] * (MAX_ITEMS + 1))
