"""Order of the distractors, given by a file that lists every tool exactly once."""

from collections.abc import Callable
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ScenarioError
from teller_gym.scenarios.distractors import ordered
from teller_gym.tools.tool import Tool
from teller_gym.variation.pool import distractors

NAMES = [tool.name for tool in distractors()]
FEW = distractors()[:5]


def test_the_pool_stands_in_the_order_of_the_file() -> None:
    text = resources.files("teller_gym.scenarios.distractors").joinpath("order.txt").read_text()
    assert text.splitlines() == NAMES


@given(st.permutations(FEW))
def test_files_do_not_decide_the_order(found: list[Tool]) -> None:
    assert ordered(NAMES[:5], found) == FEW


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda names: [*names, "count_sheep"], "names without a tool: count_sheep"),
        (lambda names: names[1:], f"tools without a name: {NAMES[0]}"),
        (lambda names: [*names, names[2]], f"names that stand twice: {NAMES[2]}"),
    ],
)
def test_a_name_without_a_tool_and_a_tool_without_a_name_are_refused(
    change: Callable[[list[str]], list[str]], complaint: str
) -> None:
    with pytest.raises(ScenarioError, match=f"order.txt: expected the name of every tool once; {complaint}$"):
        ordered(change(NAMES[:5]), FEW)


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ScenarioError, match=NAMES[1]):
        ordered(NAMES[:5], [*FEW, FEW[1]])
