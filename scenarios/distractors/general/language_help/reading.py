"""The time that reading a text takes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class ReadingTime(Result):
    """Minutes, rounded to one decimal; breaks stand only between stretches of reading."""

    reading_minutes: float
    breaks: int
    total_minutes: float
    words_per_minute: int


_WORDS_PER_MINUTE = {"silent": 240, "aloud": 150, "skimming": 450}


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_reading_time(
    bank: Bank,
    word_count: Annotated[int, Meta(ge=1, le=1_000_000)],
    reading_mode: Literal["silent", "aloud", "skimming"] = "silent",
    words_per_minute: Annotated[int, Meta(ge=50, le=1000)] | None = None,
    pictures: Annotated[int, Meta(ge=0, le=500)] = 0,
    seconds_per_picture: Annotated[int, Meta(ge=1, le=120)] = 10,
    slower_by_percent: Annotated[int, Meta(ge=0, le=200)] = 0,
    break_after_minutes: Annotated[int, Meta(ge=10, le=240)] | None = None,
    break_minutes: Annotated[int, Meta(ge=1, le=60)] = 10,
) -> ReadingTime:
    """Estimate how long it takes to read a text, with pictures and breaks.

    Args:
        word_count: Words of the text.
        reading_mode: How it is read: 240 words a minute silently, 150 aloud, 450 when skimming.
        words_per_minute: The reader's own speed instead of that of the mode.
        pictures: Pictures and tables to look at.
        seconds_per_picture: Time for each of them.
        slower_by_percent: How much more time the words take because the text is hard.
        break_after_minutes: Reading time after which there is a break; none if left out.
        break_minutes: Length of a break.
    """
    speed = words_per_minute or _WORDS_PER_MINUTE[reading_mode]
    # Seconds times 100 times the speed are a whole number, so that no break hangs on a rounding error.
    scaled = word_count * 60 * (100 + slower_by_percent) + pictures * seconds_per_picture * 100 * speed
    minute = 6000 * speed
    breaks = 0 if break_after_minutes is None else (scaled - 1) // (break_after_minutes * minute)
    return ReadingTime(
        reading_minutes=round(scaled / minute, 1),
        breaks=breaks,
        total_minutes=round(scaled / minute + breaks * break_minutes, 1),
        words_per_minute=speed,
    )
