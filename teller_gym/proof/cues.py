"""Claims that neither the first result nor the form of a value reveals the decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from datetime import date
from itertools import takewhile
from typing import Any

import msgspec
import numpy as np

from teller_gym.agents.schemas import is_date
from teller_gym.base.errors import install_hint
from teller_gym.procedure.injections import injected
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Task
from teller_gym.proof.formal_cues import cues, drawn_values, information, limits_of, missing
from teller_gym.proof.play import subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.proof.sizes import of_benchmark
from teller_gym.tasks.store import generate_task
from teller_gym.tools.run import action_text, run_action

MOST_OF_CLASSIFIER = 0.15
MOST_OF_CUE = 0.03
_FEWEST = 10
"""Minimum number of cases that a cue must predict to be reported as a leak."""

FIRST_SEED = 5_000_000
"""First seed of the generated instances searched for cues."""

_MOST_WORDS = 12
"""Maximum number of different texts in a field that is considered an enumeration."""

Results = list[tuple[str, dict[str, Any]]]


def no_cue(env_id: str, instances: int) -> list[ProofItem]:
    """Check that neither a classifier on the first result nor a single formal cue predicts the decision.

    The instances are generated; those that end at the intake check do not count. Outside the benchmark the figures are
    reported but never make a claim fail, because a small scenario may show all facts at once.
    """
    scenario = subject(env_id).scenario
    drawn = [generate_task(scenario.name, FIRST_SEED + number) for number in range(instances)]
    tasks = [task for task in drawn if past_intake(scenario, task)]
    field = scenario.output_fields[0]
    labels = [str(task.standard.outputs[field]) for task in tasks]
    results = [_results(scenario, task) for task in tasks]
    found = [
        _classifier(field, [calls[0][1] for calls in results], tasks, labels),
        _formal_cues(scenario, field, results, tasks, labels),
    ]
    return found if of_benchmark(scenario.name) else [_only_measured(one) for one in found]


def _only_measured(found: ProofItem) -> ProofItem:
    figure = f"{found.figure} (claimed only of the benchmark's scenarios)"
    return msgspec.structs.replace(found, passed=True, figure=figure)


def past_intake(scenario: Scenario, task: Task) -> bool:
    """Return True if a case continues after the SOP's first step.

    It then has a call that only the second step asks for.
    """
    steps = [{node for clause in step.clauses for node in clause.nodes} for step in scenario.sop_document.steps]
    beyond = steps[1] - steps[0] if len(steps) > 1 else set()
    return not beyond or any(call.name in beyond for call in task.standard.calls)


def _results(scenario: Scenario, task: Task) -> Results:
    """Return the results of the standard calls before the decision.

    These are the calls that precede the first one with the decision as an argument.
    """
    bank, decided = scenario.bank(task), scenario.output_fields[0]
    before = takewhile(lambda call: decided not in call.arguments, task.standard.calls)
    return [(call.name, run_action(bank, scenario.tools, action_text(call))) for call in before]


# -- a classifier on the first result ---------------------------------------------------------------------------------


def _classifier(
    field: str, firsts: Sequence[dict[str, Any]], tasks: Sequence[Task], labels: Sequence[str]
) -> ProofItem:
    """Check that gradient boosting on the first result is hardly better than guessing the most frequent decision."""
    claim = f"a classifier on the first result gains at most {MOST_OF_CLASSIFIER * 100:.0f} points on the {field}"
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from sklearn.model_selection import StratifiedKFold, cross_val_predict
    except ModuleNotFoundError:
        missing = f"scikit-learn is missing: run  {install_hint('dev')}"
        return item("cues.classifier", claim, "not measured", [missing])
    columns = [_features(first, task.today) for first, task in zip(firsts, tasks, strict=True)]
    truth = np.array(labels)
    folds = list(StratifiedKFold(5).split(truth, truth))
    features = _matrix(columns)
    # A column with values in only one fold is empty in that fold's training data, and scikit-learn cannot bin it.
    features = features[:, [all(not np.isnan(column[learned]).all() for learned, _ in folds) for column in features.T]]
    base = Counter(labels).most_common(1)[0][1] / len(labels)
    model = HistGradientBoostingClassifier(max_depth=3, max_iter=60, early_stopping=False, random_state=0)
    guessed = cross_val_predict(model, features, truth, cv=folds)
    share = float(np.mean(guessed == truth))
    problems = []
    if share - base > MOST_OF_CLASSIFIER:
        problems = [f"{(share - base) * 100:.1f} points better"]
    figure = f"{share:.1%} right, the most frequent one {base:.1%}, on {len(labels)} instances"
    measured = {"right": share, "base": base, "features": features.shape[1]}
    return item("cues.classifier", claim, figure, problems, measured)


def _features(result: Mapping[str, Any], today: date, path: str = "") -> dict[str, Any]:
    """Return a result's features: numbers, texts, dates as days before the business date, and lengths of lists."""
    found: dict[str, Any] = {}
    for name, value in result.items():
        where = f"{path}{name}"
        if isinstance(value, dict):
            found |= _features(value, today, f"{where}.")
        elif isinstance(value, list):
            found[f"{where}#"] = float(len(value))
            for place, row in enumerate(value):
                if isinstance(row, dict):
                    found |= _features(row, today, f"{where}[{place}].")
        elif isinstance(value, str) and is_date(value):
            found[where] = float((today - date.fromisoformat(value)).days)
        elif isinstance(value, str):
            found |= {where: value, f"{where}~length": float(len(value)), f"{where}~capitals": float(value.isupper())}
        else:
            found[where] = None if value is None else float(value)
    return found


def _matrix(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return an array of shape (cases, features).

    It has NaN for missing values, codes for enumerations, and no other texts.
    """
    names = sorted({name for row in rows for name in row})
    columns = []
    for name in names:
        values = [row.get(name) for row in rows]
        words = sorted({value for value in values if isinstance(value, str)})
        if len(words) > _MOST_WORDS:
            continue
        codes = {word: float(place) for place, word in enumerate(words)}
        columns.append([np.nan if v is None else codes[v] if isinstance(v, str) else v for v in values])
    return np.array(columns, dtype=float).T


# -- one cue at a time ------------------------------------------------------------------------------------------------


def _formal_cues(
    scenario: Scenario, field: str, results: Sequence[Results], tasks: Sequence[Task], labels: Sequence[str]
) -> ProofItem:
    """Check that no formal cue predicts the decision.

    Predictions are compared with guessing the most frequent decision among the cases with that cue. A field whose
    presence follows from an enumeration, such as the product, does not count.
    """
    limits = limits_of(scenario.policy)
    seen: dict[str, list[tuple[Hashable, str]]] = {}
    kinds: list[dict[str, Hashable]] = []
    for calls, task, label in zip(results, tasks, labels, strict=True):
        # Texts of injections are excluded: they never ask for the right act, so they are informative by design.
        orders = injected(task, scenario.injections)
        drawn = drawn_values(task, [injection.text for injection in orders])
        times: Counter[str] = Counter()
        shown: dict[str, Hashable] = {}
        shown |= missing(*calls[0])
        for tool, result in calls:
            times[tool] += 1
            shown |= cues(f"{tool}#{times[tool]}" if times[tool] > 1 else tool, result, task, limits, drawn)
        kinds.append(shown)
        for cue, value in shown.items():
            seen.setdefault(cue, []).append((value, label))
    structural = _structural(results, kinds)
    points: dict[str, float] = {}
    problems = []
    for cue, pairs in seen.items():
        if cue in structural or len({value for value, _ in pairs}) < 2:
            continue
        tells = information([value for value, _ in pairs], [label for _, label in pairs])
        points[cue] = 100 * tells.gain / len(labels)
        if tells.gain > max(MOST_OF_CUE * tells.cases, tells.chance, _FEWEST):
            found = f"{tells.gain:.0f} more of the {tells.cases} cases that show it"
            problems.append(f"{cue} predicts {found}, {points[cue]:.1f} points in all")
    best = sorted(points.items(), key=lambda pair: -pair[1])[:3]
    figure = f"{len(points)} cues on {len(labels)} instances; most points: " + ", ".join(
        f"{c} {p:.1f}" for c, p in best
    )
    claim = f"no formal cue gains more than {MOST_OF_CUE * 100:.0f} points on the {field}"
    return item("cues.formal", claim, figure, problems, {"points": {c: round(p, 3) for c, p in points.items()}})


def _structural(results: Sequence[Results], shown: Sequence[Mapping[str, Hashable]]) -> set[str]:
    """Return the ``missing`` cues that are determined by an enumeration in the first result.

    An example is collateral.
    """
    found: set[str] = set()
    names = {cue for row in shown for cue in row if cue.endswith(": missing")}
    words = {
        name: [result[0][1].get(name) for result in results]
        for name, value in results[0][0][1].items()
        if value is None or isinstance(value, str | bool)
    }
    enumerations = {name: column for name, column in words.items() if len(set(map(str, column))) <= _MOST_WORDS}
    for cue in names:
        if len({row[cue] for row in shown if cue in row}) < 2:
            continue
        for name, column in enumerations.items():
            if cue.startswith(f"{results[0][0][0]}.{name}:"):
                continue
            pairs = {(str(value), row[cue]) for value, row in zip(column, shown, strict=True) if cue in row}
            if len(pairs) == len({value for value, _ in pairs}):
                found.add(cue)
                break
    return found
