"""The rules of the queue: its policy, its SOP, and the order of the waiting cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec

from teller_gym.procedure.sop import fill


class QueuePolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of the queue's SOP; times are minutes, ``opening`` since midnight."""

    opening: int
    minutes_per_call: int
    due_soon: int
    channels: dict[str, str]
    """Class of each channel; A comes first."""


class Waiting(NamedTuple):
    """A waiting case's entry in the queue; times are minutes since midnight."""

    reference: str
    customers: tuple[str, ...]
    channel: str
    arrived: int
    due: int


def _document(name: str) -> bytes:
    return resources.files("teller_gym.days").joinpath(name).read_bytes()


@cache
def queue_policy() -> QueuePolicy:
    """Return the queue's policy from ``policy.yaml``."""
    return msgspec.yaml.decode(_document("policy.yaml"), type=QueuePolicy)


@cache
def queue_sop() -> str:
    """Return the queue's SOP with the policy's numbers filled in."""
    policy = queue_policy()
    channels = ", ".join(f"{channel} {name}" for channel, name in policy.channels.items())
    words = {"opening": clock(policy.opening), "minutes_per_call": policy.minutes_per_call, "channels": channels}
    words["due_soon"] = policy.due_soon
    return fill(_document("sop.md").decode(), words)


def clock(minute: int) -> str:
    """Format a minute since midnight as a time such as ``09:05``."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def minute_of(text: str) -> int:
    """Return the minute since midnight of a time such as ``09:05``."""
    hours, _, minutes = text.partition(":")
    return int(hours) * 60 + int(minutes)


def related(one: Iterable[str], other: Iterable[str]) -> bool:
    """Return True if two cases have a customer in common."""
    return not set(one).isdisjoint(other)


class Habits(NamedTuple):
    """The rules of Q6 and Q7 that an officer follows; by default, all of them."""

    by_customer: bool = True
    by_due: bool = True
    by_class: bool = True


LAW = Habits()


def ranked(waiting: Sequence[Waiting], now: int, habits: Habits = LAW) -> list[Waiting]:
    """Return the cases that may be opened next, best first, by those rules of Q6 and Q7 that ``habits`` follow."""
    policy = queue_policy()

    def rank(one: Waiting) -> tuple[int, int, str, int, str]:
        family = _family(one, waiting) if habits.by_customer else [one]
        due = min(each.due for each in family)
        best = min(policy.channels[each.channel] for each in family) if habits.by_class else ""
        if habits.by_due and due - now <= policy.due_soon:
            return 0, due, best, one.arrived, one.reference
        return 1, ord(best or "A"), "", due if habits.by_class else 0, f"{one.arrived:04d}{one.reference}"

    heads = [one for one in waiting if not habits.by_customer or one == _head(_family(one, waiting))]
    return sorted(heads, key=rank)


def _family(one: Waiting, waiting: Sequence[Waiting]) -> list[Waiting]:
    """Return a waiting case and all others connected to it by customers in common, directly or through other cases."""
    family = [one]
    for each in family:  # the list grows during the loop
        family += [other for other in waiting if other not in family and related(each.customers, other.customers)]
    return family


def _head(family: Sequence[Waiting]) -> Waiting:
    return min(family, key=lambda one: (one.arrived, one.reference))
