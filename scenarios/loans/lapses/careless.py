"""Base classes of the loans lapses."""

from __future__ import annotations

from teller_gym.procedure import careless
from teller_gym.scenarios.loans.expert import Officer


class Careless(careless.Careless, Officer):
    """Stops the case when a tool refuses a call."""


class Late(careless.Late, Careless):
    """Skips a step until a tool refuses to continue without it."""
