"""The core tools of Investments refuse what comes too early or cannot be, and allow what lies just on a boundary."""

import pytest

from tests.scenarios.guards import Guard, ask
from tests.scenarios.investments.desk import INVESTMENTS
from tests.scenarios.investments.guards import GUARDS


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: f"{guard.tool}-{guard.field or guard.without or 'allowed'}")
def test_what_the_core_tools_refuse_and_allow(guard: Guard) -> None:
    assert ask(INVESTMENTS, guard, INVESTMENTS.tools) is None
