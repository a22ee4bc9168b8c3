"""Base class of the lapses of credit cards."""

from __future__ import annotations

from teller_gym.procedure import careless
from teller_gym.scenarios.credit_cards.expert import Officer


class Careless(careless.Careless, Officer):
    """Stops working the case when a tool refuses a call."""
