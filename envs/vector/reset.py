"""What a vector env's ``reset`` accepts: seeds, a mask, and tasks, each for all envs or one per env."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from teller_gym.base.errors import OptionError
from teller_gym.base.text import shown
from teller_gym.envs.resetting import expect_options, read_seed

MASK = "reset_mask"
TASK = "task_id"


def read_seeds(seed: int | Sequence[int | None] | None, count: int) -> Sequence[int | None]:
    """Return a seed for each env; one number is the first env's, the others' follow.

    Raises:
        OptionError: not whole numbers of 0 or more, or not one per env.
    """
    if seed is None:
        return [None] * count
    if isinstance(seed, int | np.integer):
        first = read_seed(seed) or 0
        return [first + number for number in range(count)]
    given: object = seed
    if isinstance(given, str | bytes) or not isinstance(given, Sequence | np.ndarray):
        raise OptionError(f"seed: expected a whole number, or {count}, one for each env, got {shown(seed)}")
    if len(seed) != count:
        raise OptionError(f"seed: expected a number, or {count}, one for each env, got {len(seed)}")
    return [read_seed(one) for one in seed]


def read_mask(options: Mapping[str, Any] | None, count: int) -> npt.NDArray[np.bool_] | None:
    """Return which envs to reset, None for all.

    Raises:
        TypeError: the mask is not an array of booleans.
        ValueError: it has another shape, or resets none.
    """
    expect_options(options)
    if options is None or MASK not in options:
        return None
    mask = options[MASK]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        got = f"dtype {mask.dtype}" if isinstance(mask, np.ndarray) else type(mask).__name__
        raise TypeError(f"options[{MASK!r}]: expected a NumPy array of booleans, got {got}")
    if mask.shape != (count,):
        raise ValueError(f"options[{MASK!r}]: expected the shape {(count,)}, got {mask.shape}")
    if not mask.any():
        raise ValueError(f"options[{MASK!r}]: expected at least one True, got none")
    return mask


def read_options(options: Mapping[str, Any] | None, count: int) -> list[dict[str, Any] | None]:
    """Return the options of each env's own reset.

    Raises:
        OptionError: there is a sequence of tasks, but not one per env.
    """
    rest = {name: value for name, value in (options or {}).items() if name != MASK}
    tasks = rest.get(TASK)
    if not isinstance(tasks, list | tuple | np.ndarray):
        return [rest or None] * count
    if len(tasks) != count:
        raise OptionError(f"task_id: expected an id, or {count}, one for each env, got {len(tasks)}")
    return [{**rest, TASK: task} for task in tasks]
