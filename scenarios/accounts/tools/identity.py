"""Identity: the bank's own tool."""

from __future__ import annotations

from teller_gym.scenarios.banking.tools import identity

verify_identity = identity.verify_identity
