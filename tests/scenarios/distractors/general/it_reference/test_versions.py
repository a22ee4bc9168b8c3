"""Tests of it_reference/versions: expected values worked out by hand, or anew in another way."""

import pytest

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call

SPECIFIED_ORDER = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11"]
SPECIFIED_ORDER += ["1.0.0-rc.1", "1.0.0", "1.0.10", "1.2.0", "2.0.0"]


@pytest.mark.parametrize("i", range(len(SPECIFIED_ORDER)))
def test_versions_in_the_order_of_the_specification(i: int) -> None:
    for j, other in enumerate(SPECIFIED_ORDER):
        newer = call("compare_software_versions", version_a=SPECIFIED_ORDER[i], version_b=other)["newer"]
        assert newer == ("a" if i > j else "b" if j > i else "neither")


def test_versions_by_hand() -> None:
    def compare(a: str, b: str, allowed: str = "major") -> tuple[str, bool]:
        made = call("compare_software_versions", version_a=a, version_b=b, allowed_update=allowed)
        return made["difference"], made["update_allowed"]

    assert compare("2.4.1", "2.5.0", "minor") == ("minor", True)
    assert compare("2.4.1", "2.5.0", "patch") == ("minor", False)
    assert compare("2.4.1", "3.0.0", "minor") == ("major", False)
    assert compare("2.4.1", "2.4.0") == ("patch", False)
    assert compare("2.4.1-rc.1", "2.4.1", "patch") == ("prerelease", True)
    assert compare("2.4.1+a", "2.4.1+b") == ("build", False)
    assert compare("2.4.1", "2.4.1") == ("none", False)
    for wrong in ("2.4", "02.4.1", "2.4.1-01", "2.4.1-"):
        with pytest.raises(ToolError):
            compare("2.4.1", wrong)
