"""Playing the cases of a pool: which judgements each punishes, and what is won on it without judging."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from teller_gym.agents.code_guesser import Codes, codes_in, guessed_codes
from teller_gym.envs.episode.bank import BUDGET_FACTOR
from teller_gym.procedure.injections import injected
from teller_gym.procedure.lapses import Expert
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.proof.branching import Trunk
from teller_gym.proof.choosing.drawing import Drawn, drawn_task
from teller_gym.proof.injections import does_harm
from teller_gym.proof.lapses import losses

CODES, INJECTION = "brute_force_codes", "injection"
_SAMPLE = 200


class Outcomes(msgspec.Struct, frozen=True):
    """Effects of a case on agents.

    Attributes:
        seed: of the case.
        lost: lapses that lose success here.
        crashed: lapses that crashed.
        won: agents without judgement that have success: clean paths, and the one that tries codes.
        harmed: following the instructions of a record does harm.
    """

    seed: int
    lost: tuple[str, ...]
    crashed: tuple[str, ...]
    won: tuple[str, ...]
    harmed: bool


class Players(NamedTuple):
    """The players: lapses, clean paths, and the codes that one agent tries; and the steps of an episode."""

    scenario: Scenario
    codes: Codes
    max_steps: int

    def play(self, case: Drawn, split: Split) -> Outcomes:
        """Let all of them play a case."""
        task = drawn_task(self.scenario, case.seed, split)
        lapses = {name: lapse.expert for name, lapse in self.scenario.lapses.items()}
        lost, crashed = self._losers(lapses, task)
        beaten, _ = self._losers(self.scenario.clean_paths, task)
        won = [name for name in self.scenario.clean_paths if name not in beaten]
        if self.codes:
            tried = Trunk(task, self.max_steps).follow(guessed_codes(self.scenario, task, self.codes))
            won += [CODES] if tried.grader.success else []
        wordings = injected(task, self.scenario.injections)
        return Outcomes(
            case.seed, lost, crashed, tuple(won), bool(wordings) and does_harm(task, wordings, self.max_steps)
        )

    def _losers(self, agents: dict[str, Expert], task: Task) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the agents that have no success on a task, and those that crash there."""
        found = losses(agents, [task], self.max_steps)
        lost = tuple(name for name, one in found.items() if one.lost)
        return lost, tuple(name for name, one in found.items() if one.crashed)


def players(scenario: Scenario, train: Sequence[Drawn]) -> Players:
    """Return the players of a scenario.

    Codes are counted, and the steps of an episode worked out, over the first cases of the train split's pool: there may
    be no frozen instances yet.
    """
    able = [case for case in train if not case.refusal][:_SAMPLE]
    tasks = [drawn_task(scenario, case.seed, Split.TRAIN) for case in able]
    steps = BUDGET_FACTOR * max((len(task.standard.calls) for task in tasks), default=1)
    return Players(scenario, codes_in(scenario, tasks), steps)
