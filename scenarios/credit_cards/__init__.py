"""Credit cards: new cards, limit increases, disputes, lost cards and reviews of charges, from request to final review.

Read ``sop.yaml`` (the procedure), ``graph.yaml`` (the API graph), ``policy.yaml`` (every number), ``template.yaml``
(the data) and ``instances.jsonl`` (the frozen tasks).
"""

from __future__ import annotations

from teller_gym.procedure.scenario import Scenario


def load() -> Scenario:
    """Load the scenario and check its documents against each other."""
    from teller_gym.scenarios.banking.loading import bank_scenario
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

    return bank_scenario(__name__, CardPolicy, blocking, identity, activity, ability, disputes, charges, decision)
