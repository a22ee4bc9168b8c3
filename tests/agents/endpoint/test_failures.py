"""Headers and bodies of failures, with any content."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.agents.endpoint.answers import UnreadableAnswerError, read_answer
from teller_gym.agents.endpoint.failures import ContextFullError, RefusedError, TransientError, failure, retry_after
from tests.agents.endpoint.test_react_text import json_values


@pytest.mark.parametrize(("value", "seconds"), [("3", 3.0), ("0", 0.0), ("1.5", 1.5), ("", None), ("soon", None)])
def test_seconds_are_read(value: str, seconds: float | None) -> None:
    assert retry_after({"Retry-After": value}) == seconds


def test_dates_are_read() -> None:
    ahead = retry_after({"Retry-After": format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)})
    assert ahead is not None
    assert 55 < ahead <= 60
    assert retry_after({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0


@given(st.integers(300, 599), st.text(), st.binary(max_size=200))
def test_every_failure_is_one_of_three(status: int, header: str, body: bytes) -> None:
    found = failure(status, {"Retry-After": header}, body)
    assert isinstance(found, TransientError | RefusedError | ContextFullError)
    assert str(status) in str(found)


@given(st.binary() | json_values.map(repr).map(str.encode))
def test_what_is_no_answer_is_called_so(body: bytes) -> None:
    with pytest.raises(UnreadableAnswerError):
        read_answer(body, 1)
