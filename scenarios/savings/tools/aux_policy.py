"""Look-up of the bank's policy on savings and of its rate sheets."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import usd
from teller_gym.scenarios.savings.policy import SavingsPolicy
from teller_gym.scenarios.savings.tools.lookup import policy_of
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Topic = Literal[
    "products",
    "withdrawals",
    "renewals",
    "bonus",
    "custodial_accounts",
    "coverage",
    "value_dates",
    "identity",
    "routing",
    "holidays",
]


class SavingsPolicyEntries(Result):
    """The policy's entries on a topic; names of entries end in their unit."""

    topic: Topic
    entries: dict[str, Any]


@tool(category=Category.AUXILIARY)
def get_savings_policy(bank: Bank, topic: Topic) -> SavingsPolicyEntries:
    """Look up the numbers and codes of the policy on savings that is in force. It judges no case.

    Args:
        topic: What to look up.
    """
    return SavingsPolicyEntries(topic=topic, entries=_entries(policy_of(bank))[topic])


def _entries(policy: SavingsPolicy) -> dict[str, dict[str, Any]]:
    return {
        "products": {
            name: {
                "interest_method": row.method,
                "day_count": row.day_count,
                "grace_calendar_days": row.grace_days,
                "minimum_usd": usd(row.minimum),
            }
            for name, row in policy.products.items()
        },
        "withdrawals": {
            "charge_days_by_longest_term_months": {str(row.months): row.days for row in policy.charges},
            "first_days": policy.first_days,
            "waiver_documents": policy.waiver_documents,
        },
        "renewals": {
            "large_principal_from_usd": usd(policy.large_principal),
            "large_addition_percentage_points": policy.large_addition / 100,
        },
        "bonus": _bonus(policy),
        "custodial_accounts": {
            "age_by_state_years": policy.custodial_ages,
            "document_by_purpose": policy.purposes,
            "yearly_limit_usd": usd(policy.yearly_limit),
        },
        "coverage": {"insured_usd": usd(policy.insured_amount), "most_beneficiaries": policy.most_beneficiaries},
        "value_dates": {
            "payout_business_days": policy.payout_days,
            "credit_business_days": policy.credit_days,
            "pend_business_days": policy.pend_days,
            "answer_calendar_days": policy.answer_days,
            "refer_business_days": policy.refer_days,
        },
        "identity": {"registry_of_document": policy.registries, "watch_list_scope": policy.list_scopes},
        "routing": {"senior_savings_above_usd": usd(policy.senior_amount), "file_code_by_kind": policy.file_codes},
        "holidays": {"bank_holidays": policy.holiday_list},
    }


def _bonus(policy: SavingsPolicy) -> dict[str, Any]:
    return {
        "lowest_balance_usd": usd(policy.bonus_lowest_balance),
        "deposits_a_month": policy.bonus_deposits,
        "deposit_minimum_usd": usd(policy.bonus_deposit_minimum),
        "counted_deposits": policy.counted_deposits,
        "withdrawals_a_month": policy.bonus_withdrawals,
        "counted_withdrawals": policy.counted_withdrawals,
        "missed_months_allowed": policy.bonus_missed_allowed,
        "cap_usd": usd(policy.bonus_cap),
        "rate_percent_from_balance_usd": {
            plan: {str(usd(tier.balance)): tier.rate / 100 for tier in tiers}
            for plan, tiers in policy.bonus_plans.items()
        },
    }


class RateSheetFound(Result):
    """The sheet in force, with rates in percent by months of the term."""

    in_force_since: date
    rates: dict[str, Any]


@tool(category=Category.AUXILIARY)
def get_rate_sheet(bank: Bank, on_day: date, with_addition: bool = False) -> RateSheetFound:
    """Look up the rates for new terms that were in force on a day. It says not which day counts for a deposit.

    Args:
        on_day: The day.
        with_addition: Whether the addition for large principals is in the rates.
    """
    policy = policy_of(bank)
    sheets = [sheet for sheet in policy.rate_sheets if sheet.since <= on_day]
    if not sheets:
        raise invalid("on_day", f"expected {policy.rate_sheets[0].since} or later, got {on_day}")
    added = policy.large_addition if with_addition else 0
    rates = {str(months): (rate + added) / 100 for months, rate in sheets[-1].rates.items()}
    return RateSheetFound(in_force_since=sheets[-1].since, rates=rates)
