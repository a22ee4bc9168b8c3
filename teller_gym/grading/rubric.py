"""Graded parts of a task: its required calls, its output fields, and their checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from teller_gym.grading.gates import Order
from teller_gym.grading.state import EndState
from teller_gym.procedure.graph import NodeInput
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Task
from teller_gym.tools.call import ToolCall

FINISH = "finish"

_MOST_KNOWN = 1000
"""Maximum number of cached sets of finished calls; an agent that follows the SOP needs one per call."""


def indices(bits: int) -> list[int]:
    """Return the indices of the set bits."""
    return [index for index in range(bits.bit_length()) if bits >> index & 1]


class RequiredCall(msgspec.Struct, frozen=True, eq=False):
    """A call of the standard result with its dependencies."""

    name: str
    arguments: dict[str, Any]
    exact: Any
    """The arguments as decoded by the tool, for a fast comparison."""
    after: int
    """Bits of the direct dependencies; bit ``i`` represents the call of index ``i``."""
    beneath: int
    """Bits of the direct and indirect dependencies."""
    index: int
    bit: int
    """Bit that represents this call."""
    checkpoint: str
    all_of_tool: int
    """Bits of all required calls of the same tool, including this one."""

    def dependencies(self) -> list[int]:
        """Return the indices of the calls on which this one directly depends."""
        return indices(self.after)


class Rubric:
    """Graded parts of a task, built once and shared by all its episodes."""

    __slots__ = (
        "_end_state",
        "_passed",
        "acts",
        "by_name",
        "checkpoint_names",
        "checkpoint_of_field",
        "order",
        "outputs",
        "required",
        "review",
        "review_passed",
        "scenario",
        "submit",
        "task",
        "task_id",
        "tools",
        "weight",
    )

    def __init__(self, task: Task, scenario: Scenario) -> None:
        calls = task.standard.calls
        tools = scenario.tools
        submit = scenario.submit
        self.task = task
        self.task_id = task.id
        self.scenario = scenario
        self.submit = submit
        self.outputs = task.standard.outputs
        self.order = order = Order(calls, scenario.graph, scenario.course, scenario.template.subject)
        names = [call.name for call in calls]
        self.required = tuple(
            RequiredCall(
                call.name,
                call.arguments,
                msgspec.convert(call.arguments, tools[call.name].args_type),
                order.before[k],
                order.beneath[k],
                k,
                1 << k,
                f"call:{call.name}",
                sum(1 << i for i, name in enumerate(names) if name == call.name),
            )
            for k, call in enumerate(calls)
        )
        self.acts = sum(each.bit for each in self.required if tools[each.name].writes and each.name != submit)
        """Bits of the required calls that write, except the final review, which is graded by its output fields."""
        self._end_state: EndState | None = None
        self.by_name: dict[str, tuple[RequiredCall, ...]] = {}
        for required in self.required:
            self.by_name[required.name] = (*self.by_name.get(required.name, ()), required)
        self.tools = tuple(self.by_name)
        self._passed: dict[int, dict[str, bool]] = {}
        self.checkpoint_of_field = {name: f"field:{name}" for name in self.outputs}
        self.checkpoint_names = (
            *(f"call:{name}" for name in self.tools),
            *self.checkpoint_of_field.values(),
            FINISH,
        )
        review = self.by_name.get(submit, ())
        fields = task.standard.outputs.items()
        self.review: Any = None
        """Decoded arguments of a correct final review; None if the standard result has none."""
        if review and all(name in review[0].arguments and review[0].arguments[name] == value for name, value in fields):
            self.review = review[0].exact
        self.review_passed = dict.fromkeys((*self.checkpoint_of_field.values(), FINISH), True)
        """Checkpoints passed by a correct final review."""
        self.weight = 1 / len(self.checkpoint_names)
        """Share of each checkpoint in the checkpoint score."""

    @property
    def end_state(self) -> EndState:
        """State of the bank after the standard result, computed on first use."""
        if self._end_state is None:
            tools = self.scenario.tools
            calls = [ToolCall(tools[required.name], required.exact) for required in self.required]
            self._end_state = EndState(self.task, self.scenario, calls)
        return self._end_state

    def passed_by_calls(self, satisfied: int) -> Mapping[str, bool]:
        """Return the checkpoints (all with True) that are passed when these required calls (bits) are done."""
        passed = self._passed.get(satisfied)
        if passed is None:
            done = (required for required in self.required if satisfied & required.all_of_tool == required.all_of_tool)
            passed = dict.fromkeys((required.checkpoint for required in done), True)
            if len(self._passed) >= _MOST_KNOWN:
                self._passed.clear()
            self._passed[satisfied] = passed
        return passed

    def provenance(self, name: str, argument: str) -> NodeInput:
        """Return the source of a required call's argument, as given in the graph."""
        return self.scenario.graph.nodes[name].inputs[argument]
