"""Expert for categorising expenses.

Codes such as EC2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final, NamedTuple

from teller_gym.office.documents.amounts import money_text, parse_money
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.wealth.worker import Row, Worker

_PERIOD: Final = re.compile(r"\bQ([1-4]) (\d{4})\b")
_OWN: Final = re.compile(r"^Own accounts: (.+)$", re.MULTILINE)
_ACCOUNT: Final = re.compile(r"\bx\d{4}\b", re.IGNORECASE)
_RULE: Final = re.compile(r'^Rule (\d+): "(.+)" is (.+)$', re.MULTILINE)


class Rule(NamedTuple):
    """A rule that assigns ``category`` to descriptions containing ``words`` (lowercase)."""

    number: int
    words: str
    category: str


class Expert(Worker):
    """Selects, labels and sums transactions, with a separate method for each rule of the chapter."""

    def work(self) -> Steps:
        """Read the sources and deliver labels and totals."""
        yield from self.find_client()
        rows = yield from self.table("transactions.csv")
        text = yield from self.text("category_rules.txt")
        own, rules = self.own_accounts(text, rows), self.tried(self.rules_in(text))
        counted = self.once([row for row in rows if self.is_posted(row) and self.is_in_period(row)])
        labels = [(row, self.label(row["description"], own, rules)) for row in counted]
        totals: dict[str, int] = {}
        for row, label in labels:
            if self.is_in_totals(label):
                totals[label] = totals.get(label, 0) + self.spent(row)
        names = [(row["transaction_id"], label) for row, label in labels]
        yield from self.deliver(self.rules["labels"], self.rules["label_columns"], names)
        summary = [*totals.items(), (self.rules["total"], sum(totals.values()))]
        sums = [(name, money_text(cents)) for name, cents in summary]
        yield from self.deliver(self.rules["summary"], self.rules["summary_columns"], sums)

    def is_in_period(self, row: Row) -> bool:
        """Return True if a row belongs to the reported quarter (EC2)."""
        found = _PERIOD.search(self.request)
        if found is None:
            raise LookupError("the request does not say which quarter is meant")
        day = self.day(row)
        return (day.year, (day.month + 2) // 3) == (int(found[2]), int(found[1]))

    def day(self, row: Row) -> date:
        """Return the posting date, which determines the quarter (EC2)."""
        return date.fromisoformat(row["posting_date"])

    def is_posted(self, row: Row) -> bool:
        """Return True if a transaction is not pending (EC3)."""
        return row["status"].casefold() == str(self.rules["posted"]).casefold()

    def once(self, rows: list[Row]) -> list[Row]:
        """Return the rows without repetitions of a transaction (EC4)."""
        return list({row["transaction_id"]: row for row in rows}.values())

    def label(self, description: str, own: set[str], rules: list[Rule]) -> str:
        """Return the category for a transaction's description (EC5 to EC7)."""
        if self.is_transfer(description, own):
            return str(self.rules["transfer"])
        return next((one.category for one in rules if self.fits(one, description)), str(self.rules["other"]))

    def own_accounts(self, text: str, rows: list[Row]) -> set[str]:
        """Return the client's own account names (EC5)."""
        found = _OWN.search(text)
        return set(_ACCOUNT.findall(found[1].casefold())) if found else set()

    def is_transfer(self, description: str, own: set[str]) -> bool:
        """Return True if a transaction is between the client's own accounts (EC5)."""
        return not own.isdisjoint(_ACCOUNT.findall(description.casefold()))

    def rules_in(self, text: str) -> list[Rule]:
        """Return the rules of a text, in the order of its lines (EC6)."""
        return [Rule(int(number), words.casefold(), category) for number, words, category in _RULE.findall(text)]

    def tried(self, rules: list[Rule]) -> list[Rule]:
        """Return the rules in the order in which they apply (EC6)."""
        return sorted(rules)

    def fits(self, rule: Rule, description: str) -> bool:
        """Return True if a rule matches a description (EC6)."""
        return rule.words in description.casefold()

    def spent(self, row: Row) -> int:
        """Return the spending in cents, which is negative for a refund (EC8)."""
        return -parse_money(row["amount"])

    def is_in_totals(self, label: str) -> bool:
        """Return True if a category is part of the summary (EC9)."""
        return label != str(self.rules["transfer"])
