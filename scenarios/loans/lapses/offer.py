"""Lapses of collateral, price and affordability (5.8 and 5.9)."""

from __future__ import annotations

from teller_gym.base.money import to_cents, usd
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.loans.judgement import Ending
from teller_gym.scenarios.loans.lapses.careless import Careless

# -- 5.8 collateral ---------------------------------------------------------------------------------------------------


@lapse("5.8.2")
class InsuranceNotVerified(Careless):
    """Leaves the insurance out."""

    def verify_insurance(self) -> Steps:
        self.insurance = {"insurance_status": "adequate", "monthly_escrow": 0.0}
        yield from ()


@lapse("5.8.2")
class InsuranceEndingTodayRefused(Careless):
    """Takes an insurance that ends on the business date for expired."""

    def insurance_ending(self) -> Ending | None:
        if self.item["insurance_expiry"] <= self.case["business_date"]:
            return Ending("incomplete", "insurance_insufficient")
        return super().insurance_ending()


# -- 5.9 price and affordability --------------------------------------------------------------------------------------


@lapse("5.9.1", "D10")
class CapNotRounded(Careless):
    """Works out the largest loan that the collateral carries without rounding it down to whole steps."""

    def considered_amount(self) -> float:
        if not self.item:
            return self.requested
        return min(self.requested, usd(to_cents(self.item["collateral_value"]) * self.product.max_ltv // 10_000))


@lapse("5.9.1", "5.9.4", "T5.11", "T5.12", "D13")
class SmallAmountsGranted(Careless):
    """Grants what collateral or income carries though it is below the product's smallest amount."""

    def is_too_small(self, amount: float) -> bool:
        return amount <= 0.0


@lapse("5.9.4", "record_credit_decision.dti_percent")
class SecondComparisonSkipped(Careless):
    """Works out the payment of the amount offered, but does not compare it with the limits again."""

    def compare_again(self, amount: float) -> Steps:
        yield from self.work_out_payment(amount)


@lapse("5.9.4")
class SecondPaymentSkipped(Careless):
    """Offers the smaller amount with the payment of the considered one."""

    def compare_again(self, amount: float) -> Steps:
        self.granted = amount
        yield from ()


@lapse("5.9.4")
class OfferPricedAnew(Careless):
    """Asks for another price for the amount offered."""

    def compare_again(self, amount: float) -> Steps:
        yield from self.quote_price(amount)
        yield from super().compare_again(amount)


@lapse("5.10.1", "T5.13")
class CapReasonKept(Careless):
    """Takes the first finding for the reason where both the collateral and a limit cut the amount."""

    def limit_reason(self, first: Seen) -> str:
        capped = self.considered_amount() < self.requested
        return "collateral_insufficient" if capped else super().limit_reason(first)


@lapse("T5.14", "D10")
class CapApproved(Careless):
    """Approves the smaller amount that the collateral carries, as if it had been asked for."""

    def granted_ending(self, amount: float) -> Ending:
        return Ending("approve", "none")
