"""Tests of encoding/texts: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call, refused

SCHEMES = ["base64", "base64url", "base32", "hex", "url_percent", "html"]
PLAIN = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("base64", "Zm9vYmE/Pg=="),
        ("base64url", "Zm9vYmE_Pg=="),
        ("base32", "MZXW6YTBH47A===="),
        ("hex", "666f6f62613f3e"),
        ("url_percent", "fooba%3F%3E"),
        ("html", "fooba?&gt;"),
    ],
)
def test_schemes(scheme: str, expected: str) -> None:
    encoded = call("convert_text_encoding", text="fooba?>", scheme=scheme, direction="encode")
    assert encoded == {"converted": expected, "bytes_before": 7, "bytes_after": len(expected)}


@given(PLAIN, st.sampled_from(SCHEMES))
def test_encoding_there_and_back(text: str, scheme: str) -> None:
    encoded = call("convert_text_encoding", text=text, scheme=scheme, direction="encode")["converted"]
    assert call("convert_text_encoding", text=encoded, scheme=scheme, direction="decode")["converted"] == text


@pytest.mark.parametrize(
    ("scheme", "text"),
    [("base64", "a"), ("base64url", "ü"), ("base32", "1"), ("hex", "abc"), ("hex", "ff"), ("url_percent", "100%")],
)
def test_what_is_not_in_a_scheme(scheme: str, text: str) -> None:
    refused("text", "convert_text_encoding", text=text, scheme=scheme, direction="decode")


def test_name_based_ids() -> None:
    # The examples of Python's documentation, which agree with RFC 9562.
    five = call("make_name_based_id", namespace="dns", name="python.org")
    assert five == {"identifier": "886313e1-3b8a-5372-9b90-0c9aee199e5d", "short_form": "886313e1"}
    three = call("make_name_based_id", namespace="dns", name="python.org", version=3, layout="braces", uppercase=True)
    assert three["identifier"] == "{6FA459EA-EE8A-3CA4-894E-DB77E160355E}"
    assert call("make_name_based_id", namespace="dns", name="python.org", layout="compact")["identifier"] == (
        "886313e13b8a53729b900c9aee199e5d"
    )
    assert call("make_name_based_id", namespace="url", name="a", layout="urn")["identifier"].startswith("urn:uuid:")
    with pytest.raises(ToolError):
        call("make_name_based_id", namespace="dns", name="a", version=4)


@given(PLAIN, PLAIN)
def test_names_that_differ_have_ids_that_differ(first: str, second: str) -> None:
    ids = [call("make_name_based_id", namespace="oid", name=name)["identifier"] for name in (first, second)]
    assert (ids[0] == ids[1]) == (first == second)
    assert ids[0][14] == "5" and ids[0][19] in "89ab"


FLAGS = ["read", "write", "run"]


def test_bit_flags() -> None:
    assert call("change_bit_flags", value=5, flag_names=FLAGS, operation="toggle", flags=["read", "write"]) == {
        "value": 6,
        "hexadecimal": "0x00000006",
        "flags_set": ["write", "run"],
        "unnamed_bits_set": 0,
    }
    assert call("change_bit_flags", value=255, flag_names=FLAGS, operation="read")["unnamed_bits_set"] == 5
    assert call("change_bit_flags", value=7, flag_names=FLAGS, operation="clear", flags=["run"])["value"] == 3
    refused("flags", "change_bit_flags", value=1, flag_names=FLAGS, operation="set")
    refused("flags", "change_bit_flags", value=1, flag_names=FLAGS, operation="read", flags=["run"])
    refused("flags", "change_bit_flags", value=1, flag_names=FLAGS, operation="set", flags=["walk"])
    refused("flag_names", "change_bit_flags", value=1, flag_names=["a", "a"], operation="read")


@given(st.integers(0, 2**32 - 1), st.sets(st.sampled_from(FLAGS), min_size=1))
def test_toggling_twice_changes_nothing(value: int, flags: set[str]) -> None:
    options: dict[str, Any] = {"flag_names": FLAGS, "operation": "toggle", "flags": sorted(flags)}
    once = call("change_bit_flags", value=value, **options)["value"]
    assert once != value
    assert call("change_bit_flags", value=once, **options)["value"] == value
