"""Claim that the randomisations are fair: the oracle scores 1 under each of them and on the variant splits."""

from __future__ import annotations

from typing import Any, NamedTuple

from teller_gym.agents import make_agent
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import VARIANT_SPLITS, Split, Task
from teller_gym.proof.play import Subject, play_all, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tasks.store import generate_task, split_tasks
from teller_gym.variation.pool import ALL

TOGETHER = "all"
"""Name of the combination of all randomisations."""

_FIRST_SEED = 4_000_000
"""First seed of the generated instances for the oracle."""


class Series(NamedTuple):
    """Tasks to play in an env with the given options."""

    name: str
    options: dict[str, Any]
    tasks: tuple[Task, ...]


def randomisations(scenario: Scenario) -> dict[str, dict[str, Any]]:
    """Return the options for each randomisation that a scenario supports, and for all combined."""
    found: dict[str, dict[str, Any]] = {"policy_shift": {"policy_shift": True}} if scenario.policy_rules else {}
    found |= {name: {name: True} for name in ("schema_shift", "perturb", "faults")}
    found["distractors"] = {"distractors": ALL}
    return found | {TOGETHER: {name: value for options in found.values() for name, value in options.items()}}


def variant_series(scenario: Scenario, n: int | None) -> list[Series]:
    """Return the first n tasks in each variant split, or all tasks if n is None."""
    splits: dict[Split, tuple[Task, ...]] = {split: split_tasks(scenario.name, split) for split in VARIANT_SPLITS}
    return [Series(str(split), {}, tasks[:n]) for split, tasks in splits.items() if tasks]


def varied_oracle(env_id: str, each: int, together: int, variants: int | None = None) -> list[ProofItem]:
    """Check that the expert scores 1 under each randomisation and all combined.

    Variant splits are also checked.

    Args:
        each: number of tasks under a single randomisation.
        together: number of tasks under all randomisations combined.
        variants: number of tasks per variant split.
    """
    scenario = subject(env_id).scenario
    kinds = randomisations(scenario)
    generated = tuple(generate_task(scenario.name, _FIRST_SEED + number) for number in range(max(each, together)))
    series = [
        Series(name, options, generated[: together if name == TOGETHER else each]) for name, options in kinds.items()
    ]
    for one in variant_series(scenario, variants):
        series += [one, one._replace(name=f"{one.name}+{TOGETHER}", options=kinds[TOGETHER])]
    return [_oracle(env_id, one) for one in series]


def _oracle(env_id: str, series: Series) -> ProofItem:
    under = Subject(env_id, **series.options)
    under.start(series.tasks[0])
    played = play_all(under, series.tasks, make_agent("expert", under.env))
    problems = [f"{task.id}: {flaw}" for task, one in played if (flaw := one.flaw())]
    count = len(series.tasks)
    figure = f"{count - len(problems)} of {count} instances"
    claim = f"the oracle scores 1.0 under {series.name}"
    return item(f"varied.oracle.{series.name}", claim, figure, problems, {"instances": count})
