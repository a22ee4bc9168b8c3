"""Checks that the expert and the independent solver agree on realistic cases."""

from __future__ import annotations

from teller_gym.base.errors import ToolError
from teller_gym.base.text import canonical_json
from teller_gym.procedure.task import Task
from teller_gym.proof.play import subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tasks.store import generate_task


def agreement(env_id: str, n: int = 1000) -> list[ProofItem]:
    """Check that expert and solver agree on, and the realism rules hold for, all frozen and n generated instances."""
    under = subject(env_id)
    scenario = under.scenario
    differ: list[str] = []
    unreal: list[str] = []
    count = 0
    for place in range(len(under.tasks) + n):
        seed = place - len(under.tasks)
        try:
            task = under.tasks[place] if seed < 0 else generate_task(scenario.name, seed)
        except ToolError as error:
            differ.append(f"generated {seed}: the expert's call failed: {error.message}")
            continue
        count += 1
        differ += _differences(task, canonical_json(scenario.solve(task).outputs))
        unreal += [f"{task.id}: {complaint}" for complaint in scenario.realism(task, scenario.policy_of(task))]
    whose = f"{len(under.tasks)} frozen and {n} generated instances"
    measured = {"frozen": len(under.tasks), "generated": n}
    return [
        item("agreement", "solver and expert agree", whose, differ, {**measured, "differ": len(differ)}),
        item("realism", "the realism rules hold", f"{count} instances", unreal, {**measured, "unreal": len(unreal)}),
    ]


def _differences(task: Task, solved: bytes) -> list[str]:
    standard = canonical_json(task.standard.outputs)
    if standard == solved:
        return []
    return [f"{task.id}: the expert filed {standard.decode()}, the solver says {solved.decode()}"]
