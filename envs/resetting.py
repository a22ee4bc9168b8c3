"""Readers of the arguments of ``reset``: a seed, and a task by its id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teller_gym.base.errors import OptionError
from teller_gym.base.text import shown


def read_seed(seed: object) -> int | None:
    """Return a seed.

    Raises:
        OptionError: it is not a whole number of 0 or more.
    """
    if seed is None:
        return None
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise OptionError(f"seed: expected None or a whole number of 0 or more, got {shown(seed)}")
    return int(seed)


def expect_options(options: object, example: str = "{'task_id': 'loans-0001'}") -> None:
    """Check that the options of a reset are None or a mapping.

    Raises:
        OptionError: they are not.
    """
    if options is not None and not isinstance(options, Mapping):
        raise OptionError(f"options: expected None or a dictionary such as {example}, got {shown(options)}")


def task_id_of(options: Mapping[str, Any]) -> str:
    """Return the task's id.

    Raises:
        OptionError: it is not text.
    """
    task_id = options["task_id"]
    if not isinstance(task_id, str):
        raise OptionError(f"task_id: expected the id of a task, such as 'loans-0001', got {shown(task_id)}")
    return str.__str__(task_id)


def only_task_id(options: Mapping[str, Any]) -> str:
    """Return the task's id, where a reset takes nothing else.

    Raises:
        OptionError: there is something else, or the id is not text.
    """
    if set(options) != {"task_id"}:
        raise OptionError(f"options: expected 'task_id' and nothing besides, got {shown(list(options))}")
    return task_id_of(options)


def tools_of(options: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the own names of the tools that are to be in play, None if not specified.

    Raises:
        OptionError: it is not a list of names.
    """
    names = options.get("tools")
    if names is None:
        return None
    if not isinstance(names, list | tuple | set | frozenset) or not all(isinstance(name, str) for name in names):
        raise OptionError(f"tools: expected a list of names, got {shown(names)}")
    return frozenset(names)
