"""Lapses declared in a file ``lapses.yaml`` in a scenario's package ``lapses``.

- A lapse with ``answers`` overrides judgements (methods) of the officer with a fixed answer, one read from the officer
  or the method's arguments, the right answer for other arguments (or fields of them), replacements of some right
  answers, or an expression::

      lapses:
        lifted_restrictions_count:
          sentence: Takes a restriction that was lifted for one in force.
          clauses: ["5.1.3"]
          answers: {is_in_force: true}
        widest_list_scope:
          sentence: Screens everybody against all lists.
          clauses: ["5.3.1", screen_person.list_scope]
          answers: {list_scope_of: {read: policy.list_scopes.other}}
        settled_reports_count:
          sentence: Takes a report that has been settled for one that counts.
          clauses: ["5.3.3"]
          answers: {is_misuse: {as_if: {report: {settled_on: null}}}}
        everything_to_the_branch:
          sentence: Routes reviews and claims to the branch, too.
          clauses: ["5.9.2"]
          answers: {routing: {instead: {operations: branch}}}
        last_payments_counted:
          sentence: Counts loans with exactly as many payments left as do not count.
          clauses: ["5.7.1"]
          answers: {is_nearly_paid: {rule: right and line.payments_left != policy.short_debt_payments}}

  A rule is an expression in the language of the tool catalogue (``scenarios/distractors/README.md``). It can use the
  arguments of the judgement, attributes and methods of the officer (``policy``, ``is_late(row)``), the right answer
  (``right``), and the answer for other arguments (``answer(…)``).

- A lapse that several scenarios share names its class in their common module (``shared``).
- ``mistaken_codes`` lists tables of the policy; for each row, a lapse uses the code of the next row.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from importlib import import_module, resources
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import msgspec

from teller_gym.base.dates import add_business_days, on_or_before_business_day
from teller_gym.base.errors import ScenarioError
from teller_gym.base.money import divide_half_up, to_cents, usd
from teller_gym.procedure.lapses import Lapse, as_expert, lapses_of
from teller_gym.tools.catalogue.expressions import Compiler, Evaluate, Scope
from teller_gym.tools.catalogue.vocabulary import FUNCTIONS

_OWN = (add_business_days, divide_half_up, on_or_before_business_day, to_cents, usd)
_FUNCTIONS = {**FUNCTIONS, **{each.__name__: each for each in _OWN}}


class WrittenLapse(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One lapse in the file; see :class:`Lapse` and the module docstring.

    ``answers`` has by judgement a fixed value, or ``{read: <path>}`` (``cents`` for a dollar amount, ``day`` for a
    date), ``{as_if: <arguments>}``, ``{instead: <answers by right answer>}`` or ``{rule: <expression>}``.
    """

    sentence: str
    clauses: tuple[str, ...]
    answers: dict[str, Any] = {}
    shared: str = ""


class MistakenCodes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Code table in the policy, with a lapse for each row that uses another row's code.

    Attributes:
        table: field of the policy with codes by situation.
        clauses: rules that a lapse breaks; ``{row}`` is replaced by the row number.
        first: number of the table's first row.
        name, sentence: templates of a lapse's name and sentence, with ``{situation}`` and, in the sentence, also
            ``{words}`` and ``{table_words}``.
        left_out: situations that are too rare for a lapse.
    """

    table: str
    clauses: tuple[str, ...]
    first: int = 1
    name: str = ""
    sentence: str = "Takes another row's code for {words} ({table_words})."
    left_out: tuple[str, ...] = ()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lapses: dict[str, WrittenLapse]
    mistaken_codes: tuple[MistakenCodes, ...] = ()


def answers(**given: Any) -> Callable[[type[Any]], type[Any]]:
    """Return a decorator that overrides the named judgements of a worker class with these answers."""

    def answered(worker: type[Any]) -> type[Any]:
        for name, answer in given.items():
            setattr(worker, name, _answer(worker, name, answer))
        return worker

    return answered


def lapses_in(package: str, worker: type[Any], shared: ModuleType | None = None) -> dict[str, Lapse]:
    """Return the lapses in a package's modules and ``lapses.yaml``.

    For the arguments see :func:`written_lapses`.
    """
    path = [str(folder) for folder in import_module(package).__path__]
    modules = (import_module(f"{package}.{module.name}") for module in iter_modules(path))
    return lapses_of(*modules) | written_lapses(package, worker, shared)


def written_lapses(package: str, worker: type[Any], shared: ModuleType | None = None) -> dict[str, Lapse]:
    """Return the lapses in a package's ``lapses.yaml`` by name.

    Args:
        package: the scenario's package ``lapses``.
        worker: base class for the lapses, which stops working on the case when a tool rejects a call.
        shared: module with the classes named by ``shared`` entries.

    Raises:
        ScenarioError: the file names an unknown judgement or class.
    """
    text = resources.files(package).joinpath("lapses.yaml").read_bytes()
    try:
        file = msgspec.yaml.decode(text, type=_File)
    except msgspec.ValidationError as error:
        raise ScenarioError(f"{package}, lapses.yaml: {error}") from None
    found = {}
    for name, lapse in file.lapses.items():
        base = worker
        if lapse.shared:
            mixin = getattr(shared, lapse.shared, None)
            if mixin is None:
                raise ScenarioError(f"lapse {name}: expected a class of the shared lapses, got {lapse.shared}")
            base = type(lapse.shared, (mixin, worker), {})
        made = answers(**lapse.answers)(type(name, (base,), {}))
        found[name] = Lapse(name, lapse.clauses, lapse.sentence, as_expert(made))
    scenario, _, _ = package.rpartition(".")
    policy = msgspec.yaml.decode(resources.files(scenario).joinpath("policy.yaml").read_bytes(), type=dict[str, Any])
    for codes in file.mistaken_codes:
        found |= _mistaken(codes, worker, policy)
    return found


def _mistaken(codes: MistakenCodes, worker: type[Any], policy: Mapping[str, Any]) -> dict[str, Lapse]:
    found = {}
    for row, situation in enumerate(policy[codes.table], codes.first):
        if situation not in codes.left_out:
            name = (codes.name or codes.table + "_of_{situation}_mistaken").format(situation=situation)
            words = {"words": situation.replace("_", " "), "table_words": codes.table.replace("_", " ")}
            made = type(name, (worker,), {"code": _mistaking(worker, codes.table, situation)})
            clauses = tuple(clause.format(row=row) for clause in codes.clauses)
            found[name] = Lapse(name, clauses, codes.sentence.format(situation=situation, **words), as_expert(made))
    return found


def _mistaking(worker: type[Any], table: str, situation: str) -> Callable[..., Any]:
    """Return a method ``code`` that uses the next row's code for one situation in a table."""

    def code(self: Any, asked: str, of: str) -> Any:
        right = worker.code(self, asked, of)
        if (asked, of) != (table, situation):
            return right
        codes: dict[str, Any] = getattr(self.policy, table)
        place = list(codes).index(situation)
        others = [*list(codes.values())[place:], *list(codes.values())[:place]]
        return next((code for code in others if code != right), right)

    return code


def _answer(worker: type[Any], judgement: str, answer: Any) -> Callable[..., Any]:
    """Return a method that replaces a worker's judgement with an answer from the file."""
    asked = getattr(worker, judgement, None)
    if not callable(asked):
        raise ScenarioError(f"{worker.__name__}: expected the name of a judgement of the officer, got {judgement!r}")
    parameters = list(inspect.signature(asked).parameters)[1:]
    match answer:
        case {"read": str(path)}:
            return _reading(parameters, path)
        case {"cents": str(path)}:
            return _reading(parameters, path, to_cents)
        case {"day": str(path)}:
            return _reading(parameters, path, date.fromisoformat)
        case {"as_if": dict(changes)}:
            return _as_if(asked, parameters, changes)
        case {"instead": dict(others)}:
            return _instead(asked, others)
        case {"rule": str(rule)}:
            return _ruled(asked, rule)
    return lambda self, *arguments, **named: list(answer) if isinstance(answer, list) else answer


def _reading(parameters: list[str], path: str, form: Callable[[Any], Any] = lambda value: value) -> Callable[..., Any]:
    """Return a method that reads its answer from its arguments or the officer.

    Methods along the path are called.
    """
    first, *rest = path.split(".")

    def read(self: Any, *arguments: Any, **named: Any) -> Any:
        known = {**dict(zip(parameters, arguments, strict=False)), **named}
        value = known[first] if first in known else _called(getattr(self, first))
        for name in rest:
            if isinstance(value, Mapping):
                value = value[name]
            else:
                value = value[int(name)] if isinstance(value, Sequence) else _called(getattr(value, name))
        return form(value)

    return read


def _called(value: Any) -> Any:
    return value() if callable(value) else value


def _as_if(asked: Callable[..., Any], parameters: list[str], changes: Mapping[str, Any]) -> Callable[..., Any]:
    """Return a method that returns the right answer for changed arguments."""

    if unknown := changes.keys() - set(parameters):
        raise ScenarioError(
            f"as_if: expected arguments of the judgement ({', '.join(parameters)}), got {sorted(unknown)}"
        )

    def changed(value: Any, change: Any) -> Any:
        if not isinstance(change, dict):
            return change
        if isinstance(value, Mapping):
            return {**value, **change}
        return value._replace(**change) if hasattr(value, "_replace") else change.get(value, value)

    def judge(self: Any, *arguments: Any, **named: Any) -> Any:
        known = {**dict(zip(parameters, arguments, strict=False)), **named}
        return asked(self, **{**known, **{name: changed(known[name], change) for name, change in changes.items()}})

    return judge


def _instead(asked: Callable[..., Any], others: Mapping[Any, Any]) -> Callable[..., Any]:
    """Return a method that replaces some right answers with others."""

    def judge(self: Any, *arguments: Any, **named: Any) -> Any:
        right = asked(self, *arguments, **named)
        return others.get(right, right)

    return judge


class _Officer(Scope):
    """Scope for a rule's remaining names, which are attributes and methods of the officer."""

    def __init__(self, officer: Any) -> None:
        super().__init__({}, {})
        self._officer = officer

    def __getitem__(self, name: str) -> Any:
        return getattr(self._officer, name)


def _ruled(asked: Callable[..., Any], rule: str) -> Callable[..., Any]:
    """Return a method that evaluates an expression."""
    signature = inspect.signature(asked)
    names = {node.id for node in ast.walk(ast.parse(rule.strip(), mode="eval")) if isinstance(node, ast.Name)}
    evaluate = Compiler(_FUNCTIONS).compiled(rule, names - (_FUNCTIONS.keys() - signature.parameters.keys()), "rule")

    def judge(self: Any, *arguments: Any, **named: Any) -> Any:
        given = signature.bind(self, *arguments, **named)
        given.apply_defaults()
        own: dict[str, Evaluate] = {
            "right": lambda _: asked(self, *arguments, **named),
            "answer": lambda _: lambda *others: asked(self, *others),
        }
        return evaluate(Scope(dict(given.arguments), own, _Officer(self)))

    return judge
