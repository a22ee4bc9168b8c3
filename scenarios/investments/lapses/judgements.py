"""Lapses of brokerage requests that need code; the others are in ``lapses.yaml``."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import add_business_days, on_or_before_business_day
from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Asking, Seen, Steps
from teller_gym.scenarios.investments.judgement import Ending, total
from teller_gym.scenarios.investments.lapses.careless import Careless

# -- dates -----------------------------------------------------------------------------------------------------------


@lapse("D2")
class CutoffItselfInTime(Careless):
    """Treats an instruction at exactly the cutoff as on time."""

    def is_late(self, instructed_at: str) -> bool:
        return super().is_late(instructed_at) and not instructed_at.endswith(self.policy.order_cutoff)


@lapse("D2", "5.5.2", "5.7.1", "value_positions.valuation_date")
class PricesBeforeTheBusinessDate(Careless):
    """Uses the prices before the business date, even if the trade date is later."""

    def price_date(self) -> date:
        return on_or_before_business_day(self.today - timedelta(days=1), self.policy.holidays)


@lapse("D1", "5.13.2")
class CalendarDaysCounted(Careless):
    """Counts calendar days instead of business days."""

    def effective_date(self, record: Seen) -> date:
        right = super().effective_date(record)
        start = self.today if record["decision"] in ("refuse", "refer") else self.trade_date(record["instructed_at"])
        days = sum(add_business_days(start, count, self.policy.holidays) <= right for count in range(1, 30))
        return start + timedelta(days=days)


# -- outcome ---------------------------------------------------------------------------------------------------------


@lapse("5.12.1", "T8.8", "T8.11", "record_investment_decision.decision")
class PartsRefused(Careless):
    """Refuses a request that can be carried out in part."""

    def close(self, ending: Ending) -> Steps:
        partly = ending.decision == "adjust"
        yield from super().close(Ending("refuse", ending.reason) if partly else ending)


@lapse("5.12.1", "T8.2", "T8.3", "record_investment_decision.decision")
class ReferralsRefused(Careless):
    """Refuses a case instead of referring it."""

    def close(self, ending: Ending) -> Steps:
        refers = ending.decision == "refer"
        yield from super().close(Ending("refuse", ending.reason) if refers else ending)

    def effective_date(self, record: Seen) -> object:  # type: ignore[override]
        return super().effective_date(
            {**record, "decision": "refer"} if record["reason"] in self.policy.referral_days else record
        )


@lapse("5.13.1", "T10.7", "release_instruction.instruction_type")
class RefusalByRequestTypeAlone(Careless):
    """Chooses the refusal instruction by request type, ignoring the reason."""

    def refusal_of(self, record: Seen) -> str:
        right = super().refusal_of(record)
        orders = record["decided_type"] in ("purchase", "sale")
        return ("refusal_order" if orders else "refusal_payment") if right == "refusal_person" else right


@lapse("5.13.2", "D20")
class ReleasedTwice(Careless):
    """Releases an instruction twice if the request is only partly carried out."""

    def release(self, record: Seen) -> Asking:
        if record["decision"] == "adjust":
            yield from super().release(record)
        return (yield from super().release(record))


# -- payout ----------------------------------------------------------------------------------------------------------


@lapse("5.8.1", "D16", "calculate_margin_requirement.debit_balance")
class OpenOrdersInTheDebit(Careless):
    """Adds open buy orders to the debit balance."""

    def pending(self, row: Seen) -> int:
        return total([item for item in row["cash_items"] if self.is_debit(item)], "amount")


@lapse("5.10.1", "D7", "calculate_required_distribution.account_ids")
class EveryRetirementAccountCounted(Careless):
    """Includes Roth and inherited accounts in the required distribution."""

    def is_required(self, row: Seen) -> bool:
        return bool(row["account_type"].endswith("_ira"))


@lapse("5.10.3", "D17", "calculate_required_distribution.taken_this_year")
class ConversionsTaken(Careless):
    """Counts conversions as distributions."""

    def taken_this_year(self) -> int:
        return super().taken_this_year() + total(self.required_rows(), "conversions_this_year")


@lapse("T7.1", "T7.2", "T7.3", "T7.4", "5.9.2", "validate_transfer.clearing_number")
class FirstClearingNumberTaken(Careless):
    """Uses the clearing number of the first firm."""

    def clearing_number(self) -> str:
        return next(iter(self.policy.clearing_numbers.values()))


# -- people ----------------------------------------------------------------------------------------------------------


@lapse("D3", "5.1.2", "check_account_authority.signer_ids", "check_account_authority.screening_ids")
class FirstSignerAlone(Careless):
    """Verifies and screens only the first signer."""

    def identify(self) -> Steps:
        every, self.customers = self.customers, self.customers[:1]
        yield from super().identify()
        self.customers = every

    def screen(self) -> Steps:
        every, self.customers = self.customers, self.customers[:1]
        yield from super().screen()
        self.customers = every


@lapse("5.1.3", "D21")
class ScreenedBeforeAllAreVerified(Careless):
    """Screens each signer right after verifying them, before the others are verified."""

    def identify(self) -> Steps:
        for customer in self.customers:
            yield from self.verify_identity(customer)
            if customer == self.customers[0]:
                yield from self.end(self.identity_ending())
            yield from self.screen_person(customer)

    def screen(self) -> Steps:
        yield from self.end(self.identity_ending())
        yield from self.end(self.match_ending())


@lapse("5.3.3", "D6")
class LastDayNotInForce(Careless):
    """Treats a restriction or authority that ends on the business date as ended."""

    def in_force(self, row: Seen) -> bool:
        return super().in_force(row) and row["until"] != self.today.isoformat()


@lapse("5.3.3")
class EverySignerMustHaveAuthority(Careless):
    """Refuses unless every signer has authority."""

    def authority_ending(self) -> Ending | None:
        rows = self.file["authorities"]
        return None if all(self.may_instruct(row) for row in rows) else Ending("refuse", "no_authority")


@lapse("D7", "5.5.1", "value_positions.account_ids")
class ChildrensAccountsCounted(Careless):
    """Counts children's accounts."""

    def relations(self, purpose: str) -> tuple[str, ...]:
        return (*super().relations(purpose), "custodian")


@lapse("D7", "5.5.1", "value_positions.account_ids")
class SpousesAccountsAlwaysCounted(Careless):
    """Counts a spouse's accounts for every purpose."""

    def relations(self, purpose: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*super().relations(purpose), "spouse")))


# -- purchase --------------------------------------------------------------------------------------------------------


@lapse("5.4.2", "T4.3", "assess_risk_profile.loss_points")
class LossAnswersNumbered(Careless):
    """Numbers the answers about losses from 0 instead of using the table's points."""

    def loss_points(self) -> int:
        return list(self.policy.loss_points).index(self.questionnaire["loss_answer"])


@lapse("5.6.2", "5.11.3", "check_available_cash.amount_needed")
class ConcentrationIgnored(Careless):
    """Checks the cash for all ordered shares, ignoring the permitted number."""

    def check_cash(self, needed: int, price: float, fee: int) -> Asking:
        if price:
            needed = self.profile["ordered_quantity"] * to_cents(price) + fee
        return (yield from super().check_cash(needed, price, fee))

    def permitted_ending(self, permitted: int) -> Ending | None:
        return None


# -- sale ------------------------------------------------------------------------------------------------------------


@lapse("5.7.4", "D14", "calculate_realized_gain.long_term_lot_ids")
class LongTermFromTheAnniversary(Careless):
    """Treats a lot as long-term from the anniversary on, one day too early."""

    def is_long_term(self, lot: Seen) -> bool:
        start = self.held_from(lot)
        same = start.replace(year=start.year + 1, day=min(start.day, 28) if start.month == 2 else start.day)
        return super().is_long_term(lot) or self.sold_on() == same


@lapse("5.7.5", "D7", "D15")
class RetirementAccountsForgotten(Careless):
    """Does not search retirement accounts for replacements."""

    def searched(self) -> list[str]:
        types = {row["account_id"]: row["account_type"] for row in self.file["linked_accounts"]}
        return [key for key in super().searched() if not types[key].endswith("_ira")]


@lapse("5.7.5", "D7", "D15")
class SpouseForgotten(Careless):
    """Does not search the spouse's accounts for replacements."""

    def relations(self, purpose: str) -> tuple[str, ...]:
        return tuple(name for name in super().relations(purpose) if name != "spouse")


@lapse("5.7.6", "D15")
class FirstDayOfTheWindowForgotten(Careless):
    """Ignores lots acquired on the first day of the window."""

    def is_in_window(self, lot: Seen) -> bool:
        return super().is_in_window(lot) and lot["acquired"] != self.window_start().isoformat()
