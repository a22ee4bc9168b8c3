"""What the tests of this subject share."""

from typing import Any

import pytest

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import call


def refused(name: str, field: str, **arguments: Any) -> None:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert (caught.value.kind, caught.value.field) == (ErrorKind.VALIDATION, field)


def cents(dollars: float) -> int:
    return round(dollars * 100)
