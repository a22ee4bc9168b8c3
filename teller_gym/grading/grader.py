"""Grading: checkpoints, parameters and outcome from calls and state, never prose; rewards as potential differences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from teller_gym.base.errors import ErrorKind, OptionError
from teller_gym.base.text import same_value
from teller_gym.grading.rubric import FINISH, SUBJECT, RecognisedCall, RequiredCall, Rubric
from teller_gym.tools.bank import Bank, changed_fields
from teller_gym.tools.call import ToolCall

_REFUSED_ARGUMENTS = (ErrorKind.VALIDATION, ErrorKind.TYPE)
_MONEY_TOLERANCE = 0.005
_NOTHING: frozenset[str] = frozenset()
_NOTHING_PASSED: dict[str, bool] = {}
SCORE_UNITS = 10**12
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
    """Those called for a required call that is done first, in their order in the standard result."""
    calls: int
    reasons: tuple[CheckpointResult, ...] = ()


class Standing(msgspec.Struct, frozen=True, gc=False):
    """The score so far and its terms, which are unweighted and in [0, 1]."""

    checkpoints: float
    parameters: float
    outcome: float
    penalties: float
    score: float

    def terms(self) -> dict[str, float]:
        """Return the terms by name."""
        return {
            "checkpoints": self.checkpoints,
            "parameters": self.parameters,
            "outcome": self.outcome,
            "penalties": self.penalties,
        }


class _Attempts(NamedTuple):
    """What was tried of a required call that is not done right yet."""

    tries: int
    best: float = 0.0
    """The most that one of them earned."""
    wrong: tuple[str, ...] | None = None
    """Wrong arguments of the last that came through; None if none did."""


_NO_ATTEMPTS = _Attempts(0)


class Grader:
    """Follows one episode. Tell it of every call; ask for the standing after each."""

    __slots__ = (
        "_attempts",
        "_collateral",
        "_errors",
        "_others",
        "_outputs",
        "_review",
        "_satisfied",
        "calls",
        "config",
        "earned",
        "failures",
        "rubric",
        "success",
    )

    def __init__(self, rubric: Rubric, config: RewardConfig) -> None:
        self.rubric = rubric
        self.config = config
        self._attempts: dict[int, _Attempts] = {}
        self._satisfied = 0
        self._errors: dict[str, int] = {}
        self._others: tuple[str, ...] = ()
        """Tools of all calls that did not do a required call right for the first time, each once."""
        self._review: dict[str, bool] = _NOTHING_PASSED
        """Checkpoints that the final review passed."""
        self._outputs: dict[str, Any] | None = None
        self._collateral: tuple[str, ...] = ()
        self.calls = 0
        self.earned = 0.0
        """What the required calls have earned for their arguments, together; each earns 1 at most."""
        self.failures = 0
        """Calls that came back with an error."""
        self.success = False
        """Whether every output field is right and nothing else was touched."""

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
        """Note a call that met a temporary error, for which the agent is not to blame."""
        self.calls += 1
        self._errors[ErrorKind.TEMPORARY] = self._errors.get(ErrorKind.TEMPORARY, 0) + 1

    def out_of_budget(self) -> None:
        """Note that the episode was cut off."""
        self._errors[ErrorKind.BUDGET] = 1

    def called(self, call: ToolCall) -> str:
        """Note a call that succeeded, and return the checkpoint that it passed, empty if none."""
        self.calls += 1
        name = call.tool.name
        wrong: tuple[str, ...] = ()
        if isinstance(call, RecognisedCall) and call.required.rubric is self.rubric:
            required = call.required
        else:
            candidates = self.rubric.by_name.get(name)
            if candidates is None:
                self._note(name)
                return ""
            required = candidates[0]
            if not required.alone or required.exact != call.arguments:
                required, wrong = self._best_match(candidates, call.arguments)
        if wrong:
            self._errors["provenance"] = self._errors.get("provenance", 0) + 1
        satisfied = self._satisfied
        if satisfied & required.bit:
            self._note(name)
            return ""
        before = self._attempts.get(required.index, _NO_ATTEMPTS) if self._attempts else _NO_ATTEMPTS
        earned = 1.0 - len(wrong) / len(required.arguments) if wrong else 1.0
        if before.tries:
            earned *= 0.5**before.tries
        if earned > before.best:
            self.earned += earned - before.best
        if wrong or satisfied & required.after != required.after:
            self._attempts[required.index] = _Attempts(before.tries + 1, max(earned, before.best), wrong)
            self._note(name)
            return ""
        self._satisfied = satisfied = satisfied | required.bit
        return required.checkpoint if satisfied & required.all_of_tool == required.all_of_tool else ""

    def _note(self, name: str) -> None:
        """Note that a tool was called."""
        if name not in self._others:
            self._others += (name,)

    @property
    def passed(self) -> Mapping[str, bool]:
        """Checkpoints passed so far, each with True, in the rubric's order."""
        passed = self.rubric.passed_by_calls(self._satisfied)
        return {**passed, **self._review} if self._review else passed

    def _best_match(self, candidates: tuple[RequiredCall, ...], arguments: Any) -> tuple[RequiredCall, tuple[str, ...]]:
        """Return the required call that this one comes nearest to, and its wrong arguments.

        Nearest is one about the same customer, then the one with the fewest wrong arguments, then an unsatisfied one.
        """
        exact = [required for required in candidates if required.exact == arguments]
        if exact:
            return next((required for required in exact if not self._satisfied & required.bit), exact[0]), ()
        given = msgspec.to_builtins(arguments)
        best: tuple[tuple[bool, int, bool, int], tuple[str, ...]] | None = None
        for required in candidates:
            wrong = tuple(key for key, value in required.arguments.items() if not same_value(given.get(key), value))
            rank = (SUBJECT in wrong, len(wrong), self._satisfied & required.bit != 0, required.index)
            if best is None or rank < best[0]:
                best = (rank, wrong)
        assert best is not None  # candidates are never empty
        return self.rubric.required[best[0][3]], best[1]

    def submitted(self, arguments: Any, bank: Bank) -> None:
        """Note the final review, which ends the episode.

        Args:
            arguments: the struct that the submitting tool decoded, with the output fields.
            bank: its changes are searched for collateral damage.
        """
        rubric = self.rubric
        if rubric.review is not None and rubric.review == arguments:
            self._outputs = rubric.outputs
            self._review = rubric.review_passed
            right = True
        else:
            right = self._compare(msgspec.to_builtins(arguments))
        self.find_collateral(bank)
        self.success = right and not self._collateral

    def _compare(self, outputs: Mapping[str, Any]) -> bool:
        """Compare output fields one by one; return whether all are right."""
        expected = self.rubric.outputs
        self._outputs = {name: outputs.get(name) for name in expected}
        right = [
            checkpoint
            for name, checkpoint in self.rubric.checkpoint_of_field.items()
            if same_value(self._outputs[name], expected[name], _MONEY_TOLERANCE)
        ]
        self._review = dict.fromkeys((*right, FINISH), True)
        return len(right) == len(expected)

    def find_collateral(self, bank: Bank) -> None:
        """Look for writes to anything but the case at hand; called at the end of an episode."""
        owners = self.rubric.owners
        found = []
        for table, key, before, after in bank.changes_beyond(owners):
            if before is None:
                found.append((table, key, f"created for {after.get('owner')}"))
                continue
            stray = changed_fields(before, after) - bank.writable.get(table, _NOTHING)
            if stray or key not in owners:
                found.append((table, key, f"changed ({', '.join(sorted(stray)) or 'not of this case'})"))
        self._collateral = tuple([f"{table}/{key} was {what}" for table, key, what in sorted(found)])

    def standing(self) -> Standing:
        """Return the score so far, with its terms: clipped to [0, 1], without rounding noise beyond twelve digits."""
        config = self.config
        rubric = self.rubric
        checkpoints = len(self.passed) * rubric.weight
        parameters = self.earned / len(rubric.required)
        outcome = 1.0 if self.success else 0.0
        penalties = self.failures * config.failed_call
        if penalties >= config.failed_calls_at_most:
            penalties = config.failed_calls_at_most
        total = config.checkpoints * checkpoints + config.parameters * parameters + config.outcome * outcome - penalties
        # Written out: round() takes half the time of this method.
        score = int(total * SCORE_UNITS + 0.5) / SCORE_UNITS if 0.0 < total < 1.0 else float(total >= 1.0)
        return Standing(checkpoints, parameters, outcome, penalties, score)

    def grade(self) -> Grade:
        """Return the whole grade, with a reason for each checkpoint."""
        standing, passed = self.standing(), self.passed
        return Grade(
            score=standing.score,
            terms=standing.terms(),
            checkpoints={name: name in passed for name in self.rubric.checkpoint_names},
            success=self.success,
            collateral=self._collateral,
            outputs=None if self._outputs is None else dict(self._outputs),
            errors=dict(sorted(self._errors.items())),
            required_tools=self.rubric.tools,
            invoked_tools=self._invoked(),
            calls=self.calls,
            reasons=tuple(self._reason(name, name in passed) for name in self.rubric.checkpoint_names),
        )

    def _invoked(self) -> tuple[str, ...]:
        """Return the tools that were called."""
        done = (required.name for required in self.rubric.required if self._satisfied & required.bit)
        return tuple(dict.fromkeys((*done, *self._others)))

    def _reason(self, checkpoint: str, passed: bool) -> CheckpointResult:
        kind, _, name = checkpoint.partition(":")
        if kind == "call":
            reason = self._reason_of_call(name)
        elif kind == "field":
            given = "nothing was submitted" if self._outputs is None else f"got {self._outputs[name]!r}"
            reason = f"expected {self.rubric.outputs[name]!r}, {given}"
        else:
            reason = f"{self.rubric.submit} was {'accepted' if passed else 'never accepted'}"
        return CheckpointResult(checkpoint, passed, self.rubric.weight, reason)

    def _reason_of_call(self, name: str) -> str:
        parts = []
        for required in self.rubric.by_name[name]:
            if self._satisfied & required.bit:
                parts.append("called with right arguments after its dependencies")
            elif (wrong := self._attempts.get(required.index, _NO_ATTEMPTS).wrong) is None:
                parts.append("never called successfully" if name in self._invoked() else "never called")
            elif wrong:
                origins = [
                    f"{key} should be {required.arguments[key]!r} ({self.rubric.provenance(name, key).describe()})"
                    for key in wrong
                ]
                parts.append("; ".join(origins))
            else:
                waiting = [i for i in required.dependencies() if not self._satisfied >> i & 1]
                early = sorted({self.rubric.required[i].name for i in waiting})
                parts.append(f"called before {', '.join(early)} had been done right")
        return " | ".join(dict.fromkeys(parts))
