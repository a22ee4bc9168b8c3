"""Loans: home, auto and personal loan applications from intake to the final review.

Read ``sop.yaml`` (the procedure), ``graph.yaml`` (the API graph), ``policy.yaml`` (every number), ``template.yaml``
(the data) and ``instances.jsonl`` (the frozen tasks).
"""

from __future__ import annotations

from teller_gym.procedure.scenario import Scenario


def load() -> Scenario:
    """Return the checked scenario, for the registry."""
    from teller_gym.scenarios.banking.loading import bank_scenario
    from teller_gym.scenarios.loans.policy import LoanPolicy
    from teller_gym.scenarios.loans.tools import collateral, credit, decision, identity, income, intake, pricing

    return bank_scenario(__name__, LoanPolicy, intake, identity, credit, income, collateral, pricing, decision)
