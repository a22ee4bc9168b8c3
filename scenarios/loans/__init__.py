"""Loans: home, auto and personal loan applications from intake to the final review.

Read ``sop.yaml`` (the procedure), ``graph.yaml`` (the API graph), ``policy.yaml`` (every number), ``template.yaml``
(the data) and ``instances.jsonl`` (the frozen tasks).
"""

from __future__ import annotations

from teller_gym.procedure.authoring import Scenario, tools_of


def load() -> Scenario:
    """Return the scenario, checked."""
    from teller_gym.scenarios.loans import expert, realism, solver
    from teller_gym.scenarios.loans.generator import build
    from teller_gym.scenarios.loans.policy import LoanPolicy
    from teller_gym.scenarios.loans.tools import collateral, credit, decision, identity, income, intake, pricing
    from teller_gym.scenarios.loans.tools.auxiliary import AUXILIARY

    core = (
        tool
        for module in (intake, identity, credit, income, collateral, pricing, decision)
        for tool in tools_of(module)
    )
    return Scenario(
        "loans",
        __name__,
        policy_type=LoanPolicy,
        tools=(*core, *AUXILIARY),
        read="get_application_data",
        submit="submit_final_review",
        expert=expert.work,
        solver=solver.solve,
        draft=build.draft,
        realism=realism.complaints,
    )
