"""Grader of an episode: checkpoints, parameters and outcome are computed from calls and state, never from prose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.base.text import same_value
from teller_gym.grading.acts import Made, WrongAct, wrong_acts
from teller_gym.grading.faults import Fault, Noted, Refused, faults_of
from teller_gym.grading.reasons import CheckpointResult, checkpoint_reasons, outcome_reasons
from teller_gym.grading.rubric import FINISH, RequiredCall, Rubric
from teller_gym.grading.score import RewardConfig, Standing, standing_of
from teller_gym.grading.state import Difference
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import ToolCall

_REFUSED_ARGUMENTS = (ErrorKind.VALIDATION, ErrorKind.TYPE)
_FAILURES = frozenset(ErrorKind) - {ErrorKind.TEMPORARY, ErrorKind.BUDGET}
_MONEY_TOLERANCE = 0.005
_NOTHING_PASSED: dict[str, bool] = {}


class Grade(msgspec.Struct, frozen=True, kw_only=True):
    """The grade of an episode so far; terms are unweighted and in [0, 1].

    Attributes:
        accurate: True if every output field is right.
        success: True if the case is right: ``accurate``, no collateral damage, and every required call that writes done
            correctly in its place, so that the bank's state equals that of the standard result.
        clean: True if the case succeeded without a failed call or a wrong value; temporary errors do not count.
        collateral: descriptions of unwanted changes and acts; known once the episode is over.
        errors: number of failed calls by kind of error; ``provenance`` counts valid calls with a wrong value.
        reasons: result of each checkpoint with an explanation.
        terms_explained: explanations of the outcome and the penalties.
        invoked_tools: called tools: those of finished required calls in standard order, then the others.
        faults: mistakes, the root cause first; see :func:`~teller_gym.grading.faults.faults_of`.
    """

    score: float
    terms: dict[str, float]
    checkpoints: dict[str, bool]
    accurate: bool
    success: bool
    clean: bool
    collateral: tuple[str, ...]
    outputs: dict[str, Any] | None
    errors: dict[str, int]
    required_tools: tuple[str, ...]
    invoked_tools: tuple[str, ...]
    calls: int
    reasons: tuple[CheckpointResult, ...] = ()
    terms_explained: tuple[CheckpointResult, ...] = ()
    faults: tuple[Fault, ...] = ()


class _Attempts(NamedTuple):
    """Attempts at a required call that is not yet done correctly."""

    tries: int
    best: float = 0.0
    """Largest credit earned by an attempt."""


_NO_ATTEMPTS = _Attempts(0)


class Grader:
    """Follows an episode call by call and keeps its score up to date."""

    __slots__ = (
        "_acts",
        "_attempts",
        "_closed",
        "_differences",
        "_errors",
        "_made",
        "_others",
        "_outputs",
        "_refused",
        "_review",
        "_satisfied",
        "accurate",
        "calls",
        "config",
        "earned",
        "failures",
        "passed",
        "rubric",
        "success",
    )

    def __init__(self, rubric: Rubric, config: RewardConfig) -> None:
        self.rubric = rubric
        self.config = config
        self._attempts: dict[int, _Attempts] = {}
        self._satisfied = 0
        self._errors: dict[str, int] = {}
        self._made: list[Made] = []
        self._refused: list[Refused] = []
        self._others: tuple[str, ...] = ()
        """Names, without duplicates, of tools with a call other than the correct first one of a required call."""
        self._review: dict[str, bool] = _NOTHING_PASSED
        """Checkpoints passed by the final review."""
        self.passed: Mapping[str, bool] = _NOTHING_PASSED
        """Checkpoints passed so far (all values are True), in the rubric's order."""
        self._outputs: dict[str, Any] | None = None
        self._acts: tuple[WrongAct, ...] = ()
        self._differences: tuple[Difference, ...] = ()
        self._closed = False
        self.calls = 0
        self.earned = 0.0
        """Total credit for the arguments of required calls, at most 1 per call."""
        self.failures = 0
        """Number of calls that returned an error."""
        self.accurate = False
        """True if every output field is right."""
        self.success = False
        """True if the case is right, see :class:`Grade`; known once the episode is over."""

    def copy(self) -> Grader:
        """Return an independent copy, for snapshots."""
        new = object.__new__(Grader)
        for name in Grader.__slots__:
            value = getattr(self, name)
            setattr(new, name, value.copy() if isinstance(value, list | dict) else value)
        return new

    def failed(self, error: ToolError, argument: str | None = None) -> None:
        """Record a failed call; ``argument`` is the one that caused the error, if any.

        A required call that was refused for its arguments counts as an attempt, like a successful call with wrong ones;
        otherwise, guessing values on a tool that refuses wrong ones would be free. If the tool is required several
        times, the attempt is charged to the first call that is not yet done correctly.
        """
        kind, name = error.kind, error.tool
        self._refused.append(Refused(self.calls, kind, name, argument, error.message))
        self.calls += 1
        self.failures += 1
        self._errors[kind] = self._errors.get(kind, 0) + 1
        if name is None:
            return
        self._note(name)
        if kind in _REFUSED_ARGUMENTS:
            for required in self.rubric.by_name.get(name, ()):
                if not self._satisfied & required.bit:
                    before = self._attempts.get(required.index, _NO_ATTEMPTS)
                    self._attempts[required.index] = before._replace(tries=before.tries + 1)
                    break

    def unanswered(self) -> None:
        """Record a call that failed with a temporary error, which does not count against the agent."""
        self.calls += 1
        self._errors[ErrorKind.TEMPORARY] = self._errors.get(ErrorKind.TEMPORARY, 0) + 1

    def out_of_budget(self) -> None:
        """Record that the episode was truncated."""
        self._errors[ErrorKind.BUDGET] = 1

    def called(self, call: ToolCall) -> str:
        """Record a successful call and return the checkpoint that it passed; empty if none."""
        step = self.calls
        self.calls = step + 1
        name = call.tool.name
        wrong: tuple[str, ...] = ()
        candidates = self.rubric.by_name.get(name)
        if candidates is None:
            if call.tool.writes:
                self._made.append(Made(step, call, None, (), 0, False))
            self._note(name)
            return ""
        required = candidates[0]
        if len(candidates) > 1 or required.exact != call.arguments:
            required, wrong = self._best_match(candidates, call.arguments)
        satisfied = self._satisfied
        early = required.after & ~satisfied
        again = satisfied & required.bit != 0
        self._made.append(Made(step, call, required, wrong, early, again))
        if wrong:
            self._errors["provenance"] = self._errors.get("provenance", 0) + 1
        if again:
            self._note(name)
            return ""
        before = self._attempts.get(required.index, _NO_ATTEMPTS) if self._attempts else _NO_ATTEMPTS
        earned = 1.0 - len(wrong) / len(required.arguments) if wrong else 1.0
        if before.tries:
            earned *= 0.5**before.tries
        if earned > before.best:
            self.earned += earned - before.best
        if wrong or early:
            # A successful read is not charged, because it does no harm.
            tries = before.tries + call.tool.writes
            self._attempts[required.index] = _Attempts(tries, max(earned, before.best))
            self._note(name)
            return ""
        self._satisfied = satisfied = satisfied | required.bit
        self._look()
        return required.checkpoint if satisfied & required.all_of_tool == required.all_of_tool else ""

    def _note(self, name: str) -> None:
        """Record the name of a called tool."""
        if name not in self._others:
            self._others += (name,)

    def _look(self) -> None:
        """Update the checkpoints passed so far."""
        passed = self.rubric.passed_by_calls(self._satisfied)
        self.passed = {**passed, **self._review} if self._review else passed

    def _best_match(self, candidates: tuple[RequiredCall, ...], arguments: Any) -> tuple[RequiredCall, tuple[str, ...]]:
        """Return the required call that matches best, and the names of the wrong arguments.

        Required calls about the same customer are preferred, then those with the fewest wrong arguments, then those not
        yet done correctly.
        """
        exact = [required for required in candidates if required.exact == arguments]
        if exact:
            return next((required for required in exact if not self._satisfied & required.bit), exact[0]), ()
        given, subject = msgspec.to_builtins(arguments), self.rubric.scenario.template.subject
        best: tuple[tuple[bool, int, bool, int], tuple[str, ...]] | None = None
        for required in candidates:
            wrong = tuple(key for key, value in required.arguments.items() if not same_value(given.get(key), value))
            rank = (subject in wrong, len(wrong), self._satisfied & required.bit != 0, required.index)
            if best is None or rank < best[0]:
                best = (rank, wrong)
        assert best is not None  # candidates are never empty
        return self.rubric.required[best[0][3]], best[1]

    def submitted(self, arguments: Any) -> None:
        """Record the output fields of the final review from the decoded arguments of the submitting tool."""
        rubric = self.rubric
        if rubric.review is not None and rubric.review == arguments:
            self._outputs = rubric.outputs
            self._review = rubric.review_passed
            self.accurate = True
        else:
            self._compare(msgspec.to_builtins(arguments))
        self._look()

    def _compare(self, outputs: Mapping[str, Any]) -> None:
        """Compare the submitted output fields with the expected ones."""
        expected = self.rubric.outputs
        self._outputs = {name: outputs.get(name) for name in expected}
        right = [
            checkpoint
            for name, checkpoint in self.rubric.checkpoint_of_field.items()
            if same_value(self._outputs[name], expected[name], _MONEY_TOLERANCE)
        ]
        self._review = dict.fromkeys((*right, FINISH), True)
        self.accurate = len(right) == len(expected)

    def close(self, bank: Bank) -> None:
        """Determine success at the end of the episode from the bank's state."""
        rubric = self.rubric
        self._closed = True
        self._acts = tuple(wrong_acts(rubric, self._made))
        differences, reached = rubric.end_state.compare(bank)
        self._differences = tuple(differences)
        done = self._satisfied & rubric.acts == rubric.acts
        self.success = self.accurate and done and not self._acts and not differences and reached

    def standing(self) -> Standing:
        """Compute the score so far with its terms."""
        rubric = self.rubric
        return standing_of(
            self.config,
            len(self.passed) * rubric.weight,
            self.earned / len(rubric.required),
            self.success,
            self.failures,
        )

    def grade(self) -> Grade:
        """Compute the full grade, with explanations of checkpoints and faults."""
        standing, passed, noted = self.standing(), self.passed, self._noted()
        faults = faults_of(noted)
        failures = {kind: count for kind, count in self._errors.items() if kind in _FAILURES}
        tries = {index: attempts.tries for index, attempts in self._attempts.items()}
        return Grade(
            score=standing.score,
            terms=standing.terms(),
            checkpoints={name: name in passed for name in self.rubric.checkpoint_names},
            accurate=self.accurate,
            success=self.success,
            clean=self.success and not self.failures and "provenance" not in self._errors,
            collateral=(*(act.reason for act in self._acts), *(each.reason for each in self._differences)),
            outputs=None if self._outputs is None else dict(self._outputs),
            errors=dict(sorted(self._errors.items())),
            required_tools=self.rubric.tools,
            invoked_tools=self._invoked(),
            calls=self.calls,
            reasons=tuple(checkpoint_reasons(noted, passed, tries)),
            terms_explained=tuple(outcome_reasons(self.success, self._closed, faults, failures, standing.penalties)),
            faults=faults,
        )

    def _noted(self) -> Noted:
        fields = {} if self._outputs is None else self.rubric.checkpoint_of_field
        return Noted(
            rubric=self.rubric,
            satisfied=self._satisfied,
            refused=self._refused,
            made=self._made,
            wrong=self._acts,
            differences=self._differences,
            outputs=self._outputs,
            wrong_outputs=[name for name, checkpoint in fields.items() if checkpoint not in self._review],
            success=self.success,
            calls=self.calls,
        )

    def _invoked(self) -> tuple[str, ...]:
        """Return the called tools: those of finished required calls in standard order, then the others."""
        done = (required.name for required in self.rubric.required if self._satisfied & required.bit)
        return tuple(dict.fromkeys((*done, *self._others)))
