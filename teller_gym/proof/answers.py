"""Claims about answers: expert and solver agree, no answer is frequent, and no single field predicts an output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from teller_gym.base.errors import ToolError
from teller_gym.base.text import canonical_json
from teller_gym.procedure.task import Task
from teller_gym.proof.play import subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tasks.store import generate_task

MOST_FREQUENT = 0.02
"""Maximum share of instances with the same answer."""
SMALLEST_CLASS = 0.05
"""Minimum share of instances in each outcome class."""
MOST_PREDICTED = 0.8
"""Maximum accuracy with which a single field may predict an output."""


def agreement(env_id: str, n: int = 1000) -> list[ProofItem]:
    """Check that expert and solver agree and that the realism rules hold.

    All frozen and n generated instances are checked.
    """
    under = subject(env_id)
    scenario = under.scenario
    differ: list[str] = []
    unreal: list[str] = []
    count = 0
    for place in range(len(under.tasks) + n):
        seed = place - len(under.tasks)
        try:
            task = under.tasks[place] if seed < 0 else generate_task(scenario.name, seed)
        except ToolError as error:
            differ.append(f"generated {seed}: the expert's call failed: {error.message}")
            continue
        count += 1
        standard, solved = canonical_json(task.standard.outputs), canonical_json(scenario.solve(task).outputs)
        if standard != solved:
            differ.append(f"{task.id}: the expert filed {standard.decode()}, the solver says {solved.decode()}")
        unreal += [f"{task.id}: {complaint}" for complaint in scenario.realism(task, scenario.policy_of(task))]
    of = f"{len(under.tasks)} frozen and {n} generated instances"
    measured = {"frozen": len(under.tasks), "generated": n}
    return [
        item("agreement", "solver and expert agree", of, differ, {**measured, "differ": len(differ)}),
        item("realism", "the realism rules hold", f"{count} instances", unreal, {**measured, "unreal": len(unreal)}),
    ]


def most_frequent_answer(env_id: str) -> ProofItem:
    """Check that the most frequent combination of outputs covers less than `MOST_FREQUENT` of the frozen instances."""
    tasks = subject(env_id).tasks
    counts = Counter(canonical_json(task.standard.outputs) for task in tasks)
    answer, most = counts.most_common(1)[0]
    share = most / len(tasks)
    problems = [] if share < MOST_FREQUENT else [f"{most} of {len(tasks)} instances are answered {answer.decode()}"]
    figure = f"{share:.1%} of the instances ({len(counts)} different answers)"
    claim = f"the most frequent answer covers under {MOST_FREQUENT:.0%}"
    return item("most_frequent_answer", claim, figure, problems, {"share": share, "answers": len(counts)})


def outcome_classes(env_id: str) -> ProofItem:
    """Check that no outcome class is rare.

    Each value of the first output field (the outcome) must occur in at least `SMALLEST_CLASS` of the frozen instances.
    """
    under = subject(env_id)
    field = under.scenario.output_fields[0]
    counts = Counter(str(task.standard.outputs[field]) for task in under.tasks)
    shares = {value: count / len(under.tasks) for value, count in sorted(counts.items())}
    schema = under.scenario.tools[under.scenario.submit].schema()["function"]["parameters"]["properties"][field]
    problems = [f"{field} {value}: {share:.1%}" for value, share in shares.items() if share < SMALLEST_CLASS]
    problems += [f"{field} {value} never occurs" for value in map(str, schema.get("enum", [])) if value not in shares]
    figure = ", ".join(f"{value} {share:.1%}" for value, share in shares.items())
    claim = f"each outcome class has at least {SMALLEST_CLASS:.0%}"
    return item("outcome_classes", claim, figure, problems, {"shares": shares})


def single_fields(env_id: str) -> list[ProofItem]:
    """Check that no single existing field in the record predicts a categorical output."""
    under = subject(env_id)
    found = []
    for output in _worded(under.tasks, under.scenario.output_fields):
        labels = [str(task.standard.outputs[output]) for task in under.tasks]
        base = Counter(labels).most_common(1)[0][1] / len(labels)
        accuracies = {
            field: round(predicted(column, labels), 4) for field, column in _columns(under.tasks, env_id).items()
        }
        best = sorted(accuracies.items(), key=lambda pair: -pair[1])
        problems = [f"{field} predicts {accuracy:.1%}" for field, accuracy in best if accuracy >= MOST_PREDICTED]
        named = ", ".join(f"{field} {accuracy:.1%}" for field, accuracy in best[:3])
        figure = f"best: {named}; without any field {base:.1%}"
        claim = f"no single field predicts the {output} ({MOST_PREDICTED:.0%})"
        found.append(item(f"single_field.{output}", claim, figure, problems, {"base": base, "accuracy": accuracies}))
    return found


_WORDS_AT_MOST = 6


def _worded(tasks: Sequence[Task], fields: Iterable[str]) -> list[str]:
    """Return the names of the categorical output fields, whose values are a few different texts."""
    return [
        name
        for name in fields
        if all(isinstance(task.standard.outputs[name], str) for task in tasks)
        and len({task.standard.outputs[name] for task in tasks}) <= _WORDS_AT_MOST
    ]


def _columns(tasks: Sequence[Task], env_id: str) -> dict[str, list[Any]]:
    """Return the values of each existing field in all records.

    A repeating group is represented by its first row and its length.
    """
    template = subject(env_id).scenario.template
    records = [task.tables[template.table][task.case_id] for task in tasks]
    columns: dict[str, list[Any]] = {}
    for field in template.existing:
        if field.group is None:
            columns[field.name] = [record.get(field.name) for record in records]
        else:
            rows = [record.get(field.group) or [{}] for record in records]
            columns[f"{field.group}[0].{field.name}"] = [row[0].get(field.name) for row in rows]
            columns[f"number of {field.group}"] = [len(row) for row in rows]
    return columns


def predicted(column: Sequence[Any], labels: Sequence[str]) -> float:
    """Return the share of labels that a field predicts.

    Predictions are based on equal values in other instances, or on the best threshold.
    """
    keys = [value if isinstance(value, Hashable) else canonical_json(value) for value in column]
    return max(_by_value(keys, labels), _by_threshold(column, labels))


def _by_value(keys: Sequence[Hashable], labels: Sequence[str]) -> float:
    """Return the accuracy of guessing the most frequent label among the *other* instances with the same value."""
    overall = Counter(labels)
    by_key: dict[Hashable, Counter[str]] = {}
    for key, label in zip(keys, labels, strict=True):
        by_key.setdefault(key, Counter())[label] += 1
    right = 0
    for key, label in zip(keys, labels, strict=True):
        seen = by_key[key].copy()
        seen[label] -= 1
        counts = seen if +seen else overall - Counter([label])
        right += max(sorted(counts), key=lambda name: counts[name]) == label
    return right / len(labels)


def _by_threshold(column: Sequence[Any], labels: Sequence[str]) -> float:
    """Return the accuracy of the best threshold, with one label per side, or 0 if the values cannot be ordered."""
    numbers = [value for value in column if value is not None]
    if not numbers or any(isinstance(v, bool) or not isinstance(v, int | float | str) for v in numbers):
        return 0.0
    if len({isinstance(value, str) for value in numbers}) > 1:
        return 0.0
    pairs = sorted(((v, label) for v, label in zip(column, labels, strict=True) if v is not None), key=lambda p: p[0])
    missing = Counter(label for v, label in zip(column, labels, strict=True) if v is None)
    above, below, best = Counter(label for _, label in pairs), Counter[str](), 0
    for place, (value, label) in enumerate(pairs):
        below[label] += 1
        above[label] -= 1
        if place + 1 == len(pairs) or pairs[place + 1][0] != value:
            best = max(best, max(below.values()) + max(above.values(), default=0))
    return (best + max(missing.values(), default=0)) / len(labels)
