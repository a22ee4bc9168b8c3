"""The officer that the lapses of credit cards derive from."""

from __future__ import annotations

from teller_gym.procedure import careless
from teller_gym.scenarios.credit_cards.expert import Officer


class Careless(careless.Careless, Officer):
    """Stops working the case when a tool refuses a call."""
