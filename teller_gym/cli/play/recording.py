"""Recording of a case played by hand as a run with one episode, which reports and the viewer can read."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Self

import teller_gym
from teller_gym.base.errors import OptionError
from teller_gym.evaluation.records.episode import FORMAT
from teller_gym.evaluation.records.run_folder import LOCK_FILE, RUN_FILE, RunFolder
from teller_gym.evaluation.runs.players import check_name
from teller_gym.tasks.store import CANARY

from .case import Case

HUMAN = "human"
"""Agent kind of a person, and the default name."""


class Recording:
    """Run folder into which one case is written."""

    def __init__(self, path: str | os.PathLike[str], case: Case, player: str) -> None:
        check_name(player)
        config = {
            "format": FORMAT,
            "canary": CANARY,
            "teller_gym": teller_gym.__version__,
            "agent": {"name": player, "kind": HUMAN},
            "parts": [case.part.config()],
            "trials": 1,
            "seed": case.seed,
        }
        self._new = _missing(Path(path))
        self._had_run = (Path(path) / RUN_FILE).exists()
        self._folder = RunFolder(path, config)
        if self._folder.episodes:
            self._folder.__exit__()
            raise OptionError(f"record: {path} holds this case already; use another folder")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Release the folder, and remove it if it is new and no episode was written."""
        if not self._folder.episodes and not self._had_run:
            for name in (RUN_FILE, LOCK_FILE):
                (self._folder.path / name).unlink(missing_ok=True)
        self._folder.__exit__()
        with contextlib.suppress(OSError):  # not empty, or already removed
            for folder in self._new:
                folder.rmdir()

    def write(self, case: Case) -> str:
        """Write the episode if it has ended, and return a message for the user."""
        path = self._folder.path
        if not case.over or case.failure is not None:
            return f"nothing was written to {path}, since the case was not worked to its end"
        self._folder.append(*case.record())
        return f"the episode is in {path}; see it with: teller-gym view {path}"


def _missing(folder: Path) -> list[Path]:
    """Return the folder and its parents that do not exist, innermost first."""
    return [one for one in (folder, *folder.parents) if not one.exists()]
