"""The officer that the lapses of loans derive from."""

from __future__ import annotations

from teller_gym.procedure import careless
from teller_gym.scenarios.loans.expert import Officer


class Careless(careless.Careless, Officer):
    """Stops working the case when a tool refuses a call."""


class Late(careless.Late, Careless):
    """Leaves a step out until a tool refuses to go on without it."""
