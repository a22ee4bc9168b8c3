"""Finds the checkpoint from which all training processes resume."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from teller_gym.base.errors import OptionError
from teller_gym.training.processes.group import here
from teller_gym.training.run_folder.checksums import damage
from teller_gym.training.run_folder.progress import tell

_CHECKPOINT = re.compile(r"checkpoint-(\d+)")


def last_checkpoint(folder: Path, phase: str) -> Path | None:
    """Return a trainer's newest complete checkpoint, or None.

    Newer incomplete ones are reported and deleted.
    """
    steps = {int(match[1]): path for path in folder.glob("*") if (match := _CHECKPOINT.fullmatch(path.name))}
    dropped, whole = [], None
    for _, checkpoint in sorted(steps.items(), reverse=True):
        why = damage(checkpoint)
        if why is None:
            whole = checkpoint
            break
        dropped.append(f"{checkpoint.name} is dropped ({why})")
        shutil.rmtree(checkpoint)
    if dropped:
        where = f"goes on from {whole.name}" if whole else "begins anew"
        tell(f"{phase}: {', '.join(dropped)}; {where}")
    return whole


def resume_point(folder: Path, phase: str) -> Path | None:
    """Return the checkpoint from which all processes resume, or None.

    Raises:
        OptionError: the checkpoint was made with another number of processes.
    """
    processes = here()

    def find() -> Path | None:
        checkpoint = last_checkpoint(folder, phase)
        makers = len(list(checkpoint.glob("rng_state_*.pth"))) or 1 if checkpoint else processes.count
        if makers != processes.count:
            # Batches would be skipped or repeated, and shards would not fit.
            raise OptionError(
                f"hardware: {checkpoint} was made with {makers} training processes, and there are {processes.count}; "
                f"continue with as many, or remove {folder} to begin {phase} again"
            )
        return checkpoint

    return processes.led(find)
