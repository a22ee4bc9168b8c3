"""The policy of Credit cards refuses bands that are out of order."""

import pytest

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.scenarios.credit_cards.policy import CardPolicy

CARDS = load_scenario("credit_cards")
POLICY: CardPolicy = CARDS.policy


def test_bands_out_of_order_are_refused() -> None:
    import msgspec

    with pytest.raises(ScenarioError, match="highest score first"):
        msgspec.structs.replace(POLICY, bands=POLICY.bands[::-1])
    with pytest.raises(ScenarioError, match="lowest minimum"):
        msgspec.structs.replace(POLICY, min_credit_score=600)
