"""Names of environments' options, and the error for an unknown one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.base.text import as_text, did_you_mean


def option_names(made: Callable[..., Any]) -> tuple[str, ...]:
    """Return a constructor's options in its order, with those of the next class if it passes options on.

    Args:
        made: a class of environments, or a function that makes them.
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

    A constructor takes them as ``**unknown`` and begins with ``refuse_unknown(type(self), unknown)``, so the message is
    the same from `gymnasium.make`, `gymnasium.make_vec` and Python.

    Args:
        made: the class of environments.
        unknown: names of the given options that are not its own.

    Raises:
        OptionError: there is one; the message lists the allowed names and the closest of them.
    """
    given = [as_text(name) for name in unknown]
    if given:
        allowed = option_names(made)
        hint = did_you_mean(given[0][:80], allowed)
        raise OptionError(f"option: expected one of {', '.join(allowed)}, got {', '.join(map(repr, given))}{hint}")
