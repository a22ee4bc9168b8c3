"""Collateral value, loan-to-value ratio and insurance."""

from __future__ import annotations

from datetime import date
from typing import Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import divide_half_up, percent, to_cents, usd
from teller_gym.scenarios.banking.ids import Code
from teller_gym.scenarios.banking.lookup import check_code, day, record
from teller_gym.scenarios.loans.tools.lookup import application, policy_of
from teller_gym.scenarios.loans.tools.types import ApplicationId, CollateralId, CollateralType, PolicyNumber
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Money, Percent, Result, tool


class CollateralAssessment(Result):
    """Collateral value, ratio at the requested amount, largest loan that it supports, and insurance on file."""

    collateral_type: CollateralType
    collateral_value: Money
    ltv_percent: Percent
    max_loan_amount: Money
    collateral_finding: Literal["none", "appraisal_expired", "vehicle_too_old"]
    valuation_title: str
    model_year: int | None
    policy_number: PolicyNumber
    cover: Code
    coverage_amount: Money
    insurance_expiry: date
    annual_premium: Money
    annual_property_tax: Money


@tool(act=Act.REVISABLE)
def assess_collateral(
    bank: Bank,
    application_id: ApplicationId,
    collateral_id: CollateralId,
    collateral_type: CollateralType,
    requested_amount: Money,
    collateral_value: Money,
    appraisal_date: date,
) -> CollateralAssessment:
    """Assess a house, condominium or vehicle: value, loan-to-value ratio, largest loan, and the insurance on file.

    Args:
        application_id: The application.
        collateral_id: The collateral.
        collateral_type: What it is.
        requested_amount: The amount asked for, in dollars.
        collateral_value: The lower of purchase price and appraised value, in dollars; above 0.
        appraisal_date: When it was appraised; not after the business date.
    """
    application(bank, application_id)
    item = record(bank, "collateral", collateral_id, "collateral_id")
    if appraisal_date > bank.today:
        raise invalid("appraisal_date", f"expected a day up to the business date {bank.today}, got {appraisal_date}")
    value = to_cents(collateral_value)
    if value == 0:
        raise invalid("collateral_value", "expected a value above 0")
    policy = policy_of(bank)
    product = policy.products[_PRODUCT[collateral_type]]
    finding: Literal["none", "appraisal_expired", "vehicle_too_old"] = "none"
    if (bank.today - appraisal_date).days > policy.appraisal_max_age_days:
        finding = "appraisal_expired"
    elif item["model_year"] is not None and bank.today.year - item["model_year"] > policy.vehicle_max_age_years:
        finding = "vehicle_too_old"
    largest = value * product.max_ltv // 10_000 // policy.amount_step * policy.amount_step
    ratio = percent(to_cents(requested_amount), value)
    bank.update("applications", application_id, ltv_percent=ratio)
    return CollateralAssessment(
        collateral_type=collateral_type,
        collateral_value=usd(value),
        ltv_percent=ratio,
        max_loan_amount=usd(largest),
        collateral_finding=finding,
        valuation_title=item["valuation_title"],
        model_year=item["model_year"],
        policy_number=item["policy_number"],
        cover=item["cover"],
        coverage_amount=usd(item["coverage_amount"]),
        insurance_expiry=day(item["insurance_expiry"]),
        annual_premium=usd(item["annual_premium"]),
        annual_property_tax=usd(item["annual_property_tax"]),
    )


_PRODUCT = {"house": "home", "condominium": "home", "new_vehicle": "auto", "used_vehicle": "auto"}


class InsuranceCheck(Result):
    """Verdict on the insurance, and the monthly escrow for insurance and property tax of a home loan."""

    insurance_status: Literal["adequate", "insufficient", "expired"]
    monthly_escrow: Money


@tool(act=Act.FINAL)
def verify_insurance(
    bank: Bank,
    application_id: ApplicationId,
    policy_number: PolicyNumber,
    coverage_amount: Money,
    insurance_expiry: date,
    annual_premium: Money,
    annual_property_tax: Money,
    collateral_value: Money,
    required_cover: Code,
) -> InsuranceCheck:
    """Check that collateral is insured to its value and in date, and work out the monthly escrow of a home loan.

    Args:
        application_id: The application.
        policy_number: The insurance policy on the collateral.
        coverage_amount: Sum insured in dollars.
        insurance_expiry: Last day of cover.
        annual_premium: Premium a year in dollars.
        annual_property_tax: Property tax a year in dollars; 0 for a vehicle.
        collateral_value: Collateral value as assess_collateral returned it, in dollars.
        required_cover: Code of the cover that such collateral needs.
    """
    case = application(bank, application_id)
    insured = next((item for _, item in bank.rows("collateral") if item["policy_number"] == policy_number), None)
    if insured is None:
        raise invalid("policy_number", f"there is no insurance policy {policy_number} here; check the number")
    check_code("required_cover", required_cover, policy_of(bank).required_covers.values())
    status: Literal["adequate", "insufficient", "expired"] = "adequate"
    if insurance_expiry < bank.today:
        status = "expired"
    elif coverage_amount < collateral_value or insured["cover"] != required_cover:
        status = "insufficient"
    yearly = to_cents(annual_premium) + to_cents(annual_property_tax) if case["product"] == "home" else 0
    escrow = divide_half_up(yearly, 12)
    bank.update("applications", application_id, insurance_status=status)
    return InsuranceCheck(insurance_status=status, monthly_escrow=usd(escrow))
