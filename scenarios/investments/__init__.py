"""Investments: one instruction on a brokerage account, from the request to the final review.

Read ``sop.yaml`` (the procedure), ``graph.yaml`` (the API graph), ``policy.yaml`` (every number), ``template.yaml``
(the data) and ``instances.jsonl`` (the frozen tasks).
"""

from __future__ import annotations

from teller_gym.procedure.scenario import Scenario


def load() -> Scenario:
    """Return the checked scenario, for the registry."""
    from teller_gym.scenarios.banking.loading import bank_scenario
    from teller_gym.scenarios.investments.policy import InvestmentPolicy
    from teller_gym.scenarios.investments.tools import authority, cash_out, decision, purchase, sale

    return bank_scenario(__name__, InvestmentPolicy, authority, purchase, sale, cash_out, decision)
