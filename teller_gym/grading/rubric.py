"""What is graded for one task: its required calls, its output fields, and the checkpoints that these make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from teller_gym.procedure.graph import Graph, NodeInput
from teller_gym.procedure.task import Task
from teller_gym.tools.call import ToolCall
from teller_gym.tools.tool import Tool

FINISH = "finish"
SUBJECT = "customer_id"

_encode = msgspec.json.Encoder().encode
_MOST_KNOWN = 1000
"""Sets of required calls for which the checkpoints passed are kept; who works by the SOP meets as many as calls."""


class RequiredCall(msgspec.Struct, frozen=True, eq=False):
    """One call of the standard result, with the required calls that must come before it."""

    rubric: Rubric
    """The one that it belongs to."""
    name: str
    arguments: dict[str, Any]
    exact: Any
    """The arguments as the tool decodes them: an equal struct is right without looking at each."""
    after: int
    """The required calls that must come before: bit ``i`` stands for the call of index ``i``."""
    index: int
    bit: int
    """The one that stands for this call."""
    checkpoint: str
    all_of_tool: int
    """The required calls of the same tool, this one among them, as bits."""

    @property
    def alone(self) -> bool:
        """Whether it is the only one of its tool."""
        return self.all_of_tool == self.bit

    def dependencies(self) -> list[int]:
        """Return the indices of the required calls that must come before."""
        return [index for index in range(self.after.bit_length()) if self.after >> index & 1]


class RecognisedCall(ToolCall, frozen=True, gc=False):
    """A call that makes a required call to the last byte, with that one's own arguments."""

    required: RequiredCall


class Rubric:
    """What is graded for one task; built once and shared by all episodes of it.

    Args:
        task: with its standard result.
        graph: says which calls depend on which, and where each argument comes from.
        submit: name of the tool that takes the output fields and ends the episode.
        tools: the scenario's tools by their original names.
    """

    __slots__ = (
        "_passed",
        "by_name",
        "checkpoint_names",
        "checkpoint_of_field",
        "graph",
        "outputs",
        "owners",
        "required",
        "review",
        "review_passed",
        "submit",
        "task_id",
        "tools",
        "weight",
    )

    def __init__(self, task: Task, graph: Graph, submit: str, tools: Mapping[str, Tool]) -> None:
        calls = task.standard.calls
        self.task_id = task.id
        self.graph = graph
        self.submit = submit
        self.outputs = task.standard.outputs
        self.owners = frozenset(task.owners)
        names = [call.name for call in calls]
        upstream = {name: frozenset(graph.upstream(name)) for name in dict.fromkeys(names)}
        self.required = tuple(
            RequiredCall(
                self,
                call.name,
                call.arguments,
                msgspec.convert(call.arguments, tools[call.name].args_type),
                sum(
                    1 << i
                    for i, other in enumerate(calls[:k])
                    if other.name in upstream[call.name] and _same_subject(call.arguments, other.arguments)
                ),
                k,
                1 << k,
                f"call:{call.name}",
                sum(1 << i for i, name in enumerate(names) if name == call.name),
            )
            for k, call in enumerate(calls)
        )
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
        """The submitting tool's arguments that have every output field right; None if no standard call has."""
        if review and all(name in review[0].arguments and review[0].arguments[name] == value for name, value in fields):
            self.review = review[0].exact
        self.review_passed = dict.fromkeys((*self.checkpoint_of_field.values(), FINISH), True)
        """The checkpoints that these arguments pass."""
        self.weight = 1 / len(self.checkpoint_names)
        """Each checkpoint's share of the checkpoint score."""

    def recognise(self, call: ToolCall) -> ToolCall:
        """Return a call as a :class:`RecognisedCall` if it makes one of the required calls; else, as it is."""
        exact = [required for required in self.by_name.get(call.tool.name, ()) if required.exact == call.arguments]
        if len(exact) != 1 or _encode(exact[0].exact) != _encode(call.arguments):  # 0.0 equals -0.0
            return call
        return RecognisedCall(call.tool, exact[0].exact, exact[0])

    def passed_by_calls(self, satisfied: int) -> Mapping[str, bool]:
        """Return the checkpoints of calls that are passed once these are done right, each with True.

        Args:
            satisfied: required calls, as bits.
        """
        passed = self._passed.get(satisfied)
        if passed is None:
            done = (required for required in self.required if satisfied & required.all_of_tool == required.all_of_tool)
            passed = dict.fromkeys((required.checkpoint for required in done), True)
            if len(self._passed) >= _MOST_KNOWN:
                self._passed.clear()
            self._passed[satisfied] = passed
        return passed

    def provenance(self, name: str, argument: str) -> NodeInput:
        """Return where a required call's argument should come from."""
        return self.graph.nodes[name].inputs[argument]


def _same_subject(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
    """Calls about two different customers do not wait for each other."""
    return SUBJECT not in mine or SUBJECT not in theirs or mine[SUBJECT] == theirs[SUBJECT]
