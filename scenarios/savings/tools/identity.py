"""Identity and watch lists: the bank's own tools."""

from __future__ import annotations

from teller_gym.scenarios.banking.tools import identity

verify_identity = identity.verify_identity
screen_watch_list = identity.screen_watch_list
