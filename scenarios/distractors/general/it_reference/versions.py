"""Versions of software."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

_NUMBER = "(0|[1-9][0-9]{0,5})"
_LABELS = "[0-9A-Za-z-]{1,15}([.][0-9A-Za-z-]{1,15}){0,3}"
Version = Annotated[
    str, Meta(pattern=f"^{_NUMBER}[.]{_NUMBER}[.]{_NUMBER}(-{_LABELS})?([+]{_LABELS})?$", max_length=60)
]


class VersionComparison(Result):
    """Which is newer by semantic versioning, in what they differ, and whether an update from a to b is allowed."""

    newer: Literal["a", "b", "neither"]
    difference: Literal["major", "minor", "patch", "prerelease", "build", "none"]
    update_allowed: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def compare_software_versions(
    bank: Bank, version_a: Version, version_b: Version, allowed_update: Literal["patch", "minor", "major"] = "major"
) -> VersionComparison:
    """Compare two semantic versions, and say whether an update from the first to the second is within what is allowed.

    Args:
        version_a: The version in use, such as 2.4.1 or 3.0.0-rc.1.
        version_b: The version to compare with.
        allowed_update: Largest step that is allowed; an older version is never an update.
    """
    a, b = _version_key("version_a", version_a), _version_key("version_b", version_b)
    steps: tuple[Literal["major", "minor", "patch"], ...] = ("major", "minor", "patch")
    step = next((name for name, x, y in zip(steps, a[0], b[0], strict=True) if x != y), None)
    newer: Literal["a", "b", "neither"] = "a" if a > b else "b" if b > a else "neither"
    same_build = version_a.strip().partition("+")[2] == version_b.strip().partition("+")[2]
    return VersionComparison(
        newer=newer,
        difference=step or ("prerelease" if a != b else "none" if same_build else "build"),
        update_allowed=newer == "b" and (step is None or steps.index(step) >= steps.index(allowed_update)),
    )


def _version_key(field: str, text: str) -> tuple[list[int], bool, list[tuple[bool, int, str]]]:
    """A key that sorts as semantic versioning does: a prerelease comes before the release, numbers before words."""
    release, _, prerelease = text.strip().partition("+")[0].partition("-")
    labels = prerelease.split(".") if prerelease else []
    if any(label.isdigit() and label != str(int(label)) for label in labels):
        raise invalid(field, f"expected prerelease numbers without leading zeros, got {text!r}")
    keys = [(not label.isdigit(), int(label) if label.isdigit() else 0, label) for label in labels]
    return [int(number) for number in release.split(".")], not labels, keys
