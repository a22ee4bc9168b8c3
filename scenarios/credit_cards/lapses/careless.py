"""What the lapses of the card expert have in common: an officer who is refused things."""

from __future__ import annotations

from teller_gym.procedure import careless
from teller_gym.procedure.careless import RefusedError
from teller_gym.scenarios.credit_cards.expert import Officer

__all__ = ["Careless", "RefusedError"]


class Careless(careless.Careless, Officer):
    """Stops working the case when a tool refuses a call."""
