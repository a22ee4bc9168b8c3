"""What the tests of this subject share."""

from typing import Any

import pytest

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import call


def refusal(name: str, **arguments: Any) -> str | None:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert caught.value.kind is ErrorKind.VALIDATION
    return caught.value.field
