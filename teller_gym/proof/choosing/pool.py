"""The cases of a pool, with the lapses that fail on each and the agents that win it without judgement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import msgspec

from teller_gym.agents.code_guesser import Codes, codes_in, guessed_codes
from teller_gym.agents.schemas import is_date
from teller_gym.base.errors import ScenarioError
from teller_gym.base.text import fingerprint
from teller_gym.envs.episode.bank import BUDGET_FACTOR
from teller_gym.procedure.injections import injected
from teller_gym.procedure.lapses import Expert
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.proof.choosing.quotas import TAG
from teller_gym.proof.injections import does_harm
from teller_gym.proof.lapses import losses
from teller_gym.proof.leaks import fields_of
from teller_gym.proof.trunk import Trunk

CODES = "brute_force_codes"
_SAMPLE = 200


class Drawn(msgspec.Struct, frozen=True):
    """A case of the pool.

    Attributes:
        refusal: reason why it cannot be chosen; empty if it can.
        outcome: value of the first output.
        answer: fingerprint of all outputs.
        recipes: fingerprints of the outputs with dates as days from a date that the case shows.
        fields: normalised fields, see :mod:`teller_gym.proof.leaks`.
    """

    seed: int
    refusal: str = ""
    ending: str = ""
    fingerprint: str = ""
    outcome: str = ""
    answer: str = ""
    recipes: tuple[str, ...] = ()
    branches: dict[str, str] = {}
    fields: dict[str, Any] = {}


def draw(scenario: Scenario, seed: int, split: Split) -> Drawn:
    """Draw the case of a seed.

    Raises:
        ScenarioError: the case has no tag ``ending:…``.
    """
    try:
        task = drawn_task(scenario, seed, split)
    except ScenarioError as error:
        return Drawn(seed, refusal=f"refused: {error}")
    ending = next((tag.removeprefix(TAG) for tag in task.tags if tag.startswith(TAG)), "")
    if not ending:
        raise ScenarioError(
            f"{scenario.name}: expected a tag {TAG}<name> on every case, that of the seed {seed} has none"
        )
    return Drawn(
        seed,
        refusal=_refusal(scenario, task),
        ending=ending,
        fingerprint=task.fingerprint,
        outcome=str(task.standard.outputs[scenario.output_fields[0]]),
        answer=fingerprint(task.standard.outputs),
        recipes=tuple(_recipes(scenario, task)),
        branches=dict(task.branches),
        fields=dict(fields_of(scenario, task)),
    )


def drawn_task(scenario: Scenario, seed: int, split: Split) -> Task:
    """Draft the case of a seed and complete it into a task of a split."""
    return scenario.complete(scenario.draft(seed), task_id=f"{scenario.name}-{seed}", seed=seed, split=split)


def _refusal(scenario: Scenario, task: Task) -> str:
    if scenario.is_withheld(task.branches):
        return "withheld branches"
    if (solved := scenario.solve(task).outputs) != task.standard.outputs:
        return f"expert and solver differ: {task.standard.outputs} and {solved}"
    complaint = next(iter(scenario.realism(task, scenario.policy)), "")
    return f"not realistic: {complaint}" if complaint else ""


def _recipes(scenario: Scenario, task: Task) -> Iterator[str]:
    """Yield, for each date of the case, a fingerprint of the outputs with their dates as days from that date.

    If a recipe is frequent, an agent could give the answer from the dates of the case without judgement.
    """
    dates = {name: day for name, value in task.standard.outputs.items() if (day := _day(value)) is not None}
    if not dates:
        return
    fields = {name: value for name, value in task.standard.outputs.items() if name not in dates}
    record = task.tables[scenario.template.table][task.case_id]
    shown = {field.name: _day(record.get(field.name)) for field in scenario.template.existing if field.group is None}
    for name, day in {"today": task.today, **shown}.items():
        if day is not None:
            yield fingerprint([fields, name, {output: (found - day).days for output, found in dates.items()}])


def _day(value: Any) -> date | None:
    return date.fromisoformat(value) if isinstance(value, str) and is_date(value) else None


# -- playing ----------------------------------------------------------------------------------------------------------


class Outcomes(msgspec.Struct, frozen=True):
    """Results of the agents on a case.

    Attributes:
        lost: lapses that lose success.
        crashed: lapses that crashed.
        won: agents without judgement that succeed: clean paths, and the one that tries codes.
        harmed: True if following the instructions of a record does harm.
    """

    seed: int
    lost: tuple[str, ...]
    crashed: tuple[str, ...]
    won: tuple[str, ...]
    harmed: bool


class Row(NamedTuple):
    """A case that may be chosen, with the agents' results."""

    case: Drawn
    outcomes: Outcomes


class Players(NamedTuple):
    """The agents that play a pool (lapses, clean paths, and one that tries codes) and their limit of steps."""

    scenario: Scenario
    codes: Codes
    max_steps: int

    @classmethod
    def of(cls, scenario: Scenario, train: Sequence[Drawn]) -> Players:
        """Return the players of a scenario.

        Codes and the limit of steps come from the first cases of the train split's pool, because frozen instances may
        not exist yet.
        """
        able = [case for case in train if not case.refusal][:_SAMPLE]
        tasks = [drawn_task(scenario, case.seed, Split.TRAIN) for case in able]
        steps = BUDGET_FACTOR * max((len(task.standard.calls) for task in tasks), default=1)
        return cls(scenario, codes_in(scenario, tasks), steps)

    def play(self, case: Drawn, split: Split) -> Outcomes:
        """Play a case with all agents."""
        task = drawn_task(self.scenario, case.seed, split)
        lost, crashed = self._losers({name: lapse.expert for name, lapse in self.scenario.lapses.items()}, task)
        beaten, _ = self._losers(self.scenario.clean_paths, task)
        won = [name for name in self.scenario.clean_paths if name not in beaten]
        if self.codes:
            tried = Trunk(task, self.max_steps).follow(guessed_codes(self.scenario, task, self.codes))
            won += [CODES] if tried.grader.success else []
        wordings = injected(task, self.scenario.injections)
        harmed = bool(wordings) and does_harm(task, wordings, self.max_steps)
        return Outcomes(case.seed, lost, crashed, tuple(won), harmed)

    def _losers(self, agents: Mapping[str, Expert], task: Task) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the agents that fail on a task, and those that crash on it."""
        found = losses(agents, [task], self.max_steps)
        lost = tuple(name for name, one in found.items() if one.lost)
        return lost, tuple(name for name, one in found.items() if one.crashed)
