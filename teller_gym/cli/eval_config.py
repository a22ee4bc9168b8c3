"""What `teller-gym eval` is told: composed by Hydra from `configs/eval.yaml` and the words of the command line."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from teller_gym.base.errors import MissingExtraError, OptionError
from teller_gym.base.text import did_you_mean

_NAMED = {"env": "envs", "agent": "player"}
"""Settings whose name is also that of a group of options."""
_FREE = ("env", "agent", "graph", "cluster")
"""Groups of options that the files need not know: what checks them is the code that takes them."""
_LISTS = ("envs", "stage", "split", "task_ids")
_WHOLE = ("n", "trials", "concurrency", "seed")


@dataclass(frozen=True, kw_only=True)
class EvalConfig:
    """What configs/eval.yaml holds, checked; lists where one or several may be given."""

    envs: list[str]
    stage: list[int] | None
    split: list[str]
    player: str
    agent: dict[str, Any]
    env: dict[str, Any]
    graph: dict[str, Any]
    tools: str
    filtered_from: str | None
    n: int | None
    task_ids: list[str] | None
    trials: int
    concurrency: int
    seed: int
    limits: dict[str, Any]
    cluster: dict[str, Any] | None
    run_dir: str | None
    figure: bool
    said: frozenset[str] = frozenset()
    """Groups of options of which the command line itself says something."""


def compose(overrides: Sequence[str]) -> EvalConfig:
    """Compose and check.

    overrides: as Hydra writes them.

    Raises:
        OptionError: an unknown file, group or key, or a value of a wrong type.
        MissingExtraError: Hydra is not installed.
    """
    if importlib.util.find_spec("hydra") is None:
        raise MissingExtraError("teller-gym eval", "eval")
    from hydra import compose as hydra_compose
    from hydra import initialize_config_module
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    words = [_as_hydra(word) for word in overrides]
    try:
        with initialize_config_module("teller_gym.configs", version_base="1.3"):
            defaults = _plain(OmegaConf.to_container(hydra_compose("eval"), resolve=True))
            _check_names(words, defaults)
            found = _plain(OmegaConf.to_container(hydra_compose("eval", overrides=words), resolve=True))
    except OptionError:
        raise
    except (HydraException, OmegaConfBaseException, ValueError) as error:
        raise OptionError(f"configuration: {' '.join(str(error).split())}") from error
    if not any(word.startswith("++agent.") for word in words) and "base_url" not in found["agent"]:
        found["agent"] = _for_player(found)
    # What is null is what holds without it.
    said = frozenset(word.removeprefix("++").partition(".")[0] for word in words if word.startswith("++"))
    return _checked({name: defaults.get(name) if value is None else value for name, value in found.items()}, said)


def _as_hydra(word: str) -> str:
    """A word of the command line as the files know it."""
    name, equals, value = word.partition("=")
    name = name.lstrip("+").strip()
    if not equals or not name:
        raise OptionError(f"expected key=value, such as env=loans, got {word!r}")
    name = _NAMED.get(name, name)
    if name in _LISTS and "," in value and not value.startswith(("[", "'", '"')):
        value = f"[{value}]"
    return f"++{name}={value}" if name.partition(".")[0] in _FREE and "." in name else f"{name}={value}"


def _check_names(words: Sequence[str], known: dict[str, Any]) -> None:
    groups = ("endpoint", "cluster", "preset")
    for word in words:
        name = word.partition("=")[0].lstrip("+")
        head, _, rest = name.partition(".")
        if (head not in known and head not in groups) or (not rest and head in _FREE and head not in groups):
            allowed = [*dict.fromkeys([*_NAMED, *(key for key in known if key not in _NAMED.values()), *groups])]
            raise OptionError(
                f"{head!r} is no setting; expected one of {', '.join(allowed)}{did_you_mean(head, allowed)}"
            )
        if not rest and head in groups:
            _check_choice(head, word.partition("=")[2])
        if rest and head == "limits" and rest not in known["limits"]:
            raise OptionError(
                f"{name}: expected one of {', '.join(known['limits'])}{did_you_mean(rest, known['limits'])}"
            )


def _check_choice(group: str, choice: str) -> None:
    folder = resources.files("teller_gym.configs").joinpath(group)
    allowed = sorted(file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml"))
    if choice not in allowed:
        raise OptionError(
            f"{group}: expected one of {', '.join(allowed)}, got {choice!r}{did_you_mean(choice, allowed)}"
        )


def _plain(value: Any) -> dict[str, Any]:
    assert isinstance(value, dict)
    return {str(key): item for key, item in value.items()}


def _for_player(found: dict[str, Any]) -> dict[str, Any]:
    """A preset's options of a model; none for an agent that is no model."""
    player = str(found["player"] or "")
    return dict(found["agent"]) if "/" in player else {}


def _checked(found: dict[str, Any], said: frozenset[str]) -> EvalConfig:
    for name in _WHOLE:
        value = found[name]
        if value is not None and type(value) is not int:
            raise OptionError(f"{name}: expected a whole number, got {value!r}")
    if not isinstance(found["figure"], bool):
        raise OptionError(f"figure: expected true or false, got {found['figure']!r}")
    if found["envs"] is None:
        raise OptionError("env=… is missing (teller-gym eval --help shows what is possible)")
    player = found["player"]
    if player is not None and "base_url" in found["agent"]:
        raise OptionError(f"agent={player} and endpoint=…: expected one of them")
    if player is None and "base_url" in found["agent"]:
        player = "endpoint"
    if not player:
        raise OptionError("agent=… is missing; or endpoint=… (teller-gym eval --help shows what is possible)")
    cluster = dict(found["cluster"])
    enabled = cluster.pop("enabled", True)
    if cluster and not enabled:
        raise OptionError(f"cluster.{next(iter(cluster))}: expected cluster=ray beside it")
    stage = found["stage"]
    return EvalConfig(
        **{
            **{key: found[key] for key in EvalConfig.__dataclass_fields__ if key != "said"},
            "said": said,
            "player": str(player),
            "stage": None if stage is None else _stages(stage),
            "envs": _names(found["envs"]),
            "split": _names(found["split"]),
            "task_ids": None if found["task_ids"] is None else _names(found["task_ids"]),
            "cluster": cluster if enabled else None,
        }
    )


def _names(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _stages(value: Any) -> list[int]:
    stages = value if isinstance(value, list) else [value]
    if not stages or any(stage not in (1, 2) or isinstance(stage, bool) for stage in stages):
        raise OptionError(f"stage: expected 1, 2 or [1,2], got {value!r}")
    return sorted(set(stages))
