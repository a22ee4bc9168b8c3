"""Accounts: opening, deposit holds, transfer claims, stop orders, dormancy and closing of deposit accounts.

Read ``sop.yaml`` (the procedure), ``graph.yaml`` (the API graph), ``policy.yaml`` (every number), ``template.yaml``
(the data) and ``instances.jsonl`` (the frozen tasks).
"""

from __future__ import annotations

from teller_gym.procedure.scenario import Scenario


def load() -> Scenario:
    """Load the scenario and check its documents against each other."""
    from teller_gym.scenarios.accounts.policy import AccountPolicy
    from teller_gym.scenarios.accounts.tools import (
        account_records,
        availability,
        claims,
        deadlines,
        decision,
        screening,
    )
    from teller_gym.scenarios.banking.loading import bank_scenario
    from teller_gym.scenarios.banking.tools.identity import verify_identity

    return bank_scenario(
        __name__, AccountPolicy, account_records, verify_identity, screening, availability, claims, deadlines, decision
    )
