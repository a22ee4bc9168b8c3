"""Tests of it_support/file_names: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call


def test_file_names_by_hand() -> None:
    names = ["  Report: Q1?.pdf ", "report_ q1_.PDF", "con.txt", "...", "Büro/Plan.docx"]
    cleaned = call("clean_file_names", file_names=names, target_system="windows")
    assert cleaned["names"] == ["Report_ Q1_.pdf", "report_ q1__2.PDF", "con_.txt", "unnamed", "Büro_Plan.docx"]
    assert cleaned["changed"] == 5
    web = call("clean_file_names", file_names=names[4:], target_system="web", replacement="-", ascii_only=True)
    assert web["names"] == ["Buro-Plan.docx"]
    assert call("clean_file_names", file_names=["A:b"], target_system="linux") == {"names": ["A:b"], "changed": 0}
    asked: dict[str, Any] = {
        "file_names": ["A long name of a file.TXT"],
        "target_system": "linux",
        "longest": 16,
        "lower_case": True,
    }
    assert call("clean_file_names", **asked)["names"] == ["a long name.txt"]
    with pytest.raises(ToolError):
        call("clean_file_names", file_names=[], target_system="linux")


@given(
    st.lists(st.text(max_size=40), min_size=1, max_size=10),
    st.sampled_from(["windows", "linux", "web"]),
    st.integers(16, 80),
    st.booleans(),
)
@settings(deadline=None, max_examples=100)
def test_clean_names_are_short_different_and_allowed(names: list[str], system: str, longest: int, plain: bool) -> None:
    asked: dict[str, Any] = {"target_system": system, "longest": longest, "ascii_only": plain}
    cleaned = call("clean_file_names", file_names=names, **asked)["names"]
    assert len({name.lower() for name in cleaned}) == len(names)
    for name in cleaned:
        assert 0 < len(name) <= longest
        assert "/" not in name
        assert name == name.strip().rstrip(".")
        assert name.isascii() or not (plain or system == "web")
