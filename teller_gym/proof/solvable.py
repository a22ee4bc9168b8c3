"""Checks that the work can be done: by the oracle, with harmless reads around it, and in every order that the graph
allows.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from teller_gym.agents import make_agent
from teller_gym.agents.knowledge import Spec
from teller_gym.grading.rubric import Rubric
from teller_gym.procedure.task import Task
from teller_gym.proof.filled import knowledge_of, successful
from teller_gym.proof.play import Subject, play_actions, play_agent, standard_actions, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text

_TINY = 1e-9


def oracle(env_id: str) -> ProofItem:
    """Check that the expert scores 1 on every frozen instance, and the rewards of each episode add up to its score."""
    under = subject(env_id)
    agent = make_agent("expert", under.env)
    problems = []
    for task in under.tasks:
        played = play_agent(under, task, agent)
        if not (played.success and played.score == 1.0):
            missed = [name for name, passed in played.checkpoints.items() if not passed]
            problems.append(f"{task.id}: score {played.score:.3f}, missed {', '.join(missed) or 'nothing'}")
        if abs(played.rewards - played.score) > _TINY:
            problems.append(f"{task.id}: rewards add up to {played.rewards!r}, the score is {played.score!r}")
    right = len(under.tasks) - len({problem.partition(":")[0] for problem in problems})
    figure = f"{right} of {len(under.tasks)} instances"
    claim = "the oracle scores 1.0 and its rewards add up to the score"
    return item("oracle", claim, figure, problems, {"instances": len(under.tasks), "right": right})


def harmless_reads(env_id: str, instances: int | None = None) -> ProofItem:
    """Check that reading more than needed, between the expert's calls, changes neither outcome nor score.

    Args:
        instances: how many, spread over the branches; all if None.
    """
    under = subject(env_id)
    problems: list[str] = []
    reads, used = 0, set[str]()
    readers = [tool.name for tool in under.scenario.tools.values() if not tool.writes]
    tasks = under.tasks if instances is None else under.part(instances)
    for number, task in enumerate(tasks):
        rng = random.Random(number)
        calls = list(task.standard.calls)
        spare = under.core.max_steps - len(calls) - 1
        extra = harmless_calls(under, task, rng)[: max(0, spare)]
        used.update(call.name for call in extra)
        reads += len(extra)
        # Not before the case has been read, and not after the call that ends the work.
        for call in extra:
            calls.insert(rng.randint(1, len(calls) - 1), call)
        played = play_actions(under, task, [action_text(call) for call in calls])
        if not played.success or played.score != 1.0:
            names = ", ".join(call.name for call in extra)
            problems.append(f"{task.id}: score {played.score:.3f}, {played.errors} failed, with {names}")
    unused = sorted(set(readers) - used)
    problems += [
        f"no call of {name} succeeded in any instance with arguments that the case shows: let its arguments be values "
        "of the request, of the case or of another tool's result"
        for name in unused
    ]
    figure = f"{reads} extra reads of {len(used)} of {len(readers)} tools over {len(tasks)} instances"
    measured = {"reads": reads, "tools": sorted(used), "never_read": unused}
    return item("harmless_reads", "extra harmless reads cost nothing", figure, problems, measured)


def harmless_calls(under: Subject, task: Task, rng: random.Random) -> list[Call]:
    """Return a successful call of each tool that writes nothing, filled with what the expert has seen, shuffled."""
    knowledge = knowledge_of(under, task)
    specs = [Spec(tool.schema()) for tool in under.scenario.tools.values() if not tool.writes]
    found = [call for spec in specs if (call := successful(under, task, spec, knowledge))]
    rng.shuffle(found)
    return found


def any_order(env_id: str, orders: int = 5) -> ProofItem:
    """Check that every order of the standard calls that their dependencies allow scores 1; random ones are tried."""
    under = subject(env_id)
    problems, different, played_orders = [], 0, 0
    for number, task in enumerate(under.tasks):
        rng = random.Random(number)
        rubric = Rubric(task, under.scenario)
        actions = standard_actions(task)
        for _ in range(orders):
            order = random_order([call.dependencies() for call in rubric.required], rng)
            different += order != sorted(order)
            played_orders += 1
            played = play_actions(under, task, [actions[i] for i in order])
            if not played.success or played.score != 1.0:
                names = " -> ".join(rubric.required[i].name for i in order)
                problems.append(f"{task.id}: score {played.score:.3f} for {names}")
    figure = f"{played_orders} random orders, {different} of them not the standard one"
    measured = {"orders": played_orders, "different": different}
    return item("any_order", "any order that the graph allows is accepted", figure, problems, measured)


def random_order(after: Sequence[Sequence[int]], rng: random.Random) -> list[int]:
    """Return a random topological order; the last call, which ends the work, stays last."""
    left = set(range(len(after)))
    last = len(after) - 1
    order: list[int] = []
    while left:
        ready = sorted(i for i in left if not left.intersection(after[i]) and (i != last or len(left) == 1))
        chosen = rng.choice(ready)
        left.remove(chosen)
        order.append(chosen)
    return order
