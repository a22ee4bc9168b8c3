"""What the tests of this subject share."""

from math import acos, cos, degrees, radians, sin
from typing import Any

import pytest

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import call


def refused(name: str, field: str, /, **arguments: Any) -> str:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert (caught.value.kind, caught.value.field) == (ErrorKind.VALIDATION, field)
    return caught.value.message


def angle(one: tuple[float, float], other: tuple[float, float]) -> float:
    """The law of cosines on the sphere, in degrees."""
    (a, b), (c, d) = one, other
    product = cos(radians(a)) * cos(radians(c)) * cos(radians(b - d))
    return degrees(acos(max(-1, min(1, sin(radians(a)) * sin(radians(c)) + product))))
