"""Grading: checkpoints, parameters and outcome from calls and state, never prose; rewards as potential differences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from teller_gym.bank import Bank
from teller_gym.errors import ErrorKind, OptionError
from teller_gym.graph import Graph, NodeInput
from teller_gym.task import Task
from teller_gym.text import canonical_json, same_value
from teller_gym.tools import Tool

FINISH = "finish"
_SUBJECT = "customer_id"
_REFUSED_ARGUMENTS = (ErrorKind.VALIDATION, ErrorKind.TYPE)
_MONEY_TOLERANCE = 0.005
_SCORE_UNITS = 10**12
"""Scores are whole multiples of one over this."""


class RewardConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Weights and penalties of the score. Changing a default makes a new env version.

    Raises:
        OptionError: a value is no number of 0 or more, or the weights do not add up to 1.
    """

    checkpoints: float = 0.3
    parameters: float = 0.3
    outcome: float = 0.4
    failed_call: float = 0.01
    """Taken off for each call that came back with an error."""
    failed_calls_at_most: float = 0.1
    shaped: bool = True
    """Whether steps are paid as the score grows; otherwise only the outcome is paid, at the end."""

    def __post_init__(self) -> None:
        for name in ("checkpoints", "parameters", "outcome", "failed_call", "failed_calls_at_most"):
            value = getattr(self, name)
            if type(value) not in (int, float) or not 0 <= value < math.inf:
                raise OptionError(f"reward.{name}: expected a number of 0 or more, got {value!r}")
            # Whole numbers would make columns of whole numbers in vector environments.
            msgspec.structs.force_setattr(self, name, float(value))
        weights = (self.checkpoints, self.parameters, self.outcome)
        if abs(sum(weights) - 1) > 1e-9:
            raise OptionError(f"reward: expected checkpoints, parameters and outcome to add up to 1, got {weights}")
        if not isinstance(self.shaped, bool):
            raise OptionError(f"reward.shaped: expected True or False, got {self.shaped!r}")


class RequiredCall(msgspec.Struct, frozen=True):
    """One call of the standard result, with the required calls that must come before it."""

    name: str
    arguments: dict[str, Any]
    exact: Any
    """The arguments as the tool decodes them: an equal struct is right without looking at each."""
    after: int
    """The required calls that must come before: bit ``i`` stands for the call of index ``i``."""

    def dependencies(self) -> list[int]:
        """Return the indices of the required calls that must come before."""
        return [index for index in range(self.after.bit_length()) if self.after >> index & 1]


class Rubric:
    """What is graded for one task; built once and shared by all episodes of it.

    Args:
        task: with its standard result.
        graph: says which calls depend on which, and where each argument comes from.
        submit: name of the tool that takes the output fields and ends the episode.
        tools: the scenario's tools by their original names.
    """

    __slots__ = (
        "by_name",
        "checkpoint_names",
        "checkpoint_of",
        "graph",
        "outputs",
        "owners",
        "required",
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
        upstream = {name: frozenset(graph.upstream(name)) for name in {call.name for call in calls}}
        self.required = tuple(
            RequiredCall(
                call.name,
                call.arguments,
                tools[call.name].decode(canonical_json(call.arguments)),
                sum(
                    1 << i
                    for i, other in enumerate(calls[:k])
                    if other.name in upstream[call.name] and _same_subject(call.arguments, other.arguments)
                ),
            )
            for k, call in enumerate(calls)
        )
        self.by_name: dict[str, tuple[int, ...]] = {}
        for i, call in enumerate(calls):
            self.by_name[call.name] = (*self.by_name.get(call.name, ()), i)
        self.tools = tuple(self.by_name)
        self.checkpoint_of = {name: f"call:{name}" for name in self.tools}
        self.checkpoint_names = (
            *self.checkpoint_of.values(),
            *(f"field:{name}" for name in self.outputs),
            FINISH,
        )
        self.weight = 1 / len(self.checkpoint_names)
        """Each checkpoint's share of the checkpoint score."""

    def provenance(self, name: str, argument: str) -> NodeInput:
        """Return where a required call's argument should come from."""
        return self.graph.nodes[name].inputs[argument]


def _same_subject(mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
    """Calls about two different customers do not wait for each other."""
    return _SUBJECT not in mine or _SUBJECT not in theirs or mine[_SUBJECT] == theirs[_SUBJECT]


class CheckpointResult(msgspec.Struct, frozen=True):
    """One checkpoint: whether it was passed, and the reason or evidence."""

    checkpoint: str
    passed: bool
    weight: float
    reason: str


class Grade(msgspec.Struct, frozen=True, kw_only=True):
    """The grade of an episode so far; terms are unweighted and in [0, 1]."""

    score: float
    terms: dict[str, float]
    checkpoints: dict[str, bool]
    success: bool
    collateral: tuple[str, ...]
    outputs: dict[str, Any] | None
    errors: dict[str, int]
    """How many calls failed, by kind of error; ``provenance`` counts right-shaped calls with a wrong value."""
    required_tools: tuple[str, ...]
    invoked_tools: tuple[str, ...]
    calls: int
    reasons: tuple[CheckpointResult, ...] = ()


class Grader:
    """Follows one episode. Tell it of every call; ask for the potential after each."""

    __slots__ = (
        "_best",
        "_collateral",
        "_errors",
        "_failed",
        "_invoked",
        "_near",
        "_outputs",
        "_parameter_sum",
        "_required_calls",
        "_rubric",
        "_satisfied",
        "_success",
        "_tries",
        "calls",
        "config",
        "passed",
    )

    def __init__(self, rubric: Rubric, config: RewardConfig) -> None:
        self._rubric = rubric
        self.config = config
        self._required_calls = count = len(rubric.required)
        self._tries = [0] * count
        self._best = [0.0] * count
        self._satisfied = 0
        self._near: dict[int, tuple[str, ...]] = {}
        self._parameter_sum = 0.0
        self._failed = 0
        self._errors: dict[str, int] = {}
        self._invoked: dict[str, None] = {}
        self._outputs: dict[str, Any] | None = None
        self._collateral: tuple[str, ...] = ()
        self._success = False
        self.calls = 0
        self.passed: dict[str, bool] = {}
        """Checkpoints passed so far, each with True."""

    def copy(self) -> Grader:
        """Return an independent copy, for snapshots."""
        new = object.__new__(Grader)
        for name in Grader.__slots__:
            value = getattr(self, name)
            setattr(new, name, value.copy() if isinstance(value, list | dict) else value)
        return new

    def failed(self, kind: ErrorKind, name: str | None = None) -> None:
        """Note a step that failed; ``name`` is the one that the call gave, if it could be read.

        A required call that was refused for its arguments is an attempt, like one that came through with wrong ones:
        else trying out values on a tool that refuses the wrong ones would cost nothing. Of several required calls of
        the tool the first that has not been done right is charged.
        """
        self.calls += 1
        self._failed += 1
        self._errors[kind] = self._errors.get(kind, 0) + 1
        if name is None:
            return
        self._invoked[name] = None
        if kind in _REFUSED_ARGUMENTS:
            for index in self._rubric.by_name.get(name, ()):
                if not self._satisfied >> index & 1:
                    self._tries[index] += 1
                    break

    def unanswered(self) -> None:
        """Note a call that met a temporary error, for which the agent is not to blame."""
        self.calls += 1
        self._errors[ErrorKind.TEMPORARY] = self._errors.get(ErrorKind.TEMPORARY, 0) + 1

    def out_of_budget(self) -> None:
        """Note that the episode was cut off."""
        self._errors[ErrorKind.BUDGET] = 1

    def called(self, name: str, arguments: Any) -> None:
        """Note a call that succeeded; ``arguments`` is the struct that the tool decoded."""
        self.calls += 1
        self._invoked[name] = None
        candidates = self._rubric.by_name.get(name)
        if candidates is None:
            return
        index, wrong = self._best_match(candidates, arguments)
        required = self._rubric.required[index]
        earned = 1.0
        if wrong:
            self._errors["provenance"] = self._errors.get("provenance", 0) + 1
            earned -= len(wrong) / len(required.arguments)
        if not self._satisfied >> index & 1:
            if tries := self._tries[index]:
                earned *= 0.5**tries
            self._tries[index] = tries + 1
            if earned > self._best[index]:
                self._parameter_sum += earned - self._best[index]
                self._best[index] = earned
            self._near[index] = wrong
            if not wrong and self._satisfied & required.after == required.after:
                self._satisfied |= 1 << index
                if len(candidates) == 1 or all(self._satisfied >> other & 1 for other in candidates):
                    self.passed[self._rubric.checkpoint_of[name]] = True

    def _best_match(self, candidates: tuple[int, ...], arguments: Any) -> tuple[int, tuple[str, ...]]:
        """Return the required call that this one comes nearest to, and its wrong arguments.

        Nearest is one about the same customer, then the one with the fewest wrong arguments, then an unsatisfied one.
        """
        required = self._rubric.required
        first = candidates[0]
        if len(candidates) == 1 and required[first].exact == arguments:
            return first, ()
        exact = [index for index in candidates if required[index].exact == arguments]
        if exact:
            return next((index for index in exact if not self._satisfied >> index & 1), exact[0]), ()
        given = msgspec.to_builtins(arguments)
        best: tuple[tuple[bool, int, int, int], tuple[str, ...]] | None = None
        for index in candidates:
            expected = required[index].arguments
            wrong = tuple(key for key, value in expected.items() if not same_value(given.get(key), value))
            rank = (_SUBJECT in wrong, len(wrong), self._satisfied >> index & 1, index)
            if best is None or rank < best[0]:
                best = (rank, wrong)
        assert best is not None  # candidates are never empty
        return best[0][3], best[1]

    def submitted(self, outputs: Mapping[str, Any], bank: Bank, allowed: Mapping[str, frozenset[str]]) -> None:
        """Note the final review, which ends the episode.

        Args:
            outputs: the recorded output fields.
            bank: its changes are searched for collateral damage.
            allowed: fields that may change in existing records of the case, by table.
        """
        expected = self._rubric.outputs
        self._outputs = {name: outputs.get(name) for name in expected}
        right = 0
        for name, value in expected.items():
            if same_value(self._outputs[name], value, _MONEY_TOLERANCE):
                self.passed[f"field:{name}"] = True
                right += 1
        self.passed[FINISH] = True
        self.find_collateral(bank, allowed)
        self._success = right == len(expected) and not self._collateral

    def find_collateral(self, bank: Bank, allowed: Mapping[str, frozenset[str]]) -> None:
        """Look for writes to anything but the case at hand; called at the end of an episode."""
        owners = self._rubric.owners
        found = []
        for change in bank.diff():
            if change.before is None:
                if change.after.get("owner") not in owners:
                    found.append(f"{change.table}/{change.key} was created for {change.after.get('owner')}")
            else:
                stray = change.changed_fields() - allowed.get(change.table, frozenset())
                if change.key not in owners or stray:
                    found.append(
                        f"{change.table}/{change.key} was changed ({', '.join(sorted(stray)) or 'not of this case'})"
                    )
        self._collateral = tuple(found)

    def terms(self) -> dict[str, float]:
        """Return the unweighted parts of the score."""
        penalty = self._failed * self.config.failed_call
        return {
            "checkpoints": len(self.passed) * self._rubric.weight,
            "parameters": self._parameter_sum / self._required_calls,
            "outcome": 1.0 if self._success else 0.0,
            "penalties": penalty if penalty < self.config.failed_calls_at_most else self.config.failed_calls_at_most,
        }

    def score(self, terms: Mapping[str, float]) -> float:
        """Return the score of given terms, clipped to [0, 1] and freed of rounding noise beyond twelve digits."""
        config = self.config
        total = (
            config.checkpoints * terms["checkpoints"]
            + config.parameters * terms["parameters"]
            + config.outcome * terms["outcome"]
            - terms["penalties"]
        )
        # Written out: round() takes half the time of this method.
        return int(total * _SCORE_UNITS + 0.5) / _SCORE_UNITS if 0.0 < total < 1.0 else float(total >= 1.0)

    @property
    def success(self) -> bool:
        """Whether every output field is right and nothing else was touched."""
        return self._success

    def grade(self) -> Grade:
        """Return the whole grade, with a reason for each checkpoint."""
        terms = self.terms()
        return Grade(
            score=self.score(terms),
            terms=terms,
            checkpoints={name: name in self.passed for name in self._rubric.checkpoint_names},
            success=self._success,
            collateral=self._collateral,
            outputs=self._outputs,
            errors=dict(sorted(self._errors.items())),
            required_tools=self._rubric.tools,
            invoked_tools=tuple(self._invoked),
            calls=self.calls,
            reasons=tuple(self._reason(name) for name in self._rubric.checkpoint_names),
        )

    def _reason(self, checkpoint: str) -> CheckpointResult:
        passed = checkpoint in self.passed
        kind, _, name = checkpoint.partition(":")
        if kind == "call":
            reason = self._reason_of_call(name)
        elif kind == "field":
            given = "nothing was submitted" if self._outputs is None else f"got {self._outputs[name]!r}"
            reason = f"expected {self._rubric.outputs[name]!r}, {given}"
        else:
            reason = f"{self._rubric.submit} was {'accepted' if passed else 'never accepted'}"
        return CheckpointResult(checkpoint, passed, self._rubric.weight, reason)

    def _reason_of_call(self, name: str) -> str:
        parts = []
        for index in self._rubric.by_name[name]:
            required = self._rubric.required[index]
            if self._satisfied >> index & 1:
                parts.append("called with right arguments after its dependencies")
            elif index not in self._near:
                parts.append("never called successfully" if name in self._invoked else "never called")
            elif wrong := self._near[index]:
                origins = [
                    f"{key} should be {required.arguments[key]!r} ({self._rubric.provenance(name, key).describe()})"
                    for key in wrong
                ]
                parts.append("; ".join(origins))
            else:
                waiting = [i for i in required.dependencies() if not self._satisfied >> i & 1]
                early = sorted({self._rubric.required[i].name for i in waiting})
                parts.append(f"called before {', '.join(early)} had been done right")
        return " | ".join(dict.fromkeys(parts))
