"""Queue of a run's episodes, which finds the missing ones and plays them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from teller_gym.base.errors import InfrastructureError
from teller_gym.evaluation.measures.answers import cut_answers, cut_prompts
from teller_gym.evaluation.records.episode import Episode, Status, Times, key
from teller_gym.evaluation.records.run_folder import EpisodeKey, RunFolder, planned_keys
from teller_gym.evaluation.runs import filtered_tools as filtered
from teller_gym.evaluation.runs.limits import Gate
from teller_gym.evaluation.runs.parts import FILTERED, Part
from teller_gym.evaluation.runs.play import Planned
from teller_gym.evaluation.runs.players import Seat
from teller_gym.evaluation.runs.progress import Progress
from teller_gym.evaluation.runs.provenance import provenance
from teller_gym.evaluation.runs.schedulers import play_all
from teller_gym.evaluation.runs.tasks import episode_seed

log = logging.getLogger(__name__)

MAX_REASONS = 10
"""Maximum number of different problems to print; the run folder contains all of them."""

MAX_FAILURES_IN_A_ROW = 5
"""Number of consecutive invalid episodes after which the run stops, since the cause seems permanent."""


class Work:
    """A run in progress.

    Args:
        config: the run's configuration, as in run.json.
        seats: envs and agents; each seat plays one episode at a time.
        folder: folder for the episodes; None to store nothing.
        gate: checks the limits.
        shown: True to report progress.
    """

    def __init__(
        self,
        config: Mapping[str, Any],
        parts: Sequence[Part],
        seats: Sequence[Seat],
        folder: RunFolder | None,
        gate: Gate,
        shown: bool,
    ) -> None:
        self._parts = parts
        self._seats = seats
        self._folder = folder
        self._gate = gate
        self._keys = planned_keys(config)
        self._seed: int = config["seed"]
        self._trials: int = config["trials"]
        self.episodes: dict[EpisodeKey, Episode] = dict(folder.episodes) if folder else {}
        self.times: dict[EpisodeKey, Times] = dict(folder.times) if folder else {}
        self.played = 0
        self._row = 0
        self._shown = shown
        self._reasons: set[str] = set()
        self._lock = threading.Lock()
        for episode in self.episodes.values():
            gate.use(episode["tokens"])
        totals: dict[int, int] = {}
        for part in parts:
            totals[part.stage] = totals.get(part.stage, 0) + len(part.tasks) * self._trials
        before: dict[int, list[float]] = {}
        for episode in self.episodes.values():
            if _settled(episode):
                before.setdefault(episode["stage"], []).append(episode["score"])
        self._meter = Progress(totals, before, gate, shown=shown)
        self._announce()

    def note_call(self, template: str | None, **settings: Any) -> None:
        """Record the provenance of this call, unless all episodes are finished.

        Args:
            template: chat template of a locally rendered model.
            settings: settings that do not affect the episodes.
        """
        if self._folder is not None and any(not _settled(self.episodes.get(place)) for place in self._keys):
            self._folder.note_call(provenance(**settings), template)

    def in_order(self) -> list[Episode]:
        """Return the episodes so far in planned order."""
        return [self.episodes[place] for place in self._keys if place in self.episodes]

    def play(self, lists: filtered.ToolLists | None) -> None:
        """Play the missing episodes, stage by stage.

        Args:
            lists: the tools for stage 2; if None, filtered tools are taken from the stage 1 answers.
        """
        for stage in sorted({part.stage for part in self._parts}):
            mine = [part for part in self._parts if part.stage == stage]
            if stage == 2 and lists is None and any(part.tools == FILTERED for part in mine):
                answers = [episode for episode in self.in_order() if episode["stage"] == 1]
                if self._gate.reached or any(place not in self.episodes for place in self._first_stage()):
                    break  # stopped by a limit before the tools of stage 2 are known
                lists = filtered.tool_lists(mine, answers)
            planned = self._plan(stage, lists)
            plan = [one for one in planned if not _settled(self.episodes.get((one.task.id, one.trial)))]
            if plan:
                play_all(plan, self._seats[: len(plan)], self._sink, self._gate)
        self._say_waiting(lists)
        if self.played:
            self._meter.close()
        if self._gate.reached is not None:
            self._meter.say(
                f"stopped at {self._gate.reached}: {len(self.episodes)} of {len(self._keys)} episodes are there; "
                f"the same call with a higher limit continues"
            )

    def _say_waiting(self, lists: filtered.ToolLists | None) -> None:
        names = [name for name, rows in (lists or {}).items() if None in rows]
        if names:
            self._meter.say(
                f"some episodes of {', '.join(names)} wait for answers of stage 1 that are invalid; the same call "
                "plays these again and goes on"
            )

    def _first_stage(self) -> list[EpisodeKey]:
        ids = {task.id for part in self._parts if part.stage == 1 for task in part.tasks}
        return [place for place in self._keys if place[0] in ids]

    def _plan(self, stage: int, lists: filtered.ToolLists | None) -> list[Planned]:
        plan = []
        for trial in range(self._trials):
            for number, part in enumerate(self._parts):
                if part.stage != stage:
                    continue
                mine = None if lists is None or stage == 1 else lists[part.scenario]
                for place, task in enumerate(part.tasks):
                    tools = None if mine is None else mine[(trial * len(part.tasks) + place) % len(mine)]
                    if mine is not None and tools is None:
                        continue
                    plan.append(Planned(number, task, trial, episode_seed(self._seed, task.id, trial), tools))
        return plan

    def _sink(self, episode: Episode, times: Times) -> None:
        with self._lock:
            self.played += 1
            self._gate.use(episode["tokens"])
            self.episodes[key(episode)], self.times[key(episode)] = episode, times
            if self._folder is not None:
                self._folder.append(episode, times)
            broke = episode["status"] == Status.INVALID
            if broke:
                self._tell(f"{{}}, is invalid: {episode['failure']}", episode)
            for told in _remarks(episode):
                self._tell(told, episode)
            self._meter.count(
                None if broke else episode["score"],
                episode["stage"],
                cut_answers=len(cut_answers(episode)),
                cut_prompts=cut_prompts(episode),
            )
            self._row = self._row + 1 if broke else 0
            if self._row >= MAX_FAILURES_IN_A_ROW:
                kept = self._folder and f" What was played is kept in {self._folder.path}; the same call continues."
                raise InfrastructureError(
                    f"{self._row} episodes in a row broke down, "
                    f"{episode['task_id']} with {episode['failure']}.{kept or ''}"
                )

    def _tell(self, told: str, episode: Episode) -> None:
        """Report an episode's problem unless it was reported before.

        `{}` in `told` is replaced by the episode.
        """
        if told in self._reasons or len(self._reasons) >= MAX_REASONS:
            return
        self._reasons.add(told)
        text = told.replace("{}", f"{episode['task_id']}, trial {episode['trial']}", 1)
        if self._shown:
            self._meter.say(text)
        else:
            log.warning(text)

    def _announce(self) -> None:
        if self._folder is None or not self.episodes:
            return
        left = [place for place in self._keys if not _settled(self.episodes.get(place))]
        broken = sum(episode["status"] == Status.INVALID for episode in self.episodes.values())
        again = f", {broken} of them again because they were invalid" if broken else ""
        total, path = len(self._keys), self._folder.path
        if left:
            there = total - len(left)
            self._meter.say(f"{path}: {there} of {total} episodes are there; playing the other {len(left)}{again}")
        else:
            self._meter.say(f"{path} is finished: all {total} episodes are there; nothing to do")


def _settled(episode: Episode | None) -> bool:
    return episode is not None and episode["status"] != Status.INVALID


def _remarks(episode: Episode) -> Iterator[str]:
    """Yield warnings about a valid episode."""
    for defect in episode.get("defects", ()):
        yield f"{{}}: a call crashed a tool of ours, which is a defect, and counts as failed: {defect['crash']}"
    if cut_answers(episode):
        yield (
            "{}: an answer was cut by its token limit (finish_reason length), and is no answer of the model's making; "
            "raise agent.max_new_tokens, or have the model think less"
        )
    if any("odd_usage" in turn["model"] for turn in episode["trace"]):
        yield "{}: the agent counts tokens in numbers that cannot be; they are left out, of limits too"
