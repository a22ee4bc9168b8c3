"""Validates the options of environments and of ``reset``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
import numpy as np

from teller_gym.base.errors import OptionError
from teller_gym.base.text import as_text, did_you_mean, one_of, shown
from teller_gym.grading.score import RewardConfig

STATE_VIEWS = ("progress", "none")


def option_names(made: Callable[..., Any]) -> tuple[str, ...]:
    """Return a constructor's options in order, including those of base classes to which it passes ``**options``.

    Args:
        made: environment class, or function that makes environments.
    """
    takers = [one for one in getattr(made, "__mro__", (made,)) if one is made or "__init__" in vars(one)]
    found: list[str] = []
    for taker in takers:
        parameters = inspect.signature(taker).parameters.values()
        found += [one.name for one in parameters if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
        if all(one.kind is not one.VAR_KEYWORD for one in parameters):
            break
    return tuple(dict.fromkeys(found))


def refuse_unknown(made: Callable[..., Any], unknown: Iterable[str]) -> None:
    """Refuse options that a constructor does not have.

    A constructor takes them as ``**unknown`` and begins with ``refuse_unknown(type(self), unknown)``, so that the
    message is the same from `gymnasium.make`, `gymnasium.make_vec` and Python.

    Args:
        made: environment class.
        unknown: names of the given options that the class does not have.

    Raises:
        OptionError: ``unknown`` is not empty; the message lists the allowed names and suggests the closest.
    """
    given = [as_text(name) for name in unknown]
    if given:
        allowed = option_names(made)
        hint = did_you_mean(given[0][:80], allowed)
        raise OptionError(f"option: expected one of {', '.join(allowed)}, got {', '.join(map(repr, given))}{hint}")


def read_bool(name: str, value: object) -> bool:
    """Return a boolean option; raises ``OptionError`` for any other value."""
    if not isinstance(value, bool):
        raise OptionError(f"{name}: expected True or False, got {shown(value)}")
    return value


def read_max_steps(value: object) -> int | None:
    """Return the option ``max_steps``; raises ``OptionError`` unless it is None or a positive integer."""
    if value is not None and (type(value) is not int or value < 1):
        raise OptionError(f"max_steps: expected None or a whole number of 1 or more, got {shown(value)}")
    return value


def shows_progress(state_view: object) -> bool:
    """Return True if the option ``state_view`` is ``progress``; raises ``OptionError`` for an unknown value."""
    one_of("state_view", state_view, STATE_VIEWS)
    return state_view == "progress"


def read_fields(given: Mapping[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return a reward's fields; raises ``OptionError`` for fields that this kind of reward does not have."""
    unknown = sorted(given.keys() - set(kind.__struct_fields__), key=shown)
    if unknown:
        allowed = ", ".join(kind.__struct_fields__)
        raise OptionError(f"reward: expected fields of {allowed}, got {', '.join(map(shown, unknown))}")
    return dict(given)


def read_reward(given: object, shaped: RewardConfig) -> RewardConfig:
    """Convert the option ``reward`` to weights.

    Args:
        given: ``shaped``, ``sparse``, weights, or a mapping of their fields.
        shaped: default weights.

    Raises:
        OptionError: the value is none of these, or has unknown fields or wrong values.
    """
    if isinstance(given, RewardConfig):
        return given
    if isinstance(given, Mapping):
        return msgspec.structs.replace(shaped, **read_fields(given, RewardConfig))
    one_of("reward", given, ("shaped", "sparse"))
    return shaped if given == "shaped" else msgspec.structs.replace(shaped, shaped=False)


# -- arguments of ``reset`` --------------------------------------------------------------------------------------------


def read_seed(seed: object) -> int | None:
    """Return a seed as int or None; raises ``OptionError`` for other values and negative numbers."""
    if seed is None:
        return None
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise OptionError(f"seed: expected None or a whole number of 0 or more, got {shown(seed)}")
    return int(seed)


def expect_options(options: object, example: str) -> None:
    """Check that the options of a reset are None or a mapping; otherwise raise ``OptionError``."""
    if options is not None and not isinstance(options, Mapping):
        raise OptionError(f"options: expected None or a dictionary such as {example}, got {shown(options)}")


def task_id_of(options: Mapping[str, Any]) -> str:
    """Return the option ``task_id``; raises ``OptionError`` if it is not text."""
    task_id = options["task_id"]
    if not isinstance(task_id, str):
        raise OptionError(f"task_id: expected the id of a task, such as 'loans-0001', got {shown(task_id)}")
    return str.__str__(task_id)


def only_task_id(options: Mapping[str, Any]) -> str:
    """Return the option ``task_id``; raises ``OptionError`` if it is missing or there are other options."""
    if set(options) != {"task_id"}:
        raise OptionError(f"options: expected 'task_id' and nothing besides, got {shown(list(options))}")
    return task_id_of(options)


def tools_of(options: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the option ``tools``, a set of original names, or None if it is missing; raises ``OptionError``."""
    names = options.get("tools")
    if names is None:
        return None
    if not isinstance(names, list | tuple | set | frozenset) or not all(isinstance(name, str) for name in names):
        raise OptionError(f"tools: expected a list of names, got {shown(names)}")
    return frozenset(names)
