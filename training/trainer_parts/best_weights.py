"""Stores the best validated weights of a phase, and makes them its checkpoint at the end."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from teller_gym.evaluation.records.run_folder import write_json
from teller_gym.training.run_folder.checksums import damage, seal, set_aside
from teller_gym.training.run_folder.progress import tell

BEST = "best"
"""Folder for the best weights within the phase's folder."""
_FILE = "validation.json"


@dataclass(frozen=True)
class Mark:
    """Validation result: number of updates so far, mean score, and share of calls that did not fail."""

    step: int
    score: float
    valid_calls: float


class Best:
    """Folder with a phase's best weights."""

    def __init__(self, phase: str, folder: Path) -> None:
        self.phase = phase
        self.folder = folder
        self._part = folder.with_name(folder.name + ".part")

    def begin(self, step: int) -> Mark | None:
        """Return the best validation result so far, or None, when a trainer starts at a step.

        The result may belong to a later step, which the trainer will reach again.
        """
        if not self.folder.exists() and damage(self._part) is None:
            self._part.rename(self.folder)  # killed between removing the old one and naming the new one
        if not self.folder.exists():
            return None
        if step == 0:
            set_aside(self.folder, ".earlier")
            return None
        why = damage(self.folder)
        if why is None:
            return self._mark()
        aside = set_aside(self.folder)
        tell(f"{self.phase}: {self.folder} is not whole ({why}); kept as {aside.name}, the best of later steps counts")
        return None

    def keep(self, model: Any, tokenizer: Any, mark: Mark) -> None:
        """Replace the stored weights with a model's; the model is not changed."""
        shutil.rmtree(self._part, ignore_errors=True)
        if hasattr(model, "peft_config"):
            from teller_gym.training.models.lora_merge import merged_weights

            whole = {name: weight.cpu() for name, weight in merged_weights(model)}
            model.get_base_model().save_pretrained(self._part, state_dict=whole)
        else:
            model.save_pretrained(self._part)
        tokenizer.save_pretrained(self._part)
        write_json(self._part / _FILE, asdict(mark))
        seal(self._part)
        shutil.rmtree(self.folder, ignore_errors=True)
        self._part.rename(self.folder)

    def hand_on(self, checkpoint: Path) -> bool:
        """Copy the best weights to the phase's checkpoint.

        Returns:
            False if there are no usable weights, or none that scored above 0.
        """
        if not self.folder.exists():
            return False
        if why := damage(self.folder):
            tell(f"{self.phase}: {self.folder} is not whole ({why}); the last weights are handed on")
            return False
        mark = self._mark()
        if mark.score == 0:
            # The earliest of many zero scores belongs to the least trained weights.
            tell(f"{self.phase}: no validation scored above 0; the last weights are handed on")
            return False
        part = checkpoint.with_name(checkpoint.name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(self.folder, part)
        seal(part)
        shutil.rmtree(checkpoint, ignore_errors=True)
        part.rename(checkpoint)
        tell(f"{self.phase}: the weights of step {mark.step} are handed on, with {mark.score:.3f} in validation")
        return True

    def _mark(self) -> Mark:
        return Mark(**json.loads((self.folder / _FILE).read_text("utf-8")))
