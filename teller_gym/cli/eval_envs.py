"""The environments that `teller-gym eval` plays, and the options that they take."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
from gymnasium.envs.registration import load_env_creator

from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.registration import ENVS

from .common import env_id_of, env_ids
from .eval_config import EvalConfig

ALL = "all"


def ids_of(names: Sequence[str], stages: Sequence[int] | None) -> list[str]:
    """Return the ids of environments given by short names or ids, each once.

    stages: of each scenario named; None takes the environments as they are named, `all` as those of stage 2.

    Raises:
        OptionError: there is no such environment.
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


_OURS = ("scenario", "split", "render_mode")
"""Options of environments that evaluation gives them."""


def check_options(config: EvalConfig, env_ids: Sequence[str]) -> None:
    """Complain about options that the constructors of the environments do not take, or of a stage that is not played.

    Raises:
        OptionError: naming those that they take.
    """
    played = {"graph" if _stage_of(env_id) == 1 else "env" for env_id in env_ids}
    for group, stage in (("env", 2), ("graph", 1)):
        if group in config.said and group not in played:
            raise OptionError(f"{group}.<option>: no environment of stage {stage} is in this run: {', '.join(env_ids)}")
    for env_id in env_ids:
        group = "graph" if _stage_of(env_id) == 1 else "env"
        allowed = options_of(env_id)
        for name in getattr(config, group):
            if name not in allowed and name != "split":  # evaluate says how to give the split
                raise OptionError(f"{group}.{name}: expected one of {', '.join(allowed)}{did_you_mean(name, allowed)}")


def _maker(env_id: str) -> Any:
    entry: Any = gym.spec(env_id).entry_point
    return load_env_creator(entry) if isinstance(entry, str) else entry


def _stage_of(env_id: str) -> int:
    return int(getattr(_maker(env_id), "stage", 2))


def options_of(env_id: str) -> list[str]:
    """Options of the constructor; a class that passes options on to the one it is made of takes that one's, too."""
    made = _maker(env_id)
    takers = [one for one in getattr(made, "__mro__", (made,)) if one is made or "__init__" in vars(one)]
    allowed: list[str] = []
    for taker in takers:
        parameters = inspect.signature(taker).parameters.values()
        allowed += [one.name for one in parameters if one.kind is not one.VAR_KEYWORD and one.name not in _OURS]
        if all(one.kind is not one.VAR_KEYWORD for one in parameters):
            break
    return allowed
