"""Investments: one instruction on a brokerage account, from the request to the final review.

Read ``sop.yaml`` (the procedure), ``graph.yaml`` (the API graph), ``policy.yaml`` (every number), ``template.yaml``
(the data) and ``instances.jsonl`` (the frozen tasks).
"""

from __future__ import annotations

from teller_gym.procedure.authoring import Scenario, tools_of


def load() -> Scenario:
    """Return the scenario, checked."""
    from teller_gym.scenarios.investments import expert, realism, solver
    from teller_gym.scenarios.investments.generator import build
    from teller_gym.scenarios.investments.policy import InvestmentPolicy
    from teller_gym.scenarios.investments.tools import authority, cash_out, decision, purchase, sale
    from teller_gym.scenarios.investments.tools.auxiliary import AUXILIARY

    core = (tool for module in (authority, purchase, sale, cash_out, decision) for tool in tools_of(module))
    return Scenario(
        "investments",
        __name__,
        policy_type=InvestmentPolicy,
        tools=(*core, *AUXILIARY),
        read="get_application_data",
        submit="submit_final_review",
        expert=expert.work,
        solver=solver.solve,
        draft=build.draft,
        realism=realism.complaints,
    )
