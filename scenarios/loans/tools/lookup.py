"""Look-ups of a loan application and the records that tools created for it."""

from __future__ import annotations

from teller_gym.scenarios.banking.lookup import Origin, record
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.bank import Bank, Record

REPORT = Origin("reports", "CR", "pull_credit_report")
EMPLOYMENT_CHECK = Origin("employment_checks", "EM", "verify_employment")
QUOTE = Origin("quotes", "QU", "price_loan")
DECISION = Origin("decisions", "DE", "record_credit_decision")


def policy_of(bank: Bank) -> LoanPolicy:
    """Return the lending policy, typed."""
    policy: LoanPolicy = bank.policy
    return policy


def application(bank: Bank, application_id: str) -> Record:
    """Return the record of an application, or raise the tool error for an unknown id."""
    return record(bank, "applications", application_id, "application_id")
