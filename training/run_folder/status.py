"""Describes which phases of a run are saved, for messages printed when it stops early."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from teller_gym.training.run_folder.checksums import SUMS_FILE


def kept(folder: Path, proofs: Mapping[str, Path]) -> str:
    """Describe in a clause which phases are finished, by the file or folder that each writes last, and how far others
    are saved."""
    done = [name for name, proof in proofs.items() if proof.exists()]
    begun = []
    for phase in proofs:
        if phase in done:
            continue
        if rounds := _numbers(folder.glob(f"{phase}/trainer/round-*/checkpoint/{SUMS_FILE}"), 1):
            begun.append(f"{phase} up to round {max(rounds)}")
        if steps := _numbers(folder.glob(f"{phase}/trainer/checkpoint-*/{SUMS_FILE}"), 0):
            begun.append(f"{phase} is saved up to step {max(steps)}")
    finished = f"finished and safe: {', '.join(done)}" if done else "nothing is finished yet"
    return ", ".join([finished, *begun])


def _numbers(paths: Iterable[Path], above: int) -> list[int]:
    """Return the numbers after the hyphen in the names of the given ancestor folders."""
    return [int(path.parents[above].name.rpartition("-")[2]) for path in paths]
