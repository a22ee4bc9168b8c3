"""Lapses of the small scenario: its expert by a policy or with a claim that is misread."""

from typing import Any

import msgspec

import tests.tiny as tiny
from teller_gym.procedure.authoring import Steps
from teller_gym.procedure.lapses import CLEAN_PATH, CLEAN_PATH_CONSTANT, Lapse

replaced = msgspec.structs.replace


def by_one_rate(request: str, policy: Any) -> Steps:
    """Apply the rate of personal accounts to all."""
    return tiny.work(request, replaced(policy, rates=dict.fromkeys(policy.rates, policy.rates["personal"])))


def by_no_limit(request: str, policy: Any) -> Steps:
    """Escalate nothing."""
    return tiny.work(request, replaced(policy, escalate_above=10**9))


def without_goodwill(request: str, policy: Any) -> Steps:
    """Have patience for ever."""
    return tiny.work(request, replaced(policy, patience_days=10**6))


def at_a_fixed_rate(request: str, policy: Any) -> Steps:
    """Pay all claims, at one rate."""
    return tiny.work(request, replaced(policy, rates=dict.fromkeys(policy.rates, 1), escalate_above=10**9))


LAPSES = {
    name: Lapse(name, clauses, (expert.__doc__ or "").strip(), expert)
    for name, clauses, expert in (
        ("one_rate", ("1.1", "calculate_loss.rate"), by_one_rate),
        ("no_limit", ("1.2",), by_no_limit),
        ("no_goodwill", ("1.2",), without_goodwill),
    )
}
CLEAN_PATHS = {CLEAN_PATH: at_a_fixed_rate, CLEAN_PATH_CONSTANT: at_a_fixed_rate}
