"""Training courses and who takes part."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Annotated

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.text import did_you_mean
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

StaffNumber = Annotated[str, Meta(pattern="^E[0-9]{4}$", max_length=5)]
CourseCode = Annotated[str, Meta(min_length=3, max_length=10)]

_REGISTRATIONS = "misc_training_registrations"
_APPROVAL_FROM_DAYS, _SHOWN = 3, 15


class Course(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the training catalogue."""

    code: str
    title: str
    days: int
    seats: int
    months: list[int]
    needs: list[str]


@cache
def _courses() -> dict[str, Course]:
    folder = resources.files("teller_gym.scenarios.distractors.general.people_and_projects")
    table = folder.joinpath("people_and_projects.yaml")
    return {course.code: course for course in msgspec.yaml.decode(table.read_bytes(), type=list[Course])}


def _course(code: str) -> Course:
    if code not in _courses():
        known = did_you_mean(code, _courses()) or f"; the catalogue has {', '.join(_courses())}"
        raise invalid("course_code", f"there is no course {code!r}{known}")
    return _courses()[code]


class TrainingRegistration(Result):
    """The registration; the session is a month such as 2026-09."""

    registration_id: str
    course_title: str
    session: str
    training_days: int
    seats_left: int


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def register_for_training(
    bank: Bank,
    staff_number: StaffNumber,
    course_code: CourseCode,
    session_month: Annotated[int, Meta(ge=1, le=12)],
    completed_courses: Annotated[list[CourseCode], Meta(max_length=11)] | None = None,
    manager_approved: bool = False,
) -> TrainingRegistration:
    """Register a member of staff for a course of the house's training catalogue, in the next session of a month.

    Args:
        staff_number: Staff number, such as E1042.
        course_code: Course, such as SHEET-1.
        session_month: Month of the session; one that has begun is the next year's.
        completed_courses: Courses already completed, where the course needs some.
        manager_approved: Whether the manager agreed; courses of 3 days or more need it.
    """
    course = _course(course_code)
    if session_month not in course.months:
        raise invalid("session_month", f"{course.code} is held in months {course.months}, got {session_month}")
    if missing := [code for code in course.needs if code not in (completed_courses or ())]:
        raise invalid("completed_courses", f"{course.code} needs {', '.join(missing)} first; register for that")
    if course.days >= _APPROVAL_FROM_DAYS and not manager_approved:
        raise invalid("manager_approved", f"expected true for a course of {course.days} days; ask the manager")
    year = bank.today.year + (session_month <= bank.today.month)
    session = f"{year}-{session_month:02d}"
    others = [
        row["staff_number"]
        for _, row in bank.rows(_REGISTRATIONS)
        if row["course"] == course.code and row["session"] == session
    ]
    if staff_number in others:
        raise invalid("staff_number", f"{staff_number} is registered for {course.code} in {session} already")
    if len(others) >= course.seats:
        raise invalid("session_month", f"{course.code} is full in {session}; choose another of {course.months}")
    registration_id = bank.reference("TR", staff_number, course.code, session)
    row = {"owner": "misc", "staff_number": staff_number, "course": course.code, "session": session}
    bank.put(_REGISTRATIONS, registration_id, row)
    return TrainingRegistration(
        registration_id=registration_id,
        course_title=course.title,
        session=session,
        training_days=course.days,
        seats_left=course.seats - len(others) - 1,
    )


class TrainingList(Result):
    """Lines such as ``2026-09 FIRE-1 E1042 TR-123456`` in that order, at most fifteen; days of all that were found."""

    registrations: list[str]
    total_found: int
    training_days: int


@tool(category=Category.GENERAL_DISTRACTOR)
def list_training_registrations(
    bank: Bank, staff_number: StaffNumber | None = None, course_code: CourseCode | None = None
) -> TrainingList:
    """List who is registered for which course of the house's training catalogue.

    Args:
        staff_number: Only this member of staff.
        course_code: Only this course.
    """
    wanted = None if course_code is None else _course(course_code).code
    found = sorted(
        (row["session"], row["course"], row["staff_number"], key)
        for key, row in bank.rows(_REGISTRATIONS)
        if staff_number in (None, row["staff_number"]) and wanted in (None, row["course"])
    )
    days = sum(_course(course).days for _, course, _, _ in found)
    return TrainingList(
        registrations=[" ".join(entry) for entry in found[:_SHOWN]], total_found=len(found), training_days=days
    )
