"""Checks that the randomisations are fair: the oracle still scores 1, and cheap agents still get nowhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from teller_gym.agents import make_agent
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import VARIANT_SPLITS, Split, Task
from teller_gym.proof.cheap import MOST_SCORE, MOST_SUCCESS
from teller_gym.proof.play import Played, Subject, play_agent, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tasks.store import generate_task, split_tasks
from teller_gym.variation.pool import ALL

TOGETHER = "all"
"""All randomisations at once."""

_FIRST_SEED = 4_000_000
"""Of the generated instances that the oracle plays."""


class Series(NamedTuple):
    """Some tasks in an env with some options."""

    name: str
    options: dict[str, Any]
    tasks: tuple[Task, ...]


def randomisations(scenario: Scenario) -> dict[str, dict[str, Any]]:
    """Return the options of each randomisation that a scenario has, and of all together."""
    found: dict[str, dict[str, Any]] = {"policy_shift": {"policy_shift": True}} if scenario.policy_rules else {}
    found |= {name: {name: True} for name in ("schema_shift", "perturb", "faults")}
    found["distractors"] = {"distractors": ALL}
    return found | {TOGETHER: {name: value for options in found.values() for name, value in options.items()}}


def variant_series(scenario: Scenario, n: int | None) -> list[Series]:
    """Return the first n tasks of each held-out split that varies something; all if None."""
    splits: dict[Split, tuple[Task, ...]] = {split: split_tasks(scenario.name, split) for split in VARIANT_SPLITS}
    return [Series(str(split), {}, tasks[:n]) for split, tasks in splits.items() if tasks]


def varied_oracle(env_id: str, each: int, together: int, variants: int | None = None) -> list[ProofItem]:
    """Check that the expert scores 1 under each randomisation and all, generated and on the variant splits.

    Args:
        env_id: as for ``gym.make``.
        each: generated instances under each randomisation.
        together: generated instances under all at once.
        variants: tasks of each split that varies something, with and without all randomisations; all if None.
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
    problems = [
        f"{task.id}: score {played.score:.3f}, missed {', '.join(_missed(played)) or 'nothing'}"
        for task, played in _play(env_id, "expert", series)
        if not (played.success and played.score == 1.0)
    ]
    count = len(series.tasks)
    figure = f"{count - len(problems)} of {count} instances"
    claim = f"the oracle scores 1.0 under {series.name}"
    return item(f"varied.oracle.{series.name}", claim, figure, problems, {"instances": count})


def _missed(played: Played) -> list[str]:
    return [name for name, passed in played.checkpoints.items() if not passed]


def varied_cheap(env_id: str, name: str, n: int, crowded: int, variants: int | None = None) -> ProofItem:
    """Check that a cheap agent stays under 0.25 mean score and 2 % success, randomised and on the variant splits.

    Args:
        env_id: as for ``gym.make``.
        name: of the agent.
        n: frozen instances under each randomisation, spread over the branches; of those right as many are too many as
            are 2 % of all frozen instances, since a part has more of what is rare.
        crowded: the same where all distractors are in play, which takes long.
        variants: tasks of each split that varies something; all if None.
    """
    under = subject(env_id)
    few = MOST_SUCCESS * len(under.tasks)
    series = [
        (Series(kind, options, tuple(under.part(crowded if "distractors" in options else n))), few)
        for kind, options in randomisations(under.scenario).items()
    ]
    series += [(one, MOST_SUCCESS * len(one.tasks)) for one in variant_series(under.scenario, variants)]
    problems: list[str] = []
    measured: dict[str, Any] = {}
    for one, too_many in series:
        played = [result for _, result in _play(env_id, name, one)]
        count, right = len(played), sum(result.success for result in played)
        mean = sum(result.score for result in played) / count
        measured[one.name] = {"mean_score": mean, "success": right / count, "instances": count}
        if mean >= MOST_SCORE:
            problems.append(f"{one.name}: mean score {mean:.3f}, expected under {MOST_SCORE}")
        if right >= too_many:
            problems.append(f"{one.name}: {right} of {count} right, expected under {too_many:.1f}")
    figure = "mean score " + ", ".join(f"{kind} {found['mean_score']:.3f}" for kind, found in measured.items())
    claim = f"{name} stays there under each randomisation and on held-out variants"
    return item(f"varied.{name}", claim, figure, problems, measured)


def _play(env_id: str, name: str, series: Series) -> Iterable[tuple[Task, Played]]:
    """Let an agent play tasks under a series' options."""
    under = Subject(env_id, **series.options)
    agent = None
    for number, task in enumerate(series.tasks):
        under.start(task)
        agent = agent or make_agent(name, under.env)
        if seed := getattr(agent, "seed", None):
            seed(number)
        yield task, play_agent(under, task, agent)
