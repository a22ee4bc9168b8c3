"""Claims that cases can be solved by the oracle, in every allowed order, and with harmless calls in between."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from teller_gym.agents import make_agent
from teller_gym.grading.rubric import Rubric
from teller_gym.procedure.task import Split, Task
from teller_gym.proof.fillable_calls import fillable_calls
from teller_gym.proof.play import Subject, play_actions, play_all, spread, standard_actions, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text, run_action
from teller_gym.tools.tool import Act

_ORDERS = 5


def oracle(env_id: str) -> ProofItem:
    """Check that the expert scores 1 on every frozen instance.

    Each episode's rewards must sum to its score.
    """
    under = subject(env_id)
    played = play_all(under, under.tasks, make_agent("expert", under.env))
    problems = [f"{task.id}: {flaw}" for task, one in played if (flaw := one.flaw())]
    count = len(under.tasks)
    figure = f"{count - len(problems)} of {count} instances"
    claim = "the oracle scores 1.0 and its rewards add up to the score"
    return item("oracle", claim, figure, problems, {"instances": count, "right": count - len(problems)})


def mixed_oracle(env_id: str, instances: int | None = None) -> ProofItem:
    """Check that the standard calls score 1 in an env that mixes scenarios.

    The rewards must sum to the score. ``instances`` is the number of instances per scenario, spread evenly over its
    file; None takes all.
    """
    under = subject(env_id)
    problems, count = [], 0
    for scenario in under.scenarios:
        tasks = list(frozen_tasks(scenario).values())
        for task in tasks if instances is None else tasks[:: max(1, len(tasks) // instances)]:
            count += 1
            if flaw := play_actions(under, task, standard_actions(task)).flaw():
                problems.append(f"{task.id}: {flaw}")
    figure = f"{count - len(problems)} of {count} instances of {len(under.scenarios)} scenarios"
    claim = "the standard calls score 1.0 and the rewards add up to the score"
    return item("oracle", claim, figure, problems, {"instances": count, "scenarios": list(under.scenarios)})


def every_scenario(env_id: str) -> ProofItem:
    """Check that resets of an env that mixes scenarios draw every scenario and make its tools available."""
    under, draws = subject(env_id), 50
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


# -- other ways to solve a case ---------------------------------------------------------------------------------------


def harmless_reads(env_id: str, instances: int | None = None) -> ProofItem:
    """Check that additional reads between the expert's calls change neither outcome nor score."""
    under = subject(env_id)
    problems: list[str] = []
    reads, used = 0, set[str]()
    readers = [tool.name for tool in under.scenario.tools.values() if not tool.writes]
    tasks = under.part(instances)
    for number, task in enumerate(tasks):
        rng = random.Random(number)
        calls = list(task.standard.calls)
        spare = under.core.max_steps - len(calls) - 1
        extra = fillable_calls(under, task, (None,))
        rng.shuffle(extra)
        extra = extra[: max(0, spare)]
        used.update(call.name for call in extra)
        reads += len(extra)
        # After the call that reads the case and before the call that ends the episode.
        for call in extra:
            calls.insert(rng.randint(1, len(calls) - 1), call)
        if flaw := play_actions(under, task, map(action_text, calls)).flaw():
            problems.append(f"{task.id}: {flaw}, with {', '.join(call.name for call in extra)}")
    unused = sorted(set(readers) - used)
    problems += [
        f"no call of {name} succeeded in any instance with arguments that the case shows: let its arguments be values "
        "of the request, of the case or of another tool's result"
        for name in unused
    ]
    figure = f"{reads} extra reads of {len(used)} of {len(readers)} tools over {len(tasks)} instances"
    measured = {"reads": reads, "tools": sorted(used), "never_read": unused}
    return item("harmless_reads", "extra harmless reads cost nothing", figure, problems, measured)


def any_order(env_id: str, orders: int = _ORDERS) -> ProofItem:
    """Check that the standard calls score 1 in random orders that respect their dependencies."""
    under = subject(env_id)
    problems, different = [], 0
    for number, task in enumerate(under.tasks):
        rng = random.Random(number)
        dependencies = [call.dependencies() for call in Rubric(task, under.scenario).required]
        for _ in range(orders):
            order = random_order(dependencies, rng)
            different += order != sorted(order)
            problems += _lost(under, task, [task.standard.calls[i] for i in order])
    played = orders * len(under.tasks)
    figure = f"{played} random orders, {different} of them not the standard one"
    measured = {"orders": played, "different": different}
    return item("any_order", "any order that the graph allows is accepted", figure, problems, measured)


def right_ways(env_id: str, instances: int | None = None) -> ProofItem:
    """Check that the standard calls score 1 in every order allowed by edges and gates.

    They must also do so with additional reads, notes and repeated records.
    """
    under = subject(env_id)
    problems: list[str] = []
    extra, different = 0, 0
    tasks = spread([task for task in under.tasks if task.split is Split.HELDOUT], instances)
    used: set[str] = set()
    for number, task in enumerate(tasks):
        rng = random.Random(number)
        dependencies = [call.dependencies() for call in Rubric(task, under.scenario).required]
        harmless = fillable_calls(under, task, (None, Act.NOTE))
        used.update(call.name for call in harmless)
        problems += [f"{task.id}: {complaint}" for complaint in _stray_notes(under, task, harmless)]
        for _ in range(_ORDERS):
            order = random_order(dependencies, rng)
            calls = [task.standard.calls[i] for i in order]
            different += order != sorted(order)
            extra += _sprinkle(under, calls, harmless, rng)
            problems += _lost(under, task, calls)
    notes = {tool.name for tool in under.scenario.tools.values() if tool.act is Act.NOTE}
    problems += [f"no harmless call of {name} was found for any instance" for name in sorted(notes - used)]
    played = _ORDERS * len(tasks)
    figure = (
        f"{played} orders over {len(tasks)} instances, {different} of them not the standard one, {extra} calls added"
    )
    measured = {"orders": played, "different": different, "added": extra, "tools": sorted(used)}
    return item("acts.right", "every right way scores 1, reads, notes and repeats in it", figure, problems, measured)


def random_order(after: Sequence[Sequence[int]], rng: random.Random) -> list[int]:
    """Return a random topological order.

    The last call, which ends the episode, remains last.
    """
    left = set(range(len(after)))
    last = len(after) - 1
    order: list[int] = []
    while left:
        ready = sorted(i for i in left if not left.intersection(after[i]) and (i != last or len(left) == 1))
        chosen = rng.choice(ready)
        left.remove(chosen)
        order.append(chosen)
    return order


def _lost(under: Subject, task: Task, calls: Sequence[Call]) -> list[str]:
    """Play the calls and return an error message if they score below 1, otherwise an empty list."""
    flaw = play_actions(under, task, map(action_text, calls)).flaw()
    return [f"{task.id}: {flaw}, for {' -> '.join(call.name for call in calls)}"] if flaw else []


def _sprinkle(under: Subject, calls: list[Call], harmless: list[Call], rng: random.Random) -> int:
    """Insert harmless calls and repetitions of revisable records into ``calls``, and return the number inserted."""
    spare = max(0, under.core.max_steps - len(calls))
    repeats = [(i, call) for i, call in enumerate(calls) if under.scenario.tools[call.name].act is Act.REVISABLE]
    added = len(repeats) if spare >= len(repeats) else 0
    for i, call in reversed(repeats if added else []):
        calls.insert(i + 1, call)
    for call in rng.sample(harmless, min(len(harmless), spare - added)):
        calls.insert(rng.randint(1, len(calls) - 1), call)  # after the call that reads the case, before the last
        added += 1
    return added


def _stray_notes(under: Subject, task: Task, harmless: list[Call]) -> list[str]:
    """Return problems with the note tables, which are notes in other tables, or other records in the note tables."""
    notes = set(under.scenario.template.notes)
    problems = []
    for call in harmless:
        written = _written(under, under.scenario.bank(task), [call])
        if under.scenario.tools[call.name].act is Act.NOTE and written - notes:
            problems.append(f"{call.name} may write only notes, and writes {', '.join(sorted(written - notes))}")
    wrong = _written(under, under.scenario.bank(task), task.standard.calls) & notes
    problems += [f"the standard result writes {table}, which is only for notes" for table in sorted(wrong)]
    return problems


def _written(under: Subject, bank: Bank, calls: Iterable[Call]) -> set[str]:
    for call in calls:
        run_action(bank, under.scenario.tools, action_text(call))
    return {change.table for change in bank.diff()}
