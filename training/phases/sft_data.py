"""Tokenization of a run's expert data into drills and whole conversations, in several processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import teller_gym
from teller_gym.agents.chat import PromptStyle
from teller_gym.training.config.sft import SftConfig
from teller_gym.training.demonstrations.batches import Example, encode
from teller_gym.training.demonstrations.drills import drills, sources
from teller_gym.training.demonstrations.expert import Trajectory, read
from teller_gym.training.models.load import load_tokenizer
from teller_gym.training.processes.isolate import spread
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import LeakError, LeakGuard

PART = 200
"""Number of trajectories that a process reads at a time."""

SAMPLED = 400
"""Number of trajectories, from the first one, that determine the rare calls."""

RARE = 0.3
"""Share of a scenario's trajectories below which a call is rare."""


@dataclass(frozen=True)
class Encoding:
    """Settings for converting trajectories to tokens.

    The file at ``path`` was written by `expert.collect`: first trajectories that are cut into drills, then those that
    are learned whole, then those from which drills of rare calls are learned. ``sft`` has the number of each.
    """

    path: Path
    sft: SftConfig
    style: PromptStyle
    mixture: Mixture

    def parts(self) -> list[range]:
        """Return ranges of trajectories, none of which mixes drills, whole conversations and rare drills."""
        sft = self.sft
        spans = pairwise(accumulate((0, sft.drill_trajectories, sft.trajectories, sft.rare_trajectories)))
        return [range(at, min(at + PART, end)) for begin, end in spans for at in range(begin, end, PART)]


class _Encoder:
    def __init__(self, wanted: Encoding, tokenizer: Any) -> None:
        self._wanted = wanted
        self._tokenizer = load_tokenizer(tokenizer) if isinstance(tokenizer, str) else tokenizer
        self._guard = LeakGuard()
        self._follows_from = {name: sources(teller_gym.load_scenario(name).graph) for name in wanted.mixture.weights}
        self._rare = rare_calls(read(wanted.path, 0, SAMPLED)) if wanted.sft.rare_trajectories else frozenset()

    def __call__(self, part: range) -> list[Example]:
        """Return the examples of some trajectories.

        Raises:
            LeakError: a task is in an evaluation split.
        """
        wanted, sft, found = self._wanted, self._wanted.sft, []
        for number, trajectory in zip(part, read(wanted.path, part.start, len(part)), strict=False):
            # The splits may have changed since the data was made.
            try:
                self._guard.check_fingerprint(trajectory.scenario, trajectory.fingerprint, trajectory.task_id)
            except LeakError as error:
                raise LeakError(
                    f"{wanted.path}, line {number + 1}: {error}. Remove that file and run the same command: the data "
                    "are made again"
                ) from None
            if sft.drill_trajectories <= number < sft.drill_trajectories + sft.trajectories:
                cut = [trajectory]
            else:
                origins = self._follows_from[trajectory.scenario]
                cut = list(drills(trajectory, sft.drill_fields, number, origins, sft.drill_record == "nested"))
                if number >= sft.drill_trajectories:
                    cut = [one for one in cut if (trajectory.scenario, _calls(one)[0]) in self._rare]
            found += [encode(one, self._tokenizer, wanted.style) for one in cut]
        return found


def rare_calls(trajectories: Iterable[Trajectory]) -> frozenset[tuple[str, str]]:
    """Return the scenario and tool of each call that is rare among its scenario's trajectories."""
    played: Counter[str] = Counter()
    had: Counter[tuple[str, str]] = Counter()
    for trajectory in trajectories:
        played[trajectory.scenario] += 1
        had.update({(trajectory.scenario, tool) for tool in _calls(trajectory)})
    return frozenset(call for call, count in had.items() if count < RARE * played[call[0]])


def _calls(trajectory: Trajectory) -> list[str]:
    called = (message.get("tool_calls") or [] for message in trajectory.messages)
    return [one["function"]["name"] for calls in called for one in calls]


def examples(wanted: Encoding, checkpoint: Path, tokenizer: Any, processes: int) -> tuple[list[Example], list[Example]]:
    """Return the tokenized drills, and the whole conversations with rare drills.

    The result is the same for any number of processes; each of several processes loads the checkpoint's tokenizer.

    Raises:
        LeakError: a task is in an evaluation split.
    """
    short: list[Example] = []
    whole: list[Example] = []
    parts = wanted.parts()
    given = wanted, tokenizer if processes == 1 else str(checkpoint)
    with closing(spread(_Encoder, given, parts, processes, "turns episodes to tokens")) as encoded:
        for part, found in zip(parts, encoded, strict=True):
            (short if part.start < wanted.sft.drill_trajectories else whole).extend(found)
    return short, whole
