"""The score of an episode worked out a second time, slowly, from its transcript and what the benchmark's text says.

Nothing of ``teller_gym.grading.grader`` is used: the graph is read from its file, arguments are compared as JSON, and
collateral damage is looked for in the tables.
"""

import copy
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task

SUBMIT = "submit_final_review"
_LOANS = load_scenario("loans")
_GRAPH = yaml.safe_load(_LOANS.document("graph.yaml"))
_TEMPLATE = yaml.safe_load(_LOANS.document("template.yaml"))
UPSTREAM: dict[str, set[str]] = {
    name: {edge["from"] for edge in _GRAPH["edges"] if edge["to"] == name} for name in _GRAPH["nodes"]
}
_OBTAINED = {field["name"] for field in _TEMPLATE["obtained"]}


class Turn(NamedTuple):
    """One action: the call if it could be read, and the kind of error if it failed."""

    name: str | None
    arguments: dict[str, Any]
    error: str | None


def equal(one: Any, other: Any) -> bool:
    """Whether two arguments are the same but for case, white space and the order of lists."""
    if isinstance(one, str) and isinstance(other, str):
        return one.casefold().split() == other.casefold().split()
    if isinstance(one, list) and isinstance(other, list):
        return sorted(map(repr, map(_plain, one))) == sorted(map(repr, map(_plain, other)))
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) < 1e-6
    return False


def _plain(item: Any) -> Any:
    return " ".join(item.casefold().split()) if isinstance(item, str) else item


def dependencies(task: Task) -> list[list[int]]:
    """Return for each standard call the earlier ones that it waits for."""
    calls = task.standard.calls
    found = []
    for number, call in enumerate(calls):
        person = call.arguments.get("customer_id")
        found.append(
            [
                earlier
                for earlier in range(number)
                if calls[earlier].name in UPSTREAM[call.name]
                and (person is None or calls[earlier].arguments.get("customer_id") in (None, person))
            ]
        )
    return found


class Regrade(NamedTuple):
    """What an episode comes to."""

    score: float
    checkpoints: float
    parameters: float
    outcome: float
    penalties: float


def regrade(task: Task, turns: list[Turn], after: dict[str, Any]) -> Regrade:
    """Work out the score of an episode.

    Args:
        task: the task.
        turns: all actions in order.
        after: the bank's tables at the end.
    """
    calls = task.standard.calls
    waits = dependencies(task)
    attempts: list[list[float]] = [[] for _ in calls]
    done = [False] * len(calls)
    submitted: dict[str, Any] | None = None
    for turn in turns:
        candidates = [number for number, call in enumerate(calls) if call.name == turn.name]
        if turn.error in ("validation", "type"):
            for refused in [number for number in candidates if not done[number]][:1]:
                attempts[refused].append(0.0)
        if turn.error is not None or not candidates:
            continue
        wrong = {n: sum(not equal(turn.arguments.get(k), v) for k, v in calls[n].arguments.items()) for n in candidates}
        person = turn.arguments.get("customer_id")
        other = {n: not equal(person, calls[n].arguments.get("customer_id")) for n in candidates}
        best = min(candidates, key=lambda n: (other[n], wrong[n], done[n], n))
        if not done[best]:
            attempts[best].append(1 - wrong[best] / len(calls[best].arguments))
            done[best] = wrong[best] == 0 and all(done[earlier] for earlier in waits[best])
        if turn.name == SUBMIT:
            submitted = turn.arguments
    names = list(dict.fromkeys(call.name for call in calls))
    passed = [all(done[n] for n, call in enumerate(calls) if call.name == name) for name in names]
    outputs = task.standard.outputs
    fields = [submitted is not None and equal(submitted[name], value) for name, value in outputs.items()]
    checks = [*passed, *fields, submitted is not None]
    best_shares = (max((share / 2**n for n, share in enumerate(tries)), default=0.0) for tries in attempts)
    checkpoints, parameters = sum(checks) / len(checks), sum(best_shares) / len(calls)
    outcome = float(all(fields) and not any(damage(task, after)))
    penalties = min(0.1, 0.01 * sum(turn.error is not None for turn in turns))
    score = 0.3 * checkpoints + 0.3 * parameters + 0.4 * outcome - penalties
    return Regrade(min(1.0, max(0.0, score)), checkpoints, parameters, outcome, penalties)


def damage(task: Task, after: dict[str, Any]) -> Iterator[str]:
    """Yield every record that was written and does not belong to the case."""
    for table, rows in after.items():
        for key, record in rows.items():
            before = task.tables.get(table, {}).get(key)
            if before == record:
                continue
            if before is None:
                if record.get("owner") not in task.owners:
                    yield f"{table}/{key}"
                continue
            changed = {name for name in record | before if record.get(name) != before.get(name)}
            if key not in task.owners or table != "applications" or not changed <= _OBTAINED:
                yield f"{table}/{key}"


def tables_of(bank: Any) -> dict[str, Any]:
    """Return a deep copy of all tables of a bank."""
    names = {*bank._base, *(table for table, _ in bank._overlay)}
    return {name: copy.deepcopy(dict(bank.rows(name))) for name in names}
