"""Checks of an env that mixes scenarios: each one's cases come up, and are worked as in its own env."""

from __future__ import annotations

from collections import Counter

from teller_gym.proof.play import play_actions, standard_actions, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tasks.store import frozen_tasks


def mixed_oracle(env_id: str, instances: int | None = None) -> ProofItem:
    """Check that the standard calls score 1 on frozen instances of every scenario, and the rewards add up to the score.

    Args:
        instances: so many of each scenario, evenly from the file; all if None.
    """
    under = subject(env_id)
    problems, count = [], 0
    scenarios = under.scenarios
    for scenario in scenarios:
        tasks = list(frozen_tasks(scenario).values())
        for task in tasks if instances is None else tasks[:: max(1, len(tasks) // instances)]:
            count += 1
            played = play_actions(under, task, standard_actions(task))
            if not played.success or played.score != 1.0 or abs(played.rewards - 1.0) > 1e-9:
                problems.append(f"{task.id}: score {played.score:.3f}, rewards {played.rewards:.3f}")
    figure = f"{count - len(problems)} of {count} instances of {len(scenarios)} scenarios"
    claim = "the standard calls score 1.0 and the rewards add up to the score"
    return item("oracle", claim, figure, problems, {"instances": count, "scenarios": list(scenarios)})


def every_scenario(env_id: str, draws: int) -> ProofItem:
    """Check that resets draw cases of every scenario, each with its own tools in play."""
    under = subject(env_id)
    drawn: Counter[str] = Counter()
    problems = []
    for seed in range(draws):
        _, info = under.env.reset(seed=seed)
        drawn[info["scenario"]] += 1
        if under.core.scenario.name != info["scenario"] or under.core.scenario.submit not in under.core.tools:
            problems.append(f"seed {seed}: the tools in play are not those of {info['scenario']}")
    problems += [f"{name} never came up" for name in under.scenarios if not drawn[name]]
    figure = f"{draws} resets: " + ", ".join(f"{count} {name}" for name, count in sorted(drawn.items()))
    return item("scenarios", "every scenario comes up, with its own tools", figure, problems, {"drawn": dict(drawn)})
