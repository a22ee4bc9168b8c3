"""Claims that evaluation and training data are disjoint, without copies or near copies.

Two cases are copies if their fingerprints are equal. They are near copies if they agree in most *normalised fields*:
the existing fields of the case's record and of each row of its repeating groups, without ids and masked values. Dates
are normalised to days from the business date, text is case-folded, numbers are rounded to two significant digits, and
lists are compared as wholes, so that changed names, dates or small changes of amounts do not hide a copy. The
similarity of two cases is the share of equal fields among those that at least one of them has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations
from math import floor, log10
from typing import Any

import numpy as np
import numpy.typing as npt

from teller_gym.agents.schemas import is_date
from teller_gym.base.text import canonical_json, normalise_text
from teller_gym.base.text import fingerprint as fingerprint_of
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import EVALUATION_SPLITS, Split, Task
from teller_gym.proof.play import subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tasks.store import FROZEN_SPLITS, generate_task, split_tasks

MOST_SIMILAR = 0.65
"""Minimum similarity of near copies.

None of a million pairs of different cases reached 0.6, while a copy with other names and ids and every date shifted
independently keeps 0.7: see docs/environments/splits.md.
"""
_DIGITS = 2
_ABSENT = -1
_QUANTILES = (0.5, 0.99, 0.9999)

Codes = npt.NDArray[np.int32]


def leaks(env_id: str, generated: int = 1000) -> list[ProofItem]:
    """Check that no case in an evaluation split is a copy or near copy of a case in another split."""
    scenario = subject(env_id).scenario
    tasks = {split: list(split_tasks(scenario.name, split)) for split in FROZEN_SPLITS}
    tasks[Split.GENERATED] = [generate_task(scenario.name, seed) for seed in range(generated)]
    return compared(scenario, {split: found for split, found in tasks.items() if found})


def compared(scenario: Scenario, tasks: dict[Split, list[Task]]) -> list[ProofItem]:
    """Compare the cases of every two splits of which at least one is an evaluation split."""
    sizes = ", ".join(f"{len(found)} {split}" for split, found in tasks.items())
    pairs = [(one, other) for one, other in combinations(tasks, 2) if {one, other} & set(EVALUATION_SPLITS)]
    copies = [problem for one, other in pairs for problem in _copies(tasks[one], tasks[other])]
    every = [task for found in tasks.values() for task in found]
    codes = dict(zip((task.id for task in every), encoded(scenario, every), strict=True))
    near: list[str] = []
    shares = []
    for one, other in pairs:
        mine, theirs = (np.stack([codes[task.id] for task in tasks[split]]) for split in (one, other))
        share = similarity(mine, theirs)
        shares.append(share.ravel())
        near += [
            f"{tasks[one][i].id} ({one}) and {tasks[other][k].id} ({other}) agree in {share[i, k]:.0%} of their fields"
            for i, k in np.argwhere(share >= MOST_SIMILAR)
        ]
    whole = np.concatenate(shares) if shares else np.zeros(1, dtype=np.float32)
    quantiles = {str(q): round(float(np.quantile(whole, q)), 4) for q in _QUANTILES}
    most = round(float(whole.max()), 4)
    figure = f"{whole.size} pairs agree in {quantiles['0.5']:.0%} of the fields (median), at most {most:.0%}"
    measured = {"pairs": whole.size, "quantiles": quantiles, "most": most, "threshold": MOST_SIMILAR}
    claim = f"no two of them agree in {MOST_SIMILAR:.0%} of their fields"
    return [
        item("leaks.copies", "no case of one split is in another", sizes, copies, {"pairs": len(pairs)}),
        item("leaks.near", claim, figure, near, measured),
    ]


def _copies(mine: Sequence[Task], theirs: Sequence[Task]) -> Iterator[str]:
    """Yield a problem for each pair of cases with equal fingerprints or equal tables."""
    marks: dict[str, Callable[[Task], str]] = {
        "case": lambda task: task.fingerprint,
        "tables": lambda task: fingerprint_of(task.tables),
    }
    for what, mark in marks.items():
        seen = {mark(task): task.id for task in mine}
        for task in theirs:
            if (found := seen.get(mark(task))) is not None:
                yield f"{task.id} ({task.split}) has the {what} of {found}"


def encoded(scenario: Scenario, tasks: Sequence[Task]) -> Codes:
    """Encode the normalised fields of cases as an array of shape (cases, fields).

    Equal values have equal codes, and absent values have -1.
    """
    return as_codes([dict(fields_of(scenario, task)) for task in tasks])


def as_codes(rows: Sequence[Mapping[str, Any]]) -> Codes:
    """Encode normalised fields, given by name, like :func:`encoded`."""
    places = {name: place for place, name in enumerate(dict.fromkeys(name for row in rows for name in row))}
    numbers: dict[bytes, int] = {}
    codes = np.full((len(rows), max(1, len(places))), _ABSENT, dtype=np.int32)
    for line, row in enumerate(rows):
        for name, value in row.items():
            codes[line, places[name]] = numbers.setdefault(canonical_json(value), len(numbers))
    return codes


def similarity(mine: Codes, theirs: Codes) -> npt.NDArray[np.float32]:
    """Return an array of shape (n, m) with the similarity between n cases and m others."""
    found = np.zeros((len(mine), len(theirs)), dtype=np.float32)
    present = theirs != _ABSENT
    for line, row in enumerate(mine):
        either = present | (row != _ABSENT)
        equal = (theirs == row) & either
        found[line] = equal.sum(axis=1) / np.maximum(1, either.sum(axis=1))
    return found


def fields_of(scenario: Scenario, task: Task) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of a case's non-empty normalised fields."""
    template = scenario.template
    record = task.tables[template.table][task.case_id]
    for field in template.existing:
        if field.masked or field.name.endswith("_id"):
            continue
        if field.group is None:
            rows = [(field.name, record.get(field.name))]
        else:
            rows = [
                (f"{field.group}[{place}].{field.name}", row.get(field.name))
                for place, row in enumerate(record.get(field.group) or ())
            ]
        for name, value in rows:
            if (plain := normalised(value, task.today)) not in (None, [], 0):
                yield name, plain


def normalised(value: Any, today: date) -> Any:
    """Normalise a value for comparison, as described in the module docstring."""
    if isinstance(value, list | tuple):
        return sorted((normalised(item, today) for item in value), key=canonical_json)
    if isinstance(value, dict):
        return {key: normalised(item, today) for key, item in value.items() if not key.endswith("_id")}
    if isinstance(value, str):
        if is_date(value):
            return f"day {(date.fromisoformat(value) - today).days}"
        return "id" if _looks_like_id(value) else normalise_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not value:
        return value
    return float(round(value, _DIGITS - 1 - floor(log10(abs(value)))))


def _looks_like_id(text: str) -> bool:
    prefix, dash, number = text.partition("-")
    return bool(dash) and prefix.isupper() and prefix.isalpha() and number.isdigit() and len(number) >= 6
