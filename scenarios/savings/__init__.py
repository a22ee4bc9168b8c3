"""Savings: withdrawals and maturities of time deposits, bonus interest, custodial accounts and insurance coverage.

Read ``sop.yaml`` (the procedure), ``graph.yaml`` (the API graph), ``policy.yaml`` (every number), ``template.yaml``
(the data) and ``instances.jsonl`` (the frozen tasks).
"""

from __future__ import annotations

from teller_gym.procedure.scenario import Scenario


def load() -> Scenario:
    """Load the scenario and check its documents against each other."""
    from teller_gym.scenarios.banking.loading import bank_scenario
    from teller_gym.scenarios.banking.tools.identity import screen_watch_list, verify_identity
    from teller_gym.scenarios.savings.policy import SavingsPolicy
    from teller_gym.scenarios.savings.tools import bonus, coverage, decision, deposits, interest, maturity

    return bank_scenario(
        __name__,
        SavingsPolicy,
        verify_identity,
        screen_watch_list,
        deposits,
        interest,
        maturity,
        bonus,
        coverage,
        decision,
    )
