"""Look-up of the bank's card policy and of the products' terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from teller_gym.base.money import usd
from teller_gym.scenarios.banking.ids import Code
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.scenarios.credit_cards.tools.lookup import policy_of
from teller_gym.scenarios.credit_cards.tools.types import Product
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Percent, Result, tool

Topic = Literal[
    "identity_and_reports", "income_and_ratio", "limits", "disputes", "lost_cards", "charges", "kinds", "due_dates"
]


class CardPolicyEntries(Result):
    """The policy's entries on a topic; names of entries end in their unit, percent is in percent (43.0 means 43 %)."""

    topic: Topic
    entries: dict[str, Any]


@tool(category=Category.AUXILIARY)
def get_card_policy(bank: Bank, topic: Topic) -> CardPolicyEntries:
    """Look up the numbers and codes of the card policy in force; how they are used, the procedure says.

    Args:
        topic: What to look up.
    """
    return CardPolicyEntries(topic=topic, entries=_ENTRIES[topic](policy_of(bank)))


def _identity(policy: CardPolicy) -> dict[str, Any]:
    return {
        "registry_of_document": policy.registries,
        "watch_list_scope": policy.list_scopes,
        "inquiry_type": policy.inquiries,
        "bureau_of_product": {name: item.bureau for name, item in policy.products.items()},
        "min_credit_score": policy.min_credit_score,
    }


def _income(policy: CardPolicy) -> dict[str, Any]:
    return {
        "pay_periods_a_year": policy.pay_periods,
        "income_must_last_more_than_days": policy.income_horizon_days,
        "household_income_from_age": policy.adult_age,
        "deferred_student_loan_percent_of_balance": policy.deferred_share / 100,
        "max_debt_to_income_percent": policy.max_dti / 100,
        "minimum_payment_usd": usd(policy.minimum_floor),
        "minimum_payment_percent": policy.minimum_share / 100,
    }


def _limits(policy: CardPolicy) -> dict[str, Any]:
    return {
        "bands": [
            {"min_score": band.min_score, "share_of_yearly_income_percent": band.share / 100, "cap_usd": usd(band.cap)}
            for band in policy.bands
        ],
        "student_cap_usd": usd(policy.student_cap),
        "increase_up_to_percent_of_present_limit": policy.increase_factor / 100,
        "increase_wait_days": policy.increase_wait_days,
        "clean_statements": policy.clean_statements,
        "rounded_down_to_usd": usd(policy.limit_step),
    }


def _disputes(policy: CardPolicy) -> dict[str, Any]:
    return {
        "billing_error_notice_days": policy.notice_window_days,
        "claim_over_usd": usd(policy.claim_over),
        "claim_miles": policy.claim_miles,
        "reason_code": policy.reason_codes,
    }


def _lost_cards(policy: CardPolicy) -> dict[str, Any]:
    return {
        "reissue_method": policy.reissue_methods,
        "hold_replacement_days_after_address_change": policy.address_hold_days,
        "most_the_holder_bears_usd": {name: usd(item.liability) for name, item in policy.products.items()},
    }


def _charges(policy: CardPolicy) -> dict[str, Any]:
    return {
        "late_fee_usd": usd(policy.fee_first),
        "repeated_late_fee_usd": usd(policy.fee_repeat),
        "repeated_within_statements": policy.fee_lookback,
        "raise_after_notice_days": policy.rate_notice_days,
        "raise_after_opening_days": policy.first_year_days,
    }


def _kinds(policy: CardPolicy) -> dict[str, Any]:
    return {
        "papers": {kind: list(papers) for kind, papers in policy.documents.items()},
        "cycles_to_read": policy.cycles_read,
        "authority_usd": {kind: usd(amount) for kind, amount in policy.authority.items()},
        "letters": {
            kind: {"approve_or_partial": item.granted, "deny": item.refused, "otherwise": item.other}
            for kind, item in policy.letters.items()
        },
    }


def _due_dates(policy: CardPolicy) -> dict[str, Any]:
    return {
        "billing_error_complete_periods": policy.resolution_cycles,
        "billing_error_at_most_calendar_days": policy.resolution_cap_days,
        "claim_calendar_days": policy.claim_days,
        "unauthorized_use_business_days": policy.unauthorized_business_days,
        "setup_business_days": policy.setup_business_days,
        "denial_calendar_days": policy.denial_days,
        "incomplete_business_days": policy.completion_business_days,
        "referral_business_days": policy.referral_business_days,
    }


_ENTRIES: Mapping[Topic, Callable[[CardPolicy], dict[str, Any]]] = {
    "identity_and_reports": _identity,
    "income_and_ratio": _income,
    "limits": _limits,
    "disputes": _disputes,
    "lost_cards": _lost_cards,
    "charges": _charges,
    "kinds": _kinds,
    "due_dates": _due_dates,
}


class CardTerms(Result):
    """Terms of a kind of card, for new accounts; an account's own rate may be another."""

    product: Product
    lowest_limit: Money
    highest_limit: Money
    standard_rate: Percent
    most_borne: Money
    product_bureau: Code


@tool(category=Category.AUXILIARY)
def get_card_terms(bank: Bank, product: Product) -> CardTerms:
    """Look up the terms of a kind of card: limits, rate, liability, bureau. It says nothing about an account.

    Args:
        product: The kind of card.
    """
    item = policy_of(bank).products[product]
    return CardTerms(
        product=product,
        lowest_limit=usd(item.min_limit),
        highest_limit=usd(item.max_limit),
        standard_rate=item.purchase_rate / 100,
        most_borne=usd(item.liability),
        product_bureau=item.bureau,
    )
