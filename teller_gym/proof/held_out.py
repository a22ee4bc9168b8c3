"""Claims that the held-out splits' policies, branches and tool names do not occur in training."""

from __future__ import annotations

from collections.abc import Iterable

from teller_gym.base.errors import ToolError
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.proof.play import play_actions, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tasks.store import generate_task, split_tasks, under_policy_shift
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text, run_action
from teller_gym.tools.tool import ToolSet
from teller_gym.variation.options import HELDOUT_SCHEMAS, SCHEMAS, heldout_schema
from teller_gym.variation.pool import tools_in_play

_MOST_RIGHT = 0.02


def stubborn_reader(env_id: str) -> ProofItem:
    """Check that an expert that applies the usual policy solves at most `_MOST_RIGHT` of the cases under other
    policies."""
    under = subject(env_id)
    tasks = split_tasks(under.scenario.name, Split.HELDOUT_POLICY)
    right = [task.id for task in tasks if play_actions(under, task, _by_the_usual_policy(under.scenario, task)).success]
    share = len(right) / len(tasks) if tasks else 0.0
    problems = [f"{task_id} is right by the usual policy, too" for task_id in right] if share > _MOST_RIGHT else []
    figure = f"{len(right)} of {len(tasks)} cases right"
    claim = f"an expert that remembers the usual policy gets at most {_MOST_RIGHT:.0%} of other policies' cases right"
    return item("heldout.policy", claim, figure, problems, {"right": len(right), "instances": len(tasks)})


def _by_the_usual_policy(scenario: Scenario, task: Task) -> list[str]:
    """Return the calls of an expert that applies the usual policy and stops at the first failed call."""
    bank = scenario.bank(task)
    steps = scenario.expert(task.request, scenario.policy)
    actions: list[str] = []
    call: Call = next(steps)
    while True:
        actions.append(action_text(call))
        try:
            call = steps.send(run_action(bank, scenario.tools, actions[-1]))
        except (StopIteration, ToolError):
            return actions


def withheld_branches(env_id: str, n: int) -> list[ProofItem]:
    """Check that withheld combinations of outcomes occur only in their split.

    Each single outcome must also occur in train.
    """
    scenario = subject(env_id).scenario
    combinations = scenario.withheld_branches
    fresh = [generate_task(scenario.name, seed) for seed in range(n)]
    moved = [under_policy_shift(task, 1) for task in fresh] if scenario.policy_rules else []
    frozen = subject(env_id).tasks
    shown = [task.id for task in (*frozen, *fresh, *moved) if scenario.is_withheld(task.branches)]
    held = split_tasks(scenario.name, Split.HELDOUT_BRANCH)
    stray = [task.id for task in held if not scenario.is_withheld(task.branches)]
    problems = [f"{task_id} shows a withheld combination" for task_id in shown]
    problems += [f"{task_id} shows none" for task_id in stray]
    figure = (
        f"{len(combinations)} combinations; {len(shown)} of {len(frozen)} frozen and {len(fresh) + len(moved)} "
        f"generated instances, {len(held) - len(stray)} of {len(held)} of the split"
    )
    claim = "withheld combinations of branches occur only in their split"
    found = [item("heldout.branches", claim, figure, problems, {"combinations": len(combinations)})]
    train = {pair for task in split_tasks(scenario.name, Split.TRAIN) for pair in task.branches.items()}
    single = {pair for combination in combinations for pair in combination.items()}
    missing = [f"no train task has {point} {outcome}" for point, outcome in sorted(single - train)]
    claim = "each single outcome of a withheld combination occurs in train"
    return [*found, item("heldout.outcomes", claim, f"{len(single)} outcomes", missing, {"outcomes": len(single)})]


def schema_names(env_id: str) -> ProofItem:
    """Check that no tool name in a held-out schema occurs in a train schema, in any naming style.

    Only the scenario's own tools count, because distractors and parameters keep names without a natural synonym; the
    share of shared parameter names is reported.
    """
    name = subject(env_id).scenario.name
    train = [tools_in_play(name, 0, "", f"1/{number}") for number in range(SCHEMAS)]
    held = [tools_in_play(name, 0, "", heldout_schema(number)) for number in range(HELDOUT_SCHEMAS)]
    tools, fields = _tool_names(held), _parameter_names(held)
    shared = sorted(tools & _tool_names(train))
    parameters = len(fields & _parameter_names(train)) / len(fields)
    problems = [f"{shown} is the name of a tool in a train schema, too" for shown in shared]
    figure = (
        f"{len(shared)} of {len(tools)} tool names of {HELDOUT_SCHEMAS} held-out schemas in {SCHEMAS} train schemas; "
        f"of {len(fields)} parameter names {parameters:.0%}"
    )
    measured = {"tool_names": len(tools), "shared": len(shared), "shared_parameters": round(parameters, 4)}
    return item("heldout.schemas", "held-out schemas share no tool name with train schemas", figure, problems, measured)


def _tool_names(schemas: Iterable[ToolSet]) -> set[str]:
    return {_bare(name) for tools in schemas for name in tools}


def _parameter_names(schemas: Iterable[ToolSet]) -> set[str]:
    return {_bare(p.name) for tools in schemas for tool in tools.values() for p in tool.parameters}


def _bare(name: str) -> str:
    """Return a name in lower case without separators."""
    return name.replace("_", "").replace("-", "").lower()
