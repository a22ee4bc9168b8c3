"""Chooses the tasks of a scenario's held-out splits that vary policy, schema or branches.

Each split has ``SIZE`` tasks, all different from the instances, from each other and from all generated tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import VARIANT_SPLITS, Split, Task
from teller_gym.tasks.freezing.instances import outcome_of
from teller_gym.variation.options import heldout_schema

SIZE = 50

FIRST_SEEDS = {
    Split.HELDOUT_POLICY: 8_000_000_000,
    Split.HELDOUT_SCHEMA: 8_100_000_000,
    Split.HELDOUT_BRANCH: 8_200_000_000,
}
"""First seed of each split; above every seed of generated tasks and of instances."""

_CANDIDATES = 20_000


def choose(scenario: Scenario, instances: Sequence[Task]) -> list[Task]:
    """Choose the tasks of the three splits.

    A split whose document is missing (``policy_shift.yaml``, ``withheld_branches.yaml``) stays empty.
    """
    taken = {task.fingerprint for task in instances}
    heldout = Counter(outcome_of(scenario)(task) for task in instances if task.split is Split.HELDOUT)
    chosen: list[Task] = []
    for split in VARIANT_SPLITS:
        if split is Split.HELDOUT_POLICY and not scenario.policy_rules:
            continue
        if split is Split.HELDOUT_BRANCH and not scenario.withheld_branches:
            continue
        tasks = _choose(scenario, split, taken, heldout)
        taken |= {task.fingerprint for task in tasks}
        chosen += tasks
    return chosen


def _choose(scenario: Scenario, split: Split, taken: set[str], heldout: Counter[str]) -> list[Task]:
    """Choose the first candidates of each kind until each kind has its share."""
    shares = _shares(scenario, split, heldout)
    found: list[Task] = []
    fingerprints = set(taken)
    for number, task in enumerate(_candidates(scenario, split)):
        kind = _kind(scenario, split, task)
        if shares[kind] > 0 and task.fingerprint not in fingerprints:
            shares[kind] -= 1
            fingerprints.add(task.fingerprint)
            task_id = f"{scenario.name}-{split.removeprefix('heldout_')}-{len(found) + 1:04d}"
            schema = heldout_schema(len(found)) if split is Split.HELDOUT_SCHEMA else ""
            found.append(msgspec.structs.replace(task, id=task_id, schema=schema))
        if not +shares or number == _CANDIDATES:
            break
    return found


def _candidates(scenario: Scenario, split: Split) -> Iterator[Task]:
    for seed in range(FIRST_SEEDS[split], FIRST_SEEDS[split] + _CANDIDATES + 1):
        if split is Split.HELDOUT_POLICY:
            values = scenario.draw_policy(f"heldout/{seed}")
            task = scenario.generate(seed, split=split, policy=values)
            # The usual policy must lead to a wrong answer.
            usual = msgspec.structs.replace(task, policy={})
            if scenario.solve(usual).outputs != task.standard.outputs:
                yield task
        elif split is Split.HELDOUT_SCHEMA:
            yield scenario.generate(seed, split=split)
        else:
            task = scenario.complete(scenario.draft(seed), task_id="", seed=seed, split=split)
            if scenario.is_withheld(task.branches):
                yield task


def _kind(scenario: Scenario, split: Split, task: Task) -> str:
    """Return the kind by which a split is balanced: the withheld combination of branches, or the outcome."""
    if split is not Split.HELDOUT_BRANCH:
        return outcome_of(scenario)(task)
    held = scenario.withheld_branches
    return str(next(i for i, one in enumerate(held) if all(task.branches.get(k) == v for k, v in one.items())))


def _shares(scenario: Scenario, split: Split, heldout: Counter[str]) -> Counter[str]:
    """Return the number of tasks of each kind in the split; the most frequent kinds get the remainder."""
    if split is Split.HELDOUT_BRANCH:
        weights = Counter(dict.fromkeys(map(str, range(len(scenario.withheld_branches))), 1))
    else:
        weights = heldout
    total = weights.total()
    shares = Counter({kind: SIZE * weight // total for kind, weight in weights.items()})
    for kind, _ in sorted(weights.items(), key=lambda item: (-item[1], item[0]))[: SIZE - shares.total()]:
        shares[kind] += 1
    return shares
