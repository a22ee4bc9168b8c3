"""State that a fresh process inherits from its parent: module paths and registered scenarios."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from teller_gym.procedure.scenario import register_scenario
from teller_gym.registration import OWN, SCENARIOS

_LAUNCHED = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "GROUP_RANK", "ROLE_RANK")
"""Environment variables that would make a process join its parent's group."""


@dataclass(frozen=True)
class Surroundings:
    """State that a fresh process takes over.

    Attributes:
        modules: modules of registered scenarios outside the package, by name.
        path: Python's module search path.
    """

    modules: Mapping[str, str]
    path: Sequence[str]

    @classmethod
    def here(cls) -> Surroundings:
        """Return the state of this process."""
        own = {entry.name for entry in OWN}
        return cls({name: entry.module for name, entry in SCENARIOS.items() if name not in own}, list(sys.path))

    def enter(self) -> None:
        """Apply the state; the process belongs to no group of training processes."""
        for name in [
            one for one in os.environ if one.startswith((*_LAUNCHED, "LOCAL_", "TORCHELASTIC_", "ACCELERATE_"))
        ]:
            del os.environ[name]
        sys.path[:] = self.path
        for name, module in self.modules.items():
            register_scenario(name, module)
