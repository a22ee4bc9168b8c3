"""Accounts: opening, deposit holds, transfer claims, stop orders, dormancy and closing of deposit accounts.

Read ``sop.yaml`` (the procedure), ``graph.yaml`` (the API graph), ``policy.yaml`` (every number), ``template.yaml``
(the data) and ``instances.jsonl`` (the frozen tasks).
"""

from __future__ import annotations

from teller_gym.procedure.authoring import Scenario, tools_of


def load() -> Scenario:
    """Return the scenario, checked."""
    from teller_gym.scenarios.accounts import expert, realism, solver
    from teller_gym.scenarios.accounts.generator import build
    from teller_gym.scenarios.accounts.policy import AccountPolicy
    from teller_gym.scenarios.accounts.tools import (
        account_records,
        availability,
        claims,
        deadlines,
        decision,
        identity,
        screening,
    )
    from teller_gym.scenarios.accounts.tools.auxiliary import AUXILIARY

    modules = (account_records, identity, screening, availability, claims, deadlines, decision)
    core = (tool for module in modules for tool in tools_of(module))
    return Scenario(
        "accounts",
        __name__,
        policy_type=AccountPolicy,
        tools=(*core, *AUXILIARY),
        read="get_application_data",
        submit="submit_final_review",
        expert=expert.work,
        solver=solver.solve,
        draft=build.draft,
        realism=realism.complaints,
    )
