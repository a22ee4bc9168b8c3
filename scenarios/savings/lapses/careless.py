"""What the lapses of the savings expert have in common: an officer who is refused things."""

from __future__ import annotations

from teller_gym.procedure import careless
from teller_gym.scenarios.savings.expert import Officer


class Careless(careless.Careless, Officer):
    """Stops working the case when a tool refuses a call."""
