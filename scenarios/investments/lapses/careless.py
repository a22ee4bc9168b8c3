"""Base class of the investments lapses."""

from __future__ import annotations

from teller_gym.procedure import careless
from teller_gym.scenarios.investments.expert import Officer


class Careless(careless.Careless, Officer):
    """Stops the case when a tool refuses a call."""
