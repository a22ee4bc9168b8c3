"""What the tests of this subject share."""

from datetime import date
from typing import Any

import pytest
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import call

DAYS = st.dates(date(1900, 1, 1), date(2100, 12, 31))


def refused(name: str, field: str, /, **arguments: Any) -> str:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert (caught.value.kind, caught.value.field) == (ErrorKind.VALIDATION, field)
    return caught.value.message
