"""Where processes resume together."""

from __future__ import annotations

from pathlib import Path

from teller_gym.base.errors import OptionError
from teller_gym.training.callbacks import last_checkpoint
from teller_gym.training.processes import here


def resume_point(folder: Path, phase: str) -> Path | None:
    """Return the trainer's checkpoint that all processes go on from, or None.

    Raises:
        OptionError: another number of processes has made it.
    """
    processes = here()

    def find() -> Path | None:
        checkpoint = last_checkpoint(folder, phase)
        makers = len(list(checkpoint.glob("rng_state_*.pth"))) or 1 if checkpoint else processes.count
        if makers != processes.count:
            # Batches would be skipped or taken twice, and shards do not fit.
            raise OptionError(
                f"hardware: {checkpoint} was made with {makers} training processes, and there are {processes.count}; "
                f"continue with as many, or remove {folder} to begin {phase} again"
            )
        return checkpoint

    return processes.led(find)
