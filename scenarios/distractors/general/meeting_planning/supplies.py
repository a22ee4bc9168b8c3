"""What a meeting orders, and the line of a video call."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._clock_times import Heads, Minutes
from teller_gym.scenarios.distractors.general.meeting_planning._types import Share
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Callers = Annotated[int, Meta(ge=2, le=100)]
Picture = Literal["360p", "720p", "1080p"]

_PORTIONS = {"breakfast": 2, "coffee_break": 1, "lunch": 3, "reception": 5}
_KILOBITS = {"360p": 600, "720p": 1500, "1080p": 3000}
_KILOBITS_VOICE, _KILOBITS_SCREEN = 60, 1200


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
