"""Unique names for runs shown together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from teller_gym.tables.model import one_line


def run_names(runs: Sequence[tuple[Path, Mapping[str, Any]]]) -> list[str]:
    """Return a unique name for each run, given its folder and its configuration (run.json).

    It is the agent's name; if several runs have the same, the folder is added, then its parent, then a number.
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
