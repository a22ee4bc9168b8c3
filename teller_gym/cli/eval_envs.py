"""Lookup of the environments for `teller-gym eval`, and validation of their options."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import gymnasium as gym

from teller_gym.base.errors import OptionError, SettingsError
from teller_gym.base.text import did_you_mean
from teller_gym.configuration.envs import env_id_of, env_ids, options_of, stage_of
from teller_gym.registration import ENVS

ALL = "all"


def ids_of(names: Sequence[str], stages: Sequence[int] | None) -> list[str]:
    """Return the ids of environments, given by short names or ids, without duplicates.

    Args:
        stages: stages to play in each environment; None keeps the stage of each name, and `all` then means stage 2.
    """
    found = []
    for name in names:
        every = name == ALL and ALL not in env_ids()
        for env_id in _scenario_envs() if every else [env_id_of(name)]:
            for stage in stages or (None,):
                found.append(env_id if stage is None else _at_stage(env_id, stage))
    return list(dict.fromkeys(found))


def _scenario_envs() -> list[str]:
    own = {card.id for card in ENVS if card.kwargs.get("scenario")}
    return [env_id for env_id in env_ids().values() if env_id in own and "Graph-v" not in env_id]


def _at_stage(env_id: str, stage: int) -> str:
    base = env_id.replace("Graph-v", "-v")
    wanted = base if stage == 2 else re.sub(r"-v(\d+)$", r"Graph-v\1", base)
    if wanted not in gym.registry:
        raise OptionError(f"stage={stage}: there is no environment {wanted} beside {env_id}")
    return wanted


def check_options(options: Mapping[str, Mapping[str, Any]], said: Collection[str], env_ids: Sequence[str]) -> None:
    """Check that the environments accept the options and that each option's stage is played.

    Args:
        options: options by group, `env` for stage 2 and `graph` for stage 1.
        said: option groups that the command line sets.
    """
    groups = {env_id: "graph" if stage_of(env_id) == 1 else "env" for env_id in env_ids}
    problems = [
        f"{group}.<option>: no environment of stage {stage} is in this run: {', '.join(env_ids)}"
        for group, stage in (("env", 2), ("graph", 1))
        if group in said and options[group] and group not in groups.values()
    ]
    for env_id, group in groups.items():
        allowed = options_of(env_id)
        problems += [
            f"{group}.{name}: expected one of {', '.join(allowed)}{did_you_mean(name, allowed)}"
            for name in options[group]
            if name not in allowed and name != "split"  # `evaluate` rejects the split with its own message
        ]
    if problems:
        raise SettingsError(list(dict.fromkeys(problems)))
