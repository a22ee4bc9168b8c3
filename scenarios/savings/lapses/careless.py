"""Base class of the lapses of savings."""

from __future__ import annotations

from teller_gym.procedure import careless
from teller_gym.scenarios.savings.expert import Officer


class Careless(careless.Careless, Officer):
    """Stops working the case when a tool refuses a call."""
