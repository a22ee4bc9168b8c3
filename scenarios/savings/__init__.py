"""Savings: withdrawals and maturities of time deposits, bonus interest, custodial accounts and insurance coverage.

Read ``sop.yaml`` (the procedure), ``graph.yaml`` (the API graph), ``policy.yaml`` (every number), ``template.yaml``
(the data) and ``instances.jsonl`` (the frozen tasks).
"""

from __future__ import annotations

from teller_gym.procedure.authoring import Scenario, tools_of


def load() -> Scenario:
    """Return the scenario, checked."""
    from teller_gym.scenarios.savings import expert, realism, solver
    from teller_gym.scenarios.savings.generator import build
    from teller_gym.scenarios.savings.policy import SavingsPolicy
    from teller_gym.scenarios.savings.tools import bonus, coverage, decision, deposits, identity, interest, maturity
    from teller_gym.scenarios.savings.tools.auxiliary import AUXILIARY

    modules = (identity, deposits, interest, maturity, bonus, coverage, decision)
    core = (tool for module in modules for tool in tools_of(module))
    return Scenario(
        "savings",
        __name__,
        policy_type=SavingsPolicy,
        tools=(*core, *AUXILIARY),
        read="get_application_data",
        submit="submit_final_review",
        expert=expert.work,
        solver=solver.solve,
        draft=build.draft,
        realism=realism.complaints,
    )
