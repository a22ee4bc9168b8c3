"""Redrawing of a scenario's policy.

Thresholds, rates and limits are redrawn within the bounds in its ``policy_shift.yaml``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from teller_gym.base.errors import ScenarioError


class Steps(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"low": "from", "high": "to"}):
    """Whole numbers from ``low`` to ``high`` in steps of ``step``."""

    low: int
    high: int
    step: int

    def draw(self, rng: random.Random) -> int:
        """Draw one of the numbers."""
        return self.low + int(rng.random() * ((self.high - self.low) // self.step + 1)) * self.step


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"low": "from", "high": "to"}):
    """Change at a path in the policy: a new number, a number to add, a permutation, or one of several values.

    ``also`` lists further paths to which the same number is added, for values that must keep their distance. ``among``
    lists complete values, for cases where only some combinations make sense.
    """

    path: str
    also: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    step: int = 1
    add: Steps | None = None
    permute: bool = False
    among: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        value = self.low is not None and self.high is not None
        if [value, self.add is not None, self.permute, bool(self.among)].count(True) != 1:
            raise ScenarioError(
                f"policy_shift.yaml, {self.path}: expected one of 'from' with 'to', 'add', 'permute', 'among'"
            )
        if self.also and self.add is None:
            raise ScenarioError(f"policy_shift.yaml, {self.path}: 'also' goes only with 'add'")

    @property
    def paths(self) -> tuple[str, ...]:
        """All paths changed by the rule."""
        return (self.path, *self.also)


def load_rules(text: bytes) -> tuple[Rule, ...]:
    """Parse ``policy_shift.yaml``.

    Raises:
        ScenarioError: the file is invalid.
    """
    try:
        return msgspec.yaml.decode(text, type=tuple[Rule, ...])
    except msgspec.MsgspecError as error:
        raise ScenarioError(f"policy_shift.yaml: {error}") from None


def draw_policy(policy: Any, rules: tuple[Rule, ...], key: str) -> dict[str, Any]:
    """Redraw a policy by rules.

    Returns:
        The changed top-level values as JSON data; equal keys give equal values.

    Raises:
        ScenarioError: a path does not exist, or leads to a value that its rule cannot change.
    """
    raw: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(policy))
    for rule in rules:
        rng = random.Random(f"policy/{key}/{rule.path}")
        added = rule.add.draw(rng) if rule.add is not None else 0
        for path in rule.paths:
            places = list(_places(raw, path.split(".")))
            if not places:
                raise ScenarioError(f"policy_shift.yaml: there is no {path} in the policy")
            for holder, name in places:
                holder[name] = _changed(holder[name], rule, added, rng)
    touched = {path.partition(".")[0] for rule in rules for path in rule.paths}
    return {name: value for name, value in raw.items() if name in touched}


def _changed(value: Any, rule: Rule, added: int, rng: random.Random) -> Any:
    if rule.among:
        drawn = rule.among[int(rng.random() * len(rule.among))]
        if type(drawn) is not type(value) or (isinstance(value, dict) and list(drawn) != list(value)):
            raise ScenarioError(f"policy_shift.yaml, {rule.path}: expected values such as {value!r}, got {drawn!r}")
        return drawn
    if rule.permute:
        if not isinstance(value, dict):
            raise ScenarioError(f"policy_shift.yaml, {rule.path}: expected a mapping to permute, got {value!r}")
        order = sorted(value.values(), key=lambda _: rng.random())
        return dict(zip(value, order, strict=True))
    if type(value) is not int:
        raise ScenarioError(f"policy_shift.yaml, {rule.path}: expected a whole number in the policy, got {value!r}")
    if rule.low is not None and rule.high is not None:
        return Steps(rule.low, rule.high, rule.step).draw(rng)
    return value + added


def _places(value: Any, path: list[str]) -> Iterator[tuple[Any, Any]]:
    """Yield the container and key of every value that a path matches."""
    first, *rest = path
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    for key in keys:
        if first in ("*", str(key)):
            if rest:
                yield from _places(value[key], rest)
            else:
                yield value, key
