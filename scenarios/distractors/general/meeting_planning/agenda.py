"""The agenda of a meeting and the count of its votes."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._clock_times import (
    Clock,
    MinuteList,
    Minutes,
    Text,
    clock_of,
    same_length,
    span_of,
)
from teller_gym.scenarios.distractors.general.meeting_planning._types import Share
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Titles = Annotated[list[Text], Meta(min_length=1, max_length=12)]
Votes = Annotated[int, Meta(ge=0, le=100_000)]


class Agenda(Result):
    """Lines such as ``09:00-09:20 Budget``; ``minutes_to_spare`` is negative if the meeting runs over."""

    timetable: list[str]
    breaks: int
    ends_at: str
    minutes_to_spare: int


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_meeting_agenda(
    bank: Bank,
    start_time: Clock,
    end_time: Clock,
    item_titles: Titles,
    item_minutes: MinuteList,
    break_after_minutes: Minutes = 90,
    break_minutes: Share = 10,
) -> Agenda:
    """Time the items of a meeting's agenda and put a break before any item that would make a stretch too long.

    Args:
        start_time: Start of the meeting, such as 09:00.
        end_time: Time at which it should be over.
        item_titles: Titles of the items in order.
        item_minutes: Minutes of each item, in the same order.
        break_after_minutes: Longest stretch without a break; a single longer item is not split.
        break_minutes: Length of a break; 0 for no breaks.
    """
    now, end = span_of(start_time, end_time)
    same_length("item_minutes", item_minutes, len(item_titles))
    lines, stretch, breaks = [], 0, 0
    for title, minutes in zip(item_titles, item_minutes, strict=True):
        if stretch and stretch + minutes > break_after_minutes and break_minutes:
            lines.append(f"{clock_of(now)}-{clock_of(now + break_minutes)} Break")
            now, stretch, breaks = now + break_minutes, 0, breaks + 1
        lines.append(f"{clock_of(now)}-{clock_of(now + minutes)} {title}")
        now, stretch = now + minutes, stretch + minutes
    if now >= 24 * 60:
        raise invalid(
            "item_minutes",
            f"expected a meeting that ends before midnight, got an end after {now - 24 * 60} minutes of the next day",
        )
    return Agenda(timetable=lines, breaks=breaks, ends_at=clock_of(now), minutes_to_spare=end - now)


class VoteCount(Result):
    """Votes needed in favour, and how many there were above (or, negative, below) that; turnout with one decimal."""

    outcome: Literal["carried", "rejected", "no_quorum"]
    votes_needed: int
    margin: int
    turnout_percent: float
    decided_by_chair: bool


@tool(category=Category.GENERAL_DISTRACTOR)
def count_meeting_votes(
    bank: Bank,
    entitled: Votes,
    in_favour: Votes,
    against: Votes,
    abstained: Votes = 0,
    majority: Literal["simple", "absolute", "two_thirds"] = "simple",
    quorum_percent: Share = 50,
    casting_vote: Literal["none", "in_favour", "against"] = "none",
) -> VoteCount:
    """Count a vote of a committee: quorum, the majority needed, and the outcome.

    Args:
        entitled: How many members may vote.
        in_favour: Votes in favour.
        against: Votes against.
        abstained: Abstentions; they count for the quorum only.
        majority: More than half or two thirds of the votes cast, or (absolute) more than half of all entitled.
        quorum_percent: Share of the entitled who must take part.
        casting_vote: How the chair decides a tie under a simple majority; none means that a tie is rejected.
    """
    cast, present = in_favour + against, in_favour + against + abstained
    if present > entitled or not cast:
        raise invalid("entitled", f"expected 1 to {entitled} votes for and against with abstentions, got {present}")
    needed = {"simple": cast // 2 + 1, "absolute": entitled // 2 + 1, "two_thirds": -(-2 * cast // 3)}[majority]
    tie = majority == "simple" and in_favour == against and casting_vote != "none"
    carried = casting_vote == "in_favour" if tie else in_favour >= needed
    quorate = 100 * present >= quorum_percent * entitled
    return VoteCount(
        outcome="no_quorum" if not quorate else "carried" if carried else "rejected",
        votes_needed=needed,
        margin=in_favour - needed,
        turnout_percent=round(100 * present / entitled, 1),
        decided_by_chair=tie and quorate,
    )
