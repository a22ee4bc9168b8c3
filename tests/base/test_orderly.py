"""Only the first polite signal goes to work that can save itself; others are left to the usual signal handler."""

import signal

import pytest

from teller_gym.base.orderly import POLITE, ask, at_work, ends_itself


@pytest.mark.parametrize("number", POLITE)
def test_the_first_polite_signal_is_taken_and_no_other(number: signal.Signals) -> None:
    assert not at_work() and not ask(number)
    with ends_itself() as wish:
        came = [wish.came]
        asked = [ask(one) for one in (signal.SIGINT, number, number)]
        came += [wish.came]
    assert asked == [False, True, False] and came == [False, True] and wish.number == number
    assert not at_work() and not ask(number)


def test_the_innermost_work_is_asked_and_an_error_leaves_nothing_behind() -> None:
    with pytest.raises(KeyError), ends_itself() as outer:
        with ends_itself() as inner:
            assert ask(signal.SIGTERM)
        assert (inner.came, outer.came) == (True, False)
        raise KeyError
    assert not at_work()
