"""Options that vary episodes, to distinguish agents that read from agents that have memorised."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.base.text import shown
from teller_gym.procedure.task import Task

SCHEMAS = 100
"""Number of shifted schemas in a stream, one of which is drawn for each task."""

HELDOUT_SCHEMAS = 10
"""Number of shifted schemas in the split ``heldout_schema``."""

_HELDOUT = "heldout/"


class Variation(msgspec.Struct, frozen=True, kw_only=True):
    """Randomisations of an env, where 0 or False is off and n ≥ 1 selects the n-th random stream (True is the first).

    The draws for a task depend only on the stream and the task, so that all rollouts of a group share them.
    """

    policy_shift: int = 0
    """Redraws thresholds, rates and limits; SOP, tools and graders use the new values."""
    schema_shift: int = 0
    """Renames, reorders and rewords tools and parameters, and splits some of them."""
    perturb: int = 0
    """Writes results in equivalent formats, with noise in texts that no rule reads."""
    faults: int = 0
    """Makes tools occasionally fail with temporary errors; the SOP explains how to handle them."""

    @classmethod
    def read(cls, **streams: Any) -> Variation:
        """Check constructor options.

        Raises:
            OptionError: a value is neither a boolean nor a whole number of 0 or more.
        """
        for name, value in streams.items():
            if not isinstance(value, int) or value < 0:
                raise OptionError(
                    f"{name}: expected False, True, or a stream's number of 1 or more, got {shown(value)}"
                )
        return cls(**{name: int(value) for name, value in streams.items()})

    def schema_of(self, task: Task) -> str:
        """Return the key of a task's schema, or an empty string for the scenario's own schema."""
        if task.schema or not self.schema_shift:
            return task.schema
        number = int(random.Random(f"schema/{self.schema_shift}/{task.id}").random() * SCHEMAS)
        return f"{self.schema_shift}/{number}"


def heldout_schema(number: int) -> str:
    """Return the key of a shifted schema that never occurs in training."""
    return f"{_HELDOUT}{number % HELDOUT_SCHEMAS}"


def is_heldout(schema: str) -> bool:
    """Return True if the key is one of a shifted schema that never occurs in training."""
    return schema.startswith(_HELDOUT)
