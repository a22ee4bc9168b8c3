"""Look-up of the bank's lending policy and of its rate tables."""

from __future__ import annotations

from typing import Any, Literal

from teller_gym.base.money import usd
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.scenarios.loans.tools.lookup import policy_of
from teller_gym.scenarios.loans.tools.types import Product
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Percent, Result, tool

Topic = Literal[
    "amounts_and_terms",
    "required_documents",
    "identity_and_credit",
    "employment_verification",
    "debts",
    "affordability",
    "collateral",
    "exposure",
    "due_dates",
]


class LendingPolicy(Result):
    """The policy's entries on a topic; names of entries end in their unit, percent is in percent (43.0 means 43 %)."""

    topic: Topic
    entries: dict[str, Any]


@tool(category=Category.AUXILIARY)
def get_lending_policy(bank: Bank, topic: Topic) -> LendingPolicy:
    """Look up the numbers of the lending policy in force: limits, ratios, ages, documents, methods and deadlines.

    Args:
        topic: What to look up.
    """
    policy = policy_of(bank)
    entries = {
        "amounts_and_terms": _amounts,
        "required_documents": _documents,
        "identity_and_credit": _credit,
        "employment_verification": _employment,
        "debts": _debts,
        "affordability": _affordability,
        "collateral": _collateral,
        "exposure": _exposure,
        "due_dates": _due_dates,
    }[topic]
    return LendingPolicy(topic=topic, entries=entries(policy))


def _amounts(policy: LoanPolicy) -> dict[str, Any]:
    return {
        name: {
            "min_usd": usd(item.min_amount),
            "max_usd": usd(item.max_amount),
            "terms_months": list(item.terms),
            "portfolio": item.portfolio,
        }
        for name, item in policy.products.items()
    }


def _documents(policy: LoanPolicy) -> dict[str, Any]:
    return {name: {item.checklist: list(item.documents)} for name, item in policy.products.items()}


def _credit(policy: LoanPolicy) -> dict[str, Any]:
    return {
        "min_credit_score": policy.min_credit_score,
        "report_max_age_days": policy.report_max_age_days,
        "registry_of_document": policy.registries,
        "watch_list_scope": policy.list_scopes,
        "permissible_purpose": policy.credit_purpose,
        "fraud_alert_contact_method": policy.contact_methods,
    }


def _employment(policy: LoanPolicy) -> dict[str, Any]:
    return {"verification_method": policy.verification_methods, "pay_periods_a_year": policy.pay_periods}


def _debts(policy: LoanPolicy) -> dict[str, Any]:
    return {
        "short_debt_payments_left": policy.short_debt_payments,
        "revolving_without_payment_percent_of_balance": policy.zero_payment_share / 100,
    }


def _affordability(policy: LoanPolicy) -> dict[str, Any]:
    return {
        "max_debt_to_income_percent": policy.max_dti / 100,
        "max_payment_to_income_percent_auto": policy.max_pti / 100,
        "amounts_rounded_down_to_usd": usd(policy.amount_step),
    }


def _collateral(policy: LoanPolicy) -> dict[str, Any]:
    secured = {name: item for name, item in policy.products.items() if item.secured}
    return {
        "max_loan_to_value_percent": {name: item.max_ltv / 100 for name, item in secured.items()},
        "appraisal_max_age_days": policy.appraisal_max_age_days,
        "vehicle_max_age_years": policy.vehicle_max_age_years,
        "required_cover": policy.required_covers,
    }


def _exposure(policy: LoanPolicy) -> dict[str, Any]:
    return {"escalation_above_usd": usd(policy.escalation_exposure)}


def _due_dates(policy: LoanPolicy) -> dict[str, Any]:
    return {
        "notice_calendar_days": policy.notice_days,
        "disclosure_business_days": policy.disclosure_business_days,
        "compliance_report_business_days": policy.compliance_business_days,
        "disclosure_type": {name: item.disclosure for name, item in policy.products.items()},
    }


class RateTable(Result):
    """Rates, surcharges, discounts and fees in percent. ``base_rates`` go by term in months.

    ``grades`` have grade, min_score, surcharge, origination_fee; ``mortgage_insurance`` has above_ltv, yearly_rate.
    """

    product: Product
    base_rates: dict[str, float]
    grades: list[dict[str, Any]]
    autopay_discount: Percent
    ltv_surcharge: Percent
    ltv_surcharge_above: Percent
    mortgage_insurance: list[dict[str, float]]


@tool(category=Category.AUXILIARY)
def get_rate_table(bank: Bank, product: Product) -> RateTable:
    """Look up a product's rate table: rates by term, grades by credit score, surcharges, fees. It quotes no loan.

    Args:
        product: The product.
    """
    policy = policy_of(bank)
    terms = policy.products[product]
    bands = policy.mortgage_insurance if product == "home" else ()
    return RateTable(
        product=product,
        base_rates={str(months): rate / 1000 for months, rate in terms.rates.items()},
        grades=[
            {
                "grade": grade.name,
                "min_score": grade.min_score,
                "surcharge": grade.surcharge / 1000,
                "origination_fee": grade.fees[product] / 1000,
            }
            for grade in policy.grades
        ],
        autopay_discount=policy.autopay_discount / 1000,
        ltv_surcharge=terms.ltv_surcharge / 1000,
        ltv_surcharge_above=terms.ltv_surcharge_above / 100,
        mortgage_insurance=[{"above_ltv": band.above_ltv / 100, "yearly_rate": band.rate / 1000} for band in bands],
    )
