"""Tests of the rate, the runs and the messages of temporary errors."""

from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind
from teller_gym.variation.faults import IN_A_ROW, RATE, addendum, fault_at

STEPS = 120


def failing(key: str, steps: int = STEPS) -> list[bool]:
    return [fault_at(key, step) is not None for step in range(steps)]


@given(st.text(max_size=30))
def test_never_more_than_two_in_a_row(key: str) -> None:
    found = failing(key)
    runs = "".join("x" if failed else " " for failed in found).split()
    assert max(map(len, runs), default=0) <= IN_A_ROW == 2


@given(st.text(max_size=30), st.integers(0, 200))
def test_the_same_key_and_step_fail_in_the_same_way(key: str, step: int) -> None:
    one, other = fault_at(key, step), fault_at(key, step)
    assert (one is None) == (other is None)
    assert one is None or other is None or one.info() == other.info()


def test_the_rate_is_the_documented_one() -> None:
    found = [failed for number in range(400) for failed in failing(f"1/task-{number}", 60)]
    assert abs(sum(found) / len(found) - RATE) < 0.01


def test_two_in_a_row_and_first_steps_come_up() -> None:
    found = [failing(f"1/task-{number}", 6) for number in range(100)]
    assert any(one[0] and one[1] for one in found) and any(one[3] and one[4] for one in found)
    assert any(not one[0] for one in found)


def test_keys_differ() -> None:
    assert len({tuple(failing(f"1/task-{number}", 30)) for number in range(50)}) == 50


def test_an_error_says_what_to_do_and_blames_no_argument() -> None:
    messages = set()
    for step in range(STEPS):
        fault = fault_at("k", step)
        if fault is not None:
            assert fault.kind is ErrorKind.TEMPORARY and fault.field is None
            assert "nothing was done" in fault.message and "send the same call again" in fault.message
            messages.add(fault.message)
    assert len(messages) == 3


def test_the_sop_says_what_to_do() -> None:
    text = addendum()
    assert f"{IN_A_ROW} times in a row" in " ".join(text.split())
    assert "`temporary`" in text and "{" not in text and text.startswith("\n## ")
