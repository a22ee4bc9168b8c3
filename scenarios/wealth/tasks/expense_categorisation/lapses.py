"""Expense categorisation experts that each make one wrong judgement.

Codes such as EC2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

import re
from datetime import date

from teller_gym.procedure.lapses import lapse
from teller_gym.scenarios.wealth.tasks.expense_categorisation.expert import Expert, Rule
from teller_gym.scenarios.wealth.worker import Row


@lapse("EC2")
class ByTransactionDate(Expert):
    """Uses the transaction date instead of the posting date."""

    def day(self, row: Row) -> date:
        return date.fromisoformat(row["transaction_date"])


@lapse("EC2")
class WholeTable(Expert):
    """Counts all transactions in the table, regardless of their quarter."""

    def is_in_period(self, row: Row) -> bool:
        return True


@lapse("EC3")
class PendingCounted(Expert):
    """Counts pending transactions."""

    def is_posted(self, row: Row) -> bool:
        return True


@lapse("EC4")
class RowsTwice(Expert):
    """Counts repeated rows of a transaction."""

    def once(self, rows: list[Row]) -> list[Row]:
        return rows


@lapse("EC4")
class TwinsOnce(Expert):
    """Treats transactions that differ only in their ids as one."""

    def once(self, rows: list[Row]) -> list[Row]:
        found = {tuple(cell for name, cell in row.items() if name != "transaction_id"): row for row in rows}
        return list(found.values())


@lapse("EC5")
class TransfersByRule(Expert):
    """Categorises transfers by the rules, like spending."""

    def is_transfer(self, description: str, own: set[str]) -> bool:
        return False


@lapse("EC5")
class TransfersByWord(Expert):
    """Treats every description with the word transfer or payment as a transfer."""

    def is_transfer(self, description: str, own: set[str]) -> bool:
        return re.search(r"transfer|payment", description, re.IGNORECASE) is not None


@lapse("EC5")
class AccountsOfTheTable(Expert):
    """Recognises only own accounts with transactions in the table."""

    def own_accounts(self, text: str, rows: list[Row]) -> set[str]:
        return {row["account"].casefold() for row in rows}


@lapse("EC5")
class EveryAccount(Expert):
    """Treats every account mentioned in the text as the client's own."""

    def own_accounts(self, text: str, rows: list[Row]) -> set[str]:
        return set(re.findall(r"\bx\d{4}\b", text))


@lapse("EC6")
class LinesFromTheTop(Expert):
    """Applies the rules in the order of their lines."""

    def tried(self, rules: list[Rule]) -> list[Rule]:
        return rules


@lapse("EC6")
class LastRule(Expert):
    """Applies the rule with the highest number first."""

    def tried(self, rules: list[Rule]) -> list[Rule]:
        return sorted(rules, reverse=True)


@lapse("EC6")
class LongestWords(Expert):
    """Uses the matching rule with the longest words."""

    def tried(self, rules: list[Rule]) -> list[Rule]:
        return sorted(rules, key=lambda rule: len(rule.words), reverse=True)


@lapse("EC6")
class WholeWords(Expert):
    """Matches whole words only."""

    def fits(self, rule: Rule, description: str) -> bool:
        return re.search(rf"\b{re.escape(rule.words)}\b", description, re.IGNORECASE) is not None


@lapse("EC7", "EC9")
class RestLeftOut(Expert):
    """Leaves transactions without a matching rule out of the summary."""

    def is_in_totals(self, label: str) -> bool:
        return super().is_in_totals(label) and label != self.rules["other"]


@lapse("EC8")
class RefundsAdded(Expert):
    """Adds refunds like spending."""

    def spent(self, row: Row) -> int:
        return abs(super().spent(row))


@lapse("EC8")
class RefundsLeftOut(Expert):
    """Leaves refunds out of the totals."""

    def spent(self, row: Row) -> int:
        return max(0, super().spent(row))


@lapse("EC9")
class TransfersSummed(Expert):
    """Includes transfers in the summary and its total."""

    def is_in_totals(self, label: str) -> bool:
        return True
