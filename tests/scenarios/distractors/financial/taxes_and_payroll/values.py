"""What the tests of this subject share."""

from typing import Any

import pytest
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from tests.scenarios.distractors.desk import call

cents = st.integers(0, 10_000_000).map(lambda n: n / 100)
hours = st.integers(0, 2400).map(lambda n: n / 100)
percents = st.integers(0, 47_000).map(lambda n: n / 1000)


def refused(name: str, /, **arguments: Any) -> str | None:
    """Return the argument that is refused."""
    with pytest.raises(ToolError) as found:
        call(name, **arguments)
    assert found.value.kind == ErrorKind.VALIDATION
    assert found.value.field is not None and found.value.message.startswith(f"{found.value.field}: expected ")
    return found.value.field
