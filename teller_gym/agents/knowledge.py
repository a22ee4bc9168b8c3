"""Stores all values that an agent has observed, and chooses the best of them as call arguments.

It uses tool schemas, the request, the SOP's text and tool results, but no knowledge about the scenario or its graph.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from teller_gym.agents.schemas import Schema, check, choices, has_type, is_date, is_day, pattern
from teller_gym.envs.spaces.sampling import sample_value


class Support(IntEnum):
    """Source of an argument's value; lower values are better."""

    SAME_NAME = 0
    GATHERED = 1
    """A list of all values observed under the singular of the argument's name."""
    SAME_ENDING = 2
    SAME_FORM = 3
    GUESS = 4
    """The enum value that the SOP mentions most often, a given answer, or a default such as 0 or null."""


class Fact(NamedTuple):
    """One observed value: its depth in the result, its time, and the ids in its record or in the call."""

    value: Any
    depth: int
    time: int
    owners: frozenset[str]


class Filled(NamedTuple):
    """Arguments for a call, with the source of each value."""

    arguments: dict[str, Any]
    support: dict[str, Support]

    @property
    def weakest(self) -> Support:
        return max(self.support.values(), default=Support.SAME_NAME)


class Parameter:
    """An argument's schema, with precomputed properties."""

    def __init__(self, name: str, schema: Schema) -> None:
        self.name = name
        self.schema = schema
        self.fits = check(schema)
        self.is_list = has_type(schema, "array")
        self.form = DAY if is_day(schema) else pattern(schema)
        """Pattern of the text, or `DAY` for a date, or None for anything else."""
        self.choices = choices(schema)
        self.defaults: list[Any] = [None] if has_type(schema, "null") else []
        numbers: tuple[Any, ...] = ([], 0, 1, 300)
        self.plain: list[Any] = [value for value in numbers if self.fits(value)]
        if has_type(schema, "string") and self.form is None and not self.choices:
            self.plain.append("none")


class Spec:
    """A tool's name and parameters, parsed from its schema."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        function = schema["function"]
        self.name: str = function["name"]
        self.parameters = {name: Parameter(name, item) for name, item in function["parameters"]["properties"].items()}


DAY = "a day"
"""Form of a date, used instead of a pattern."""

_MOST = 150
"""Maximum number of facts stored under one name, more than any episode needs."""


class Knowledge:
    """Values observed in one episode."""

    def __init__(self, specs: Sequence[Spec]) -> None:
        self._specs = specs
        self._facts: dict[str, list[Fact]] = {}
        self._by_ending: dict[str, list[str]] = {}
        forms = {item.form for spec in specs for item in spec.parameters.values() if item.form is not None}
        self._forms = tuple(sorted(forms))
        self._by_form: dict[str, list[Fact]] = {form: [] for form in self._forms}
        self._document = ""
        self._asked: dict[str, list[str]] = {}
        self.given: dict[str, Any] = {}
        """Answers by argument name, which take precedence over observed values."""
        self.likely: dict[str, Any] = {}
        """Answers by argument name, used if no value has been observed under the name."""
        self.time = 0

    def read_text(self, request: str, document: str) -> None:
        """Read the request, whose ids identify the task's subjects, and the SOP."""
        self._document = document
        for spec in self._specs:
            for name, item in spec.parameters.items():
                if item.form not in (None, DAY) and name not in self._asked:
                    found = re.findall(rf"(?<![\w-]){item.form}(?![\w-])", request)
                    self._asked[name] = list(dict.fromkeys(found))

    def read_result(self, arguments: Mapping[str, Any], result: Any) -> None:
        """Store the values in a successful call's result."""
        self.time += 1
        asked = frozenset(value for value in arguments.values() if _is_id(value))
        self._store(result, 0, asked)

    def _store(self, value: Any, depth: int, owners: frozenset[str]) -> None:
        if isinstance(value, dict):
            ids = frozenset(item for key, item in value.items() if key.endswith("_id") and _is_id(item))
            for key, item in value.items():
                self._add(key, Fact(item, depth, self.time, owners | ids))
                self._store(item, depth + 1, owners | ids)
        elif isinstance(value, list):
            for item in value:
                self._store(item, depth + 1, owners)

    def _add(self, key: str, fact: Fact) -> None:
        facts = self._facts.get(key)
        if facts is None:
            facts = self._facts[key] = []
            self._by_ending.setdefault(_ending(key), []).append(key)
        if len(facts) < _MOST:
            facts.append(fact)
            if isinstance(fact.value, str):
                for form in _forms_of(fact.value, self._forms):
                    self._by_form[form].append(fact)

    # -- looking up -----------------------------------------------------------------------------------------------

    def subjects(self, spec: Spec) -> list[str | None]:
        """Return the ids in the request that a tool takes, for one call each.

        The list is [None] if there is at most one id.
        """
        for name in spec.parameters:
            asked = self._asked.get(name, [])
            if name.endswith("_id") and len(asked) > 1:
                return list(asked)
        return [None]

    def values(self, item: Parameter, subject: str | None = None) -> Iterator[tuple[Any, Support]]:
        """Yield values for an argument with their sources, the best first; values may be repeated."""
        name = item.name
        if name in self.given and item.fits(self.given[name]):
            yield self.given[name], Support.GUESS
        asked = self._asked.get(name, ())
        if subject is not None and subject in asked:
            yield subject, Support.SAME_NAME
        for value in asked:
            yield value, Support.SAME_NAME
        for fact in _ranked(self._facts.get(name, ()), item, subject):
            yield fact.value, Support.SAME_NAME
        if name in self.likely and item.fits(self.likely[name]):
            yield self.likely[name], Support.GUESS
        if item.is_list:
            yield from self._gather(item)
        for key in self._kin(name):
            for answers in (self.given, self.likely):
                if key in answers and item.fits(answers[key]):
                    yield answers[key], Support.SAME_ENDING
            for fact in _ranked(self._facts.get(key, ()), item, subject):
                yield fact.value, Support.SAME_ENDING
        if item.form is not None:
            for fact in _ranked(self._by_form[item.form], item, subject):
                yield fact.value, Support.SAME_FORM
        for value in (*item.defaults, *sorted(item.choices, key=lambda c: -self._mentioned(c)), *item.plain):
            yield value, Support.GUESS

    def fill(
        self,
        spec: Spec,
        subject: str | None = None,
        *,
        invent: bool = False,
        refused: Mapping[str, Sequence[Any]] | None = None,
    ) -> Filled | None:
        """Return the best known arguments for a call, or None if one is unknown and ``invent`` is false.

        Args:
            spec: the tool.
            subject: id that the call refers to, if there are several.
            invent: whether to make up values for unknown arguments.
            refused: values to avoid, by argument name.
        """
        arguments: dict[str, Any] = {}
        support: dict[str, Support] = {}
        for name, item in spec.parameters.items():
            out = (refused or {}).get(name, ())
            best = next(((v, s) for v, s in self.values(item, subject) if v not in out), None)
            if best is None:
                if not invent:
                    return None
                best = sample_value(dict(item.schema), np.random.Generator(np.random.PCG64(0))), Support.GUESS
            arguments[name], support[name] = best
        return Filled(arguments, support)

    def _gather(self, item: Parameter) -> Iterator[tuple[Any, Support]]:
        single = item.name.removesuffix("s")
        asked = self._asked.get(single) or [fact.value for fact in self._facts.get(single, ())]
        unique = list(dict.fromkeys(value for value in asked if isinstance(value, str)))
        whole = unique if item.fits(unique) else unique[: item.schema.get("maxItems", 0)]
        if whole and item.fits(whole):
            yield whole, Support.GATHERED

    def _kin(self, name: str) -> list[str]:
        """Return other observed names with the same last word, those with the most common words first."""
        answers = [key for key in (*self.given, *self.likely) if _ending(key) == _ending(name)]
        keys = dict.fromkeys((*answers, *self._by_ending.get(_ending(name), ())))
        return sorted((key for key in keys if key != name), key=lambda key: -_shared_words(name, key))

    def _mentioned(self, choice: Any) -> int:
        return _mentions(self._document, choice) if isinstance(choice, str) else 0


@lru_cache(maxsize=4096)
def _mentions(document: str, choice: str) -> int:
    wording = re.escape(choice).replace("_", "[_ -]")
    return len(re.findall(rf"\b{wording}\b", document, re.IGNORECASE))


def _ending(name: str) -> str:
    return name.rsplit("_", 1)[-1]


@lru_cache(maxsize=65536)
def _shared_words(one: str, other: str) -> int:
    count = 0
    for mine, theirs in zip(reversed(one.split("_")), reversed(other.split("_")), strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _ranked(facts: Sequence[Fact], item: Parameter, subject: str | None) -> list[Fact]:
    """Return the facts that fit an argument, the best first.

    Facts about the subject come first, then the least nested, then the latest.
    """
    fits = item.fits
    fitting = [fact for fact in facts if fits(fact.value)]
    if len(fitting) > 1:
        fitting.sort(key=lambda fact: (subject is not None and subject not in fact.owners, fact.depth, -fact.time))
    return fitting


@lru_cache(maxsize=65536)
def _forms_of(text: str, forms: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(form for form in forms if (is_date(text) if form is DAY else re.fullmatch(form, text)))


_ID = re.compile(r"[A-Z]{1,4}-[0-9]{3,}")


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def decode(text: str) -> Any:
    """Parse a tool result, and return None if it is empty or not JSON."""
    try:
        return json.loads(text) if text else None
    except ValueError:
        return None
