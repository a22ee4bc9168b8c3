"""Comparison of values for graders, and canonical JSON."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.text import canonical_json, fingerprint, normalise_text, same_value

SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e12, 1e12) | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
)


@pytest.mark.parametrize(
    ("given_value", "expected"),
    [
        ("Dana  Whitfield", "dana whitfield"),
        (" ＤＡＮＡ\u00a0Whitfield\n", "Dana Whitfield"),
        ("Stra\u00dfe", "STRASSE"),
        (25_000, 25_000.0),
        (25_000.0000001, 25_000),
        ([1, 2, 2], [2, 1, 2]),
        (["TL-1", "tl-2"], ["TL-2", "TL-1"]),
        ({"a": 1, "b": "X"}, {"b": "x", "a": 1.0}),
        (None, None),
        (True, True),
        ([], []),
    ],
)
def test_equal(given_value: Any, expected: Any) -> None:
    assert same_value(given_value, expected)
    assert same_value(expected, given_value)


@pytest.mark.parametrize(
    ("given_value", "expected"),
    [
        (True, 1), (False, 0), (True, "true"), (None, 0), (None, ""), (None, "none"), (None, False), ("25000", 25_000),
        (25_000.01, 25_000), ([1, 1, 2], [1, 2, 2]), ([1], [1, 1]), ([], None), ({}, []),
        ({"a": 1}, {"a": 1, "b": None}),
        ("TL-1", ["TL-1"]), ("Dana", "Danas"), ({"a": 1}, {"b": 1}), ([True], [1]),
    ],
)  # fmt: skip
def test_different(given_value: Any, expected: Any) -> None:
    assert not same_value(given_value, expected)
    assert not same_value(expected, given_value)


def test_the_tolerance_can_be_half_a_cent() -> None:
    assert same_value(10.004, 10.0, 0.005)
    assert not same_value(10.01, 10.0, 0.005)


@given(VALUES)
def test_every_value_equals_itself(value: Any) -> None:
    assert same_value(json.loads(json.dumps(value)), value)


@given(VALUES, VALUES)
def test_equality_has_no_direction(one: Any, other: Any) -> None:
    assert same_value(one, other) == same_value(other, one)


@given(st.lists(st.integers(0, 3), max_size=6), st.randoms())
def test_order_does_not_matter_in_lists(items: list[int], random: Any) -> None:
    shuffled = items.copy()
    random.shuffle(shuffled)
    assert same_value(shuffled, items)
    assert not same_value([*shuffled, 9], items)


@given(st.text(max_size=20))
def test_normalising_twice_changes_nothing_for_ascii(text: str) -> None:
    plain = text.encode("ascii", "ignore").decode()
    assert normalise_text(normalise_text(plain)) == normalise_text(plain)


@given(st.dictionaries(st.text(max_size=4), st.integers(0, 9), max_size=5))
def test_canonical_json_does_not_depend_on_order(value: dict[str, int]) -> None:
    turned = dict(reversed(value.items()))
    assert canonical_json(value) == canonical_json(turned)
    assert fingerprint(value) == fingerprint(turned)
    assert json.loads(canonical_json(value)) == value
    assert fingerprint({**value, "x": 1}) != fingerprint({**value, "x": 2})


def test_a_fingerprint_is_a_known_one() -> None:
    # printf '{"a":1}' | sha256sum
    assert fingerprint({"a": 1}) == "015abd7f5cc57a2dd94b7590f04ad808"
