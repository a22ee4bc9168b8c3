"""Tests of language_help/reading: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call


def test_reading_time() -> None:
    # 2400 words at 240 take 10 minutes, half as much again 15, 6 pictures 1 more.
    options: dict[str, Any] = {"word_count": 2400, "pictures": 6, "slower_by_percent": 50}
    assert call("estimate_reading_time", **options, break_after_minutes=10, break_minutes=5) == {
        "reading_minutes": 16,
        "breaks": 1,
        "total_minutes": 21,
        "words_per_minute": 240,
    }
    assert call("estimate_reading_time", word_count=4800, break_after_minutes=20)["breaks"] == 0
    assert call("estimate_reading_time", word_count=4801, break_after_minutes=20)["breaks"] == 1
    assert call("estimate_reading_time", word_count=450, reading_mode="aloud")["total_minutes"] == 3
    assert call("estimate_reading_time", word_count=450, reading_mode="skimming")["total_minutes"] == 1
    own = call("estimate_reading_time", word_count=100, words_per_minute=60, pictures=1, seconds_per_picture=20)
    assert (own["reading_minutes"], own["words_per_minute"]) == (2, 60)
    with pytest.raises(ToolError):
        call("estimate_reading_time", word_count=0)


@given(st.integers(1, 99_999), st.integers(0, 100), st.integers(10, 60))
def test_more_words_take_no_less_time(words: int, slower: int, stretch: int) -> None:
    options: dict[str, Any] = {"slower_by_percent": slower, "break_after_minutes": stretch, "reading_mode": "aloud"}
    first, second = (call("estimate_reading_time", word_count=words + more, **options) for more in (0, 50))
    assert first["total_minutes"] <= second["total_minutes"]
    assert first["total_minutes"] == pytest.approx(first["reading_minutes"] + 10 * first["breaks"], abs=0.11)
