"""Credit cards: new cards, limit increases, disputes, lost cards and reviews of charges, from request to final review.

Read ``sop.yaml`` (the procedure), ``graph.yaml`` (the API graph), ``policy.yaml`` (every number), ``template.yaml``
(the data) and ``instances.jsonl`` (the frozen tasks).
"""

from __future__ import annotations

from teller_gym.procedure.authoring import Scenario, tools_of


def load() -> Scenario:
    """Return the scenario, checked."""
    from teller_gym.scenarios.credit_cards import expert, realism, solver
    from teller_gym.scenarios.credit_cards.generator import build
    from teller_gym.scenarios.credit_cards.policy import CardPolicy
    from teller_gym.scenarios.credit_cards.tools import (
        ability,
        activity,
        blocking,
        charges,
        decision,
        disputes,
        identity,
    )
    from teller_gym.scenarios.credit_cards.tools.auxiliary import AUXILIARY

    core = (
        tool
        for module in (blocking, identity, activity, ability, disputes, charges, decision)
        for tool in tools_of(module)
    )
    return Scenario(
        "credit_cards",
        __name__,
        policy_type=CardPolicy,
        tools=(*core, *AUXILIARY),
        read="get_application_data",
        submit="submit_final_review",
        expert=expert.work,
        solver=solver.solve,
        draft=build.draft,
        realism=realism.complaints,
    )
