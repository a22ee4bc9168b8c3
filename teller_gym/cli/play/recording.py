"""What was played by hand, written down as a run of one episode, which reports and viewers read like any other."""

from __future__ import annotations

import os
from typing import Self

import teller_gym
from teller_gym.errors import OptionError
from teller_gym.evaluation.episodes import FORMAT
from teller_gym.evaluation.rundir import RunFolder
from teller_gym.tasks import CANARY

from .case import Case

HUMAN = "human"
"""Kind of agent, and its name unless another is given."""


class Recording:
    """The folder of a run that one case is to be written to.

    path: of the folder, made if it does not exist. case: just begun. player: who plays.

    Raises:
        OptionError: the folder holds another run, or this case already.
    """

    def __init__(self, path: str | os.PathLike[str], case: Case, player: str) -> None:
        config = {
            "format": FORMAT,
            "canary": CANARY,
            "teller_gym": teller_gym.__version__,
            "agent": {"name": player, "kind": HUMAN},
            "parts": [case.part.config()],
            "trials": 1,
            "seed": case.seed,
        }
        self._folder = RunFolder(path, config)
        if self._folder.episodes:
            self._folder.__exit__()
            raise OptionError(f"record: {path} holds this case already; use another folder")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.__exit__()

    def write(self, case: Case) -> str:
        """Write the episode if it has ended; return what to tell of it."""
        path = self._folder.path
        if not case.over or case.failure is not None:
            return f"{path}: no episode was written, since the case was not worked to its end"
        self._folder.append(*case.record())
        return f"the episode is in {path}; see it with: teller-gym view {path}"
