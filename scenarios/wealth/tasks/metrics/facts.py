"""Draws the facts for a quarter's metrics."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.world import Client, World, shuffled


class Quarter(msgspec.Struct, frozen=True):
    """A quarter of a calendar year."""

    year: int
    number: int

    @property
    def label(self) -> str:
        """Label such as ``Q3 2026``."""
        return f"Q{self.number} {self.year}"

    @property
    def end(self) -> date:
        following = self.back(-1)
        return date(following.year, 3 * following.number - 2, 1) - timedelta(days=1)

    def back(self, quarters: int) -> Quarter:
        """Return the quarter that is ``quarters`` quarters earlier."""
        index = 4 * self.year + self.number - 1 - quarters
        return Quarter(index // 4, index % 4 + 1)


class Message(msgspec.Struct, frozen=True):
    """A message in the channel.

    Attributes:
        at: time, which is set after ordering all messages.
        by: user name of the author.
        form: figure, thousand, part, target, interim or audited for figures; correction, doubt or aside for replies
            with a number; talk for messages without a number.
        quarter: label of the quarter.
        metric: name of the metric.
        value: cents, or a number of clients.
        part: 1 or 2 for a figure in two parts, otherwise 0.
        wording: random number that selects a wording of the form.
        key: name by which replies refer to the message; empty if it has no replies.
        thread: `key` of the message to which this one replies; empty outside threads.
    """

    by: str
    form: str
    quarter: str
    metric: str
    value: int = 0
    part: int = 0
    wording: int = 0
    key: str = ""
    thread: str = ""
    at: datetime = datetime.min


class Past(msgspec.Struct, frozen=True):
    """A figure reported for an earlier quarter, in cents or as a number of clients."""

    quarter: str
    metric: str
    value: int


class Board(msgspec.Struct, frozen=True):
    """A work item."""

    project: str
    name: str
    state: str
    by: str


class Facts(msgspec.Struct, frozen=True):
    """A quarter's messages and the other facts of the report.

    Attributes:
        quarter: the quarter to report.
        owners: user name of the person who posts each metric.
        messages: the channel's messages, oldest first.
        corrected: metrics whose first figure is replaced later.
        past: figures reported for earlier quarters.
        on_average: True if the fee margin is defined by average assets, False if by opening assets.
        yearly: growth metrics relative to the same quarter of the previous year.
        items: work items.
    """

    quarter: Quarter
    owners: dict[str, str]
    messages: tuple[Message, ...]
    corrected: tuple[str, ...]
    past: tuple[Past, ...]
    on_average: bool
    yearly: tuple[str, ...]
    items: tuple[Board, ...]


FIGURES = ("figure", "thousand", "part", "interim", "audited")
"""Forms of messages that count as figures."""

GROWTHS = {"Asset Growth %": "Closing Assets", "Revenue Growth %": "Fee Revenue"}
"""Growth metrics, with the metric that each compares between quarters."""

_MONEY = ("Closing Assets", "New Money", "Withdrawals", "Operating Costs", "Fee Revenue", "Trust Fees")
_KINDS = ("plain", "thousand", "parts", "corrected", "twice", "repeated")
_TALK_BEFORE, _TALK_AMONG, _TALK_AFTER = 6, 8, 18


def quarter_before(today: date, lead: int) -> Quarter:
    """Return the latest quarter that ended at least ``lead`` days before ``today``."""
    found = Quarter(today.year, (today.month + 2) // 3)
    while found.end + timedelta(days=lead) > today:
        found = found.back(1)
    return found


def draw_facts(world: World, client: Client, draw: Draw, rules: Rules) -> Facts:
    """Draw a quarter's facts such that every rule of the chapter affects the answer."""
    quarter = quarter_before(world.today, rules["lead"])
    owners = {
        metric: world.staff[part].username
        for part, names in (("operations", "operations_post"), ("adviser", "senior_posts"), ("trusts", "trusts_post"))
        for metric in rules[names]
    }
    opening = draw.integer(18_000_000_000, 160_000_000_000)
    kinds = dict(zip(_MONEY, shuffled(draw, _KINDS), strict=True))
    values = _values(opening, kinds, draw)
    yearly = draw.choice(tuple(GROWTHS))
    restated = next(metric for name, metric in GROWTHS.items() if name != yearly)
    return Facts(
        quarter,
        owners,
        _Channel(world, draw, owners, quarter).messages(values, kinds, restated),
        tuple(metric for metric, kind in kinds.items() if kind in ("corrected", "twice", "repeated")),
        _past(quarter, opening, values, draw),
        draw.chance(0.5),
        (yearly,),
        _items(world, client, quarter, draw, rules),
    )


def _values(opening: int, kinds: dict[str, str], draw: Draw) -> dict[str, int]:
    """Draw the correct figures, with a change in assets large enough to distinguish average from opening assets."""
    growth = draw.choice((-1, 1)) * draw.integer(60, 120)
    fees = opening * draw.integer(200, 290) // 100_000 + draw.integer(0, 9_999)
    found = {
        "Closing Assets": opening * (1000 + growth) // 1000 + draw.integer(0, 999_999),
        "New Money": opening * draw.integer(10, 40) // 1000 + draw.integer(0, 99_999),
        "Withdrawals": opening * draw.integer(8, 35) // 1000 + draw.integer(0, 99_999),
        "Operating Costs": fees * draw.integer(45, 80) // 100,
        "Fee Revenue": fees,
        "Trust Fees": fees * draw.integer(8, 25) // 100,
    }
    rounded = {metric: value - value % 10_000 for metric, value in found.items() if kinds[metric] == "thousand"}
    return found | rounded | {"New Clients": draw.integer(5, 31), "Lost Clients": draw.integer(2, 14)}


def _near(value: int, draw: Draw) -> int:
    """Return a value that differs by a few percent."""
    return value * (100 + draw.choice((-1, 1)) * draw.integer(2, 9)) // 100 + draw.integer(0, 999)


def _past(quarter: Quarter, opening: int, values: dict[str, int], draw: Draw) -> tuple[Past, ...]:
    found = []
    for back in (1, 4):
        label = quarter.back(back).label
        for metric in _MONEY:
            # The figures of a year before are lower by more than a quarter's change, so that the two always differ.
            value = _near(values[metric], draw) if back == 1 else values[metric] * draw.integer(70, 86) // 100
            found.append(Past(label, metric, opening if (back, metric) == (1, "Closing Assets") else value))
        found.append(Past(label, "Active Clients", draw.integer(180, 900)))
    return tuple(shuffled(draw, found))


def _items(world: World, client: Client, quarter: Quarter, draw: Draw, rules: Rules) -> tuple[Board, ...]:
    """Draw the work item and similar ones: for another client, for other quarters, and in the project Operations."""
    other = draw.choice([one for one in world.clients if one is not client])
    staff = [one.username for one in world.staff.values() if one.part != "user"]
    names = [
        ("CW", f"{quarter.label}, {client.name}"),
        ("CW", f"{quarter.label}, {other.name}"),
        ("CW", f"{quarter.back(1).label}, {client.name}"),
        ("CW", f"{quarter.back(-1).label}, {client.name}"),
        ("OPS", quarter.label),
    ]
    return tuple(
        Board(project, f"{rules['item']} {name}", draw.choice(("Todo", "In Progress")), draw.choice(staff))
        for project, name in shuffled(draw, names)
    )


class _Channel:
    """Draws the messages in a channel."""

    def __init__(self, world: World, draw: Draw, owners: dict[str, str], quarter: Quarter) -> None:
        self.draw = draw
        self.owners = owners
        self.quarter = quarter
        self.today = world.today
        self.staff = [one.username for one in world.staff.values() if one.part != "user"]

    def messages(self, values: dict[str, int], kinds: dict[str, str], restated: str) -> tuple[Message, ...]:
        """Draw the figures of the previous, reported and current quarter, with talk in between."""
        before, after, draw = self.quarter.back(1), self.quarter.back(-1), self.draw
        older = [[self.post("figure", metric, self.other(values[metric]), before)] for metric in values]
        threads = {metric: self.thread(metric, value, kinds.get(metric, "")) for metric, value in values.items()}
        threads[restated].append(self.post("audited", restated, _near(values[restated], draw), before))
        hoped = draw.choice(_MONEY)
        threads[hoped].append(self.post("target", hoped, _near(values[hoped], draw)))
        newer = [[self.post("interim", metric, self.other(values[metric]), after)] for metric in values]
        first = self.mixed([*older, *self.talk(_TALK_BEFORE, before)])
        rest = self.mixed([*threads.values(), *self.talk(_TALK_AMONG, self.quarter)])
        rest += self.mixed([*newer, *self.talk(_TALK_AFTER, after)])
        start = before.end + timedelta(days=3)
        times = self.times(start, start + timedelta(days=25), len(first))
        times += self.times(self.quarter.end + timedelta(days=1), self.today - timedelta(days=1), len(rest))
        return tuple(msgspec.structs.replace(one, at=at) for one, at in zip([*first, *rest], times, strict=True))

    def thread(self, metric: str, value: int, kind: str) -> list[Message]:
        """Draw the messages about a metric, in order.

        The final figure is ``value``.
        """
        draw = self.draw
        if kind == "plain":
            guess = self.post("figure", metric, _near(value, draw), by=self.somebody(metric))
            return [self.post("figure", metric, value), guess]
        if kind == "thousand":
            return [self.post("thousand", metric, value)]
        if kind == "parts":
            one = value * draw.integer(35, 65) // 100
            parts = [self.post("part", metric, one, part=1), self.post("part", metric, value - one, part=2)]
            return shuffled(draw, parts)
        if kind == "repeated":
            return [self.post("figure", metric, _near(value, draw)), self.post("figure", metric, value)]
        if kind == "corrected":
            return [
                self.post("figure", metric, _near(value, draw), key=metric),
                self.post("correction", metric, value, thread=metric),
                self.post("doubt", metric, _near(value, draw), by=self.somebody(metric), thread=metric),
                self.post("aside", metric, _near(value, draw), thread=metric),
            ]
        if kind == "twice":
            return [
                self.post("figure", metric, _near(value, draw), key=metric),
                self.post("correction", metric, _near(value, draw), thread=metric),
                self.post("correction", metric, value, thread=metric),
            ]
        return [self.post("figure", metric, value)]

    def post(
        self,
        form: str,
        metric: str,
        value: int,
        quarter: Quarter | None = None,
        by: str = "",
        part: int = 0,
        key: str = "",
        thread: str = "",
    ) -> Message:
        """Return a message about a metric, by default by its owner and for the reported quarter."""
        label = (quarter or self.quarter).label
        wording = self.draw.integer(0, 99)
        return Message(by or self.owners[metric], form, label, metric, value, part, wording, key, thread)

    def other(self, value: int) -> int:
        """Draw a different figure.

        A client count differs by one or two.
        """
        return _near(value, self.draw) if value > 100 else value + self.draw.integer(1, 2)

    def somebody(self, metric: str) -> str:
        """Draw a user other than the metric's owner."""
        return self.draw.choice([one for one in self.staff if one != self.owners[metric]])

    def talk(self, count: int, quarter: Quarter) -> list[list[Message]]:
        """Draw messages without a number, each as a separate sequence."""
        metrics, wordings = list(self.owners), shuffled(self.draw, range(20))
        return [
            [Message(self.draw.choice(self.staff), "talk", quarter.label, self.draw.choice(metrics), wording=wording)]
            for wording in wordings[:count]
        ]

    def mixed(self, sequences: Iterable[list[Message]]) -> list[Message]:
        """Interleave sequences at random, preserving the order within each."""
        left = [list(one) for one in sequences if one]
        found = []
        while left:
            chosen = self.draw.integer(0, len(left) - 1)
            found.append(left[chosen].pop(0))
            left = [one for one in left if one]
        return found

    def times(self, first: date, last: date, count: int) -> list[datetime]:
        """Draw increasing times during office hours on working days."""
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        days = [day for day in days if day.weekday() < 5]
        places = [number * len(days) // count for number in range(count)]
        found = []
        for number, place in enumerate(places):
            minutes = 55 * (number - places.index(place)) + self.draw.integer(0, 50)
            found.append(datetime.combine(days[place], time(8, 30)) + timedelta(minutes=minutes))
        return found
