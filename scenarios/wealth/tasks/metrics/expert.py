"""Expert for compiling a quarter's metrics.

Codes such as QM1 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from teller_gym.office.documents.amounts import money_text, parse_money
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.wealth.rules import Rules
from teller_gym.scenarios.wealth.worker import Row, Worker
from teller_gym.tools.call import Call

_QUARTER: Final = re.compile(r"\bQ[1-4] \d{4}\b")
_NUMBER: Final = re.compile(r":\s*(?P<number>\$?\d[\d,]*(?:\.\d+)?)(?P<rest>.*)", re.DOTALL)
_PART: Final = re.compile(r"\(([12]) of 2\)")
_PAGE: Final = 50


class Expert(Worker):
    """Reads the channel, delivers the metrics and closes the work item, with a separate method for each rule."""

    def __init__(self, request: str, rules: Rules) -> None:
        super().__init__(request, rules)
        self.said: list[Seen] = []
        self.titles: dict[str, str] = {}
        self.past: dict[tuple[str, str], Row] = {}
        self.definitions: dict[str, str] = {}

    def work(self) -> Steps:
        """Read the sources, deliver the table and close the item."""
        yield from self.find_client()
        self.said = yield from self.messages()
        people = (yield from self.ask("list_people"))["people"]
        self.titles = {one["username"]: one["title"] for one in people}
        lines = (yield from self.text("metric_definitions.txt")).splitlines()
        self.definitions = {name: text for name, colon, text in (line.partition(":") for line in lines) if colon}
        self.past = {(row["metric"], row["quarter"]): row for row in (yield from self.table("last_quarter.csv"))}
        yield from self.deliver(self.rules["output"], self.rules["columns"], self.metrics())
        yield from self.close()

    def messages(self) -> Generator[Call, Seen, list[Seen]]:
        """Return all messages in the channel, oldest first (QM2)."""
        found: list[Seen] = []
        while True:
            before = {"before": found[0]["at"]} if found else {}
            page = yield from self.ask("read_messages", room=f"#{self.rules['room']}", count=_PAGE, **before)
            found = [*page["messages"], *found]
            if len(page["messages"]) < _PAGE:
                return found

    # -- the quarter --------------------------------------------------------------------------------------------------

    def quarter(self, back: int = 0) -> str:
        """Return the label of the reported quarter, or of the quarter ``back`` quarters earlier (QM1)."""
        running = self.today - timedelta(days=self.rules["lead"] - 1)
        index = running.year * 4 + (running.month - 1) // 3 - 1 - back
        return f"Q{index % 4 + 1} {index // 4}"

    # -- figures ------------------------------------------------------------------------------------------------------

    def figure(self, metric: str) -> int:
        """Return a metric's final figure in cents.

        Client counts are in hundredths.
        """
        parts: dict[str, Seen] = {}
        for one in self.said:
            if self.is_figure(one, metric) and self.is_of_quarter(one["text"]) and self.is_owner(one["from"], metric):
                part = self.part(one["text"])
                parts[part] = self.counted(parts[part], one) if part in parts else one
        return sum(self.number(self.last_word(one)["text"]) for one in parts.values())

    def is_figure(self, message: Seen, metric: str) -> bool:
        """Return True if a message posts a metric's figure (QM3)."""
        text = message["text"]
        return "thread" not in message and metric in text and bool(_NUMBER.search(text)) and not self.is_target(text)

    def is_target(self, text: str) -> bool:
        """Return True if a text states a target instead of a figure (QM3)."""
        return re.search(rf"\b{self.rules['target']}\b", text, re.IGNORECASE) is not None

    def is_of_quarter(self, text: str) -> bool:
        """Return True if a text mentions the reported quarter (QM3)."""
        return self.quarter() in _QUARTER.findall(text)

    def is_owner(self, username: str, metric: str) -> bool:
        """Return True if a user is responsible for posting a metric (QM4)."""
        posts = {"operations": "operations_post", "senior": "senior_posts", "trusts": "trusts_post"}
        titles = {self.rules[title] for title, names in posts.items() if metric in self.rules[names]}
        return self.titles.get(username) in titles

    def counted(self, earlier: Seen, later: Seen) -> Seen:
        """Return the message that counts of two with the same figure (QM5)."""
        return later

    def part(self, text: str) -> str:
        """Return the part of a figure that a message posts, 1 or 2.

        The result is empty for a whole figure (QM6).
        """
        found = _PART.search(text)
        return found[1] if found else ""

    def last_word(self, post: Seen) -> Seen:
        """Return the message with the final number for a posted figure (QM7)."""
        replies = [one for one in self.said if one.get("thread") == post["id"] and _NUMBER.search(one["text"])]
        found = [one for one in replies if self.is_by_same(post, one) and self.is_correction(one["text"])]
        return self.chosen(found) if found else post

    def is_by_same(self, post: Seen, reply: Seen) -> bool:
        """Return True if a reply is by the author of the post (QM7)."""
        return bool(post["from"] == reply["from"])

    def is_correction(self, text: str) -> bool:
        """Return True if a reply corrects a figure (QM7)."""
        return text.startswith(self.rules["correction"])

    def chosen(self, corrections: list[Seen]) -> Seen:
        """Return the correction that counts, given all corrections oldest first (QM7)."""
        return corrections[-1]

    def number(self, text: str) -> int:
        """Return the number in a text, in hundredths (QM8)."""
        found = _NUMBER.search(text)
        if found is None:
            raise LookupError(f"no number behind a colon: {text}")
        return parse_money(found["number"]) * (self.thousand() if self.rules["thousand"] in found["rest"] else 1)

    def thousand(self) -> int:
        """Return the factor for numbers given in thousands (QM8)."""
        return 1000

    # -- derived metrics ----------------------------------------------------------------------------------------------

    def metrics(self) -> list[tuple[str, str]]:
        """Return the rows to deliver (QM9 and QM10)."""
        rules = self.rules
        figures = {
            one: self.figure(one) for one in (*rules["operations_post"], *rules["senior_posts"], *rules["trusts_post"])
        }
        before = self.quarter(1)
        flows = self.flows(figures)
        clients = int(self.past["Active Clients", before]["count"]) + self.client_change(figures)
        percents = {
            "Operating Margin %": self.operating_margin(figures),
            "Fee Margin %": self.fee_margin(figures["Fee Revenue"], figures["Closing Assets"]),
            "Asset Growth %": self.growth("Asset Growth %", "Closing Assets", figures["Closing Assets"]),
            "Revenue Growth %": self.growth("Revenue Growth %", "Fee Revenue", figures["Fee Revenue"]),
        }
        return [
            *(
                (one, str(value // 100) if one in rules["counts"] else money_text(value))
                for one, value in figures.items()
            ),
            ("Net Flows", money_text(flows)),
            ("Active Clients", str(clients)),
            *((name, str(value)) for name, value in percents.items()),
        ]

    def reported(self, metric: str, back: int) -> int:
        """Return the amount in cents reported ``back`` quarters earlier (QM9)."""
        return parse_money(self.past[metric, self.quarter(back)]["amount"])

    def flows(self, figures: dict[str, int]) -> int:
        """Return the net flows in cents, by their definition."""
        return figures["New Money"] - figures["Withdrawals"]

    def client_change(self, figures: dict[str, int]) -> int:
        """Return the change in the number of active clients."""
        return (figures["New Clients"] - figures["Lost Clients"]) // 100

    def operating_margin(self, figures: dict[str, int]) -> Decimal:
        """Return the operating margin in percent, by its definition."""
        income = figures["Fee Revenue"] + figures["Trust Fees"]
        return _percent(income - figures["Operating Costs"], Decimal(income))

    def fee_margin(self, fees: int, closing: int) -> Decimal:
        """Return the fee margin in percent, by its definition."""
        return _percent(self.yearly(fees), self.assets(self.reported("Closing Assets", 1), closing))

    def yearly(self, fees: int) -> int:
        """Return a quarter's fees scaled to a year."""
        return 4 * fees

    def assets(self, opening: int, closing: int) -> Decimal:
        """Return the assets in cents that the definition of the fee margin refers to."""
        return Decimal(opening + closing) / 2 if "average" in self.definitions["Fee Margin %"] else Decimal(opening)

    def growth(self, name: str, metric: str, value: int) -> Decimal:
        """Return the growth of a metric in percent, by its definition."""
        earlier = self.reported(metric, self.compared(name))
        return self.change(value, earlier)

    def compared(self, name: str) -> int:
        """Return the number of quarters between the figures that a growth metric compares."""
        return 4 if "a year before" in self.definitions[name] else 1

    def change(self, value: int, earlier: int) -> Decimal:
        """Return a change as a percentage of the earlier figure."""
        return _percent(value - earlier, Decimal(earlier))

    # -- the item -----------------------------------------------------------------------------------------------------

    def close(self) -> Steps:
        """Close the work item for the report (QM11)."""
        projects = (yield from self.ask("list_projects"))["projects"]
        project = next(one["id"] for one in projects if one["identifier"] == self.project())
        items = (yield from self.ask("list_items", project_id=project, text=self.rules["item"]))["items"]
        states = (yield from self.ask("list_states", project_id=project))["states"]
        done = next(one["id"] for one in states if one["group"] == "completed")
        for item in items:
            if self.is_item(item["name"]):
                yield from self.ask("update_item", key=item["key"], state_id=done)

    def project(self) -> str:
        """Return the project identifier of the work item (QM11)."""
        return "CW"

    def is_item(self, name: str) -> bool:
        """Return True if an item is the one to close (QM11)."""
        return bool(name == f"{self.rules['item']} {self.quarter()}, {self.contact['name']}")


def _percent(part: int, whole: Decimal) -> Decimal:
    # The denominator may be zero for a lapse that misses figures.
    return (100 * part / whole).quantize(Decimal("0.01"), ROUND_HALF_UP) if whole else Decimal("0.00")
