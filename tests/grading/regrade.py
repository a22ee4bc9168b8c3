"""An independent, slow computation of an episode's score from its transcript and the benchmark's rules.

Nothing of ``teller_gym.grading`` is used: graph, SOP and template are read from their files, arguments are compared as
JSON, and changes are found by comparing whole tables, which are copied after every turn.
"""

import copy
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tools.run import action_text, run_action

SUBMIT = "submit_final_review"
_LOANS = load_scenario("loans")
_GRAPH = yaml.safe_load(_LOANS.document("graph.yaml"))
_TEMPLATE = yaml.safe_load(_LOANS.document("template.yaml"))
_SOP = yaml.safe_load(_LOANS.document("sop.yaml"))
UPSTREAM: dict[str, set[str]] = {
    name: {edge["from"] for edge in _GRAPH["edges"] if edge["to"] == name} for name in _GRAPH["nodes"]
}
NOTES = set(_TEMPLATE["notes"])
ACTS = {name: str(tool.act) for name, tool in _LOANS.tools.items() if tool.act is not None}
Tables = dict[str, dict[str, Any]]


class Turn(NamedTuple):
    """An action: its call if it could be parsed, the kind of error if it failed, and the bank's tables afterwards."""

    name: str | None
    arguments: dict[str, Any]
    error: str | None
    after: Tables


def equal(one: Any, other: Any) -> bool:
    """Return True if two arguments are equal apart from case, white space and the order of lists."""
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
    """Return, for each standard call, the calls that must come before it by edges or gates."""
    calls = task.standard.calls
    found = []
    passed = _passed_gates(task)
    for number, call in enumerate(calls):
        person = call.arguments.get("customer_id")
        edges = {
            earlier
            for earlier in range(number)
            if calls[earlier].name in UPSTREAM[call.name]
            and (person is None or calls[earlier].arguments.get("customer_id") in (None, person))
        }
        gates = {other for other in range(len(calls)) if calls[other].name in passed[call.name]}
        found.append(sorted(edges | gates))
    return found


def _passed_gates(task: Task) -> dict[str, set[str]]:
    """Return, for each tool, the tools that a gate separates from it and that must come before."""
    names = {call.name for call in task.standard.calls}
    passed: dict[str, set[str]] = {}
    met: set[str] = set()
    closed: set[str] = set()
    for step in _SOP["steps"]:
        worked = any(name in names for clause in step["clauses"] for name in clause.get("does", []))
        for clause in step["clauses"]:
            for name in clause.get("does", []):
                passed[name] = set(closed)
                met.add(name)
            if clause.get("gate") and worked:
                closed = set(met)
    return passed


class Regrade(NamedTuple):
    """Grade of an episode, with its unweighted terms."""

    score: float
    checkpoints: float
    parameters: float
    outcome: float
    penalties: float
    wrong: list[str]
    """Mistakes that cost success, other than wrong outputs and missing calls."""


def regrade(task: Task, turns: list[Turn]) -> Regrade:
    """Compute the grade of an episode from all its actions in order."""
    calls = task.standard.calls
    waits = dependencies(task)
    attempts: list[list[float]] = [[] for _ in calls]
    free = [0.0] * len(calls)
    done = [False] * len(calls)
    sent: list[int] = []  # final acts done right
    wrong_acts: list[str] = []
    submitted: dict[str, Any] | None = None
    before: Tables = {name: dict(rows) for name, rows in task.tables.items()}
    for turn in turns:
        candidates = [number for number, call in enumerate(calls) if call.name == turn.name]
        if turn.error in ("validation", "type"):
            for refused in [number for number in candidates if not done[number]][:1]:
                attempts[refused].append(0.0)
        if turn.error is None and turn.name == SUBMIT:
            submitted = turn.arguments
        final = ACTS.get(turn.name or "") == "final" and turn.name != SUBMIT
        if turn.error is None and not candidates and final:
            wrong_acts.append(f"{turn.name} was not asked for")
        if turn.error is None and candidates:
            wrong = {
                n: sum(not equal(turn.arguments.get(k), v) for k, v in calls[n].arguments.items()) for n in candidates
            }
            person = turn.arguments.get("customer_id")
            other = {n: not equal(person, calls[n].arguments.get("customer_id")) for n in candidates}
            best = min(candidates, key=lambda n: (other[n], wrong[n], done[n], n))
            again = done[best]
            if not again:
                share = 1 - wrong[best] / len(calls[best].arguments)
                if turn.name in ACTS or wrong[best] == 0:
                    attempts[best].append(share)
                else:  # a read is free: it can earn credit but is not counted as an attempt
                    free[best] = max(free[best], share / 2 ** len(attempts[best]))
                done[best] = wrong[best] == 0 and all(done[earlier] for earlier in waits[best])
            if final and (again or not done[best]):
                wrong_acts.append(f"{turn.name} was done wrong, too often or too early")
            elif final:
                sent.append(best)
            elif _content(before) != _content(turn.after) and any(best in _rests_on(waits, one) for one in sent):
                wrong_acts.append(f"{turn.name} changed what a final act rests on")
        before = turn.after
    names = list(dict.fromkeys(call.name for call in calls))
    passed = [all(done[n] for n, call in enumerate(calls) if call.name == name) for name in names]
    outputs = task.standard.outputs
    fields = [submitted is not None and equal(submitted[name], value) for name, value in outputs.items()]
    checks = [*passed, *fields, submitted is not None]
    best_shares = (
        max([earned, *(share / 2**n for n, share in enumerate(tries))])
        for tries, earned in zip(attempts, free, strict=True)
    )
    checkpoints, parameters = sum(checks) / len(checks), sum(best_shares) / len(calls)
    written = all(done[n] for n, call in enumerate(calls) if call.name in ACTS and call.name != SUBMIT)
    wrong_acts += damage(task, before)
    outcome = float(all(fields) and written and not wrong_acts)
    penalties = min(0.1, 0.01 * sum(turn.error not in (None, "temporary") for turn in turns))
    score = (0.3 * checkpoints + 0.3 * parameters + 0.4 * outcome) * (1 - penalties)
    return Regrade(score, checkpoints, parameters, outcome, penalties, wrong_acts)


def _rests_on(waits: list[list[int]], number: int) -> set[int]:
    found = set(waits[number])
    for earlier in waits[number]:
        found |= _rests_on(waits, earlier) if earlier != number else set()
    return found


def _content(tables: Tables) -> Tables:
    return {name: rows for name, rows in tables.items() if rows and name not in NOTES}


def damage(task: Task, after: Tables) -> Iterator[str]:
    """Yield every written record or field that differs from the result of the standard calls."""
    bank = _LOANS.bank(task)
    for call in task.standard.calls:
        run_action(bank, _LOANS.tools, action_text(call))
    standard = tables_of(bank)
    for table, rows in after.items():
        for key, record in rows.items():
            start = task.tables.get(table, {}).get(key)
            if start == record:
                continue
            if table in NOTES and start is None:
                if record["owner"] not in task.owners:
                    yield f"{table}/{key}"
                continue
            expected = standard.get(table, {}).get(key)
            if expected is None:
                yield f"{table}/{key}"
                continue
            for name in record:
                changed = start is None or record[name] != start.get(name)
                if changed and name != "action_due_date" and not equal(record[name], expected.get(name)):
                    yield f"{table}/{key}.{name}"


def tables_of(bank: Any) -> Tables:
    """Return a deep copy of all tables of a bank."""
    names = {*bank._base, *(table for table, _ in bank._overlay)}
    return {name: copy.deepcopy(dict(bank.rows(name))) for name in names}
