"""What the tests of this subject share."""

from typing import Any

import pytest
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.scenarios.distractors.financial.foreign_exchange._rate_card import rate_card
from tests.scenarios.distractors.desk import call

CURRENCIES = {currency.code: currency for currency in rate_card().currencies}
codes = st.sampled_from(sorted(CURRENCIES))


def refused(name: str, /, **arguments: Any) -> str | None:
    """Return the argument that is refused."""
    with pytest.raises(ToolError) as found:
        call(name, **arguments)
    assert found.value.kind == ErrorKind.VALIDATION
    assert found.value.field is not None and found.value.message.startswith(f"{found.value.field}: expected ")
    return found.value.field
