"""The tasks and trials of an evaluation in a training run, compared so that another evaluation is not taken for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class EvaluationSpec:
    """Tasks and trials of an evaluation.

    Attributes:
        split: the tasks' split.
        tasks: number of tasks.
        trials: number of times that each is played.
        temperature: sampling temperature of a model; 0 for other agents.
    """

    split: str
    tasks: int
    trials: int
    temperature: float

    @classmethod
    def read(cls, found: dict[str, Any]) -> EvaluationSpec:
        """Return the specification in an evaluation's configuration."""
        parts = found["parts"]
        temperature = found["agent"].get("options", {}).get("temperature", 0.0)
        tasks = sum(len(part["task_ids"]) for part in parts)
        return cls(parts[0]["options"]["split"], tasks, found["trials"], temperature)

    def __str__(self) -> str:
        """Return the specification in words, for messages."""
        times = f", each {self.trials} times" if self.trials > 1 else ""
        return f"{self.tasks} tasks of split {self.split}{times}" + (
            f", at temperature {self.temperature:g}" if self.temperature else ""
        )
