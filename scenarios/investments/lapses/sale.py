"""Lapses of sales (5.7)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.investments.lapses.careless import Careless


@lapse("5.7.2", "D13", "calculate_realized_gain.lot_sales")
class NamedLotsAlwaysTaken(Careless):
    """Sells the lots that are named, pledged or not, whatever they add up to."""

    def are_named_lots_good(self) -> bool:
        return bool(self.file["lot_method"] == "specific")

    def usable(self) -> list[Seen]:
        return self.listed[self.account_id] if self.are_named_lots_good() else super().usable()


@lapse("5.7.4", "D14", "calculate_realized_gain.long_term_lot_ids")
class LongTermFromTheAnniversary(Careless):
    """Takes a lot for long-term on the same day of the next year already."""

    def is_long_term(self, lot: Seen) -> bool:
        start = self.held_from(lot)
        same = start.replace(year=start.year + 1, day=min(start.day, 28) if start.month == 2 else start.day)
        return super().is_long_term(lot) or self.sold_on() == same


@lapse("5.7.5", "D7", "D15")
class RetirementAccountsForgotten(Careless):
    """Looks for replacements in no retirement account."""

    def searched(self) -> list[str]:
        types = {row["account_id"]: row["account_type"] for row in self.file["linked_accounts"]}
        return [key for key in super().searched() if not types[key].endswith("_ira")]


@lapse("5.7.5", "D7", "D15")
class SpouseForgotten(Careless):
    """Looks for replacements in no account of the spouse."""

    def relations(self, purpose: str) -> tuple[str, ...]:
        return tuple(name for name in super().relations(purpose) if name != "spouse")


@lapse("5.7.6", "D15", "check_wash_sale.replacement_lot_ids")
class ReinvestmentsDoNotReplace(Careless):
    """Does not take reinvested dividends for replacements."""

    def is_bought(self, lot: Seen) -> bool:
        return bool(lot["source"] == "purchase")


@lapse("5.7.6", "D15")
class FirstDayOfTheWindowForgotten(Careless):
    """Leaves out what was acquired on the first day of the window."""

    def is_in_window(self, lot: Seen) -> bool:
        return super().is_in_window(lot) and lot["acquired"] != self.window_start().isoformat()


@lapse("5.7.6", "5.7.5", "T8.12")
class LossReportedInFull(Careless):
    """Reports the loss as it was worked out, with nothing disallowed."""

    def reported(self, result: Seen) -> float:
        amount: float = round(result["reportable_result"] - result["disallowed_loss"], 2)
        return amount
