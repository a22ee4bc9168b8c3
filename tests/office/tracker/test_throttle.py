"""The rate limit, where it is switched on."""

from __future__ import annotations

import pytest

from teller_gym.office.tracker.api import Tracker
from tests.office.tracker.world import ask, id_of, store

START = 1772442000
"""The office's beginning, 2 March 2026 at nine, in seconds."""


def test_it_is_off_by_default() -> None:
    office = store()
    answers = [ask(office, "GET", "projects/") for _ in range(70)]
    assert {answer.status for answer in answers} == {200}
    assert answers[0].header("X-RateLimit-Remaining") is None and list(office.written()) == []


def test_the_request_after_sixty_is_refused_once() -> None:
    office, service = store(), Tracker(requests_per_minute=60)
    answers = [ask(office, "GET", "projects/", service=service) for _ in range(123)]
    assert [place for place, answer in enumerate(answers, 1) if answer.status == 429] == [61, 122]
    assert [answers[place].header("X-RateLimit-Remaining") for place in (0, 1, 59, 61)] == ["59", "58", "0", "59"]
    assert answers[0].header("X-RateLimit-Reset") == str(START + 60)
    refused = answers[60]
    assert refused.data() == {"error_code": 5900, "error_message": "RATE_LIMIT_EXCEEDED"}
    assert refused.header("Retry-After") == "60" and refused.header("X-RateLimit-Remaining") is None
    assert office.diff() == []


def test_keys_and_minutes_are_counted_apart() -> None:
    office, service = store(), Tracker(requests_per_minute=2)

    def statuses(user: str, times: int) -> list[int]:
        return [ask(office, "GET", "projects/", user=user, service=service).status for _ in range(times)]

    assert statuses("ada", 3) == [200, 200, 429] and statuses("ben", 3) == [200, 200, 429]
    assert statuses("wrong", 5) == [403] * 5
    assert statuses("ada", 2) == [200, 200]
    for _ in range(60):
        office.tick()
    assert statuses("ada", 3) == [200, 200, 429]


def test_counts_go_back_with_a_snapshot() -> None:
    office, service = store(), Tracker(requests_per_minute=1)
    saved = office.snapshot()
    path = f"projects/{id_of(office, 'projects', 'WM')}/work-items/"
    for _ in range(2):
        assert [ask(office, "POST", path, {"name": "x"}, service=service).status for _ in range(2)] == [201, 429]
        office.restore(saved)


def test_refusals_say_how_many_are_left() -> None:
    answer = ask(
        store(), "GET", "projects/00000000-0000-4000-8000-000000000000/", service=Tracker(requests_per_minute=60)
    )
    assert answer.status == 404 and answer.header("X-RateLimit-Remaining") == "59"


def test_a_limit_of_none_at_all_is_no_limit() -> None:
    with pytest.raises(ValueError, match="at least 1, or None for no limit; got 0"):
        Tracker(requests_per_minute=0)
