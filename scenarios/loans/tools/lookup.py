"""Finding a loan application's records."""

from __future__ import annotations

from teller_gym.scenarios.banking.lookup import Origin, record
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.bank import Bank, Record

REPORT = Origin("reports", "CR", "pull_credit_report")
EMPLOYMENT_CHECK = Origin("employment_checks", "EM", "verify_employment")
QUOTE = Origin("quotes", "QU", "price_loan")
DECISION = Origin("decisions", "DE", "record_credit_decision")


def policy_of(bank: Bank) -> LoanPolicy:
    """Return the bank's lending policy."""
    policy: LoanPolicy = bank.policy
    return policy


def application(bank: Bank, application_id: str) -> Record:
    """Return an application's record."""
    return record(bank, "applications", application_id, "application_id")
