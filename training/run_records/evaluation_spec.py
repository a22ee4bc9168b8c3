"""The tasks and trials of an evaluation in a training run, compared so that another evaluation is not taken for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class EvaluationSpec:
    """Tasks and trials of an evaluation.

    Attributes:
        split: the tasks' split.
        tasks: how many of it.
        trials: times that each is played.
        temperature: at which a model is sampled; 0 for agents that are none.
    """

    split: str
    tasks: int
    trials: int
    temperature: float

    @classmethod
    def read(cls, found: dict[str, Any]) -> EvaluationSpec:
        """Read it from an evaluation's configuration."""
        parts = found["parts"]
        temperature = found["agent"].get("options", {}).get("temperature", 0.0)
        tasks = sum(len(part["task_ids"]) for part in parts)
        return cls(parts[0]["options"]["split"], tasks, found["trials"], temperature)

    def __str__(self) -> str:
        """In the words of a message."""
        times = f", each {self.trials} times" if self.trials > 1 else ""
        return f"{self.tasks} tasks of split {self.split}{times}" + (
            f", at temperature {self.temperature:g}" if self.temperature else ""
        )
