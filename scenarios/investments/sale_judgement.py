"""Judgements of the investments expert on sales: lots sold, holding periods, and replaced losses."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from teller_gym.base.money import to_cents
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.investments.judgement import Ending, Judgement


class Sold(NamedTuple):
    """A lot with the number of its shares that are sold."""

    lot: Seen
    shares: int


class SaleJudgement(Judgement):
    """Judgements on sales (5.7)."""

    listed: dict[str, list[Seen]]
    price = 0

    def is_usable(self, lot: Seen) -> bool:
        """Return True if a lot may be sold because it is not pledged (D13)."""
        return not lot["pledged"]

    def usable(self) -> list[Seen]:
        """Return the account's lots that may be sold (D13)."""
        return [lot for lot in self.listed[self.account_id] if self.is_usable(lot)]

    def named(self) -> dict[str, int]:
        """Return the number of shares that the client named, by lot (D13)."""
        pairs = [entry.split(":") for entry in self.file["named_lots"]]
        return {key: int(shares) for key, shares in pairs}

    def are_named_lots_good(self) -> bool:
        """Return True if the named lots are usable, large enough, and add up to the requested number (D13)."""
        held = {lot["lot_id"]: lot["quantity"] for lot in self.usable()}
        named = self.named()
        if self.file["lot_method"] != "specific" or sum(named.values()) != self.file["asked_quantity"]:
            return False
        return all(shares <= held.get(key, 0) for key, shares in named.items())

    def ordered_lots(self, method: str) -> list[Seen]:
        """Return the usable lots in the selling order of a method (D13)."""
        lots = sorted(self.usable(), key=lambda lot: (lot["acquired"], lot["lot_id"]))
        if method == "lifo":
            lots.sort(key=lambda lot: str(lot["acquired"]), reverse=True)
        if method == "highest_cost":
            lots.sort(key=lambda lot: -to_cents(lot["cost_per_share"]))
        return lots

    def method(self) -> str:
        """Return the account's standing method (D13)."""
        method: str = self.file["standing_method"]
        return method

    def sold(self) -> list[Sold]:
        """Return the lots to sell with their shares, from the named lots or else the standing method (5.7.2)."""
        if self.are_named_lots_good():
            named = self.named()
            return [Sold(lot, named[lot["lot_id"]]) for lot in self.usable() if lot["lot_id"] in named]
        found, left = [], self.file["asked_quantity"]
        for lot in self.ordered_lots(self.method()):
            shares = min(left, lot["quantity"])
            if shares:
                found.append(Sold(lot, shares))
            left -= shares
        return found

    def lots_ending(self, sold: list[Sold]) -> Ending | None:
        """Return the ending if there is no lot to sell, otherwise None (5.7.2)."""
        return None if sold else Ending("refuse", "lots_unavailable")

    def held_from(self, lot: Seen) -> date:
        """Return the first day of a lot's holding period (D14)."""
        return date.fromisoformat(lot["holding_from"])

    def is_long_term(self, lot: Seen) -> bool:
        """Return True if the sale is after the anniversary of the lot's holding start (D14)."""
        start = self.held_from(lot)
        year = start.year + self.policy.long_term_years
        leap = (start.month, start.day) == (2, 29)
        return self.sold_on() > (date(year, 3, 1) if leap else start.replace(year=year))

    def sold_on(self) -> date:
        """Return the trade date of the sale (D2)."""
        return self.trade_date(self.file["instructed_at"])

    def is_loss(self, lot: Seen) -> bool:
        """Return True if a lot's cost is above the sale price (D15)."""
        return to_cents(lot["cost_per_share"]) > self.price

    def loss_lots(self, sold: list[Sold]) -> list[str]:
        """Return the ids of the lots sold at a loss (5.7.5)."""
        return [one.lot["lot_id"] for one in sold if self.is_loss(one.lot)]

    def window_start(self) -> date:
        """Return the first day of the wash sale window (D15)."""
        return self.sold_on() - timedelta(days=self.policy.wash_window_days)

    def searched(self) -> list[str]:
        """Return the other accounts to search for replacements (5.7.5)."""
        return [key for key in self.counted("sale") if key != self.account_id]

    def is_bought(self, lot: Seen) -> bool:
        """Return True if a lot was bought, directly or by reinvestment (D15)."""
        return lot["source"] in ("purchase", "reinvestment")

    def is_in_window(self, lot: Seen) -> bool:
        """Return True if a lot was acquired in the wash sale window (D15)."""
        return self.window_start() <= date.fromisoformat(lot["acquired"]) <= self.sold_on()

    def left_after(self, lot: Seen, sold: list[Sold]) -> int:
        """Return the shares of a lot that this sale leaves (D15)."""
        gone = sum(one.shares for one in sold if one.lot["lot_id"] == lot["lot_id"])
        return int(lot["quantity"]) - gone

    def replacements(self, sold: list[Sold]) -> dict[str, int]:
        """Return the remaining replacement shares, by lot (5.7.6)."""
        if not self.loss_lots(sold):
            return {}
        lots = [lot for rows in self.listed.values() for lot in rows if self.is_bought(lot) and self.is_in_window(lot)]
        left = {lot["lot_id"]: self.left_after(lot, sold) for lot in lots}
        return {key: shares for key, shares in left.items() if shares}

    def sale_ending(self, shares: int, result: Seen) -> Ending:
        """Return the ending of a sale (T8)."""
        amount = to_cents(self.reported(result))
        if shares == self.file["asked_quantity"]:
            return Ending("proceed", "none", shares, amount)
        return Ending("adjust", "lots_unavailable", shares, amount)

    def reported(self, result: Seen) -> float:
        """Return the reportable gain or loss (T8)."""
        amount: float = result["reportable_result"]
        return amount
