"""Names of runs where several are shown side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from teller_gym.tables.model import one_line


def run_names(runs: Sequence[tuple[Path, Mapping[str, Any]]]) -> list[str]:
    """Return a name for each run, unlike any other's: that of its agent.

    Where several runs have an agent of one name, the folder's is added, then its parent's, then a number.

    Args:
        runs: folder and configuration (as in run.json) of each.
    """
    agents = [one_line(str(config["agent"]["name"])) for _, config in runs]
    folders = [folder.resolve() for folder, _ in runs]
    names = agents
    for parts in (1, 2):
        paths = [one_line("/".join(folder.parts[-parts:])) for folder in folders]
        names = [
            name if names.count(name) == 1 else f"{agent} ({path})"
            for name, agent, path in zip(names, agents, paths, strict=True)
        ]
    return [name if names.count(name) == 1 else f"{name} [{place}]" for place, name in enumerate(names, 1)]
