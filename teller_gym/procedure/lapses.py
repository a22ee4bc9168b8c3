"""Lapses, which are a scenario's expert with one judgement of the SOP omitted or made naively.

A scenario defines them in a module ``lapses`` beside its expert, with

- ``LAPSES: dict[str, Lapse]``, and
- optionally ``CLEAN_PATHS: dict[str, Expert]``: agents that repeat the calls of an ordinary case from memory, among
  them ``clean_path`` (codes looked up) and ``clean_path_constant`` (always the same codes).

The expert of a lapse receives ``{"error": {...}}`` as the result of a rejected call. It continues sensibly or stops,
but must not raise.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple, Protocol, TypeVar

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.officer import Steps

Expert = Callable[[str, Any], Steps]
"""Function that takes the request and the SOP's policy, and returns the expert's steps."""

CLEAN_PATH, CLEAN_PATH_CONSTANT = "clean_path", "clean_path_constant"


class Lapse(NamedTuple):
    """Expert with one judgement omitted.

    Attributes:
        name: name in snake case.
        clauses: rules that the lapse breaks, as ids of clauses, definitions and tables, rows of tables (``T5.3``, from
            1) and arguments (``tool.argument``).
        sentence: description of what the lapsing expert does.
        expert: the expert without the judgement.
    """

    name: str
    clauses: tuple[str, ...]
    sentence: str
    expert: Expert


class Worker(Protocol):
    """Interface of an expert written as a class, whose methods lapses can override."""

    def work(self) -> Steps: ...


W = TypeVar("W", bound=Worker)

_CLAUSES = "_lapse_clauses"


def lapse(*clauses: str) -> Callable[[type[W]], type[W]]:
    """Mark a worker class as a lapse, whose ``sentence`` is the first line of the class docstring."""

    def marked(worker: type[W]) -> type[W]:
        setattr(worker, _CLAUSES, clauses)
        return worker

    return marked


def as_expert(worker: Callable[[str, Any], Worker]) -> Expert:
    """Convert a worker class to an expert, which is a function from a request and a policy to the worker's steps."""
    return lambda request, policy: worker(request, policy).work()


def lapses_of(*modules: ModuleType) -> dict[str, Lapse]:
    """Return the marked classes in modules as lapses by name, in definition order.

    Raises:
        ScenarioError: two classes have the same name, or one has no docstring.
    """
    found: dict[str, Lapse] = {}
    for worker in (worker for module in modules for worker in _marked(module)):
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", worker.__name__).lower()
        sentence = (worker.__doc__ or "").strip().partition("\n")[0]
        if name in found or not sentence:
            raise ScenarioError(
                f"lapse {name}: expected one class of this name, with a docstring that says what it does"
            )
        found[name] = Lapse(name, worker.__dict__[_CLAUSES], sentence, as_expert(worker))
    return found


def _marked(module: ModuleType) -> Iterator[type[Any]]:
    for value in vars(module).values():
        if isinstance(value, type) and _CLAUSES in value.__dict__ and value.__module__ == module.__name__:
            yield value


def load_lapses(package: str) -> tuple[dict[str, Lapse], dict[str, Expert]]:
    """Return a scenario's lapses and clean paths, or empty dictionaries if it has no module ``lapses``."""
    name = f"{package}.lapses"
    if not hasattr(importlib.import_module(package), "__path__") or importlib.util.find_spec(name) is None:
        return {}, {}
    module = importlib.import_module(name)
    return dict(module.LAPSES), dict(getattr(module, "CLEAN_PATHS", {}))
