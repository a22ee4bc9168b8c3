"""Interviews and surveys."""

from __future__ import annotations

from datetime import date, timedelta
from math import sqrt
from statistics import median, pvariance
from typing import Annotated

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._clock_times import Clock, clock_of, minute_of, span_of
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

BusySpans = Annotated[
    list[
        Annotated[
            str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-5][0-9]-[0-9]{2}:[0-5][0-9]$", max_length=22)
        ]
    ],
    Meta(max_length=30),
]

_SATURDAY = 5


class InterviewSlots(Result):
    """Slots such as 2026-03-05 09:00-09:45 in order of time, and candidates for whom none is left."""

    slots: list[str]
    candidates_left: int
    days_used: int


@tool(category=Category.GENERAL_DISTRACTOR)
def propose_interview_slots(
    bank: Bank,
    first_day: date,
    days: Annotated[int, Meta(ge=1, le=21)],
    day_starts: Clock,
    day_ends: Clock,
    interview_minutes: Annotated[int, Meta(ge=10, le=240)],
    candidates: Annotated[int, Meta(ge=1, le=40)],
    pause_minutes: Annotated[int, Meta(ge=0, le=120)] = 15,
    most_a_day: Annotated[int, Meta(ge=1, le=20)] = 20,
    busy_spans: BusySpans | None = None,
) -> InterviewSlots:
    """Propose the earliest slots for job interviews from Monday to Friday, around times at which the panel is busy.

    Args:
        first_day: First day that suits.
        days: How many calendar days to look at.
        day_starts: Earliest start of an interview, such as 09:00.
        day_ends: Latest end of an interview.
        interview_minutes: Length of an interview.
        candidates: How many interviews.
        pause_minutes: Pause between two interviews.
        most_a_day: Most interviews a day.
        busy_spans: When the panel is busy, such as 2026-03-05 12:00-13:00.
    """
    start, end = span_of(day_starts, day_ends, "day_ends")
    if first_day > date.max - timedelta(days=days):
        raise invalid("first_day", f"expected a day well before {date.max}, got {first_day}")
    busy = [_busy_span(text) for text in busy_spans or ()]
    slots: list[str] = []
    used = 0
    for day in (first_day + timedelta(days=i) for i in range(days)):
        blocked = sorted((begin, until) for on, begin, until in busy if on == day)
        room = min(most_a_day, candidates - len(slots)) if day.weekday() < _SATURDAY else 0
        begins = _free_starts(start, end, interview_minutes, pause_minutes, blocked)[:room]
        slots += [f"{day} {clock_of(begin)}-{clock_of(begin + interview_minutes)}" for begin in begins]
        used += bool(begins)
    return InterviewSlots(slots=slots, candidates_left=candidates - len(slots), days_used=used)


def _busy_span(text: str) -> tuple[date, int, int]:
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        raise invalid("busy_spans", f"expected a date that exists, got {text!r}") from None
    begin, until = minute_of(text[11:16]), minute_of(text[17:22])
    if not begin < until <= 24 * 60:
        raise invalid("busy_spans", f"expected two times in order, got {text!r}")
    return day, begin, until


def _free_starts(start: int, end: int, length: int, pause: int, blocked: list[tuple[int, int]]) -> list[int]:
    """Starts of interviews, each as early as it can be."""
    starts = []
    while start + length <= end:
        clash = next((until for begin, until in blocked if begin < start + length and start < until), None)
        if clash is None:
            starts.append(start)
            start += length + pause
        else:
            start = clash
    return starts


class SurveySummary(Result):
    """Mean, median and standard deviation (of all answers) with two decimals; shares in percent with one."""

    mean: float
    median: float
    standard_deviation: float
    most_common: int
    top_two_percent: float
    bottom_two_percent: float


@tool(category=Category.GENERAL_DISTRACTOR)
def summarise_survey_answers(
    bank: Bank,
    answers: Annotated[list[Annotated[int, Meta(ge=1, le=11)]], Meta(min_length=1, max_length=50)],
    highest_answer: Annotated[int, Meta(ge=4, le=11)] = 5,
    reversed_scale: bool = False,
) -> SurveySummary:
    """Summarise the answers to a question of a staff survey on a scale from 1 up.

    Args:
        answers: The answers.
        highest_answer: Highest answer of the scale.
        reversed_scale: Whether 1 is the best answer; the answers are turned round first.
    """
    if max(answers) > highest_answer:
        raise invalid("answers", f"expected answers from 1 to {highest_answer}, got {max(answers)}")
    turned = sorted(highest_answer + 1 - answer if reversed_scale else answer for answer in answers)
    return SurveySummary(
        mean=round(sum(turned) / len(turned), 2),
        median=float(median(turned)),
        standard_deviation=round(sqrt(pvariance(turned)), 2),
        most_common=max(turned, key=turned.count),
        top_two_percent=round(100 * sum(answer >= highest_answer - 1 for answer in turned) / len(turned), 1),
        bottom_two_percent=round(100 * sum(answer <= 2 for answer in turned) / len(turned), 1),
    )
