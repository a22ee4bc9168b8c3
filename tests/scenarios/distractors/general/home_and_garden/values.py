"""What the tests of this subject share."""

from typing import Any

import pytest

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.tools.bank import Bank
from tests.scenarios.distractors.desk import call

Arguments = dict[str, Any]


def refusal(name: str, bank: Bank | None = None, **arguments: Any) -> str | None:
    with pytest.raises(ToolError) as caught:
        call(name, bank, **arguments)
    assert caught.value.kind is ErrorKind.VALIDATION
    return caught.value.field
