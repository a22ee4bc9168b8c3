"""Look-up of the bank's policy on accounts and of its clocks."""

from __future__ import annotations

from typing import Any, Literal

from teller_gym.base.money import usd
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.accounts.tools.lookup import policy_of
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Topic = Literal[
    "cut_offs", "identity_and_screening", "authority", "opening", "availability", "holds", "transfer_claims",
    "stop_orders", "dormancy", "closing", "routing", "holidays",
]  # fmt: skip


class AccountPolicyEntries(Result):
    """The policy's entries on a topic; names of entries end in their unit."""

    topic: Topic
    entries: dict[str, Any]


@tool(category=Category.AUXILIARY)
def get_account_policy(bank: Bank, topic: Topic) -> AccountPolicyEntries:
    """Look up the numbers and codes of the policy on deposit accounts that is in force. It judges no case.

    Args:
        topic: What to look up.
    """
    policy = policy_of(bank)
    return AccountPolicyEntries(topic=topic, entries=_entries(policy)[topic])


def _entries(policy: AccountPolicy) -> dict[str, dict[str, Any]]:
    return {
        "cut_offs": {"cut_off_by_channel": policy.cutoffs},
        "identity_and_screening": {
            "registry_of_document": policy.registries,
            "watch_list_scope": policy.list_scopes,
            "history_days": policy.misuse_lookback_days,
            "misuse_from_usd": usd(policy.misuse_minimum),
            "escalation_business_days": policy.escalation_business_days,
        },
        "authority": {
            "power_by_kind": policy.powers,
            "mandate_max_age_days": policy.mandate_max_age_days,
            "custodial_account_ends_at_years": policy.custodial_end_age,
        },
        "opening": {
            "owner_from_years": policy.adult_age,
            "custodian_from_years": policy.custodian_age,
            "smallest_deposit_usd": {name: usd(amount) for name, amount in policy.minimum_deposits.items()},
        },
        "availability": {
            name: {"schedule_class": row.code, "business_days": row.days} for name, row in policy.schedule.items()
        },
        "holds": _holds(policy),
        "transfer_claims": {
            "notice_calendar_days_after_statement": policy.claim_notice_days,
            "confirmation_business_days": policy.confirmation_business_days,
            "loss_told_in_time_business_days": policy.loss_business_days,
            "liability_low_usd": usd(policy.liability_low),
            "liability_high_usd": usd(policy.liability_high),
        },
        "stop_orders": {"debit_notice_business_days": policy.stop_notice_business_days},
        "dormancy": {
            "stage_from_months": policy.stage_months,
            "abandoned_after_months": {name: rule.months for name, rule in policy.states.items()},
            "report_day": policy.report_days,
            "year_end": policy.year_end,
            "letter_from_usd": usd(policy.letter_minimum),
            "letter_earliest_days_before": policy.letter_earliest_days,
        },
        "closing": {
            "early_closing_days": policy.early_closing_days,
            "early_closing_fee_usd": usd(policy.early_closing_fee),
        },
        "routing": {"senior_operations_from_usd": usd(policy.senior_amount)},
        "holidays": {"bank_holidays": policy.holiday_list},
    }


def _holds(policy: AccountPolicy) -> dict[str, Any]:
    return {
        "first_day_usd": usd(policy.first_day_amount),
        "large_deposit_above_usd": usd(policy.large_deposit_amount),
        "new_account_days": policy.new_account_days,
        "new_account_hold_business_days": policy.new_account_hold_days,
        "further_business_days": policy.hold_extension,
        "overdrawn_window_days": policy.overdrawn_window_days,
        "overdrawn_days": policy.overdrawn_days,
        "overdrawn_large_days": policy.overdrawn_large_days,
        "overdrawn_large_usd": usd(policy.overdrawn_large_amount),
        "stale_check_days": policy.stale_check_days,
    }


class DeadlineTable(Result):
    """``clocks`` have name, clock, start_event, length (null where another table says it), unit, roll."""

    total: int
    clocks: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def get_deadline_table(
    bank: Bank,
    start_event: Literal[
        "any", "business_date", "received_date", "banking_day", "owner_activity", "report_day", "address_change"
    ] = "any",
) -> DeadlineTable:
    """Look up the bank's clocks with their codes. It says neither which of them runs on a case nor when it ends.

    Args:
        start_event: Only clocks that start with this event.
    """
    rows = [
        {"name": name, "clock": c.code, "start_event": c.event, "length": c.length, "unit": c.unit, "roll": c.roll}
        for name, c in policy_of(bank).clocks.items()
        if start_event in ("any", c.event)
    ]
    return DeadlineTable(total=len(rows), clocks=rows)
