"""Planning a meeting: its agenda, what to order, the line of a video call, and the count of a vote."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general.meeting_rooms import (
    Clock,
    Heads,
    MinuteList,
    Minutes,
    Text,
    clock_of,
    same_length,
    span_of,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Titles = Annotated[list[Text], Meta(min_length=1, max_length=12)]
Share = Annotated[int, Meta(ge=0, le=100)]
Callers = Annotated[int, Meta(ge=2, le=100)]
Votes = Annotated[int, Meta(ge=0, le=100_000)]
Picture = Literal["360p", "720p", "1080p"]

_PORTIONS = {"breakfast": 2, "coffee_break": 1, "lunch": 3, "reception": 5}
_KILOBITS = {"360p": 600, "720p": 1500, "1080p": 3000}
_KILOBITS_VOICE, _KILOBITS_SCREEN = 60, 1200


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


class Catering(Result):
    """What to order; litres are rounded up to the half litre."""

    standard_portions: int
    vegetarian_portions: int
    vegan_portions: int
    coffee_litres: float
    tea_litres: float
    water_litres: float


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_meeting_catering(
    bank: Bank,
    attendees: Heads,
    serving: Literal["breakfast", "coffee_break", "lunch", "reception"],
    minutes: Minutes,
    vegetarians: Share = 0,
    vegans: Share = 0,
    tea_percent: Share = 30,
    spare_percent: Share = 0,
) -> Catering:
    """Work out what to order for a meeting: portions, and coffee, tea and water by the house's rule of thumb.

    Args:
        attendees: How many people come.
        serving: Breakfast is 2 portions a head, coffee break 1, lunch 3, reception 5.
        minutes: Length of the meeting; a hot drink for every 90 minutes begun, a glass of water for every 60.
        vegetarians: How many of them eat vegetarian.
        vegans: How many of them eat vegan.
        tea_percent: Share of hot drinks that are tea.
        spare_percent: What to order on top, for portions and drinks alike.
    """
    if vegetarians + vegans > attendees:
        raise invalid("vegetarians", f"expected vegetarians and vegans among {attendees}, got {vegetarians + vegans}")

    def portions(heads: int) -> int:
        return -(-heads * _PORTIONS[serving] * (100 + spare_percent) // 100)

    def litres(glasses: int, millilitres: int, percent: int = 100) -> float:
        return -(-glasses * millilitres * percent * (100 + spare_percent) // (500 * 100 * 100)) / 2

    cups, glasses = attendees * -(-minutes // 90), attendees * -(-minutes // 60)
    return Catering(
        standard_portions=portions(attendees - vegetarians - vegans),
        vegetarian_portions=portions(vegetarians),
        vegan_portions=portions(vegans),
        coffee_litres=litres(cups, 150, 100 - tea_percent),
        tea_litres=litres(cups, 150, tea_percent),
        water_litres=litres(glasses, 250),
    )


class VideoBandwidth(Result):
    """The busiest participant's line in Mbit/s and what they receive in GB, each with two decimals."""

    upload_mbps: float
    download_mbps: float
    received_gigabytes: float


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_video_bandwidth(
    bank: Bank,
    participants: Callers,
    cameras_on: Share,
    picture: Picture,
    screen_shared: bool,
    call_minutes: Minutes,
    topology: Literal["server", "mesh"] = "server",
) -> VideoBandwidth:
    """Estimate the line that a video call needs at the participant who sends or receives most.

    Args:
        participants: How many people are in the call.
        cameras_on: How many of them send a picture.
        picture: Size of the pictures.
        screen_shared: Whether somebody shares a screen.
        call_minutes: Length of the call.
        topology: Through a server, or each to every other one (mesh).
    """
    if cameras_on > participants:
        raise invalid("cameras_on", f"expected at most the {participants} participants, got {cameras_on}")
    camera, screen, others = _KILOBITS[picture], _KILOBITS_SCREEN * screen_shared, participants - 1
    up = (_KILOBITS_VOICE + camera * min(cameras_on, 1) + screen) * (others if topology == "mesh" else 1)
    down = _KILOBITS_VOICE * others + camera * min(cameras_on, others) + screen
    return VideoBandwidth(
        upload_mbps=round(up / 1000, 2),
        download_mbps=round(down / 1000, 2),
        received_gigabytes=round(down * call_minutes * 60 / 8_000_000, 2),
    )


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
