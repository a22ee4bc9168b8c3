"""Recipes for filling a tool's arguments from values that the procedure has seen, in the same way for every task."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

import msgspec
import numpy as np

from teller_gym.agents.schemas import Check, check, choices, has_type, is_day
from teller_gym.envs.spaces.sampling import sample_value
from teller_gym.proof.distractors.seen_values import Source
from teller_gym.tools.tool import Parameter, Tool


class Slot(msgspec.Struct, frozen=True):
    """Rule for the value of one argument, which is taken from one or more named sources, or fixed."""

    sources: tuple[str, ...] = ()
    value: Any = None
    as_list: bool = False

    def fill(self, seen: Mapping[str, Source]) -> Any:
        """Return the argument's value.

        Raises:
            KeyError: a source was not seen in this task.
        """
        if not self.sources:
            return self.value
        values = [seen[name].value for name in self.sources]
        return values if self.as_list else values[0]

    def __str__(self) -> str:
        return " and ".join(self.sources) if self.sources else repr(self.value)


Recipe = dict[str, Slot]
"""Slots by argument name."""

_SHARE_WORDS = ("percent", "rate", "share", "factor", "apr")
_PLAIN_NUMBERS = (0, 1, 2, 12, 100)
_TEXTS = 2
"""Maximum number of sources tested for a text argument, because texts rarely affect a numeric answer."""
_LISTS = 2
"""Maximum number of sources combined into a list of numbers."""


def recipes(
    tool: Tool, seen: Sequence[Mapping[str, Source]], most: int, texts: Mapping[str, Sequence[Any]] | None = None
) -> list[Recipe]:
    """Return all recipes for a tool, or a reproducible random sample if there are more than ``most``.

    Args:
        seen: sources in several tasks.
        texts: texts that the tool is known to accept, by argument.
    """
    known = texts or {}
    names = list(dict.fromkeys(name for sources in seen for name in sources))
    slots = [_slots(parameter, names, seen, known.get(parameter.name, ())) for parameter in tool.parameters]
    labels = [parameter.name for parameter in tool.parameters]
    if prod(map(len, slots)) <= most:
        return [dict(zip(labels, chosen, strict=True)) for chosen in product(*slots)]
    draw = random.Random(f"recipes/{tool.name}").random
    return [{label: _pick(options, draw) for label, options in zip(labels, slots, strict=True)} for _ in range(most)]


def _pick(options: Sequence[Slot], draw: Callable[[], float]) -> Slot:
    return options[int(draw() * len(options))]


def _slots(
    parameter: Parameter, names: Sequence[str], seen: Sequence[Mapping[str, Source]], texts: Sequence[Any]
) -> list[Slot]:
    """Return all slots suitable for an argument."""
    schema = parameter.schema
    fixed: list[Any] = [None] if has_type(schema, "null") else []
    fixed += choices(schema)
    found = [Slot(value=value) for value in (*fixed, *texts)]
    if any(has_type(schema, kind) for kind in ("number", "integer")) or is_day(schema):
        fits = check(schema)
        found += [Slot((name,)) for name in _fitting(parameter.name, names, seen, fits)]
        found += [Slot(value=number) for number in _PLAIN_NUMBERS if fits(number)]
    elif has_type(schema, "array"):
        found += _list_slots(parameter, names, seen)
    if found:
        return found
    fits = check(schema)
    texts = [Slot((name,)) for name in names if all(fits(s[name].value) for s in seen if name in s)]
    return texts[:_TEXTS] or [Slot(value=_invented(parameter))]


def _fitting(parameter: str, names: Iterable[str], seen: Sequence[Mapping[str, Source]], fits: Check) -> list[str]:
    """Return the sources whose values are valid for a parameter in at least one task."""
    share = _is_share(parameter)
    found = []
    for name in names:
        values = [sources[name].value for sources in seen if name in sources]
        numbers = all(isinstance(value, float) for value in values)
        if any(map(fits, values)) and (not numbers or _is_share(name) == share):
            found.append(name)
    return found


def _is_share(name: str) -> bool:
    return any(word in _SHARE_WORDS for word in name.replace(".", "_").replace(",", "").split("_"))


def _list_slots(parameter: Parameter, names: Sequence[str], seen: Sequence[Mapping[str, Source]]) -> list[Slot]:
    """Return slots for whole lists that were seen, and for lists built from one or two values that were seen."""
    lists = [
        variant for variant in (parameter.schema, *parameter.schema.get("anyOf", ())) if variant.get("type") == "array"
    ]
    items = lists[0].get("items", {})
    fits_whole, fits_item = check(parameter.schema), check(items)
    whole = [name for name in names if any(name in s and fits_whole(s[name].value) for s in seen)]
    found = [Slot((name,)) for name in whole]
    if has_type(items, "number") or has_type(items, "integer") or is_day(items):
        single = _fitting(parameter.name, names, seen, fits_item)
        draw = random.Random(f"lists/{parameter.name}").random
        for length in range(1, _LISTS + 1):
            for name in single:
                others = [single[int(draw() * len(single))] for _ in range(length - 1)]
                found.append(Slot((name, *others), as_list=True))
    return found or [Slot(value=_invented(parameter))]


def _invented(parameter: Parameter) -> Any:
    return sample_value(parameter.schema, np.random.Generator(np.random.PCG64(0)))


def depends_on_seen(tool: Tool) -> bool:
    """Return True if a tool takes numbers or dates; other tools' answers do not depend on the case."""
    return any(_takes(parameter.schema) for parameter in tool.parameters)


def _takes(schema: Mapping[str, Any]) -> bool:
    if any(has_type(schema, kind) for kind in ("number", "integer")) or is_day(schema):
        return not choices(schema)
    return any(_takes(part) for part in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])))
