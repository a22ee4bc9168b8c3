"""What a process needs to know of its parent: where modules are, and which scenarios were registered."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from teller_gym.procedure.scenario import register_scenario
from teller_gym.registration import OWN, SCENARIOS

_LAUNCHED = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "GROUP_RANK", "ROLE_RANK")
"""Beginnings of the variables that make a process take part in its parent's group."""


@dataclass(frozen=True)
class Surroundings:
    """What a fresh process takes over.

    Attributes:
        modules: of the scenarios that are not the package's own, by name.
        path: of Python's modules.
    """

    modules: Mapping[str, str]
    path: Sequence[str]

    @classmethod
    def here(cls) -> Surroundings:
        """Return those of this process."""
        own = {entry.name for entry in OWN}
        return cls({name: entry.module for name, entry in SCENARIOS.items() if name not in own}, list(sys.path))

    def enter(self) -> None:
        """Take them over; the process is part of no group of training processes."""
        for name in [
            one for one in os.environ if one.startswith((*_LAUNCHED, "LOCAL_", "TORCHELASTIC_", "ACCELERATE_"))
        ]:
            del os.environ[name]
        sys.path[:] = self.path
        for name, module in self.modules.items():
            register_scenario(name, module)
